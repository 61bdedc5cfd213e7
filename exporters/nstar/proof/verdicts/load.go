// SPDX-License-Identifier: Apache-2.0

package main

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"strconv"
	"time"

	"github.com/nstar-project/nstar/exporters/nstar/proof/bed"
)

// load is a crowd of users. Users who think long against their response times ask independently of how the application
// does; users who think for a short time only keep it at its limit.
type load struct {
	users    int
	think    time.Duration
	paths    []string // the board's pages when empty
	from     time.Duration
	duration time.Duration // 0: until the end
}

// independent is a load of so many pages a second that does not slow down when the application does.
func independent(rate float64, think time.Duration) load {
	return load{users: max(1, int(math.Round(rate*think.Seconds()))), think: think}
}

// outcome is what the load generator measured.
type outcome struct {
	Throughput  float64            `json:"pages_per_second"`
	Mean        float64            `json:"mean_seconds"`
	Errors      uint64             `json:"errors"`
	Percentiles map[string]float64 `json:"percentiles_seconds"`
}

func (o outcome) String() string {
	return fmt.Sprintf("%.0f pages/s, mean %.1f ms, p95 %.0f ms, %d errors", o.Throughput, o.Mean*1e3,
		o.Percentiles["p95"]*1e3, o.Errors)
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
	argv := []string{"taskset", "-c", strconv.Itoa(others()), s.root + "/bin/nstar_load", "--url=" + s.url(),
		"--users=" + strconv.Itoa(l.users), "--think=" + l.think.String(), "--duration=" + duration.String(),
		"--report-every=2s", "--summary-file=" + g.summary, "--seed=" + strconv.Itoa(len(name))}
	for _, p := range l.paths {
		argv = append(argv, "--path="+p)
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
	return o, json.Unmarshal(data, &o)
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

// Lengths of warming up (Java compiles what is called often) and of measuring what the application can do here and now:
// the speed of machines differs, and that of one machine from hour to hour.
const (
	warmUp      = 10 * time.Second
	calibration = 8 * time.Second
)

// calibrate drives the application to its limit and remembers how much it can do.
func (s *stack) calibrate(paths []string) error {
	for i, length := range []time.Duration{warmUp, calibration} {
		g, err := s.drive(fmt.Sprintf("calibrate%d", i), load{users: 48, think: 10 * time.Millisecond, paths: paths}, length)
		if err != nil {
			return err
		}
		o, err := g.finish(length + 30*time.Second)
		if err != nil {
			return err
		}
		s.capacity = o.Throughput
	}
	if s.capacity < 1 {
		return fmt.Errorf("%s completes %.1f pages/s at most", s.name, s.capacity)
	}
	return nil
}
