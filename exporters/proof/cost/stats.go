// SPDX-License-Identifier: Apache-2.0

package main

import (
	"math/rand/v2"
	"slices"
)

func median(values []float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	n := len(sorted)
	if n == 0 {
		return 0
	}
	return (sorted[(n-1)/2] + sorted[n/2]) / 2
}

func mean(values []float64) float64 {
	var sum float64
	for _, v := range values {
		sum += v
	}
	return sum / float64(max(len(values), 1))
}

func least(values []float64) float64 { return slices.Min(values) }
func most(values []float64) float64  { return slices.Max(values) }

// resamples are enough for two digits of the interval.
const resamples = 10000

// interval is the bootstrap interval (percentiles 2.5 and 97.5) of the median. The draw is fixed, so the same
// measurements give the same interval.
func interval(values []float64) (low, high float64) {
	r := rand.New(rand.NewPCG(1, 2))
	medians := make([]float64, resamples)
	draw := make([]float64, len(values))
	for i := range medians {
		for j := range draw {
			draw[j] = values[r.IntN(len(values))]
		}
		medians[i] = median(draw)
	}
	slices.Sort(medians)
	return medians[resamples*25/1000], medians[resamples*975/1000-1]
}
