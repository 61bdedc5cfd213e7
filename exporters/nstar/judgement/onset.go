// SPDX-License-Identifier: Apache-2.0

package judgement

import (
	"math"
	"time"
)

// onset keeps what the first answers after an idle time tell. The tier was empty before these requests came. So they
// took no longer than their work and the time that they waited for each other, if they came all at once. If requests
// still take no longer than that, they hardly wait in the tier, even if it was never seen with few of them. R0 may stay
// unknown, for example because 20 workers in front always keep 20 requests there. But a limit of a few places would
// have answered some of the first requests sooner.
type onset struct {
	width time.Duration

	watched int // windows
	idle    bool
	// index of the window in which the present busy time began; -1 if it already had an answer, or its beginning
	// was not seen
	begun int64

	// shortest time to a first answer, in seconds, rounded down to windows; NaN while none was seen
	least            float64
	queue, completed float64 // running means over recent windows
	fastest          float64 // shortest mean residence of such a period, seconds
}

func newOnset(width time.Duration) onset {
	return onset{width: width, begun: -1, least: math.NaN(), fastest: math.Inf(1)}
}

// rested says that the tier was watched and idle before its first window.
func (o *onset) rested() { o.idle, o.watched = true, int(time.Second/o.width) }

// skip says that windows are missing, so that the beginning of the present busy time was not seen.
func (o *onset) skip() { o.idle, o.begun = false, -1 }

// add takes a window outside of stops.
func (o *onset) add(w Window) {
	o.queue += (w.Queue - o.queue) * residenceWeight
	o.completed += (w.Completions - o.completed) * residenceWeight
	// Requests that were there before the exporter are not seen, but they keep the next ones waiting.
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
	// The time between the end of the first window and the beginning of this one is the least that it can have
	// been.
	took := float64(max(w.Index-o.begun-1, 0)) * o.width.Seconds()
	if math.IsNaN(o.least) || took < o.least {
		o.least = took
	}
	o.begun = -1
}

// settle remembers how fast the tier has been while it had many requests.
func (o *onset) settle() {
	if o.begun < 0 && o.completed*float64(time.Second/o.width) >= minAnswers {
		o.fastest = min(o.fastest, o.residence())
	}
}

// residence is how long requests take now, in seconds, including the time in tiers behind.
func (o *onset) residence() float64 { return o.queue / o.completed * o.width.Seconds() }

// asQuickAsFirst reports whether requests take about as long as those that found the tier empty. If a first answer took
// longer than many later ones, the server was cold, and that answer says nothing.
func (o *onset) asQuickAsFirst() bool {
	return o.least > 0 && o.least <= sameTime*o.fastest &&
		o.residence() <= max(o.least+2*o.width.Seconds(), sameTime*o.least)
}

// residenceWeight makes means over about the last ten seconds, because requests that came together stay in step.
const residenceWeight = 1. / 200

// sameTime is the factor up to which times count as about the same. A difference of two windows always does, because
// the first answer may have come anywhere in the two windows.
const sameTime = 1.3
