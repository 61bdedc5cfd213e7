// SPDX-License-Identifier: Apache-2.0

package judgement

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"
)

// A tier in which requests sleep for a third of the time or more, from its first second on. If they came one after the
// other and leave all at once, again and again, it is a lock; otherwise it is how the tier works.
func TestReleasedTogether(t *testing.T) {
	const windows = 1400
	at := func(begin, end, i int) bool { return i >= begin && i < end }
	for _, tt := range []struct {
		name    string
		asleep  func(r *rand.Rand) []float64
		ran     float64 // while they sleep
		unseen  bool    // the tier asks others out of sight
		stopped bool    // charged to a stop
	}{
		{"a lock, 2 s of 6", func(r *rand.Rand) []float64 {
			n := make([]float64, windows)
			for i := range n {
				if i%120 < 40 {
					n[i] = min(8, float64(i%120)*0.4)
				}
			}
			return n
		}, 0.02, false, true},
		{"a lock, and those that it held compute", func(r *rand.Rand) []float64 {
			n := make([]float64, windows)
			for i := range n {
				switch {
				case i%120 < 40:
					n[i] = min(8, float64(i%120)*0.4)
				case i%120 == 40:
					n[i] = 4
				}
			}
			return n
		}, 0.02, false, true},
		{"somebody out of sight stands still, 2 s of 6", func(r *rand.Rand) []float64 {
			n := make([]float64, windows)
			for i := range n {
				if i%120 < 40 {
					n[i] = min(8, float64(i%120)*0.4)
				}
			}
			return n
		}, 0.02, true, false},
		{"a thread computes, and the others wait for it", func(r *rand.Rand) []float64 {
			n := make([]float64, windows)
			for i := range n {
				if i%120 < 40 {
					n[i] = min(8, float64(i%120)*0.4)
				}
			}
			return n
		}, 0.9, false, false},
		{"each for 800 ms", func(r *rand.Rand) []float64 {
			n := make([]float64, windows)
			for begin := range n {
				if r.Float64() < 0.15 {
					for i := range n {
						if at(begin, begin+16, i) {
							n[i]++
						}
					}
				}
			}
			return n
		}, 0.02, false, false},
		{"each for as long as it likes, 800 ms on average", func(r *rand.Rand) []float64 {
			n := make([]float64, windows)
			for begin := range n {
				if r.Float64() < 0.15 {
					end := begin + int(r.ExpFloat64()*16)
					for i := range n {
						if at(begin, end, i) {
							n[i]++
						}
					}
				}
			}
			return n
		}, 0.02, false, false},
		{"five that come together, each for 2 s", func(r *rand.Rand) []float64 {
			n := make([]float64, windows)
			for i := range n {
				if i%120 < 40 {
					n[i] = 5
				}
			}
			return n
		}, 0.02, false, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			asleep := tt.asleep(rand.New(rand.NewPCG(1, 2)))
			tier := NewTier(testWidth)
			tier.SetUnseen(tt.unseen)
			lag := int(lag / testWidth)
			charged := map[Cause]float64{}
			for i := range windows {
				if at := i - lag; at >= 0 {
					w := Work{Index: int64(at), Ran: 0.02}
					if asleep[at] > 0 {
						w.Ran, w.Asleep = tt.ran, max(0, asleep[at]-max(0, tt.ran-0.02))
					}
					if at > 0 && asleep[at] < asleep[at-1] {
						w.Ran = 0.6
					}
					tier.SetWork(w)
				}
				if i%int(time.Second/testWidth) == 0 {
					tier.SetLoad(Load{From: int64(i) - 20, To: int64(i), Cores: 0.1, Used: 0.05, Busy: 0.2, Thread: math.NaN()})
				}
				w := Window{Index: int64(i), Queue: asleep[i] + 0.02, Completions: 1, GC: math.NaN()}
				if _, _, j, ok := tier.Add(w); ok && j.Index >= 600 {
					for _, c := range j.Charges {
						charged[c.Cause] += c.Queue
					}
				}
			}
			all := 0.0
			for _, n := range charged {
				all += n
			}
			if tt.stopped && (charged[Stopped] < 0.8*all || all == 0) || !tt.stopped && charged[Stopped] > 0.02*all {
				t.Errorf("charged %v, want it stopped: %v", charged, tt.stopped)
			}
		})
	}
}
