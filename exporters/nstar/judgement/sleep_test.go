// SPDX-License-Identifier: Apache-2.0

package judgement

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/nstar-project/nstar/exporters/nstar/saturation"
)

// A table of a database is locked for 300 ms every 2 s. One or two statements wait for it while others go on. These are
// too few for a stop of the tier, and its processor is idle. They sleep, although they do not sleep as a rule.
func TestLock(t *testing.T) {
	for _, tt := range []struct {
		name   string
		locked func(at int64) bool // in this window of 40
		work   Work                // in such a window
		calls  bool                // the tier calls another one
		want   Cause               // none: no tier is charged
	}{
		{"they sleep", func(at int64) bool { return at < 6 }, Work{Ran: 0.02}, false, Stopped},
		{"one computes, and the others wait for it", func(at int64) bool { return at < 6 },
			Work{Ran: 0.7}, false, Demand},
		{"they compute", func(at int64) bool { return at < 6 }, Work{Ran: 0.9, Waited: 0.6}, false, Demand},
		{"they are at the disk", func(at int64) bool { return at < 6 }, Work{Ran: 0.02, Disk: 1.5}, false, Disk},
		{"they sleep in most windows", func(at int64) bool { return at%4 > 0 }, Work{Ran: 0.02}, false, ""},
		{"they sleep in a tier that waits for others", func(at int64) bool { return at < 6 },
			Work{Ran: 0.02}, true, Demand},
	} {
		t.Run(tt.name, func(t *testing.T) {
			charged := chargedWhileLocked(1.6, tt.locked, tt.work, tt.calls)
			all := charged[Stopped] + charged[Demand] + charged[Disk]
			if tt.want == "" && all > 20 || tt.want != "" && (charged[tt.want] < 0.9*all || all == 0) {
				t.Errorf("charged %v, want %s", charged, tt.want)
			}
		})
	}
}

// chargedWhileLocked returns the charges of 40 s. In the locked windows (locked(at) of 40), queue requests are in the
// tier, its threads do this work, and the other requests sleep. calls says whether the tier calls another one.
func chargedWhileLocked(queue float64, locked func(at int64) bool, work Work, calls bool) map[Cause]float64 {
	tier := NewTier(testWidth)
	tier.Give(0.001, 40)
	lag := int64(lag / testWidth)
	charged := map[Cause]float64{}
	for i := range int64(60 * time.Second / testWidth) {
		if at := i - lag; at >= 0 {
			w := Work{Ran: 0.02}
			if locked(at % 40) {
				w = work
				w.Asleep = max(0, queue-w.Ran-w.Waited-w.Disk)
			}
			w.Index = at
			tier.SetWork(w)
		}
		w := Window{Index: i, Queue: 0.02, Completions: 1, GC: math.NaN()}
		if locked(i % 40) {
			w.Queue = queue
		}
		if calls {
			w.Calls = []Calls{{To: "cache", Outstanding: 0, Begun: 1, Answered: 1}}
		}
		if _, _, j, ok := tier.Add(w); ok && j.Index >= 400 {
			for _, c := range j.Charges {
				charged[c.Cause] += c.Queue
			}
		}
	}
	return charged
}

// A client sends 90 commands at once, four times a second, beside others that send one at a time. The server's thread
// works for 2 ms on the 90, so that each of them waits for 1.6 ms. They don't sleep, though on average over the window
// three requests are there and a thread works for a twentieth of it. If the same number waits for 25 ms, they do sleep.
func TestPipelineIsNoLock(t *testing.T) {
	for name, tt := range map[string]struct {
		queue  float64
		early  float64 // a part of them is answered in the window before
		locked bool
	}{
		"they wait for the thread at work": {2.9, 0, false},
		"some of them in the next window":  {2.9, 0.8, false},
		"they sleep":                       {40, 0, true},
	} {
		t.Run(name, func(t *testing.T) {
			charged := chargedTo(0.0001, 0, nil, func(i int64) (Window, Work) {
				part := 0.0
				switch i % 5 {
				case 0:
					part = 1 - tt.early
				case 4:
					part = tt.early
				}
				if part == 0 {
					return Window{Queue: 0.02, Completions: 12}, Work{Ran: 0.01}
				}
				queue := part * tt.queue
				return Window{Queue: queue, Completions: 12 + 90*part},
					Work{Ran: 0.03, Waited: 0.01, Asleep: queue - 0.04}
			})[Stopped]
			all := (tt.queue + 4*0.02) / 5 // mean over the windows
			if locked := charged > all/2; locked != tt.locked || !locked && charged > 0 {
				t.Errorf("%.2f of %.2f are charged to stops", charged, all)
			}
		})
	}
}

// A job writes a table of a database anew, again and again. Requests that read the table wait until that is done, while
// the job computes. If each connection has a thread or process of its own, no request can wait for that thread's work.
// So it is a lock, though requests sleep in most of the windows for this reason. In an event loop they may wait for the
// work.
func TestTableThatIsWrittenAnew(t *testing.T) {
	for _, apart := range []bool{false, true} {
		tier := NewTier(testWidth)
		tier.Give(0.001, 40)
		tier.SetApart(apart)
		lag := int64(lag / testWidth)
		charged := map[Cause]float64{}
		window := func(i int64) (queue, done float64, w Work) {
			switch at := i % 20; {
			case i < 600: // nothing is written yet
				return 0.3, 20, Work{Ran: 0.2}
			case at < 9:
				queue := 2 * float64(at+1)
				return queue, 3, Work{Ran: 0.9, Waited: 0.2, Asleep: queue - 1.1}
			case at < 10:
				return 6, 100, Work{Ran: 0.9, Waited: 4}
			default:
				return 0.5, 30, Work{Ran: 0.4}
			}
		}
		for i := range int64(90 * time.Second / testWidth) {
			if at := i - lag; at >= 0 {
				_, _, w := window(at)
				w.Index = at
				tier.SetWork(w)
			}
			queue, done, _ := window(i)
			if _, _, j, ok := tier.Add(Window{Index: i, Queue: queue, Completions: done, GC: math.NaN()}); ok &&
				j.Index >= 1200 {
				for _, c := range j.Charges {
					charged[c.Cause] += c.Queue
				}
			}
		}
		all := charged[Stopped] + charged[Demand] + charged[UnknownCause]
		if all == 0 || apart && charged[Stopped] < 0.7*all || !apart && charged[Stopped] > 0 {
			t.Errorf("apart %v: charged %v", apart, charged)
		}
	}
}

// A table is locked for 800 ms every 2 s, and half of the pages read it. There are few other pages, so requests sleep
// in most windows with requests, and that is not unusual. It is not known then what they wait for. It is known that it
// is no demand, because no thread of the tier works.
func TestLockedAsARule(t *testing.T) {
	charged := chargedWhileLocked(6.02, func(at int64) bool { return at < 16 }, Work{Ran: 0.02}, false)
	if charged[UnknownCause]+charged[Stopped] < 100 || charged[Demand] > 0.1*charged[UnknownCause] {
		t.Errorf("charged %v, want hardly any demand", charged)
	}
}

// There are six pages a second. Most have one statement that sleeps for 400 ms in the database, the others fifty that
// take 1 ms each. If only long ones are there, nothing is answered for a while, as a rule: that is no stop. It is a
// stop if its processes are stopped.
func TestLongStatementsAreNoStop(t *testing.T) {
	for _, stopped := range []bool{false, true} {
		r := rand.New(rand.NewPCG(1, 2))
		const windows = 1800 // 90 s
		queue, done := make([]float64, windows+20), make([]float64, windows+20)
		for i := range windows {
			if r.Float64() > 0.3 {
				continue
			}
			if r.Float64() < 0.6 {
				for k := range 8 {
					queue[i+k]++
				}
				done[i+8]++
				continue
			}
			for k := range 3 {
				queue[i+k] += 0.4
				done[i+k] += 17
			}
		}
		if stopped {
			for i := 800; i < windows; i++ {
				if i%40 < 4 {
					done[i] = 0
				}
			}
		}
		tier := NewTier(testWidth)
		lag := int64(lag / testWidth)
		charged := 0.0
		for i := range int64(windows) {
			if at := i - lag; at >= 0 {
				w := Work{Index: at, Ran: 0.001 * done[at]}
				w.Asleep = max(0, queue[at]-w.Ran)
				if stopped && at >= 800 && at%40 < 4 {
					w.Stopped = 1
				}
				tier.SetWork(w)
			}
			_, _, j, ok := tier.Add(Window{Index: i, Queue: queue[i], Completions: done[i], GC: math.NaN()})
			for _, c := range j.Charges {
				if ok && j.Index >= 800 && c.Cause == Stopped {
					charged += c.Queue
				}
			}
		}
		if (charged > 60) != stopped {
			t.Errorf("%.0f are charged to stops, want some: %v", charged, stopped)
		}
	}
}

// There are ten pages a second. Three of them sleep for 800 ms on purpose, and the others compute and ask a database.
// If only the three are there, nothing is answered for a while, as a rule: that is no stop. It is a stop if its
// processes are stopped.
func TestPagesThatSleepAreNoStop(t *testing.T) {
	for _, stopped := range []bool{false, true} {
		r := rand.New(rand.NewPCG(1, 2))
		const windows = 1800 // 90 s
		asleep, work, done := make([]float64, windows+20), make([]float64, windows+20), make([]float64, windows+20)
		for i := range windows {
			switch {
			case r.Float64() > 0.5:
			case r.Float64() < 0.3:
				for k := range 16 {
					asleep[i+k]++
				}
				done[i+16]++
			default:
				work[i], work[i+1], done[i+1] = work[i]+0.7, work[i+1]+0.7, done[i+1]+1
			}
		}
		tier := NewTier(testWidth)
		lag := int64(lag / testWidth)
		charged := 0.0
		for i := range int64(windows) {
			halted := func(at int64) bool { return stopped && at >= 800 && at%40 < 4 }
			if at := i - lag; at >= 0 {
				w := Work{Index: at, Ran: work[at], Asleep: asleep[at]}
				if halted(at) {
					w.Ran, w.Stopped = 0, 1
				}
				tier.SetWork(w)
			}
			w := Window{Index: i, Queue: asleep[i] + work[i] + 0.1, Completions: done[i], GC: math.NaN(),
				Calls: []Calls{{To: "database", Outstanding: 0.1, Peak: 1, Answered: 20 * work[i], Begun: 20 * work[i],
					Connections: 10}}}
			if halted(i) {
				w.Completions, w.Queue = 0, w.Queue+3
				w.Calls[0].Answered, w.Calls[0].Begun = 0, 0
			}
			_, _, j, ok := tier.Add(w)
			for _, c := range j.Charges {
				if ok && j.Index >= 800 && c.Cause == Stopped {
					charged += c.Queue
				}
			}
		}
		if (charged > 60) != stopped {
			t.Errorf("%.0f are charged to stops, want some: %v", charged, stopped)
		}
	}
}

// Statements sleep for 20 ms on purpose, mostly one at a time, and seem to be served one at a time. That is no limit.
// It is a limit if they compute, or if many are there all the time.
func TestNoSaturationPointOfSleepers(t *testing.T) {
	for _, tt := range []struct {
		name  string
		own   float64
		work  Work
		given float64 // saturation point, by the configuration
		known bool
	}{
		{"they sleep", 0.8, Work{Ran: 0.1, Asleep: 0.7}, 0, false},
		{"they compute", 0.8, Work{Ran: 0.8}, 0, true},
		{"they sleep, and workers are all taken", 8, Work{Ran: 0.1, Asleep: 7.9}, 0, true},
		{"they sleep, and somebody knows better", 0.8, Work{Ran: 0.1, Asleep: 0.7}, 3, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tier := NewTier(testWidth)
			lag := int64(lag / testWidth)
			for i := range int64(30 * time.Second / testWidth) {
				if at := i - lag; at >= 0 {
					tt.work.Index = at
					tier.SetWork(tt.work)
				}
				tier.Add(Window{Index: i, Queue: tt.own, Completions: 1, GC: math.NaN()})
			}
			tier.estimate = saturation.Estimate{Status: saturation.Known, Base: 0.02, MaxThroughput: 60,
				SaturationPoint: 1.2, Low: 1, High: 1.6}
			if tt.given > 0 {
				tier.estimate.SaturationPoint, tier.estimate.Low, tier.estimate.High = tt.given, tt.given, tt.given
			}
			e := tier.Estimate()
			known := e.Status == saturation.Known
			if known != tt.known || math.IsNaN(e.SaturationPoint) == tt.known ||
				math.IsNaN(e.MaxThroughput) == tt.known ||
				e.Base != 0.02 {
				t.Errorf("%+v, want a saturation point: %v", e, tt.known)
			}
		})
	}
}

// There is a lock in a service that calls a database. For 300 ms every 2 s half of the requests wait for it, and the
// others go on. No thread computes for those that wait, so they are no demand; and many sleep together.
func TestLockInCaller(t *testing.T) {
	now := func(at int64) bool { return at%40 < 6 }
	quick := Calls{Outstanding: 0.2, Answered: 5, Peak: 2}
	many := func(int64) float64 { return 12 }
	for _, tt := range []struct {
		name   string
		asleep func(at int64) float64
		call   Calls   // while they sleep
		ran    float64 // meanwhile
		done   float64 // the same
		unseen bool    // it calls others over connections that are not measured
		beyond bool    // answered requests took far less time than the waiting ones
		want   bool    // stopped
	}{
		{"they sleep together", many, quick, 0.2, 5, false, false, true},
		{"they sleep for the database, which holds all that can be called", many,
			Calls{Outstanding: 4, Answered: 1, Peak: 4}, 0.2, 5, false, false, false},
		{"they sleep for a thread that computes", many, quick, 0.9, 5, false, false, false},
		{"more came, and no fewer are answered", many, quick, 0.2, 10, false, false, false},
		{"they sleep for somebody out of sight", func(int64) float64 { return 4.1 }, quick, 0.2, 5, true, false, false},
		{"they may listen to something", many, quick, 0.2, 5, false, true, false},
		{"a few sleep, each for itself", func(at int64) float64 { return float64(at / 40 % 3) }, quick, 0.2, 5, false,
			false, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tier := NewTier(testWidth)
			tier.Give(0.002, 40)
			tier.SetUnseen(tt.unseen)
			lag := int64(lag / testWidth)
			charged := map[Cause]float64{}
			for i := range int64(60 * time.Second / testWidth) {
				if at := i - lag; at >= 0 {
					w := Work{Index: at, Ran: 0.2}
					if now(at) {
						w.Ran, w.Asleep = tt.ran, tt.asleep(at)
					}
					tier.SetWork(w)
				}
				if i%20 == 0 && tt.beyond {
					tier.SetAnswers(Answers{Seconds: 1, Quick: 0.6})
				}
				w := Window{Index: i, Queue: 0.6, Completions: 10, GC: math.NaN(),
					Calls: []Calls{{Outstanding: 0.4, Peak: 3, Answered: 10}}}
				if i == 100 {
					w.Calls[0].Peak = 4 // the largest number ever seen
				}
				if now(i) {
					w.Calls[0] = tt.call
					w.Queue, w.Completions = 0.2+tt.asleep(i)+tt.call.Outstanding, tt.done
				}
				w.Calls[0].To, w.Calls[0].Begun, w.Calls[0].Connections = "database", w.Calls[0].Answered, 10
				_, _, j, ok := tier.Add(w)
				if ok && (j.Index >= 400 || !tt.want) { // a lock is not told before the tier is known
					for _, c := range j.Charges {
						charged[c.Cause] += c.Queue
					}
				}
			}
			all := 0.0
			for _, queue := range charged {
				all += queue
			}
			if tt.want && charged[Stopped] < 0.9*all || !tt.want && charged[Stopped] > 0 || all == 0 {
				t.Errorf("charged %v, want it stopped: %v", charged, tt.want)
			}
		})
	}
}

// Requests that sleep may wait for a thread that is busy, and no more of them than M/M/1 says.
func TestBeyondThread(t *testing.T) {
	unknown := math.NaN()
	for _, tt := range []struct {
		name                         string
		ran, waited, asleep, busiest float64
		processes                    float64
		want                         float64
	}{
		{"no thread has anything to do", 0, 0, 3, unknown, 0, 3},
		{"a thread is busy for half of the time", 0.5, 0, 3, unknown, 0, 2.5},
		{"threads are busy for half of the time, the busiest for a tenth", 0.4, 0.1, 3, 0.1, 0, 3 - 0.01/0.9},
		{"threads take turns, for most of the time", 0.6, 0.2, 3.5, 0.2, 0, 0.3},
		{"a thread is always busy", 0.9, 0.1, 3, 0.5, 0, 0},
		{"more may wait for it than sleep", 0.8, 0, 1, unknown, 0, 0},
		{"two processes share the work", 0.5, 0.3, 3.5, unknown, 2, 3.5 - 2*0.16/0.6},
		{"one of them may have worked all the time", 0.7, 0.1, 3.5, unknown, 2, 0.3},
		{"one of them may have lacked a processor all the time", 0.3, 0.5, 3.5, unknown, 2, 0.3},
	} {
		w := Work{Ran: tt.ran, Waited: tt.waited, Asleep: tt.asleep}
		if got := w.beyondThread(10, tt.busiest, tt.processes); math.Abs(got-tt.want) > 1e-9 {
			t.Errorf("%s: %.3f wait for no thread, want %.3f", tt.name, got, tt.want)
		}
	}
}
