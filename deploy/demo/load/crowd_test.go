// SPDX-License-Identifier: Apache-2.0

package main

import (
	"math"
	"testing"
	"time"
)

func TestCrowdShare(t *testing.T) {
	c := crowd{ramp: 10 * time.Second, every: 60 * time.Second, lull: 12 * time.Second}
	for _, test := range []struct {
		name string
		at   time.Duration
		want float64
	}{
		{"nobody at first", 0, 0},
		{"half way up", 5 * time.Second, 0.5},
		{"all there", 10 * time.Second, 1},
		{"before the lull", 57 * time.Second, 1},
		{"leaving", 61 * time.Second, (1 + lullFloor) / 2},
		{"middle of the lull", 64 * time.Second, lullFloor},
		{"coming back", 67 * time.Second, (1 + lullFloor) / 2},
		{"after the lull", 70 * time.Second, 1},
		{"next lull", 124 * time.Second, lullFloor},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := c.share(test.at); math.Abs(got-test.want) > 1e-9 {
				t.Errorf("share(%s) = %g, want %g", test.at, got, test.want)
			}
		})
	}
	if got := (crowd{}).share(time.Hour); got != 1 {
		t.Errorf("without ramp and lulls: share = %g, want 1", got)
	}
}
