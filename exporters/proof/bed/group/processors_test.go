// SPDX-License-Identifier: Apache-2.0

package group

import (
	"testing"
	"time"
)

func TestQuota(t *testing.T) {
	const short = 5 * time.Millisecond
	for _, tt := range []struct {
		processors float64
		period     time.Duration
		us, length int64
	}{
		{0.5, short, 2500, 5000}, {1.5, short, 7500, 5000}, {0.02, short, 1000, 50000},
		{0.5, UsualPeriod, 50000, 100000}, {0.001, UsualPeriod, 1000, 1000000},
	} {
		if us, length := quota(tt.processors, tt.period); us != tt.us || length != tt.length {
			t.Errorf("%v in %v: %d of %d us, want %d of %d", tt.processors, tt.period, us, length, tt.us, tt.length)
		}
	}
}
