// SPDX-License-Identifier: Apache-2.0

package judgement

import (
	"container/heap"
	"math"
	"math/rand/v2"
	"time"
)

const testWidth = 50 * time.Millisecond

// system is a chain of tiers under a closed load. It is what the tests take as the truth.
type system struct {
	users  int
	think  time.Duration // mean, exponential
	open   float64       // requests/s, independent of the answers; 0 = closed
	tiers  []modelTier   // front first; each calls the next
	random *rand.Rand
	length time.Duration
	burst  [2]time.Duration // between these times users are twice as fast
}

// modelTier has workers that do one step of work at a time. A request does steps of work and calls in turn.
type modelTier struct {
	servers int
	work    time.Duration // mean of a step, exponential
	calls   int           // to the next tier per request
	pool    int           // connections to the next tier, held for the whole visit after the first step; 0 = enough
	stops   func(t time.Duration) (until time.Duration, stopped bool)
	gc      bool // stops are garbage collections
}

type event struct {
	at  time.Duration
	run func()
}

type events []event

func (e events) Len() int           { return len(e) }
func (e events) Less(i, j int) bool { return e[i].at < e[j].at }
func (e events) Swap(i, j int)      { e[i], e[j] = e[j], e[i] }
func (e *events) Push(v any)        { *e = append(*e, v.(event)) }
func (e *events) Pop() any {
	old := *e
	v := old[len(old)-1]
	*e = old[:len(old)-1]
	return v
}

// station is a modelTier at run time.
type station struct {
	modelTier
	busy    int
	ready   []func() // steps that wait for a server
	free    int      // connections
	waiting []func() // requests that wait for a connection

	here, out int // requests in the tier, calls outstanding
	last      time.Duration
	windows   []Window
	peak      int
}

type run struct {
	*system
	now      time.Duration
	queue    events
	stations []*station
}

func (r *run) after(d time.Duration, f func()) { heap.Push(&r.queue, event{r.now + d, f}) }

// window returns the window of a station in which the given time lies.
func (s *station) window(now time.Duration) *Window {
	i := int(now / testWidth)
	for len(s.windows) <= i {
		w := Window{Index: int64(len(s.windows)), GC: math.NaN()}
		if s.gc {
			w.GC = 0
		}
		if s.calls > 0 {
			w.Calls = []Calls{{To: "next", Peak: float64(s.out)}}
		}
		s.windows = append(s.windows, w)
	}
	return &s.windows[i]
}

// advance integrates the queues up to now.
func (s *station) advance(now time.Duration) {
	for s.last < now {
		end := min((s.last/testWidth+1)*testWidth, now)
		w := s.window(s.last)
		share := float64(end-s.last) / float64(testWidth)
		w.Queue += share * float64(s.here)
		if s.calls > 0 {
			w.Calls[0].Outstanding += share * float64(s.out)
		}
		s.last = end
	}
}

func (s *station) change(now time.Duration, here, out int) {
	s.advance(now)
	s.here += here
	s.out += out
	w := s.window(now)
	if here < 0 {
		w.Completions++
	}
	if s.calls == 0 {
		return
	}
	c := &w.Calls[0]
	if out > 0 {
		c.Begun++
	} else if out < 0 {
		c.Answered++
	}
	c.Peak = max(c.Peak, float64(s.out))
	c.Connections = float64(s.pool)
}

// step does one step of work at a station, then f.
func (r *run) step(s *station, f func()) {
	start := func() {
		left := time.Duration(r.random.ExpFloat64() * float64(s.work))
		var go_ func()
		go_ = func() {
			if s.stops != nil {
				if until, stopped := s.stops(r.now); stopped {
					r.after(until-r.now, go_)
					return
				}
			}
			// Work is done in slices of a millisecond, so that a stop can interrupt it.
			slice := min(left, time.Millisecond)
			left -= slice
			r.after(slice, func() {
				if left > 0 {
					go_()
					return
				}
				if s.stops != nil {
					if until, stopped := s.stops(r.now); stopped {
						r.after(until-r.now, func() { r.done(s, f) })
						return
					}
				}
				r.done(s, f)
			})
		}
		go_()
	}
	if s.busy < s.servers {
		s.busy++
		start()
		return
	}
	s.ready = append(s.ready, start)
}

func (r *run) done(s *station, f func()) {
	if len(s.ready) > 0 {
		next := s.ready[0]
		s.ready = s.ready[1:]
		next()
	} else {
		s.busy--
	}
	f()
}

// visit passes a request through tier i and those behind, then f.
func (r *run) visit(i int, f func()) {
	s := r.stations[i]
	s.change(r.now, 1, 0)
	leave := func() {
		s.change(r.now, -1, 0)
		f()
	}
	r.step(s, func() {
		if s.calls == 0 {
			leave()
			return
		}
		left := s.calls
		var call func()
		call = func() {
			if left == 0 {
				r.release(s)
				leave()
				return
			}
			left--
			s.change(r.now, 0, 1)
			r.visit(i+1, func() {
				s.change(r.now, 0, -1)
				r.step(s, call)
			})
		}
		r.acquire(s, call)
	})
}

func (r *run) acquire(s *station, f func()) {
	if s.pool == 0 || s.free > 0 {
		s.free--
		f()
		return
	}
	s.waiting = append(s.waiting, f)
}

func (r *run) release(s *station) {
	if s.pool > 0 && len(s.waiting) > 0 {
		next := s.waiting[0]
		s.waiting = s.waiting[1:]
		next()
		return
	}
	s.free++
}

// simulate returns the windows of every tier, front first.
func (sys system) simulate() [][]Window {
	r := &run{system: &sys}
	for _, t := range sys.tiers {
		r.stations = append(r.stations, &station{modelTier: t, free: t.pool})
	}
	var user func()
	pause := func() time.Duration {
		z := sys.think
		if r.now >= sys.burst[0] && r.now < sys.burst[1] {
			z /= 8
		}
		return time.Duration(sys.random.ExpFloat64() * float64(z))
	}
	user = func() { r.visit(0, func() { r.after(pause(), user) }) }
	for range sys.users {
		r.after(pause(), user)
	}
	if sys.open > 0 {
		var arrive func()
		arrive = func() {
			r.after(time.Duration(sys.random.ExpFloat64()/sys.open*float64(time.Second)), arrive)
			r.visit(0, func() {})
		}
		arrive()
	}
	for len(r.queue) > 0 && r.now < sys.length {
		e := heap.Pop(&r.queue).(event)
		r.now = e.at
		e.run()
	}
	var out [][]Window
	for _, s := range r.stations {
		s.advance(sys.length)
		s.window(sys.length - 1)
		ws := s.windows[:sys.length/testWidth]
		if s.gc && s.stops != nil {
			for i := range ws {
				n := 0
				for k := range 50 {
					if _, stopped := s.stops(time.Duration(i)*testWidth + time.Duration(k)*time.Millisecond); stopped {
						n++
					}
				}
				ws[i].GC = float64(n) / 50
			}
		}
		out = append(out, ws)
	}
	return out
}

// every stops for a while, periodically.
func every(period, length time.Duration) func(time.Duration) (time.Duration, bool) {
	return func(t time.Duration) (time.Duration, bool) {
		phase := (t + period/3) % period
		return t - phase + length, phase < length
	}
}

// bill is what the tiers' judges charged over a span of windows, in queue-seconds.
type bill struct {
	own, completions float64
	charges          map[Charge]float64 // with Queue 0 in the key
	left             map[Cause]float64
	states           map[State]int
}

// judgeAll runs a judge over a tier's windows and adds up its results from the given time on.
func judgeAll(t *Tier, ws []Window, from time.Duration) bill {
	b := bill{charges: make(map[Charge]float64), left: make(map[Cause]float64), states: make(map[State]int)}
	for _, w := range ws {
		_, _, j, ok := t.Add(w)
		if !ok || time.Duration(j.Index)*testWidth < from {
			continue
		}
		b.own += j.Own * testWidth.Seconds()
		b.completions += j.Completions
		b.states[j.State]++
		for _, c := range j.Charges {
			b.charges[Charge{Cause: c.Cause, To: c.To}] += c.Queue * testWidth.Seconds()
		}
		for _, e := range j.Edges {
			b.left[e.Cause] += e.Queue * testWidth.Seconds()
		}
	}
	return b
}
