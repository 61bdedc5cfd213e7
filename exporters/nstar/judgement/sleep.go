// SPDX-License-Identifier: Apache-2.0

package judgement

import (
	"math"
	"slices"
)

// sleep tells requests that sleep in a tier: no thread runs for them, wants a processor or waits for a disk. In a tier
// that calls nobody, and whose requests do not sleep as a rule, that is a lock, which stops these requests though
// others go on beside them, so that it is no stop of the tier. If they do, it is how the tier works, and no demand.
//
// Where a thread is at work, the others may wait for that one. Not if each connection has its own (apart): then those
// who sleep wait for something that one of them holds, and maybe computes with, such as a table that is written anew.
//
// In a tier that calls others it is a lock only where many sleep together, and not for what they call. A request may
// sleep there on purpose now and then, for a timer or for somebody out of sight.
type sleep struct {
	busy, asleep float64 // windows with requests, and those of them in which most slept; decayed
	sleepers     float64 // requests that slept in them
	released     release
}

// add takes a window. It reports how many requests sleep in it, and whether that is unusual.
func (s *sleep) add(own float64, w Work, apart bool) (n float64, unusual bool) {
	if own <= 0 {
		return 0, false
	}
	const keep = 1 - 1./sleepWindows
	n = min(w.Asleep, own)
	mostly := n >= own/2
	s.busy, s.asleep, s.sleepers = s.busy*keep+1, s.asleep*keep, s.sleepers*keep+n
	if mostly {
		s.asleep++
	}
	atWork := w.Ran+w.Waited >= runs && !(apart && n >= asleepExcess && w.Disk < runs)
	if !mostly || atWork || own < fewRequests || s.busy < leastBusy {
		return 0, false
	}
	return n, !s.usual()
}

// together reports whether so many requests sleep that they hardly do so each for itself. The number of those who come
// and sleep independently varies by its square root (a Poisson distribution, however long each sleeps).
func (s *sleep) together(n float64) bool {
	mean := s.sleepers / max(1, s.busy)
	return n >= asleepExcess && n >= mean+deviations*math.Sqrt(mean)
}

// locked is how many requests sleep in a window of a tier that calls others, and wait for a lock inside of it. Many
// sleep together, in the order of their coming for all that is known, though they do not as a rule; fewer are answered
// than usual, which is no demand; and no thread wants to run all the time, for which they could wait. Nor is it a place
// to call, or an answer, of a tier behind that holds all that can be called, or answers nobody, or is out of sight.
func (t *Tier) locked(p *pending, w Work) (n float64, locked bool) {
	n = min(w.Asleep, p.own)
	if n < p.own/2 || t.sleep.busy < leastBusy || t.sleep.usual() || !t.sleep.together(n) ||
		p.Completions > fewer*t.rate || w.Ran+w.Taken >= mostWindows || t.patience.unaccounted() ||
		p.held || slices.Contains(p.stalled, true) || t.mayWaitUnseen(p) >= p.own/2 {
		return 0, false
	}
	return n, true
}

// dozes reports whether nothing is done in a window because the few requests that are there sleep, which requests of
// this tier do as a rule: long statements of a database, beside many short ones, or pages that wait for a timer or for
// somebody out of sight; in a tier that calls others, where a lock is more likely, most of the time. Not where
// something is known to keep them.
func (t *Tier) dozes(p *pending, w Work) bool {
	rule := usualSleep
	if len(t.destinations) > 0 {
		rule = mostlyAsleep
	}
	return t.sleep.inMoreThan(rule) && w.Asleep >= hardlyAnyWork*p.own && !t.sleep.together(p.own) &&
		zeroIfNaN(p.GC) < pauseShare
}

// idle is how many requests of a window sleep in a tier that calls others, beyond those that wait for a thread which is
// at work: no work of the tier keeps them. In one that calls nobody it may be how the tier works.
func (t *Tier) idle(p *pending) float64 {
	w, ok := t.contention.of(p.Index)
	if !ok || len(t.destinations) == 0 {
		return 0
	}
	return w.beyondThread(p.own)
}

// beyondThread is how many of so many requests sleep, but for those that may wait for a thread of the tier: of a single
// one that is as busy, by M/M/1.
func (w Work) beyondThread(own float64) float64 {
	busy := w.Ran + w.Waited
	if busy >= alwaysWanted {
		return 0
	}
	return max(0, min(w.Asleep, own)-busy/(1-busy))
}

// SetApart says whether each connection of the tier has a thread or process of its own, which serves nothing else.
func (t *Tier) SetApart(on bool) { t.apart = on }

// usual reports whether requests sleep as a rule.
func (s *sleep) usual() bool { return s.inMoreThan(usualSleep) }

// inMoreThan reports whether most requests slept in more than this share of the windows with requests, each for itself.
func (s *sleep) inMoreThan(share float64) bool {
	return s.busy >= leastBusy && s.asleep > share*s.busy && !s.released.jointly()
}

const (
	deviations   = 3     // of 1,000 windows, one has more by chance
	fewer        = 0.8   // of the answers of a window
	fewRequests  = 0.25  // on average over a window: below, what a thread does beside requests is as much
	sleepWindows = 1200. // a minute of 50 ms
	leastBusy    = 40    // windows, before anything is unusual
	usualSleep   = 0.25  // of the windows with requests: more is how the tier works
	mostlyAsleep = 0.5   // of them
)
