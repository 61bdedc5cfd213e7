// SPDX-License-Identifier: Apache-2.0

package judgement

import (
	"math"
	"testing"
	"time"
)

// Requests wait for a pool of four connections that is too small, and then all are never given back, so that nothing is
// answered any more. The pool stays the cause. If nothing waited before, or if the kernel sees a stop, it is a stop.
func TestJammed(t *testing.T) {
	const begin, jams = 40, 50 // seconds
	for name, tt := range map[string]struct {
		small  bool    // the pool is too small for ten seconds
		halted float64 // share of each window for which the kernel sees a stop, from then on
		want   Cause
	}{
		"all connections are lost": {small: true, want: SoftResource},
		"it was stopped":           {small: true, halted: 1, want: Stopped},
		"nothing waited before":    {want: Stopped},
	} {
		t.Run(name, func(t *testing.T) {
			tier := NewTier(testWidth)
			tier.Give(0.004, 40)
			charged, all := map[Cause]float64{}, 0.0
			for i := range int64(70 * time.Second / testWidth) {
				at, waiting := float64(i)*testWidth.Seconds(), 0.0
				w := Window{Index: i, Queue: 0.1, Completions: 8, GC: math.NaN()}
				c := Calls{To: "db", Begun: 8, Answered: 8, Outstanding: 1.6, Peak: 3, Connections: 4, Used: 3, Idle: 1}
				if tt.small && at >= begin {
					waiting, w.Completions = 20, 20
					c = Calls{To: "db", Begun: 20, Answered: 20, Outstanding: 4, Peak: 4, Connections: 4, Used: 4}
				}
				if at >= jams {
					waiting, w.Completions = 20+100*(at-jams), 0
					c = Calls{To: "db", Connections: 4}
				}
				w.Queue += waiting + c.Outstanding
				w.Calls = []Calls{c}
				if judged := i - int64(lag/testWidth); judged >= 0 {
					work := Work{Index: judged, Ran: 0.04, Asleep: waiting}
					if float64(judged)*testWidth.Seconds() >= jams {
						work.Ran, work.Stopped = 0, tt.halted
					}
					tier.SetWork(work)
				}
				_, _, j, ok := tier.Add(w)
				if ok && float64(j.Index)*testWidth.Seconds() >= jams+3 {
					for _, c := range j.Charges {
						charged[c.Cause] += c.Queue
						all += c.Queue
					}
				}
			}
			if charged[tt.want] < 0.9*all || all == 0 {
				t.Errorf("charged %v, want %s", charged, tt.want)
			}
		})
	}
}
