// SPDX-License-Identifier: Apache-2.0

// Package pearson computes how two figures that were measured side by side move together.
package pearson

import "math"

// still is a variance that is no more than rounding.
const still = 1e-12

// Of is Pearson's coefficient of two series of the same length, and the number of pairs used: pairs in which either
// value is NaN are left out. It is NaN for fewer than three pairs, and if one of the two series does not change.
func Of(a, b []float64) (value float64, n int) {
	var x, y, xx, yy, xy float64
	for i, u := range a {
		if v := b[i]; !math.IsNaN(u) && !math.IsNaN(v) {
			n, x, y = n+1, x+u, y+v
		}
	}
	if n < 3 {
		return math.NaN(), n
	}
	x, y = x/float64(n), y/float64(n)
	for i, u := range a {
		if v := b[i]; !math.IsNaN(u) && !math.IsNaN(v) {
			xx, yy, xy = xx+(u-x)*(u-x), yy+(v-y)*(v-y), xy+(u-x)*(v-y)
		}
	}
	if least := still * float64(n); xx <= least || yy <= least {
		return math.NaN(), n
	}
	return xy / math.Sqrt(xx*yy), n
}

// Later is the coefficient with b taken lag steps later; earlier, if lag is below 0.
func Later(a, b []float64, lag int) (value float64, n int) {
	length := min(len(a), len(b)-lag) - max(0, -lag)
	if length <= 0 {
		return math.NaN(), 0
	}
	from := max(0, -lag)
	return Of(a[from:from+length], b[from+lag:from+lag+length])
}
