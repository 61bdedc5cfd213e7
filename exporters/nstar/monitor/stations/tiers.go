// SPDX-License-Identifier: Apache-2.0

package stations

import (
	"time"

	"github.com/nstar-project/nstar/exporters/nstar/discovery"
	"github.com/nstar-project/nstar/exporters/nstar/window"
)

const (
	// retireAfter is how long a tier may be away until its number and its series are given up. A server that restarts
	// within it goes on with its counters.
	retireAfter = 10 * time.Minute
	// vacateAfter is the same while others find no place.
	vacateAfter = 20 * time.Second
)

// tiers gives every tier a number in the kernel's tables. A tier keeps its number while its server restarts, so that
// its counters go on. When it has been away for long, the number is held back until no connection bears it any more,
// and then given to another: any local user can start and end listeners for ever.
type tiers struct {
	max     int
	numbers map[discovery.TierName]window.Station
	places  []place
	// refused are the tiers that the last scan found no place for; refusals counts them, each once for as long as it
	// waits.
	refused  map[discovery.TierName]bool
	refusals uint64
}

// place is what is known of a number.
type place struct {
	name  discovery.TierName
	owner string // who runs the tier, as in discovery.Tier
	ruled bool   // the configuration names it
	use   use
	seen  time.Duration // monotonic: when a scan last found the tier; if held back, when that began
}

// use is a number's way from one tier to the next.
type use int

const (
	free use = iota
	taken
	heldBack // given up by its tier; connections may still bear it
)

func newTiers(max int) *tiers {
	return &tiers{max: max, numbers: make(map[discovery.TierName]window.Station)}
}

// name is the tier that has a number; false if none has.
func (s *tiers) name(n window.Station) (discovery.TierName, bool) {
	if int(n) >= len(s.places) || s.places[n].use != taken {
		return discovery.TierName{}, false
	}
	return s.places[n].name, true
}

// isTier reports whether a number is that of a tier, present or past; others are edges.
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

// see takes note of which tiers are there.
func (s *tiers) see(found []discovery.Tier, now time.Duration) {
	for _, t := range found {
		if n, ok := s.numbers[t.FullName()]; ok {
			s.places[n].seen, s.places[n].owner, s.places[n].ruled = now, t.Owner, t.Ruled
		}
	}
}

// admit gives numbers to the tiers that were found and have none. Those that the configuration names come first, and no
// other may take the places that are left for them.
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
				s.places[n] = place{name: name, owner: t.Owner, ruled: t.Ruled, use: taken, seen: now}
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

// room finds a number for a tier. A user who is not root, and a container, get at most half of the table, so that one
// who starts any number of listeners leaves the other half.
func (s *tiers) room(t discovery.Tier, rules int) (window.Station, bool) {
	used, unruled, owned, first := 0, 0, 0, len(s.places)
	for i, p := range s.places {
		if p.use == free {
			first = min(first, i)
			continue
		}
		used++
		if !p.ruled {
			unruled++
		}
		if p.owner == t.Owner {
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

// leaving lists the tiers to be given up: those that have been away for long and, while others wait for a place, the
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

// holdBack takes a number from its tier.
func (s *tiers) holdBack(n window.Station, now time.Duration) {
	delete(s.numbers, s.places[n].name)
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

// release makes a number that was held back available.
func (s *tiers) release(n window.Station) { s.places[n] = place{} }
