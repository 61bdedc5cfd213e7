// SPDX-License-Identifier: Apache-2.0

package judgement

import "time"

// recovery follows what a stop leaves behind. The pile that the stop made is its fault until the excess queue is back
// where it was before, in this tier or in the tier behind.
type recovery struct {
	width         time.Duration
	short, medium float64 // excess queue outside of stops: means over about 4 and 12 windows
	before        float64 // excess queue when the stop began
	room          float64 // the most that the stop can have added: what came meanwhile
	pile          float64 // what the stop did add
	cause         Cause   // cause of the stop; empty if there is none to follow
	stop          int     // windows that the stop took
	left          int     // windows that may still be charged to it; 0 while it lasts
	top           float64 // the most that short has been above before since its end
}

// Weights of a window in the two means.
const (
	shortWeight  = 1. / 4
	mediumWeight = 1. / 12
)

// halted says that this window lies in a stop, how long the excess queue is, and how many requests came during the
// window.
func (r *recovery) halted(cause Cause, excess, came float64) {
	if r.cause == "" || r.left > 0 { // a new stop begins
		if r.left == 0 || r.short > stillFalling*r.medium {
			r.before = r.short
		} // else the pile of the last stop was still shrinking, so this is not the usual queue
		r.stop, r.room, r.top = 0, 0, 0
	}
	r.cause = cause
	r.room += pileFactor * came
	r.stop++
	r.left = 0
	r.pile = min(max(excess-r.before, 0), r.room)
}

// pileFactor allows for more requests than usual during a stop.
const pileFactor = 1.5

// stillFalling is the ratio of the short mean to the longer one below which a pile is still being worked off.
const stillFalling = 0.9

// cleared is how far above its earlier level an excess queue may be and still count as back: one request.
const cleared = 1

// workedOff is the part of a pile that must be worked off twice the length of the stop after it. A tier that is used
// for 95 % of what it can do is that far then. If it is not, more requests come than it can do, as in a burst, and
// these would wait without the stop, too.
const workedOff = 0.1

// charged is how much of the excess of a window outside of stops belongs to the stop before it, and the cause; 0 if
// nothing does. It is never more than the pile that the stop made. It ends after ten times the length of the stop, or
// after a second if that is later, because a tier near its limit catches up slowly; and sooner if it does not catch up.
func (r *recovery) charged(excess float64) (Cause, float64) {
	defer func() {
		r.short += (excess - r.short) * shortWeight
		r.medium += (excess - r.medium) * mediumWeight
	}()
	if r.cause == "" {
		return "", 0
	}
	second := int(time.Second / r.width)
	longest := 1 + max(10*r.stop, second)
	if r.left == 0 {
		r.left = longest
	}
	r.left--
	r.top = max(r.top, r.short-r.before)
	stays := longest-r.left > max(2*r.stop, second) && r.short-r.before > (1-workedOff)*r.top
	if r.left > 0 && excess > r.before+cleared && !stays {
		return r.cause, min(excess-r.before, r.pile)
	}
	r.cause, r.stop, r.left, r.pile = "", 0, 0, 0
	return "", 0
}
