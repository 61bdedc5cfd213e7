// SPDX-License-Identifier: Apache-2.0

package judgement

import (
	"math"
	"testing"
	"time"
)

// There are four workers and an accept queue of 32, which is full from the first second on, so that packets are dropped
// and sent again: Odoo behind nginx is such a case. Workers often sleep in connections whose request has not come again
// yet. That is neither a stop nor unknown. It is more than the workers can do, or more than the processors can do if
// these have no time left.
func TestFullAcceptQueue(t *testing.T) {
	for _, tt := range []struct {
		name    string
		busy    float64 // processors, by anybody
		refused float64
		want    Cause
	}{
		{"processors have time", 0.5, 80, SoftResource},
		{"processors are full", 0.98, 80, Demand},
		{"nobody is refused", 0.5, 0, UnknownCause},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tier := NewTier(testWidth)
			random := three(1, nil).random
			second := int64(time.Second / testWidth)
			charged := make(map[Cause]float64)
			for i := range int64(60 * time.Second / testWidth) {
				rests := i%20 < 4 // all workers, because there are no requests
				queue := 60 + 4*random.Float64()
				if at := i - int64(lag/testWidth); at >= 0 {
					w := Work{Index: at, Ran: 0.5, Waited: 1, Unaccepted: 12 + 20*random.Float64(), Refused: tt.refused}
					if at%20 < 4 {
						w.Ran, w.Waited = 0.02, 0
					}
					w.Asleep = queue - w.Ran - w.Waited
					tier.SetWork(w)
				}
				w := Window{Index: i, Queue: queue, Completions: float64(1 + random.IntN(4)), GC: math.NaN()}
				if rests {
					w.Completions = 0
				}
				_, _, j, ok := tier.Add(w)
				if i%second == second-1 {
					tier.SetLoad(Load{From: i + 1 - second, To: i + 1, Cores: 0.45, Used: 0.22,
						Busy: tt.busy, Waiting: 0.9,
						Others: 0.1, Thread: 0.3})
				}
				if !ok || j.Index < 5*second {
					continue
				}
				for _, c := range j.Charges {
					charged[c.Cause] += c.Queue
				}
			}
			if !(part(charged, tt.want) >= 0.9) {
				t.Errorf("charged %v, want %s", charged, tt.want)
			}
		})
	}
}

// All threads of a server wait for each other, such as those that wait for a connection and those that shall give
// theirs back. They hold all places to work on a request, and connections wait to be accepted, for as long as it hangs.
// That does not look like a stop if nothing was seen before it.
func TestServerThatHangs(t *testing.T) {
	for _, tt := range []struct {
		name    string
		answers int64 // seconds for which there are any
		want    Cause // from 20 s after that on, and from 40 s on
		then    Cause
	}{
		{"from before the first second", 0, UnknownCause, Stopped},
		{"after half a minute in which its workers were too few", 30, SoftResource, Stopped},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tier := NewTier(testWidth)
			second := int64(time.Second / testWidth)
			early, late := make(map[Cause]float64), make(map[Cause]float64)
			for i := range (tt.answers + 70) * second {
				if at := i - int64(lag/testWidth); at >= 0 {
					tier.SetWork(Work{Index: at, Ran: 0.01, Asleep: 64, Unaccepted: 200, Refused: 40})
				}
				w := Window{Index: i, Queue: 264, GC: math.NaN()}
				if i < tt.answers*second && i%4 == 0 {
					w.Completions = 2
				}
				_, _, j, ok := tier.Add(w)
				if i%second == second-1 {
					tier.SetLoad(Load{From: i + 1 - second, To: i + 1, Cores: 2, Used: 0.02, Busy: 0.1, Thread: 0.01})
				}
				since := j.Index - tt.answers*second
				for _, c := range j.Charges {
					switch {
					case ok && since >= 20*second && since < 28*second:
						early[c.Cause] += c.Queue
					case ok && since >= 40*second:
						late[c.Cause] += c.Queue
					}
				}
			}
			if !(part(early, tt.want) >= 0.9) {
				t.Errorf("at first: charged %v, want %s", early, tt.want)
			}
			if !(part(late, tt.then) >= 0.9) {
				t.Errorf("then: charged %v, want %s", late, tt.then)
			}
		})
	}
}

// part is one cause's share of what was charged; NaN if nothing was charged.
func part[K comparable](charged map[K]float64, of K) float64 {
	all := 0.
	for _, queue := range charged {
		all += queue
	}
	return charged[of] / all
}
