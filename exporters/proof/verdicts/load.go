// SPDX-License-Identifier: Apache-2.0

package main

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/nstar-project/nstar/exporters/proof/bed"
)

// load is a crowd of users. Users whose think time is long compared with their response times ask independently of how
// the application performs; users with a short think time keep it at its limit.
type load struct {
	users    int
	think    time.Duration
	pages    []string // the application's when empty
	readRate int      // bytes a second at which a user reads an answer, 0 for any; sendRate: at which one sends a body
	sendRate int
	body     int // bytes that a user posts
	from     time.Duration
	duration time.Duration // 0: until the end
	patience time.Duration // after which a user gives a page up; the load generator's own when 0
}

// independent is a load of this many pages per second that does not slow down when the application does.
func independent(rate float64, think time.Duration) load {
	return load{users: max(1, int(math.Round(rate*think.Seconds()))), think: think}
}

// asked is what a load asks for.
func (s *stack) asked(l load) []string {
	if l.pages == nil {
		return s.pages
	}
	return l.pages
}

// outcome is what the load generator measured.
type outcome struct {
	Completions uint64             `json:"completions"`
	Duration    float64            `json:"duration_seconds"`
	Throughput  float64            `json:"pages_per_second"`
	Mean        float64            `json:"mean_seconds"`
	Errors      uint64             `json:"errors"`
	Percentiles map[string]float64 `json:"percentiles_seconds"`
}

func (o outcome) String() string {
	return fmt.Sprintf("%.0f pages/s, mean %.1f ms, p95 %.0f ms, %d errors", o.Throughput, o.Mean*1e3,
		o.Percentiles["p95"]*1e3, o.Errors)
}

// since is the measurement after an earlier outcome of the same run; percentiles stay those of the whole run.
func (o outcome) since(before outcome) outcome {
	n, length := o.Completions-before.Completions, o.Duration-before.Duration
	if n == 0 || length <= 0 {
		return outcome{Errors: o.Errors - before.Errors, Percentiles: o.Percentiles}
	}
	o.Throughput = float64(n) / length
	o.Mean = (o.Mean*float64(o.Completions) - before.Mean*float64(before.Completions)) / float64(n)
	o.Completions, o.Errors = n, o.Errors-before.Errors
	return o
}

// generator is a load that runs.
type generator struct {
	*bed.Process
	summary string
}

// drive starts the load generator; it ends by itself after the duration.
func (s *stack) drive(name string, l load, duration time.Duration) (*generator, error) {
	g := &generator{summary: s.bed.Path(name + ".json")}
	os.Remove(g.summary)
	argv := append(s.first(others()), s.root+"/bin/nstar_load", "--url="+s.url(),
		"--users="+strconv.Itoa(l.users), "--think="+l.think.String(), "--duration="+duration.String(),
		"--report-every=2s", "--summary-file="+g.summary, "--seed="+strconv.Itoa(len(name)))
	if l.readRate+l.sendRate > 0 {
		argv = append(argv, fmt.Sprintf("--read-rate=%d", l.readRate), fmt.Sprintf("--send-rate=%d", l.sendRate),
			fmt.Sprintf("--body=%d", l.body), "--timeout=1m")
	}
	if l.patience > 0 {
		argv = append(argv, "--timeout="+l.patience.String())
	}
	if strings.Contains(s.params["FRONT"], "-DHTTP2") {
		argv = append(argv, "--http2")
	}
	for _, p := range s.asked(l) {
		argv = append(argv, "--path="+p)
	}
	if s.sends != nil {
		argv = append(s.first(others()), s.sends(s, l, duration, g.summary)...)
	}
	var err error
	g.Process, err = s.bed.Start(name, argv...)
	return g, err
}

// outcome is what was measured so far.
func (g *generator) outcome() (o outcome, err error) {
	data, err := os.ReadFile(g.summary)
	if err != nil {
		return o, err
	}
	err = json.Unmarshal(data, &o)
	if o.Throughput == 0 { // of clients that count only
		o.Throughput = float64(o.Completions) / max(o.Duration, 1)
	}
	return o, err
}

// finish waits for the end of the load.
func (g *generator) finish(limit time.Duration) (outcome, error) {
	err := bed.WaitFor(limit, func() error {
		if g.Ended() != nil {
			return nil
		}
		return fmt.Errorf("%s still runs", g.Name)
	})
	if err != nil {
		return outcome{}, err
	}
	return g.outcome()
}

// Lengths of warming up (Java compiles methods that are called often), of measuring what the application can do here
// and now (machines differ in speed, and one machine from hour to hour), and of measuring how long a page takes a
// single user.
const (
	warmUp      = 10 * time.Second
	calibration = 8 * time.Second
	settle      = 2 * time.Second
	alone       = 4 * time.Second
)

// calibrate drives the application to its limit and remembers how much it can do; then how fast it is when it does
// little.
func (s *stack) calibrate() error {
	crowd := load{users: 48, think: 10 * time.Millisecond}
	if _, err := s.measure("warmup", crowd, max(warmUp, s.warm)); err != nil {
		return err
	}
	most, err := s.measure("most", crowd, calibration)
	if err != nil {
		return err
	}
	if s.capacity = most.Throughput; s.capacity < 1 {
		return fmt.Errorf("%s completes %.1f pages/s at most", s.name, s.capacity)
	}
	one := load{users: 1, think: 20 * time.Millisecond}
	if _, err := s.measure("settle", one, settle); err != nil { // the first pages wait behind the crowd's requests
		return err
	}
	single, err := s.measure("single", one, alone)
	s.base = single.Mean // of pages from a cache and of others: a median would show only the former
	return err
}

// temper reduces the capacity until pages are quick at a share of it. A crowd keeps servers at work and gets more pages
// from them than users who come one by one: at 70 % of the crowd's throughput MariaDB was 90 % busy.
func (s *stack) temper(share float64) error {
	for range 5 {
		o, err := s.measure("temper", independent(share*s.capacity, 2*time.Second), calibration)
		if err != nil || o.Mean <= unwell/2.*s.base {
			return err
		}
		s.capacity *= 0.85
	}
	return fmt.Errorf("%s: pages take %d times as long as a single user's at %.0f %% of %.0f pages/s, too", s.name,
		unwell/2, 100*share, s.capacity)
}

// measure runs a load to its end.
func (s *stack) measure(name string, l load, length time.Duration) (outcome, error) {
	g, err := s.drive(name, l, length)
	if err != nil {
		return outcome{}, err
	}
	return g.finish(length + 30*time.Second)
}
