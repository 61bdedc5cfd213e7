// SPDX-License-Identifier: Apache-2.0

package judgement

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"
)

// A third of a tier's requests sleep for 200 to 300 ms, as a rule, and the others take 15 ms. That is healthy while
// they do not wait for each other, although base residence is learned from moments without a sleeper. If only three, or
// one, may be in the tier at a time, they wait. If they sleep for each other's locks, they wait for these.
func TestSomeSleepAsARule(t *testing.T) {
	mixed := func(draw *rand.Rand) func() float64 {
		return func() float64 {
			if draw.Float64() < 0.33 {
				return 0.2 + 0.1*draw.Float64()
			}
			return 0.015
		}
	}
	for _, tt := range []struct {
		name   string
		rate   float64
		places int
		locked float64 // of those that sleep
		waits  bool
	}{
		{"26/s, and nobody waits", 26, 100000, 0, false},
		{"90/s, and nobody waits", 90, 100000, 0, false},
		{"26/s, for three places", 26, 3, 0, true},
		{"7/s, for one place", 7, 1, 0, true},
		{"26/s, for locks", 26, 100000, 1, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tier := NewTier(testWidth)
			tier.SetProcessors(2)
			draw := rand.New(rand.NewPCG(1, 3))
			var queue, done []float64
			hold(draw, tt.rate, tt.places, mixed(draw), 90, func(own, completions float64) {
				queue, done = append(queue, own), append(done, completions)
			})
			lag := int(lag / testWidth)
			own, unknown := 0.0, 0.0
			for i := range queue {
				if at := i - lag; at >= 0 {
					tier.SetWork(Work{Index: int64(at), Ran: 0.01, Asleep: max(0, queue[at]-0.01),
						Locked: tt.locked * queue[at]})
				}
				if i%20 == 0 {
					tier.SetLoad(Load{From: int64(i - 20), To: int64(i), Cores: 0.01, Used: 0.01, Busy: 0.3,
						Others: 0.2})
				}
				_, _, j, ok := tier.Add(Window{Index: int64(i), Queue: queue[i], Completions: done[i], GC: math.NaN()})
				if ok && j.Index >= int64(40*time.Second/testWidth) {
					own += j.Own
					for _, c := range j.Charges {
						unknown += c.Queue
					}
				}
			}
			if waits := unknown >= 0.3*own; waits != tt.waits || !waits && unknown > 0.1*own {
				t.Errorf("%.0f of %.0f wait", unknown, own)
			}
		})
	}
}

// From the 100th second on, the requests of such a tier sleep for more than twice as long. That is no chance.
func TestLongerSleepIsNoChance(t *testing.T) {
	c := newIndependence(testWidth)
	draw := rand.New(rand.NewPCG(1, 4))
	requests, windows, before, after := 0, 0, 0, 0
	hold(draw, 20, 100000, func() float64 {
		if requests++; requests > 2000 {
			return 0.5
		}
		return 0.2
	}, 150, func(own, done float64) {
		c.add(own, done, Work{Asleep: own})
		explained := 0
		if c.explains(own) {
			explained = 1
		}
		switch windows++; {
		case windows > 1200 && windows <= 1800:
			before += explained
		case windows > 2200 && windows <= 2800:
			after += explained
		}
	})
	if before < 500 || after > 0 {
		t.Errorf("%d of 600 windows before, and %d of 600 after are explained by chance", before, after)
	}
}
