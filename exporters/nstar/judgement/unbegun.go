// SPDX-License-Identifier: Apache-2.0

package judgement

import "time"

// unbegun follows how many requests no worker has taken yet, over some seconds: which connections are not read is
// looked at only now and then, so that a single second says little of a few requests. A tier whose two workers are
// taken for two thirds of the time keeps one request waiting, on average.
type unbegun struct {
	keep    float64 // weight that a window still has one window later
	windows float64 // number of them, decayed
	sum     worked  // over them, decayed: what waitsForWorkers looks at
}

func newUnbegun(width time.Duration) unbegun {
	return unbegun{keep: remaining(width, unbegunMemory)}
}

// add takes a window's work.
func (u *unbegun) add(w worked) {
	decay(&u.windows, u.keep, 1)
	decay(&u.sum.own, u.keep, w.own)
	decay(&u.sum.calls, u.keep, w.calls)
	decay(&u.sum.excess, u.keep, w.excess)
	decay(&u.sum.Unaccepted, u.keep, w.Unaccepted)
	decay(&u.sum.Unread, u.keep, w.Unread)
	decay(&u.sum.Ran, u.keep, w.Ran)
	decay(&u.sum.Waited, u.keep, w.Waited)
	decay(&u.sum.held, u.keep, w.held)
}

// share is the part of the excess that waits for a worker; 0 if that is not so, or if it is so few that it may be
// chance.
func (u *unbegun) share() float64 {
	waiting := u.sum.unbegun() - u.sum.held
	if waiting < fewUnbegun*max(u.windows, unbegunWindows) || u.sum.excess <= 0 || !u.sum.waitsForWorkers(u.windows) {
		return 0
	}
	return min(1, waiting/u.sum.excess)
}

// chargeUnbegun charges the requests that wait for a worker if a second shows too little for notAccepted to say so of
// all that waits here. It returns the part of the excess that this pays for.
func (t *Tier) chargeUnbegun(p *pending, j *Judged, rest float64) float64 {
	part := max(0, rest) * t.unbegun.share()
	l := t.load(p.Index)
	if part == 0 || l == nil || l.Disk >= busyDisk || l.Thread >= wantsMost || !(l.Used < spare) || t.refuses.now() ||
		t.unbegun.sum.needsProcessors(t.unbegun.windows, t.busyIn(p.Index), max(1, t.processors), t.processes) {
		return 0
	}
	j.charge(t.unaccepted(p), part)
	return part
}

const (
	unbegunMemory  = 5 * time.Second // half-life
	unbegunWindows = 60              // three seconds, at 20 windows a second
	// fewUnbegun is how many requests must wait to be read: a busy machine reads most of them within a millisecond
	// or two.
	fewUnbegun = 0.2
)
