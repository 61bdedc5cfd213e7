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
// compared with the number of requests present, in blocks of a second at least, as logarithms.
//
// A window is known half a second later than the answers that were given in it. So the answers wait until the windows
// of the same time have come: a line changes within a second.
type waitingLine struct {
	last           Answers   // those that wait
	windows        []present // that have come since the span of the answers before
	now            block     // the block under way
	begun          bool      // it is not the first second
	awake, few     float64   // seconds for which most requests have not slept, and of these with few requests
	blocks, chance float64   // decayed: number of blocks so far, and the variances by which chance moves each, summed
	known          float64   // seconds for which a line is still taken for granted
	free           bool      // a line was refuted, and nothing speaks for one since
	pairs          pairs     // logarithms of the number of requests and of the time that these answers took
}

// block is a second or more of what waitingLine looks at.
type block struct {
	queue, windows float64 // requests in the tier, summed over windows; number of windows
	seconds        float64 // that the answers below cover
	weight         float64 // request-seconds of all answers
	squares        float64 // and of their squares, so that weight²/squares is Answers.Effective of the block
	center, chance float64 // Answers.Center, weighted, and Answers.Chance, by the square of the weight
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
// they did not sleep, nothing can be told. If there are not many for some seconds, or threads are at work for longer,
// everything begins anew: when anything begins to hold up requests, they become more and take longer, whatever it is.
// The first second says nothing for the same reason.
func (m *waitingLine) answered(recent Answers, asleep, many bool) {
	a := m.last
	m.last = recent
	n, queue := 0, 0.0
	for ; n < len(m.windows) && m.windows[n].index < a.To; n++ {
		queue += m.windows[n].queue
	}
	m.windows = slices.Delete(m.windows, 0, n)
	b := &m.now
	if !asleep {
		*b = block{}
		m.awake += recent.Seconds
		if !many {
			m.few += recent.Seconds
		}
		if m.awake >= awakeSeconds || m.few >= fewSeconds {
			*m = waitingLine{awake: m.awake, few: m.few, last: recent, windows: m.windows}
		}
		return
	}
	m.awake, m.few = 0, 0
	m.known = max(0, m.known-recent.Seconds)
	if !m.begun {
		m.begun = true
		return
	}
	b.queue, b.windows = b.queue+queue, b.windows+float64(n)
	b.seconds += a.Seconds
	if a.Alike > 0 {
		if a.Chance == 0 { // not known: as if all took times of any length (an exponential distribution)
			a.Center, a.Chance, a.Effective = math.Log(a.Typical), 1/(math.Ln2*math.Ln2*a.Alike), a.Alike
		}
		weight := a.Quick + a.Long
		b.weight, b.squares = b.weight+weight, b.squares+weight*weight/a.Effective
		b.center, b.chance = b.center+weight*a.Center, b.chance+weight*weight*a.Chance
	}
	if b.seconds < 1-blockSlack || b.squares == 0 || b.weight*b.weight < blockAnswers*b.squares || b.windows == 0 ||
		b.queue == 0 {
		return
	}
	m.blocks, m.chance = m.blocks*lineKeep+1, m.chance*lineKeep+b.chance/(b.weight*b.weight)
	m.pairs.add(lineKeep, math.Log(b.queue/b.windows), b.center/b.weight)
	*b = block{}
	m.free = m.refuted()
	switch {
	case m.confirmed():
		m.known = lineSeconds
	case m.free:
		m.known = 0
	}
}

// there reports whether the requests wait in a line: it was confirmed lately, and not refuted since.
func (m *waitingLine) there() bool { return m.known > 0 }

// refuted reports whether the requests do not wait in a line, beyond chance: the time that they take does not follow
// their number. If the number is always the same, this can't be known, and the result is false. What is known is kept
// as long as it is more likely than not.
func (m *waitingLine) refuted() bool {
	if m.blocks < leastBlocks {
		return false
	}
	xx, yy, xy := m.pairs.spread(m.blocks)
	if xx <= 0 {
		return false
	}
	slope := xy / xx
	rest := max(0, yy-slope*xy)/m.blocks + WithinBucket
	beyond := beyondChance
	if m.free {
		beyond = 1
	}
	return slope+beyond*math.Sqrt(rest/xx) < lineSlope
}

// confirmed reports whether the requests wait in a line, beyond chance: they take longer when more requests are there,
// and their times vary by more than chance explains. If their number hardly varies, that shows nothing: where callers
// are as many as may call at all, requests that take longer by themselves are more of those. Fisher's transformation
// tells how far the correlation is beyond chance, because a few blocks are enough if it is nearly 1.
func (m *waitingLine) confirmed() bool {
	if m.blocks < leastBlocks {
		return false
	}
	xx, yy, xy := m.pairs.spread(m.blocks)
	return xx > leastSpread*leastSpread*m.blocks && yy >= mostByChance(m.blocks-1)*m.chance && xy >= lineSlope*xx &&
		math.Atanh(min(m.pairs.correlation(m.blocks), nearlyOne))*math.Sqrt(m.blocks-3) >= beyondChance
}

// mostByChance is how many times as large as the true variance that is measured may be by chance, three standard
// deviations away, with so many degrees of freedom (Wilson and Hilferty's approximation of the chi-squared
// distribution). It matters because the number of requests in the tier varies with the times that they take, also if
// each takes its time by itself: so the two are correlated anyway.
func mostByChance(freedom float64) float64 {
	v := 2 / (9 * freedom)
	return math.Pow(1-v+3*math.Sqrt(v), 3)
}

const (
	blockAnswers = 30   // answers, of which the typical time is known to about a quarter
	blockSlack   = 0.1  // s: ticks are not exact
	mostWaiting  = 1000 // windows, if no answers are told
	awakeSeconds = 10
	fewSeconds   = 3
	lineSeconds  = 20. // a line that is nearly always as long shows less
	leastBlocks  = 5
	fewestInLine = 1     // on average over a second
	leastSpread  = 0.07  // standard deviation of the logarithm of the number of requests
	lineSlope    = 0.5   // 1 where all that are there wait in one line
	nearlyOne    = 0.999 // a correlation of 1 may be a little more, by rounding
)

// lineKeep makes a block count half after 15 more blocks.
var lineKeep = math.Exp2(-1. / 15)

// sleepsInLine reports whether a line of requests may be asleep in the tier: nearly all of them slept in the last
// second, or most of them beside threads that are too little at work to keep so many waiting.
func (t *Tier) sleepsInLine() bool {
	return t.contention.restsFrom(fewestInLine) || t.contention.restsBeside(t.processes)
}

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
