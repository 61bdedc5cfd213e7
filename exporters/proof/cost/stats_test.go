// SPDX-License-Identifier: Apache-2.0

package main

import (
	"testing"
)

func TestMedian(t *testing.T) {
	for _, c := range []struct {
		values []float64
		want   float64
	}{{nil, 0}, {[]float64{3}, 3}, {[]float64{5, 1, 3}, 3}, {[]float64{4, 1, 3, 2}, 2.5}} {
		if got := median(c.values); got != c.want {
			t.Errorf("median(%v) = %v, want %v", c.values, got, c.want)
		}
	}
}

func TestInterval(t *testing.T) {
	low, high := interval([]float64{0.98, 0.99, 1, 1.01, 1.02})
	if low < 0.98 || high > 1.02 || low > 1 || high < 1 {
		t.Errorf("interval %v to %v does not enclose the median within the values", low, high)
	}
	if low, high := interval([]float64{1, 1, 1}); low != 1 || high != 1 {
		t.Errorf("equal values have the interval %v to %v", low, high)
	}
}
