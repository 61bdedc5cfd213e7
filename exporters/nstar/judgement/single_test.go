// SPDX-License-Identifier: Apache-2.0

package judgement

import (
	"math"
	"math/rand/v2"
	"testing"
)

func TestSingle(t *testing.T) {
	for _, tt := range []struct {
		name    string
		load    Load
		answers float64
		seconds int
		want    bool
	}{
		{"an event loop at its limit", Load{Thread: 1, Cores: 1, Writes: 250}, 250, 3, true},
		{"the same, beside a compiler of its runtime", Load{Thread: 0.95, Cores: 1.2, Writes: 250}, 250, 3, true},
		{"others have its processor for a half of the time", Load{Thread: 1, Cores: 0.5, Writes: 120}, 120, 3, true},
		{"answers that leave two at a time", Load{Thread: 1, Cores: 1, Writes: 130}, 250, 3, true},
		{"two seconds of it", Load{Thread: 1, Cores: 1, Writes: 250}, 250, 2, false},
		{"what another thread waits for", Load{Thread: math.NaN(), Cores: 0.95, Writes: math.NaN()}, 250, 60, false},
		{"it has time left", Load{Thread: 0.8, Cores: 0.8, Writes: 250}, 250, 60, false},
		{"a job that computes beside requests that sleep", Load{Thread: 1, Cores: 1.05, Writes: 2}, 250, 60, false},
		{"one of several threads that compute", Load{Thread: 0.95, Cores: 1.7, Writes: 250}, 250, 60, false},
		{"its writes are not known", Load{Thread: 1, Cores: 1, Writes: math.NaN()}, 250, 60, false},
		{"nothing is answered", Load{Thread: 1, Cores: 1}, 0, 60, false},
		{"nobody asked", UnknownLoad(), 250, 60, false},
		{"threads that take turns", Load{Thread: 0.4, Cores: 1, Writes: 100}, 250, 17, true},
		{"the same, and others have its processor now and then",
			Load{Thread: 0.4, Cores: 0.7, Waiting: 0.3, Writes: 100}, 250, 17, true},
		{"sixteen seconds of it", Load{Thread: 0.4, Cores: 1, Writes: 100}, 250, 16, false},
		{"threads that have time", Load{Thread: 0.4, Cores: 0.9, Writes: 100}, 250, 60, false},
		{"threads that run at the same time", Load{Thread: 0.4, Cores: 1.2, Writes: 100}, 250, 60, false},
	} {
		var s single
		for range tt.seconds {
			s.add(tt.load, tt.answers, 20, tt.load.Cores+tt.load.Waiting)
		}
		if got := s.now(); got != tt.want {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
	}
}

// A server of many threads happens to use about one processor while its requests wait for something else: sometimes a
// little more, sometimes a little less.
func TestSingleByChance(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	said := 0
	const seconds = 10000
	var s single
	for range seconds {
		cores := 1 + 0.06*random.NormFloat64()
		s.add(Load{Thread: 0.3, Cores: cores, Writes: 100}, 250, 20, cores)
		if s.now() {
			said++
		}
	}
	if said > seconds/100 {
		t.Errorf("said in %d seconds of %d", said, seconds)
	}
	s = single{}
	for range 60 {
		s.add(Load{Thread: 0.3, Cores: 1, Writes: 100}, 250, 3, 1)
	}
	if s.now() {
		t.Error("said of a server in which three requests are at a time")
	}
}

// Seconds that tell nothing do not take away what is known. Seconds in which more threads compute do.
func TestSingleForgets(t *testing.T) {
	for _, tt := range []struct {
		load Load
		want bool
	}{{Load{Thread: math.NaN(), Cores: 0.95, Writes: math.NaN()}, true},
		{Load{Thread: math.NaN(), Cores: 1.8, Writes: math.NaN()}, false}} {
		var s single
		for range 5 {
			s.add(Load{Thread: 1, Cores: 1, Writes: 250}, 250, 20, 1)
		}
		s.add(tt.load, 250, 20, tt.load.Cores)
		s.add(tt.load, 250, 20, tt.load.Cores)
		if got := s.now(); got != tt.want {
			t.Errorf("after %+v: %v, want %v", tt.load, got, tt.want)
		}
	}
}

// A server's only thread computes 4 ms for each request. 20 users ask from the first second on, and there are two
// processors. The server is at its limit, and has all the processor time that it can get. It is not if a job computes
// all the time beside requests that sleep.
func TestSingleAtItsLimit(t *testing.T) {
	for _, tt := range []struct {
		name           string
		thread, writes float64
		want           bool
	}{{"the thread answers", 0.99, 250, true}, {"it does not", 0.99, 1, false},
		{"threads take turns", 0.3, 100, true}} {
		tier := NewTier(testWidth)
		tier.SetProcessors(2)
		random := rand.New(rand.NewPCG(1, 2))
		charged, full, windows := make(map[Cause]float64), 0, 0
		for i := range int64(900) {
			done := 10. + float64(random.IntN(6))
			w := Window{Index: i, Queue: 16 + 3*random.Float64(), Completions: done, GC: math.NaN(),
				Calls: []Calls{{To: "database", Connections: 4, Outstanding: 0.2, Peak: 2, Used: 3, Begun: done,
					Answered: done}}}
			tier.SetWork(Work{Index: i - int64(lag/testWidth), Ran: 0.97, Waited: 0.05, Asleep: 14})
			_, _, j, ok := tier.Add(w)
			if i%20 == 19 {
				tier.SetLoad(Load{From: i - 19, To: i + 1, Cores: 1, Used: 0.5, Busy: 0.7, Others: 0.1,
					Thread: tt.thread, Writes: tt.writes})
			}
			if !ok || j.Index < 600 {
				continue
			}
			windows++
			if j.Full {
				full++
			}
			for _, c := range j.Charges {
				charged[c.Cause] += c.Queue
			}
		}
		if got := full == windows && charged[Demand] > 100*charged[UnknownCause]; got != tt.want {
			t.Errorf("%s: charged %v, full in %d windows of %d", tt.name, charged, full, windows)
		}
	}
}
