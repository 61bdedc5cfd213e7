// SPDX-License-Identifier: Apache-2.0

package judgement

import (
	"math"
	"testing"
	"time"
)

// The requests of a tier hold a connection without calling much: its pool is the limit, though few calls are
// outstanding at once. Such a tier sleeps, which tells it from a tier that works.
func TestAsleep(t *testing.T) {
	for _, tt := range []struct {
		name  string
		cores float64
		want  Cause
	}{{"asleep", 0.1, SoftResource}, {"at work", 0.98, UnknownCause}} {
		t.Run(tt.name, func(t *testing.T) {
			tier := NewTier(testWidth)
			random := three(1, nil).random
			second := int64(time.Second / testWidth)
			charged := make(map[Cause]float64)
			for i := range int64(1200) {
				calls := Calls{To: "db", Outstanding: 0.5 * random.Float64(), Begun: 6, Answered: 6,
					Connections: 6, Used: 5,
					Idle: 5.2}
				calls.Peak = 1 + float64(random.IntN(3))
				if i < 200 { // little to do at first, so that the time of a call is known
					calls.Outstanding, calls.Idle = 0.3, 1
				}
				_, _, j, _ := tier.Add(Window{Index: i, Queue: 20 + calls.Outstanding, Completions: 6, GC: math.NaN(),
					Calls: []Calls{calls}})
				if i%second == second-1 {
					tier.SetLoad(Load{From: i + 1 - second, To: i + 1, Cores: tt.cores, Used: tt.cores / 2, Busy: 0.75})
				}
				if j.Index > 800 {
					for _, c := range j.Charges {
						charged[c.Cause] += c.Queue
					}
				}
			}
			if len(charged) != 1 || charged[tt.want] == 0 {
				t.Errorf("charged %v, want %s alone", charged, tt.want)
			}
		})
	}
}

// The threads of a database wait because other programs run. The others are to blame for the share of the wait that
// they cause.
func TestNeighbours(t *testing.T) {
	for _, tt := range []struct {
		name        string
		load        func(own float64) Load // own: mean own queue of the second
		least, most float64                // share of the excess that is the neighbours'
		windows     []Window
	}{
		{"others have most of the processors", func(own float64) Load {
			return Load{Used: 0.3, Busy: 1, Others: 0.7, Waiting: own}
		}, 0.6, 0.75, three(150, nil).simulate()[db]},
		{"it has them itself", func(own float64) Load {
			return Load{Used: 0.95, Busy: 1, Others: 0.05, Waiting: own}
		}, 0, 0.06, three(150, nil).simulate()[db]},
		{"nobody waits for a processor", func(float64) Load {
			return Load{Used: 0.3, Busy: 1, Others: 0.7}
		}, 0, 0, three(150, nil).simulate()[db]},
		{"stopped, which is no waiting", func(float64) Load {
			return Load{Used: 0.2, Busy: 0.5, Others: 0.1}
		}, 0, 0, three(40, func(s *system) { s.tiers[db].stops = every(2000*ms, 200*ms) }).simulate()[db]},
		{"not known", func(float64) Load { return Load{Used: math.NaN(), Busy: math.NaN()} }, 0, 0,
			three(40, nil).simulate()[db]},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tier := NewTier(testWidth)
			theirs, all, own := 0.0, 0.0, 0.0
			second := int64(time.Second / testWidth)
			for _, w := range tt.windows {
				mine, _, j, ok := tier.Add(w)
				own += mine / float64(second)
				if w.Index%second == second-1 {
					load := tt.load(own)
					load.From, load.To = w.Index+1-second, w.Index+1
					tier.SetLoad(load)
					own = 0
				}
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
			if share := theirs / all; share < tt.least || share > tt.most {
				t.Errorf("%.3f of the excess is the neighbours', want %.2f to %.2f", share, tt.least, tt.most)
			}
		})
	}
}

// The tier may be able to get what others use. If a third of the processors is left to a tier by itself, and a job of
// low priority takes this third, the tier is not at its limit.
func TestNotFullBesideOthers(t *testing.T) {
	for _, tt := range []struct {
		name string
		load Load
		want bool
	}{
		{"others have what it leaves", Load{Used: 0.65, Busy: 1, Others: 0.3}, false},
		{"and many of its threads wait nevertheless", Load{Used: 0.65, Busy: 1, Others: 0.3, Waiting: 12}, true},
		{"with its own application it has all", Load{Used: 0.65, Busy: 1, Others: 0.04}, true},
		{"it is hardly there", Load{Used: 0.1, Busy: 1, Others: 0.04}, false},
	} {
		tier := NewTier(testWidth)
		for i := range int64(10) {
			tt.load.From, tt.load.To = 20*i, 20*i+20
			tier.SetLoad(tt.load)
		}
		if got := tier.fullNow(); got != tt.want {
			t.Errorf("%s: full %t, want %t", tt.name, got, tt.want)
		}
	}
}

// A burst ends. Its last windows are judged when the processors have time again, and what was demand stays demand.
func TestTheEndOfABurst(t *testing.T) {
	tier := NewTier(testWidth)
	tier.SetProcessors(1)
	second := int64(time.Second / testWidth)
	burst := 10 * second
	charged := make(map[Cause]float64)
	for i := range burst + 10*second {
		w, used := Window{Index: i, Queue: 400, Completions: 30, GC: math.NaN()}, 1.0
		if i >= burst {
			w.Queue, w.Completions, used = 0.2, 4, 0.05
		}
		_, _, j, ok := tier.Add(w)
		if i%second == second-1 {
			tier.SetLoad(Load{From: i + 1 - second, To: i + 1, Cores: used, Used: used, Busy: used})
		}
		if ok && j.Index >= burst/2 {
			for _, c := range j.Charges {
				charged[c.Cause] += c.Queue
			}
		}
	}
	if charged[UnknownCause] > 0 || charged[Demand] == 0 {
		t.Errorf("charged %v, want demand", charged)
	}
}

// Eight workers wait for jobs at a broker, which does little when few jobs come. Its queue is as long as ever with
// hardly any completion, and that is no demand on the broker.
func TestLongPolls(t *testing.T) {
	random := three(1, nil).random
	tier := NewTier(testWidth)
	tier.Give(0.008, math.NaN())
	second := int64(time.Second / testWidth)
	charged := make(map[Cause]float64)
	for i := range int64(3600) {
		done := float64(45 + random.IntN(10))
		if i > 1800 {
			done = float64(random.IntN(3))
		}
		_, _, j, ok := tier.Add(Window{Index: i, Queue: 8 + done/200, Completions: done, GC: math.NaN()})
		if i%second == second-1 {
			cores := done / 500
			tier.SetLoad(Load{From: i + 1 - second, To: i + 1, Cores: cores, Used: cores / 2, Busy: 0.2 +
				cores/2, Others: 0.2})
		}
		if !ok || j.Index < 1900 {
			continue
		}
		for _, c := range j.Charges {
			charged[c.Cause] += c.Queue
		}
	}
	if charged[Demand] > 0.05*charged[UnknownCause] {
		t.Errorf("charged %v, want hardly any demand", charged)
	}
}

// A server with a single thread may use half a processor because others have the rest. Requests in it wait for that
// thread, and the server does not sleep. A server with many threads, each of which wants little, may sleep.
func TestSingleThreadThatOthersKeepWaiting(t *testing.T) {
	for _, tt := range []struct {
		thread float64
		want   bool
	}{{0.9, false}, {0.2, true}, {math.NaN(), true}} {
		tier := NewTier(testWidth)
		l := Load{Cores: 0.5, Waiting: 0.4, Thread: tt.thread, excess: 20}
		tier.SetLoad(l)
		if got := l.sleepy(); got != tt.want {
			t.Errorf("a thread that wants %g of the time: asleep %v, want %v", tt.thread, got, tt.want)
		}
		if !tier.AsksForThread() {
			t.Error("nobody asks what its threads want")
		}
		// It is at its limit with half a processor or with two thirds, depending on what others leave.
		if tier.SetLoad(Load{Cores: 0.65, Waiting: 0.3, Thread: math.NaN()}); !tier.AsksForThread() {
			t.Error("nobody asks what its threads want in a second after one in which it computed more")
		}
	}
}

// Requests that sleep may wait for a thread that is often at work. In a tier with many threads, none of which is busy,
// they wait for something else.
func TestSleepersAskForThread(t *testing.T) {
	for _, tt := range []struct {
		asleep, ran float64
		calls       bool
		want        bool
	}{{1, 0.4, true, true}, {0.1, 0.4, true, false}, {1, 0.1, true, false}, {1, 0.4, false, false}} {
		tier := NewTier(testWidth)
		if tt.calls {
			tier.destination("db")
		}
		tier.SetLoad(Load{Cores: tt.ran, Thread: math.NaN()})
		for i := range int64(20) {
			tier.SetWork(Work{Index: i, Ran: tt.ran, Asleep: tt.asleep})
			tier.contention.add(i, 1.5, 1, 1, false)
		}
		if got := tier.AsksForThread(); got != tt.want {
			t.Errorf("%+v: asked %v", tt, got)
		}
	}
}

// If the processor time alone decides it, the threads are not looked at, because that costs more.
func TestThreadsAreNotAskedFor(t *testing.T) {
	for _, l := range []Load{{Cores: 0.1, Waiting: 0.2}, {Cores: 0.9, Waiting: 3}, UnknownLoad()} {
		tier := NewTier(testWidth)
		if tier.AsksForThread() {
			t.Error("asked before anything is known")
		}
		if tier.SetLoad(l); tier.AsksForThread() {
			t.Errorf("asked at %+v", l)
		}
	}
}
