// SPDX-License-Identifier: Apache-2.0

package judgement

import (
	"math"
	"time"

	"github.com/nstar-project/nstar/exporters/nstar/saturation"
)

// Tier judges the windows of one tier in their order. It is not safe for concurrent use.
type Tier struct {
	width        time.Duration
	curve        *saturation.Estimator
	estimate     saturation.Estimate
	flat         bool // by the curve: throughput stays the same at all queue lengths
	processors   float64
	used, busy   float64 // share of the processors in use, 0 to 1: by the tier, by everybody; NaN while unknown
	ours         float64 // the same, by everybody except other applications
	wanted       float64 // threads of the tier that are ready to run and wait, as a mean
	loads        []Load  // of the last seconds, oldest first
	stop         stops
	after        recovery // of the tier's own stops
	flow         flow
	unqueued     unqueued
	sleep        sleep
	independence independence
	busiest      float64 // share of the time that its busiest thread wanted lately; NaN while unknown
	processes    float64 // that share its work (Load.Processes), as was last known; 0 before
	disk         onDisk
	onset        onset
	contention   contention
	unbegun      unbegun
	patience     patience
	waitingLine  waitingLine
	slowed       slowed
	placeMemory  placeMemory
	jam          jam
	single       single
	filled       full
	refuses      refusal
	mute         mute
	destinations []*destination
	asksUnseen   bool // it calls others over connections that are not measured
	tells        bool // Calls.Told is known
	apart        bool // each of its connections has a thread or process of its own
	judgeOf      func(to string) *Tier
	recentWork   recentWork
	pending      []pending  // windows held back, oldest first
	done         [2]float64 // completions of the two windows that were judged last
	last         float64    // own queue of the window that was judged last
	rate         float64    // mean completions of a window outside of stops
	typical      float64    // about the median of these
	level        float64    // mean own queue outside of stops
	judged       int
	asked        int // windows that were judged since the first request
	own, gc      track
	calls        map[string]*track
}

// pending is a window that is not judged yet.
type pending struct {
	Window
	own, clipped float64
	patient      float64   // requests that wait on purpose and are not in the own queue
	outstanding  []float64 // by destination
	calls        []Calls   // by destination
	ceased       string    // the tier behind that is not called any more (ceased.go); else empty
	held         bool      // the tiers behind explain why nothing was done
	frozen       Cause     // why the tier stood still; empty if it did not
	stopsNext    Cause     // why the tier stood still from the next window on: a stop seldom begins with a window
	stalled      []bool    // by destination: no answers, for longer than chance explains
	disk         bool      // a thread waits for the disk, which explains why nothing goes on
	starves      bool      // other programs had the processors for nearly all of the window
	stopped      float64   // share of the window for which the kernel saw the tier stopped from outside
	asleep       float64   // requests that sleep while no thread is at work
	locked       bool      // this sleep is unusual for the tier
	jammed       bool      // all places are taken for good
	halted       string    // a tier out of sight that was stopped from outside (Work.Halted); else empty

	unpromised      bool   // it was looked at before anything was promised
	unpromisedCalls []bool // the same, by destination
}

// done is what left the tier in the window: answers, and calls to other tiers.
func (p *pending) done() float64 {
	done := p.Completions
	for _, c := range p.calls {
		done += c.Begun
	}
	return done
}

// called is how many calls are outstanding at all other tiers behind together. Calls of a tier to itself are requests
// in it as well, and one that never gets an answer, as between processes of Dovecot, keeps no worker.
func (t *Tier) called(p *pending) float64 {
	sum := 0.0
	for i, n := range p.outstanding {
		if !t.destinations[i].itself {
			sum += n
		}
	}
	return sum
}

// NewTier makes a judge for windows of the given width.
func NewTier(width time.Duration) *Tier {
	t := &Tier{
		width: width, curve: saturation.New(width),
		stop: stops{promise: newPromise(width)}, after: recovery{width: width}, flow: newFlow(width),
		onset: newOnset(width), independence: newIndependence(width),
		contention: newContention(width), unbegun: newUnbegun(width), patience: patience{width: width},
		used: math.NaN(), busy: math.NaN(), ours: math.NaN(), busiest: math.NaN(),
		own: newTrack(width), gc: newTrack(width), calls: make(map[string]*track),
	}
	t.estimate = t.curve.Estimate()
	return t
}

// Add takes the next window. It returns at once the window's own queue and what was clipped of it. It also returns the
// judgement of the window that has been held back long enough, if there is one.
func (t *Tier) Add(w Window) (own, clipped float64, judged Judged, ok bool) {
	p := t.prepare(w)
	t.track(p)
	t.pending = append(t.pending, p)
	t.lookForStops(&t.pending[len(t.pending)-1])
	if len(t.pending) <= int(lag/t.width) {
		return p.own, p.clipped, Judged{}, false
	}
	judged = t.judge()
	t.pending = t.pending[1:]
	return p.own, p.clipped, judged, true
}

// Rested says, before the first window, that the tier had no request for a while.
func (t *Tier) Rested() { t.onset.rested() }

// Skip says that windows are missing before the next one. Everything that goes on over several windows then begins
// anew.
func (t *Tier) Skip() {
	t.pending = nil
	t.stop.end()
	t.onset.skip()
	t.after = recovery{width: t.width}
	for _, d := range t.destinations {
		d.stall.end()
		d.behind, d.left = recovery{width: t.width}, recovery{width: t.width}
	}
}

// prepare computes the own queue of a window.
func (t *Tier) prepare(w Window) pending {
	p := pending{Window: w}
	for _, c := range w.Calls {
		t.destination(c.To).itself = c.Itself
	}
	p.outstanding = make([]float64, len(t.destinations))
	p.calls = make([]Calls, len(t.destinations))
	p.stalled = make([]bool, len(t.destinations))
	p.unpromisedCalls = make([]bool, len(t.destinations))
	rest := w.Queue
	for i, d := range t.destinations {
		for _, c := range w.Calls {
			if c.To == d.to {
				p.calls[i] = c
			}
		}
		d.errands.add(p.calls[i].Outstanding, w.Queue == 0 && w.Completions == 0)
		d.unseen.add(p.calls[i], p.Completions, t.slowed.holds())
		p.outstanding[i] = d.outstanding(p.calls[i])
		rest -= p.outstanding[i]
	}
	p.own, p.clipped = max(rest, 0), max(-rest, 0)
	t.patience.add(p.Queue, p.own, p.Completions)
	t.waitingLine.add(p.Index, p.Queue)
	t.noteCeased(&p, p.own)
	if p.ceased == "" {
		p.patient = min(t.patience.now, p.own)
	}
	p.own -= p.patient
	return p
}

func (t *Tier) destination(to string) *destination {
	for _, d := range t.destinations {
		if d.to == to {
			return d
		}
	}
	d := newDestination(to, t.width)
	t.destinations = append(t.destinations, d)
	return d
}

// lookForStops marks the windows of stops of this tier and of stalls of the tiers behind, as soon as they are too long
// for chance.
func (t *Tier) lookForStops(p *pending) {
	p.unpromised = !t.stop.promise.known()
	for i, d := range t.destinations {
		p.unpromisedCalls[i] = !d.stall.promise.known()
		waiting := d.ungreeted(p.calls[i])
		// All places are taken, or requests open connections and are not greeted: the tier behind holds
		// everything that this tier could do. But if answers come and nothing goes on here, this tier stands
		// still itself.
		full := p.outstanding[i] >= fewCalls &&
			(p.calls[i].Peak >= fullShare*d.cap.highest() || d.cap.usual(p.outstanding[i])) ||
			waiting >= max(0.5, p.own/2)
		p.held = p.held || full && (p.calls[i].Answered == 0 || p.Completions > 0 || p.calls[i].Begun > 0)
		for n := d.stall.look(p.Index, p.outstanding[i]+waiting, p.calls[i].Answered, false, 0,
			t.lasting(d.base)); n > 0; n-- {
			if at := len(t.pending) - n; at >= 0 && i < len(t.pending[at].stalled) {
				t.pending[at].stalled[i] = true
			}
		}
		d.cap.look(p.calls[i], p.outstanding[i], p.own, p.Completions, t.pressed(p))
	}
	n := t.stop.look(p.Index, p.own, p.done(), p.held, zeroIfNaN(p.GC), t.lasting(t.estimate.Base))
	for ; n > 0; n-- {
		if at := len(t.pending) - n; at >= 0 {
			t.pending[at].frozen = t.stop.cause()
		}
	}
	if at := len(t.pending) - 1 - t.stop.length; at >= 0 && t.stop.sure {
		t.pending[at].stopsNext = t.stop.cause()
	}
}

// lasting is the length in windows from which on a run without progress may be a stop. Requests that began together can
// all be at work for nearly as long, some of them a little longer than base residence. It is 1 if base residence is not
// known.
func (t *Tier) lasting(base float64) int { return int(spread*zeroIfNaN(base)/t.width.Seconds()) + 1 }

// spread is how much longer than base residence a request may take that waits for nothing.
const spread = 1.15

// fullShare of the largest number of calls ever outstanding counts as all places taken.
const fullShare = 0.9

// pressed reports whether requests waited in the tier itself for longer than their work takes.
func (t *Tier) pressed(p *pending) bool { return p.frozen == "" && t.excess(p, p.Completions) >= 1 }

// excess is the own queue beyond the number of requests that the completions would need if there were little to do.
func (t *Tier) excess(p *pending, completions float64) float64 {
	switch {
	case t.slowed.holds():
		return max(0, p.own-t.slowed.took()*completions/t.width.Seconds())
	case !math.IsNaN(t.estimate.Base):
		explained := t.estimate.Base * completions / t.width.Seconds()
		if t.full(p.Index) {
			// No more requests can be at work than there are processors; a few may read from disk
			// meanwhile. So what was taken for little to do was not that.
			explained = min(explained, 2*max(1, t.processors))
		}
		return max(0, p.own-explained)
	case t.contention.slowed(): // others slow down each request equally, whatever their number
		return p.own
	case t.lineIsKnown(): // one of them has what the others wait for
		return max(0, p.own-1)
	case t.flows(p.Index):
		return 0
	case t.atLimit(p.Index):
		return max(0, p.own-max(1, t.processors))
	case p.own < 1 || t.relaxed(p.own):
		return 0
	}
	return p.own
}

// relaxed reports whether a queue of this length is no sign of waiting. That is so if the processors have time, and the
// requests are few or take no longer than requests that found the tier empty. If they are many and take longer though
// the processors have time, they wait for something else.
func (t *Tier) relaxed(own float64) bool {
	return t.busy < idleProcessors && (own < asleepExcess || t.onset.asQuickAsFirst())
}

// flows reports whether the requests do not wait for each other in the tier.
func (t *Tier) flows(index int64) bool {
	return t.flow.proportional() && !t.full(index) && !t.refuses.now()
}

// atLimit reports whether the tier works at its limit in a window, although it was never seen with little to do. Either
// throughput stays the same at all queue lengths, or the tier keeps its processors busy, or it refuses connections.
func (t *Tier) atLimit(index int64) bool { return t.flat || t.full(index) || t.refuses.now() }

// full reports whether the tier keeps its processors busy in the second of the given window, or now if that second is
// not known. The end of a burst must not change what is said of the burst.
func (t *Tier) full(index int64) bool {
	if t.filled.now() {
		return true
	}
	if l := t.second(index); l != nil {
		return l.full
	}
	return t.fullNow()
}

// processorsFull reports whether the tier has all the processor time that it can get. If the scheduler is not followed,
// the processor time of the window's second shows it for a tier that uses nearly all of that time itself.
func (t *Tier) processorsFull(index int64) bool {
	if t.contention.told {
		return t.filled.now()
	}
	l := t.second(index)
	return l != nil && l.Used >= busyProcessors && t.used >= busyProcessors && t.level > max(1, t.processors)
}

// fullNow reports whether the tier, together with the tiers of its application, keeps its processors busy. The
// processor time that others use may still be available to these tiers, because the others may have a lower priority.
// That is not so if many threads of the tier wait.
func (t *Tier) fullNow() bool {
	queue := t.busy >= busyProcessors && t.wanted >= asleepExcess*max(1, t.processors)
	return (t.ours >= busyProcessors || queue) && t.used >= ownProcessors
}

// Shares of the processors that a tier may use.
const (
	busyProcessors = 0.9     // by its application: nothing is left
	ownProcessors  = 1. / 3. // by the tier: it is not just in the way of others
	idleProcessors = 0.7     // by all programs: there is time for more
)

func zeroIfNaN(v float64) float64 {
	if math.IsNaN(v) {
		return 0
	}
	return v
}
