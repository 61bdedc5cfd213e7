// SPDX-License-Identifier: Apache-2.0

package saturation

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

const width = 50 * time.Millisecond

// station returns windows of a server with so many workers, each of which completes a request in base seconds.
// Throughput is n/base up to workers/base, and its counts scatter like Poisson's.
type station struct {
	rng           *rand.Rand
	workers, base float64
}

func (s station) window(queue float64) Window {
	mean := min(queue, s.workers) / s.base * width.Seconds()
	count := -1.0
	for sum := 0.0; sum < mean; count++ {
		sum += s.rng.ExpFloat64()
	}
	return Window{Queue: queue, Completions: max(0, count), Clean: true}
}

func newStation(workers, base float64) station {
	return station{rand.New(rand.NewPCG(1, 2)), workers, base}
}

// feed moves the queue up and down between two lengths, every 10 s, for so many seconds.
func (s station) feed(e *Estimator, low, high, seconds float64) {
	for i := range int(seconds / width.Seconds()) {
		phase := math.Mod(float64(i)*width.Seconds(), 10) / 10
		e.Add(s.window(low * math.Pow(high/low, 1-math.Abs(2*phase-1))))
	}
}

func near(t *testing.T, what string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got/want-1) <= tolerance) {
		t.Errorf("%s = %.4g, want %.4g within %.0f %%", what, got, want, 100*tolerance)
	}
}

func TestTheKneeIsFound(t *testing.T) {
	for _, c := range []struct {
		name          string
		workers, base float64
		low, high     float64
	}{
		{"one worker", 1, 0.005, 0.2, 10},
		{"four workers", 4, 0.01, 0.5, 40},
		{"sixteen workers", 16, 0.02, 2, 60},
		{"a hundred workers, never less than eight requests", 100, 0.05, 8, 500},
	} {
		t.Run(c.name, func(t *testing.T) {
			e := New(width)
			newStation(c.workers, c.base).feed(e, c.low, c.high, 60)
			got := e.Estimate()
			if got.Status != Known {
				t.Fatalf("status %v, want known: %+v", got.Status, got)
			}
			near(t, "N*", got.SaturationPoint, c.workers, 0.12)
			near(t, "R0", got.Base, c.base, 0.12)
			near(t, "TPmax", got.MaxThroughput, c.workers/c.base, 0.08)
			near(t, "speed", got.Speed, 1, 0.05)
			if got.Low > c.workers || got.High < c.workers || got.Windows < 1000 {
				t.Errorf("interval and windows: %+v", got)
			}
		})
	}
}

func TestFarFromTheLimitOnlyTheBaseIsKnown(t *testing.T) {
	for _, c := range []struct {
		name      string
		low, high float64
	}{
		{"less than one request at a time", 0.1, 0.6},
		{"never less than five requests", 5, 15},
	} {
		t.Run(c.name, func(t *testing.T) {
			e := New(width)
			newStation(1e6, 0.02).feed(e, c.low, c.high, 40)
			got := e.Estimate()
			if got.Status != NeverNearLimit || !math.IsNaN(got.SaturationPoint) || !math.IsNaN(got.MaxThroughput) {
				t.Errorf("%+v", got)
			}
			near(t, "R0", got.Base, 0.02, 0.1)
		})
	}
}

func TestAlwaysAtTheLimit(t *testing.T) {
	for _, c := range []struct {
		name             string
		low, high, limit float64
		want             float64 // N*; NaN: none
	}{
		{"long queues that differ", 20, 200, 0, math.NaN()},
		{"long queues that hardly differ", 70, 100, 0, math.NaN()},
		{"two processors", 70, 100, 2, 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			e := New(width)
			e.Limit(c.limit)
			newStation(2, 0.004).feed(e, c.low, c.high, 40)
			got := e.Estimate()
			if got.Status != AlwaysAtLimit || !math.IsNaN(got.Base) {
				t.Errorf("%+v", got)
			}
			near(t, "TPmax", got.MaxThroughput, 500, 0.1)
			if !cmp.Equal(got.SaturationPoint, c.want, cmpopts.EquateNaNs()) {
				t.Errorf("N* = %v, want %v", got.SaturationPoint, c.want)
			}
			e.Give(0.006, math.NaN())
			if got := e.Estimate(); got.Status != Known || got.Base != 0.006 {
				t.Errorf("with a base given: %+v", got)
			} else {
				near(t, "N* with a base given", got.SaturationPoint, 3, 0.1)
			}
		})
	}
}

func TestNothingIsKnownAtFirst(t *testing.T) {
	e := New(width)
	for range 3 {
		got := e.Estimate()
		if got.Status != Learning || !math.IsNaN(got.Base) || !math.IsNaN(got.SaturationPoint) ||
			!math.IsNaN(got.Speed) {
			t.Errorf("%+v", got)
		}
		e.Add(Window{Queue: 3, Completions: 2, Clean: true})
		for range 1000 {
			e.Add(Window{Queue: 5, Completions: 0, Clean: false})
			e.Add(Window{Clean: true})
		}
	}
}

func TestTheSpeedIsFollowed(t *testing.T) {
	e := New(width)
	newStation(4, 0.01).feed(e, 0.5, 40, 120)
	before := e.Estimate()
	newStation(4, 0.02).feed(e, 0.5, 40, 20)
	after := e.Estimate()
	near(t, "speed", after.Speed, 0.55, 0.12)
	near(t, "N*", after.SaturationPoint, before.SaturationPoint, 0.15)
}

func TestStopsThatNobodyToldOf(t *testing.T) {
	e, s := New(width), newStation(4, 0.01)
	for i := range 1200 {
		w := s.window(0.5 * math.Pow(80, 1-math.Abs(2*math.Mod(float64(i), 200)/200-1)))
		if i%40 >= 36 {
			w = Window{Queue: w.Queue + 10*float64(i%4), Clean: true}
		}
		e.Add(w)
	}
	near(t, "N*", e.Estimate().SaturationPoint, 4, 0.15)
}

func TestGivenWins(t *testing.T) {
	nan := math.NaN()
	e := New(width)
	e.Give(nan, 0.5)
	if got := e.Estimate(); got.SaturationPoint != 1 || got.Low != 1 || got.High != 1 || got.Status != Known {
		t.Errorf("an N* below 1: %+v", got)
	}
	newStation(4, 0.01).feed(e, 0.5, 40, 60)
	e.Give(nan, 8)
	got := e.Estimate()
	near(t, "R0 by N*", got.Base, 0.02, 0.05)
	e.Give(0.012, 6)
	if got := e.Estimate(); got.Base != 0.012 || got.SaturationPoint != 6 || got.MaxThroughput != 500 {
		t.Errorf("both: %+v", got)
	}
	e.Give(nan, nan)
	near(t, "N* again", e.Estimate().SaturationPoint, 4, 0.12)
}

func TestASnapshotOutlivesARestart(t *testing.T) {
	e := New(width)
	newStation(4, 0.01).feed(e, 0.5, 40, 60)
	text, err := json.Marshal(e.Snapshot())
	if err != nil {
		t.Fatal(err)
	}
	var kept Snapshot
	if err := json.Unmarshal(text, &kept); err != nil {
		t.Fatal(err)
	}
	again := New(width)
	again.Restore(kept)
	if diff := cmp.Diff(e.Snapshot(), again.Snapshot(), cmpopts.EquateApprox(1e-9, 0)); diff != "" {
		t.Errorf("(-before +after)\n%s", diff)
	}

	// A station that is always at its limit after the restart keeps its earlier N*.
	newStation(4, 0.01).feed(again, 40, 80, 60)
	near(t, "N* at the limit", again.Estimate().SaturationPoint, e.Estimate().SaturationPoint, 0.1)

	// A machine with four times as many processors is learned in spite of the snapshot.
	other := New(width)
	other.Restore(kept)
	newStation(16, 0.01).feed(other, 0.5, 100, 120)
	near(t, "N* on another machine", other.Estimate().SaturationPoint, 16, 0.15)
}

func TestSenselessSnapshotsAreIgnored(t *testing.T) {
	for _, s := range []Snapshot{
		{}, {Base: -1}, {Base: math.Inf(1)}, {SaturationPoint: 3}, {SaturationPoint: 3, Low: 4, High: 5, Windows: 1},
		{SaturationPoint: 0.1, Low: 0.1, High: 1, Windows: 1},
		{SaturationPoint: math.NaN(), Low: 1, High: 2, Windows: 1},
		{SaturationPoint: 2, Low: 1, High: math.Inf(1), Windows: 1},
	} {
		e := New(width)
		e.Restore(s)
		if got := e.Estimate(); got.Status != Learning || !math.IsNaN(got.SaturationPoint) || !math.IsNaN(got.Base) {
			t.Errorf("%+v gave %+v", s, got)
		}
	}
}

// Whatever the windows are, the estimate keeps what the comments on its fields say.
func TestEstimatesKeepTheirPromises(t *testing.T) {
	for seed := range uint64(60) {
		rng := rand.New(rand.NewPCG(seed, 3))
		e := New(time.Duration(10+rng.IntN(200)) * time.Millisecond)
		if rng.IntN(3) == 0 {
			e.Limit(float64(rng.IntN(8)))
		}
		scale, queue := math.Exp(8*rng.Float64()-3), 1.0
		for range 4000 {
			queue = min(max(queue*math.Exp(0.5*rng.NormFloat64()), 1e-6), 1e7)
			w := Window{Queue: queue, Clean: rng.IntN(20) > 0}
			switch rng.IntN(12) {
			case 0:
				w.Queue = 0
			case 1: // nothing completes
			default:
				w.Completions = math.Floor(scale * math.Pow(queue, rng.Float64()) * rng.ExpFloat64())
			}
			e.Add(w)
			if rng.IntN(20) == 0 {
				promises(t, seed, e.Estimate())
			}
		}
		again := New(width)
		again.Restore(e.Snapshot())
		promises(t, seed, again.Estimate())
		if e.Estimate().Status == Known {
			near(t, "N* after a restart", again.Estimate().SaturationPoint, e.Estimate().SaturationPoint, 1e-9)
		}
	}
}

func promises(t *testing.T, seed uint64, e Estimate) {
	t.Helper()
	known := func(x float64) bool { return !math.IsNaN(x) }
	positive := func(x float64) bool { return !known(x) || x > 0 && !math.IsInf(x, 1) }
	switch {
	case !positive(e.Base) || !positive(e.MaxThroughput) || !positive(e.Speed),
		known(e.SaturationPoint) != known(e.Low) || known(e.SaturationPoint) != known(e.High),
		known(e.Low) && !(1 <= e.Low && e.Low <= e.SaturationPoint && e.SaturationPoint <= e.High && e.High < 1e9),
		e.Status == Known && !(known(e.SaturationPoint) && known(e.Base) && known(e.MaxThroughput) && e.Windows > 0),
		e.Status == NeverNearLimit && (!known(e.Base) || known(e.SaturationPoint)),
		e.Status == AlwaysAtLimit && (known(e.Base) || !known(e.MaxThroughput)),
		e.Status == Learning && known(e.SaturationPoint):
		t.Fatalf("seed %d: %+v", seed, e)
	}
}

func BenchmarkAdd(b *testing.B) {
	e, s := New(width), newStation(4, 0.01)
	windows := make([]Window, 4000)
	for i := range windows {
		windows[i] = s.window(0.5 * math.Pow(80, 1-math.Abs(2*math.Mod(float64(i), 200)/200-1)))
	}
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		e.Add(windows[i%len(windows)])
	}
}

func BenchmarkEstimate(b *testing.B) {
	e := New(width)
	newStation(4, 0.01).feed(e, 0.5, 40, 60)
	for b.Loop() {
		e.Estimate()
	}
}
