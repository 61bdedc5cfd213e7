// SPDX-License-Identifier: Apache-2.0

package judgement

import (
	"math"
	"time"
)

// unbegun follows how many requests no worker has taken yet, over some seconds: which connections are not read is
// looked at only now and then, so that a single second says little of a few requests. A tier whose two workers are
// taken for two thirds of the time keeps one request waiting, on average.
type unbegun struct {
	keep float64 // weight that a window still has one window later
	// sums over windows, decayed
	windows, own, calls, excess, waiting float64
	work                                 float64 // processor time that threads had or were ready for
}

func newUnbegun(width time.Duration) unbegun {
	return unbegun{keep: math.Exp2(-float64(width) / float64(unbegunMemory))}
}

// add takes a window's work.
func (u *unbegun) add(w worked) {
	decay := func(sum *float64, v float64) { *sum = *sum*u.keep + v }
	decay(&u.windows, 1)
	decay(&u.own, w.own)
	decay(&u.calls, w.calls)
	decay(&u.excess, w.excess)
	decay(&u.waiting, w.unbegun())
	decay(&u.work, w.Ran+w.Waited)
}

// share is the part of the excess that waits for a worker, while most workers hold requests that sleep; 0 if that is
// not so, if it is less than half of the excess, or if it is so few that it may be chance.
func (u *unbegun) share() float64 {
	if u.waiting < fewUnbegun*max(u.windows, unbegunWindows) || u.waiting < u.excess/2 || u.excess <= 0 {
		return 0
	}
	taken := u.own - u.waiting + u.calls
	if taken < someHeld*u.windows || u.work >= taken/2 {
		return 0
	}
	return min(1, u.waiting/u.excess)
}

// chargeUnbegun charges the requests that wait for a worker if a second shows too little for notAccepted to say so of
// all that waits here. It returns the part of the excess that this pays for.
func (t *Tier) chargeUnbegun(p *pending, j *Judged, rest float64) float64 {
	l := t.load(p.Index)
	if l == nil || l.Disk >= busyDisk || l.Thread >= wantsMost || !(l.Used < spare) || t.refuses.now() {
		return 0
	}
	part := max(0, rest) * t.unbegun.share()
	c := t.unaccepted(p)
	j.add(c.Cause, c.To, part)
	return part
}

const (
	unbegunMemory  = 5 * time.Second // half-life
	unbegunWindows = 60              // three seconds, at 20 windows a second
	// fewUnbegun is how many requests must wait to be read: a busy machine reads most of them within a millisecond
	// or two.
	fewUnbegun = 0.2
)
