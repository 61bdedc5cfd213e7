// SPDX-License-Identifier: Apache-2.0

package beside

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/nstar-project/nstar/exporters/nstar/causes"
	"github.com/nstar-project/nstar/exporters/nstar/discovery"
)

const width = 50 * time.Millisecond

func named(app, tier string) discovery.TierName { return discovery.TierName{App: app, Tier: tier} }

// did is a window in which a tier ran for a share of some processors.
func did(app, tier string, i int64, own float64, shares map[int]float64) Window {
	w := Window{Tier: named(app, tier), Index: i, ByCore: true, Own: own, Completions: 10,
		Residence: time.Duration(own * float64(time.Second))}
	for cpu, s := range shares {
		w.Cores = append(w.Cores, causes.Core{CPU: cpu, Ran: time.Duration(s * float64(width))})
	}
	return w
}

// found looks up a coefficient; NaN if there is none.
func found(all []Pearson, app, tier, neighbour, of string, lag time.Duration) float64 {
	for _, c := range all {
		if c.Tier == named(app, tier) && c.Neighbour == neighbour && c.Of == of && c.Lag == lag {
			return c.Value
		}
	}
	return math.NaN()
}

// Two databases share one processor: what b has, a lacks. The queue of a is what a lacked 200 ms ago. A web server of
// b's application has another processor, which a's application does not use.
func TestMirrored(t *testing.T) {
	p, random := New(width), rand.New(rand.NewPCG(1, 2))
	var lacked []float64
	for step := range int64(200) {
		theirs := random.Float64()
		lacked = append(lacked, theirs)
		for i := 2 * step; i < 2*step+2; i++ {
			p.Add(did("a", "db", i, 10*lacked[max(0, len(lacked)-3)], map[int]float64{1: 1 - theirs, 0: 0}))
			p.Add(did("b", "db", i, 1-theirs, map[int]float64{1: theirs}))
			p.Add(did("b", "web", i, 1, map[int]float64{0: random.Float64()}))
		}
		if n := len(p.State()); step < steps && n > 0 {
			t.Fatalf("%d coefficients after %d steps", n, step)
		}
	}
	all := p.State()
	for _, c := range []struct {
		app, tier, neighbour, of string
		lag                      time.Duration
		want, within             float64
	}{
		{"a", "db", "b", Processor, 0, -1, 1e-9},
		{"b", "db", "a", Processor, 0, -1, 1e-9},
		{"a", "db", "b", Queue, 200 * time.Millisecond, 1, 1e-9},
		{"a", "db", "b", Time, 200 * time.Millisecond, 1, 1e-9},
		{"a", "db", "b", Queue, 0, 0, 0.25},
		{"a", "db", "a", Queue, 200 * time.Millisecond, -1, 1e-9},
		{"b", "db", "a", Queue, 0, 1, 1e-9}, // it has fewer requests while it has the processor
		{"b", "web", "a", Processor, 0, math.NaN(), 0},
		{"a", "db", "a", Processor, 0, math.NaN(), 0},
		{"a", "db", "b", Queue, 600 * time.Millisecond, math.NaN(), 0},
	} {
		got := found(all, c.app, c.tier, c.neighbour, c.of, c.lag)
		if math.IsNaN(got) != math.IsNaN(c.want) || math.Abs(got-c.want) > c.within {
			t.Errorf("%s/%s, %s of it after %v, against %s: %g, want %g", c.app, c.tier, c.of, c.lag,
				c.neighbour, got, c.want)
		}
	}
	if want := 2 * (1 + 2*lags + lags); len(all) != want {
		t.Errorf("%d coefficients, want %d", len(all), want)
	}
}

// Missing windows affect only their own step. After a gap of whole steps, or the absence of a tier, everything begins
// anew.
func TestGaps(t *testing.T) {
	p, random := New(width), rand.New(rand.NewPCG(3, 4))
	index := int64(0)
	add := func(n int, b bool) {
		for range n {
			x := random.Float64()
			for range 2 {
				p.Add(did("a", "db", index, x, map[int]float64{0: 1 - x}))
				if b && index != 177 {
					p.Add(did("b", "db", index, x, map[int]float64{0: x}))
				}
				index++
			}
		}
	}
	mirrored := func() float64 { return found(p.State(), "a", "db", "b", Processor, 0) }
	add(steps+5, true)
	if got := mirrored(); !(got < -0.999) { // a step of which only one half is known
		t.Errorf("%g with one window missing", got)
	}
	index += 2
	add(2, true)
	if got := p.State(); got != nil {
		t.Errorf("%v after a gap", got)
	}
	add(steps+1, true)
	if got := mirrored(); !(got < -0.99) {
		t.Errorf("%g after a while", got)
	}
	add(3, false)
	if got := p.State(); got != nil {
		t.Errorf("%v of a neighbour that is gone", got)
	}
}

// A tier that has nothing to do for a while, and runs on no processor, is still there.
func TestIdle(t *testing.T) {
	p, random := New(width), rand.New(rand.NewPCG(7, 8))
	for i := range int64(2*steps + 60) {
		x := random.Float64()
		p.Add(did("a", "db", i, x, map[int]float64{0: 1 - x}))
		if i%40 < 12 {
			p.Add(did("b", "db", i, 0, nil))
		} else {
			p.Add(did("b", "db", i, x, map[int]float64{0: x}))
		}
	}
	if got := found(p.State(), "a", "db", "b", Processor, 0); !(got < -0.3) {
		t.Errorf("%g", got)
	}
}

// If requests complete in few steps only, there is no coefficient for their time. The others remain.
func TestFewCompletions(t *testing.T) {
	p, random := New(width), rand.New(rand.NewPCG(5, 6))
	for i := range int64(2*steps + 4) {
		x := random.Float64()
		w := did("a", "db", i, x, map[int]float64{0: 1 - x})
		if i%10 != 0 {
			w.Completions, w.Residence = 0, 0
		}
		p.Add(w)
		p.Add(did("b", "db", i, x, map[int]float64{0: x}))
	}
	all := p.State()
	if !math.IsNaN(found(all, "a", "db", "b", Time, 0)) || !(found(all, "a", "db", "b", Queue, 0) > 0.9) {
		t.Errorf("%v", all)
	}
}

// Any number of applications has a limited cost, and those beyond the limit are counted. Without processors nothing is
// shared.
func TestManyPairs(t *testing.T) {
	p := New(width)
	for i := range int64(6) {
		for app := range 20 {
			p.Add(did(fmt.Sprint(app), "db", i, 1, map[int]float64{0: 0.05}))
		}
	}
	if len(p.pairs) != mostPairs || p.Refused() != 2*(20*19-mostPairs) {
		t.Errorf("%d pairs, %d refused", len(p.pairs), p.Refused())
	}
	p = New(width)
	for i := range int64(2*steps + 4) {
		p.Add(Window{Tier: named("a", "db"), Index: i})
		p.Add(Window{Tier: named("b", "db"), Index: i})
	}
	if len(p.tiers) != 0 || p.State() != nil {
		t.Error("tiers without processors")
	}
}

// BenchmarkSecond is a second of 50 tiers in five applications on 64 processors, with windows of 50 ms.
func BenchmarkSecond(b *testing.B) {
	p, shares := New(width), make(map[int]float64)
	for cpu := range 64 {
		shares[cpu] = 0.1
	}
	var windows []Window
	for i := range 50 {
		windows = append(windows, did(fmt.Sprint(i%5), fmt.Sprint(i), 0, 1, shares))
	}
	index := int64(0)
	for b.Loop() {
		for range 20 {
			for _, w := range windows {
				w.Index = index
				p.Add(w)
			}
			index++
		}
	}
	b.ReportMetric(100*b.Elapsed().Seconds()/float64(b.N), "%core")
}
