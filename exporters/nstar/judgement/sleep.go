// SPDX-License-Identifier: Apache-2.0

package judgement

import (
	"math"
	"slices"
)

// sleep finds requests that sleep in a tier: no thread runs for them, wants a processor or waits for a disk. If the
// tier calls no other tier, and its requests do not sleep as a rule, the reason is a lock. The lock stops these
// requests while others go on beside them, so it is no stop of the tier. If they sleep as a rule, the tier works this
// way, and it is no demand.
//
// If a thread is at work, the other requests may wait for that thread. That is not so if each connection has a thread
// of its own (apart). Then the requests that sleep wait for something that one thread holds, and perhaps computes with,
// such as a table that is written anew.
//
// In a tier that calls others, it is a lock only if many requests sleep together, and not for the answers to their
// calls. A request may sleep there on purpose now and then, for a timer or for a program out of sight.
type sleep struct {
	busy, asleep float64 // number of windows with requests, and of those in which most requests slept; decayed
	sleepers     float64 // requests that slept in these windows
	released     release
}

// add takes a window. It returns how many requests sleep in it, and whether that is unusual. atOnce says that its
// requests came together (Tier.atOnce).
func (s *sleep) add(own float64, w Work, apart, atOnce bool) (n float64, unusual bool) {
	if own <= 0 {
		return 0, false
	}
	const keep = 1 - 1./sleepWindows
	n = min(w.Asleep, own)
	if atOnce {
		n = 0
	}
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

// atOnce reports whether the requests of a window may have come together and waited for a thread at work, each of them
// for no longer than threads worked in the window. The commands of a pipeline do so. On average over the window hardly
// any thread works for them. More than in most windows must have been answered.
func (t *Tier) atOnce(p *pending, w Work) bool {
	return p.Completions >= burst*t.typical && p.own <= p.Completions*(w.Ran+w.Waited+w.Disk)
}

// together reports whether so many requests sleep that it is unlikely that each sleeps independently of the others.
func (s *sleep) together(n float64) bool {
	return n >= asleepExcess && n >= mostAtOnce(s.sleepers/max(1, s.busy))
}

// mostAtOnce is how many requests are there at once by chance, if they come and sleep independently of each other.
// Their number varies by its square root (a Poisson distribution, however long each sleeps).
func mostAtOnce(mean float64) float64 { return mean + deviations*math.Sqrt(mean) }

// locked is how many requests sleep in a window of a tier that calls others, and wait for a lock in it. Many must sleep
// together, in the order in which they came as far as is known, though they do not sleep as a rule. Fewer requests than
// usual must be answered, because otherwise it is demand. No thread may want to run all the time, because they could
// wait for that thread. And they must not wait for a place to call or for an answer: no tier behind holds all that can
// be called, or answers nothing, or is out of sight.
func (t *Tier) locked(p *pending, w Work) (n float64, locked bool) {
	n = min(w.Asleep, p.own)
	if n < p.own/2 || t.sleep.busy < leastBusy || t.sleep.usual() || !t.sleep.together(n) ||
		p.Completions > fewer*t.rate || w.Ran+w.Taken >= mostWindows ||
		p.held || slices.Contains(p.stalled, true) || t.mayWaitOutside(p, p.own) {
		return 0, false
	}
	return n, true
}

// dozes reports whether nothing is done in a window because its few requests sleep, and requests of this tier do so as
// a rule. Examples are long statements of a database beside many short ones, or pages that wait for a timer or for a
// program out of sight. In a tier that calls others, where a lock is more likely, they must do so most of the time. It
// is false if something is known to hold up the requests.
func (t *Tier) dozes(p *pending, w Work) bool {
	rule := usualSleep
	if len(t.destinations) > 0 {
		rule = mostlyAsleep
	}
	return t.sleep.inMoreThan(rule) && w.Asleep >= hardlyAnyWork*p.own && !t.sleep.together(p.own) &&
		zeroIfNaN(p.GC) < pauseShare
}

// idle is how many requests of a window sleep in a tier that calls others, beyond those that may wait for a thread at
// work: no work of the tier keeps them waiting. It is 0 in a tier that calls no other tier, because sleeping may be the
// way in which that tier works.
func (t *Tier) idle(p *pending) float64 {
	w, ok := t.contention.of(p.Index)
	if !ok || len(t.destinations) == 0 {
		return 0
	}
	return w.beyondThread(p.own, t.busiest, t.processes)
}

// beyondThread is how many of the given requests sleep, without those that may wait for a thread of the tier. Their
// number is that of requests waiting for a single thread that is as busy, by M/M/1: as busy as all threads together. Or
// as the busiest of them was lately (NaN where that is not known), if they run for less than half of the time: threads
// that take turns, as those of an interpreter, are one thread.
//
// If several processes share the work, each of them has such a thread, and a part of the requests. That counts only if
// no process can have kept its thread at work for most of the window, nor lacked a processor for it.
func (w Work) beyondThread(own, busiest, processes float64) float64 {
	busy, threads := w.Ran+w.Waited, 1.0
	switch {
	case w.Ran < runs && busiest < busy:
		busy = busiest
	case processes > 1 && w.Ran < mostOfWindow && w.Waited <= w.Ran:
		busy, threads = busy/processes, processes
	}
	if busy >= alwaysWanted {
		return 0
	}
	return max(0, min(w.Asleep, own)-threads*busy*busy/(1-busy))
}

// mostOfWindow is processor time with which a single thread would have worked for most of a window.
const mostOfWindow = 0.7

// busiestKeep is how much of a busy thread is remembered from one second to the next, as not each second asks for it.
const busiestKeep = 0.9

// SetApart says whether each connection of the tier has a thread or process of its own, which serves nothing else.
func (t *Tier) SetApart(on bool) { t.apart = on }

// usual reports whether requests sleep as a rule.
func (s *sleep) usual() bool { return s.inMoreThan(usualSleep) }

// inMoreThan reports whether most requests slept, independently of each other, in more than this share of the windows
// with requests.
func (s *sleep) inMoreThan(share float64) bool {
	return s.busy >= leastBusy && s.asleep > share*s.busy && !s.released.jointly()
}

const (
	burst        = 1.5   // of the answers in most windows
	typicalStep  = 0.02  // of itself, by which a median follows each window
	deviations   = 3     // one window in 1,000 has more by chance
	fewer        = 0.8   // of the usual answers in a window
	fewRequests  = 0.25  // mean over a window: below it, what a thread does beside requests is as much
	sleepWindows = 1200. // a minute of 50 ms
	leastBusy    = 40    // windows with requests, before anything is called unusual
	usualSleep   = 0.25  // of the windows with requests: if more, the tier works this way
	mostlyAsleep = 0.5   // of the windows with requests
)
