// SPDX-License-Identifier: Apache-2.0

package judgement

import "math"

// lowered finds that a cap has become smaller, before the higher peaks from before are forgotten: connections of a pool
// leaked, or somebody has configured fewer workers. It looks at the latest windows in which requests pressed for a
// place. If more calls could be outstanding than there are at most, they would be, sooner or later: a number that comes
// about by chance exceeds its mean now and then (a Poisson distribution, as for calls that do not wait for each other).
//
// The calls must have to do with the requests, because a job beside them may always have one call outstanding: more
// calls than otherwise are begun while requests press, or as many are answered as requests.
type lowered struct {
	windows [loweredWindows]pressedWindow // a ring
	n       int                           // windows so far
}

// pressedWindow is a window in which requests pressed for a place to call.
type pressedWindow struct {
	second      int // in which it was
	peak, calls float64
}

func (l *lowered) add(w pressedWindow) {
	l.windows[l.n%loweredWindows] = w
	l.n++
}

// since is the second in which the oldest of the latest windows was; ok is false if there are too few of them.
func (l *lowered) since() (second int, ok bool) {
	return l.windows[l.n%loweredWindows].second, l.n >= loweredWindows
}

// share is the share of these windows in which so many calls were outstanding at once. It is 0 if there were more in
// any of them, or if it may be chance that there were not.
func (l *lowered) share(most float64) float64 {
	calls, full := 0.0, 0.0
	for _, w := range l.windows {
		if w.peak > most {
			return 0
		}
		calls += w.calls / loweredWindows
		full += indicator(w.peak >= most) / loweredWindows
	}
	if full < capShare || loweredWindows*math.Log1p(-poissonAbove(most, calls)) > math.Log(loweredChance) {
		return 0
	}
	return full
}

// poissonAbove is the probability that a number with a Poisson distribution of the given mean is larger than n.
func poissonAbove(n, mean float64) float64 {
	term := math.Exp(-mean)
	sum := term
	for i := 1.0; i <= n; i++ {
		term *= mean / i
		sum += term
	}
	return max(0, 1-sum)
}

const (
	loweredWindows = 50   // 2.5 s under pressure
	loweredChance  = 1e-4 // that so many windows show no more calls by chance
)

// noteLowered takes a window under pressure. If the cap has become smaller, the higher peaks are forgotten.
func (l *limit) noteLowered(w pressedWindow) {
	l.lowered.add(w)
	since, ok := l.lowered.since()
	seconds := l.seconds - since
	if !ok || seconds < 1 || seconds > limitMemory ||
		!l.more(somewhatBusier) && l.pairs.correlation(l.pressed) < answersTogether {
		return
	}
	most := l.highestOf(seconds)
	if most < 1 || most >= l.highest() {
		return
	}
	share := l.lowered.share(most)
	if share == 0 {
		return
	}
	for i := range l.peaks {
		l.peaks[i] = min(l.peaks[i], most)
	}
	l.full = share * l.pressed
}
