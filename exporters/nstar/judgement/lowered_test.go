// SPDX-License-Identifier: Apache-2.0

package judgement

import (
	"math"
	"math/rand/v2"
	"testing"
)

// press gives a limit windows under pressure, each with the calls that are outstanding on average and at most. It
// returns how many windows it took until there was a cap.
func press(l *limit, windows int, next func() (calls, peak float64)) (until int) {
	until = windows
	for i := range windows {
		calls, peak := next()
		l.look(Calls{Peak: peak, Connections: 10, Used: peak, Begun: 1, Answered: 1}, calls, 2, 1, true)
		if l.capped() {
			until = min(until, i)
		}
	}
	return until
}

// outstandingOf draws the calls of a window, as a mean and a maximum over ten moments.
func outstandingOf(r *rand.Rand, mean, most float64) (calls, peak float64) {
	for range 10 {
		n, p := 0.0, math.Exp(-mean)
		for u := r.Float64(); u > p && n < most; n++ { // a Poisson distribution
			u -= p
			p *= mean / (n + 1)
		}
		calls += n / 10
		peak = max(peak, n)
	}
	return calls, peak
}

// Of ten connections eight leak, so that two are left. The peaks from before are not waited for: they would last for
// half a minute.
func TestCapThatBecameSmaller(t *testing.T) {
	for _, places := range []float64{1, 2, 4} {
		r := rand.New(rand.NewPCG(1, 2))
		l := newLimit(testWidth)
		press(&l, 200, func() (float64, float64) { return outstandingOf(r, 3, 10) })
		if l.capped() {
			t.Fatal("a cap, though calls come and go by chance")
		}
		n := press(&l, 200, func() (float64, float64) { return 0.9 * places, places })
		if n < 20 || n > 100 {
			t.Errorf("%v places are known after %d windows", places, n)
		}
		if l.hardlyCalls() {
			t.Errorf("%v places: hardly used", places)
		}
		// The pool is made larger again.
		press(&l, 40, func() (float64, float64) { return outstandingOf(r, 4, 10) })
		if l.capped() {
			t.Errorf("%v places are still the cap", places)
		}
	}
}

// There is less to do than before: fewer calls are outstanding, but no cap is the reason.
func TestFewerCallsAreNoCap(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, mean := range []float64{0.1, 0.3, 0.7, 1, 1.8, 3} {
		l := newLimit(testWidth)
		press(&l, 100, func() (float64, float64) { return outstandingOf(r, 5, 12) })
		if n := press(&l, 1000, func() (float64, float64) { return outstandingOf(r, mean, 12) }); n < 580 {
			// The higher peaks are forgotten after 600 windows.
			t.Errorf("mean %v: a cap after %d windows", mean, n)
		}
	}
}
