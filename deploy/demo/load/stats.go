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

// stats collects the outcome of every page.
type stats struct {
	mu     sync.Mutex
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

func newStats(now time.Time) *stats { return &stats{since: now} }

// reset forgets everything so far.
func (s *stats) reset(now time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.since, s.counts, s.sum, s.max, s.pages = now, [bins]uint64{}, 0, 0, [kinds]pageStats{}
}

// add books one page; a failed one has no response time.
func (s *stats) add(p page, took time.Duration, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err != nil {
		s.pages[p].errors++
		return
	}
	s.pages[p].completions++
	s.pages[p].sum += took
	s.sum += took
	s.max = max(s.max, took)
	s.counts[bin(took)]++
}

func bin(d time.Duration) int {
	n := int(math.Ceil(math.Log(d.Seconds()/binFloor) / math.Log(binGrowth)))
	return min(max(n, 0), bins-1)
}

// summary is the outcome of a run; times are in seconds.
type summary struct {
	Users       int                `json:"users"`
	Think       float64            `json:"think_seconds"`
	Duration    float64            `json:"duration_seconds"`
	Completions uint64             `json:"completions"`
	Errors      uint64             `json:"errors"`
	Throughput  float64            `json:"pages_per_second"`
	Mean        float64            `json:"mean_seconds"`
	Max         float64            `json:"max_seconds"`
	Percentiles map[string]float64 `json:"percentiles_seconds"`
	Pages       []pageSummary      `json:"pages"`
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

// summary says what happened since the last reset.
func (s *stats) summary(now time.Time, c config) summary {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := summary{Users: c.users, Think: c.think.Seconds(), Duration: now.Sub(s.since).Seconds(),
		Max: s.max.Seconds(), Percentiles: map[string]float64{}}
	for p, stats := range s.pages {
		out.Completions += stats.completions
		out.Errors += stats.errors
		if page(p) == elsewhere && stats == (pageStats{}) {
			continue
		}
		out.Pages = append(out.Pages, pageSummary{page(p).String(), stats.completions, stats.errors, mean(stats.sum, stats.completions)})
	}
	out.Throughput = float64(out.Completions) / out.Duration
	out.Mean = mean(s.sum, out.Completions)
	for _, p := range percentiles {
		out.Percentiles[p.name] = s.percentile(p.share, out.Completions)
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
func (s *stats) percentile(share float64, total uint64) float64 {
	var seen uint64
	for i, n := range s.counts {
		seen += n
		if n > 0 && float64(seen) >= share*float64(total) {
			return min(binFloor*math.Pow(binGrowth, float64(i)), s.max.Seconds())
		}
	}
	return 0
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
