// SPDX-License-Identifier: Apache-2.0

package judgement

import (
	"math"
	"time"
)

// ride tells whether an answer of a tier behind lets several requests go that had not called it: those that wait for
// what another request asked for. A cache asks once for a page that many want (Varnish's waiting list, nginx's
// proxy_cache_lock, a loader's "single flight"). Its calls look like a pool at its limit, one for each page that is
// being fetched while requests press; but where requests wait for a place, one of them takes it as soon as an answer
// sets it free, and calls. Those that need no call may have waited behind that one for a thread, and leave with it.
//
// It is the slopes of the regressions on the answers that come, window by window while requests wait, of the requests
// that leave without a call and of the calls begun.
type ride struct {
	keep                       float64 // weight that is left of a window one later
	waited, answered           float64 // of all windows: calls outstanding, answers
	n, answers, left, begun    float64 // of those in which requests wait
	answerSquares, leftSquares float64
	answersLeft, answersBegun  float64
}

// rideMemory is the half-life of what windows told. A page that is fetched once a second has some ten answers in it.
const rideMemory = 10 * time.Second

func newRide(width time.Duration) ride {
	return ride{keep: math.Exp2(-float64(width) / float64(rideMemory))}
}

// add takes a window outside of stops: its calls, how many were outstanding on average, and the own queue before and
// after it.
func (r *ride) add(c Calls, outstanding, before, after float64) {
	answers, begun := c.Answered, c.Begun
	left := before - after - begun
	decay := func(sum *float64, v float64) { *sum = *sum*r.keep + v }
	decay(&r.waited, outstanding)
	decay(&r.answered, answers)
	if before < 1 { // an answer that comes then lets nobody go
		return
	}
	decay(&r.n, 1)
	decay(&r.answers, answers)
	decay(&r.left, left)
	decay(&r.begun, begun)
	decay(&r.answerSquares, answers*answers)
	decay(&r.leftSquares, left*left)
	decay(&r.answersLeft, answers*left)
	decay(&r.answersBegun, answers*begun)
}

// took is how long the calls took, in windows.
func (r *ride) took() float64 { return r.waited / r.answered }

// several reports whether it is beyond chance that an answer lets several requests go, none of which calls then.
func (r *ride) several() bool {
	if r.answers < fewestRidden {
		return false
	}
	mean := r.answers / r.n
	variance, covariance := r.answerSquares-mean*r.answers, r.answersLeft-mean*r.left
	spread := r.leftSquares - r.left*r.left/r.n
	if variance <= 0 || spread <= 0 || covariance < leastRiders*variance ||
		r.answersBegun-mean*r.begun > mostTaken*variance {
		return false
	}
	return covariance/math.Sqrt(variance*spread)*math.Sqrt(r.n) >= beyondDoubt
}

const (
	fewestRidden = 4   // answers to tell by
	leastRiders  = 2   // requests that an answer lets go, beside the one that called
	mostTaken    = 0.5 // calls that begin with an answer: where requests wait for a place it is one
	beyondDoubt  = 4   // standard errors of a correlation: it is asked each second, for hours
)

// ridden is a destination whose answers let several requests go, while the tier's threads sleep; nil where there is
// none.
func (t *Tier) ridden(index int64) *destination {
	if !t.mayBeAsleep(index) {
		return nil
	}
	for _, d := range t.destinations {
		if d.ride.several() {
			return d
		}
	}
	return nil
}
