// SPDX-License-Identifier: Apache-2.0

package judgement

import (
	"math"
	"slices"
)

// waitingLine tells whether the requests that sleep in a tier wait for each other: for a connection of a pool that
// other requests keep while they do something else, for a lock, for a worker. Nothing of that shows in the calls, which
// are few. But a request that waits in a line takes as long as the line is: the more requests are there, the longer
// each takes. Requests that sleep on purpose, for a timer or for a server out of sight, take as long as that does,
// however many they are.
//
// An answer counts by the time that it took, because not all pages need what the others wait for. These times are
// compared with the number of requests present, in blocks of many answers and in blocks of few. Where few requests
// come, a line has come and gone within a block of many. But among few answers one that takes long is chance. So their
// blocks count only if the number of requests varies more than that of requests that come and stay independently of
// each other, whose variance is their mean (independence says why).
//
// A window is known half a second later than the answers that were given in it. So the answers wait until the windows
// of the same time have come: a line changes within a second.
type waitingLine struct {
	last      Answers    // those that wait
	windows   []present  // that have come since the span of the answers before
	begun     bool       // it is not the first second
	awake     float64    // seconds for which most requests have not slept
	few       float64    // of these, with few requests
	many, all lineBlocks // blocks of many answers, and all blocks
	number    numbers    // of all requests in the tier
	known     float64    // seconds for which a line is still taken for granted
	free      bool       // a line was refuted, and nothing speaks for one since
}

// present is the number of all requests in the tier in a window.
type present struct {
	index int64
	queue float64
}

// add takes a window and the number of all requests in the tier.
func (m *waitingLine) add(index int64, queue float64) {
	if len(m.windows) == mostWaiting {
		m.windows = m.windows[:0]
	}
	m.windows = append(m.windows, present{index, queue})
}

// answered takes the recent answers, whether most of the requests in the tier slept, and whether there were many. If
// they did not sleep, nothing can be told. When anything begins to hold up requests, they become more and take longer,
// whatever it is. So the first second says nothing, nor does that after some seconds without many requests. If there
// are not many for longer, or threads are at work for longer, everything begins anew.
func (m *waitingLine) answered(recent Answers, asleep, many bool) {
	a := m.last
	m.last = recent
	queue, windows := m.present(a)
	if !asleep {
		m.awake += recent.Seconds
		if !many {
			m.few += recent.Seconds
		}
		if m.few >= forgetSeconds || m.few >= fewSeconds && m.all.blocks < leastBlocks ||
			m.awake >= awakeSeconds && m.awake > m.few {
			*m = waitingLine{awake: m.awake, few: m.few, last: recent, windows: m.windows}
			return
		}
		if m.few >= fewSeconds {
			m.begun = false
		}
		if many || !m.begun {
			m.many.now, m.all.now = block{}, block{}
		}
		return
	}
	m.awake, m.few = 0, 0
	m.known = max(0, m.known-recent.Seconds)
	if !m.begun {
		m.begun = true
		return
	}
	ended := m.many.add(a, queue, windows, manyAnswers, m.there())
	if !m.all.add(a, queue, windows, fewAnswers, m.there()) && !ended {
		return
	}
	m.free = m.refuted()
	switch {
	case m.confirmed():
		m.known = lineSeconds
	case m.free:
		m.known = 0
	}
}

// present takes the windows of the time of the answers. It returns the number of requests, summed over these windows,
// and how many they are.
func (m *waitingLine) present(a Answers) (queue, windows float64) {
	n := 0
	m.number.fade(math.Exp2(-a.Seconds / numberSeconds))
	for ; n < len(m.windows) && m.windows[n].index < a.To; n++ {
		q := m.windows[n].queue
		queue += q
		if m.begun {
			m.number.add(q)
		}
	}
	m.windows = slices.Delete(m.windows, 0, n)
	return queue, float64(n)
}

// there reports whether the requests wait in a line: it was confirmed lately, and not refuted since.
func (m *waitingLine) there() bool { return m.known > 0 }

// refuted reports whether the requests do not wait in a line, beyond chance. What is known is kept as long as it is
// more likely than not.
func (m *waitingLine) refuted() bool { return m.all.refuted(m.free) }

// confirmed reports whether the requests wait in a line, beyond chance.
func (m *waitingLine) confirmed() bool {
	return m.many.confirmed() || m.all.confirmed() && m.number.dispersion() >= lineDispersion
}

const (
	manyAnswers   = 30 // of which the typical time is known to about a quarter
	fewAnswers    = 6
	mostWaiting   = 1000 // windows, if no answers are told
	awakeSeconds  = 10
	fewSeconds    = 3
	forgetSeconds = 15
	lineSeconds   = 20. // a line that is nearly always as long shows less
	numberSeconds = 20. // half-life
	fewestInLine  = 1   // on average over a second

	lineDispersion = 1.3 // of the number of requests
)

// sleepsInLine reports whether a line of requests may be asleep in the tier: nearly all of them slept in the last
// second, or most of them beside threads that are too little at work to keep so many waiting.
func (t *Tier) sleepsInLine() bool {
	return t.contention.restsFrom(fewestInLine) || t.contention.restsBeside(t.processes)
}

// mayStandInLine reports whether several requests slept in the last second, and it is not known yet how long one takes
// that waits for nothing: then nothing tells how many are too many.
func (t *Tier) mayStandInLine() bool { return math.IsNaN(t.estimate.Base) && t.contention.doze() }

// lineIsKnown reports whether requests of the tier wait in a line, as far as their times tell.
func (t *Tier) lineIsKnown() bool { return t.waitingLine.there() && !t.slowed.eachByItself() }

// waitsInLine reports whether the waiting requests of a tier sleep in a line, or those of a tier that calls others wait
// for other threads of the tier. The disk must be quiet, and the tier must not call a program out of sight.
func (t *Tier) waitsInLine(p *pending) bool {
	l := t.load(p.Index)
	return !p.locked && (t.lineIsKnown() || len(t.destinations) > 0 && t.contention.waitsForThreads(t.processors)) &&
		t.sleepsInLine() && !t.patience.unaccounted() && t.mayWaitUnseen(p) == 0 && l != nil &&
		l.Disk < busyDisk
}

// waitsForThreads reports whether many requests that workers had begun slept in the last second, and nearly all of them
// waited for another thread of the tier. That thread has to give up what they need, or a worker has to take what they
// handed over. Idle workers sleep in the same way, and an event loop or a runtime with its own scheduler (Go, Erlang)
// has about as many idle workers as processors. So there must be more requests than that.
func (c *contention) waitsForThreads(processors float64) bool {
	sum, n := c.sum(), float64(len(c.recent))
	return len(c.recent) == c.span && sum.Locked >= hardlyAnyWork*(sum.Asleep-sum.unbegun()) &&
		sum.Locked >= (manyLocked+2*max(1, processors))*n
}

// line is the charge for requests that sleep in a line. If those that are not in the line mostly wait for answers of a
// tier that is slow, more places would only wait there, too. So the requests wait for that tier. It does not matter
// what the places are: a pool's connections that carry more than one call at a time, or workers.
func (t *Tier) line(p *pending) Charge {
	awake := t.level - t.contention.sleeping()
	for i := range p.outstanding {
		if t.waitAtSlow(p, i, awake) {
			return Charge{Cause: Behind, To: t.destinations[i].to}
		}
	}
	return Charge{Cause: SoftResource, To: t.heldAt()}
}

// waitAtSlow reports whether several calls, at least so many, wait at a destination that is slow.
func (t *Tier) waitAtSlow(p *pending, i int, least float64) bool {
	return p.outstanding[i] >= max(fewestHeld, least) && t.destinations[i].slowness() >= slow
}

// heldAt is the destination whose connections may be what the requests in the line wait for. It is the only destination
// of which all connections are always in use, for one request after the other, and no more connections are opened
// though more requests are under way. It is empty if there is no such destination, or more than one.
func (t *Tier) heldAt() string {
	found := ""
	for _, d := range t.destinations {
		l := &d.cap
		if l.open < fewestHeld || !l.rotate() || l.together(l.open) || l.pressed < minPressed ||
			l.used < usedShare*l.pressed ||
			t.contention.held() < perConnection*l.open {
			continue
		}
		if found != "" {
			return ""
		}
		found = d.to
	}
	return found
}

const (
	fewestHeld    = 2   // connections are a pool; a single one may be shared by all requests
	perConnection = 1.5 // requests under way per connection: with fewer, each worker may have its own
	manyLocked    = 10  // requests
)
