// SPDX-License-Identifier: Apache-2.0

// Command protocols compares what nstar_exporter counts with the own counters of real servers under real clients,
// protocol by protocol. `make check-protocols` runs it; docs/protocols.md says what is exact.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"time"

	"github.com/nstar-project/nstar/exporters/proof/bed"
	"github.com/nstar-project/nstar/exporters/proof/figures"
)

// subject is a server with a counter of its own, and the loads that real clients put on it.
type subject struct {
	name string
	port int
	// path of a Unix socket, if the loads go there; all other requests go to the port
	socket string
	loads  []load
	// lasting is true if the first load uses connections that stay open between its runs
	lasting bool
	// kinds are distinguished in one more run of loads[mixed], and compared with byKind, the server's own counts by
	// the kind's last word; nil if the server has none
	mixed  int
	kinds  []string
	byKind func() (map[string]int64, error)
}

// load is one way of asking.
type load struct {
	name string
	run  func() error
	// answered is the server's own count of the requests that it answered, made from its own statistics. It is read
	// before and after the load, in a way that is not measured: over a Unix socket if the loads go to a port, or
	// from a log.
	answered func() (int64, error)
	source   string
	// waits is the same for requests that wait on purpose, which are counted separately; nil if there are none
	waits func() (int64, error)
	// failed is the same for answers with a status of 500 or above; nil if the server does not count them
	failed func() (int64, error)
}

func main() {
	exporter := flag.String("exporter", "bin/nstar_exporter", "the exporter to check")
	programs := flag.String("programs", ".cache/debian", "where the servers were unpacked")
	python := flag.String("python", "", "a Python with the clients of proof.mk; without it their loads are left out")
	only := flag.String("only", "", "the servers to check, as a regular expression; all if empty")
	flag.Parse()

	r := figures.New("protocols", os.Stdout)
	if err := all(r, *exporter, *programs, *python, *only); err != nil {
		fmt.Fprintln(os.Stderr, "protocols:", err)
		os.Exit(2)
	}
	if err := r.Close(); err != nil {
		fmt.Fprintln(os.Stderr, "protocols:", err)
		os.Exit(1)
	}
}

// servers are started one after the other. Without Python, those that need it have no loads, and are left out.
var servers = []struct {
	name  string
	start func(b *bed.Bed, programs, python string) (*subject, error)
}{
	{"postgres", startPostgres}, {"postgres over a Unix socket", startPostgresAtSocket},
	{"redis", startRedis}, {"redis over a Unix socket", startRedisAtSocket}, {"redis waits", startWaits},
	{"nginx", startNginx},
	{"php-fpm", startPHP}, {"php-fpm over a Unix socket", startPHPAtSocket},
	{"kafka", startKafka}, {"cassandra", startCassandra},
	{"mariadb", startMariaDB}, {"ajp", startAJP},
	{"memcached", startMemcached}, {"mongodb", startMongoDB}, {"grpc", startGRPC}, {"grpc in C", startGRPCInPython},
	{"openwire", startOpenWire}, {"dubbo", startDubbo},
	{"nginx HTTP/1.1", startPipelinedNginx},
	{"httpd HTTP/1.1", startPipelinedHttpd},
}

func all(r *figures.Report, exporter, programs, python, only string) error {
	programs, err := filepath.Abs(programs)
	if err != nil {
		return err
	}
	chosen, err := regexp.Compile(only)
	if err != nil {
		return err
	}
	for _, s := range servers {
		if !chosen.MatchString(s.name) {
			continue
		}
		if err := one(r, exporter, func(b *bed.Bed) (*subject,
			error) {
			return s.start(b, programs, python)
		}); err != nil {
			return err
		}
	}
	return allBrokers(r, exporter, programs, python, chosen)
}

// one measures a server, and then once more with an exporter that starts in the middle of its first load.
func one(r *figures.Report, exporter string, start func(*bed.Bed) (*subject, error)) error {
	b, err := bed.New()
	if err != nil {
		return err
	}
	defer b.Close()
	s, err := start(b)
	if err != nil || len(s.loads) == 0 {
		return err
	}
	e, err := begin(b, exporter, s)
	if err != nil {
		return err
	}
	for _, l := range s.loads {
		r.Section("%s: %s", s.name, l.name)
		if err := measure(r, e, s, l); err != nil {
			return fmt.Errorf("%s: %s: %w", s.name, l.name, err)
		}
	}
	if err := e.Stop(); err != nil {
		return err
	}
	if err := toldApart(r, b, exporter, s); err != nil {
		return err
	}
	r.Section("%s: joined in the middle of connections", s.name)
	return joined(r, b, exporter, s)
}

func begin(b *bed.Bed, exporter string, s *subject, kinds ...string) (*bed.Exporter, error) {
	match, flags := fmt.Sprintf("{port: %d}", s.port), []string{"--no-unix-sockets"}
	if s.socket != "" {
		match, flags = fmt.Sprintf("{socket: %s}", s.socket), nil
	}
	config := fmt.Sprintf("tiers:\n  - name: %s\n    app: proof\n    match: %s\n    kinds:\n", s.name, match)
	for _, kind := range kinds {
		config += fmt.Sprintf("      - request: %s\n", kind)
	}
	e, err := b.Exporter(exporter, config, flags...)
	if err != nil {
		return nil, err
	}
	return e, e.AwaitTiers(s.name)
}

func measure(r *figures.Report, e *bed.Exporter, s *subject, l load) error {
	before, err := e.Metrics()
	if err != nil {
		return err
	}
	from, err := l.counts()
	if err != nil {
		return err
	}
	if err := l.run(); err != nil {
		return err
	}
	time.Sleep(bed.Settled)
	to, err := l.counts()
	if err != nil {
		return err
	}
	after, err := e.Metrics()
	if err != nil {
		return err
	}
	grown := func(name string) int64 {
		a, _ := value(before, name, s.name)
		b, _ := value(after, name, s.name)
		return int64(b - a)
	}
	completions := grown("nstar_tier_completions_total")
	r.Check(completions > 0, "completions: %d", completions)
	r.Equal("completions", completions, to[0]-from[0], l.source)
	if l.waits != nil {
		r.Equal("requests that wait on purpose", grown("nstar_tier_waits_total"), to[1]-from[1], l.source)
	}
	if l.failed != nil {
		r.Equal("errors", grown("nstar_tier_errors_total"), to[2]-from[2], l.source)
	}
	balanced(r, after, s.name, grown)
	return nil
}

// counts asks the server for the requests that it answered, that waited on purpose, and that failed.
func (l load) counts() (n [3]int64, err error) {
	for i, count := range []func() (int64, error){l.answered, l.waits, l.failed} {
		if count == nil {
			continue
		}
		if n[i], err = count(); err != nil {
			return n, err
		}
	}
	return n, nil
}

// lines counts the lines of a log that match.
func lines(log, pattern string) func() (int64, error) {
	is := regexp.MustCompile("(?m)" + pattern)
	return func() (int64, error) {
		text, err := os.ReadFile(log)
		return int64(len(is.FindAllIndex(text, -1))), err
	}
}

// value is a tier's of this proof: other servers of the same name may run on this machine.
func value(s bed.Samples, name, tier string) (float64, bool) {
	return s.Value(name, "app", "proof", "tier", tier)
}

// balanced checks what must be true in any protocol that is read correctly.
func balanced(r *figures.Report, now bed.Samples, tier string, grown func(string) int64) {
	r.Equal("arrivals", grown("nstar_tier_arrivals_total"), grown("nstar_tier_completions_total"), "completions")
	r.Equal("aborts", grown("nstar_tier_aborts_total"), 0, "expected")
	drift, _ := value(now, "nstar_drift_requests", tier)
	negative, _ := value(now, "nstar_tier_negative_queue_seconds_total", tier)
	r.Check(drift == 0 && negative < 1e-4, "drift %g, queue below zero for %g s", drift, negative)
}

// joined starts the exporter while the first load runs: existing connections join at their next request, and when all
// is over nothing may be left in the queue.
func joined(r *figures.Report, b *bed.Bed, exporter string, s *subject) error {
	enough, ended := make(chan struct{}), make(chan error, 1)
	go func() {
		for {
			err := s.loads[0].run()
			select {
			case <-enough:
			default:
				if err == nil {
					continue
				}
			}
			ended <- err
			return
		}
	}()
	time.Sleep(100 * time.Millisecond)
	e, err := begin(b, exporter, s)
	if err == nil {
		time.Sleep(time.Second)
	}
	close(enough)
	if err := errors.Join(err, <-ended); err != nil {
		return err
	}
	time.Sleep(bed.Settled)
	now, err := e.Metrics()
	if err != nil {
		return err
	}
	total := func(name string) int64 { v, _ := value(now, name, s.name); return int64(v) }
	r.Check(total("nstar_tier_completions_total") > 0, "completions: %d", total("nstar_tier_completions_total"))
	balanced(r, now, s.name, total)
	if s.lasting {
		r.Section("%s: on connections that were open before the exporter started", s.name)
		if err := measure(r, e, s, s.loads[0]); err != nil {
			return err
		}
	}
	return e.Stop()
}
