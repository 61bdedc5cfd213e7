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

// at is the queue length below which a station was for the given share of the time.
func (l *lengths) at(share float64) float64 {
	sum := 0.0
	for i, seconds := range l.seconds {
		if sum += seconds; sum > 0 && sum >= share*l.total {
			return math.Exp2(float64(i)/4 + shortestQueue)
		}
	}
	return 0
}

// flat tells whether throughput ignores the queue from window to window: at a constant load beyond the limit queue
// lengths differ too little for the curves, and for too short a time. It is the elasticity of completions in the
// queue with the window before as the instrument, which luck within the window has not touched.
type flat struct {
	before  float64
	seen    bool
	windows float64 // discounted, as all sums
	sums    [3]float64
	squares [3]float64 // of before with before, queue and completions
	counts  float64    // square of completions
}

const (
	remembered = 1200 // windows that flat rests on
	enough     = 400  // windows before it says anything: 20 s
	deep       = 16   // queue length that no idle processors explain, if their number is unknown
	deepEach   = 4    // per processor, if it is known
	narrow     = 0.5  // spread of the queue relative to its mean: what varies more is for the curves
	elastic    = 0.5  // half way between a limit and none
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
