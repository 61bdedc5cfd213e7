// SPDX-License-Identifier: Apache-2.0

package judgement

import (
	"math"
	"time"
)

// onset holds what the first answers after an idle time tell: nobody was there before those requests, so that what they
// took is no more than the work and what they waited for each other, the herd that came at once. Where requests still
// take no longer than that, they hardly wait in the tier, even if it was never seen with few of them: R0 is not known,
// as 20 workers in front always keep 20 requests there, but a limit of a few places would have answered some of the
// herd sooner.
type onset struct {
	width time.Duration

	watched int // windows
	idle    bool
	// index of the window in which the busy time under way began; -1 if it has had an answer, or was not seen to begin
	begun int64

	// shortest time to a first answer, seconds, rounded down to windows; NaN while none was seen
	least            float64
	queue, completed float64 // of windows lately, decayed
	fastest          float64 // shortest mean residence of such a span, seconds
}

func newOnset(width time.Duration) onset {
	return onset{width: width, begun: -1, least: math.NaN(), fastest: math.Inf(1)}
}

// rested says that the tier was watched and idle before its first window.
func (o *onset) rested() { o.idle, o.watched = true, int(time.Second/o.width) }

// skip says that windows are missing: what is under way was not seen to begin.
func (o *onset) skip() { o.idle, o.begun = false, -1 }

// add takes a window outside of stops.
func (o *onset) add(w Window) {
	o.queue += (w.Queue - o.queue) * residenceWeight
	o.completed += (w.Completions - o.completed) * residenceWeight
	// Requests that were there before the exporter are not seen, and keep those waiting that come next.
	o.watched++
	if w.Queue == 0 && w.Completions == 0 {
		o.idle, o.begun = o.watched >= int(time.Second/o.width), -1
		return
	}
	if o.idle {
		o.idle, o.begun = false, w.Index
		o.queue, o.completed = 0, 0
	}
	if o.begun < 0 || w.Completions == 0 {
		o.settle()
		return
	}
	// Between the end of the first window and the beginning of this one at least.
	took := float64(max(w.Index-o.begun-1, 0)) * o.width.Seconds()
	if math.IsNaN(o.least) || took < o.least {
		o.least = took
	}
	o.begun = -1
}

// settle remembers how fast the tier has been with many requests.
func (o *onset) settle() {
	if o.begun < 0 && o.completed*float64(time.Second/o.width) >= minAnswers {
		o.fastest = min(o.fastest, o.residence())
	}
}

// residence is how long requests take now, seconds; those in the tiers behind included.
func (o *onset) residence() float64 { return o.queue / o.completed * o.width.Seconds() }

// lasts reports whether requests take about as long as those that found nobody there. A first answer that took longer
// than many did later came from a cold server, and says nothing.
func (o *onset) lasts() bool {
	return o.least > 0 && o.least <= sameTime*o.fastest &&
		o.residence() <= max(o.least+2*o.width.Seconds(), sameTime*o.least)
}

// residenceWeight makes means of about the last ten seconds: requests that came as one herd go in step.
const residenceWeight = 1. / 200

// sameTime is what counts as about as long; two windows do in any case, as the first answer may have come within both.
const sameTime = 1.3
