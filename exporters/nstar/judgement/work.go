// SPDX-License-Identifier: Apache-2.0

package judgement

import (
	"math"
	"time"
)

// Work is what the threads of a tier did in a window, as the kernel's scheduler reports it: seconds per second, so that
// 2 means two threads.
type Work struct {
	Index  int64   `json:"index"`
	Ran    float64 `json:"ran,omitempty"`    // on a processor
	Waited float64 `json:"waited,omitempty"` // ready to run, without one
	Taken  float64 `json:"taken,omitempty"`  // of Waited, the part in which another application had that processor
	Disk   float64 `json:"disk,omitempty"`   // waiting for a disk
	// requests that wait for no tier behind, and for which no thread works
	Asleep float64 `json:"asleep,omitempty"`
	// the part of Asleep that waits for another thread of the tier, as for a lock
	Locked     float64 `json:"locked,omitempty"`
	Unaccepted float64 `json:"unaccepted,omitempty"` // connections that were established, but not accepted
	// connections that were accepted, and from which no part of the request had been read
	Unread  float64 `json:"unread,omitempty"`
	Refused float64 `json:"refused,omitempty"` // packets a second that found no room in the accept queue
	// Stopped is the share of the window for which its processes were stopped from outside (SIGSTOP, freezer).
	Stopped float64 `json:"stopped,omitempty"`
	// Halted is a destination whose calls are out of sight, and whose processes were stopped from outside for most of
	// the window; empty if there is none.
	Halted string `json:"halted,omitempty"`
}

// SetWork tells what the threads did in the window that is judged next. It is called for every window or for none.
func (t *Tier) SetWork(w Work) { t.contention.next, t.contention.told = w, true }

// contention compares the threads' work in the last second with the excess queue of the same windows.
type contention struct {
	next   Work
	told   bool // the work is known at all
	span   int  // windows in a second
	recent []worked
}

// worked is a window's work with the queue for which it was done.
type worked struct {
	Work
	own, excess float64
	calls       float64 // calls for which requests wait
	theirs      float64 // of the excess: the part that waits because others have the processors
	held        float64 // of unbegun: those that may wait for a thread which keeps the tier from all else
}

// starves reports whether the tier's threads wanted to run for all of the window but hardly did, mostly because others
// had the processors. That is a stop. Threads that sleep meanwhile would be woken by the threads that are ready to run.
func (w Work) starves() bool {
	return w.Ran < hardlyRuns && w.Ran+w.Waited >= alwaysWanted && w.Taken >= w.Waited/2
}

// lacksProcessors reports whether, over so many windows of which w is the sum, a thread of the tier was ready to run
// for most of the time and hardly got a processor. Requests that seem to sleep then may wait for that thread. An
// example is the one thread of Redis beside a database that has all of its processor.
func (w Work) lacksProcessors(windows float64) bool {
	return w.Waited >= runs*windows && w.Waited >= mostlyWaits*w.Ran
}

// blamed is the part of a window's excess for which other applications are to blame. Each thread that waits while they
// have its processor counts as one waiting request. If the tier starves, the whole excess counts, times the share of
// the waiting time in which others had the processor.
func (w Work) blamed(excess float64) float64 {
	if w.starves() {
		return max(w.Taken, excess*w.Taken/w.Waited)
	}
	return w.Taken
}

func newContention(width time.Duration) contention {
	return contention{span: max(int(time.Second/width), 1)}
}

// unbegun is how many requests no worker had taken yet: they are on connections that nobody had accepted or read. A
// server may accept with one thread and read with others, as Tomcat and gunicorn do.
func (w Work) unbegun() float64 { return w.Unaccepted + w.Unread }

// of is the work of the window that is judged; ok is false if it is not known.
func (c *contention) of(index int64) (w Work, ok bool) {
	if !c.told || c.next.Index != index {
		return Work{}, false
	}
	return c.next, true
}

// add takes the own queue, the calls outstanding and the excess queue of the window that is judged, and whether far
// less than usual was done in it. It reports whether the window's work is known. If not, the last second begins anew.
func (c *contention) add(index int64, own, calls, excess float64, halted bool) bool {
	w, ok := c.of(index)
	if !ok {
		c.recent = c.recent[:0]
		return false
	}
	held := 0.0
	if halted && w.Ran >= alwaysWanted {
		held = w.unbegun()
	}
	c.recent = append(c.recent, worked{w, own, excess, calls, w.blamed(excess), held})
	if len(c.recent) > c.span {
		c.recent = c.recent[1:]
	}
	return true
}

// sum adds up the windows of the last second.
func (c *contention) sum() (sum worked) {
	for _, r := range c.recent {
		sum.Ran += r.Ran
		sum.Waited += r.Waited
		sum.Taken += r.Taken
		sum.Disk += r.Disk
		sum.Asleep += r.Asleep
		sum.Locked += r.Locked
		sum.Unaccepted += r.Unaccepted
		sum.Unread += r.Unread
		sum.own += r.own
		sum.calls += r.calls
		sum.excess += r.excess
		sum.theirs += r.theirs
		sum.held += r.held
	}
	return sum
}

// share is the part of the excess for which others are to blame. If at least one thread always wants to run, as in a
// server with a single thread, the other requests wait for that thread. Then others are to blame for at least the share
// of the wanted processor time that they had.
func (c *contention) share() float64 {
	sum := c.sum()
	if sum.Taken <= 0 || sum.excess <= 0 {
		return 0
	}
	share := sum.theirs / sum.excess
	if c.always() {
		share = max(share, sum.Taken/(sum.Ran+sum.Waited))
	}
	return min(1, share)
}

// slowed reports whether requests spend most of their time in the tier waiting for processors, and others have the
// processors for much of that time, whether this is known as excess or not. Such windows do not show what the tier can
// do. They do not show either how long a request takes that waits for nothing. If many threads have their turns during
// one wait, it is known only for the last part of the wait which threads these were. So a third of the time is already
// much.
func (c *contention) slowed() bool {
	sum := c.sum()
	return sum.Taken > 0 && sum.Taken >= noticed*float64(len(c.recent)) && sum.Waited >= sum.own/2 &&
		sum.Taken >= sum.Waited/3
}

// noticed is how many threads must lack their processor, on average, before it matters: a few milliseconds here and
// there are usual.
const noticed = 0.2

// always reports whether a thread of the tier wants to run all the time, and runs except when others have its
// processor. Then requests wait for that thread, and not for a place to call.
func (c *contention) always() bool {
	n := 0
	for _, r := range c.recent {
		if r.Ran+r.Waited >= alwaysWanted {
			n++
		}
	}
	sum, windows := c.sum(), float64(len(c.recent))
	return n > 0 && float64(n) >= mostWindows*windows && sum.Ran+sum.Taken >= mostWindows*windows
}

// works reports whether a tier that answers nothing is nevertheless at work, because its requests are long and share
// its processors. There are two signs.
//
// The first sign is that threads run or want to run, at least one for every two requests that the tier has accepted.
// Requests that it has not read count, too, because an event loop that computes for one request stops the others.
//
// The second sign is for a process that distributes requests among its threads itself, as Go does with goroutines: the
// threads use a whole processor now, as they have for the last second.
//
// If a single thread computes now and then for one of many requests, it keeps the others waiting. That is a stop of
// these.
func (c *contention) works(p *pending) bool {
	w, ok := c.of(p.Index)
	if !ok {
		return false
	}
	ran := c.sum().Ran / max(1, float64(len(c.recent)))
	return w.Ran >= runs && w.Ran+w.Waited >= (p.own-w.Unaccepted)/2 || len(c.recent) == c.span && ran >= alwaysRuns &&
		w.Ran >= alwaysRuns*ran
}

const (
	manyWait    = 2    // threads that wait for a processor, for each processor
	mostlyWaits = 4    // a thread waits so many times as long for a processor as it has one
	runs        = 0.5  // processor time from which a tier was at work for most of a window
	alwaysRuns  = 0.85 // of a processor, over a second: one thread that has it all the time
)

// placesTaken reports whether requests wait to be accepted or read while the tier's threads sleep: all its workers hold
// requests that wait for something else, in the tier or for their calls. If the workers compute, they are taken, too,
// but more workers would gain nothing.
//
// It looks at the whole second, because a page may sleep in some windows and compute in others. The tier uses the share
// used of its processors, and all programs together use the share busy.
func (c *contention) placesTaken(used, busy, processors, processes float64) bool {
	if len(c.recent) == 0 || !(used < spare) {
		return false
	}
	sum, n := c.sum(), float64(len(c.recent))
	return !sum.needsProcessors(n, busy, processors, processes) && sum.waitsForWorkers(n)
}

// needsProcessors reports whether no processor is left, over so many windows of which w is the sum, and more workers
// would gain nothing for this reason, even though threads of the tier sleep (for an interpreter's lock). As many
// threads as there are processors run or want to. Or nearly as many do, and hardly get one, or nearly as many as
// processes share the work: one thread of each process, for which its other threads wait. If many more threads wait
// than there are processors, it does not matter that these are idle for moments.
func (w Work) needsProcessors(windows, busy, processors, processes float64) bool {
	work := (w.Ran + w.Waited) / windows
	return w.Waited >= manyWait*processors*windows || busy >= busyProcessors && (work >= processors ||
		w.Waited >= mostlyWaits*w.Ran && work >= busyProcessors*processors ||
		processes > 1 && work >= alwaysWanted*processes)
}

// waitsForWorkers reports whether, over so many windows of which w is the sum, at least half of the excess was not
// begun while most of the workers held requests that slept. What waits while one thread keeps the tier from all else
// does not count.
func (w worked) waitsForWorkers(windows float64) bool {
	taken := w.own - w.unbegun() + w.calls
	return w.unbegun()-w.held >= w.excess/2 && taken >= someHeld*windows && w.Ran+w.Waited < taken/2
}

// keptOut reports whether nearly all waiting requests are on connections that have not been accepted, while the threads
// have hardly anything to do. If the tier answers requests all the same, its workers are held by connections on which
// nothing is asked.
func (c *contention) keptOut() bool {
	sum, n := c.sum(), float64(len(c.recent))
	return n > 0 && sum.Unaccepted >= asleepExcess*n && sum.Unaccepted >= hardlyAnyWork*sum.excess &&
		sum.Ran+sum.Waited < runs*n
}

// someAnswers is the number of answers in a window from which on a server counts as answering: one a second.
const someAnswers = 0.05

// wanting is how many of the tier's threads run or are ready to. It is the mean of the last second, as the scheduler
// reports it. If the scheduler is not followed, it comes from the given load.
func (c *contention) wanting(l Load) float64 {
	if len(c.recent) == 0 {
		return l.Cores + l.Waiting
	}
	sum := c.sum()
	return (sum.Ran + sum.Waited) / float64(len(c.recent))
}

// held is how many requests the tier has begun and not passed on to a tier behind, on average over the last second.
func (c *contention) held() float64 {
	sum := c.sum()
	return (sum.own - sum.unbegun()) / max(1, float64(len(c.recent)))
}

// sleeping is how many requests sleep in the tier, on average over the last second. It is 0 unless nearly all requests
// that wait in the tier sleep.
func (c *contention) sleeping() float64 {
	sum := c.sum()
	if sum.Ran+sum.Waited > asleepShare*sum.excess {
		return 0
	}
	return sum.Asleep / max(1, float64(len(c.recent)))
}

// rests reports whether nearly all requests that waited in the last second were seen to sleep, while the tier hardly
// used or wanted a processor.
func (c *contention) rests() bool { return c.restsFrom(asleepExcess) }

// restsFrom is the same as rests, if at least so many requests wait.
func (c *contention) restsFrom(requests float64) bool {
	sum := c.sum()
	return c.asleepOf(sum, sum.excess, requests)
}

// doze is the same for all requests that were there, whether they waited or not, if they are enough for a line.
func (c *contention) doze() bool {
	sum := c.sum()
	return c.asleepOf(sum, sum.own, fewestInLine)
}

// asleepOf reports whether nearly all of some requests slept, of which there were at least so many on average, while
// the tier hardly used or wanted a processor. All is summed over the last second.
func (c *contention) asleepOf(sum worked, requests, least float64) bool {
	n := float64(len(c.recent))
	return n > 0 && requests >= least*n && sum.Asleep >= hardlyAnyWork*requests && sum.Ran < restingRan*n &&
		sum.Ran+sum.Waited <= restingShare*requests && !sum.lacksProcessors(n)
}

// restsBeside reports whether more requests than usual were there in the last second, and most of them slept, in the
// same windows beyond the requests that may wait for a thread at work. So a thread that computes for a while and
// keeps all others waiting does not count, however seldom that is. So many processes share the tier's work.
func (c *contention) restsBeside(processes float64) bool {
	if !c.queues() {
		return false
	}
	sum, n, beyond := c.sum(), float64(len(c.recent)), 0.0
	for _, w := range c.recent {
		beyond += w.beyondThread(w.own, math.NaN(), processes)
	}
	return beyond >= mostBeside*sum.own && !sum.lacksProcessors(n)
}

// queues reports whether more requests were there in the last second than usual, and enough for a line.
func (c *contention) queues() bool {
	sum, n := c.sum(), float64(len(c.recent))
	return n > 0 && sum.own >= fewestInLine*n && sum.excess >= someExcess*sum.own
}

const (
	mostBeside = 0.5 // of the requests in a tier: so many must sleep
	someExcess = 0.3 // of the requests in a tier: if less is beyond what R0 explains, all is as usual
)

const (
	restingRan   = 0.3 // of a processor
	restingShare = 0.1 // of the requests that wait
)

// someHeld is the smallest number of requests that workers must hold: even one worker is a limit.
const someHeld = 0.8

// spare is the share of its processors up to which a tier still has processor time to spare.
const spare = 0.8

const (
	alwaysWanted = 0.9 // mean number of threads that run or are ready to, from which on one of them is always there
	mostWindows  = 0.8 // of the windows of the last second
	hardlyRuns   = 0.1 // of a processor: less than programs of equal priority leave each other
)

// lengthened is the share of a garbage collection's pause in this window that others have added to it, because the
// threads that collect garbage had to wait for processors. A share below a third does not count: it may come from the
// requests' threads, which waited for the collection to end.
func (c *contention) lengthened() float64 {
	if len(c.recent) == 0 {
		return 0
	}
	w := c.recent[len(c.recent)-1]
	if wanted := w.Ran + w.Waited; wanted > 0 && w.Taken/wanted >= starved {
		return min(1, w.Taken/wanted)
	}
	return 0
}
