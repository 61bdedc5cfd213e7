// SPDX-License-Identifier: Apache-2.0

package beside

import (
	"math"

	"github.com/nstar-project/nstar/exporters/nstar/pearson"
)

// track is a value in the last steps, oldest first; NaN if it was not known.
type track []float64

func (t *track) add(v float64) {
	if len(*t) == steps {
		copy(*t, (*t)[1:])
		(*t)[steps-1] = v
		return
	}
	*t = append(*t, v)
}

// pearson is the coefficient with another track that ends at the same step, shifted by lag steps. It is NaN before both
// tracks are full, and if half of the steps or more are not known.
func (t track) pearson(other track, lag int) float64 {
	if len(t) < steps || len(other) < steps {
		return math.NaN()
	}
	v, n := pearson.Later(t, other, lag)
	if n <= steps/2 {
		return math.NaN()
	}
	return v
}
