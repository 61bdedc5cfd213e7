// SPDX-License-Identifier: Apache-2.0

package causes

import (
	"testing"
	"time"
)

// A counter that stands still is read a quarter as often, until it moves.
func TestCalm(t *testing.T) {
	const tick = 25 * time.Millisecond
	var c calm
	readings := func(from, to time.Duration, moves bool) (n int) {
		for now := from; now < to; now += tick {
			if c.due(now) {
				c.note(now, moves)
				n++
			}
		}
		return n
	}
	for _, tt := range []struct {
		what     string
		from, to time.Duration
		moves    bool
		want     int
	}{
		{"at first", time.Second, 11 * time.Second, false, 400},
		{"calm", 12 * time.Second, 22 * time.Second, false, 100},
		{"moving", 22 * time.Second, 32 * time.Second, true, 400},
		{"not calm at once", 32 * time.Second, 41 * time.Second, false, 360},
	} {
		if got := readings(tt.from, tt.to, tt.moves); got != tt.want {
			t.Errorf("%s: read %d times, want %d", tt.what, got, tt.want)
		}
	}
}
