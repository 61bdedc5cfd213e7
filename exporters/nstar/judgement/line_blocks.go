// SPDX-License-Identifier: Apache-2.0

package judgement

import "math"

// lineBlocks compares how long requests took with how many were there, in blocks of a second at least, as logarithms.
type lineBlocks struct {
	now            block   // the block under way
	blocks, chance float64 // decayed: number of blocks so far, and the variances by which chance moves each, summed
	pairs          pairs   // logarithms of the number of requests and of the time that the answers took
	longest        float64 // the largest of the latter
}

// block is a second or more.
type block struct {
	queue, windows float64 // requests in the tier, summed over windows; number of windows
	seconds        float64 // that the answers below cover
	weight         float64 // request-seconds of all answers
	squares        float64 // and of their squares, so that weight²/squares is Answers.Effective of the block
	center, chance float64 // Answers.Center, weighted, and Answers.Chance, by the square of the weight
}

// add takes answers, the number of requests summed over the windows of their time, and the number of these windows. It
// reports whether a block ended, which has so many answers at least. If requests take much longer than in all blocks
// before, and no line is known, something else began to hold them up, and everything begins anew: more of them are
// there, whatever it is.
func (l *lineBlocks) add(a Answers, queue, windows, answers float64, known bool) (ended bool) {
	b := &l.now
	b.queue, b.windows = b.queue+queue, b.windows+windows
	b.seconds += a.Seconds
	if a.Alike > 0 {
		if a.Chance == 0 { // not known: as if all took times of any length (an exponential distribution)
			a.Center, a.Chance, a.Effective = math.Log(a.Typical), 1/(math.Ln2*math.Ln2*a.Alike), a.Alike
		}
		weight := a.Quick + a.Long
		b.weight, b.squares = b.weight+weight, b.squares+weight*weight/a.Effective
		b.center, b.chance = b.center+weight*a.Center, b.chance+weight*weight*a.Chance*unbiased(a.Effective)
	}
	if b.seconds < 1-blockSlack || b.squares == 0 || b.weight*b.weight < answers*b.squares || b.windows == 0 ||
		b.queue == 0 {
		return false
	}
	took := b.center / b.weight
	if l.blocks == 0 || !known && took > l.longest+math.Log(muchLonger) {
		*l = lineBlocks{now: *b, longest: took}
	}
	l.longest = max(l.longest, took)
	l.blocks, l.chance = l.blocks*lineKeep+1, l.chance*lineKeep+b.chance/(b.weight*b.weight)
	l.pairs.add(lineKeep, math.Log(b.queue/b.windows), took)
	l.now = block{}
	return true
}

// unbiased is the factor from the variance of so many values to that of what they are a sample of (Bessel's
// correction).
func unbiased(n float64) float64 { return n / max(n-1, 0.5) }

// refuted reports whether the requests do not wait in a line, beyond chance: the time that they take does not follow
// their number. If the number is always the same, this can't be known, and the result is false. If it was so before
// (free), it is as long as that is more likely than not.
func (l *lineBlocks) refuted(free bool) bool {
	if l.blocks < leastBlocks {
		return false
	}
	xx, yy, xy := l.pairs.spread(l.blocks)
	if xx <= 0 {
		return false
	}
	slope := xy / xx
	rest := max(0, yy-slope*xy)/l.blocks + WithinBucket
	beyond := beyondChance
	if free {
		beyond = 1
	}
	return slope+beyond*math.Sqrt(rest/xx) < lineSlope
}

// confirmed reports whether the requests wait in a line, beyond chance: they take longer when more requests are there,
// and their times vary by more than chance explains. If their number hardly varies, that shows nothing: where callers
// are as many as may call at all, requests that take longer by themselves are more of those. Fisher's transformation
// tells how far the correlation is beyond chance, because a few blocks are enough if it is nearly 1.
func (l *lineBlocks) confirmed() bool {
	if l.blocks < leastBlocks {
		return false
	}
	xx, yy, xy := l.pairs.spread(l.blocks)
	return xx > leastSpread*leastSpread*l.blocks && yy >= mostByChance(l.blocks-1)*l.chance && xy >= lineSlope*xx &&
		math.Atanh(min(l.pairs.correlation(l.blocks), nearlyOne))*math.Sqrt(l.blocks-3) >= beyondChance
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
	blockSlack  = 0.1 // s: ticks are not exact
	muchLonger  = 2.  // times
	leastBlocks = 5
	leastSpread = 0.07  // standard deviation of the logarithm of the number of requests
	lineSlope   = 0.5   // 1 where all that are there wait in one line
	nearlyOne   = 0.999 // a correlation of 1 may be a little more, by rounding
)

// lineKeep makes a block count half after 15 more blocks.
var lineKeep = math.Exp2(-1. / 15)
