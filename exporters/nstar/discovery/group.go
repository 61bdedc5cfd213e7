// SPDX-License-Identifier: Apache-2.0

package discovery

import (
	"cmp"
	"maps"
	"slices"
)

// A group is a set of processes that serve together, because they share
// listening sockets (a server and its forked workers, or several processes that
// listen in one place with SO_REUSEPORT), or because they are workers of one pool.
type group struct {
	leader *process // the oldest
	serves []serving
}

// serving is a listener with the processes that hold its sockets.
type serving struct {
	listener Listener
	holders  []*process // by age
}

// groups joins the processes that hold the given listening sockets (by inode).
// The result is sorted by leader's age, its listeners by place.
func groups(procs []*process, listening map[uint64]Listener) []group {
	places := make(map[Listener][]*process)
	holds := make(map[*process]map[Listener]bool)
	for _, p := range procs {
		if p.isSystemd() {
			continue
		}
		for _, inode := range p.listens {
			l, ok := listening[inode]
			if !ok || holds[p][l] {
				continue
			}
			if holds[p] == nil {
				holds[p] = make(map[Listener]bool)
			}
			holds[p][l] = true
			places[l] = append(places[l], p)
		}
	}

	parent := make(map[*process]*process, len(holds))
	var find func(p *process) *process
	find = func(p *process) *process {
		q, ok := parent[p]
		if !ok || q == p {
			return p
		}
		parent[p] = find(q)
		return parent[p]
	}
	join := func(p, q *process) {
		a, b := find(p), find(q)
		if byAge(b, a) < 0 {
			a, b = b, a
		}
		parent[b] = a
	}
	for l, holders := range places {
		slices.SortFunc(holders, byAge)
		oldest := holders[0]
		holders = slices.DeleteFunc(holders, func(p *process) bool { return leaked(oldest, p, holds) })
		places[l] = holders
		for _, p := range holders[1:] {
			join(oldest, p)
		}
	}
	pools := make(map[pool]*process)
	for p, listens := range holds {
		if k, ok := p.pool(listens); ok {
			if other := pools[k]; other != nil {
				join(other, p)
			}
			pools[k] = p
		}
	}

	byLeader := make(map[*process]*group)
	for l, holders := range places {
		leader := find(holders[0])
		g := byLeader[leader]
		if g == nil {
			g = &group{leader: leader}
			byLeader[leader] = g
		}
		g.serves = append(g.serves, serving{listener: l, holders: holders})
	}
	out := make([]group, 0, len(byLeader))
	for _, g := range slices.SortedFunc(maps.Keys(byLeader), byAge) {
		slices.SortFunc(byLeader[g].serves, func(a, b serving) int { return byPlace(a.listener, b.listener) })
		out = append(out, *byLeader[g])
	}
	return out
}

// leaked reports whether p only inherited a socket of the oldest holder by accident: it is another program
// and serves a place of its own. Without this, a server that is started by another one, and does not close
// the sockets that it inherits, would look like a part of that other server.
func leaked(oldest, p *process, holds map[*process]map[Listener]bool) bool {
	if p.comm == oldest.comm {
		return false
	}
	for l := range holds[p] {
		if !holds[oldest][l] {
			return true
		}
	}
	return false
}

// byAge sorts the older process first: the server before its workers.
func byAge(a, b *process) int {
	return cmp.Or(cmp.Compare(a.start, b.start), cmp.Compare(a.pid, b.pid))
}

func byPlace(a, b Listener) int {
	return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.NetNS, b.NetNS), cmp.Compare(a.Port, b.Port),
		a.Addr.Compare(b.Addr))
}
