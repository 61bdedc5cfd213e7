// SPDX-License-Identifier: Apache-2.0

package hsperf

import (
	"math"
	"time"
)

// How far the published start may be outside of the bounds. If it is farther away, the wall clock was
// stepped. The clock is read and the counter written in two steps, and a thread may have to wait between
// them.
const (
	earlySlack = 3 * time.Millisecond
	lateSlack  = 2 * time.Millisecond
)

// startOfTicks narrows down when, on CLOCK_MONOTONIC, a virtual machine's ticks
// were zero. One tick is one nanosecond here.
type startOfTicks struct {
	wall             time.Duration // as published, in the middle of its millisecond
	hasWall          bool
	earliest, latest time.Duration
}

func unknownStart() startOfTicks {
	return startOfTicks{earliest: math.MinInt64, latest: math.MaxInt64}
}

// published takes the start that the machine reports in wall-clock time, and the two clocks read together.
func (s *startOfTicks) published(begin, wallNow, now time.Duration) {
	s.wall = begin + time.Millisecond/2 - (wallNow - now)
	s.hasWall = true
}

// happenedBefore says that ticks were already counted at a time.
func (s *startOfTicks) happenedBefore(ticks int64, now time.Duration) {
	s.latest = min(s.latest, now-time.Duration(ticks))
}

// happenedAfter says that ticks were not yet counted at a time.
func (s *startOfTicks) happenedAfter(ticks int64, then time.Duration) {
	s.earliest = max(s.earliest, then-time.Duration(ticks))
}

// value is the best that is known. The upper bound is certain; it comes down to
// the truth as events are seen soon after they happened.
func (s *startOfTicks) value() time.Duration {
	switch {
	case s.latest == math.MaxInt64 && !s.hasWall:
		return 0 // nothing has happened that could be misplaced
	case s.latest == math.MaxInt64:
		return s.wall
	case !s.hasWall:
		return s.latest
	}
	tooLate := s.wall-lateSlack > s.latest
	tooEarly := s.earliest != math.MinInt64 && s.wall+earlySlack < s.earliest
	if tooLate || tooEarly {
		return s.latest
	}
	return min(s.wall, s.latest)
}

// ticks is a time on CLOCK_MONOTONIC as the machine counts it.
func (s *startOfTicks) ticks(t time.Duration) int64 { return int64(t - s.value()) }
