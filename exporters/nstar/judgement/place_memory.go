// SPDX-License-Identifier: Apache-2.0

package judgement

import "time"

// placeMemory remembers that requests waited for a place to call, though not in each window. An example is a small pool
// whose connections are also kept while nothing is called, for instance during a transaction in which another server is
// called. Not all of its connections are seen at work at a time. Requests that sleep for an unknown reason in the
// windows between wait for the same places.
type placeMemory struct {
	placed, untold float64 // excess that waited for a place, and excess of unknown cause; decayed
	cause          Cause   // the cause of placed: SoftResource or Place
	to             string  // where the places are
}

// settle charges what has no known cause in a window to the places for which requests wait again and again. It does not
// do so if the requests may wait on purpose (patient).
func (s *placeMemory) settle(j *Judged, width time.Duration, patient bool) {
	keep := remaining(width, placeHalfLife)
	s.placed, s.untold = s.placed*keep, s.untold*keep
	for _, c := range j.Charges {
		switch {
		case (c.Cause == SoftResource || c.Cause == Place) && c.To != "":
			s.placed += c.Queue
			s.cause, s.to = c.Cause, c.To
		case c.Cause == UnknownCause:
			s.untold += c.Queue
		}
	}
	if patient || s.placed*width.Seconds() < leastPlaced || s.placed < placedShare*(s.placed+s.untold) {
		return
	}
	for i := range j.Charges {
		if c := &j.Charges[i]; c.Cause == UnknownCause {
			c.Cause, c.To = s.cause, s.to
		}
	}
}

const (
	placeHalfLife = 10 * time.Second // half-life
	leastPlaced   = 1                // request-seconds
	placedShare   = 0.3              // of both, placed and untold
)
