// SPDX-License-Identifier: Apache-2.0

package judgement

import (
	"math"
	"time"
)

// seats remembers that requests waited for a place to call, though not in each window: of a small pool whose
// connections are kept for something else than calls, as for a transaction in which another server is asked, not all
// are seen at work at a time. What sleeps for an unknown reason in the windows between waits for the same places.
type seats struct {
	placed, untold float64 // excess that waited for a place, and that cannot be told; decayed
	cause          Cause   // of the former
	to             string  // where the places are
}

// settle charges what cannot be told in a window to the places for which requests wait again and again; not where they
// may wait on purpose.
func (s *seats) settle(j *Judged, width time.Duration, patient bool) {
	keep := math.Exp2(-width.Seconds() / seatsMemory.Seconds())
	s.placed, s.untold = s.placed*keep, s.untold*keep
	for _, c := range j.Charges {
		switch {
		case (c.Cause == SoftResource || c.Cause == Place) && c.To != "":
			s.placed += c.Queue
			s.cause, s.to = c.Cause, c.To
		case c.Cause == Untold:
			s.untold += c.Queue
		}
	}
	if patient || s.placed*width.Seconds() < seatsLeast || s.placed < seatsShare*(s.placed+s.untold) {
		return
	}
	for i := range j.Charges {
		if c := &j.Charges[i]; c.Cause == Untold {
			c.Cause, c.To = s.cause, s.to
		}
	}
}

const (
	seatsMemory = 10 * time.Second // half-life
	seatsLeast  = 1                // request-seconds
	seatsShare  = 0.3              // of both
)
