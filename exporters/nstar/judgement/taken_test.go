// SPDX-License-Identifier: Apache-2.0

package judgement

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"
)

// All that was ever seen of this tier is two workers that are always taken, and connections that wait to be accepted.
// The mix of pages changes. So more requests are answered at times when more wait, as if the tier were far from a
// limit. But no base residence can be learned from that.
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

// A server with an event loop starts cold, beside others that have the processors. Its one thread wants to run all the
// time, and hardly gets to accept connections. No worker is lacking, because requests need none.
func TestOneThreadThatIsKeptFromAccepting(t *testing.T) {
	for _, tt := range []struct {
		name   string
		thread float64
		want   bool // workers are said to be lacking
	}{{"an event loop", 0.98, false}, {"workers that sleep", 0.15, true},
		{"threads were not asked", math.NaN(), true}} {
		t.Run(tt.name, func(t *testing.T) {
			tier := NewTier(testWidth)
			random := three(1, nil).random
			second := int64(time.Second / testWidth)
			charged := make(map[Cause]float64)
			for i := range int64(30 * time.Second / testWidth) {
				if at := i - int64(lag/testWidth); at >= 0 {
					tier.SetWork(Work{Index: at, Ran: 0.3, Waited: 1.2 * random.Float64(), Asleep: 62, Unaccepted: 46})
				}
				_, _, j, ok := tier.Add(Window{Index: i, Queue: 64, Completions: float64(random.IntN(4)),
					GC: math.NaN()})
				if i%second == second-1 {
					tier.SetLoad(Load{From: i + 1 - second, To: i + 1, Cores: 0.27, Used: 0.14,
						Busy: 0.98, Waiting: 0.6,
						Others: 0.8, Thread: tt.thread})
				}
				if ok && j.Index >= 5*second {
					for _, c := range j.Charges {
						charged[c.Cause] += c.Queue
					}
				}
			}
			if lack := part(charged, SoftResource) >= 0.5; lack != tt.want {
				t.Errorf("charged %v", charged)
			}
		})
	}
}

// All workers are held by connections on which hardly anything is asked, kept open by a proxy in front of them.
// Requests on other connections are not accepted, though hardly a worker is at work. A server that answers no request
// any more does not lack workers.
func TestIdleConnectionsHoldTheWorkers(t *testing.T) {
	for _, tt := range []struct {
		name  string
		rate  float64 // answers of a window
		lacks bool
	}{{"requests are answered", 2.5, true}, {"nobody is", 0, false}} {
		t.Run(tt.name, func(t *testing.T) {
			r := rand.New(rand.NewPCG(5, 6))
			tier := NewTier(testWidth)
			tier.SetProcessors(2)
			second := int64(time.Second / testWidth)
			charged := make(map[Cause]float64)
			for i := range int64(40 * time.Second / testWidth) {
				if at := i - int64(lag/testWidth); at >= 0 {
					tier.SetWork(Work{Index: at, Ran: 0.15, Waited: 0.05, Asleep: 29.8, Unaccepted: 29.4})
				}
				done := 0.0
				for range 20 {
					if r.Float64() < tt.rate/20 {
						done++
					}
				}
				_, _, j, ok := tier.Add(Window{Index: i, Queue: 30, Completions: done, GC: math.NaN()})
				if i%second == second-1 {
					tier.SetLoad(Load{From: i + 1 - second, To: i + 1, Cores: 0.15, Used: 0.08, Busy: 0.4,
						Thread: math.NaN()})
				}
				if ok && j.Index >= 10*second {
					for _, c := range j.Charges {
						charged[c.Cause] += c.Queue
					}
				}
			}
			if share := part(charged, SoftResource); tt.lacks && share < 0.9 || !tt.lacks && share > 0 {
				t.Errorf("charged %v", charged)
			}
		})
	}
}

// Puma has a quarter of two processors, and ten threads. Then eight times as many requests come for six seconds. From
// the first of these seconds on, its threads want more processor time than there is. More threads would gain nothing,
// though few connections are accepted.
func TestBurstTakesAllWorkers(t *testing.T) {
	for _, tt := range []struct {
		name string
		busy float64 // all processors, in the burst
		ran  float64
		want Cause
	}{{"processors are full", 0.97, 1.3, Demand}, {"they have time, since threads sleep", 0.3, 0.3, SoftResource}} {
		t.Run(tt.name, func(t *testing.T) {
			tier := NewTier(testWidth)
			tier.SetProcessors(2)
			tier.Give(0.06, 3)
			second, lag := int64(time.Second/testWidth), int64(lag/testWidth)
			burst := func(at int64) bool { return at >= 40*second && at < 46*second }
			charged := make(map[Cause]float64)
			for i := range 60 * second {
				if at := i - lag; at >= 0 {
					w := Work{Index: at, Ran: 0.3}
					if burst(at) {
						w = Work{Index: at, Ran: tt.ran, Waited: 2 * tt.ran, Asleep: 40 - 3*tt.ran, Unaccepted: 32}
					}
					tier.SetWork(w)
				}
				w := Window{Index: i, Queue: 0.3, Completions: 0.3, GC: math.NaN()}
				if burst(i) {
					w.Queue, w.Completions = 40, 1.3
				}
				_, _, j, ok := tier.Add(w)
				if i%second == second-1 {
					l := Load{From: i + 1 - second, To: i + 1, Cores: 0.3, Used: 0.15, Busy: 0.25, Thread: math.NaN()}
					if burst(i) {
						l.Cores, l.Used, l.Busy, l.Waiting = tt.ran, tt.ran/2, tt.busy, 2*tt.ran
					}
					tier.SetLoad(l)
				}
				if ok && burst(j.Index) {
					for _, c := range j.Charges {
						charged[c.Cause] += c.Queue
					}
				}
			}
			if part(charged, tt.want) < 0.8 {
				t.Errorf("charged %v, want %s", charged, tt.want)
			}
		})
	}
}

// One thread accepts connections, and ten others read and serve them, as in gunicorn or Tomcat. From some second on
// each of the ten sleeps for long in every request, for something that is not seen: a place of a pool whose connections
// are kept while nothing is asked of the tier behind. Requests that are not read then wait for a thread.
func TestNobodyReads(t *testing.T) {
	for _, tt := range []struct {
		name   string
		unread float64
		want   Cause
	}{{"most are not read", 28, SoftResource}, {"all are read", 0, UnknownCause}} {
		t.Run(tt.name, func(t *testing.T) {
			tier := NewTier(testWidth)
			tier.SetProcessors(2)
			random := three(1, nil).random
			second, lag := int64(time.Second/testWidth), int64(lag/testWidth)
			slow := func(at int64) bool { return at >= 30*second }
			charged := make(map[Cause]float64)
			for i := range 60 * second {
				if at := i - lag; at >= 0 {
					w := Work{Index: at, Ran: 0.3}
					if slow(at) {
						w.Asleep, w.Unread = 37, tt.unread
					}
					tier.SetWork(w)
				}
				w := Window{Index: i, Queue: 0.3 + 0.2*random.Float64(),
					Completions: float64(random.IntN(6)), GC: math.NaN()}
				w.Calls = []Calls{{To: "db", Outstanding: 0.1, Begun: 10, Answered: 10,
					Peak:        float64(1 + random.IntN(2)),
					Connections: 2, Used: 2, Idle: 1.9}}
				if slow(i) {
					w.Queue = 38
				}
				_, _, j, ok := tier.Add(w)
				if i%second == second-1 {
					tier.SetLoad(Load{From: i + 1 - second, To: i + 1, Cores: 0.3, Used: 0.15, Busy: 0.35,
						Thread: math.NaN()})
				}
				if ok && j.Index >= 33*second {
					for _, c := range j.Charges {
						charged[c.Cause] += c.Queue
					}
				}
			}
			if part(charged, tt.want) < 0.8 {
				t.Errorf("charged %v, want %s", charged, tt.want)
			}
		})
	}
}
