// SPDX-License-Identifier: Apache-2.0

package judgement

import "math"

// jam tells whether the requests that sleep in a tier wait for each other: for a connection of a pool that others keep while
// they do something else, for a lock, for a worker. Nothing of that is to be seen in the calls, which are few. But who
// waits in a line takes as long as the line is: the more requests are there, the longer all of them take. Requests that sleep on purpose, for a
// timer or for somebody out of sight, take as long as that does, however many they are.
//
// Answers are held against the requests that were there by blocks of a second at least, as logarithms.
type jam struct {
	queue, windows float64 // of the block under way: requests in the tier
	seconds        float64 // of the answers below
	count, all     float64 // answers; what they took together, in request-seconds
	typical        float64 // log of the median, weighed by the answers

	awake                    float64 // seconds since most of them slept
	blocks, x, y, xx, xy, yy float64 // decayed: logarithms of the requests and of their medians
	answers, took, medians   float64 // decayed: answers; what they took together, and would have if each were a median one
}

// add takes a window, with all of the requests in the tier.
func (m *jam) add(queue float64) {
	m.queue += queue
	m.windows++
}

// answered takes what was answered lately, and whether most of those who were there slept. Where they did not, nothing is told;
// and after some seconds it begins anew: when something begins to keep requests, they become more and take longer,
// whatever it is.
func (m *jam) answered(a Answers, asleep bool) {
	if !asleep {
		awake := m.awake + a.Seconds
		if m.queue, m.windows, m.seconds, m.count, m.all, m.typical = 0, 0, 0, 0, 0, 0; awake >= awakeSeconds {
			*m = jam{}
		}
		m.awake = awake
		return
	}
	m.awake = 0
	m.seconds += a.Seconds
	m.count += a.Count
	m.all += a.Quick + a.Long
	if a.Median > 0 {
		m.typical += a.Count * math.Log(a.Median)
	}
	if m.seconds < 1-blockSlack || m.count < blockAnswers || m.windows == 0 || m.queue == 0 {
		return
	}
	x, y := math.Log(m.queue/m.windows), m.typical/m.count
	for _, sum := range []struct {
		to *float64
		v  float64
	}{
		{&m.blocks, 1}, {&m.x, x}, {&m.y, y}, {&m.xx, x * x}, {&m.xy, x * y}, {&m.yy, y * y},
		{&m.answers, m.count}, {&m.took, m.all}, {&m.medians, m.count * math.Exp(y)},
	} {
		*sum.to = *sum.to*jamKeep + sum.v
	}
	m.queue, m.windows, m.seconds, m.count, m.all, m.typical = 0, 0, 0, 0, 0, 0
}

// swings reports whether what most requests take, and not only some of them, varies by more than chance.
func (m *jam) swings() bool {
	chance := byChanceMedian * byChanceMedian / m.answers * m.blocks // variance of a block's
	return m.medians >= m.took/2 && m.yy-m.y*m.y/m.blocks >= swing*swing*chance*m.blocks
}

// refuted reports whether it would have been seen by now if requests waited in a line.
func (m *jam) refuted() bool { return m.blocks >= 2*leastBlocks && !m.swings() }

// lasts reports whether it is so, beyond chance: most requests take long, and the longer the more are there.
func (m *jam) lasts() bool {
	if m.blocks < leastBlocks || !m.swings() {
		return false
	}
	xx, yy := m.xx-m.x*m.x/m.blocks, m.yy-m.y*m.y/m.blocks
	xy := m.xy - m.x*m.y/m.blocks
	return xx > 0 && xy >= jamSlope*xx && xy/math.Sqrt(xx*yy)*math.Sqrt(m.blocks) >= beyondChance
}

const (
	blockAnswers = 30  // whose median is known to a quarter or so
	blockSlack   = 0.1 // s: ticks are not exact
	awakeSeconds = 3
	leastBlocks  = 5
	jamSlope     = 0.5 // 1 where all that are there wait in one line
	// byChanceMedian is the standard deviation of the logarithm of a median of times by an exponential distribution, times the
	// root of their number: 1/ln 2. Those that are there vary with it, so that medians must vary by so many times as much.
	byChanceMedian = 1.44
	swing          = 1.5
)

// jamKeep makes blocks count half after 15 of them.
var jamKeep = math.Exp2(-1. / 15)

// jammed reports whether what waits in a tier that calls others sleeps, in a line, while the disk is quiet and all whom it asks
// are known. In a tier that calls nobody that is a lock.
func (t *Tier) jammed(p *pending) bool {
	l := t.load(p.Index)
	return len(t.destinations) > 0 && !p.locked && t.jam.lasts() && t.contention.rests() && !t.patience.unaccounted() &&
		t.mayWaitUnseen(p) == 0 && l != nil && l.Disk < busyDisk
}

// heldAt is the destination of which the connections may be what requests wait for in a line: the only one of which all
// are always in use, one request after the other, and no more are opened. Empty if there is none, or several.
func (t *Tier) heldAt() string {
	found := ""
	for _, d := range t.destinations {
		l := &d.cap
		if l.open < fewestHeld || l.unchanged < rotationSeconds*l.second || l.together(l.open) || l.rotating < rotationShare*l.open ||
			l.pressed < minPressed || l.used < usedShare*l.pressed {
			continue
		}
		if found != "" {
			return ""
		}
		found = d.to
	}
	return found
}

// fewestHeld connections are a pool. One may be shared by all.
const fewestHeld = 2
