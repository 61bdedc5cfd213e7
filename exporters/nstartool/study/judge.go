// SPDX-License-Identifier: Apache-2.0

package study

import "math/rand/v2"

// resamples is how often the confidence redraws the repetitions.
const resamples = 100

// Judge puts a metric into its category: x has the numbers of clients in
// ascending order, repetitions the values measured under each, class the
// bottleneck's side at each point. The confidence comes from judging again with
// repetitions redrawn (bootstrap); without repetitions, with values redrawn
// from the noise that is assumed.
func Judge(x []float64, repetitions [][]float64, class []Class) Judgement {
	v := newEvolution(x, repetitions)
	j := judge(v, class)
	if j.Category == Unidentified {
		return j
	}
	r := rand.New(rand.NewPCG(1, uint64(len(x)))) // the same experiment, the same report
	same := 0
	for range resamples {
		again := v
		again.y = make([]float64, len(x))
		for i, values := range repetitions {
			again.y[i] = redraw(r, values, v.e[i])
		}
		if judge(again, class).Category == j.Category {
			same++
		}
	}
	j.Confidence = float64(same) / resamples
	return j
}

// redraw is the mean of as many values drawn from the given ones; of a single
// value, that with a normal error.
func redraw(r *rand.Rand, values []float64, err float64) float64 {
	if len(values) == 1 {
		return values[0] + err*r.NormFloat64()
	}
	sum := 0.0
	for range values {
		sum += values[r.IntN(len(values))]
	}
	return sum / float64(len(values))
}

// Classify is Judge without the confidence, which takes a hundred times as long.
func Classify(x []float64, repetitions [][]float64, class []Class) Judgement {
	return judge(newEvolution(x, repetitions), class)
}
