// SPDX-License-Identifier: Apache-2.0

package judgement

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"
)

// A load balancer hands on four requests at a time. All of them take 100 ms, so they come back together. It also checks
// the server's health every two seconds, on a connection of its own. The balancer is not stopped while it waits for
// answers.
func TestPlacesBesideHealthChecks(t *testing.T) {
	tier := NewTier(testWidth)
	charged := make(map[Cause]float64)
	random := rand.New(rand.NewPCG(1, 2))
	for i := range int64(2400) {
		w := Window{Index: i, GC: math.NaN()}
		c := Calls{To: "service", Connections: 5}
		switch {
		case i < 600: // few visitors
			if i%7 < 2 {
				w.Queue, c.Outstanding, c.Peak, c.Used = 1.002, 1, 1, 1
				if i%7 == 1 {
					w.Completions, c.Begun, c.Answered = 1, 1, 1
				}
			}
		case i%2 == 0: // all four places are taken
			w.Queue, c.Outstanding, c.Peak, c.Used = 20+10*random.Float64(), 4, 4, 4
		default:
			w.Queue, c.Outstanding, c.Peak, c.Used = 20+10*random.Float64(), 3.98, 4, 5
			w.Completions, c.Begun, c.Answered = 4, 4, 4
		}
		if i%40 == 1 {
			c.Begun, c.Answered, c.Peak = c.Begun+1, c.Answered+1, c.Peak+1
		}
		w.Calls = []Calls{c}
		_, _, j, ok := tier.Add(w)
		if i%20 == 19 {
			tier.SetLoad(Load{From: i - 19, To: i + 1, Cores: 0.02, Used: 0.02, Busy: 0.5, Others: 0.5})
		}
		if !ok || j.Index < 1200 {
			continue
		}
		for _, c := range j.Charges {
			charged[c.Cause] += c.Queue
		}
	}
	if charged[Stopped] > 0.02*charged[SoftResource] {
		t.Errorf("charged %v, want hardly any stop beside waiting for a place", charged)
	}
}

// Four workers sleep for 100 ms with each request (they ask a program that is not seen). They are at their limit while
// the processors have time: more workers are wanted, not more processors.
func TestWorkersThatSleep(t *testing.T) {
	tier := NewTier(testWidth)
	tier.SetProcessors(1)
	charged := make(map[Cause]float64)
	random := rand.New(rand.NewPCG(1, 2))
	type job struct{ left float64 }
	var waiting int
	var busy []job
	second := int64(time.Second / testWidth)
	for i := range int64(2400) {
		w := Window{Index: i, GC: math.NaN()}
		rate := 0.14 // a window
		if i >= 600 {
			rate = 3
			if waiting > 30 {
				rate = 0
			}
		}
		for n := range 50 { // ms
			if random.Float64() < rate/50 {
				waiting++
			}
			for k := 0; k < len(busy); k++ {
				if busy[k].left--; busy[k].left <= 0 {
					busy = append(busy[:k], busy[k+1:]...)
					k--
					w.Completions++
				}
			}
			for waiting > 0 && len(busy) < 4 {
				waiting--
				busy = append(busy, job{102 + 4*random.Float64()})
			}
			w.Queue += float64(waiting+len(busy)) / 50
			_ = n
		}
		_, _, j, ok := tier.Add(w)
		if i%second == second-1 {
			cores := 0.002 * w.Completions * 20
			tier.SetLoad(Load{From: i + 1 - second, To: i + 1, Cores: cores, Used: cores, Busy: cores +
				0.1, Others: 0.1})
		}
		if !ok || j.Index < 1400 {
			continue
		}
		for _, c := range j.Charges {
			charged[c.Cause] += c.Queue
		}
	}
	if charged[Demand]+charged[Stopped] > 0.1*(charged[SoftResource]+charged[UnknownCause]) {
		t.Errorf("charged %v, want no demand and no stop", charged)
	}
}

// A server keeps each of its four connections to its database for 40 ms, but calls for 2 of these. Now and then it
// calls a cache over its only connection there. The pool is what is too small.
func TestThePoolBesideASharedConnection(t *testing.T) {
	tier := NewTier(testWidth)
	charged := make(map[string]float64)
	random := rand.New(rand.NewPCG(1, 2))
	for i := range int64(1200) {
		done := 4. + float64(random.IntN(3))
		w := Window{Index: i, Queue: 25 + 5*random.Float64(), Completions: done, GC: math.NaN(), Calls: []Calls{
			{To: "cache", Connections: 1, Outstanding: 0.01, Peak: 1, Used: 1, Begun: done, Answered: done},
			{To: "database", Connections: 4, Outstanding: 0.2, Peak: 4, Used: 4, Begun: done, Answered: done},
		}}
		_, _, j, ok := tier.Add(w)
		if i%20 == 19 {
			tier.SetLoad(Load{From: i - 19, To: i + 1, Cores: 0.1, Used: 0.1, Busy: 0.5, Others: 0.4})
		}
		if !ok || j.Index < 400 {
			continue
		}
		for _, c := range j.Charges {
			charged[c.To] += c.Queue
		}
	}
	if charged["cache"] > 0 || charged["database"] == 0 {
		t.Errorf("charged %v, want the database's places", charged)
	}
}

// All threads of a service share the one connection to its cache, which is always in use. For 300 ms every 2 s many of
// them sleep for a lock, and call the cache no more than otherwise. None of them waits for that connection.
func TestSharedConnectionIsNoPlace(t *testing.T) {
	tier := NewTier(testWidth)
	tier.Give(0.002, 40)
	charged := make(map[Cause]float64)
	for i := range int64(1200) {
		w := Window{Index: i, Queue: 1, Completions: 30, GC: math.NaN(), Calls: []Calls{
			{To: "cache", Connections: 1, Outstanding: 0.06, Idle: 0.9, Peak: float64(1 + i%3), Used: 1, Begun: 30,
				Answered: 30},
		}}
		if i%40 < 6 {
			w.Queue, w.Completions = 15*float64(i%40+1), 15
		}
		_, _, j, ok := tier.Add(w)
		if i%20 == 19 {
			tier.SetLoad(Load{From: i - 19, To: i + 1, Cores: 0.45, Used: 0.45, Busy: 0.6, Others: 0.15})
		}
		if !ok || j.Index < 400 {
			continue
		}
		for _, c := range j.Charges {
			charged[c.Cause] += c.Queue
		}
	}
	if charged[SoftResource]+charged[Place] > 0 {
		t.Errorf("charged %v, want no place to call", charged)
	}
}

// A client of Kafka has one connection, and calls more while its requests wait for something else. If the connection
// was ever seen to carry several calls at a time, no request holds it, however seldom that is.
func TestConnectionOfManyCallsIsNotHeld(t *testing.T) {
	for peak, held := range map[float64]bool{1: true, 3: false} {
		l := newLimit(testWidth)
		for i := range 400 {
			c := Calls{Connections: 1, Used: 1, Idle: 0.85, Peak: 1, Begun: 4, Answered: 4}
			if i%20 < 4 {
				c.Peak = peak
			}
			pressed := i >= 100
			if !pressed {
				c.Begun, c.Answered = 2, 2
			}
			l.look(c, 0.15, 8, 1, pressed)
		}
		if l.inRotation() != held {
			t.Errorf("%g calls at a time: a request holds it: %t", peak, l.inRotation())
		}
	}
}

// A pool is made smaller, and lets less be done than before. It is a limit all the same. If a connection was always
// there, and calls do not become more while requests press, that is not known.
func TestSmallerPoolThanBefore(t *testing.T) {
	for _, c := range []struct {
		before float64 // connections
		held   bool
	}{{32, true}, {6, false}} {
		l := newLimit(testWidth)
		for range 600 {
			l.look(Calls{Peak: 5, Begun: 21, Answered: 21, Connections: c.before, Used: 5, Idle: 1}, 1.3, 0.2, 6, false)
		}
		for range 200 {
			l.look(Calls{Peak: 3, Begun: 18, Answered: 18, Connections: 6, Used: 6, Idle: 5}, 0.8, 60, 5, true)
		}
		if l.inRotation() != c.held {
			t.Errorf("%g connections before: held by requests %t, want %t", c.before, l.inRotation(), c.held)
		}
	}
}

// A tier that calls itself, such as httpd and the daemons that it started, can't wait for another tier there.
func TestWaitsForItself(t *testing.T) {
	for _, tt := range []struct {
		name   string
		took   float64 // seconds that a call to the database takes, where it took 1 ms
		charge Charge
		want   Charge
	}{
		{"too few places of its own", 0.001, Charge{Cause: Behind, To: "httpd"}, Charge{Cause: SoftResource}},
		{"which are places to call itself", 0.001, Charge{Cause: Place, To: "httpd"}, Charge{Cause: SoftResource}},
		{"they are taken, as the database is slow", 0.05, Charge{Cause: Behind, To: "httpd"},
			Charge{Cause: Behind, To: "db"}},
		{"another tier's places", 0.001, Charge{Cause: SoftResource, To: "db"}, Charge{Cause: SoftResource, To: "db"}},
		{"a stop is a stop", 0.001, Charge{Cause: Stalled, To: "httpd"}, Charge{Cause: Stalled, To: "httpd"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tier := NewTier(testWidth)
			tier.prepare(Window{Calls: []Calls{{To: "httpd", Itself: true}, {To: "db"}}})
			db := tier.destination("db")
			db.base, db.answered, db.waited = 0.001, 100, 100*tt.took
			tt.charge.Queue, tt.want.Queue = 20, 20
			j := Judged{Charges: []Charge{tt.charge}}
			tier.settleItself(&pending{outstanding: []float64{20, 6}}, &j)
			if j.Charges[0] != tt.want {
				t.Errorf("charged to %+v, want %+v", j.Charges[0], tt.want)
			}
		})
	}
}

// All requests share one connection to a cache whose protocol is not known: one call at a time is seen on it, and there
// is a call in each window, but it takes a thirtieth of the time. When requests begin to sleep for something else, more
// come together, and so do their calls. They do not wait for that connection.
func TestSeldomUsedConnectionIsNoPlace(t *testing.T) { seldomUsed(t, false) }

// The same in a tier that also has a connection to a message broker: what sleeps may wait for what is behind that.
func TestSeldomUsedConnectionBesideABroker(t *testing.T) { seldomUsed(t, true) }

func seldomUsed(t *testing.T, broker bool) {
	t.Helper()
	random := rand.New(rand.NewPCG(1, 2))
	tier := NewTier(testWidth)
	charged := make(map[string]float64)
	for i := range int64(2400) {
		w := Window{Index: i, Queue: 0.3 + random.Float64()/5, Completions: 4, GC: math.NaN()}
		c := Calls{To: "cache", Outstanding: 0.03, Begun: 4, Answered: 4, Peak: 1, Connections: 1, Used: 1}
		work := Work{Index: i - int64(lag/testWidth), Ran: 0.2}
		if i >= 1200 {
			w.Queue, c.Begun, c.Answered, c.Outstanding = 8, 6, 6, 0.045
			w.Completions = 6
		}
		if work.Index >= 1200 {
			work.Asleep = 7.5
		}
		w.Calls = []Calls{c}
		if broker {
			w.Calls = append(w.Calls, Calls{To: "broker", Connections: 1, Unmeasured: indicator(i == 5)})
		}
		tier.SetWork(work)
		if i%20 == 19 {
			tier.SetLoad(Load{From: i - 19, To: i + 1, Cores: 0.2, Used: 0.1, Busy: 0.3, Others: 0.1,
				Thread: math.NaN()})
		}
		if _, _, j, ok := tier.Add(w); ok {
			for _, c := range j.Charges {
				charged[string(c.Cause)+">"+c.To] += c.Queue
			}
		}
	}
	if charged["soft_resource>cache"]+charged["place>cache"] > 0 {
		t.Errorf("charged %v", charged)
	}
	if broker && charged["soft_resource>"] > 0 {
		t.Errorf("charged %v, want nothing for a limit of its own", charged)
	}
	if n, found := tier.Limit("cache"); found {
		t.Errorf("a limit of %v calls", n)
	}
}
