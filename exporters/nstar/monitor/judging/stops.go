// SPDX-License-Identifier: Apache-2.0

package judging

import (
	"time"

	"github.com/nstar-project/nstar/exporters/nstar/judgement"
)

// apart is how long a tier has to go on between two stops. A stop that lets a few answers through is one.
const apart = 250 * time.Millisecond

// stops counts how often a tier stood still, by what stopped it.
type stops struct {
	number map[judgement.Cause]uint64
	calm   time.Duration // since the last window in which it stood still; at least apart before the first one
}

func newStops() stops {
	return stops{number: map[judgement.Cause]uint64{judgement.Stopped: 0, judgement.GarbageCollection: 0}, calm: apart}
}

// add takes a judged window.
func (s *stops) add(w judgement.Judged, width time.Duration) {
	if w.State != judgement.Frozen {
		s.calm += width
		return
	}
	if s.calm >= apart {
		for _, c := range w.Charges {
			if _, counts := s.number[c.Cause]; counts {
				s.number[c.Cause]++
				break
			}
		}
	}
	s.calm = 0
}
