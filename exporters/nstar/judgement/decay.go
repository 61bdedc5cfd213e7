// SPDX-License-Identifier: Apache-2.0

package judgement

import (
	"math"
	"time"
)

// remaining is the weight that something still has after a time, if it counts half after another.
func remaining(after, half time.Duration) float64 {
	return math.Exp2(-after.Seconds() / half.Seconds())
}

// decay adds a value to a sum of which only a share remains.
func decay(sum *float64, remains, value float64) { *sum = *sum*remains + value }
