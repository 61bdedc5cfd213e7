// SPDX-License-Identifier: Apache-2.0

package window

import (
	"math"
	"math/rand/v2"
	"reflect"
	"strconv"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestBin(t *testing.T) {
	for _, tt := range []struct {
		queue float64
		label string
	}{
		{-1, "0"}, {0, "0"},
		{math.SmallestNonzeroFloat64, "0.0625"}, {0.0625, "0.0625"}, {0.0626, "0.0743"},
		{0.999999, "1"}, {1, "1"}, {1.0001, "1.19"}, {1.19, "1.41"}, {2, "2"}, {2.1, "2.38"},
		{16, "16"}, {100, "108"}, {1000, "1024"}, {4096, "4096"}, {4097, "+Inf"}, {1e9, "+Inf"},
	} {
		if got := BinLabel(Bin(tt.queue)); got != tt.label {
			t.Errorf("queue %g is in bin %s, want %s", tt.queue, got, tt.label)
		}
	}
}

// Labels are numbers, differ, and grow with the bin; whole octaves are exact.
func TestBinLabels(t *testing.T) {
	last := math.Inf(-1)
	for b := idleBin; b <= topBin; b++ {
		v, err := strconv.ParseFloat(BinLabel(b), 64)
		if err != nil {
			t.Fatal(err)
		}
		if v <= last {
			t.Errorf("bin %d: %g is not above %g", b, v, last)
		}
		last = v
		if b == idleBin || b == topBin {
			continue
		}
		bound := math.Exp2(lowestOctave + float64(b-1)/binsPerOctave)
		if math.Abs(v/bound-1) > 0.005 {
			t.Errorf("bin %d: label %g is not its bound %g", b, v, bound)
		}
		if Bin(bound) != b {
			t.Errorf("bound %g of bin %d is in bin %d", bound, b, Bin(bound))
		}
	}
}

// Every length lies above the bound of the bin below and not above its own.
func TestBinHolds(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for range 10000 {
		queue := math.Exp2(rng.Float64()*20 - 6)
		b := Bin(queue)
		if e, ok := BinExponent(b); ok && b < topBin {
			low, high := math.Exp2(float64(e-1)/4), math.Exp2(float64(e)/4)
			if queue <= low*(1-1e-8) || queue > high*(1+1e-8) {
				t.Fatalf("%g is in bin %d: (%g, %g]", queue, b, low, high)
			}
		} else if !ok && queue > LowestBound {
			t.Fatalf("%g is in bin %d", queue, b)
		}
	}
}

func TestBinExponent(t *testing.T) {
	for _, tt := range []struct {
		queue float64
		want  int
		ok    bool
	}{
		{0, 0, false}, {0.0625, 0, false}, {0.07, -15, true}, {1, 0, true}, {1.1, 1, true}, {2, 4, true},
		{4096, 48, true},
		{5000, 49, true},
	} {
		got, ok := BinExponent(Bin(tt.queue))
		if got != tt.want || ok != tt.ok {
			t.Errorf("queue %g: 2^(%d/4) %v, want %d %v", tt.queue, got, ok, tt.want, tt.ok)
		}
	}
}

func TestTotalsAdd(t *testing.T) {
	const width = 50 * time.Millisecond
	one := int64(width)
	var got Totals
	for _, w := range []Window{
		{},
		{QueueTime: 2 * one, Arrivals: 5, Completions: 3, Aborts: 1, Residence: 70},
		{QueueTime: 2 * one, Completions: 1, Residence: 30, Reopened: 2, Opaque: 3, PeakCalls: 3},
		{QueueTime: 100 * one, Arrivals: 9, Completions: 7, Merged: 20},
		{QueueTime: 16 * one, Arrivals: 72, Completions: 40}, // the queue went from 0 to 32
		{QueueTime: -3, Residence: -5},
	} {
		got.Add(w, width)
	}
	want := Totals{
		Arrivals: 86, Completions: 51, Aborts: 1, Reopened: 2, Opaque: 3, QueueTime: 120 * one, Negative: 3,
		Residence: 100,
		Peak:      3 * one,
		Busy:      23 * one, // all of each window, however many wait
		Load: Loads{
			Bin(0): {Windows: 2},
			// The second adds one request to a queue of two, the third loses one.
			Bin(2):  {Windows: 2, Completions: 4, QueueTime: 4 * one},
			Bin(16): {Windows: 1, Completions: 40, QueueTime: 16 * one},
		},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestWindow(t *testing.T) {
	w := Window{Index: 19, QueueTime: int64(125 * time.Millisecond), Completions: 7}
	if got, want := w.End(50*time.Millisecond), time.Second; got != want {
		t.Errorf("end %s, want %s", got, want)
	}
	if got := w.Queue(50 * time.Millisecond); got != 2.5 {
		t.Errorf("queue %g, want 2.5", got)
	}
	if got := w.Throughput(50 * time.Millisecond); got != 140 {
		t.Errorf("throughput %g, want 140", got)
	}
}

// Two edges of one name are one: everything but the loads is added, whatever fields there are.
func TestJoin(t *testing.T) {
	var a Totals
	v := reflect.ValueOf(&a).Elem()
	for i := range v.NumField() {
		switch f := v.Field(i); {
		case f.CanUint():
			f.SetUint(uint64(i + 1))
		case f.CanInt():
			f.SetInt(int64(i + 1))
		}
	}
	joined := a
	joined.Join(a)
	for i := range v.NumField() {
		f, got := v.Field(i), reflect.ValueOf(joined).Field(i)
		if f.CanUint() && got.Uint() != 2*f.Uint() || f.CanInt() && got.Int() != 2*f.Int() {
			t.Errorf("%s is %v, want twice %v", v.Type().Field(i).Name, got, f)
		}
	}
}
