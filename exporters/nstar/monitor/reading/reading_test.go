// SPDX-License-Identifier: Apache-2.0

package reading

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/nstar-project/nstar/exporters/nstar/window"
)

// at is the time when the windows before the one with the given index have settled.
func at(index int64) time.Duration {
	return time.Duration(index)*width + settle + window.Margin
}

// The windows of one time are handed out together, in the order of the stations, and are in the totals by then.
func TestRead(t *testing.T) {
	r, f := newReader(t)
	f.book(0, 0, window.Sums{Arrivals: 2, Net: 2, Area: 2 * int64(width)})
	f.book(0, 1, window.Sums{Completions: 1, Net: -1})
	type seen struct {
		Station  window.Station
		Index    int64
		Queue    float64
		Arrivals uint64 // in total
	}
	var got [][]seen
	r.Read(at(2), []window.Station{2, 0}, func(together []window.Window) {
		var of []seen
		for _, w := range together {
			arrivals, _ := r.Seen(w.Station)
			of = append(of, seen{w.Station, w.Index, w.Queue(width), arrivals})
		}
		got = append(got, of)
	})
	want := [][]seen{{{2, 0, 0, 0}, {0, 0, 2, 2}}, {{2, 1, 0, 0}, {0, 1, 2, 2}}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if n := r.Carried(0); n != 1 {
		t.Errorf("%d are carried, want 1", n)
	}
	totals := r.Totals(0)
	totals.Load[window.Bin(2)] = window.Load{}
	if r.Totals(0).Load[window.Bin(2)].Windows != 2 {
		t.Error("the totals share their map")
	}
	if _, idle := r.Seen(2); idle != 2 {
		t.Errorf("%d idle windows, want 2", idle)
	}
}

// The next tier with a number starts with nothing of the tier before.
func TestNumberOfAnotherTier(t *testing.T) {
	r, f := newReader(t)
	f.book(0, 0, window.Sums{Arrivals: 2, Net: 2})
	f.residences.Counts[7], f.inFlight[0] = 3, 1
	r.Read(at(1), tiers, func([]window.Window) {})
	check(t, r, tiers)
	if r.Drift(0) != 1 || r.Residences(0).Counts[7] != 3 {
		t.Errorf("drift %d, %d residences", r.Drift(0), r.Residences(0).Counts[7])
	}
	r.Forget(0)
	r.BeginTier(0)
	arrivals, _ := r.Seen(0)
	if arrivals != 0 || r.Drift(0) != 0 || r.Residences(0).Counts[7] != 0 || r.Carried(0) != 0 {
		t.Errorf("%d arrivals, drift %d, %d residences, %d carried", arrivals, r.Drift(0), r.Residences(0).Counts[7],
			r.Carried(0))
	}
}

// Windows around a step of the wall clock are marked and counted. None of their requests is lost, and the kernel side
// follows.
func TestClockStep(t *testing.T) {
	r, f := newReader(t)
	f.book(0, 0, window.Sums{Arrivals: 1, Net: 1})
	const step = 2 * time.Second
	read := func(now time.Duration) (merged, whole int) {
		if got := r.FollowClock(now+step, now); got != step || f.offset != step || r.Offset() != step {
			t.Fatalf("offsets %s and %s, want %s", got, f.offset, step)
		}
		r.Read(now, tiers, func(together []window.Window) {
			if together[0].Merged > 0 {
				merged++
			} else {
				whole++
			}
		})
		return merged, whole
	}
	if merged, whole := read(at(0)); merged == 0 || whole != 0 {
		t.Errorf("%d windows are marked, %d not", merged, whole)
	}
	if arrivals, _ := r.Seen(0); arrivals != 1 {
		t.Errorf("%d arrivals, want 1", arrivals)
	}
	if _, whole := read(at(30)); whole == 0 || r.Lost() == 0 {
		t.Errorf("%d windows are whole later, %d lost", whole, r.Lost())
	}
}
