// SPDX-License-Identifier: Apache-2.0

package judgement

import "math"

// handedOn reports whether the next waiting request calls as soon as another one has its answer. That is so if a lock
// is held during a call, or if others call beside a pool, so that the number of calls outstanding has no maximum. Under
// pressure that number hardly changes, far less than with calls that begin by chance. And requests are answered when
// calls are answered. Calls that belong to no request, such as those of a job that reads all the time, may be as
// constant in number, but have nothing to do with the requests that are answered.
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
	evenWindows     = 4    // so many times the windows that other signs need: two seconds
	oneAtATime      = 0.9  // calls outstanding: nearly always one, because the next follows at once
	evenShare       = 0.25 // of the variance that chance would cause
	answersTogether = 0.5  // correlation; by chance it stays within 0.3, which is twice its deviation
)

// byChance is the variance of a window's mean number of calls, if calls begin independently of each other, mean of them
// are outstanding on average, and each takes length windows.
func byChance(mean, length float64) float64 {
	if length <= 1 {
		return mean * length * (1 - length/3)
	}
	return mean * (1 - 1/(3*length))
}

// pairs are sums over windows of two numbers, decayed.
type pairs struct{ x, y, xx, yy, xy float64 }

func (p *pairs) add(keep, x, y float64) {
	*p = pairs{p.x*keep + x, p.y*keep + y, p.xx*keep + x*x, p.yy*keep + y*y, p.xy*keep + x*y}
}

// correlation is Pearson's correlation of n pairs; 0 if one of the two numbers is always the same.
func (p *pairs) correlation(n float64) float64 {
	xx, yy, xy := p.spread(n)
	if xx <= 0 || yy <= 0 {
		return 0
	}
	return xy / math.Sqrt(xx*yy)
}

// spread returns the sums of the squared deviations of n pairs, and the sum of the products of these deviations.
func (p *pairs) spread(n float64) (xx, yy, xy float64) {
	return p.xx - p.x*p.x/n, p.yy - p.y*p.y/n, p.xy - p.x*p.y/n
}
