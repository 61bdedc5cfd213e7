// SPDX-License-Identifier: Apache-2.0

package whatif

import (
	"container/heap"
	"math/rand/v2"
)

// system is an application of three tiers that is simulated request by
// request, with servers that take requests in their order: another model than
// the one that predicts, with another distribution of work.
type system struct {
	tiers        [3]server
	calls        [2]int // of each request of a tier to the next
	pool         int    // places from the second to the third tier; 0 for none
	held         bool   // a request keeps its place for all of its calls
	cores        int    // processors that all tiers share; 0 if each tier has enough of its own
	apart        bool   // the last tier has one of these for itself
	users, think float64
	rate         float64 // of an open source, which has no users
	duration     float64
	seed         uint64
}

// server is a tier: this many requests are worked on at once.
type server struct {
	servers int
	work    float64 // seconds per request in all
	law     law
	// A collection takes pause seconds, each time after this number of answers.
	answers int
	pause   float64
	// A stop takes length seconds, once in each interval of every seconds.
	every, length float64
}

type law int

const (
	exponential law = iota
	fixed
	mixed // one request in ten takes twenty times as long
)

func (l law) draw(r *rand.Rand, mean float64) float64 {
	switch l {
	case fixed:
		return mean
	case mixed:
		if r.Float64() < 0.1 {
			return mean * 20 / 2.9
		}
		return mean / 2.9
	}
	return mean * r.ExpFloat64()
}

// visit is a request in a tier.
type visit struct {
	tier, left int
	parent     *visit
	hasPlace   bool
	since      int     // it waits for a server since this many others began to
	need       float64 // work that is left of the present part
	slice      float64 // of it, what is worked on now without a break
	from       float64 // since when it is worked on, in time in which the tier ran
}

type event struct {
	at float64
	do func()
}

type events []event

func (e events) Len() int           { return len(e) }
func (e events) Less(i, j int) bool { return e[i].at < e[j].at }
func (e events) Swap(i, j int)      { e[i], e[j] = e[j], e[i] }
func (e *events) Push(x any)        { *e = append(*e, x.(event)) }
func (e *events) Pop() any {
	old := *e
	x := old[len(old)-1]
	*e = old[:len(old)-1]
	return x
}

// simulation is a running system.
type simulation struct {
	system
	random  *rand.Rand
	now     float64
	events  events
	waiting [3][]*visit // for a server
	busy    [3]int
	stopped [3]bool
	idle    [3]float64 // time stopped so far
	since   [3]float64
	answers [3]int
	present [3]int
	out     [2]int
	places  int
	queue   []*visit // for a place
	begun   int      // waits for a server so far
	log     recorder
}

func (s system) simulate() (Trace, performance) {
	m := &simulation{system: s, random: rand.New(rand.NewPCG(s.seed, 7)), log: newRecorder(s.duration)}
	for range int(s.users) {
		m.after(m.random.ExpFloat64()*s.think, m.ask)
	}
	if s.users == 0 {
		m.after(0, m.arrive)
	}
	for i, t := range s.tiers {
		if t.every > 0 {
			m.after(t.every*m.random.Float64(), func() { m.stop(i, t.length, causeStopped) })
		}
	}
	for len(m.events) > 0 {
		e := heap.Pop(&m.events).(event)
		if e.at >= s.duration {
			break
		}
		m.log.elapse(m, e.at)
		m.now = e.at
		e.do()
	}
	m.log.elapse(m, s.duration)
	return m.log.trace(s), m.log.performance()
}

func (m *simulation) after(seconds float64, do func()) {
	heap.Push(&m.events, event{m.now + seconds, do})
}

func (m *simulation) arrive() {
	m.ask()
	m.after(m.random.ExpFloat64()/m.rate, m.arrive)
}

func (m *simulation) ask() { m.enter(&visit{tier: 0}) }

func (m *simulation) enter(v *visit) {
	m.present[v.tier]++
	if v.tier < 2 && m.calls[v.tier] > 0 {
		v.left = 1 + m.random.IntN(2*m.calls[v.tier]-1)
	}
	m.part(v)
}

// part queues the next part of the work of a visit.
func (m *simulation) part(v *visit) {
	parts := 1.0
	if v.tier < 2 {
		parts += float64(m.calls[v.tier])
	}
	t := m.tiers[v.tier]
	v.need = t.law.draw(m.random, t.work/parts)
	m.wait(v)
	m.serve(v.tier)
}

func (m *simulation) wait(v *visit) {
	v.since = m.begun
	m.begun++
	m.waiting[v.tier] = append(m.waiting[v.tier], v)
}

// serve begins with the requests that wait at a tier or, first come first served, at the tiers with which it shares
// processors.
func (m *simulation) serve(tier int) {
	for {
		together, cores := m.sharing(tier)
		tier, busy := -1, 0
		for _, i := range together {
			busy += m.busy[i]
			if !m.stopped[i] && m.busy[i] < m.tiers[i].servers && len(m.waiting[i]) > 0 &&
				(tier < 0 || m.waiting[i][0].since < m.waiting[tier][0].since) {
				tier = i
			}
		}
		if tier < 0 || busy >= cores {
			return
		}
		v := m.waiting[tier][0]
		m.waiting[tier] = m.waiting[tier][1:]
		m.busy[tier]++
		v.from = m.running(tier)
		v.slice = v.need
		if m.cores > 0 {
			v.slice = min(v.need, quantum)
		}
		m.after(v.slice, func() { m.check(v) })
	}
}

// quantum is for how long a shared processor stays with a request while others wait, in seconds.
const quantum = 0.001

// sharing are the tiers with which one shares processors, itself included, and how many these are.
func (m *simulation) sharing(tier int) (together []int, cores int) {
	switch {
	case m.cores == 0:
		return []int{tier}, m.tiers[tier].servers
	case m.apart && tier == 2:
		return []int{2}, 1
	case m.apart:
		return []int{0, 1}, m.cores - 1
	}
	return []int{0, 1, 2}, m.cores
}

// running is the time in which a tier was not stopped.
func (m *simulation) running(tier int) float64 {
	idle := m.idle[tier]
	if m.stopped[tier] {
		idle += m.now - m.since[tier]
	}
	return m.now - idle
}

// check checks whether work is done, or was held up by stops.
func (m *simulation) check(v *visit) {
	if rest := v.from + v.slice - m.running(v.tier); rest > 1e-9 || m.stopped[v.tier] {
		m.after(max(rest, 1e-4), func() { m.check(v) })
		return
	}
	m.busy[v.tier]--
	if v.need -= v.slice; v.need > 1e-9 {
		m.wait(v)
	} else {
		m.worked(v)
	}
	m.serve(v.tier)
}

func (m *simulation) worked(v *visit) {
	if v.left > 0 {
		v.left--
		if v.tier == 1 && m.pool > 0 && !v.hasPlace {
			if m.places == m.pool {
				m.queue = append(m.queue, v)
				return
			}
			m.places++
			v.hasPlace = true
		}
		m.send(v)
		return
	}
	m.present[v.tier]--
	m.log.done[v.tier][m.log.window]++
	if v.parent != nil {
		m.out[v.parent.tier]--
		if v.parent.tier == 1 && m.pool > 0 && (!m.held || v.parent.left == 0) {
			m.giveBack(v.parent)
		}
		m.part(v.parent)
	} else if m.users > 0 {
		m.after(m.random.ExpFloat64()*m.think, m.ask)
	}
	t := m.tiers[v.tier]
	if m.answers[v.tier]++; t.answers > 0 && m.answers[v.tier]%t.answers == 0 {
		m.stop(v.tier, t.pause, causeCollection)
	}
}

func (m *simulation) send(v *visit) {
	m.out[v.tier]++
	m.log.begun[v.tier][m.log.window]++
	m.enter(&visit{tier: v.tier + 1, parent: v})
}

func (m *simulation) giveBack(v *visit) {
	v.hasPlace = false
	if len(m.queue) == 0 {
		m.places--
		return
	}
	next := m.queue[0]
	m.queue = m.queue[1:]
	next.hasPlace = true
	m.send(next)
}

func (m *simulation) stop(tier int, length float64, cause string) {
	if !m.stopped[tier] {
		m.stopped[tier], m.since[tier] = true, m.now
		m.log.stops[tier] = append(m.log.stops[tier], stop{begin: m.now, length: length, cause: cause})
		m.after(length, func() {
			m.stopped[tier] = false
			m.idle[tier] += m.now - m.since[tier]
			m.serve(tier)
		})
	}
	if cause == causeStopped {
		m.after(m.tiers[tier].every*(0.5+m.random.Float64()), func() { m.stop(tier, length, cause) })
	}
}
