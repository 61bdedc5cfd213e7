// SPDX-License-Identifier: Apache-2.0

// Package saturation learns from which point on a station gains nothing from more work: its base residence R0, its best
// throughput TPmax and its saturation point N* = TPmax x R0. N* is the queue length at which the two asymptotes of
// operational analysis meet (Lazowska et al., Quantitative System Performance, chapter 5). A station is a tier with its
// own queue, or an edge with the calls outstanding on it. The package does no I/O and knows no clock: time is only what
// its windows say.
package saturation

import (
	"math"
	"time"
)

// Window is what the estimator gets of one settled window.
type Window struct {
	Queue       float64 // time average of the (own) queue length
	Completions float64 // in the window
	Clean       bool    // false if the window does not count: stopped, after a stop, just started, or starved
}

// Status says why there is a saturation point, or why there is none.
type Status int

const (
	Learning       Status = iota // not enough was seen yet
	NeverNearLimit               // throughput rises in proportion to the queue: the limit is higher
	AlwaysAtLimit                // throughput is flat over all queue lengths seen: the base residence was never seen
	Known                        // N* is known
)

// String is the status as it appears in the labels of metrics.
func (s Status) String() string {
	switch s {
	case NeverNearLimit:
		return "never_near_limit"
	case AlwaysAtLimit:
		return "always_at_limit"
	case Known:
		return "known"
	default:
		return "learning"
	}
}

// Estimate is what is known of a station.
type Estimate struct {
	Base                       float64 // R0, queue-seconds per completion when lightly loaded; NaN while unknown
	MaxThroughput              float64 // TPmax, completions/s; NaN while unknown
	SaturationPoint, Low, High float64 // N* >= 1 with its 90 % interval; NaN if there is none
	Speed                      float64 // present speed divided by the learned one; NaN while unknown
	Windows                    int     // number of windows from which N* was learned
	Status                     Status
}

// Estimator learns the curve of one station from its windows, in their order. It is not safe for concurrent use.
type Estimator struct {
	collector collector
	filter    *filter
	lengths   lengths
	flat      flat
	light     light
	windows   int // number of windows learned from

	known            bool // N* is known, and is:
	point, low, high float64

	given given
	limit float64 // processors; 0: unknown
}

// New makes an estimator for windows of the given width.
func New(width time.Duration) *Estimator {
	return &Estimator{collector: collector{width: width.Seconds()}, filter: newFilter()}
}

// Add takes in the next window.
func (e *Estimator) Add(w Window) {
	e.flat.add(w)
	e.light.add(w, e.collector.width)
	if !e.collector.add(w, e.filter.noise) {
		return
	}
	if block, seconds := e.collector.take(); block.completions >= sparse {
		e.filter.take(&e.collector.shares, block, seconds)
		e.lengths.add(block)
		e.windows += int(math.Round(block.seconds / e.collector.width))
		e.settle(seconds)
		e.collector.promise = e.filter.promise()
	}
	e.collector.done()
}
