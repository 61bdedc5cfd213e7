// SPDX-License-Identifier: Apache-2.0

package pearson

import (
	"math"
	"testing"
)

// The common part of two series, at a lag, without missing values.
func TestLater(t *testing.T) {
	nan := math.NaN()
	for name, c := range map[string]struct {
		a, b []float64
		lag  int
		want float64
		n    int
	}{
		"together":        {[]float64{1, 2, 3, 5}, []float64{2, 4, 6, 10}, 0, 1, 4},
		"against":         {[]float64{1, 2, 3}, []float64{3, 2, 1}, 0, -1, 3},
		"later":           {[]float64{1, 2, 4, 0}, []float64{9, 1, 2, 4}, 1, 1, 3},
		"earlier":         {[]float64{9, 1, 2, 4}, []float64{1, 2, 4, 0}, -1, 1, 3},
		"some are not":    {[]float64{1, nan, 3, 5}, []float64{2, 4, 6, 10}, 0, 1, 3},
		"too few":         {[]float64{1, nan, 3}, []float64{2, 4, 6}, 0, nan, 2},
		"one stands":      {[]float64{1, 1, 1}, []float64{2, 4, 6}, 0, nan, 3},
		"nothing in both": {nil, []float64{1}, 0, nan, 0},
	} {
		got, n := Later(c.a, c.b, c.lag)
		if n != c.n || math.IsNaN(got) != math.IsNaN(c.want) || math.Abs(got-c.want) > 1e-9 {
			t.Errorf("%s: %g of %d, want %g of %d", name, got, n, c.want, c.n)
		}
	}
}
