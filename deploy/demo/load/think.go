// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"math/rand/v2"
	"sync/atomic"
	"time"
)

// spread is how far the two states of bursty thinking lie from the mean rate:
// users think at 1+spread or 1-spread times the mean rate.
const spread = 0.5

// evenness is how far even think times lie from their mean at most, as a share of it.
const evenness = 0.25

// thinker draws think times. They are exponential and independent, or even: then
// few requests are enough to count a rate, for experiments that compare loads.
// With a burstiness above 1 the rate of all users switches between two states, after
// Mi, Casale, Cherkasova and Smirni, "Injecting realistic burstiness to a
// traditional client-server benchmark", ICAC 2009.
type thinker struct {
	mean  time.Duration
	even  bool
	stay  time.Duration // mean time in a state; 0 for no bursts
	surge atomic.Bool
}

// newThinker picks the mean stay that gives the index of dispersion asked for.
// For arrivals at rate r(1+d) and r(1-d) in states that are left at rate 1/s
// the index is 1 + d²rs (two-state modulated Poisson process), where r is
// users/mean. Response times are taken as short against think times.
func newThinker(mean time.Duration, users int, index float64) *thinker {
	t := &thinker{mean: mean}
	if index > 1 && mean > 0 {
		rate := float64(users) / mean.Seconds()
		t.stay = time.Duration((index - 1) / (spread * spread * rate) * float64(time.Second))
	}
	return t
}

// modulate switches the state until the context ends.
func (t *thinker) modulate(ctx context.Context, r *rand.Rand) {
	if t.stay == 0 {
		return
	}
	for sleep(ctx, time.Duration(r.ExpFloat64()*float64(t.stay))) {
		t.surge.Store(!t.surge.Load())
	}
}

// draw gives one think time. A user who thinks while the state switches
// finishes the thought at the old rate.
func (t *thinker) draw(r *rand.Rand) time.Duration {
	if t.even {
		return time.Duration((1 + evenness*(2*r.Float64()-1)) * float64(t.mean))
	}
	d := r.ExpFloat64() * float64(t.mean)
	if t.stay > 0 {
		if t.surge.Load() {
			d /= 1 + spread
		} else {
			d /= 1 - spread
		}
	}
	return time.Duration(d)
}

// first gives the time until a user's first request. Users who think for even
// times would otherwise stay in step.
func (t *thinker) first(r *rand.Rand) time.Duration {
	if t.even {
		return time.Duration(r.Float64() * float64(t.mean))
	}
	return t.draw(r)
}

// sleep waits and says whether the context is still alive.
func sleep(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-timer.C:
		return true
	}
}
