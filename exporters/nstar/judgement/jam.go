// SPDX-License-Identifier: Apache-2.0

package judgement

import "math"

// jam tells whether the requests that sleep in a tier wait for each other: for a connection of a pool that others keep
// while they do something else, for a lock, for a worker. Nothing of that is to be seen in the calls, which are few.
// But who waits in a line takes as long as the line is: the more requests are there, the longer it takes. Requests that
// sleep on purpose, for a timer or for somebody out of sight, take as long as that does, however many they are.
//
// Of the answers those count that took long: not all pages need what others wait for. They are held against the
// requests that were there by blocks of a second at least, as logarithms.
type jam struct {
	now             block   // under way
	awake           float64 // seconds since most of them slept
	blocks, answers float64 // decayed: blocks so far, and these answers in them
	pairs           pairs   // logarithms of the requests and of what these answers took
}

// block is a second or more of a jam.
type block struct {
	queue, windows float64 // requests in the tier
	seconds        float64 // of the answers below
	alike          float64 // answers that took long, for the time that was spent in all of them
	typical        float64 // the logarithm of what these took, weighed by their number
}

// add takes a window, with all of the requests in the tier.
func (m *jam) add(queue float64) {
	m.now.queue += queue
	m.now.windows++
}

// answered takes what was answered lately, and whether most of those who were there slept. Where they did not, nothing
// is told; and after some seconds it begins anew: when something begins to keep requests, they become more and take
// longer, whatever it is.
func (m *jam) answered(a Answers, asleep bool) {
	b := &m.now
	if !asleep {
		*b = block{}
		if m.awake += a.Seconds; m.awake >= awakeSeconds {
			*m = jam{awake: m.awake}
		}
		return
	}
	m.awake = 0
	b.seconds += a.Seconds
	if a.Alike > 0 {
		b.alike += a.Alike
		b.typical += a.Alike * math.Log(a.Typical)
	}
	if b.seconds < 1-blockSlack || b.alike < blockAnswers || b.windows == 0 || b.queue == 0 {
		return
	}
	m.blocks, m.answers = m.blocks*jamKeep+1, m.answers*jamKeep+b.alike
	m.pairs.add(jamKeep, math.Log(b.queue/b.windows), b.typical/b.alike)
	*b = block{}
}

// refuted reports whether it is beyond chance that requests don't wait in a line: what they take does not follow their
// number. Where always as many are there nobody knows.
func (m *jam) refuted() bool {
	if m.blocks < leastBlocks {
		return false
	}
	xx, yy, xy := m.pairs.spread(m.blocks)
	if xx <= 0 {
		return false
	}
	slope := xy / xx
	rest := max(0, yy-slope*xy)/m.blocks + ofBuckets
	return slope+beyondChance*math.Sqrt(rest/xx) < jamSlope
}

// lasts reports whether it is so, beyond chance: requests take the longer the more are there, and that varies by more
// than it would by chance.
func (m *jam) lasts() bool {
	if m.blocks < leastBlocks {
		return false
	}
	chance := byChance1 * byChance1 / m.answers * m.blocks // variance of a block's
	xx, yy, xy := m.pairs.spread(m.blocks)
	return xx > 0 && yy >= swing*swing*chance*m.blocks && xy >= jamSlope*xx &&
		m.pairs.correlation(m.blocks)*math.Sqrt(m.blocks) >= beyondChance
}

const (
	blockAnswers = 30  // of which it is known to a quarter or so what they take
	blockSlack   = 0.1 // s: ticks are not exact
	awakeSeconds = 3
	leastBlocks  = 5
	fewestInLine = 1   // on average over a second
	jamSlope     = 0.5 // 1 where all that are there wait in one line
	// byChance1 is the standard deviation of the logarithm of a median of times by an exponential distribution, times
	// the root of their number: 1/ln 2. The requests that are there vary with it, so that it must vary by so many times
	// as much.
	byChance1 = 1.44
	swing     = 1.5
	// ofBuckets is the variance of the logarithm of a time that is known to a fourth of a power of two.
	ofBuckets = 0.0025
)

// jamKeep makes blocks count half after 15 of them.
var jamKeep = math.Exp2(-1. / 15)

// jammed reports whether what waits in a tier that calls others sleeps, in a line or for its other threads, while the
// disk is quiet and all whom it asks are known. In a tier that calls nobody that is a lock.
func (t *Tier) jammed(p *pending) bool {
	l := t.load(p.Index)
	return len(t.destinations) > 0 && !p.locked && (t.jam.lasts() || t.contention.waitsForThreads(t.processors)) &&
		t.contention.restsFrom(fewestInLine) && !t.patience.unaccounted() && t.mayWaitUnseen(p) == 0 && l != nil &&
		l.Disk < busyDisk
}

// waitsForThreads reports whether nearly all of many requests that workers have begun and that slept in the last second
// waited for another thread of the tier: as long as that one keeps what they need, or until a worker takes what they
// handed over. Workers without work sleep in the same way, and an event loop or a runtime with its own scheduler (Go,
// Erlang) has about as many as processors; so there must be more than these.
func (c *contention) waitsForThreads(processors float64) bool {
	sum, n := c.sum(), float64(len(c.recent))
	return len(c.recent) == c.span && sum.Locked >= hardlyAnyWork*(sum.Asleep-sum.unbegun()) &&
		sum.Locked >= (manyLocked+2*max(1, processors))*n
}

// heldAt is the destination of which the connections may be what requests wait for in a line: the only one of which all
// are always in use, one request after the other, and no more are opened, though more requests are under way. Empty if
// there is none, or several.
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
	fewestHeld    = 2   // connections are a pool. One may be shared by all
	perConnection = 1.5 // requests under way: else each worker may have a connection of its own
	manyLocked    = 10  // requests
)
