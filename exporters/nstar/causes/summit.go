// SPDX-License-Identifier: Apache-2.0

package causes

import (
	"slices"
	"time"
)

// summit is the largest value of the last ten minutes.
type summit struct {
	minute int64 // of the last value
	of     [10]float64
}

// add takes a value. Times do not go back.
func (s *summit) add(at time.Duration, v float64) {
	s.forget(at)
	place := &s.of[s.minute%int64(len(s.of))]
	*place = max(*place, v)
}

// most is the largest value; 0 if there was none.
func (s *summit) most(at time.Duration) float64 {
	s.forget(at)
	return slices.Max(s.of[:])
}

// forget drops minutes that are too long ago.
func (s *summit) forget(at time.Duration) {
	now := int64(at / time.Minute)
	for range min(now-s.minute, int64(len(s.of))) {
		s.minute++
		s.of[s.minute%int64(len(s.of))] = 0
	}
	s.minute = now
}
