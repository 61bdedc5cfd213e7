// SPDX-License-Identifier: Apache-2.0

package judgement

import (
	"math"
	"slices"
)

// Load is how busy the processors were on which a tier may run, in the windows [From, To), about a second. Ratios are
// shares of all of these processors; NaN if they are not known.
type Load struct {
	From, To int64
	Cores    float64 // processor time that the tier used, in processors, however many it may use; NaN while unknown
	Used     float64 // by the tier
	Busy     float64 // by any program, or stolen by the hypervisor
	Others   float64 // by programs that do not belong to the tier's application
	Disk     float64 // idle, while something waited for a disk
	Waiting  float64 // threads of the tier that were ready to run and waited for a processor, on average
	Thread   float64 // share of the time that its busiest thread ran, or was ready to; NaN if not asked for
	Writes   float64 // that thread's writes to files and sockets, a second; NaN if not known
	// Processes is how many processes share the tier's work, as if all had the same: the time that its threads ran,
	// or were ready to, over that of the process that had most of it. 0 or NaN if not known.
	Processes float64

	excess float64 // mean excess queue in the tier itself, in these windows
	known  bool    // excess has been computed
	full   bool    // the tier kept its processors busy in these seconds
}

// UnknownLoad is a load of which nothing is known, with no thread known to wait.
func UnknownLoad() Load {
	return Load{Cores: math.NaN(), Used: math.NaN(), Busy: math.NaN(), Thread: math.NaN(), Writes: math.NaN(),
		Processes: math.NaN()}
}

// loadsKept is for how many seconds a load is kept until its windows are judged: lag and settle delay take three or
// four.
const loadsKept = 16

// SetLoad says how busy the tier's processors were. It is called once a second.
func (t *Tier) SetLoad(l Load) {
	t.used, t.busy, t.ours = smooth(t.used, l.Used), smooth(t.busy, l.Busy), smooth(t.ours, l.Busy-l.Others)
	t.filled.ours = t.ours
	if l.Thread > 0 {
		t.busiest = max(l.Thread, busiestKeep*zeroIfNaN(t.busiest))
	}
	if l.Processes > 0 {
		t.processes = l.Processes
	}
	t.wanted += (l.Waiting - t.wanted) * loadWeight
	alone := l
	if !t.mayBeOneThread() {
		alone.Thread = math.NaN() // it was asked for because of requests that sleep, and says nothing about a limit
	}
	t.single.add(alone, t.rate/t.width.Seconds(), t.level, t.contention.wanting(l))
	l.full = t.fullNow()
	t.loads = append(t.loads, l)
	if len(t.loads) > loadsKept {
		t.loads = t.loads[1:]
	}
}

// smooth updates a mean by a new value, so that it stands for about the last five values. After NaN it begins anew.
func smooth(mean, v float64) float64 {
	if math.IsNaN(mean) || math.IsNaN(v) {
		return v
	}
	return mean + (v-mean)*loadWeight
}

const loadWeight = 0.2

// neighbours is the share of a window's excess for which the work of other applications on the same processors is to
// blame.
//
// Threads that are ready to run wait because another thread runs. For the share of the busy time that belongs to other
// applications, the wait is their fault; for the share of the tier's own application it is demand. If the scheduler is
// not followed (SetWork), the kernel tells only how long threads waited in a second, and not which threads ran. Then
// the wait is spread over the windows of the second in proportion to the excess.
func (t *Tier) neighbours(p *pending) float64 {
	l := t.load(p.Index)
	halted := t.rate >= someRate && p.Completions <= t.rate/4
	if t.contention.add(p.Index, p.own, t.called(p), t.waiting(p), halted) {
		t.unbegun.add(t.contention.recent[len(t.contention.recent)-1])
		return t.contention.share()
	}
	if l == nil || l.Waiting <= 0 || !(l.Busy > 0) || l.excess <= 0 {
		return 0
	}
	return min(1, l.Waiting*l.Others/l.Busy/l.excess)
}

// load is the load of the second in which a window that is about to be judged lies, with its excess; nil if it is not
// known.
func (t *Tier) load(index int64) *Load {
	l := t.second(index)
	if l != nil && !l.known {
		l.excess, l.known = t.meanExcess(l), true
	}
	return l
}

// second is the load of the second in which a window lies.
func (t *Tier) second(index int64) *Load {
	for i := range t.loads {
		if l := &t.loads[i]; index >= l.From && index < l.To {
			return l
		}
	}
	return nil
}

// meanExcess is the mean over the second of the excess queue for which no other reason is known.
func (t *Tier) meanExcess(l *Load) float64 {
	sum, n := 0.0, 0
	for i := range t.pending {
		p := &t.pending[i]
		if p.Index < l.From || p.Index >= l.To {
			continue
		}
		n++
		sum += t.waiting(p)
	}
	return sum / float64(max(n, 1))
}

// waiting is the excess queue of a window, unless another reason for it is known.
func (t *Tier) waiting(p *pending) float64 {
	switch p.frozen {
	case "":
		return t.excess(p, p.Completions)
	case Stopped:
		return p.own
	}
	return 0
}

// asleep reports whether most of the requests that wait in the tier neither run nor are ready to: the tier uses little
// of one processor, and few of its threads wait for one. The requests wait for something that is not work: a
// connection, a lock, a worker.
func (t *Tier) asleep(index int64) bool {
	l := t.load(index)
	return l != nil && l.excess >= asleepExcess && l.sleepy() && !t.contention.always() && !t.filled.wants()
}

// mayBeAsleep is the same as asleep, but true also for few requests, and if the load is not known.
func (t *Tier) mayBeAsleep(index int64) bool {
	l := t.load(index)
	return l == nil || l.sleepy() && !t.contention.always() && !t.filled.wants()
}

// sleepy reports whether the tier hardly computes, compared with the requests that wait in it. A server with a single
// thread may compute little because others have its processor. Then all requests wait for that thread, and the tier is
// not sleepy.
func (l *Load) sleepy() bool {
	return l.Cores < awake && !(l.Thread >= wantsMost) && l.Cores+l.Waiting <= asleepShare*l.excess
}

// AsksForThread reports whether the tier's threads have to be looked at in the next second.
func (t *Tier) AsksForThread() bool { return t.mayBeOneThread() || t.sleepersMayWaitForThread() }

// mayBeOneThread reports whether the last second leaves open that one thread wants to run for most of the time, or that
// one thread does all that is computed. In the next second the tier may compute a little less.
func (t *Tier) mayBeOneThread() bool {
	if len(t.loads) == 0 {
		return false
	}
	l := t.loads[len(t.loads)-1]
	wanted := l.Cores + l.Waiting
	return wanted >= awake && (l.Cores < nearlyAwake || l.Cores <= oneThread && wanted <= fewThreads)
}

// sleepersMayWaitForThread reports whether requests slept in the last second, in a tier that calls others, and would
// wait for a thread if one thread did all that the tier computes (Work.beyondThread).
func (t *Tier) sleepersMayWaitForThread() bool {
	sum, n := t.contention.sum(), float64(len(t.contention.recent))
	return n > 0 && len(t.destinations) > 0 && sum.Asleep >= fewCalls*n && sum.Ran+sum.Waited >= quarterBusy*n
}

// quarterBusy is how much a thread must want to run before it matters to others that wait for it: at a quarter of the
// time, a tenth of a request waits for it (M/M/1).
const quarterBusy = 0.25

// dormant reports whether the tier always has an excess queue that sleeps, and completes far less than it can: that is
// no demand. Consumers may wait for something to come (a broker's long polls, a queue from which workers take jobs), or
// the requests wait for a lock.
func (t *Tier) dormant(p *pending) bool {
	if !t.asleep(p.Index) || t.atLimit(p.Index) || !t.crowded() {
		return false
	}
	limit := t.estimate.MaxThroughput * t.width.Seconds()
	return !(t.rate >= dormantShare*limit)
}

// idling reports whether the tier is at its limit though it hardly computes and the disk is quiet. Its limit is then
// the number of requests that it takes on at a time (workers, threads, a lock), each of which waits for something that
// is not measured. The tier may also compute more than that if the kernel sees that nearly all requests that wait in it
// sleep. An example is a server that starts a process for each connection.
func (t *Tier) idling(p *pending) bool {
	l := t.load(p.Index)
	if l == nil || l.excess < asleepExcess || l.Disk >= busyDisk || !t.crowded() {
		return false
	}
	atOnce := max(1, t.processors)
	if n := t.estimate.SaturationPoint; n < atOnce {
		atOnce = n
	}
	return l.Cores+l.Waiting < idlingShare*atOnce ||
		t.asleep(p.Index) && t.contention.sleeping() >= hardlyAnyWork*l.excess
}

// notAccepted reports whether the tier's workers are all taken and asleep: their number is the limit, whatever they
// wait for. If one thread wants to run for most of the time, it may be the thread that accepts, as in an event loop;
// then this is false.
func (t *Tier) notAccepted(p *pending, excess float64) bool {
	l := t.load(p.Index)
	return l != nil && excess >= asleepExcess && l.Disk < busyDisk && !(l.Thread >= wantsMost) &&
		(t.contention.placesTaken(l.Used, t.busyIn(p.Index), max(1, t.processors), t.processes) ||
			t.rate >= someAnswers && t.contention.keptOut())
}

// busyIn is the share of the processors that is busy: in the second of the window, or the recent mean if that is more.
// A burst may be over before the mean shows it.
func (t *Tier) busyIn(index int64) float64 {
	if l := t.second(index); l != nil {
		return max(t.busy, l.Busy)
	}
	return t.busy
}

// crowded reports whether several requests are there all the time, and not only after a stop or in a burst.
func (t *Tier) crowded() bool {
	return !slices.ContainsFunc(t.pending, func(p pending) bool { return p.own < asleepExcess })
}

const (
	idlingShare   = 0.2 // of the processors that its requests could use at its limit
	hardlyAnyWork = 0.9 // of the requests that wait are asleep
	busyDisk      = 0.1 // of the time
)

// someRate is how many answers a window must have had lately, so that a window with hardly any is no chance.
const someRate = 2

// dormantShare of TPmax is so little that no change of the machine's speed explains it.
const dormantShare = 0.5

const (
	asleepExcess = 4    // requests; fewer may be chance
	awake        = 0.6  // of one processor: a server with a single thread is at its limit with one processor
	nearlyAwake  = 0.8  // of one processor: in the next second it may be less than awake
	wantsMost    = 0.75 // of the time: requests wait for a thread that wants to run for so long
	asleepShare  = 0.25 // at most so many of the requests are at work
)

// chargeNeighbours moves to the neighbours a share of what was charged to the tier itself or to no known cause, and the
// part of a collection by which the neighbours made it longer.
func (j *Judged) chargeNeighbours(share, lengthened float64) {
	if share <= 0 && lengthened <= 0 {
		return
	}
	slowed, starved := 0.0, 0.0
	for i := range j.Charges {
		c := &j.Charges[i]
		moved := share * c.Queue
		switch c.Cause {
		case Stopped:
			starved += moved
		case Demand, Slow, UnknownCause:
			slowed += moved
		case GarbageCollection:
			moved = lengthened * c.Queue
			slowed += moved
		default:
			continue
		}
		c.Queue -= moved
	}
	j.add(NoisyNeighbour, "", slowed)
	j.add(Starved, "", starved)
	for i := range j.Edges {
		if e := j.Edges[i]; e.Cause == Stopped {
			j.Edges[i].Queue -= share * e.Queue
			j.Edges = append(j.Edges, EdgeCharge{To: e.To, Cause: NoisyNeighbour, Queue: share * e.Queue})
		}
	}
}

// starved is the share from which a window does not show what the tier can do.
const starved = 0.3
