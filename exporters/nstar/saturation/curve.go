// SPDX-License-Identifier: Apache-2.0

package saturation

import "math"

// A shape says how throughput grows with the queue. With n requests and base residence R0 the throughput is
//
//	X(n) = (1/R0) n (1 + (n/N*)^p)^(-1/p) / (1 + f max(0, n/N* - 1))
//
// Its asymptotes are n/R0 and TPmax = N*/R0; p says how sharply they meet. With p = 1 and f = 0 it is the hyperbola of
// a single exponential server whose queue changes many times within a window. It is also the hyperbola of contention
// alone in Gunther's universal scalability law. Many servers show a sharp knee, and so do windows that are short
// compared with the changes of the queue. Real servers lose some throughput again when the queue is many times N*: f is
// what they lose per N*.
//
// If too little was seen to decide, a blunt knee would put R0 far below every residence that was seen. So a blunt knee
// is less likely from the beginning (unlikely, in squared standard deviations).
type shape struct{ p, fall, unlikely float64 }

var shapes = [...]shape{
	{1, 0, 3}, {1.25, 0, 2}, {1.6, 0, 1}, {2.2, 0, 0}, {3.2, 0, 0}, {6, 0, 0}, {2.8, 0.02, 0},
}

const (
	perOctave = 8    // candidates of N* in an octave: 9 % apart, less than any interval of 90 %
	octaves   = 12   // up to 4096: no server has a limit beyond that which matters
	finer     = 4    // steps of the table between two candidates: 2 % of the queue length
	reach     = 1024 // at its ends, N*/2^32 and N* 2^32, a curve is within a thousandth of its asymptote

	points = octaves*perOctave + 1
	curves = points * len(shapes)
)

// candidates of N*, in ascending order. The least possible is 1: below 1 the server would be idle for a part of the
// time.
var candidates = func() (c [points]float64) {
	for i := range c {
		c[i] = math.Exp2(float64(i) / perOctave)
	}
	return c
}()

// efficiency is X(n) R0 / n as a function of n/N*. It is 1 under light load.
func (s shape) efficiency(ratio float64) float64 {
	return math.Pow(1+math.Pow(ratio, s.p), -1/s.p) / (1 + s.fall*max(0, ratio-1))
}

// efficiencies holds the efficiency of each shape, at steps of n/N*.
var efficiencies = func() (table [len(shapes)][2*reach + 1]float64) {
	for p := range table {
		for i := range table[p] {
			ratio := math.Exp2(float64(i-reach) / (perOctave * finer))
			table[p][i] = shapes[p].efficiency(ratio)
		}
	}
	return table
}()

// busy adds to each curve's sum the number of requests that are worked on at once, for so many seconds with n requests
// in the queue. The expected completions are this sum divided by R0. Curves are ordered by shape, then by N*.
func busy(sums *[curves]float64, n, seconds float64) {
	if n <= 0 {
		return
	}
	step := int(math.Round(math.Log2(n) * perOctave * finer))
	for p := range shapes {
		table, of := &efficiencies[p], sums[p*points:(p+1)*points]
		for i := range of {
			of[i] += n * seconds * table[min(max(step-i*finer+reach, 0), 2*reach)]
		}
	}
}
