// SPDX-License-Identifier: Apache-2.0

package judgement

import (
	"math"
	"testing"
	"time"

	"github.com/nstar-project/nstar/exporters/nstar/saturation"
)

// What the scheduler reported of tiers on recorded stacks: seconds per second, means of their windows.
func TestFull(t *testing.T) {
	const seen = 40 // windows, two seconds
	for _, tt := range []struct {
		name            string
		own, collecting float64
		processors      float64
		work            Work
		windows         int
		want            bool
		ours            float64
	}{
		{"a database of 30 threads", 29, 0, 1, Work{Ran: 0.98, Waited: 28}, seen + 20, true, 0},
		{"less than two seconds of it", 29, 0, 1, Work{Ran: 0.98, Waited: 28}, seen - 1, false, 0},
		{"Gitea, with one processor that others have for a seventh", 33, 0, 1,
			Work{Ran: 0.8, Waited: 0.4, Taken: 0.14}, seen + 20, true, 0},
		{"two processes, others have as much of the processors as they", 35, 0, 2,
			Work{Ran: 1, Waited: 3.1, Taken: 0.95}, 400, false, 0},
		{"thirty threads wait for the thirtieth of the time that others have", 31, 0, 1,
			Work{Ran: 0.9, Waited: 29.7, Taken: 0.94}, seen + 20, true, 0},
		{"two processes, others have less than half as much", 36, 0, 2,
			Work{Ran: 1.4, Waited: 3.1, Taken: 0.5}, seen + 20, true, 0},
		{"a single thread on two processors", 145, 0, 2, Work{Ran: 1, Waited: 0.3}, 400, false, 0},
		{"six programs on every processor", 9, 0, 1, Work{Ran: 0.2, Waited: 5, Taken: 4}, 400, false, 0},
		{"at 70 %", 2.2, 0, 1, Work{Ran: 0.7, Waited: 0.1}, 400, false, 0},
		{"a job beside one request", 1, 0, 1, Work{Ran: 1, Waited: 1}, 400, false, 0},
		{"threads collect garbage", 40, 0.9, 1, Work{Ran: 1, Waited: 1}, 400, false, 0},
		{"stopped", 40, 0, 1, Work{Stopped: 1}, 400, false, 0},
		{"on how many processors is not known", 29, 0, 0, Work{Ran: 0.98, Waited: 28}, 400, false, 0},
		{"Odoo's four workers, beside the database that they ask", 36, 0, 2, Work{Ran: 1.05, Waited: 2.6, Taken: 0.3},
			seen + 20, true,
			0.78},
		{"the same, and other programs have as much as that database", 36, 0, 2, Work{Ran: 0.7, Waited: 3, Taken: 1},
			400, false, 0.6},
		{"the largest of five services", 40, 0, 2, Work{Ran: 0.53, Waited: 11}, 400, false, 0.72},
		{"Gitea, which has nearly as much as its database", 40, 0, 2, Work{Ran: 0.8, Waited: 11}, 400, false, 0.86},
		{"that database", 20, 0, 2, Work{Ran: 0.88, Waited: 4}, seen + 20, true, 0.86},
		{"a database that has little of the processors of its application", 12, 0, 2, Work{Ran: 0.5, Waited: 3},
			400, false, 0.95},
	} {
		f := full{ours: tt.ours}
		for range tt.windows {
			f.add(tt.own, tt.collecting, tt.processors, tt.work)
		}
		if got := f.now(); got != tt.want {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
	}
}

// The load of a tier comes and goes, and half of its windows are full of work. That is no limit.
func TestFullNowAndThen(t *testing.T) {
	var f full
	for i := range 600 {
		w, own := Work{Ran: 0.98, Waited: 12}, 13.0
		if i/10%2 == 0 {
			w, own = Work{Ran: 0.4}, 0.4
		}
		if f.add(own, 0, 1, w); f.now() {
			t.Fatalf("full in window %d", i)
		}
	}
}

// Gitea is at its limit from its first request on. It runs for 0.8 of the time, and git and Prometheus have its
// processor for the rest. That is known within seconds, and without these programs no request would wait less.
func TestAtItsLimitFromTheFirstSecond(t *testing.T) {
	tier := NewTier(testWidth)
	tier.SetProcessors(1)
	lag, second := int64(lag/testWidth), int64(time.Second/testWidth)
	charged, full := map[Cause]float64{}, 0
	for i := range int64(12) * second {
		if i >= lag {
			tier.SetWork(Work{Index: i - lag, Ran: 0.8, Waited: 0.4, Taken: 0.14})
		}
		if i%second == second-1 {
			tier.SetLoad(Load{From: i + 1 - second, To: i + 1, Cores: 0.8, Used: 0.8, Busy: 1,
				Others: 0.2, Waiting: 0.4})
		}
		_, _, j, ok := tier.Add(Window{Index: i, Queue: 33, Completions: float64(indicator(i%2 == 0)), GC: math.NaN()})
		if !ok || j.Index < 3*second {
			continue
		}
		if j.Full {
			full++
		}
		for _, c := range j.Charges {
			charged[c.Cause] += c.Queue
		}
	}
	if want := int(7 * second); full < want {
		t.Errorf("full in %d windows, want %d", full, want)
	}
	if s := tier.Estimate().Status; s != saturation.AlwaysAtLimit {
		t.Errorf("status %v", s)
	}
	if sum := charged[Demand] + charged[NoisyNeighbour] + charged[UnknownCause]; charged[Demand] < 0.8*sum {
		t.Errorf("charged %v, want most to demand", charged)
	}
}

// If the scheduler is not followed, the processor time of each second shows it.
func TestFullByTheSecond(t *testing.T) {
	for _, tt := range []struct {
		name      string
		used, own float64
		want      bool
	}{
		{"all of the processor, and requests wait", 0.98, 20, true},
		{"others have a fifth of it", 0.8, 20, false},
		{"nobody waits", 0.98, 0.9, false},
	} {
		tier := NewTier(testWidth)
		tier.SetProcessors(1)
		second := int64(time.Second / testWidth)
		last := false
		for i := range 10 * second {
			if i%second == second-1 {
				tier.SetLoad(Load{From: i + 1 - second, To: i + 1, Cores: tt.used, Used: tt.used, Busy: 1})
			}
			if _, _, j, ok := tier.Add(Window{Index: i, Queue: tt.own, Completions: 2, GC: math.NaN()}); ok {
				last = j.Full
			}
		}
		if last != tt.want {
			t.Errorf("%s: full %v, want %v", tt.name, last, tt.want)
		}
	}
}
