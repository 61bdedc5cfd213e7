// SPDX-License-Identifier: Apache-2.0

package causes

import "time"

// spansKept is for how long polled values can be asked for: windows are read when they have settled, and Lag later.
const spansKept = 16 * time.Second

// spans are the increases of a counter of time, each with the time in which it happened.
type spans struct{ list []span }

type span struct {
	from, to time.Duration // CLOCK_MONOTONIC
	rate     float64       // seconds per second
}

// add notes that a counter grew by so many seconds in [from, to).
func (s *spans) add(from, to time.Duration, seconds float64) {
	old := 0
	for old < len(s.list) && s.list[old].to < to-spansKept {
		old++
	}
	s.list = s.list[old:]
	if seconds > 0 && to > from {
		s.list = append(s.list, span{from, to, seconds / (to - from).Seconds()})
	}
}

// share is the mean over [from, to), in seconds per second.
func (s *spans) share(from, to time.Duration) float64 {
	sum := 0.0
	for _, p := range s.list {
		if d := min(p.to, to) - max(p.from, from); d > 0 {
			sum += p.rate * d.Seconds()
		}
	}
	return sum / (to - from).Seconds()
}
