// SPDX-License-Identifier: Apache-2.0

package clock

import (
	"testing"
	"time"
)

// Clocks agree, whenever the thread that reads them was stopped: as far as one reading of a few allows.
func TestNow(t *testing.T) {
	const quick = 100 * time.Nanosecond
	for _, tt := range []struct {
		name string
		// before each reading: the monotonic clock first, then both in turn; quick from there on
		pauses  []time.Duration
		off     time.Duration // from the truth, at most
		reading int           // of both clocks together
	}{
		{"undisturbed", nil, quick, 3},
		{"stopped before all", []time.Duration{time.Second}, quick, 3},
		{"stopped before the wall clock", []time.Duration{quick, time.Second}, quick, 5},
		{"stopped behind it", []time.Duration{quick, quick, time.Second}, quick, 5},
		{"stopped twice", []time.Duration{quick, time.Second, quick, quick, 600 * time.Millisecond}, quick, 7},
		{
			"slow readings: the best are taken",
			[]time.Duration{
				0, ms, ms, ms, ms, ms, ms, 40 * time.Microsecond, 40 * time.Microsecond, ms, ms, ms, ms, ms, ms, ms, ms,
				ms, ms, ms, ms,
			},
			40 * time.Microsecond, 2*tries + 1,
		},
		{
			"as slow as can be: an end is found",
			[]time.Duration{0, ms, ms, ms, ms, ms, ms, ms, ms, ms, ms, ms, ms, ms, ms, ms, ms, ms, ms, ms, ms},
			ms, 2*tries + 1,
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			readings, elapsed := 0, time.Duration(0)
			read := func(start time.Duration) func() time.Duration {
				return func() time.Duration {
					pause := quick
					if readings < len(tt.pauses) {
						pause = tt.pauses[readings]
					}
					readings++
					elapsed += pause
					return start + elapsed
				}
			}
			w, m := now(read(wall), read(boot))
			if off := (w - m) - (wall - boot); off > tt.off || off < -tt.off {
				t.Errorf("the clocks are %s off, want %s at most", off, tt.off)
			}
			if m < boot || m > boot+elapsed {
				t.Errorf("the moment is %s, want one of the %s that this took", m-boot, elapsed)
			}
			if readings != tt.reading {
				t.Errorf("%d readings, want %d", readings, tt.reading)
			}
		})
	}
}

const ms = time.Millisecond
