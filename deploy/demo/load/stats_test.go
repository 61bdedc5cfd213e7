// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"
	"math"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestSummary(t *testing.T) {
	begin := time.Unix(1000, 0)
	s := newStats(begin)
	s.add(search, time.Hour, nil) // the ramp, forgotten by reset
	s.reset(begin)
	for i := 1; i <= 100; i++ {
		s.add(viewStory, time.Duration(i)*time.Millisecond, nil)
	}
	s.add(search, 0, errors.New("status 503"))
	got := s.summary(begin.Add(10*time.Second), config{users: 5, think: time.Second}, figures{})

	if got.Completions != 100 || got.Errors != 1 || got.Throughput != 10 || got.Duration != 10 {
		t.Errorf("got %+v, want 100 completions, 1 error, 10 pages/s over 10 s", got)
	}
	if math.Abs(got.Mean-0.0505) > 1e-9 || got.Max != 0.1 {
		t.Errorf("mean %g, max %g, want 0.0505 and 0.1", got.Mean, got.Max)
	}
	for name, want := range map[string]float64{"p50": 0.05, "p90": 0.09, "p95": 0.095, "p99": 0.099} {
		if p := got.Percentiles[name]; p < want || p > want*binGrowth {
			t.Errorf("%s = %g, want %g to %g", name, p, want, want*binGrowth)
		}
	}
	want := pageSummary{Page: "Search", Errors: 1}
	if diff := cmp.Diff(want, got.Pages[search]); diff != "" {
		t.Errorf("Search (-want +got):\n%s", diff)
	}
}

// An interval has its own figures; those of the run go on.
func TestIntervals(t *testing.T) {
	begin := time.Unix(1000, 0)
	s := newStats(begin)
	s.add(search, 10*time.Millisecond, nil)
	s.add(search, 10*time.Millisecond, nil)
	first := s.endInterval(begin.Add(2 * time.Second))
	s.add(search, 40*time.Millisecond, nil)
	s.add(search, 0, errors.New("status 503"))
	last := s.endInterval(begin.Add(4 * time.Second))
	if want := "1 pages/s, mean 10 ms, p99 10 ms, 0 errors"; first.String() != want {
		t.Errorf("first interval: %s, want %s", first, want)
	}
	if last.Completions != 1 || last.Errors != 1 || last.Duration != 2 || math.Abs(last.Mean-0.04) > 1e-9 {
		t.Errorf("second interval: %+v, want one page of 40 ms and an error in 2 s", last)
	}
	got := s.summary(begin.Add(5*time.Second), config{}, last)
	if got.Completions != 3 || got.Interval.Completions != 1 {
		t.Errorf("%d pages in the run, %d in its interval, want 3 and 1", got.Completions, got.Interval.Completions)
	}
}

func TestBinsCoverAllTimes(t *testing.T) {
	for _, d := range []time.Duration{0, time.Microsecond, 50 * time.Microsecond, time.Second, time.Hour} {
		if n := bin(d); n < 0 || n >= bins {
			t.Errorf("bin(%s) = %d, outside 0 to %d", d, n, bins-1)
		}
	}
}
