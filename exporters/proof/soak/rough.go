// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/nstar-project/nstar/exporters/proof/bed"
)

// crowds is how many hostile neighbours there are. Each is a new tier every second or two: in the standard five minutes
// more than the table holds.
const crowds = 5

// exporterKills is how often the exporter is killed meanwhile.
const exporterKills = 3

// rough is a phase with very hard conditions. It only checks that the exporter lives and reports what it must.
func (s *stage) rough(span time.Duration) error {
	s.report.Section("Servers and the exporter killed, hostile neighbours (%s)", span.Round(time.Second))
	loading, stop := context.WithTimeout(context.Background(), span)
	defer stop()
	var loads sync.WaitGroup
	loads.Go(func() { load(loading, s.addresses(), s.clients, s.pause) })
	defer loads.Wait()
	for i := range crowds {
		until := strconv.FormatInt(time.Now().Add(span).Unix(), 10)
		if _, err := s.Start(fmt.Sprintf("crowd-%d", i), s.self, "-crowd", until, "-to",
			strings.Join(s.addresses(), ",")); err != nil {
			return err
		}
	}
	kills, failures, slowest := 0, 0, time.Duration(0)
	begun, exporterKilled := time.Now(), 0
	for loading.Err() == nil {
		x := s.servers[kills%len(s.servers)]
		if err := kill(x.process); err != nil {
			return err
		}
		kills++
		wait(loading, 500*time.Millisecond)
		if err := gone(x); err != nil {
			return err
		}
		if err := errors.Join(s.startServer(x), s.await(x)); err != nil {
			return err
		}
		if time.Since(begun) > span*time.Duration(exporterKilled+1)/(exporterKills+1) {
			exporterKilled++
			if err := kill(s.exporter.Process); err != nil {
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
	s.report.Check(failures == 0, "/metrics failed %d times, slowest answer %s", failures,
		slowest.Round(time.Millisecond))
	return s.afterwards(kills, exporterKilled)
}

// kill ends a process at once; one that has ended by itself is an error, with its last words.
func kill(p *bed.Process) error {
	if err := p.Ended(); err != nil {
		return fmt.Errorf("before it was killed: %w", err)
	}
	return syscall.Kill(p.PID, syscall.SIGKILL)
}

// gone waits until the kernel has closed the connections that a server had open: with many connections that takes a
// while, and its port is taken until then.
func gone(x *server) error {
	return bed.WaitFor(time.Minute, func() error {
		if x.process.Ended() == nil {
			return fmt.Errorf("%s was killed and is still there", x.name)
		}
		return nil
	})
}

// afterwards looks at the exporter after that phase: all tiers are there under their names, and the carry agrees
// with the sockets again.
func (s *stage) afterwards(kills, exporterKilled int) error {
	s.report.Note("%d servers killed and started again, the exporter %d times", kills, exporterKilled)
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
	for _, reason := range []string{"tier_limit", "edge_limit", "scan_delayed", "socket_tables", "scan_failed"} {
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
		*at = s.place()
	}
	if err := errors.Join(s.startServer(x), s.await(x)); err != nil {
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
	s.report.Check(err == nil, "a server that came afterwards has a place after %s %v",
		time.Since(begun).Round(time.Second), orNothing(err))
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
