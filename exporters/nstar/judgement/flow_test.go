// SPDX-License-Identifier: Apache-2.0

package judgement

import (
	"container/heap"
	"math"
	"math/rand/v2"
	"testing"
	"time"
)

// places holds for each place of a station when it is free again.
type places []float64

func (p places) Len() int           { return len(p) }
func (p places) Less(i, j int) bool { return p[i] < p[j] }
func (p places) Swap(i, j int)      { p[i], p[j] = p[j], p[i] }
func (p *places) Push(v any)        { *p = append(*p, v.(float64)) }
func (p *places) Pop() any {
	last := (*p)[len(*p)-1]
	*p = (*p)[:len(*p)-1]
	return last
}

// hold feeds the windows of a station to f. Arrivals are random. There are count places, and a request holds one for a
// time that held returns, in seconds.
func hold(draw *rand.Rand, rate float64, count int, held func() float64, seconds float64, f func(own, done float64)) {
	const width = 0.05
	n := int(seconds / width)
	own, done := make([]float64, n), make([]float64, n)
	free := make(places, count)
	for at := draw.ExpFloat64() / rate; at < seconds; at += draw.ExpFloat64() / rate {
		end := max(at, heap.Pop(&free).(float64)) + held()
		heap.Push(&free, end)
		for i := int(at / width); i < n && float64(i)*width < end; i++ {
			own[i] += (min(end, float64(i+1)*width) - max(at, float64(i)*width)) / width
		}
		if i := int(end / width); i < n {
			done[i]++
		}
	}
	for i := range own {
		f(own[i], done[i])
	}
}

func TestFlow(t *testing.T) {
	const many = 100000
	constant := func(v float64) func(*rand.Rand) func() float64 {
		return func(*rand.Rand) func() float64 { return func() float64 { return v } }
	}
	random := func(v float64) func(*rand.Rand) func() float64 {
		return func(draw *rand.Rand) func() float64 { return func() float64 { return v * draw.ExpFloat64() } }
	}
	for _, tt := range []struct {
		name    string
		rate    float64
		places  int
		held    func(*rand.Rand) func() float64
		seconds float64
		want    bool
	}{
		{"150 ms for all, 60/s", 60, many, constant(0.15), 40, true},
		{"150 ms for all, 500/s", 500, many, constant(0.15), 40, true},
		{"500 ms for all, 60/s", 60, many, constant(0.5), 90, true},
		{"4 places, at 90 %", 36, 4, random(0.1), 90, false},
		{"4 places, at their limit", 42, 4, random(0.1), 90, false},
		{"one place, at 90 %", 60, 1, constant(0.015), 90, false},
		{"one place, at its limit", 70, 1, constant(0.015), 90, false},
		{"16 places, at 90 %", 144, 16, random(0.1), 90, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			wrong := 0
			for seed := range uint64(50) {
				draw := rand.New(rand.NewPCG(seed, 1))
				f := newFlow(50 * time.Millisecond)
				hold(draw, tt.rate, tt.places, tt.held(draw), tt.seconds, f.add)
				if f.proportional() != tt.want {
					wrong++
				}
			}
			if wrong > 1 {
				t.Errorf("%d of 50 say %v", wrong, !tt.want)
			}
		})
	}
}

// A crowd that comes at once makes queue and throughput rise together. That is only one change, and says nothing about
// the limit that the crowd meets.
func TestACrowdIsNoFlow(t *testing.T) {
	draw := rand.New(rand.NewPCG(1, 1))
	f := newFlow(50 * time.Millisecond)
	held := func() float64 { return 0.1 * draw.ExpFloat64() }
	hold(draw, 2, 4, held, 20, f.add)
	hold(draw, 80, 4, held, 10, f.add)
	if f.proportional() {
		t.Errorf("a crowd before 4 places: %+v", f)
	}
}

func TestNothingIsKnownWithoutVariation(t *testing.T) {
	f := newFlow(50 * time.Millisecond)
	for range 2000 {
		f.add(20, 5)
	}
	if f.proportional() || math.IsNaN(f.short.products) {
		t.Errorf("the same in all windows: %+v", f)
	}
}

// A server with one thread waits 150 ms for something outside with each page, however many there are. It asks a cache
// over its only connection, which carries one call at a time. Nothing waits for a place, and all is well.
func TestPagesThatWaitOutside(t *testing.T) {
	tier := NewTier(testWidth)
	tier.SetProcessors(1)
	draw := rand.New(rand.NewPCG(1, 2))
	charged, own := make(map[Cause]float64), 0.0
	i := int64(0)
	hold(draw, 60, 100000, func() float64 { return 0.15 }, 60, func(queue, done float64) {
		calls := min(done, 1)
		_, _, j, ok := tier.Add(Window{Index: i, Queue: queue, Completions: done, GC: math.NaN(), Calls: []Calls{{
			To: "cache", Connections: 1, Outstanding: 0.005 * done, Begun: done, Answered: done, Peak: calls,
			Used: calls,
		}}})
		if i++; i%20 == 0 {
			tier.SetLoad(Load{From: i - 20, To: i, Cores: 0.06, Used: 0.06, Busy: 0.3, Others: 0.2})
		}
		if ok && j.Index >= 400 {
			own += j.Own
			for _, c := range j.Charges {
				charged[c.Cause] += c.Queue
			}
		}
	})
	sum := 0.0
	for _, queue := range charged {
		sum += queue
	}
	if sum > 0.05*own {
		t.Errorf("charged %v of %.0f, want next to nothing", charged, own)
	}
}

// The same server computes for each page, and at random times more pages come at once than it can do. That is demand,
// and not a lack of places.
func TestASharedConnectionIsNoPlace(t *testing.T) {
	tier := NewTier(testWidth)
	tier.SetProcessors(1)
	draw := rand.New(rand.NewPCG(1, 2))
	charged := make(map[Cause]float64)
	i, second := int64(0), 0.0
	hold(draw, 560, 1, func() float64 { return 0.00145 * draw.ExpFloat64() }, 60, func(queue, done float64) {
		second += done
		_, _, j, ok := tier.Add(Window{Index: i, Queue: queue, Completions: done, GC: math.NaN(), Calls: []Calls{{
			To: "cache", Connections: 1, Outstanding: 0.002 * done, Begun: done, Answered: done,
			Peak: min(done, 1), Used: min(done, 1),
		}}})
		if i++; i%20 == 0 {
			used := 0.00145 * second
			tier.SetLoad(Load{From: i - 20, To: i, Cores: used, Used: used, Busy: used + 0.1, Others: 0.1})
			second = 0
		}
		if ok && j.Index >= 400 {
			for _, c := range j.Charges {
				charged[c.Cause] += c.Queue
			}
		}
	})
	if charged[SoftResource]+charged[Place] > 0.02*charged[Demand] {
		t.Errorf("charged %v, want demand", charged)
	}
}
