// SPDX-License-Identifier: Apache-2.0

package judgement

import (
	"math"
	"time"
)

// sharedAnswers finds whether one answer of a tier behind lets several requests go that had not called it, because they
// wait for what another request asked for. A cache asks only once for a page that many requests want (Varnish's waiting
// list, nginx's proxy_cache_lock, a loader's "single flight"). Its calls look like a pool at its limit: one call for
// each page that is being fetched while requests press. But if requests waited for a place, one of them would take it,
// and call, as soon as an answer sets it free. Requests that need no call may have waited behind that one for a thread,
// and leave with it.
//
// Two regressions tell the difference, window by window while requests wait. They relate the requests that leave
// without a call, and the calls begun, to the answers that come.
type sharedAnswers struct {
	keep                       float64 // weight that a window still has one window later
	waited, answered           float64 // over all windows: calls outstanding, answers
	n, answers, left, begun    float64 // over the windows in which requests wait
	answerSquares, leftSquares float64
	answersLeft, answersBegun  float64
}

// sharedAnswersMemory is the half-life of what is learned from windows. A page that is fetched once a second has some
// ten answers in this time.
const sharedAnswersMemory = 10 * time.Second

func newSharedAnswers(width time.Duration) sharedAnswers {
	return sharedAnswers{keep: remaining(width, sharedAnswersMemory)}
}

// add takes a window outside of stops: its calls, how many of them were outstanding on average, and the own queue
// before and after the window.
func (r *sharedAnswers) add(c Calls, outstanding, before, after float64) {
	answers, begun := c.Answered, c.Begun
	left := before - after - begun
	decay(&r.waited, r.keep, outstanding)
	decay(&r.answered, r.keep, answers)
	if before < 1 { // an answer that comes now lets no waiting request go
		return
	}
	decay(&r.n, r.keep, 1)
	decay(&r.answers, r.keep, answers)
	decay(&r.left, r.keep, left)
	decay(&r.begun, r.keep, begun)
	decay(&r.answerSquares, r.keep, answers*answers)
	decay(&r.leftSquares, r.keep, left*left)
	decay(&r.answersLeft, r.keep, answers*left)
	decay(&r.answersBegun, r.keep, answers*begun)
}

// took is how long the calls took, in windows.
func (r *sharedAnswers) took() float64 { return r.waited / r.answered }

// several reports whether, beyond chance, an answer lets several requests go, none of which calls then.
func (r *sharedAnswers) several() bool {
	if r.answers < fewestAnswersSeen {
		return false
	}
	mean := r.answers / r.n
	variance, covariance := r.answerSquares-mean*r.answers, r.answersLeft-mean*r.left
	spread := r.leftSquares - r.left*r.left/r.n
	if variance <= 0 || spread <= 0 || covariance < leastReleased*variance ||
		r.answersBegun-mean*r.begun > mostTaken*variance {
		return false
	}
	return covariance/math.Sqrt(variance*spread)*math.Sqrt(r.n) >= beyondDoubt
}

const (
	fewestAnswersSeen = 4   // answers, before anything is said
	leastReleased     = 2   // requests that one answer lets go, beside the request that called
	mostTaken         = 0.5 // calls that begin per answer: it is 1 if requests wait for a place
	beyondDoubt       = 4   // standard errors of a correlation, because it is asked each second, for hours
)

// sharesAnswers is a destination whose answers let several requests go while the tier's threads sleep; nil if there is
// none.
func (t *Tier) sharesAnswers(index int64) *destination {
	if !t.mayBeAsleep(index) {
		return nil
	}
	for _, d := range t.destinations {
		if d.sharedAnswers.several() {
			return d
		}
	}
	return nil
}
