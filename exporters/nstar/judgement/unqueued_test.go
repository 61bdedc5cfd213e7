// SPDX-License-Identifier: Apache-2.0

package judgement

import (
	"math"
	"testing"
	"time"
)

// On a machine that is shared all the time, threads wait for processors in every window. The time that a request takes
// without that wait is known all the same, unless requests sleep in the tier.
func TestBaseOnASharedMachine(t *testing.T) {
	for _, tt := range []struct {
		name string
		work Work
		base time.Duration // 0: not known
		want map[Cause]float64
	}{
		{"a third of the waiting is for others", Work{Ran: 0.8, Waited: 1.2, Taken: 0.4}, 20 * time.Millisecond,
			map[Cause]float64{Demand: 0.8, NoisyNeighbour: 0.4}},
		{"all of it", Work{Ran: 0.8, Waited: 1.2, Taken: 1.2}, 20 * time.Millisecond,
			map[Cause]float64{NoisyNeighbour: 1.2}},
		{"a little sleep between", Work{Ran: 0.6, Waited: 1.2, Taken: 0.4}, 20 * time.Millisecond,
			map[Cause]float64{Demand: 0.8, NoisyNeighbour: 0.4}},
		{"requests sleep", Work{Ran: 0.1, Waited: 0.7, Taken: 0.7}, 0,
			map[Cause]float64{UnknownCause: 1.3, NoisyNeighbour: 0.7}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tier := NewTier(testWidth)
			lag, second := int64(lag/testWidth), int64(time.Second/testWidth)
			charged, windows := map[Cause]float64{}, 0.0
			for i := range int64(30) * second {
				if i >= lag {
					w := tt.work
					w.Index = i - lag
					tier.SetWork(w)
				}
				if i%second == second-1 {
					tier.SetLoad(Load{From: i + 1 - second, To: i + 1, Used: 0.4, Busy: 0.95, Others: 0.3,
						Cores: 0.8, Waiting: 1.2})
				}
				_, _, j, ok := tier.Add(Window{Index: i, Queue: 2, Completions: 2, GC: math.NaN()})
				if ok && j.Index >= 25*second {
					windows++
					for _, c := range j.Charges {
						charged[c.Cause] += c.Queue
					}
				}
			}
			base := time.Duration(tier.Estimate().Base * 1e9).Round(time.Millisecond)
			if math.IsNaN(tier.Estimate().Base) {
				base = 0
			}
			if base != tt.base {
				t.Errorf("base residence %v, want %v", base, tt.base)
			}
			for cause, sum := range charged {
				if got := sum / windows; math.Abs(got-tt.want[cause]) > 0.02 {
					t.Errorf("%s: %.2f, want %.2f", cause, got, tt.want[cause])
				}
			}
			for cause := range tt.want {
				if _, ok := charged[cause]; !ok {
					t.Errorf("nothing for %s", cause)
				}
			}
		})
	}
}
