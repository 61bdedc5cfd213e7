// SPDX-License-Identifier: Apache-2.0

package judgement

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"
)

// Requests sleep in a tier for a third of the time or more, from its first second on. If they come one after the other
// and leave all at once, again and again, the reason is a lock. Otherwise the tier works this way.
func TestReleasedTogether(t *testing.T) {
	const windows = 1400
	every6 := func(asleep func(i int) float64) func(*rand.Rand) []float64 { // i is a window of 6 s
		return func(*rand.Rand) []float64 {
			n := make([]float64, windows)
			for i := range n {
				n[i] = asleep(i % 120)
			}
			return n
		}
	}
	pile := func(i int) float64 {
		if i < 40 {
			return min(8, float64(i)*0.4)
		}
		return 0
	}
	eachFor := func(took func(*rand.Rand) int) func(*rand.Rand) []float64 { // three a second
		return func(r *rand.Rand) []float64 {
			n := make([]float64, windows)
			for begin := range n {
				if r.Float64() < 0.15 {
					for i := range n[begin:min(begin+took(r), windows)] {
						n[begin+i]++
					}
				}
			}
			return n
		}
	}
	for _, tt := range []struct {
		name    string
		asleep  func(r *rand.Rand) []float64
		ran     float64 // while they sleep
		unseen  bool    // the tier calls programs out of sight
		stopped bool    // charged to a stop
	}{
		{"a lock, 2 s of 6", every6(pile), 0.02, false, true},
		{"a lock, and those that it held compute", every6(func(i int) float64 {
			if i == 40 {
				return 4
			}
			return pile(i)
		}), 0.02, false, true},
		{"somebody out of sight stands still, 2 s of 6", every6(pile), 0.02, true, false},
		{"a thread computes, and the others wait for it", every6(pile), 0.9, false, false},
		{"each for 800 ms", eachFor(func(*rand.Rand) int { return 16 }), 0.02, false, false},
		{"each for as long as it likes, 800 ms on average",
			eachFor(func(r *rand.Rand) int { return int(r.ExpFloat64() * 16) }),
			0.02, false, false},
		{"five that come together, each for 2 s", every6(func(i int) float64 {
			if i < 40 {
				return 5
			}
			return 0
		}), 0.02, false, false},
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
					tier.SetLoad(Load{From: int64(i) - 20, To: int64(i), Cores: 0.1, Used: 0.05, Busy: 0.2,
						Thread: math.NaN()})
				}
				w := Window{Index: int64(i), Queue: asleep[i] + 0.02, Completions: 1, GC: math.NaN()}
				if _, _, j, ok := tier.Add(w); ok && j.Index >= 600 {
					for _, c := range j.Charges {
						charged[c.Cause] += c.Queue
					}
				}
			}
			if stopped := part(charged, Stopped); tt.stopped && !(stopped >= 0.8) || !tt.stopped && stopped > 0.02 {
				t.Errorf("charged %v, want it stopped: %v", charged, tt.stopped)
			}
		})
	}
}

// A lock held up to eight requests at a time, every second for a minute. When it is over, a request now and then sleeps
// by itself, as before: ten seconds later that is no lock any more. A lock that comes every 10 s is one all the time.
func TestLockIsOver(t *testing.T) {
	for _, tt := range []struct {
		name  string
		every int // windows
		after int // the lock is over, for so many windows
		want  bool
	}{
		{"over for 2 s", 20, 40, true},
		{"over for 10 s", 20, 200, false},
		{"every 10 s, the last time 9 s ago", 200, 180, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var r release
			for i := range 1200 {
				r.add(min(8, 0.7*float64(i%tt.every))*float64(min(1, max(0, 12-i%tt.every))), false, true)
			}
			for i := range tt.after {
				r.add(float64(i/2%2), false, true)
			}
			if got := r.jointly(); got != tt.want {
				t.Errorf("jointly: %v, releases %.1f", got, r.releases)
			}
		})
	}
}
