// SPDX-License-Identifier: Apache-2.0

package stations

import (
	"time"

	"github.com/nstar-project/nstar/exporters/nstar/discovery"
	"github.com/nstar-project/nstar/exporters/nstar/window"
)

const (
	// retireAfter is how long a tier may be away until its number and its series are given up. A server that
	// restarts within this time continues its counters.
	retireAfter = 10 * time.Minute
	// vacateAfter is the same while other tiers find no free number.
	vacateAfter = 20 * time.Second
)

// tiers gives every tier a number in the kernel's tables. A tier keeps its number while its server restarts, so that
// its counters continue. When the tier has been away for long, its number is held back until no connection carries it
// any more, and then given to another tier. This is needed because any local user can start and end listeners for ever.
type tiers struct {
	max     int
	numbers map[discovery.TierName]window.Station
	places  []place
	// refused are the tiers for which the last scan found no free number. refusals counts them, each one once for
	// as long as it waits.
	refused  map[discovery.TierName]bool
	refusals uint64
}

// place is what is known of a number.
type place struct {
	last discovery.Tier // the tier, as a scan found it last
	use  use
	seen time.Duration // monotonic: when a scan last found the tier; if held back, when that began
}

// use is the stage of a number on its way from one tier to the next.
type use int

const (
	free use = iota
	taken
	heldBack // given up by its tier, but connections may still carry it
)

func newTiers(max int) *tiers {
	return &tiers{max: max, numbers: make(map[discovery.TierName]window.Station)}
}

// name is the tier of a number; false if there is none.
func (s *tiers) name(n window.Station) (discovery.TierName, bool) {
	if int(n) >= len(s.places) || s.places[n].use != taken {
		return discovery.TierName{}, false
	}
	return s.places[n].last.FullName(), true
}

// isTier reports whether a number belongs to a tier, present or past. Other numbers belong to edges.
func (s *tiers) isTier(n window.Station) bool { return int(n) < s.max }

// all lists the numbers of tiers in ascending order.
func (s *tiers) all() []window.Station {
	out := make([]window.Station, 0, len(s.places))
	for i, p := range s.places {
		if p.use == taken {
			out = append(out, window.Station(i))
		}
	}
	return out
}

// see notes which tiers are there.
func (s *tiers) see(found []discovery.Tier, now time.Duration) {
	for _, t := range found {
		if n, ok := s.numbers[t.FullName()]; ok {
			s.places[n].seen, s.places[n].last = now, t
		}
	}
}

// away are the tiers that have a number and were not found, as they were found last.
func (s *tiers) away(found []discovery.Tier) (out []discovery.Tier) {
	here := make(map[discovery.TierName]bool, len(found))
	for _, t := range found {
		here[t.FullName()] = true
	}
	for _, p := range s.places {
		if p.use == taken && !here[p.last.FullName()] {
			out = append(out, p.last)
		}
	}
	return out
}

// admit gives numbers to tiers that were found and have none. Tiers that the configuration names come first, and no
// other tier may take the numbers that are reserved for them.
func (s *tiers) admit(found []discovery.Tier, rules int, now time.Duration) (fresh []window.Station) {
	was := s.refused
	s.refused = make(map[discovery.TierName]bool)
	for _, ruled := range []bool{true, false} {
		for _, t := range found {
			if t.Ruled != ruled {
				continue
			}
			name := t.FullName()
			if _, ok := s.numbers[name]; ok {
				continue
			}
			if n, ok := s.room(t, rules); ok {
				s.places[n] = place{last: t, use: taken, seen: now}
				s.numbers[name] = n
				fresh = append(fresh, n)
				continue
			}
			s.refused[name] = true
			if !was[name] {
				s.refusals++
			}
		}
	}
	return fresh
}

// room finds a number for a tier. Each user other than root, and each container, gets at most half of the table. So a
// user that starts any number of listeners leaves the other half.
func (s *tiers) room(t discovery.Tier, rules int) (window.Station, bool) {
	used, unruled, owned, first := 0, 0, 0, len(s.places)
	for i, p := range s.places {
		if p.use == free {
			first = min(first, i)
			continue
		}
		used++
		if !p.last.Ruled {
			unruled++
		}
		if p.last.Owner == t.Owner {
			owned++
		}
	}
	switch {
	case used >= s.max:
		return 0, false
	case !t.Ruled && (unruled >= s.max-min(rules, s.max-1) || t.Owner != "" && owned >= max(s.max/2, 1)):
		return 0, false
	}
	if first == len(s.places) {
		s.places = append(s.places, place{})
	}
	return window.Station(first), true
}

// leaving lists the tiers to be given up: those that have been away for long, and, while others wait for a number, the
// one that has been away for longest.
func (s *tiers) leaving(now time.Duration) (out []window.Station) {
	oldest, found := window.Station(0), false
	for _, n := range s.all() {
		switch away := now - s.places[n].seen; {
		case away >= retireAfter:
			out = append(out, n)
		case away >= vacateAfter && len(s.refused) > 0 && (!found || s.places[n].seen < s.places[oldest].seen):
			oldest, found = n, true
		}
	}
	if found && len(out) == 0 {
		out = append(out, oldest)
	}
	return out
}

// holdBack takes a number away from its tier.
func (s *tiers) holdBack(n window.Station, now time.Duration) {
	delete(s.numbers, s.places[n].last.FullName())
	s.places[n].use, s.places[n].seen = heldBack, now
}

// waiting lists the numbers that are held back.
func (s *tiers) waiting() (out []window.Station) {
	for i, p := range s.places {
		if p.use == heldBack {
			out = append(out, window.Station(i))
		}
	}
	return out
}

// release makes a number available that was held back.
func (s *tiers) release(n window.Station) { s.places[n] = place{} }
