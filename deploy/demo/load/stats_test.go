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
	got := s.summary(begin.Add(10*time.Second), config{users: 5, think: time.Second})

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

func TestBinsCoverAllTimes(t *testing.T) {
	for _, d := range []time.Duration{0, time.Microsecond, 50 * time.Microsecond, time.Second, time.Hour} {
		if n := bin(d); n < 0 || n >= bins {
			t.Errorf("bin(%s) = %d, outside 0 to %d", d, n, bins-1)
		}
	}
}
