// SPDX-License-Identifier: Apache-2.0

package judgement

import "math"

// handedOn reports whether who waits calls as soon as another one has its answer: a lock that is held over a call, or a
// pool beside which others call, so that the calls outstanding have no highest number. Under pressure they hardly
// change, far less than calls would that begin by chance; and when calls are answered, requests are. Calls that are no
// part of requests, as those of a job that reads all the time, may be as even, but have nothing to do with what is
// answered.
func (l *limit) handedOn() bool {
	if l.pressed < evenWindows*minPressed || l.begun == 0 {
		return false
	}
	mean := l.calls / l.pressed
	variance := l.squares/l.pressed - mean*mean
	return mean >= oneAtATime && variance <= evenShare*byChance(mean, l.calls/l.begun) &&
		l.pairs.correlation(l.pressed) >= answersTogether
}

const (
	evenWindows     = 4    // times as many as other signs need: two seconds
	oneAtATime      = 0.9  // calls outstanding: nearly always one, since the next follows at once
	evenShare       = 0.25 // of the variance by chance
	answersTogether = 0.5  // chance stays within 0.3 then, at twice its deviation
)

// byChance is the variance that the mean of a window has where calls begin independently of each other, so many are
// outstanding on average, and each takes so many windows.
func byChance(mean, length float64) float64 {
	if length <= 1 {
		return mean * length * (1 - length/3)
	}
	return mean * (1 - 1/(3*length))
}

// pairs are sums over windows of two counts, decayed.
type pairs struct{ x, y, xx, yy, xy float64 }

func (p *pairs) add(keep, x, y float64) {
	*p = pairs{p.x*keep + x, p.y*keep + y, p.xx*keep + x*x, p.yy*keep + y*y, p.xy*keep + x*y}
}

// correlation is Pearson's of n pairs; 0 where one of the two is always the same.
func (p *pairs) correlation(n float64) float64 {
	xx, yy, xy := p.spread(n)
	if xx <= 0 || yy <= 0 {
		return 0
	}
	return xy / math.Sqrt(xx*yy)
}

// spread is the sums of the squares of the deviations of n pairs, and of their products.
func (p *pairs) spread(n float64) (xx, yy, xy float64) {
	return p.xx - p.x*p.x/n, p.yy - p.y*p.y/n, p.xy - p.x*p.y/n
}
