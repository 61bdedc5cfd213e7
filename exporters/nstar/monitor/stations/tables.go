// SPDX-License-Identifier: Apache-2.0

package stations

import (
	"github.com/nstar-project/nstar/exporters/nstar/discovery"
	"github.com/nstar-project/nstar/exporters/nstar/probe"
	"github.com/nstar-project/nstar/exporters/nstar/window"
)

// tables translates what was discovered into the kernel's tables, which have a limited room. The second result counts
// what found no room. Every tier gets the same share of the room. So a process with thousands of sockets leaves room
// for the other tiers.
func (s *tiers) tables(found discovery.Snapshot, remotes []probe.Remote, room probe.Room) (t probe.Tables,
	left int) {
	t.Processes, t.Remotes = make(map[uint32]window.Station), remotes
	var listeners, processes, connections []int // one number per tier
	outgoing := make(map[window.Station][]discovery.Connection)
	of := make(map[int32]window.Station)
	for _, tier := range found.Tiers {
		if n, ok := s.numbers[tier.FullName()]; ok {
			listeners, processes = append(listeners, len(tier.Listeners)), append(processes, len(tier.PIDs))
			for _, pid := range tier.All() {
				of[pid] = n
			}
		}
	}
	for _, c := range found.Outgoing {
		if n, ok := of[c.PID]; ok {
			outgoing[n] = append(outgoing[n], c)
		}
	}
	for _, all := range outgoing {
		connections = append(connections, len(all))
	}
	mostListeners := share(listeners, room.Listeners-len(remotes))
	mostProcesses, mostConnections := share(processes, room.Processes), share(connections, room.Outgoing)
	for _, tier := range found.Tiers {
		station, ok := s.numbers[tier.FullName()]
		if !ok {
			continue
		}
		left += max(0, len(tier.Listeners)-mostListeners) + max(0, len(tier.PIDs)-mostProcesses)
		for _, l := range tier.Listeners[:min(len(tier.Listeners), mostListeners)] {
			t.Listeners = append(t.Listeners, probe.Listener{
				NetNS: l.NetNS, Addr: l.Addr, Port: l.Port, File: probe.File(l.File), Station: station,
				Protocol: tier.Protocol.Number(),
			})
		}
		for _, pid := range tier.PIDs[:min(len(tier.PIDs), mostProcesses)] {
			t.Processes[uint32(pid)] = station
		}
	}
	for from, all := range outgoing {
		left += max(0, len(all)-mostConnections)
		for _, c := range all[:min(len(all), mostConnections)] {
			t.Outgoing = append(t.Outgoing, probe.Outgoing{NetNS: c.NetNS, Local: c.Local,
				Remote: c.Remote, From: from})
		}
	}
	return t, left
}

// share is how many entries each may have so that all together fit into the room. Those that want fewer leave the rest
// to the others.
func share(wanted []int, room int) int {
	low, high := 0, max(room, 0) // the answer is the largest number that fits
	for low < high {
		each, sum := (low+high+1)/2, 0
		for _, n := range wanted {
			sum += min(n, each)
		}
		if sum <= room {
			low = each
		} else {
			high = each - 1
		}
	}
	return low
}
