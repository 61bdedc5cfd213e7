// SPDX-License-Identifier: Apache-2.0

package main

import "time"

// closedSweep goes from one request under way to four times the workers' number and beyond.
func closedSweep(cycles int, length time.Duration) (steps []step) {
	populations := []int{1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 24}
	for range cycles {
		for _, n := range populations {
			steps = append(steps, step{population: n, length: length})
		}
	}
	return steps
}

// openSweep goes from a tenth of the capacity to a quarter more than it; there the queue grows as long as that
// lasts.
func openSweep(cycles int, length time.Duration) (steps []step) {
	shares := []float64{0.1, 0.25, 0.4, 0.55, 0.7, 0.8, 0.85, 0.9, 0.95, 1.1, 1.25}
	for range cycles {
		for _, share := range shares {
			steps = append(steps, step{share: share, length: length})
		}
	}
	return steps
}
