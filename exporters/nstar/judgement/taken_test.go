// SPDX-License-Identifier: Apache-2.0

package judgement

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"
)

// Two workers that are always taken, and connections that wait to be accepted: that is all that was ever seen of this
// tier. The mix of pages changes, so that more are answered at times when more wait, as far from a limit; but no base
// residence can be learned from that.
func TestNothingIsLearnedWhereAllWorkersAreTaken(t *testing.T) {
	for _, tt := range []struct {
		name       string
		unaccepted bool
	}{{"they wait to be accepted", true}, {"they are in the tier", false}} {
		t.Run(tt.name, func(t *testing.T) {
			r := rand.New(rand.NewPCG(3, 4))
			tier := NewTier(testWidth)
			lag := int64(lag / testWidth)
			learned, present := 0, 3.
			queue := make([]float64, 0, 1200)
			for i := range int64(60 * time.Second / testWidth) {
				if i%20 == 0 {
					present = 3 + 10*r.Float64()
				}
				queue = append(queue, present)
				if at := i - lag; at >= 0 {
					w := Work{Index: at, Ran: 0.3, Asleep: queue[at] - 0.5}
					if tt.unaccepted {
						w.Unaccepted = queue[at] - 2
					}
					tier.SetWork(w)
				}
				done := 0.0
				for range 20 {
					if r.Float64() < 0.003*present {
						done++
					}
				}
				tier.Add(Window{Index: i, Queue: present, Completions: done, GC: math.NaN()})
				if !math.IsNaN(tier.estimate.Base) {
					learned++
				}
			}
			if tt.unaccepted && learned > 0 {
				t.Errorf("a base of %.0f ms was learned, for %d windows", 1000*tier.estimate.Base, learned)
			}
			if !tt.unaccepted && learned == 0 {
				t.Error("nothing was learned: this test cannot fail")
			}
		})
	}
}
