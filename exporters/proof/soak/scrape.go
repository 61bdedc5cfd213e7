// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"fmt"
	"math"
	"net/http"
	"sync"
	"time"

	"github.com/prometheus/procfs"

	"github.com/nstar-project/nstar/exporters/proof/bed"
)

// width is that of the exporter's windows.
const width = 50 * time.Millisecond

// scraper is a Prometheus server of its own: it gets every window once a second, and is away for a while.
type scraper struct {
	name        string
	away        time.Duration // after a third of the time
	completions map[string]float64
	last        time.Time // end of the last window
	windows     int
	where       []string
	gaps        int // windows missing between two, or handed out twice
	errs        []error
}

func newScraper(name string, away time.Duration) *scraper {
	return &scraper{name: name, away: away, completions: make(map[string]float64)}
}

// run scrapes until the context ends, and once more.
func (s *scraper) run(ctx context.Context, url string, span time.Duration) {
	begun, absent := time.Now(), false
	for {
		if s.away > 0 && !absent && time.Since(begun) > span/3 {
			absent = true
			wait(ctx, s.away)
		}
		s.scrape(url)
		if ctx.Err() != nil {
			return
		}
		wait(ctx, time.Second)
	}
}

// scrape takes the available samples; after an outage several scrapes are needed.
func (s *scraper) scrape(url string) {
	samples, err := bed.Scrape(url+"/windows?consumer="+s.name, "nstar_window_throughput")
	if err != nil {
		s.errs = append(s.errs, err)
		return
	}
	for _, x := range samples.Select("nstar_window_throughput", "app", "soak") {
		s.completions[x.Labels["tier"]] += x.Value * width.Seconds()
	}
	for _, x := range samples.Select("nstar_window_throughput", "app", "soak", "tier", tierName(0)) {
		s.windows++
		if !s.last.IsZero() && x.Time.Sub(s.last) != width {
			s.gaps++
			s.where = append(s.where, fmt.Sprintf("%s after %s", x.Time.Format("15:04:05.000"),
				s.last.Format("15:04:05.000")))
		}
		s.last = x.Time
	}
}

// total is how many completions the windows of a tier held.
func (s *scraper) total(tier string) int64 { return int64(math.Round(s.completions[tier])) }

// slow reads /windows one byte a second: it occupies an answer and nothing else.
func slow(ctx context.Context, url string) {
	for ctx.Err() == nil {
		r, err := http.NewRequestWithContext(ctx, http.MethodGet, url+"/windows", nil)
		if err != nil {
			return
		}
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			wait(ctx, time.Second)
			continue
		}
		one := make([]byte, 1)
		for err == nil && ctx.Err() == nil {
			_, err = answer.Body.Read(one)
			wait(ctx, time.Second)
		}
		answer.Body.Close()
	}
}

// memory watches the resident memory of a process, in MiB.
type memory struct {
	mu   sync.Mutex
	seen []float64
}

func (m *memory) watch(ctx context.Context, pid int) {
	for ctx.Err() == nil {
		if v, err := resident(pid); err == nil {
			m.mu.Lock()
			m.seen = append(m.seen, v)
			m.mu.Unlock()
		}
		wait(ctx, time.Second)
	}
}

// halves are the largest values of the second and the last quarter of the time: the first is for warming up.
func (m *memory) halves() (early, late float64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	n := len(m.seen)
	for _, v := range m.seen[n/4 : n/2] {
		early = max(early, v)
	}
	for _, v := range m.seen[3*n/4:] {
		late = max(late, v)
	}
	return early, late
}

func resident(pid int) (float64, error) {
	process, err := procfs.NewProc(pid)
	if err != nil {
		return 0, err
	}
	status, err := process.NewStatus()
	return float64(status.VmRSS) / (1 << 20), err
}
