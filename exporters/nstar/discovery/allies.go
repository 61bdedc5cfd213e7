// SPDX-License-Identifier: Apache-2.0

package discovery

import (
	"maps"
	"net/netip"
	"slices"

	"github.com/nstar-project/nstar/exporters/nstar/config"
)

// calling is a server that was seen with a connection to another one, both by the oldest of their processes.
type calling struct{ from, to identity }

// allied gives the tiers that rules named their allies. If the file names only one tier of an application, as on a
// host of its own, but the others run here as well, they work for the same requests.
func (s *Scanner) allied(tiers []Tier, groups []group, servers map[int32]int, candidates []socket,
	listens map[Listener]*process, local Addresses) {
	byLeader := make(map[identity]int, len(groups))
	claimed := make([]string, len(groups)) // by which application
	for i, g := range groups {
		byLeader[g.leader.identity] = i
		claimed[i] = g.leader.app()
	}
	for _, t := range tiers {
		for _, pid := range t.PIDs {
			if i, ok := servers[pid]; ok && t.Ruled {
				claimed[i] = t.App
			}
		}
	}
	s.noteCalls(groups, servers, candidates, listens, local)
	neighbours := make([][]int, len(groups))
	for c := range s.calls {
		from, okFrom := byLeader[c.from]
		to, okTo := byLeader[c.to]
		if !okFrom || !okTo {
			delete(s.calls, c) // one of them has ended
			continue
		}
		neighbours[from] = append(neighbours[from], to)
		neighbours[to] = append(neighbours[to], from)
	}
	ofApp := make(map[string][]int32)
	for i := range tiers {
		t := &tiers[i]
		if !t.Ruled {
			continue
		}
		allies, ok := ofApp[t.App]
		if !ok {
			for _, g := range reached(t.App, claimed, neighbours) {
				allies = append(allies, groups[g].pids()...)
			}
			slices.Sort(allies)
			ofApp[t.App] = allies
		}
		t.Allies = allies
	}
}

// reached are the servers of no application that call servers of an application, or are called by them, and the
// servers that call these.
func reached(app string, claimed []string, neighbours [][]int) (out []int) {
	seen := make([]bool, len(claimed))
	var next []int
	for i, by := range claimed {
		if by == app {
			seen[i] = true
			next = append(next, i)
		}
	}
	for len(next) > 0 {
		g := next[0]
		next = next[1:]
		for _, n := range neighbours[g] {
			if !seen[n] && claimed[n] == config.DefaultApp {
				seen[n] = true
				out, next = append(out, n), append(next, n)
			}
		}
	}
	return out
}

// noteCalls remembers which servers were seen to call which: a connection may last for a page only, and a scan sees few
// of those.
func (s *Scanner) noteCalls(groups []group, servers map[int32]int, candidates []socket,
	listens map[Listener]*process, local Addresses) {
	if s.calls == nil {
		s.calls = make(map[calling]bool)
	}
	for _, k := range candidates {
		p := s.owner[k.inode]
		if p == nil {
			continue
		}
		from, ok := servers[p.pid]
		if to := called(k, listens, local); ok && to != nil && to != groups[from].leader {
			s.calls[calling{groups[from].leader.identity, to.identity}] = true
		}
	}
}

// called is the server on this host that a connection goes to; nil if it goes to another host.
func called(k socket, listens map[Listener]*process, local Addresses) *process {
	for _, netns := range append([]uint32{k.netns}, local[k.remote.Addr()]...) {
		for _, addr := range []netip.Addr{k.remote.Addr(), netip.IPv6Unspecified(), netip.IPv4Unspecified()} {
			if p := listens[Listener{NetNS: netns, Addr: addr, Port: k.remote.Port()}]; p != nil {
				return p
			}
		}
	}
	return nil
}

// listenersOf are the oldest processes of the servers, by the places where they listen.
func listenersOf(groups []group) map[Listener]*process {
	listens := make(map[Listener]*process)
	for _, g := range groups {
		for _, v := range g.serves {
			listens[v.listener] = g.leader
		}
	}
	return listens
}

// serversOf is the group of each process.
func serversOf(groups []group) map[int32]int {
	servers := make(map[int32]int)
	for i, g := range groups {
		for _, pid := range g.pids() {
			servers[pid] = i
		}
	}
	return servers
}

// pids are the processes of a group, ascending.
func (g group) pids() []int32 {
	all := make(map[int32]bool)
	for _, s := range g.serves {
		for _, p := range s.holders {
			all[p.pid] = true
		}
	}
	return slices.Sorted(maps.Keys(all))
}
