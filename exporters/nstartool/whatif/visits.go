// SPDX-License-Identifier: Apache-2.0

package whatif

import "math"

// begin lets a visit begin: it draws how many calls it will make.
func (p *replay) begin(j job) {
	var id int32
	if last := len(p.free) - 1; last >= 0 {
		id = p.free[last]
		p.free = p.free[:last]
	} else {
		id = int32(len(p.jobs))
		p.jobs = append(p.jobs, job{})
		for range p.row {
			p.calls = append(p.calls, 0)
		}
	}
	for i, l := range p.stations[j.station].out {
		whole, part := math.Modf(p.links[l].calls)
		calls := int32(whole)
		if p.random.Float64() < part {
			calls++
		}
		p.calls[int(id)*p.row+i] = calls
		j.left += calls
	}
	p.jobs[id] = j
	p.own[j.station]++
	p.active[j.station] = append(p.active[j.station], id)
}

// worked ends one part of a visit at a station: its next call, or its answer.
// It reports whether the station stops now.
func (p *replay) worked(station int) bool {
	active := p.active[station]
	at := p.random.IntN(len(active))
	id := active[at]
	active[at] = active[len(active)-1]
	p.active[station] = active[:len(active)-1]
	j := &p.jobs[id]
	if j.left > 0 {
		p.call(id, j)
		return false
	}
	p.own[station]--
	p.visits[station]++
	p.free = append(p.free, id)
	switch {
	case j.link != none:
		p.answered(int(j.link), j.parent)
	case station == p.front:
		p.inside--
		p.completed++
	}
	return p.halt[station].worked(p.now)
}

// call sends one of the calls that are left, drawn at random, or lets it wait
// for a place.
func (p *replay) call(id int32, j *job) {
	draw := int32(p.random.IntN(int(j.left)))
	out := p.stations[j.station].out
	row := p.calls[int(id)*p.row:]
	at := 0
	for ; draw >= row[at]; at++ {
		draw -= row[at]
	}
	row[at]--
	j.left--
	l := out[at]
	if q := &p.pools[l]; p.links[l].places > 0 {
		if q.taken >= p.links[l].places {
			q.waiting = append(q.waiting, id)
			return
		}
		q.taken++
	}
	p.send(l, id)
}

// send moves a request from its station to the one behind.
func (p *replay) send(l int, id int32) {
	p.own[p.links[l].from]--
	p.begin(job{parent: id, link: int32(l), station: int32(p.links[l].to)})
}

// answered takes the request back to the station that had called.
func (p *replay) answered(l int, id int32) {
	from := p.links[l].from
	p.own[from]++
	p.active[from] = append(p.active[from], id)
	if p.links[l].places == 0 {
		return
	}
	if p.links[l].hold > 0 || p.halt[from].stopped {
		p.pools[l].held++
		return
	}
	p.vacate(l)
}

// vacate gives a place to the first that waits for it, or back. A cap that was
// lowered is not exceeded any longer than the calls in it take.
func (p *replay) vacate(l int) {
	q := &p.pools[l]
	if len(q.waiting) == 0 || q.taken > p.links[l].places {
		q.taken--
		return
	}
	id := q.waiting[0]
	q.waiting = q.waiting[1:]
	p.send(l, id)
}
