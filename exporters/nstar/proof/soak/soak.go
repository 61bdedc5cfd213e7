// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/nstar-project/nstar/exporters/nstar/proof/bed"
	"github.com/nstar-project/nstar/exporters/nstar/proof/figures"
)

// stage is everything that runs.
type stage struct {
	options
	*bed.Bed
	report   *figures.Report
	self     string
	servers  []*server
	exporter *bed.Exporter
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
	s := &stage{options: o, Bed: b, report: report, self: self}
	defer b.Close()
	if err := s.startServers(); err != nil {
		return err
	}
	if err := s.startExporter(); err != nil {
		return err
	}
	closeIdle, err := idle(s.addresses(), o.connections)
	if err != nil {
		return err
	}
	defer closeIdle()
	if err := s.exact("Connections that come and go, resets, an outage, a client that hardly reads", o.duration/2); err != nil {
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
			*at = place()
		}
		if err := s.startServer(x); err != nil {
			return err
		}
		s.servers = append([]*server{x}, s.servers...)
		behind = x.address
	}
	return nil
}

func (s *stage) startServer(x *server) (err error) {
	x.process, err = s.Start(x.name, s.self, "-serve", x.address, "-count", x.count, "-behind", x.behind)
	if err != nil {
		return err
	}
	return bed.WaitFor(10*time.Second, func() error {
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
	})
}

// place finds an address that nobody takes while its server is away: a free port below those that the kernel gives out.
func place() string {
	for {
		at := fmt.Sprintf("127.0.0.1:%d", 10_000+rand.IntN(20_000))
		if l, err := net.Listen("tcp", at); err == nil {
			l.Close()
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
	e, err := s.Exporter(s.options.exporter, config.String(), fmt.Sprintf("--limit.tiers=%d", max(64, 2*s.tiers)))
	if err != nil {
		return err
	}
	s.exporter = e
	for _, x := range s.servers {
		if err := e.AwaitTier(x.name); err != nil {
			return err
		}
	}
	return nil
}

const (
	// mostMemory is how much the exporter may hold, in MiB.
	mostMemory = 128
	// warm is how long a phase must be for its second quarter to be as the last: windows are kept for two minutes.
	warm = 10 * time.Minute
)

// state is what both sides have counted.
type state struct {
	servers []counts
	metrics bed.Samples
}

func (s *stage) state() (st state, err error) {
	time.Sleep(bed.Settled + time.Second)
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
	load(loading, s.addresses(), s.clients, s.pause)
	after, err := s.state()
	for range 5 { // what the outage held back comes in parts
		time.Sleep(time.Second)
	}
	stopWatching()
	watchers.Wait()
	if err != nil {
		return err
	}
	s.compare(before, after, scrapers)
	early, late := memory.halves()
	s.report.AtMost("memory of the exporter", late, mostMemory, "MiB")
	if span >= warm { // until then the windows that are kept become more
		s.report.AtMost("memory in the last quarter", late, early*1.1+8, fmt.Sprintf("MiB, %.0f in the second", early))
	}
	return s.exporter.Ended()
}

// compare holds the exporter's figures against the servers' own.
func (s *stage) compare(before, after state, scrapers []*scraper) {
	var completions, aborts, arrivals, wantAnswered, wantHeld, calls, wantCalls, drift, windows int64
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
		arrivals += counter("nstar_tier_arrivals_total", labels...)
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
	r.Equal("completions", completions, wantAnswered, "the servers' answers")
	r.Equal("aborts", aborts, wantHeld, "requests that were never answered")
	r.Equal("arrivals", arrivals, completions+aborts, "completions and aborts")
	r.Equal("calls between tiers", calls, wantCalls, "the servers' own count")
	r.Equal("drift", drift, 0, "wanted")
	for j, x := range scrapers {
		windows = int64(x.windows)
		r.Check(missed[j] == 0 && x.gaps == 0 && len(x.errs) == 0,
			"%s got %d windows, %d gaps or repeats, %d completions missing, %d failed scrapes %v %s",
			x.name, windows, x.gaps, missed[j], len(x.errs), first(x.errs), strings.Join(x.where[:min(len(x.where), 3)], ", "))
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

// crowds is how many hostile neighbours there are. Each is a new tier every second or two: in the standard five minutes more
// than the table holds.
const crowds = 5

// rough is a phase of violence. Nothing is counted in it but that the exporter lives and says what it must.
func (s *stage) rough(span time.Duration) error {
	s.report.Section("Servers and the exporter killed, hostile neighbours (%s)", span.Round(time.Second))
	loading, stop := context.WithTimeout(context.Background(), span)
	defer stop()
	var loads sync.WaitGroup
	loads.Go(func() { load(loading, s.addresses(), s.clients, s.pause) })
	defer loads.Wait()
	for i := range crowds {
		until := strconv.FormatInt(time.Now().Add(span).Unix(), 10)
		if _, err := s.Start(fmt.Sprintf("crowd-%d", i), s.self, "-crowd", until); err != nil {
			return err
		}
	}
	kills, failures, slowest := 0, 0, time.Duration(0)
	half := time.Now().Add(span / 2)
	exporterKilled := false
	for loading.Err() == nil {
		x := s.servers[kills%len(s.servers)]
		if err := syscall.Kill(x.process.PID, syscall.SIGKILL); err != nil {
			return err
		}
		kills++
		wait(loading, 500*time.Millisecond)
		if err := s.startServer(x); err != nil {
			return err
		}
		if !exporterKilled && time.Now().After(half) {
			exporterKilled = true
			if err := syscall.Kill(s.exporter.PID, syscall.SIGKILL); err != nil {
				return err
			}
			if err := s.startExporter(); err != nil {
				return err
			}
		}
		began := time.Now()
		if _, err := s.exporter.Metrics(); err != nil {
			failures++
		}
		slowest = max(slowest, time.Since(began))
		wait(loading, 2*time.Second)
	}
	loads.Wait()
	s.report.Check(failures == 0, "/metrics failed %d times, slowest answer %s", failures, slowest.Round(time.Millisecond))
	return s.afterwards(kills, exporterKilled)
}

// afterwards looks at the exporter when the violence is over: all tiers are there under their names, and what was
// carried agrees with the sockets again.
func (s *stage) afterwards(kills int, exporterKilled bool) error {
	s.report.Note("%d servers killed and started again, exporter killed: %v", kills, exporterKilled)
	var drift float64
	err := bed.WaitFor(2*time.Minute, func() error {
		m, err := s.exporter.Metrics()
		if err != nil {
			return err
		}
		drift = 0
		for _, x := range m.Select("nstar_drift_requests", "app", "soak") {
			drift += max(x.Value, -x.Value)
		}
		if n := len(m.Select("nstar_tier_arrivals_total", "app", "soak")); drift != 0 || n != s.tiers {
			return fmt.Errorf("%d tiers, drift %g", n, drift)
		}
		return nil
	})
	s.report.Check(err == nil, "all %d tiers have their names and the drift is 0 %v", s.tiers, orNothing(err))
	m, err := s.exporter.Metrics()
	if err != nil {
		return err
	}
	if err := s.newcomer(); err != nil {
		return err
	}
	for _, reason := range []string{"tier_limit", "scan_delayed", "socket_tables", "scan_failed"} {
		n, _ := m.Value("nstar_dropped_total", "reason", reason)
		s.report.Note("%s: %.0f", reason, n)
	}
	return nil
}

func orNothing(err error) any {
	if err == nil {
		return ""
	}
	return err
}

// newcomer starts a server that no rule names when the crowd has gone: it finds a place, and is counted rightly.
func (s *stage) newcomer() error {
	x := &server{name: "newcomer"}
	for _, at := range []*string{&x.address, &x.count} {
		*at = place()
	}
	if err := s.startServer(x); err != nil {
		return err
	}
	const requests = 10
	tier := filepath.Base(s.self)
	count := func(wanted float64) error {
		m, err := s.exporter.Metrics()
		if err != nil {
			return err
		}
		done, ok := m.Value("nstar_tier_completions_total", "app", "default", "tier", tier)
		if !ok || done < wanted {
			return fmt.Errorf("tier %s: %v, %.0f requests counted", tier, ok, done)
		}
		return nil
	}
	begun := time.Now()
	err := bed.WaitFor(2*time.Minute, func() error { return count(0) })
	s.report.Check(err == nil, "a server that came afterwards has a place after %s %v", time.Since(begun).Round(time.Second), orNothing(err))
	before, _ := s.exporter.Metrics()
	was, _ := before.Value("nstar_tier_completions_total", "app", "default", "tier", tier)
	for range requests {
		answer, err := http.Get("http://" + x.address)
		if err != nil {
			return err
		}
		answer.Body.Close()
	}
	err = bed.WaitFor(10*time.Second, func() error { return count(was + requests) })
	s.report.Check(err == nil, "its %d requests are counted %v", requests, orNothing(err))
	_ = x.process.Stop() // it ends by the signal
	return nil
}
