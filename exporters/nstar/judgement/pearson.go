// SPDX-License-Identifier: Apache-2.0

package judgement

import (
	"math"
	"time"
)

// span of a correlation: that of RAB Figure 6.
const span = 12 * time.Second

// track keeps the values of the last windows of the span, in a ring.
type track struct {
	values []float64
	next   int
	full   bool
}

func newTrack(width time.Duration) track {
	return track{values: make([]float64, max(int(span/width), 2))}
}

func (t *track) add(v float64) {
	t.values[t.next] = v
	if t.next++; t.next == len(t.values) {
		t.next, t.full = 0, true
	}
}

// pearson is the correlation coefficient of two tracks that were filled side by side; NaN before they are full, and
// where one stood still.
func pearson(a, b *track) float64 {
	if !a.full || !b.full {
		return math.NaN()
	}
	n := float64(len(a.values))
	var sumA, sumB float64
	for i := range a.values {
		sumA += a.values[i]
		sumB += b.values[i]
	}
	var aa, bb, ab float64
	for i := range a.values {
		da, db := a.values[i]-sumA/n, b.values[i]-sumB/n
		aa += da * da
		bb += db * db
		ab += da * db
	}
	if aa <= still*n || bb <= still*n {
		return math.NaN()
	}
	return ab / math.Sqrt(aa*bb)
}

// still is a variance that is no more than rounding.
const still = 1e-12
