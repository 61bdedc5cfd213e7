// SPDX-License-Identifier: Apache-2.0

package judgement

import "time"

// Work is what the threads of a tier did in a window, as the kernel's scheduler tells it: seconds per second, so that 2
// is two threads.
type Work struct {
	Index  int64   `json:"index"`
	Ran    float64 `json:"ran,omitempty"`    // on a processor
	Waited float64 `json:"waited,omitempty"` // ready to run, without one
	Taken  float64 `json:"taken,omitempty"`  // of Waited, while another application had that processor
	Disk   float64 `json:"disk,omitempty"`   // waiting for a disk
	// requests that wait for no tier behind, and no thread works on them
	Asleep float64 `json:"asleep,omitempty"`
	// of these, those that wait for another thread of the tier, as for a lock
	Locked     float64 `json:"locked,omitempty"`
	Unaccepted float64 `json:"unaccepted,omitempty"` // connections that were established, and nobody had accepted them
	// connections that were accepted, and of whose requests nobody had read anything
	Unread  float64 `json:"unread,omitempty"`
	Refused float64 `json:"refused,omitempty"` // packets a second for which there was no room among those not accepted
	// Stopped is the share of the window for which its processes were stopped from outside (SIGSTOP, freezer).
	Stopped float64 `json:"stopped,omitempty"`
}

// SetWork tells what the threads did in the window that is judged next. It is told for every window or for none.
func (t *Tier) SetWork(w Work) { t.contention.next, t.contention.told = w, true }

// contention holds the work of the last second against the excess queue of the same windows.
type contention struct {
	next   Work
	told   bool // at all
	span   int  // windows in a second
	recent []worked
}

// worked is a window's work with the queue for which it was done.
type worked struct {
	Work
	own, excess float64
	calls       float64 // that requests wait for
	theirs      float64 // of the excess, what waits because others have the processors
}

// starves reports whether the tier's threads wanted to run for all of the window and hardly did, mostly because others
// had the processors: that is a stop. Threads that sleep meanwhile would be woken by those that are ready to run.
func (w Work) starves() bool {
	return w.Ran < hardlyRuns && w.Ran+w.Waited >= alwaysWanted && w.Taken >= w.Waited/2
}

// blamed is the part of a window's excess that others are to blame for: each thread that waits because they have its
// processor is a request that waits, or, where the tier starves, all of them in the part of that time that others had.
func (w Work) blamed(excess float64) float64 {
	if w.starves() {
		return max(w.Taken, excess*w.Taken/w.Waited)
	}
	return w.Taken
}

func newContention(width time.Duration) contention {
	return contention{span: max(int(time.Second/width), 1)}
}

// unbegun is how many requests no worker had taken yet: on connections that nobody had accepted, or that nobody had
// read. A server may accept by one thread, for others to read, as Tomcat and gunicorn do.
func (w Work) unbegun() float64 { return w.Unaccepted + w.Unread }

// of is the work of the window that is judged; none where it is not known.
func (c *contention) of(index int64) (w Work, ok bool) {
	if !c.told || c.next.Index != index {
		return Work{}, false
	}
	return c.next, true
}

// add takes the own queue, the calls outstanding and the excess queue of the window that is judged. It reports whether
// its work is known; if not, the second begins anew.
func (c *contention) add(index int64, own, calls, excess float64) bool {
	w, ok := c.of(index)
	if !ok {
		c.recent = c.recent[:0]
		return false
	}
	c.recent = append(c.recent, worked{w, own, excess, calls, w.blamed(excess)})
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
	}
	return sum
}

// share is the part of the excess that others are to blame for. Where at least one thread always wants to run, as that
// of a server with a single one, the other requests wait for that thread, and they have the part of the time that it
// wants.
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

// slowed reports whether most of the time that requests spend in the tier is waiting for processors, and others have
// much of it, be it known as excess or not: such windows do not show what the tier can do, nor how long a request takes
// that has nothing to wait for. Who ran in a wait of many turns is known for its last part only, so that a third is
// much.
func (c *contention) slowed() bool {
	sum := c.sum()
	return sum.Taken > 0 && sum.Taken >= noticed*float64(len(c.recent)) && sum.Waited >= sum.own/2 &&
		sum.Taken >= sum.Waited/3
}

// noticed is how many threads lack their processor, on average, before it matters: a few milliseconds here and there
// are usual.
const noticed = 0.2

// always reports whether a thread of the tier wants to run all the time, and does, but for the time in which others
// have its processor. Then requests wait for that thread, and not for a place to call.
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

// works reports whether a tier from which nothing comes is at work all the same, with requests that are long and share
// its processors. Its threads run or want to, one for every other request at least that it has accepted, be it read or
// not: an event loop that computes for one of them stops the others. Or, where requests are shared out inside of the
// process, as among goroutines, a processor's worth of threads runs now as all the time. A single thread that computes
// for one of many requests now and then keeps the others waiting, which is a stop of these.
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
	mostlyWaits = 4    // times as long a thread waits for a processor as it has one
	runs        = 0.5  // processor time from which a tier was at work for most of a window
	alwaysRuns  = 0.85 // of a processor, over a second: a thread that has it all the time
)

// placesTaken reports whether requests wait because nobody accepts or reads them while the tier's threads sleep: all
// its workers hold requests that wait for something else, in the tier or for their calls. Where the workers compute
// they are taken, too, but more of them would gain nothing; nor where as many as there are processors, of which none is
// left, run or want to, though others sleep (for an interpreter's lock), or nearly as many that hardly get one. It asks
// for the whole second, since a page may sleep for some windows and compute in others. used is the share of its
// processors that the tier uses, busy the share that anybody does.
func (c *contention) placesTaken(used, busy, processors float64) bool {
	if len(c.recent) == 0 || !(used < spare) {
		return false
	}
	sum, n := c.sum(), float64(len(c.recent))
	taken := c.held() + sum.calls/n
	work := (sum.Ran + sum.Waited) / n
	lacking := work >= processors || sum.Waited >= mostlyWaits*sum.Ran && work >= busyProcessors*processors
	if lacking && busy >= busyProcessors {
		return false
	}
	return sum.unbegun() >= sum.excess/2 && taken >= someHeld && work < taken/2
}

// keptOut reports whether nearly all that waits has not been accepted, while the threads hardly have anything to do:
// where requests are answered all the same, workers are held by connections on which nothing is asked.
func (c *contention) keptOut() bool {
	sum, n := c.sum(), float64(len(c.recent))
	return n > 0 && sum.Unaccepted >= asleepExcess*n && sum.Unaccepted >= hardlyAnyWork*sum.excess &&
		sum.Ran+sum.Waited < runs*n
}

// someAnswers are those of a window from which on a server answers: one a second.
const someAnswers = 0.05

// wanting is how many of the tier's threads run or are ready to: on average over the last second that the scheduler
// told of, else by what a second's load says.
func (c *contention) wanting(l Load) float64 {
	if len(c.recent) == 0 {
		return l.Cores + l.Waiting
	}
	sum := c.sum()
	return (sum.Ran + sum.Waited) / float64(len(c.recent))
}

// held is how many requests the tier has begun and not passed on, on average over the last second.
func (c *contention) held() float64 {
	sum := c.sum()
	return (sum.own - sum.unbegun()) / max(1, float64(len(c.recent)))
}

// sleeping is how many requests sleep in the tier, on average over the last second, where nearly all that wait in it
// do; else 0.
func (c *contention) sleeping() float64 {
	sum := c.sum()
	if sum.Ran+sum.Waited > asleepShare*sum.excess {
		return 0
	}
	return sum.Asleep / max(1, float64(len(c.recent)))
}

// rests reports whether nearly all of the requests that waited in the last second were seen to sleep, while the tier
// hardly used a processor or wanted one.
func (c *contention) rests() bool { return c.restsFrom(asleepExcess) }

// restsFrom is the same where so many wait at least.
func (c *contention) restsFrom(requests float64) bool {
	sum, n := c.sum(), float64(len(c.recent))
	return n > 0 && sum.excess >= requests*n && sum.Asleep >= hardlyAnyWork*sum.excess &&
		sum.Ran < restingRan*n && sum.Ran+sum.Waited <= restingShare*sum.excess
}

const (
	restingRan   = 0.3 // of a processor
	restingShare = 0.1 // of the requests that wait
)

// someHeld is the fewest requests that workers must hold: one worker is a limit, too.
const someHeld = 0.8

// spare is the share of its processors up to which a tier has some to spare.
const spare = 0.8

const (
	alwaysWanted = 0.9 // threads that run or are ready to, for one of them to be there all the time
	mostWindows  = 0.8 // of the last second
	hardlyRuns   = 0.1 // of a processor: less than other work leaves those who have the same priority
)

// lengthened is the part of a pause in this window by which others made it longer: the threads that collect garbage had
// to wait for processors. What is less than a third may be the requests' threads that waited for the collection to end.
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
