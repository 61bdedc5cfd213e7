// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"math"
	"strings"
	"sync"
	"time"
)

// Response times are counted in bins that grow by 2 %, from 50 microseconds
// up: a percentile read from them is at most 2 % too high.
const (
	binFloor  = 50e-6
	binGrowth = 1.02
	bins      = 720 // reaches beyond 70 s
)

// stats collects the outcome of every page, of the whole run and of the interval that has begun last.
type stats struct {
	mu       sync.Mutex
	run      tally
	interval tally
}

// tally is the outcome of the pages since a moment.
type tally struct {
	since  time.Time
	counts [bins]uint64
	sum    time.Duration
	max    time.Duration
	pages  [kinds]pageStats
}

type pageStats struct {
	completions, errors uint64
	sum                 time.Duration
}

func newStats(now time.Time) *stats {
	return &stats{run: tally{since: now}, interval: tally{since: now}}
}

// reset begins the run: what was before is no part of it. The interval goes on.
func (s *stats) reset(now time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.run = tally{since: now}
}

// add books one page; a failed one has no response time.
func (s *stats) add(p page, took time.Duration, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.run.add(p, took, err)
	s.interval.add(p, took, err)
}

func (t *tally) add(p page, took time.Duration, err error) {
	if err != nil {
		t.pages[p].errors++
		return
	}
	t.pages[p].completions++
	t.pages[p].sum += took
	t.sum += took
	t.max = max(t.max, took)
	t.counts[bin(took)]++
}

func bin(d time.Duration) int {
	n := int(math.Ceil(math.Log(d.Seconds()/binFloor) / math.Log(binGrowth)))
	return min(max(n, 0), bins-1)
}

// figures are what some seconds of load came to; times are in seconds.
type figures struct {
	Duration    float64            `json:"duration_seconds"`
	Completions uint64             `json:"completions"`
	Errors      uint64             `json:"errors"`
	Throughput  float64            `json:"pages_per_second"`
	Mean        float64            `json:"mean_seconds"`
	Max         float64            `json:"max_seconds"`
	Percentiles map[string]float64 `json:"percentiles_seconds"`
}

// summary is the outcome of a run.
type summary struct {
	Users int     `json:"users"`
	Think float64 `json:"think_seconds"`
	figures
	Pages    []pageSummary `json:"pages"`
	Interval figures       `json:"interval"` // the last that is complete; nothing before the first
}

// pageSummary is the outcome of one kind of page.
type pageSummary struct {
	Page        string  `json:"page"`
	Completions uint64  `json:"completions"`
	Errors      uint64  `json:"errors"`
	Mean        float64 `json:"mean_seconds"`
}

var percentiles = []struct {
	name  string
	share float64
}{{"p50", 0.5}, {"p90", 0.9}, {"p95", 0.95}, {"p99", 0.99}}

// endInterval returns what the interval came to, and begins the next.
func (s *stats) endInterval(now time.Time) figures {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := s.interval.figures(now)
	s.interval = tally{since: now}
	return out
}

// summary says what happened since the last reset.
func (s *stats) summary(now time.Time, c config, interval figures) summary {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := summary{Users: c.users, Think: c.think.Seconds(), figures: s.run.figures(now), Interval: interval}
	for p, stats := range s.run.pages {
		if page(p) == elsewhere && stats == (pageStats{}) {
			continue
		}
		out.Pages = append(out.Pages, pageSummary{page(p).String(), stats.completions, stats.errors,
			mean(stats.sum, stats.completions)})
	}
	return out
}

func (t *tally) figures(now time.Time) figures {
	out := figures{Duration: now.Sub(t.since).Seconds(), Max: t.max.Seconds(), Percentiles: map[string]float64{}}
	for _, stats := range t.pages {
		out.Completions += stats.completions
		out.Errors += stats.errors
	}
	if out.Duration > 0 {
		out.Throughput = float64(out.Completions) / out.Duration
	}
	out.Mean = mean(t.sum, out.Completions)
	for _, p := range percentiles {
		out.Percentiles[p.name] = t.percentile(p.share, out.Completions)
	}
	return out
}

func mean(sum time.Duration, n uint64) float64 {
	if n == 0 {
		return 0
	}
	return sum.Seconds() / float64(n)
}

// percentile is the upper bound of the bin that holds the share-th response.
func (t *tally) percentile(share float64, total uint64) float64 {
	var seen uint64
	for i, n := range t.counts {
		seen += n
		if n > 0 && float64(seen) >= share*float64(total) {
			return min(binFloor*math.Pow(binGrowth, float64(i)), t.max.Seconds())
		}
	}
	return 0
}

// String is the line that ends an interval.
func (f figures) String() string {
	return fmt.Sprintf("%.0f pages/s, mean %.0f ms, p99 %.0f ms, %d errors",
		f.Throughput, f.Mean*1e3, f.Percentiles["p99"]*1e3, f.Errors)
}

// String is the summary that ends a run.
func (s summary) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d users, think time %.3g s, %.0f s: %d pages, %.1f pages/s, %d errors\n",
		s.Users, s.Think, s.Duration, s.Completions, s.Throughput, s.Errors)
	fmt.Fprintf(&b, "response time: mean %.1f ms", s.Mean*1e3)
	for _, p := range percentiles {
		fmt.Fprintf(&b, ", %s %.1f ms", p.name, s.Percentiles[p.name]*1e3)
	}
	fmt.Fprintf(&b, ", max %.1f ms\n", s.Max*1e3)
	for _, p := range s.Pages {
		fmt.Fprintf(&b, "  %-16s %8d completed %6d failed, mean %.1f ms\n", p.Page, p.Completions, p.Errors, p.Mean*1e3)
	}
	return b.String()
}
