// SPDX-License-Identifier: Apache-2.0

package judgement

import (
	"math"
	"slices"
	"time"

	"github.com/nstar-project/nstar/exporters/nstar/saturation"
)

// judge judges the oldest window that is held back.
func (t *Tier) judge() Judged {
	t.lookAgain()
	p := &t.pending[0]
	work, told := t.contention.of(p.Index)
	if told {
		t.patience.sleeps(work.Asleep, work.unbegun())
		t.contention.next.Asleep = max(0, work.Asleep-p.patient)
		work.Asleep = t.contention.next.Asleep
		t.refuses.add(work, t.width)
	}
	t.mute.add(p.own, p.Completions)
	p.stopped, p.starves, p.halted = work.Stopped, work.starves(), work.Halted
	for i, stalled := range p.stalled {
		to := t.destinations[i].to
		p.stalled[i] = stalled && !t.isAtWork(to, p.Index) || p.outstanding[i] >= fewCalls && t.stood(to, p.Index)
	}
	unproven := told && (p.frozen == Stopped || p.stopsNext == Stopped) && p.stopped < pauseShare
	switch {
	case p.frozen == "" && p.own > 0 && (p.stopped >= fullPause || p.stopped >= mostPause && p.done() == 0):
		p.frozen = Stopped // the kernel saw the stop, so one waiting request is proof enough
	case p.stopped < pauseShare && (p.ceased != "" || p.unanswered() || t.contention.works(p)):
		if p.frozen == Stopped {
			p.frozen = ""
		}
		p.stopsNext = ""
	case unproven && (t.mayWaitUnseen(p) >= p.own/2 || t.waitsHalted(p) >= p.own/2):
		// The requests may wait for a program that can't be seen, and it may be that program that stands still.
		p.frozen, p.stopsNext, p.held = "", "", true
	case unproven && (t.refuses.now() && !t.mute.hangs(t.width) || t.dozes(p, work)):
		p.frozen, p.stopsNext = "", ""
	}
	if told && t.jammed(p, work) {
		p.frozen, p.stopsNext, p.jammed = "", "", true
	}
	t.recentWork.note(p.Index, doing{
		worked: told && p.frozen == "" && p.own > 0 && p.stopped < pauseShare && zeroIfNaN(p.GC) < pauseShare &&
			t.contention.works(p),
		stood: p.frozen != "" && p.stopped >= mostPause,
	})
	if told {
		t.disk.learn(p.own, work)
		p.disk = t.disk.stalls(work)
	}
	if p.frozen == Stopped {
		p.frozen = p.still()
	}
	j := Judged{Index: p.Index, Own: p.own, Clipped: p.clipped, Patient: p.patient, Completions: p.Completions,
		Waiting: t.split(p)}
	if t.asked > 0 || p.Completions > 0 {
		t.asked++
	}
	if t.judged%max(int(time.Second/t.width), 1) == 0 {
		t.refresh()
	}
	t.judged++
	if told {
		t.slowed.add(p.own, work)
		if p.frozen == "" {
			t.independence.add(p.own, p.Completions, work)
		}
		p.asleep, p.locked = t.sleep.add(p.own, work, t.apart, t.atOnce(p, work))
		if len(t.destinations) > 0 {
			p.asleep, p.locked = t.locked(p, work)
		} else {
			t.sleep.released.add(min(work.Asleep, p.own), t.heldOtherwise(p, work), t.apart)
		}
	}
	if told {
		t.filled.add(p.own, zeroIfNaN(p.GC), t.usable(), work)
	}
	j.Full = t.processorsFull(p.Index)
	clean := t.charge(p, &j)
	t.settleItself(p, &j)
	t.placeMemory.settle(&j, t.width, t.mayBePatient(p))
	share := t.neighbours(p) * (1 - p.stopped)
	if p.starves {
		share = 1
	}
	j.chargeNeighbours(share, t.contention.lengthened())
	requests, part := t.disk.of(&t.contention)
	j.chargeDisk(requests, part, !math.IsNaN(t.estimate.Base))
	clean = clean && share < starved && !t.contention.slowed() && !(told && t.takesNoMore(work))
	t.learn(p, clean)
	j.State = t.state(p, &j)
	t.done[0], t.done[1] = t.done[1], p.Completions
	if p.frozen == "" {
		if !p.jammed {
			t.jam.add(j.Charges, t.width)
		}
		t.rate += (p.Completions - t.rate) * rateWeight
		t.typical += math.Copysign(min(typicalStep*max(t.typical, 1), math.Abs(p.Completions-t.typical)),
			p.Completions-t.typical)
		t.level += (p.own - t.level) * rateWeight
		t.flow.add(p.own, p.Completions)
		if told && !p.starves && t.warm() {
			t.unqueued.add(p.own, p.Completions, work)
		}
		t.onset.add(p.Window)
	}
	return j
}

// lookAgain looks for stops in the windows that came before anything was promised, once the promise is known. Otherwise
// these windows would teach the promise that nothing gets done with a queue of this length.
func (t *Tier) lookAgain() {
	if p := &t.pending[0]; p.unpromised && p.frozen == "" {
		n := t.stop.again(func(yield func(attempt) bool) {
			for _, p := range t.pending {
				if !yield(attempt{p.own, p.done(), p.held || p.waitsForAnswers()}) {
					return
				}
			}
		}, t.lasting(t.estimate.Base))
		for i := range n {
			if t.pending[i].frozen == "" {
				t.pending[i].frozen = Stopped
			}
		}
	}
	for i, d := range t.destinations {
		if p := &t.pending[0]; i >= len(p.unpromisedCalls) || !p.unpromisedCalls[i] || p.stalled[i] {
			continue
		}
		n := d.stall.again(func(yield func(attempt) bool) {
			for _, p := range t.pending {
				if i >= len(p.outstanding) || !yield(attempt{p.outstanding[i], p.calls[i].Answered, false}) {
					return
				}
			}
		}, t.lasting(d.base))
		for k := range n {
			t.pending[k].stalled[i] = true
		}
	}
}

// waitsForAnswers reports whether calls to a destination are outstanding and none of them is answered. While nothing is
// known yet of the places to call, this may be the reason why nothing is done.
func (p *pending) waitsForAnswers() bool {
	for i, n := range p.outstanding {
		if n >= fewCalls && p.calls[i].Answered == 0 {
			return true
		}
	}
	return false
}

// unanswered reports whether calls wait at a tier behind that has given no answer for longer than chance explains. If
// this tier stood still itself, its calls would be answered meanwhile. So this tier is not to blame, even if some of
// its processes still had places to call.
func (p *pending) unanswered() bool {
	for i, stalled := range p.stalled {
		if stalled && p.outstanding[i] >= fewCalls {
			return true
		}
	}
	return false
}

// fewCalls is the mean number of calls outstanding in a window from which on calls count as waiting: one call that was
// there for half of the window.
const fewCalls = 0.5

// rateWeight is the weight of a new window in running means over about the last two seconds.
const rateWeight = 1. / 40

// refresh takes the present estimates from the estimators, once a second.
func (t *Tier) refresh() {
	t.curve.Limit(t.processors)
	t.estimate = t.curve.Estimate()
	t.flat = t.estimate.Status == saturation.AlwaysAtLimit
	if t.estimate.Status == saturation.Learning && t.warm() {
		switch { // the processors tell it sooner than the curve does
		case t.fullNow(), t.filled.now(), t.refuses.now():
			t.estimate.Status = saturation.AlwaysAtLimit
		case t.flow.proportional(), t.relaxed(t.level):
			t.estimate.Status = saturation.NeverNearLimit
		}
	}
	if math.IsNaN(t.estimate.Base) {
		t.estimate.Base = t.unqueued.base() * t.width.Seconds()
	}
	for _, d := range t.destinations {
		d.base = d.curve.Estimate().Base
		d.rested.add(d.base)
	}
}

// completions is the mean number of completions per window in the windows around this one. A request that is answered
// just after the window in which it was worked on must not look like a queue.
func (t *Tier) completions() float64 {
	sum, n := t.done[0]+t.done[1], 2.0
	for i := 0; i < len(t.pending) && i < 3; i++ {
		sum += t.pending[i].Completions
		n++
	}
	return sum / n
}

// charge divides the window's excess queue among its causes, and adds what a stop left behind in other tiers. It
// reports whether the window shows what the tier can do. A window in which the tier works off the pile of a stop does.
// A window does not if the tier stands still for a part of it, or if its requests wait for a place to call.
func (t *Tier) charge(p *pending, j *Judged) (shows bool) {
	for i := range p.outstanding {
		t.destinations[i].pace(p.outstanding[i], p.calls[i].Answered, t.width)
	}
	if p.frozen != "" {
		t.after.halted(p.frozen, p.own, 1+t.rate)
		t.haltCalls(p, p.frozen)
		j.add(p.frozen, "", p.own)
		return false
	}
	excess := t.excess(p, t.completions())
	var shared *destination
	if !p.lost() {
		shared = t.sharesAnswers(p.Index)
	}
	var places []Charge
	if shared == nil {
		places = t.place(p, excess)
	}
	partly, took := p.partly()
	shows = shared == nil && len(places) == 0 && partly == "" && !slices.Contains(p.stalled, true) && p.halted == ""

	rest := excess - t.chargeStop(p, j, excess, partly, took)
	for i := range p.outstanding {
		if !p.lost() { // places that are taken for good keep the others waiting, whoever stands still for want of these
			rest -= t.chargeStall(p, j, i, rest)
		}
		t.chargeLate(p, j, i)
	}
	rest -= t.chargeHalted(p, j, rest)
	notAccepted := shared == nil && len(places) == 0 && t.notAccepted(p, excess)
	if shared == nil && len(places) == 0 && !notAccepted {
		rest -= t.chargeUnbegun(p, j, rest)
	}
	switch {
	case rest <= 0:
	case shared != nil:
		// These requests wait for the tier behind like the request that called it. They wait as long as the
		// call takes, which is charged only if the tier behind is slow.
		if shared.sharedAnswers.took()*t.width.Seconds() >= slow*shared.base {
			j.add(Behind, shared.to, rest)
		}
	case len(places) > 0:
		for _, c := range places {
			if c.Cause != Behind && t.mayBePatient(p) {
				c = Charge{Cause: UnknownCause}
			}
			j.charge(c, rest/float64(len(places)))
		}
	case t.refuses.now() && t.busyIn(p.Index) >= busyProcessors: // more workers would wait for processors
		j.add(Demand, "", rest)
	case notAccepted, t.refuses.now():
		j.charge(t.unaccepted(p), rest)
	case t.slow(p):
		j.add(Slow, "", rest)
		shows = false
	case t.waitsInLine(p):
		j.charge(t.line(p), rest)
	case t.comesByChance(p): // they wait for nothing
	case t.waitsUnseen(p, rest):
		j.add(UnknownCause, "", rest)
		shows = shows && math.IsNaN(t.estimate.Base) // more requests, but no more answers: whose limit is it?
	case math.IsNaN(t.estimate.Base) && !t.atLimit(p.Index), t.dormant(p):
		j.add(UnknownCause, "", rest)
	case t.idling(p) && (t.asksUnseen || t.patience.unaccounted() || t.waitingLine.refuted()):
		j.add(UnknownCause, "", rest)
	case t.idling(p):
		j.charge(t.line(p), rest)
	case !p.locked && t.contention.rests(): // for something that is not work of this tier
		j.add(UnknownCause, "", rest)
	default:
		asleep := min(rest, p.asleep)
		switch {
		case p.locked:
			j.add(p.still(), "", asleep)
		// more requests than sleep on purpose, and no thread works for them: the limit is something that is not
		// measured
		case p.own >= asleepExcess:
			j.add(UnknownCause, "", asleep)
		}
		rest -= asleep
		if !p.locked {
			idle := min(rest, t.idle(p))
			j.add(UnknownCause, "", idle)
			rest -= idle
		}
		j.add(Demand, "", rest)
	}
	return shows && !p.locked
}

// chargeStop charges the requests that wait because of this tier's own stops, here and in the tiers behind. It does so
// in windows of which a stop took a part, and until the stop's pile is worked off. It returns the part of the excess
// that the stop pays for.
func (t *Tier) chargeStop(p *pending, j *Judged, excess float64, partly Cause, took float64) float64 {
	if partly != "" {
		t.after.halted(partly, excess, took*t.rate)
		t.haltCalls(p, partly)
		j.add(partly, "", t.after.pile)
		return t.after.pile
	}
	cause, part := t.after.charged(excess)
	j.add(cause, "", part)
	for i, d := range t.destinations {
		if cause, left := d.left.charged(t.beyond(p, i)); left > 0 {
			j.Edges = append(j.Edges, EdgeCharge{To: d.to, Cause: cause, Queue: left})
		}
	}
	return part
}

// haltCalls notes for each destination that this tier stands still, because the pile will reach the tiers behind
// afterwards.
func (t *Tier) haltCalls(p *pending, cause Cause) {
	for i, d := range t.destinations {
		d.left.halted(cause, t.beyond(p, i), 0)
		d.left.pile = t.after.pile
	}
}

// chargeStall charges the requests that wait here because of a stall of a tier behind, while the stall lasts and until
// its pile is worked off. The requests that wait for answers then belong to the pile: when the answers come, all at
// once, they need this tier's work. It returns the part of the excess that the stall pays for.
func (t *Tier) chargeStall(p *pending, j *Judged, i int, excess float64) float64 {
	d := t.destinations[i]
	part := excess
	if p.stalled[i] {
		d.behind.halted(Stalled, excess+t.beyond(p, i), 1+t.rate)
	} else {
		_, part = d.behind.charged(excess)
	}
	j.add(Stalled, d.to, part)
	return part
}

// beyond is how many calls are outstanding at a destination beyond the number that its answers would need if there were
// little to do.
func (t *Tier) beyond(p *pending, i int) float64 {
	if i >= len(p.outstanding) {
		return 0
	}
	return t.over(p, i, zeroIfNaN(t.destinations[i].base))
}

// over is the same as beyond, for calls that need base seconds each.
func (t *Tier) over(p *pending, i int, base float64) float64 {
	return max(0, p.outstanding[i]-base*p.calls[i].Answered/t.width.Seconds())
}

// learn gives the window to the estimators; clean says that the window shows what the tier can do.
func (t *Tier) learn(p *pending, clean bool) {
	done := p.done()
	if p.frozen == "" && !(p.held && done == 0) {
		t.stop.promise.add(p.own, done)
	}
	started := t.warm()
	next := p
	if len(t.pending) > 1 {
		next = &t.pending[1]
	}
	t.curve.Add(saturation.Window{
		Queue: p.own, Completions: p.Completions, Clean: clean && started && steady(t.last, p.own, next.own),
	})
	before := t.last
	t.last = p.own
	partly, _ := p.partly()
	for i, d := range t.destinations {
		if i >= len(p.outstanding) {
			continue
		}
		if p.frozen == "" && partly == "" && t.after.pile <= 0 && !p.stalled[i] {
			d.sharedAnswers.add(p.calls[i], p.outstanding[i], before, next.own)
		}
		settled := steady(d.last, p.outstanding[i], next.outstanding[i])
		d.last = p.outstanding[i]
		if !p.stalled[i] {
			d.stall.promise.add(p.outstanding[i], p.calls[i].Answered)
			d.flow.add(p.outstanding[i], p.calls[i].Answered)
			d.onset.add(Window{Index: p.Index, Queue: p.outstanding[i], Completions: p.calls[i].Answered})
		}
		d.curve.Add(saturation.Window{
			Queue: p.outstanding[i], Completions: p.calls[i].Answered,
			Clean: started && settled && !p.stalled[i],
		})
	}
}

// steady reports whether a queue stays about the same from the window before to the window after. While the queue fills
// or drains, because another tier stops or goes on, the window is a mixture of two loads. Its point then lies below the
// main sequence curve, on the line to the origin. Operational analysis asks for job flow balance before it reads a
// throughput off a queue length (Denning and Buzen, The Operational Analysis of Queueing Network Models, 1978).
func steady(before, now, after float64) bool { return math.Abs(after-before) <= max(steadyFew, now) }

// steadyFew is the size of a change that means nothing: single requests come and go.
const steadyFew = 2

// warmUp is how long after a tier's first request nothing is learned from it: at the start of a load many requests come
// at once.
const warmUp = 5 * time.Second

// warm reports whether the warm-up is over.
func (t *Tier) warm() bool { return t.asked > int(warmUp/t.width) }

// state decides the state of the window.
func (t *Tier) state(p *pending, j *Judged) State {
	waits := 0.0
	for _, c := range j.Charges {
		if c.To != "" {
			waits += c.Queue
		}
	}
	e := t.Estimate()
	switch {
	case p.frozen != "":
		return Frozen
	case p.Queue == 0 && p.Completions == 0:
		return Idle
	case waits >= 1:
		return Waiting
	case !math.IsNaN(e.SaturationPoint) && p.own > e.SaturationPoint,
		math.IsNaN(e.SaturationPoint) && t.atLimit(p.Index) && p.own > max(1, t.processors):
		return Saturated
	case t.waitsBehind(p):
		return Waiting
	case p.own >= 1 && math.IsNaN(e.SaturationPoint) && e.Status != saturation.NeverNearLimit && !t.relaxed(p.own):
		return Unknown
	}
	return Normal
}

// add appends a charge if its queue is more than 0.
func (j *Judged) add(cause Cause, to string, queue float64) {
	if queue > 0 {
		j.Charges = append(j.Charges, Charge{cause, to, queue})
	}
}

// charge adds a part of the queue by a charge's cause and place.
func (j *Judged) charge(c Charge, queue float64) { j.add(c.Cause, c.To, queue) }
