// SPDX-License-Identifier: Apache-2.0

package judgement

import (
	"math"
	"time"
)

// patience finds how many requests are in a tier because they wait on purpose: long polls, which are answered when
// there is something to tell or when their time is over. They keep no other request waiting, so they are not a queue.
//
// Nothing in a request says that it is a long poll, but the way it is served does. A place, a lock or a processor lets
// requests through in about the order in which they came, so all of them take long. Suppose that a request takes
// seconds, while most others, which came later, are answered in a tenth of that time or less. Then it waits for
// something that the others do not need, and if no thread works for it meanwhile, it costs nothing.
//
// A request that no worker has taken yet, on a connection that nobody has accepted or read, does not wait on purpose. A
// server that serves its existing connections before new ones (Puma behind a proxy that keeps connections) lets such
// requests wait for seconds, however soon it answers the others.
//
// It need not be known of each single request. By Little's law, the answers that did not take long account for a mean
// number of requests, given the time that they took. All requests in the tier beyond that number wait on purpose.
type patience struct {
	width                time.Duration
	weight               float64 // number of the windows below, decayed
	queue, own, asleep   float64
	done, grown          float64 // answers, and requests by which the queue has grown
	before               float64 // requests in the last window
	unbegun              float64 // requests that no worker had taken
	sleeping             float64 // number of windows of which it is known how many requests slept
	seconds, quick, all  float64 // of answers: seconds covered; request-seconds of the quick ones, and of all
	longSeconds, longest float64 // with a longer memory: seconds, and request-seconds of the answers that took long
	now                  float64 // requests that wait on purpose
}

// Answers are the requests that were answered in a span of time, by how long they took, in request-seconds.
type Answers struct {
	To          int64   // index of the first window after the span
	Seconds     float64 // length of the span
	Quick, Long float64
	// Half of all request-seconds were spent in answers that took Typical seconds or longer each. Alike is the
	// number of answers that took at least half of Typical. 0 if that is not known.
	Typical, Alike float64
	// Center is the mean natural logarithm of the seconds that answers took, each answer weighted by this time. Chance
	// is the variance of Center by chance, if each takes its time by itself. Effective is the number of answers
	// of which that would be so if all had the same weight. 0 if these are not known.
	Center, Chance, Effective float64
	Times                     Times
}

// WithinBucket is the variance of the natural logarithm of a time that is known to a quarter of a power of two.
const WithinBucket = 0.0025

// SetAnswers tells what was answered since the last call, about once a second.
func (t *Tier) SetAnswers(a Answers) {
	unknown := t.mayStandInLine()
	t.waitingLine.answered(a, unknown || t.sleepsInLine(), unknown || t.contention.queues())
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

// add takes a window: the number of all requests in the tier, of those that wait for no tier behind, and of answers.
func (p *patience) add(queue, own, done float64) {
	keep := remaining(p.width, patienceMemory)
	p.done, p.grown, p.before = p.done*keep+done, p.grown*keep+queue-p.before, queue
	p.weight = p.weight*keep + 1
	p.queue = p.queue*keep + queue
	p.own = p.own*keep + own
}

// sleeps takes how many requests slept in the tier in a window, as the scheduler reports it, and how many no worker had
// taken yet.
func (p *patience) sleeps(asleep, unbegun float64) {
	keep := remaining(p.width, patienceMemory)
	p.sleeping = p.sleeping*keep + 1
	p.asleep = p.asleep*keep + max(0, asleep-unbegun)
	p.unbegun = p.unbegun*keep + unbegun
}

// begun is how many of these requests a worker has taken, as far as this is known.
func (p *patience) begun(requests float64) float64 {
	if p.sleeping == 0 {
		return requests
	}
	return max(0, requests-p.unbegun/p.sleeping)
}

// waiting is how many requests wait on purpose in the tier itself; 0 if that is not known.
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
	// Never more than have finished such a wait lately: otherwise something has changed, or the tier stands still.
	return max(0, min(here, longMargin*p.longest/p.longSeconds, p.asleep/p.sleeping))
}

// unaccounted reports whether most of the requests in the tier have been there for longer than the answered requests
// took. If requests were answered in the order in which they came, then by Little's law the time that the answers took
// would account for about as many requests as there are: for those that came while the answered ones were there, which
// are more than were answered if the line grows. So these requests may wait on purpose, and their time is not over yet.
func (p *patience) unaccounted() bool {
	if p.seconds == 0 || p.weight == 0 {
		return false
	}
	came := 1.0 // for each answer
	if p.done > 0 {
		came = max(1, 1+p.grown/p.done)
	}
	return p.all/p.seconds*came < accounted*p.begun(p.queue/p.weight)
}

const (
	patienceMemory = 5 * time.Second  // half-lives
	longMemory     = 30 * time.Second // polls end seldom
	longMargin     = 2                // so many times as many may be there as the polls of half a minute tell
	accounted      = 2. / 3
	mostlyHere     = 0.8
)
