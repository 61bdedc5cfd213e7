// SPDX-License-Identifier: Apache-2.0

package discovery

import (
	"maps"
	"slices"
)

// clientsNamed bounds how many clients of a tier are named: any user of the host can connect to most tiers.
const clientsNamed = 8

// addClients gives the tiers their clients: programs on this host that are no tiers, as they listen nowhere, and hold
// connections to the tier. Workers that take jobs are such clients, and so are the clients of a load test.
func (s *Scanner) addClients(tiers []Tier, ofTier, servers map[int32]int, candidates []socket,
	listens map[Listener]*process, local Addresses) {
	clients := make([]map[string]bool, len(tiers))
	for _, k := range candidates {
		p := s.owner[k.inode]
		if p == nil || p.pid == s.self {
			continue
		}
		if _, serves := servers[p.pid]; serves {
			continue
		}
		if _, belongs := ofTier[p.pid]; belongs {
			continue
		}
		to := called(k, listens, local)
		if to == nil {
			continue
		}
		i, ok := ofTier[to.pid]
		if !ok {
			continue
		}
		if !p.described {
			s.fs.describe(p, s.containers)
		}
		if clients[i] == nil {
			clients[i] = make(map[string]bool)
		}
		clients[i][p.name()] = true
	}
	for i, names := range clients {
		sorted := slices.Sorted(maps.Keys(names))
		tiers[i].Clients = sorted[:min(len(sorted), clientsNamed)] // always the same ones
	}
}

// addAbroad finds the tiers with clients elsewhere. listens are the servers' places, and their oldest processes.
func (s *Scanner) addAbroad(tiers []Tier, ofTier map[int32]int, listens map[Listener]*process, local Addresses) {
	for _, k := range s.accepted {
		if _, here := local[k.remote.Addr()]; here || k.remote.Addr().IsLoopback() {
			continue
		}
		if p, ok := CameIn(listens, k.place(k.netns)); ok {
			if i, ok := ofTier[p.pid]; ok {
				tiers[i].Abroad = true
			}
		}
	}
}
