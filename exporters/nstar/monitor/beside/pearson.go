// SPDX-License-Identifier: Apache-2.0

package beside

import "math"

// track is a figure in the last steps, oldest first; NaN where it was not known.
type track []float64

func (t *track) add(v float64) {
	if len(*t) == steps {
		copy(*t, (*t)[1:])
		(*t)[steps-1] = v
		return
	}
	*t = append(*t, v)
}

// pearson is the coefficient with another track that ends at the same step, so many steps later; NaN before both are
// full, and where half of the steps or more are not known.
func (t track) pearson(other track, lag int) float64 {
	if len(t) < steps || len(other) < steps {
		return math.NaN()
	}
	v, n := Correlation(t, other, lag)
	if n <= steps/2 {
		return math.NaN()
	}
	return v
}

// still is a variance that is no more than rounding.
const still = 1e-12

// Correlation is Pearson's coefficient of two series, of which b is looked at so many steps later, and of how many
// pairs it is made: those in which either is NaN are left out. It is NaN where one of them stands still.
func Correlation(a, b []float64, lag int) (value float64, n int) {
	var x, y, xx, yy, xy float64
	each := func(take func(x, y float64)) {
		for i := max(0, -lag); i < len(a) && i+lag < len(b); i++ {
			if !math.IsNaN(a[i]) && !math.IsNaN(b[i+lag]) {
				take(a[i], b[i+lag])
			}
		}
	}
	each(func(u, v float64) { n, x, y = n+1, x+u, y+v })
	if n < 3 {
		return math.NaN(), n
	}
	x, y = x/float64(n), y/float64(n)
	each(func(u, v float64) { xx, yy, xy = xx+(u-x)*(u-x), yy+(v-y)*(v-y), xy+(u-x)*(v-y) })
	if least := still * float64(n); xx <= least || yy <= least {
		return math.NaN(), n
	}
	return xy / math.Sqrt(xx*yy), n
}
