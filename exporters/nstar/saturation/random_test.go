// SPDX-License-Identifier: Apache-2.0

package saturation

import (
	"math"
	"math/rand/v2"
	"testing"
)

// lindley returns the windows of one worker with random arrivals and random work, request by request.
func lindley(random *rand.Rand, load, work, seconds float64) []Window {
	windows := make([]Window, int(seconds/width.Seconds()))
	present := func(from, to float64) { // a request's time in the station, spread over the windows
		for i := int(from / width.Seconds()); i < len(windows) && float64(i)*width.Seconds() < to; i++ {
			begin := float64(i) * width.Seconds()
			windows[i].Queue += (min(to, begin+width.Seconds()) - max(from, begin)) / width.Seconds()
		}
	}
	free := 0.0 // when the worker has nothing left to do
	for now := 0.0; now < seconds; now += random.ExpFloat64() * work / load {
		free = max(free, now) + random.ExpFloat64()*work
		present(now, free)
		if i := int(free / width.Seconds()); i < len(windows) {
			windows[i].Completions++
		}
	}
	for i := range windows {
		windows[i].Clean = true
	}
	return windows
}

// A single worker with random arrivals is free for a third of its time, and yet has twice as many requests as it can
// work on. It is not at its limit, and its base residence is not the time that requests take.
func TestRandomArrivalsAtSeventyPercent(t *testing.T) {
	const work = 0.00095
	for seed := range uint64(60) {
		e := New(width)
		e.Limit(1)
		for i, w := range lindley(rand.New(rand.NewPCG(seed, 1)), 0.7, work, 90) {
			e.Add(w)
			if got := e.Estimate(); got.Status == AlwaysAtLimit {
				t.Fatalf("seed %d, after %.1f s: %+v", seed, float64(i)*width.Seconds(), got)
			}
		}
		if got := e.Estimate(); got.Base > 2*work || math.IsNaN(got.Base) {
			t.Errorf("seed %d: base residence %.3g s of work of %.3g s: %+v", seed, got.Base, work, got)
		}
	}
}
