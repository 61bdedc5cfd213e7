// SPDX-License-Identifier: Apache-2.0

package judgement

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"
)

// Connections to a broker. In the first window it turned out that calls on them can't be told apart. toServer is one
// such connection to a server that is also called over others.
var (
	toBroker = func(i int64) Calls {
		c := Calls{To: "broker", Connections: 1}
		if i == 0 {
			c.Unmeasured = 1
		}
		return c
	}
	toServer = func(i int64) Calls {
		c := toBroker(i)
		c.Connections, c.Begun, c.Answered, c.Outstanding, c.Peak, c.Used = 3, 1, 1, 0.02, 1, 1
		return c
	}
	toNobody = func(int64) Calls { return Calls{To: "nobody"} }
)

// A front server calls an application server over a Unix socket, and all requests in it sleep. Two workers there, or a
// database behind it that stands still, look like a limit of the front server itself. No tier is named.
func TestAsksOverUnixSocket(t *testing.T) {
	for _, tt := range []struct {
		name string
		busy func(i int64, random *rand.Rand) (own, completions float64)
	}{
		{"at its limit", func(_ int64, random *rand.Rand) (float64, float64) {
			return 40 + 3*random.Float64(), float64(1 + random.IntN(2))
		}},
		{"stopped now and then", func(i int64, random *rand.Rand) (float64, float64) {
			if at := i % 40; at < 6 {
				return 1 + 1.5*float64(at), 0
			}
			return 0.8 + random.Float64()/2, float64(1 + random.IntN(4))
		}},
	} {
		for _, unseen := range []bool{false, true} {
			tier := NewTier(testWidth)
			tier.SetProcessors(2)
			tier.SetUnseen(unseen)
			random := rand.New(rand.NewPCG(3, 4))
			named, untold, all := 0., 0., 0.
			for i := range int64(2400) {
				w := Window{Index: i, Queue: 0.8, Completions: float64(1 + random.IntN(4)), GC: math.NaN()}
				if i >= 800 {
					w.Queue, w.Completions = tt.busy(i, random)
				}
				if i%20 == 0 {
					tier.SetLoad(Load{From: i - 20, To: i, Cores: 0.05, Used: 0.025, Busy: 0.4, Others: 0.3})
				}
				tier.SetWork(Work{Index: i - int64(lag/testWidth), Ran: 0.05, Asleep: w.Queue})
				_, _, j, ok := tier.Add(w)
				if !ok || j.Index < 1200 {
					continue
				}
				for _, c := range j.Charges {
					all += c.Queue
					switch c.Cause {
					case SoftResource, Stopped:
						named += c.Queue
					case UnknownCause:
						untold += c.Queue
					}
				}
			}
			if !unseen && named < 0.2*all || unseen && (named > 0.01*all || untold < 0.7*all) {
				t.Errorf("%s, unseen %v: of %.0f requests %.0f are named, %.0f not known", tt.name, unseen,
					all, named, untold)
			}
		}
	}
}

// Fifty requests sleep in a tier that is at its limit and hardly computes. The limit may be the number of its own
// workers. If it has a connection to a broker, the requests may wait for an answer that can't be seen.
func TestCrowdWaitsUnseen(t *testing.T) {
	for _, tt := range []struct {
		name  string
		calls func(int64) Calls
		ran   float64
		want  Cause
		least float64 // of what waits; it is not known either whether the rest is work
	}{
		{"it has a connection to a broker", toBroker, 0.05, UnknownCause, 1},
		{"it has none", toNobody, 0.05, SoftResource, 0.1},
		{"it has a tunnel to a server that it calls", toServer, 0.05, SoftResource, 0.1},
		{"it has one to a broker, and computes all the time", toBroker, 0.97, Demand, 0.9},
	} {
		charged := busyStation(
			func(i int64, random *rand.Rand) (Window, Work) {
				return Window{Queue: 0.2, Completions: float64(1 + random.IntN(3)), Calls: []Calls{tt.calls(i)}},
					Work{Ran: 0.1, Asleep: 0.1}
			},
			func(i int64, random *rand.Rand) (Window, Work) {
				own := 50 + 3*random.Float64()
				return Window{Queue: own, Completions: float64(1 + random.IntN(2)), Calls: []Calls{tt.calls(i)}},
					Work{Ran: tt.ran, Asleep: own - tt.ran}
			},
			Load{Cores: tt.ran, Used: tt.ran, Busy: tt.ran, Others: 0})
		if !(part(charged, Charge{Cause: tt.want}) >= tt.least) {
			t.Errorf("%s: charged %v, want %s", tt.name, charged, tt.want)
		}
	}
}

// Every two seconds nothing goes on in a tier for 300 ms, and its threads sleep. Either the tier stands still, or a
// program behind a broker does. If the kernel sees that the tier was stopped, there is no doubt.
func TestStandsStillUnseen(t *testing.T) {
	for _, tt := range []struct {
		name  string
		calls func(int64) Calls
		still Work
		want  Cause
	}{
		{"it has a connection to a broker", toBroker, Work{}, UnknownCause},
		{"it has none", toNobody, Work{}, Stopped},
		{"it has one to a broker, and is stopped by a signal", toBroker, Work{Stopped: 1}, Stopped},
		{"it has one to a broker, and its one thread computes", toBroker, Work{Ran: 1}, Stopped},
	} {
		tier := NewTier(testWidth)
		tier.Give(0.004, 40)
		charged := make(map[Cause]float64)
		still := func(i int64) bool { return i >= 200 && i%40 < 6 }
		for i := range int64(60 * time.Second / testWidth) {
			if at := i - int64(lag/testWidth); at >= 0 {
				work := Work{Ran: 0.2, Asleep: 0.2}
				if still(at) {
					work = tt.still
					work.Asleep = float64(at%40)*6 + 3 - work.Ran
				}
				work.Index = at
				tier.SetWork(work)
			}
			w := Window{Index: i, Queue: 0.4, Completions: 6, GC: math.NaN(), Calls: []Calls{tt.calls(i)}}
			if still(i) {
				w.Queue, w.Completions = float64(i%40)*6+3, 0
			}
			_, _, j, ok := tier.Add(w)
			if ok && j.Index >= 400 {
				for _, c := range j.Charges {
					charged[c.Cause] += c.Queue
				}
			}
		}
		if !(part(charged, tt.want) >= 0.9) {
			t.Errorf("%s: charged %v, want %s", tt.name, charged, tt.want)
		}
	}
}

// A service of a single thread works for half of the time, and asks a worker over a broker for every eighth request.
// Every two seconds the worker stands still for 300 ms. Requests pile up in the service, which answers the others as
// quickly as ever. That is neither a limit of the service nor demand.
func TestWorkerStandsStillUnseen(t *testing.T) {
	tier := NewTier(testWidth)
	tier.SetProcessors(1)
	random := rand.New(rand.NewPCG(1, 2))
	charged := make(map[Cause]float64)
	works := make(map[int64]Work)
	for i := range int64(90 * time.Second / testWidth) {
		completions := float64(22 + random.IntN(19))
		busy := completions / 70
		w := Window{Index: i, GC: math.NaN(), Calls: []Calls{toBroker(i)}, Queue: busy/(1-busy) + 0.4*random.Float64(),
			Completions: completions}
		if at := i % 40; at < 6 {
			w.Queue += 4 * (float64(at) + 0.5)
			w.Completions -= 3
		}
		works[i] = Work{Index: i, Ran: busy, Asleep: w.Queue - busy}
		if work, ok := works[i-int64(lag/testWidth)]; ok {
			tier.SetWork(work)
		}
		_, _, j, ok := tier.Add(w)
		if i%20 == 19 {
			tier.SetLoad(Load{From: i - 19, To: i + 1, Cores: 0.45, Used: 0.45, Busy: 0.6})
		}
		if !ok || j.Index < 800 {
			continue
		}
		for _, c := range j.Charges {
			charged[c.Cause] += c.Queue
		}
	}
	if e := tier.Estimate(); !math.IsNaN(e.SaturationPoint) {
		t.Errorf("saturation point %.2f of a service that was never at its limit", e.SaturationPoint)
	}
	if unknown := charged[UnknownCause]; unknown == 0 ||
		charged[Demand]+charged[Stopped]+charged[SoftResource] > 0.1*unknown {
		t.Errorf("charged %v, want unknown", charged)
	}
}

// Messages are published over a broker: nobody waits for it if nothing comes back but a sign of life now and then. If
// answers came, requests wait for them, also when the broker stands still. Older recordings do not tell.
func TestPublishesOnly(t *testing.T) {
	const second = int(time.Second / testWidth)
	for _, tt := range []struct {
		name        string
		told        func(i int) float64
		tells, want bool
	}{
		{"nothing comes back", func(int) float64 { return 0 }, true, false},
		{"signs of life", func(i int) float64 { return float64(1 - min(1, i%(20*second))) }, true, false},
		{"answers", func(i int) float64 { return float64(1 - min(1, i%second)) }, true, true},
		{"answers, and the broker stands still", func(i int) float64 {
			return float64(max(0, 1-i/(5*second)))
		}, true, true},
		{"it is not known", func(int) float64 { return 0 }, false, true},
	} {
		u := newUnseen(testWidth)
		u.add(Calls{Connections: 1, Unmeasured: 1}, 0, false)
		for i := range 60 * second {
			u.add(Calls{Connections: 1, Told: tt.told(i)}, 0, false)
		}
		if got := u.hides(tt.tells); got != tt.want {
			t.Errorf("%s: %v, told %.1f", tt.name, got, u.told.part)
		}
	}
}

// A broker is stopped for a second of every five, and a part of the requests wait meanwhile for its confirmation. That
// is no waiting of the tier's own, and not of an unknown cause.
func TestBrokerIsStopped(t *testing.T) {
	for _, kernel := range []bool{false, true} {
		tier := NewTier(testWidth)
		tier.SetProcessors(2)
		tier.SetTells(true)
		random := rand.New(rand.NewPCG(3, 4))
		sums, all := make(map[Cause]float64), 0.
		for i := range int64(2400) {
			calls := toBroker(i)
			w := Window{Index: i, Queue: 0.3 + 0.2*random.Float64(), Completions: float64(3 + random.IntN(4)),
				GC: math.NaN()}
			at := i % 100
			stopped := i >= 1200 && at < 20
			if stopped {
				w.Queue += float64(at) / 2
				w.Completions = float64(2 + random.IntN(3))
			} else {
				calls.Told = 2
			}
			w.Calls = []Calls{calls}
			if i%20 == 0 {
				tier.SetLoad(Load{From: i - 20, To: i, Cores: 0.2, Used: 0.1, Busy: 0.4, Others: 0.1})
			}
			work := Work{Index: i - int64(lag/testWidth), Ran: 0.2, Asleep: 0.1}
			if was := work.Index; was >= 1200 && was%100 < 20 {
				work.Asleep = 0.1 + float64(was%100)/2
				if kernel {
					work.Halted = "broker"
				}
			}
			tier.SetWork(work)
			_, _, j, ok := tier.Add(w)
			if !ok || j.Index < 1200 {
				continue
			}
			for _, c := range j.Charges {
				all += c.Queue
				if c.Cause == Stalled && c.To != "broker" {
					t.Fatalf("waiting for %q", c.To)
				}
				sums[c.Cause] += c.Queue
			}
		}
		if kernel && sums[Stalled] < 0.9*all || !kernel && sums[Stalled] > 0 || all == 0 {
			t.Errorf("stop seen %v: charged %v", kernel, sums)
		}
	}
}
