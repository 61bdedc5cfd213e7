// SPDX-License-Identifier: Apache-2.0

package judgement

import (
	"math"
	"testing"
)

// A database is at its limit. Which threads ran while its own threads waited decides the cause.
func TestWork(t *testing.T) {
	for _, tt := range []struct {
		name        string
		work        func(own float64) Work // own: own queue of the window judged
		least, most float64                // share of the excess that is the neighbours'
	}{
		{"a thread for each request, others have the processor for half of the time",
			func(own float64) Work { return Work{Ran: 0.5, Waited: own, Taken: own / 2} }, 0.45, 0.6},
		{"a single thread, others have the processor for half of the time",
			func(float64) Work { return Work{Ran: 0.5, Waited: 0.5, Taken: 0.5} }, 0.45, 0.6},
		{"a single thread that always runs", func(float64) Work { return Work{Ran: 1} }, 0, 0},
		{"threads wait for each other", func(own float64) Work { return Work{Ran: 1, Waited: own} }, 0, 0},
		{"others ran a little while many waited", func(own float64) Work {
			return Work{Ran: 0.98, Waited: own,
				Taken: 0.02 * own}
		}, 0, 0.03},
		{"few want to run at all", func(float64) Work { return Work{Ran: 0.05, Waited: 0.05, Taken: 0.05} }, 0, 0.01},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tier := NewTier(testWidth)
			theirs, all := 0.0, 0.0
			lag, second := int64(lag/testWidth), int64(1e9/testWidth)
			var owns []float64
			for _, w := range three(150, nil).simulate()[db] {
				if at := w.Index - lag; at >= 0 {
					x := tt.work(owns[at])
					x.Index = at
					tier.SetWork(x)
				}
				if w.Index%second == second-1 { // the database is busy, too: others look like the cause
					tier.SetLoad(Load{From: w.Index + 1 - second, To: w.Index + 1, Used: 0.5, Busy: 1,
						Others: 0.5, Waiting: 10})
				}
				own, _, j, ok := tier.Add(w)
				owns = append(owns, own)
				if !ok || j.Index < 600 {
					continue
				}
				for _, c := range j.Charges {
					all += c.Queue
					if c.Cause == NoisyNeighbour {
						theirs += c.Queue
					}
				}
			}
			if share := theirs / all; !(share >= tt.least && share <= tt.most) {
				t.Errorf("%.3f of the excess is the neighbours', want %.2f to %.2f", share, tt.least, tt.most)
			}
		})
	}
}

// A burst of another program's work is shorter than the second that is looked at. A few threads are ready to run, and
// threads that would serve the other requests sleep until these have run.
func TestBurst(t *testing.T) {
	for _, tt := range []struct {
		name        string
		work        Work    // in the burst
		own         float64 // queue in it
		least, most float64 // share of the excess that is the neighbours'
	}{
		{"others have the processor", Work{Ran: 0.02, Waited: 4.5, Taken: 4.4}, 40, 0.85, 1},
		{"so it is with a single thread", Work{Ran: 0.05, Waited: 0.95, Taken: 0.9}, 40, 0.85, 1},
		{"others have it for some of the time", Work{Ran: 0.5, Waited: 4.5, Taken: 2}, 40, 0, 0.06},
		{"threads sleep, but for one now and then", Work{Ran: 0.02, Waited: 0.2, Taken: 0.2}, 40, 0, 0.01},
		{"threads wait for their own application", Work{Ran: 0.02, Waited: 4.5, Taken: 0.1}, 40, 0, 0.01},
		{"who had the processor is known for a part of the time", Work{Ran: 0.02, Waited: 4.5, Taken: 3}, 40, 0.6, 0.7},
		{"a thread for each request", Work{Ran: 0.02, Waited: 40, Taken: 39}, 40, 0.85, 1},
	} {
		c := newContention(testWidth)
		for i := range int64(64) {
			w, own, excess := Work{Ran: 0.1, Waited: 0.05}, 0.3, 0.0
			if i%32 < 8 {
				w, own, excess = tt.work, tt.own, tt.own
			}
			w.Index = i
			c.next, c.told = w, true
			c.add(i, own, 0, excess, false)
			// What piled up is worked off after the burst. The first second is not complete.
			if got := c.share(); i >= 32 && i%32 < 16 && !(got >= tt.least && got <= tt.most) {
				t.Errorf("%s: %.3f of the excess is the neighbours' in window %d, want %.2f to %.2f",
					tt.name, got, i%32,
					tt.least, tt.most)
				break
			}
		}
	}
}

// A collection takes as long as others let its threads run.
func TestLengthenedCollection(t *testing.T) {
	for _, tt := range []struct {
		name  string
		work  Work
		gc, n float64 // of an own queue of 10 in collection
	}{
		{"its threads run", Work{Ran: 1}, 10, 0},
		{"others have the processor for 80 % of the time", Work{Ran: 0.2, Waited: 0.8, Taken: 0.8}, 2, 8},
		{"requests' threads wait for the collection, and others run a little",
			Work{Ran: 0.9, Waited: 8, Taken: 0.3}, 10, 0},
	} {
		c := newContention(testWidth)
		c.next, c.told = tt.work, true
		c.add(0, 10, 0, 0, false)
		j := Judged{Charges: []Charge{{GarbageCollection, "", 10}}}
		j.chargeNeighbours(c.share(), c.lengthened())
		got := map[Cause]float64{}
		for _, x := range j.Charges {
			got[x.Cause] += x.Queue
		}
		if got[GarbageCollection] != tt.gc || got[NoisyNeighbour] != tt.n {
			t.Errorf("%s: charged %v", tt.name, got)
		}
	}
}

// Windows without an answer, and what the threads did in them: a tier that works does not stand still.
func TestStopOrWork(t *testing.T) {
	for _, tt := range []struct {
		name string
		work Work    // in windows without an answer
		runs float64 // in the others
		want bool    // stopped
	}{
		{"stopped", Work{}, 0.3, true},
		{"stopped, though it always has a processor otherwise", Work{}, 1, true},
		{"stopped, and ready to run", Work{Waited: 10}, 0.3, true},
		{"one thread computes now and then", Work{Ran: 1}, 0.3, true},
		{"one thread computes all the time, for all requests in turns", Work{Ran: 1}, 1, false},
		{"four threads compute all the time, and now only one of them", Work{Ran: 1}, 4, true},
		{"all share a processor", Work{Ran: 1, Waited: 9}, 0.3, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tier := NewTier(testWidth)
			lag := int64(lag / testWidth)
			frozen := 0
			for i := range int64(1200) {
				if at := i - lag; at >= 0 {
					w := Work{Ran: tt.runs}
					if at%40 < 4 {
						w = tt.work
					}
					w.Index = at
					tier.SetWork(w)
				}
				w := Window{Index: i, Queue: 10, Completions: 20, GC: math.NaN()}
				if i%40 < 4 {
					w.Completions = 0
				}
				if _, _, j, _ := tier.Add(w); j.State == Frozen && j.Index > 200 {
					frozen++
				}
			}
			if got := frozen > 0; got != tt.want {
				t.Errorf("%d windows frozen", frozen)
			}
		})
	}
}

// If a thread has run all the time, or would have, its requests do not wait for a place to call.
func TestAlways(t *testing.T) {
	for _, tt := range []struct {
		name string
		work []Work // one window after the other
		want bool
	}{
		{"others have the processor of a single thread", []Work{{Ran: 0.13, Waited: 0.87, Taken: 0.85}}, true},
		{"a single thread computes", []Work{{Ran: 0.98}}, true},
		{"threads sleep", []Work{{Ran: 0.2, Waited: 0.1, Taken: 0.1}}, false},
		{"threads wait for those of their own application", []Work{{Ran: 0.3, Waited: 5}}, false},
		{"others are there for a part of the time", []Work{{Ran: 0.1, Waited: 0.9, Taken: 0.9}, {Ran: 0.3}}, false},
		{"not known", nil, false},
	} {
		c := newContention(testWidth)
		for i := range int64(40) {
			if len(tt.work) > 0 {
				c.next, c.told = tt.work[int(i)%len(tt.work)], true
				c.next.Index = i
			}
			c.add(i, 10, 0, 10, false)
		}
		if got := c.always(); got != tt.want {
			t.Errorf("%s: %t", tt.name, got)
		}
	}
}

// The time that a request takes beside others that have the processors is no base residence, even if the tier was never
// seen without them.
func TestNothingLearnedBesideOthers(t *testing.T) {
	for _, tt := range []struct {
		name  string
		taken float64 // of an own queue of 2
		want  bool
	}{{"most of the time is theirs", 1.2, false}, {"they are there for a little", 0.1, true}, {"not known", math.NaN(),
		true}} {
		tier := NewTier(testWidth)
		lag := int64(lag / testWidth)
		random := three(1, nil).random
		theirs, own := 0.0, 0.0
		for i := range int64(2400) {
			if i >= lag && !math.IsNaN(tt.taken) {
				tier.SetWork(Work{Index: i - lag, Ran: 0.3, Waited: tt.taken, Taken: tt.taken})
			}
			n := 1 + 2*random.Float64()
			_, _, j, _ := tier.Add(Window{Index: i, Queue: n, Completions: math.Round(n), GC: math.NaN()})
			own += j.Own
			for _, c := range j.Charges {
				if c.Cause == NoisyNeighbour {
					theirs += c.Queue
				}
			}
		}
		if got := theirs > 0.5*own; got == tt.want {
			t.Errorf("%s: %.0f of %.0f are charged to them", tt.name, theirs, own)
		}
		if got := !math.IsNaN(tier.Estimate().Base); got != tt.want {
			t.Errorf("%s: R0 known is %t", tt.name, got)
		}
	}
}

// A front server has four workers, and the other requests are in its accept queue.
func TestPlacesTaken(t *testing.T) {
	for _, tt := range []struct {
		name      string
		work      Work
		used      float64
		want      bool
		calls     float64
		processes float64
	}{
		{"the workers wait for something else", Work{Ran: 0.58, Waited: 0.33, Unaccepted: 39}, 0.58, true, 0, 0},
		{"the workers compute", Work{Ran: 1, Waited: 3, Unaccepted: 39}, 1, false, 0, 0},
		{"the workers compute, and others have half of the processor",
			Work{Ran: 0.5, Waited: 3.5, Unaccepted: 39}, 0.5, false, 0, 0},
		{"a single thread computes", Work{Ran: 0.5, Waited: 0.5, Unaccepted: 2}, 0.5, false, 0, 0},
		{"a single worker, which sleeps for most of the time", Work{Ran: 0.3, Unaccepted: 42}, 0.3, true, 0, 0},
		{"a single worker, which computes for most of the time", Work{Ran: 0.7, Unaccepted: 42}, 0.7, false, 0, 0},
		{"nobody has work", Work{Ran: 0.1, Unaccepted: 42.8}, 0.1, false, 0, 0},
		{"all are accepted", Work{Ran: 0.3}, 0.3, false, 0, 0},
		{"all are read", Work{Ran: 0.3, Unread: 5}, 0.3, false, 0, 0},
		{"one thread accepts, and no worker is left to read", Work{Ran: 0.3, Unaccepted: 4, Unread: 25}, 0.3, true,
			0, 0},
		{"an event loop, which is busy", Work{Ran: 0.95, Unread: 42}, 0.5, false, 0, 0},
		{"not known", Work{Ran: 0.3, Unaccepted: 39}, math.NaN(), false, 0, 0},
		{"nobody has work but the tier behind, for two workers", Work{Ran: 0.15, Waited: 0.05, Unaccepted: 42.8},
			0.08, true, 1.9, 0},
		{"two workers, which compute between their calls", Work{Ran: 1, Waited: 0.2, Unaccepted: 42},
			0.5, false, 1.1, 0},
		{"four worker processes wait for something else", Work{Ran: 0.58, Waited: 0.33, Unaccepted: 39},
			0.58, true, 0, 4},
	} {
		c := newContention(testWidth)
		c.next, c.told = tt.work, true
		c.add(0, 43, tt.calls, 40, false)
		if got := c.placesTaken(tt.used, 0.98, 1, tt.processes); got != tt.want {
			t.Errorf("%s: %t", tt.name, got)
		}
	}
	// Ten threads of two interpreters with a lock each, on two processors.
	for busy, want := range map[float64]bool{0.99: false, 0.7: true} {
		c := newContention(testWidth)
		c.next, c.told = Work{Ran: 0.95, Waited: 2.55, Unaccepted: 33}, true
		c.add(0, 43, 0, 40, false)
		if got := c.placesTaken(0.5, busy, 2, 0); got != want {
			t.Errorf("interpreters' locks, %g of the processors busy: %t", busy, got)
		}
		// Each of the two interpreters always has a thread that runs or wants to, but only just.
		c.next, c.told = Work{Ran: 0.63, Waited: 1.35, Unaccepted: 65}, true
		for range 2 * c.span {
			c.add(0, 78, 0, 77, false)
		}
		if got := c.placesTaken(0.3, busy, 2, 2); got != want {
			t.Errorf("two interpreters, %g of the processors busy: %t", busy, got)
		}
		// Seven threads of them wait for a processor.
		c.next, c.told = Work{Ran: 0.95, Waited: 7, Unaccepted: 640}, true
		for range 2 * c.span {
			c.add(0, 940, 0, 938, false)
		}
		if c.placesTaken(0.5, busy, 2, 0) {
			t.Errorf("seven threads wait, %g of the processors busy", busy)
		}
		// Two event loops wait for these processors nearly all the time.
		c.next, c.told = Work{Ran: 0.09, Waited: 1.78, Unread: 530}, true
		for range 2 * c.span {
			c.add(0, 532, 0, 40, false)
		}
		if got := c.placesTaken(0.05, busy, 2, 0); got && busy > busyProcessors {
			t.Errorf("event loops, %g of the processors busy: %t", busy, got)
		}
	}
}

// Four requests of 100 ms began together and end together. In between the tier answers nothing.
func TestRequestsInStep(t *testing.T) {
	for _, tt := range []struct {
		name  string
		pause int64 // windows without an answer, of eight
		want  bool
	}{{"as long as they take", 2, false}, {"and a stop of 100 ms", 4, true}} {
		t.Run(tt.name, func(t *testing.T) {
			tier := NewTier(testWidth)
			tier.Give(0.0987, math.NaN())
			frozen := 0
			for i := range int64(1200) {
				w := Window{Index: i, Queue: 4, Completions: 4, GC: math.NaN()}
				if i%8 < 2 || tt.pause > 2 && i%80 < tt.pause {
					w.Completions = 0
				}
				if _, _, j, _ := tier.Add(w); j.State == Frozen && j.Index > 200 {
					frozen++
				}
			}
			if got := frozen > 0; got != tt.want {
				t.Errorf("%d windows frozen", frozen)
			}
		})
	}
}

// One query waits while the server is stopped from outside. Judged by its answers alone, it may be a slow query.
func TestStopIsSeen(t *testing.T) {
	const begin, end, of = 30, 34, 40
	frozen := func(stopped float64) (states int, charged float64) {
		tier := NewTier(testWidth)
		lag := int64(lag / testWidth)
		for i := range int64(60*of) + lag {
			work, at := Work{Index: i - lag}, (i-lag)%of
			if at >= begin && at < end {
				work.Stopped = stopped
			}
			tier.SetWork(work)
			w := Window{Index: i, Queue: 0.2, Completions: 4, Connections: 1, GC: math.NaN()}
			if at := i % of; at >= begin && at < end {
				w.Queue, w.Completions = 1, 0
			}
			_, _, j, ok := tier.Add(w)
			if !ok {
				continue
			}
			if j.State == Frozen {
				states++
			}
			for _, c := range j.Charges {
				if c.Cause == Stopped {
					charged += c.Queue
				}
			}
		}
		return states, charged
	}
	first, _ := frozen(0)
	states, charged := frozen(1)
	if states != 60*(end-begin) || charged < 60*(end-begin) {
		t.Errorf("seen stopped: %d windows frozen and %.0f charged to the stop, want all 240", states, charged)
	}
	if first == states {
		t.Error("what is seen made no difference: the test shows nothing")
	}
}

// In bursts of a neighbour hardly a request gets through, and a flood of calls follows each burst. What waits then,
// here and in the tier behind, is the neighbour's fault.
func TestFloodAfterBurst(t *testing.T) {
	const of, begin, end, flood = 32, 20, 28, 30
	charged := func(taken float64) (here, behind float64) {
		tier := NewTier(testWidth)
		lag := int64(lag / testWidth)
		for i := range 60*of + lag {
			work, at := Work{Index: i - lag, Ran: 0.1, Waited: 0.05}, (i-lag)%of
			if at >= begin && at < end {
				work.Ran, work.Waited, work.Taken = 0.02, 4, taken
			}
			tier.SetWork(work)
			w := Window{Index: i, Queue: 1.2, Completions: 8, GC: math.NaN(),
				Calls: []Calls{{To: "db", Outstanding: 1, Answered: 20}}}
			switch at := i % of; {
			case at >= begin && at < end:
				w.Queue, w.Completions, w.Calls[0] = 4*float64(at-begin+1), 1, Calls{To: "db", Answered: 3}
			case at >= end && at < flood:
				w.Queue, w.Completions, w.Calls[0] = 22, 30, Calls{To: "db", Outstanding: 20, Answered: 60}
			}
			_, _, j, ok := tier.Add(w)
			if !ok || j.Index < 10*of {
				continue
			}
			for _, c := range j.Charges {
				if c.Cause == NoisyNeighbour || c.Cause == Starved {
					here += c.Queue
				}
			}
			for _, e := range j.Edges {
				if e.Cause == NoisyNeighbour {
					behind += e.Queue
				}
			}
		}
		return here / 50, behind / 50
	}
	here, behind := charged(3.9)
	if here < 0.8*4*36 || behind < 20 {
		t.Errorf("a burst costs %.0f requests of 144 here and %.0f of 38 behind", here, behind)
	}
	if h, b := charged(0); h > 0 || b > 0 {
		t.Errorf("without a neighbour it costs %.0f and %.0f", h, b)
	}
}

// While a thread computes for one request, the other requests that it has accepted wait, whether it has read them or
// not. Requests that it has not accepted are served by another thread, or next by this one.
func TestWorksForOne(t *testing.T) {
	for _, tt := range []struct {
		name string
		work Work
		want bool
	}{
		{"an event loop that computes for one of twenty", Work{Ran: 1, Unread: 19}, false},
		{"a worker that computes, and others wait to be accepted", Work{Ran: 1, Unaccepted: 19}, true},
		{"as many threads run as requests are there", Work{Ran: 2, Waited: 18}, true},
	} {
		c := newContention(testWidth)
		c.next, c.told = tt.work, true
		if got := c.works(&pending{Window: Window{Index: 0}, own: 20}); got != tt.want {
			t.Errorf("%s: at work %t", tt.name, got)
		}
	}
}
