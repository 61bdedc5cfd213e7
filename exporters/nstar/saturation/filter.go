// SPDX-License-Identifier: Apache-2.0

package saturation

import "math"

// Assumptions before anything was seen.
const (
	// spread of the relative speed of the machine after a second: 11 % after 20 s, 40 % after 5 minutes
	wander  = 0.025
	flutter = 0.03  // of the throughput of a second, beyond the noise of its count
	misfit  = 0.025 // no curve is exact: a class may lie off the curve permanently by this
	clip    = 1.2   // a larger deviation does not come from the curve: it is a stop that was not seen
	// variance over mean of counts: one request in a hundred that takes a hundred times as long gives 25
	noisiest  = 30.0
	steadiest = 0.3   // constant service times at the limit come near 0, but no real server does
	halfLife  = 300   // seconds, of the learned speed
	memory    = 100   // seconds of half-life in a class: more hardly gains on misfit, and newer data are better
	stubborn  = 16.0  // largest square deviation from the prior: after a restart the machine may be another one
	calmest   = 0.005 // wander is learned within these bounds
	wildest   = 0.05
	perClass  = 2 // classes in an octave of the queue length
	classes   = 20 * perClass
	lightest  = -8 // octaves: lower end of the lowest class
)

// share is the part of one block that fell in one class of queue lengths.
type share struct {
	seconds, completions float64
	busy                 [curves]float64
}

// deviation is how far the throughput in a class of queue lengths was off each curve: weighted sums of relative
// deviations.
type deviation struct {
	weight  float64 // sum of 1/variance, which is the variance of sum
	seconds float64 // discounted in the same way
	sum     [curves]float64
}

// filter compares curves. For each curve it follows the machine's speed, 1/R0, as a random walk, by a Kalman filter
// whose gain is the same for all curves. It also adds up, by classes of queue lengths, the deviations of completions
// from what the speed so far and the queue promised. With the right curve, the mean deviation is 0 in every class.
//
// The size of the deviations does not count. If queue lengths vary by chance, a flat curve would always have the
// highest likelihood (errors in variables). The class of a window is not decided by its own queue length but by the one
// before, because luck within the window has not affected that one.
type filter struct {
	classes     [classes]*deviation
	probability [curves]float64
	speed       [curves]float64 // logarithm of the present 1/R0
	learned     [curves]float64 // mean of this logarithm over the last minutes
	variance    float64         // variance of speed, relative
	wander      float64         // spread of speed after a second
	innovation  float64         // of the last block, in units of its expected spread
	span        float64         // seconds, discounted, from which learned comes
	started     bool            // speed is known
	prior       float64         // logarithm of N* from before a restart, with its spread; 0: none
	certainty   float64
	noise       float64 // variance over mean of completions
	noises      float64 // number of shares from which noise comes
}

func newFilter() *filter {
	f := &filter{wander: wander, noise: 1, noises: 20}
	for i := range f.probability {
		f.probability[i] = 1 / float64(curves)
	}
	return f
}

// classOf is the class of a queue length.
func classOf(n float64) int {
	if n <= 0 {
		return 0
	}
	return min(max(int(math.Floor((math.Log2(n)-lightest)*perClass)), 0), classes-1)
}

// take learns from a block that ended the given seconds after the one before.
func (f *filter) take(shares *[classes]*share, block unit, seconds float64) {
	rate := block.completions / block.seconds
	var all [curves]float64
	for _, s := range shares {
		if s != nil && s.seconds > 0 {
			for i, b := range s.busy {
				all[i] += b
			}
		}
	}
	if !f.started {
		f.start(&all, block, seconds)
		return
	}
	f.variance += f.wander * f.wander * seconds
	// The logarithm of the speed according to this block alone, less the present estimate.
	var off [curves]float64
	least := math.Inf(1)
	for i := range off {
		off[i] = math.Log(block.completions/all[i]) - f.speed[i]
		least = min(least, math.Abs(off[i]))
	}
	noise := f.noise/block.completions + flutter*flutter
	jumped := least > 4*math.Sqrt(noise+f.variance)
	if jumped {
		// No curve explains the block: the machine's speed or the mix of requests has jumped.
		f.variance += least * least
	}
	f.adapt(&off, noise)
	gain := f.variance / (f.variance + noise)
	if !jumped {
		var pace [curves]float64 // completions per second, for each request that is worked on
		for i := range pace {
			pace[i] = math.Exp(f.speed[i])
		}
		for j, s := range shares {
			if s != nil && s.seconds > 0 {
				f.compare(j, s, &pace, rate)
			}
		}
	}
	for i := range f.speed {
		f.speed[i] += gain * off[i]
	}
	f.variance *= 1 - gain
	f.weigh()
	f.span = f.span*math.Exp2(-seconds/halfLife) + seconds
	for i := range f.learned {
		f.learned[i] += (f.speed[i] - f.learned[i]) * min(1, seconds/f.span)
	}
}

// adapt learns how fast the speed wanders. A filter that follows too slowly errs twice in the same direction (Mehra
// 1970).
func (f *filter) adapt(off *[curves]float64, noise float64) {
	e := 0.0
	for i, p := range f.probability {
		e += p * off[i]
	}
	e /= math.Sqrt(noise + f.variance)
	e = min(max(e, -3), 3)
	f.wander = min(max(f.wander*math.Exp(0.1*e*f.innovation)*math.Pow(wander/f.wander, 0.03), calmest), wildest)
	f.innovation = e
}

// start takes the speeds from the first block.
func (f *filter) start(all *[curves]float64, block unit, seconds float64) {
	f.started = true
	for i := range f.speed {
		f.speed[i] = math.Log(block.completions / all[i])
		if f.span == 0 {
			f.learned[i] = f.speed[i]
		}
	}
	f.variance = f.noise/block.completions + flutter*flutter
	f.span += seconds
}

// compare adds the deviations of a class.
func (f *filter) compare(class int, s *share, pace *[curves]float64, rate float64) {
	d := f.classes[class]
	if d == nil {
		d = new(deviation)
		f.classes[class] = d
	}
	expected := s.seconds * rate
	weight := 1 / (f.noise/expected + flutter*flutter + f.variance)
	keep := math.Exp2(-s.seconds / memory)
	d.weight = d.weight*keep + weight
	d.seconds = d.seconds*keep + s.seconds
	squares := 0.0
	for i := range d.sum {
		e := (s.completions - pace[i]*s.busy[i]) / expected
		d.sum[i] = d.sum[i]*keep + weight*min(max(e, -clip), clip)
		squares += f.probability[i] * e * e
	}
	f.noises = min(f.noises+1, 200)
	f.noise *= 1 + (min(squares*weight, 10)-1)/f.noises
	f.noise = min(max(f.noise, steadiest), noisiest)
}

// weigh computes probabilities from the deviations: the generalized method of moments (Hansen 1982), used as a
// pseudo-likelihood.
func (f *filter) weigh() {
	var squares [curves]float64
	for i := range squares {
		squares[i] = shapes[i/points].unlikely
	}
	if f.certainty > 0 {
		for i := range squares {
			e := (math.Log(candidates[i%points]) - f.prior) / f.certainty
			squares[i] += min(e*e, stubborn)
		}
	}
	for _, d := range f.classes {
		if d == nil {
			continue
		}
		all := 1 / (d.weight + misfit*misfit*d.weight*d.weight)
		for i, s := range d.sum {
			squares[i] += s * s * all
		}
	}
	best := math.Inf(1)
	for _, s := range squares {
		best = min(best, s)
	}
	sum := 0.0
	for i, s := range squares {
		if f.probability[i] = 0; s < best+100 {
			f.probability[i] = math.Exp((best - s) / 2)
		}
		sum += f.probability[i]
	}
	for i := range f.probability {
		f.probability[i] /= sum
	}
}
