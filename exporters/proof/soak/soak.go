// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/nstar-project/nstar/exporters/proof/bed"
	"github.com/nstar-project/nstar/exporters/proof/figures"
)

// stage is everything that runs.
type stage struct {
	options
	*bed.Bed
	report   *figures.Report
	self     string
	servers  []*server
	exporter *bed.Exporter
	places   map[string]bool // addresses given to servers
}

// server is a tier: a process that is sometimes killed.
type server struct {
	name, address, count, behind string
	process                      *bed.Process
}

func tierName(i int) string { return fmt.Sprintf("soak-%d", i) }

func soak(o options, report *figures.Report) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	b, err := bed.New()
	if err != nil {
		return err
	}
	s := &stage{options: o, Bed: b, report: report, self: self, places: make(map[string]bool)}
	defer b.Close()
	if err := s.startServers(); err != nil {
		return err
	}
	if err := s.startExporter(); err != nil {
		return err
	}
	if err := s.startHolders(); err != nil {
		return err
	}
	if err := s.exact("Connections that come and go, resets, an outage, a client that hardly reads",
		o.duration/2); err != nil {
		return err
	}
	if err := s.rough(o.duration * 3 / 10); err != nil {
		return err
	}
	return s.exact("Afterwards", o.duration/5)
}

func (s *stage) addresses() (out []string) {
	for _, x := range s.servers {
		out = append(out, x.address)
	}
	return out
}

func (s *stage) startServers() error {
	behind := ""
	for i := s.tiers - 1; i >= 0; i-- {
		x := &server{name: tierName(i), behind: behind}
		for _, at := range []*string{&x.address, &x.count} {
			*at = s.place()
		}
		s.servers = append([]*server{x}, s.servers...)
		behind = x.address
	}
	for _, x := range s.servers {
		if err := s.startServer(x); err != nil {
			return err
		}
	}
	return s.await(s.servers...)
}

func (s *stage) startServer(x *server) (err error) {
	x.process, err = s.Start(x.name, s.self, "-serve", x.address, "-count", x.count, "-behind", x.behind)
	return err
}

// await waits until servers answer.
func (s *stage) await(servers ...*server) error {
	for _, x := range servers {
		if err := bed.WaitFor(5*time.Minute, func() error {
			if err := x.process.Ended(); err != nil {
				return err
			}
			c, err := net.Dial("tcp", x.address)
			if err != nil {
				return err
			}
			c.Close()
			_, err = ask(x.count)
			return err
		}); err != nil {
			return err
		}
	}
	return nil
}

// place finds an address that no other program takes while its server is away: a free port below those that the kernel
// gives out.
func (s *stage) place() string {
	for {
		at := fmt.Sprintf("127.0.0.1:%d", 10_000+rand.IntN(20_000))
		if s.places[at] {
			continue
		}
		if l, err := net.Listen("tcp", at); err == nil {
			l.Close()
			s.places[at] = true
			return at
		}
	}
}

func (s *stage) startExporter() error {
	var config strings.Builder
	config.WriteString("tiers:\n")
	for _, x := range s.servers {
		_, port, _ := net.SplitHostPort(x.address)
		fmt.Fprintf(&config, "  - {name: %s, app: soak, match: {port: %s}}\n", x.name, port)
	}
	e, err := s.Exporter(s.options.exporter, config.String(), fmt.Sprintf("--limit.tiers=%d", max(64, 2*s.tiers)),
		fmt.Sprintf("--limit.edges=%d", max(192, 4*s.tiers)))
	if err != nil {
		return err
	}
	s.exporter = e
	var names []string
	for _, x := range s.servers {
		names = append(names, x.name)
	}
	return e.AwaitTiers(names...)
}

const (
	// mostMemory is how much the exporter may hold, in MiB.
	mostMemory = 128
	// perTier is how much each tier beyond the 64 of the default may add: its windows are kept for two minutes.
	perTier = 1
	// perConnection is how much each open connection on the host may add, in MiB: all are listed each time that the
	// exporter looks for tiers and edges.
	perConnection = 1.0 / 1024
	// warm is how long a phase must be for its second quarter to be as the last: windows are kept for two minutes.
	warm = 10 * time.Minute
)

// state are the counts of both sides.
type state struct {
	servers []counts
	metrics bed.Samples
}

// state reads it when both sides have come to rest: on a busy machine the exporter may be seconds behind.
func (s *stage) state() (st state, err error) {
	if err := s.rest(); err != nil {
		return st, err
	}
	for _, x := range s.servers {
		c, err := ask(x.count)
		if err != nil {
			return st, err
		}
		st.servers = append(st.servers, c)
	}
	st.metrics, err = s.exporter.Metrics()
	return st, err
}

// rest waits until no request has been counted for a while.
func (s *stage) rest() error {
	last := -1.0
	return bed.WaitFor(5*time.Minute, func() error {
		time.Sleep(2 * (bed.Settled + time.Second))
		m, err := s.exporter.Metrics()
		if err != nil {
			return err
		}
		arrivals, _ := m.Value("nstar_tier_arrivals_total", "app", "soak")
		done, _ := m.Value("nstar_tier_completions_total", "app", "soak")
		if now := arrivals + done; now != last {
			last = now
			return errors.New("the exporter's counts do not come to rest")
		}
		return nil
	})
}

// exact is a phase in which every request must be accounted for.
func (s *stage) exact(title string, span time.Duration) error {
	s.report.Section("%s (%s)", title, span.Round(time.Second))
	before, err := s.state()
	if err != nil {
		return err
	}
	scrapers := []*scraper{newScraper("steady", 0), newScraper("away", min(time.Minute, span/3))}
	for _, x := range scrapers {
		x.scrape(s.exporter.URL) // from here on
		clear(x.completions)
		x.errs = nil
	}
	loading, stopLoad := context.WithTimeout(context.Background(), span)
	defer stopLoad()
	watching, stopWatching := context.WithCancel(context.Background())
	var memory memory
	var watchers sync.WaitGroup
	watchers.Go(func() { memory.watch(watching, s.exporter.PID) })
	watchers.Go(func() { slow(watching, s.exporter.URL) })
	for _, x := range scrapers {
		watchers.Go(func() { x.run(watching, s.exporter.URL, span) })
	}
	used, _ := bed.CPUSeconds(s.exporter.PID)
	load(loading, s.addresses(), s.clients, s.pause)
	more, _ := bed.CPUSeconds(s.exporter.PID)
	after, err := s.state()
	for range 5 { // the samples that the outage held back come in parts
		time.Sleep(time.Second)
	}
	stopWatching()
	watchers.Wait()
	if err != nil {
		return err
	}
	s.compare(before, after, scrapers)
	s.report.Note("the exporter took %.1f %% of a processor", 100*(more-used)/span.Seconds())
	early, late := memory.halves()
	most := float64(mostMemory+perTier*max(0, s.tiers-64)) + perConnection*float64(s.connections)
	s.report.AtMost("memory of the exporter", late, most, "MiB")
	if span >= warm { // until then the windows that are kept become more
		s.report.AtMost("memory in the last quarter", late, early*1.1+8, fmt.Sprintf("MiB, %.0f in the second", early))
	}
	return s.exporter.Ended()
}

// compare compares the exporter's figures with the servers' own.
func (s *stage) compare(before, after state, scrapers []*scraper) {
	var completions, aborts, arrivals, wantAnswered, wantHeld, calls, wantCalls, drift, windows, busy int64
	missed := make([]int64, len(scrapers))
	counter := func(name string, labels ...string) int64 {
		b, _ := before.metrics.Value(name, labels...)
		a, _ := after.metrics.Value(name, labels...)
		return int64(a - b)
	}
	for i, x := range s.servers {
		labels := []string{"app", "soak", "tier", x.name}
		done := counter("nstar_tier_completions_total", labels...)
		completions += done
		aborts += counter("nstar_tier_aborts_total", labels...)
		asked := counter("nstar_tier_arrivals_total", labels...)
		arrivals += asked
		if asked > 0 {
			busy++
		}
		wantAnswered += after.servers[i].Answered - before.servers[i].Answered
		wantHeld += after.servers[i].Held - before.servers[i].Held
		calls += counter("nstar_edge_calls_total", "app", "soak", "from", x.name)
		wantCalls += after.servers[i].Calls - before.servers[i].Calls
		d, _ := after.metrics.Value("nstar_drift_requests", labels...)
		drift += int64(max(d, -d))
		for j, scraper := range scrapers {
			missed[j] += abs(scraper.total(x.name) - done)
		}
	}
	r := s.report
	r.Equal("tiers with requests", busy, int64(s.tiers), "all")
	r.Equal("completions", completions, wantAnswered, "the servers' answers")
	r.Equal("aborts", aborts, wantHeld, "requests that were never answered")
	r.Equal("arrivals", arrivals, completions+aborts, "completions and aborts")
	r.Equal("calls between tiers", calls, wantCalls, "the servers' own count")
	r.Equal("drift", drift, 0, "wanted")
	for j, x := range scrapers {
		windows = int64(x.windows)
		r.Check(missed[j] == 0 && x.gaps == 0 && len(x.errs) == 0,
			"%s got %d windows, %d gaps or repeats, %d completions missing, %d failed scrapes %v %s",
			x.name, windows, x.gaps, missed[j], len(x.errs), first(x.errs),
			strings.Join(x.where[:min(len(x.where), 3)], ", "))
	}
	for _, reason := range []string{"late_window", "socket_storage", "drift"} {
		n := counter("nstar_dropped_total", "reason", reason)
		r.Check(n == 0, "dropped for %s: %d", reason, n)
	}
}

func abs(n int64) int64 { return max(n, -n) }

func first(errs []error) any {
	if len(errs) == 0 {
		return ""
	}
	return errs[0]
}
