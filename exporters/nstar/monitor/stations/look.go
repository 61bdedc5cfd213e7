// SPDX-License-Identifier: Apache-2.0

package stations

import (
	"github.com/nstar-project/nstar/exporters/nstar/discovery"
	"github.com/nstar-project/nstar/exporters/nstar/window"
)

// IsTier reports whether a number belongs to a tier, present or past. Other numbers belong to edges.
func (s *Stations) IsTier(n window.Station) bool { return s.tiers.isTier(n) }

// Tier is the tier of a number; false if there is none.
func (s *Stations) Tier(n window.Station) (discovery.TierName, bool) { return s.tiers.name(n) }

// Edge is the edge of a number; false if there is none, or if nothing is known of the tier that calls.
func (s *Stations) Edge(n window.Station) (Edge, bool) {
	e, ok := s.edges.names[n]
	return e, ok
}

// Number is the number of a tier; false if it has none.
func (s *Stations) Number(name discovery.TierName) (window.Station, bool) {
	n, ok := s.tiers.numbers[name]
	return n, ok
}

// Tiers returns the numbers of tiers in ascending order.
func (s *Stations) Tiers() []window.Station { return s.tiers.all() }

// Edges returns the numbers of edges.
func (s *Stations) Edges() []window.Station {
	out := make([]window.Station, 0, len(s.edges.list))
	for _, e := range s.edges.list {
		out = append(out, e.Station)
	}
	return out
}

// Present returns the numbers of tiers and then of edges.
func (s *Stations) Present() []window.Station { return append(s.Tiers(), s.Edges()...) }

// Measured returns all numbers that are read: tiers, then edges, including those that are being given up.
func (s *Stations) Measured() []window.Station {
	out := s.Present()
	for n := range s.edges.held {
		out = append(out, n)
	}
	return out
}

// Refused counts the tiers for which there was no number, each one once for as long as it waits.
func (s *Stations) Refused() uint64 { return s.tiers.refusals }

// TablesFull counts the sockets and processes that found no room in the kernel's tables, and the failures to fill them.
func (s *Stations) TablesFull() uint64 { return s.tablesFull }
