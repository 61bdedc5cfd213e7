// SPDX-License-Identifier: Apache-2.0

package judgement

import (
	"math"
	"time"
)

// promise learns how much a station gets done in a window, for each queue length. A window in which nothing is done is
// measured against that. It learns from all windows except those of confirmed stops. So a single slow request, which is
// alone for many windows, lowers the promise of short queues and is no stop.
type promise struct {
	keep  float64 // weight that a window still has one window later
	bins  [promiseBins]moments
	total float64 // number of windows with a queue, decayed
}

// promiseBins is the number of classes of queue lengths, one per octave, from below one to beyond 2^14.
const promiseBins = 16

// promiseMemory is the half-life of what was learned, in windows with a queue: long enough to span many stops, short
// enough to follow a change of the load's mix.
const promiseMemory = 60 * time.Second

type moments struct{ n, queue, sum, squares float64 }

func newPromise(width time.Duration) promise {
	return promise{keep: remaining(width, promiseMemory)}
}

// widestDispersion limits the gaps that answers in waves may excuse. Beyond it, stops that are not known yet would
// excuse themselves.
const widestDispersion = 5

func promiseBin(queue float64) int {
	if queue < 1 {
		return 0
	}
	return min(1+int(math.Log2(queue)), promiseBins-1)
}

// add counts a window with a queue, in which so much was done.
func (p *promise) add(queue, done float64) {
	if queue <= 0 {
		return
	}
	b := &p.bins[promiseBin(queue)]
	b.n = b.n*p.keep + 1
	b.queue = b.queue*p.keep + queue
	b.sum = b.sum*p.keep + done
	b.squares = b.squares*p.keep + done*done
	p.total = p.total*p.keep + 1
}

// best is the largest mean of what is done in a window, over all queue lengths.
func (p *promise) best() float64 {
	best := 0.0
	for _, m := range p.bins {
		if m.n >= minPromiseBin {
			best = max(best, m.sum/m.n)
		}
	}
	return best
}

// Minimum numbers of windows; below them nothing is promised.
const (
	minPromise    = 20 // windows with a queue at all
	minPromiseBin = 8  // of the queue length asked for
)

// known reports whether enough was seen to promise anything.
func (p *promise) known() bool { return p.total >= minPromise }

// of returns how much is done in a window with such a queue, and the ratio of its variance to its mean, which is 1 if
// completions are independent. Nothing is promised (0, 1) until enough was seen.
func (p *promise) of(queue float64) (done, dispersion float64) {
	if !p.known() || queue <= 0 {
		return 0, 1
	}
	b := promiseBin(queue)
	// A longer queue gets no less done. So a shorter queue that was seen more often gives a cautious guess. That is
	// also used for a queue length with which nothing was ever done: those windows were stops, from before there
	// was a promise by which to recognise them.
	for ; b >= 0 && (p.bins[b].n < minPromiseBin || p.bins[b].sum == 0); b-- {
	}
	if b < 0 {
		return 0, 1
	}
	m := p.bins[b]
	mean := m.sum / m.n
	variance := m.squares/m.n - mean*mean
	// Requests of mixed kinds are answered less evenly than by chance, and requests that sleep for the same time
	// come back in waves.
	dispersion = min(max(variance/mean, 1), widestDispersion)
	if b == 0 { // a request that is there for half of the window gets half as much done
		mean *= min(1, queue) / (m.queue / m.n)
	}
	return mean, dispersion
}
