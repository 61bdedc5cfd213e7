// SPDX-License-Identifier: Apache-2.0

package saturation

import "math"

// lengths is a histogram of the queue lengths of recent blocks, by time, in quarters of an octave.
type lengths struct {
	seconds [4 * 24]float64
	total   float64
}

// shortestQueue is the lower end of the histogram, in octaves.
const shortestQueue = -10

func (l *lengths) add(block unit) {
	keep := math.Exp2(-block.seconds / halfLife)
	l.total = l.total*keep + block.seconds
	for i := range l.seconds {
		l.seconds[i] *= keep
	}
	i := int(math.Round(4 * (math.Log2(block.queue()) - shortestQueue)))
	l.seconds[min(max(i, 0), len(l.seconds)-1)] += block.seconds
}

// at is the queue length below which a station's queue was for the given share of the time.
func (l *lengths) at(share float64) float64 {
	sum := 0.0
	for i, seconds := range l.seconds {
		if sum += seconds; sum > 0 && sum >= share*l.total {
			return math.Exp2(float64(i)/4 + shortestQueue)
		}
	}
	return 0
}

// flat finds whether throughput does not follow the queue from window to window. At a constant load beyond the limit,
// queue lengths differ too little, and for too short a time, for the curves. flat computes the elasticity of
// completions with respect to the queue. Its instrumental variable is the queue of the window before, because luck
// within the window has not affected that one.
type flat struct {
	before  float64
	seen    bool
	windows float64 // discounted, as all sums
	sums    [3]float64
	squares [3]float64 // of before times: before, queue, completions
	counts  float64    // squares of completions
}

const (
	remembered = 1200 // windows from which flat is computed
	enough     = 400  // windows before it says anything: 20 s
	deep       = 16   // queue length that is too long for idle processors, if their number is unknown
	deepEach   = 4    // per processor, if it is known
	narrow     = 0.5  // spread of the queue relative to its mean: a larger spread is left to the curves
	elastic    = 0.5  // half way between a limit (0) and none (1)
)

func (f *flat) add(w Window) {
	if before := f.before; f.seen && w.Clean {
		const keep = 1 - 1./remembered
		f.windows = f.windows*keep + 1
		for i, x := range [3]float64{before, w.Queue, w.Completions} {
			f.sums[i] = f.sums[i]*keep + x
			f.squares[i] = f.squares[i]*keep + before*x
		}
		f.counts = f.counts*keep + w.Completions*w.Completions
	}
	f.before, f.seen = w.Queue, w.Clean
}

// says reports whether the queue is long and throughput does not follow it, with a certainty of two standard errors.
func (f *flat) says(processors float64) bool {
	if f.windows < enough {
		return false
	}
	var mean, with [3]float64
	for i := range mean {
		mean[i] = f.sums[i] / f.windows
	}
	for i := range with {
		with[i] = f.squares[i]/f.windows - mean[0]*mean[i]
	}
	long := float64(deep)
	if processors > 0 {
		long = deepEach * processors
	}
	if mean[1] < long || with[1] <= 0 || mean[2] <= 0 || with[0] > narrow*narrow*mean[0]*mean[0] {
		return false
	}
	elasticity := with[2] / with[1] * mean[1] / mean[2]
	noise := math.Sqrt((f.counts/f.windows-mean[2]*mean[2])*with[0]/f.windows) / with[1] * mean[1] / mean[2]
	return elasticity+2*noise < elastic
}
