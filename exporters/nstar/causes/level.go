// SPDX-License-Identifier: Apache-2.0

package causes

import (
	"math"
	"time"
)

// level is a number that is read from time to time. It is assumed to change linearly from one reading to the next.
type level struct {
	value float64
	at    time.Duration // of the last reading, CLOCK_MONOTONIC; 0: none
	spans spans
}

// note takes a reading.
func (l *level) note(now time.Duration, value float64) {
	if l.at > 0 {
		l.spans.add(l.at, now, (l.value+value)/2*(now-l.at).Seconds())
	}
	l.value, l.at = value, now
}

// share is the mean in [from, to). The last reading counts until there is another one. It is NaN if the last reading is
// too old for that.
func (l *level) share(from, to time.Duration) float64 {
	if l.at == 0 || from > l.at+spansKept {
		return math.NaN()
	}
	held := max(0, to-max(from, l.at))
	return l.spans.share(from, to) + l.value*held.Seconds()/(to-from).Seconds()
}
