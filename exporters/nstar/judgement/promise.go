// SPDX-License-Identifier: Apache-2.0

package judgement

import (
	"math"
	"time"
)

// promise learns how much a station gets done in a window, by its queue length: what a window without any of it is
// measured against. It learns from all windows but those of confirmed stops, so that a lone slow request, which is
// alone for many windows, lowers the promise of short queues and is no stop.
type promise struct {
	keep  float64 // weight that is left of a window one window later
	bins  [promiseBins]moments
	total float64 // windows with a queue, decayed
}

// promiseBins holds queue lengths by octaves, from below one to beyond 2^14.
const promiseBins = 16

// promiseMemory is the half-life of what was learned, in windows with a queue: long enough to span many stops, short
// enough to follow a change of the load's mix.
const promiseMemory = 60 * time.Second

type moments struct{ n, queue, sum, squares float64 }

func newPromise(width time.Duration) promise {
	return promise{keep: math.Exp2(-float64(width) / float64(promiseMemory))}
}

// widestDispersion bounds what waves may excuse: beyond it, stops that are not known yet would excuse themselves.
const widestDispersion = 5

func promiseBin(queue float64) int {
	if queue < 1 {
		return 0
	}
	return min(1+int(math.Log2(queue)), promiseBins-1)
}

// add counts a window with a queue that got done things done.
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

// best is the most that is done in a window on average, over all queue lengths.
func (p *promise) best() float64 {
	best := 0.0
	for _, m := range p.bins {
		if m.n >= minPromiseBin {
			best = max(best, m.sum/m.n)
		}
	}
	return best
}

// minimum windows: before that nothing is promised.
const (
	minPromise    = 20 // windows with a queue at all
	minPromiseBin = 8  // of the queue length asked for
)

// known reports whether enough was seen to promise anything.
func (p *promise) known() bool { return p.total >= minPromise }

// of is what a window with such a queue gets done, and the ratio of its variance to its mean, 1 where completions are
// independent. Nothing is promised (0, 1) until enough was seen.
func (p *promise) of(queue float64) (done, dispersion float64) {
	if !p.known() || queue <= 0 {
		return 0, 1
	}
	b := promiseBin(queue)
	// A longer queue gets no less done, so shorter ones that were seen more often are a cautious guess; also for one
	// with which nothing was ever done: those were stops, before there was a promise to know them by.
	for ; b >= 0 && (p.bins[b].n < minPromiseBin || p.bins[b].sum == 0); b-- {
	}
	if b < 0 {
		return 0, 1
	}
	m := p.bins[b]
	mean := m.sum / m.n
	variance := m.squares/m.n - mean*mean
	// Mixed requests are answered less evenly than by chance, and requests that sleep for the same time come back in
	// waves.
	dispersion = min(max(variance/mean, 1), widestDispersion)
	if b == 0 { // a request that is there for half of the window has half of it to be done
		mean *= min(1, queue) / (m.queue / m.n)
	}
	return mean, dispersion
}
