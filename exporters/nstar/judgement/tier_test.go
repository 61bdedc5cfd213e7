// SPDX-License-Identifier: Apache-2.0

package judgement

import (
	"math"
	"testing"
	"time"
)

func TestOwnQueue(t *testing.T) {
	for _, tt := range []struct {
		name         string
		queue        float64
		outstanding  []float64
		own, clipped float64
	}{
		{"no calls", 3, nil, 3, 0},
		{"all wait behind", 3, []float64{3}, 0, 0},
		{"two destinations", 5, []float64{1.5, 2}, 1.5, 0},
		{"calls in parallel", 1, []float64{1, 2}, 0, 2},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w := Window{Queue: tt.queue, GC: math.NaN()}
			for i, o := range tt.outstanding {
				w.Calls = append(w.Calls, Calls{To: string(rune('a' + i)), Outstanding: o})
			}
			own, clipped, _, _ := NewTier(testWidth).Add(w)
			if own != tt.own || clipped != tt.clipped {
				t.Errorf("own %g, clipped %g, want %g and %g", own, clipped, tt.own, tt.clipped)
			}
		})
	}
}

// A connection that listens for events always has a call outstanding, with or without requests. It is no part of them.
func TestErrands(t *testing.T) {
	tier := NewTier(testWidth)
	idle := Window{GC: math.NaN(), Calls: []Calls{{To: "events", Outstanding: 1, Peak: 1, Connections: 1}}}
	for range 1000 {
		tier.Add(idle)
		idle.Index++
	}
	idle.Queue = 1
	own, clipped, _, _ := tier.Add(idle)
	if own < 0.99 || clipped > 0 {
		t.Errorf("own queue %g, clipped %g beside an errand, want 1 and 0", own, clipped)
	}
}

// Many clients give up at once: for a while their calls are outstanding without a request. When these have ended, the
// calls of other requests are their calls again, though the tier hardly ever has no request.
func TestErrandsEnd(t *testing.T) {
	tier := NewTier(testWidth)
	add := func(i int, queue, outstanding float64) (own float64) {
		own, _, _, _ = tier.Add(Window{Index: int64(i), GC: math.NaN(), Queue: queue, Completions: 2,
			Calls: []Calls{{To: "db", Outstanding: outstanding, Peak: 1, Connections: 1}}})
		return own
	}
	i := 0
	for range 40 {
		add(i, 0, 100)
		i++
	}
	sum, waits := 0.0, 0.0
	for n := range 400 {
		i++
		calls := 0.2 + 0.1*float64(n%5)
		if n%50 == 0 {
			add(i, 0, 0)
			continue
		}
		own := add(i, calls+0.05, calls)
		if n >= 200 {
			sum, waits = sum+own, waits+calls
		}
	}
	if sum > 0.2*waits {
		t.Errorf("own queue %g of %g that waited for calls", sum, waits)
	}
}

// A tier that opens a connection for each request is not stopped if the server behind does not greet. The server behind
// is.
func TestUngreeted(t *testing.T) {
	tier := NewTier(testWidth)
	stopped := func(i int) bool { return i%40 < 4 }
	var frozen, behind, own float64
	queue := 0.0
	for i := range 2400 {
		w := Window{Index: int64(i), GC: math.NaN()}
		c := Calls{To: "db", Outstanding: 0.4, Begun: 100, Answered: 100, Peak: 2, Connections: 1, Used: 2, Idle: 0.5}
		if stopped(i) { // requests come, connect, and wait for the greeting
			queue++
			c = Calls{To: "db", Outstanding: 1, Peak: 1, Connections: 1 + queue, Used: 1}
			w.Queue = 1 + queue
		} else {
			queue = 0
			w.Queue, w.Completions = 1, 3
		}
		w.Calls = []Calls{c}
		_, _, j, ok := tier.Add(w)
		if !ok || j.Index < 600 || !stopped(int(j.Index)) {
			continue
		}
		own += j.Own
		for _, c := range j.Charges {
			switch c.Cause {
			case Stopped:
				frozen += c.Queue
			case Stalled:
				behind += c.Queue
			}
		}
	}
	if frozen > 0 || behind < 0.8*own {
		t.Errorf("%g of %g charged to the tier's own stops, %g to those behind", frozen, own, behind)
	}
}

// A tier is under pressure from the first second, and its processors have time. Its pool is seen, though its base
// residence is not known.
func TestPoolBesideIdleProcessors(t *testing.T) {
	tier := NewTier(testWidth)
	charged := make(map[Cause]float64)
	for i := range int64(1200) {
		calls := Calls{To: "db", Outstanding: 0.4, Begun: 10, Answered: 10, Peak: 1, Connections: 1, Used: 1, Idle: 0.6}
		_, _, j, ok := tier.Add(Window{Index: i, Queue: 20.4, Completions: 10, GC: math.NaN(), Calls: []Calls{calls}})
		if i%20 == 19 {
			tier.SetLoad(Load{From: i - 19, To: i + 1, Cores: 0.1, Used: 0.05, Busy: 0.2})
		}
		if ok && j.Index > 800 {
			for _, c := range j.Charges {
				charged[c.Cause] += c.Queue
			}
		}
	}
	if len(charged) != 1 || charged[SoftResource] == 0 {
		t.Errorf("charged %v, want %s alone", charged, SoftResource)
	}
}

// After missing windows nothing continues: the judge begins anew and keeps what it has learned.
func TestSkip(t *testing.T) {
	tier := NewTier(testWidth)
	windows := three(40, nil).simulate()[app][:600]
	for _, w := range windows {
		tier.Add(w)
	}
	tier.Skip()
	for i := range int(lag / testWidth) {
		if _, _, _, ok := tier.Add(windows[i]); ok {
			t.Fatalf("a judgement %d windows after a gap", i)
		}
	}
	if _, _, j, ok := tier.Add(windows[40]); !ok || j.Index != 0 {
		t.Errorf("judged %+v, %v", j, ok)
	}
}

func TestPearson(t *testing.T) {
	a, b, c, flat := newTrack(testWidth), newTrack(testWidth), newTrack(testWidth), newTrack(testWidth)
	if !math.IsNaN(correlation(&a, &b)) {
		t.Error("a correlation of nothing")
	}
	for i := range 300 { // more than the ring holds
		v := math.Sin(float64(i))
		a.add(v)
		b.add(2*v + 1)
		c.add(-v)
		flat.add(3)
	}
	for _, tt := range []struct {
		x, y *track
		want float64
	}{{&a, &b, 1}, {&a, &c, -1}} {
		if got := correlation(tt.x, tt.y); math.Abs(got-tt.want) > 1e-9 {
			t.Errorf("got %g, want %g", got, tt.want)
		}
	}
	if !math.IsNaN(correlation(&a, &flat)) {
		t.Error("a correlation with what stands still")
	}
}

// A destination that is called for the first time in the middle is compared window by window with the own queue.
func TestMovesWithNewDestination(t *testing.T) {
	tier := NewTier(testWidth)
	for i := range 500 {
		w := Window{Index: int64(i), Queue: 10, GC: math.NaN()}
		if i >= 100 {
			w.Calls = []Calls{{To: "db", Outstanding: float64(i % 10)}}
		}
		tier.Add(w)
	}
	if got := tier.MovesWithCalls("db"); math.Abs(got+1) > 1e-9 {
		t.Errorf("correlation %g, want -1", got)
	}
	if got := tier.MovesWithCalls("nobody"); !math.IsNaN(got) {
		t.Errorf("correlation %g with a destination that was never called", got)
	}
}

// A cap is only found if there is one.
func TestLimit(t *testing.T) {
	random := three(1, nil).random
	for _, tt := range []struct {
		name string
		peak func() float64
		want float64
	}{
		{"pool of 1", func() float64 { return 1 }, 1},
		{"pool of 6", func() float64 { return 6 }, 6},
		{"pool of 32, one is just handed over", func() float64 { return 32 - float64(random.IntN(2)) }, 32},
		{"as many as come", func() float64 { return 4 + math.Round(3*random.NormFloat64()) }, 0},
		{"one or two", func() float64 { return 1 + float64(random.IntN(2)) }, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			l := newLimit(testWidth)
			for range 400 {
				p := max(tt.peak(), 0)
				l.look(Calls{Peak: p, Begun: 20, Answered: 20, Connections: 40, Used: 20}, p*0.7, p, 10, true)
			}
			got, ok := l.found()
			if ok != (tt.want > 0) || ok && got != tt.want {
				t.Errorf("found %g, %v, want %g", got, ok, tt.want)
			}
		})
	}
}

// A stop is charged for the pile that it made, and not for the queue that was there before.
func TestRecovery(t *testing.T) {
	r := recovery{width: testWidth}
	for range 100 {
		r.charged(10)
	}
	for i := range 4 {
		r.halted(Stopped, 10+20*float64(i+1), 20)
	}
	sum := 0.0
	for _, excess := range []float64{90, 70, 50, 30, 10.5, 10, 10, 90} {
		_, part := r.charged(excess)
		sum += part
	}
	if want := 80. + 60 + 40 + 20; math.Abs(sum-want) > 0.5 {
		t.Errorf("%g charged after the stop, want %g", sum, want)
	}
}

// After a stop of a second, a tier that catches up slowly still has the pile of the stop. One that does not catch up
// has more to do than it can, with or without the stop.
func TestRecoveryNearTheLimit(t *testing.T) {
	const stop, pile = 20, 200.
	for name, tt := range map[string]struct {
		each float64 // requests more in each window after the stop
		want int     // windows that are charged
	}{
		"used for 90 %": {-pile / stop / 9, 9 * stop},
		"overloaded":    {0.5, 2 * stop},
	} {
		r := recovery{width: testWidth}
		for range 100 {
			r.charged(0)
		}
		for i := range stop {
			r.halted(Stopped, pile/stop*float64(i+1), pile/stop)
		}
		charged := 0
		for i := range 20 * stop {
			if _, part := r.charged(max(0, pile+tt.each*float64(i+1))); part > 0 {
				charged++
			}
		}
		if charged < tt.want-2 || charged > tt.want+1 {
			t.Errorf("%s: %d windows are charged, want %d", name, charged, tt.want)
		}
	}
}

func TestPromise(t *testing.T) {
	p := newPromise(testWidth)
	if done, _ := p.of(5); done != 0 {
		t.Errorf("%g promised before anything was seen", done)
	}
	for i := range 200 {
		p.add(4.5, 40+float64(i%2)) // steadier than chance
		p.add(0.5, 10)
	}
	for _, tt := range []struct{ queue, want float64 }{{4, 40.5}, {7, 40.5}, {100, 40.5}, {0.5, 10},
		{0.25, 5}, {0, 0}} {
		if done, dispersion := p.of(tt.queue); math.Abs(done-tt.want) > 0.5 || dispersion != 1 {
			t.Errorf("a queue of %g promises %g (dispersion %g), want %g", tt.queue, done, dispersion, tt.want)
		}
	}
}

func BenchmarkAdd(b *testing.B) {
	windows := three(40, nil).simulate()[app]
	tier := NewTier(50 * time.Millisecond)
	b.ReportAllocs()
	b.ResetTimer()
	for i := range b.N {
		tier.Add(windows[i%len(windows)])
	}
}

// A cap on calls that carry everything that waits is no cap on requests. A cap on calls that carry a single query each
// is.
func TestSharedCalls(t *testing.T) {
	for _, tt := range []struct {
		name string
		// requests answered in a window of 20 calls; more: calm windows for each pressed one
		calm, pressed, more float64
		want                bool
	}{
		{"a producer that batches", 20, 60, 5, true},
		{"two queries for each request", 10, 10, 5, false},
		{"some requests ask nobody", 25, 30, 5, false},
		{"fewer queries for each request than otherwise", 5, 20, 5, false},
		{"always pressed", 0, 60, 0, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			l := newLimit(testWidth)
			for range 60 {
				for range int(tt.more) {
					l.look(Calls{Peak: 2, Begun: 20, Answered: 20}, 1, 0.5, tt.calm, false)
				}
				l.look(Calls{Peak: 5, Begun: 20, Answered: 20}, 5, 30, tt.pressed, true)
				for range 3 { // pressed a little, as most windows are
					l.look(Calls{Peak: 5, Begun: 20, Answered: 20}, 5, 1, tt.calm, true)
				}
			}
			if got := l.shared(); got != tt.want {
				t.Errorf("shared: %v, want %v", got, tt.want)
			}
		})
	}
}
