// SPDX-License-Identifier: Apache-2.0

package saturation

import "math"

// promise is the number of completions that a queue length promises, by the curve with the smallest credible N*. For
// long queues this curve promises the least, so queue lengths that were never seen are not taken for a stop.
type promise struct {
	pace  float64 // 1/R0; 0: nothing is known yet
	shape int
	step  int // the step of N* in the table of efficiencies
}

// promise is the promise of the curves with their present probabilities.
func (f *filter) promise() promise {
	if !f.started {
		return promise{}
	}
	low := int(math.Round(math.Log2(f.quantile(lowEnd)) * perOctave))
	best := low
	for i := low; i < curves; i += points {
		if f.probability[i] > f.probability[best] {
			best = i
		}
	}
	return promise{pace: math.Exp(f.speed[best]), shape: best / points, step: low * finer}
}

// completions is the number of completions in so many seconds with n requests in the queue.
func (p promise) completions(n, seconds float64) float64 {
	if p.pace == 0 || n <= 0 {
		return 0
	}
	step := int(math.Round(math.Log2(n)*perOctave*finer)) - p.step
	return n * seconds * p.pace * efficiencies[p.shape][min(max(step+reach, 0), 2*reach)]
}

// passages is how many base residences must fit in a window before its queue promises anything. Requests that take
// longer arrive in one window and complete in another.
const passages = 2

// promised is the number of completions that a window with n requests promises; 0 if it promises none.
func (c *collector) promised(n float64) float64 {
	if c.residence*passages > c.width {
		return 0
	}
	return c.promise.completions(n, c.width)
}

// luck is how far completions scatter around the promise. Only windows above the promise count, and they count twice,
// because windows below it may be stops.
type luck struct{ windows, squares float64 } // mean square relative to the promise

func (l *luck) learn(completions, promise float64) {
	if promise <= 0 {
		return
	}
	l.windows++
	over := max(completions-promise, 0)
	l.squares += (min(2*over*over/promise, wild*wild*l.noise()) - l.squares) / min(recent+l.windows, scatter)
}

// noise is the variance of completions over their mean; counts of independent requests have 1.
func (l *luck) noise() float64 { return max(l.squares, 1) }
