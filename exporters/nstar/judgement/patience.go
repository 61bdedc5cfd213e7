// SPDX-License-Identifier: Apache-2.0

package judgement

import (
	"math"
	"time"
)

// patience finds how many requests are in a tier because they wait on purpose: long polls, which are answered when
// there is something to tell or when their time is over. They keep nobody from anything, so that they are no queue.
//
// Nothing in a request says that it is one, but how it is served does. A place, a lock or a processor lets requests
// through in about the order of their coming, so that all of them take long. Who takes seconds while most others, who
// came later, are answered in a tenth of that or less waits for something that the others do not need; if no thread
// works for it meanwhile, it costs nothing.
//
// Nor is it a request that no worker has taken, on a connection that nobody has accepted or read: a server that serves
// the connections that it has before new ones (Puma behind a proxy that keeps them) lets these wait for seconds,
// however soon it answers the others.
//
// How many these are need not be known of each. By Little's law the answers that did not take long account, with the
// time that they took, for so many requests on average, and what is in the tier beyond those are the others.
type patience struct {
	width                time.Duration
	weight               float64 // of the windows below, decayed
	queue, own, asleep   float64
	unbegun              float64 // that no worker had taken
	sleeping             float64 // weight of the windows of which it is known how many slept
	seconds, quick, all  float64 // of the answers below; of these, those who did not take long, in request-seconds; all
	longSeconds, longest float64 // the same with a longer memory; of those who took long
	now                  float64 // requests that wait on purpose
}

// Answers are the requests that were answered in a time, by how long they took, in request-seconds.
type Answers struct {
	Seconds     float64 // the time
	Quick, Long float64
	// Half of that time was spent in answers that took Typical seconds or longer, each; so many are Alike, which took
	// half of that at least. 0 where that is not known.
	Typical, Alike float64
	Times          Times
}

// SetAnswers tells what was answered since it was told last, about once a second.
func (t *Tier) SetAnswers(a Answers) {
	t.jam.answered(a, t.contention.restsFrom(fewestInLine))
	t.slowed.answered(a.Times)
	p := &t.patience
	keep := math.Exp2(-a.Seconds / patienceMemory.Seconds())
	p.seconds, p.quick, p.all = p.seconds*keep+a.Seconds, p.quick*keep+a.Quick, p.all*keep+a.Quick+a.Long
	keep = math.Exp2(-a.Seconds / longMemory.Seconds())
	p.longSeconds, p.longest = p.longSeconds*keep+a.Seconds, p.longest*keep+a.Long
	p.now = p.waiting()
}

// Patient is how many requests wait on purpose in the window that was added last.
func (t *Tier) Patient() float64 {
	if len(t.pending) == 0 {
		return 0
	}
	return t.pending[len(t.pending)-1].patient
}

// add takes a window: all requests in the tier, and those that wait for no tier behind.
func (p *patience) add(queue, own float64) {
	keep := math.Exp2(-p.width.Seconds() / patienceMemory.Seconds())
	p.weight = p.weight*keep + 1
	p.queue = p.queue*keep + queue
	p.own = p.own*keep + own
}

// sleeps takes how many requests slept in the tier in a window, as the scheduler tells it, and how many no worker
// had taken yet.
func (p *patience) sleeps(asleep, unbegun float64) {
	keep := math.Exp2(-p.width.Seconds() / patienceMemory.Seconds())
	p.sleeping = p.sleeping*keep + 1
	p.asleep = p.asleep*keep + max(0, asleep-unbegun)
	p.unbegun = p.unbegun*keep + unbegun
}

// begun is how many requests of these a worker has taken, as far as is known.
func (p *patience) begun(requests float64) float64 {
	if p.sleeping == 0 {
		return requests
	}
	return max(0, requests-p.unbegun/p.sleeping)
}

// waiting is how many requests wait on purpose in the tier itself; 0 where that is not known.
func (p *patience) waiting() float64 {
	if p.longest <= 0 || p.weight == 0 || p.sleeping == 0 {
		return 0
	}
	quick := p.quick / p.seconds
	all := p.begun(p.queue/p.weight) - quick
	own := p.begun(p.own / p.weight)
	here := all
	if own < mostlyHere*all { // some of them, or all, wait on purpose in a tier behind
		here = own - quick
	}
	// Never more than finished their waiting lately: otherwise something has changed, or stands still.
	return max(0, min(here, longMargin*p.longest/p.longSeconds, p.asleep/p.sleeping))
}

// unaccounted reports whether most of those who are in the tier have been there for longer than those who were answered
// took. In the order of their coming they would have been answered, and by Little's law the time that the answers took
// accounts for about as many requests as there are. It may be that they wait on purpose, and that their time is not
// over.
func (p *patience) unaccounted() bool {
	return p.seconds > 0 && p.weight > 0 && p.all/p.seconds < accounted*p.begun(p.queue/p.weight)
}

const (
	patienceMemory = 5 * time.Second  // half-lives
	longMemory     = 30 * time.Second // polls end seldom
	longMargin     = 2                // so much more may be there than the polls of half a minute tell
	accounted      = 2. / 3
	mostlyHere     = 0.8
)
