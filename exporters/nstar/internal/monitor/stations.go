// SPDX-License-Identifier: Apache-2.0

package monitor

import (
	"github.com/nstar-project/nstar/exporters/nstar/internal/config"
	"github.com/nstar-project/nstar/exporters/nstar/internal/discovery"
	"github.com/nstar-project/nstar/exporters/nstar/internal/probe"
	"github.com/nstar-project/nstar/exporters/nstar/internal/window"
)

// TierName identifies a tier.
type TierName struct{ App, Tier string }

// stations gives every tier a number in the kernel's tables. A tier keeps its number for as long as the exporter runs, also
// while its server restarts, so that its counters go on.
type stations struct {
	max     int
	numbers map[TierName]window.Station
	names   []TierName
	refused map[TierName]bool
}

func newStations(max int) *stations {
	return &stations{max: max, numbers: make(map[TierName]window.Station), refused: make(map[TierName]bool)}
}

// number finds or gives a tier's number; false where the table is full.
func (s *stations) number(name TierName) (window.Station, bool) {
	if n, ok := s.numbers[name]; ok {
		return n, true
	}
	if len(s.names) >= s.max {
		s.refused[name] = true
		return 0, false
	}
	n := window.Station(len(s.names))
	s.numbers[name] = n
	s.names = append(s.names, name)
	return n, true
}

// tables translates what was discovered into the kernel's tables.
func (s *stations) tables(found discovery.Snapshot) probe.Tables {
	t := probe.Tables{Processes: make(map[uint32]window.Station)}
	for _, tier := range found.Tiers {
		station, ok := s.number(TierName{tier.App, tier.Name})
		if !ok {
			continue
		}
		for _, l := range tier.Listeners {
			t.Listeners = append(t.Listeners, probe.Listener{
				NetNS: l.NetNS, Addr: l.Addr, Port: l.Port, Station: station, Protocol: protocols[tier.Protocol],
			})
		}
		for _, pid := range tier.PIDs {
			t.Processes[uint32(pid)] = station
		}
	}
	for _, c := range found.Outgoing {
		if from, ok := t.Processes[uint32(c.PID)]; ok {
			t.Outgoing = append(t.Outgoing, probe.Outgoing{NetNS: c.NetNS, Local: c.Local, Remote: c.Remote, From: from})
		}
	}
	return t
}

var protocols = map[config.Protocol]probe.Protocol{
	config.Auto:  probe.Auto,
	config.HTTP:  probe.HTTP,
	config.AJP:   probe.AJP,
	config.MySQL: probe.MySQL,
	config.TLS:   probe.TLS,
	config.Turns: probe.Turns,
}
