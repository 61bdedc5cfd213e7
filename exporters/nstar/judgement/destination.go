// SPDX-License-Identifier: Apache-2.0

package judgement

import (
	"math"
	"time"

	"github.com/nstar-project/nstar/exporters/nstar/saturation"
)

// destination is a tier behind, as it appears in the calls to it.
type destination struct {
	to            string
	itself        bool // the tier that calls
	curve         *saturation.Estimator
	base          float64 // seconds per call with little load; NaN while unknown
	rested        rested
	errands       errands
	open          float64 // connections in the last window with an answer
	last          float64 // calls outstanding in the window that was judged last
	cap           limit
	sharedAnswers sharedAnswers
	turns         turns
	flow          flow
	onset         onset
	stall         stops    // runs of windows without any answer
	behind        recovery // what such a stall leaves behind in this tier
	left          recovery // what a stop of this tier leaves behind at the destination
	unseen        unseen
	ceased        ceased

	// sums over about the last second, decayed: how long calls take now
	waited, answered float64
	fade, slowly     float64 // weight that a window still has one window later
}

// recent is the span over which the present time of a call is averaged; seldom is the span if few calls are answered.
const (
	recent = time.Second
	seldom = 10 * time.Second
)

func newDestination(to string, width time.Duration) *destination {
	return &destination{
		to: to, curve: saturation.New(width), base: math.NaN(), cap: newLimit(width), errands: newErrands(width),
		sharedAnswers: newSharedAnswers(width), flow: newFlow(width), onset: newOnset(width),
		stall:  stops{promise: newPromise(width)},
		behind: recovery{width: width}, left: recovery{width: width},
		unseen: newUnseen(width),
		fade:   math.Exp(-float64(width) / float64(recent)), slowly: math.Exp(-float64(width) / float64(seldom)),
	}
}

// outstanding is the number of calls for which requests wait: without the calls on the tier's own account.
func (d *destination) outstanding(c Calls) float64 { return max(0, c.Outstanding-d.errands.calls) }

// ungreeted is how many connections were opened since the last answer and do not carry a call yet. Requests may wait on
// them for a server that speaks first (MySQL) and that was not known to do so. This looks like the caller's own fault,
// because the kernel accepts the connection.
func (d *destination) ungreeted(c Calls) float64 {
	if c.Answered > 0 || c.Outstanding == 0 && c.Connections < d.open {
		d.open = c.Connections
	}
	return max(0, c.Connections-max(d.open, c.Outstanding))
}

// pace takes how long the calls of a window took.
func (d *destination) pace(outstanding, answered float64, width time.Duration) {
	keep := d.fade
	if d.answered < 2*minAnswers {
		keep = d.slowly
	}
	d.waited = d.waited*keep + outstanding*width.Seconds()
	d.answered = d.answered*keep + answered
}

// tardiness is the time that a call takes now, divided by the time that it took when it had nothing to wait for, even
// if that was long ago; NaN while this is unknown.
func (d *destination) tardiness() float64 {
	if d.answered < minAnswers || d.rested.seconds == 0 {
		return math.NaN()
	}
	return d.waited / d.answered / d.rested.base
}

// slowness is the time that a call takes now, divided by the time that it takes when there is little to do; NaN while
// this is unknown.
func (d *destination) slowness() float64 {
	if d.answered < minAnswers {
		return math.NaN()
	}
	return d.waited / d.answered / d.base
}

// rested remembers for a long time what calls took when they had nothing to wait for. If a server becomes slow, and has
// room for all calls that wait, it soon looks as if each call simply took so long. A newly learned value would then
// take that for usual.
type rested struct {
	base    float64 // seconds per call
	seconds int     // for how many seconds it was known
}

// add takes the value that is learned at present, once a second; NaN if there is none.
func (r *rested) add(base float64) {
	if math.IsNaN(base) {
		return
	}
	if r.seconds++; r.seconds > restedSeconds {
		base = min(base, r.base*forgets)
	}
	r.base = base
}

const (
	restedSeconds = 10     // in which the first value that is learned may still be wrong
	forgets       = 1.0012 // growth per second: twice as long in ten minutes
)

// minAnswers is how many answers are needed to say how long calls take.
const minAnswers = 3
