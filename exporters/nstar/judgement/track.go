// SPDX-License-Identifier: Apache-2.0

package judgement

import (
	"math"
	"time"

	"github.com/nstar-project/nstar/exporters/nstar/pearson"
)

// span is the length of a correlation: the same as in RAB Figure 6.
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

// correlation is Pearson's coefficient of two tracks that were filled side by side. It is NaN before they are full, and
// if one of them did not change.
func correlation(a, b *track) float64 {
	if !a.full || !b.full {
		return math.NaN()
	}
	value, _ := pearson.Of(a.values, b.values)
	return value
}
