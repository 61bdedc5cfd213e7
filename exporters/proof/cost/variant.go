// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"io"
	"net/http"
	"sync"
	"time"

	"github.com/nstar-project/nstar/exporters/nstar/causes"
	"github.com/nstar-project/nstar/exporters/proof/bed"
)

// variant is a way to observe the server.
type variant struct {
	name  string
	start func() (observer, error)
	seen  []seen
}

// observer is a variant under way.
type observer interface {
	pid() int
	begin() error
	end(*seen) error // fills in what the observer knows about its own cost
	stop() error
}

// seen is one measurement of a variant.
type seen struct {
	requests, total float64 // per second, and in all
	nothing         float64 // requests per second with nothing, before and after
	work            float64 // CPU time of server and load per request, in microseconds
	workNothing     float64 // the same with nothing
	cpu             float64 // share of a core
	memory          float64 // MB resident
	runs            map[string]float64
	nanoseconds     map[string]float64
}

func (s seen) packets() float64 { return s.runs["nstar_ingress"] + s.runs["nstar_egress"] }
func (s seen) packetTime() float64 {
	return s.nanoseconds["nstar_ingress"] + s.nanoseconds["nstar_egress"]
}

func (v variant) column(f func(seen) float64) []float64 {
	var out []float64
	for _, s := range v.seen {
		out = append(out, f(s))
	}
	return out
}

// run measures the variant once.
func (v variant) run(load load) (s seen, err error) {
	o, err := v.start()
	if err != nil {
		return s, err
	}
	defer func() {
		if stopErr := o.stop(); err == nil {
			err = stopErr
		}
	}()
	if err := o.begin(); err != nil {
		return s, err
	}
	before, err := bed.CPUSeconds(o.pid())
	if err != nil {
		return s, err
	}
	began := time.Now()
	result, err := load.run()
	if err != nil {
		return s, err
	}
	took := time.Since(began)
	after, err := bed.CPUSeconds(o.pid())
	if err != nil {
		return s, err
	}
	s.requests, s.total, s.work = result.rate, result.requests, result.work
	s.cpu = (after - before) / took.Seconds()
	if s.memory, err = bed.ResidentMegabytes(o.pid()); err != nil {
		return s, err
	}
	return s, o.end(&s)
}

// exporting is nstar_exporter with a stand-in for Prometheus.
type exporting struct {
	*bed.Exporter
	before bed.Samples
	cancel chan struct{}
	done   sync.WaitGroup
}

// withoutCauses are the flags that leave the exporter queues and throughput alone.
func withoutCauses() (flags []string) {
	for _, k := range causes.Switches() {
		flags = append(flags, "--no-cause."+k.Name)
	}
	return flags
}

func withExporter(b *bed.Bed, binary string, port int, flags ...string) func() (observer, error) {
	return func() (observer, error) {
		e, err := b.Exporter(binary, fmt.Sprintf("tiers:\n  - name: httpd\n    match: {port: %d}\n", port), flags...)
		if err != nil {
			return nil, err
		}
		return &exporting{Exporter: e, cancel: make(chan struct{})}, e.AwaitTiers("httpd")
	}
}

func (e *exporting) pid() int { return e.PID }

func (e *exporting) begin() (err error) {
	if e.before, err = e.Metrics(); err != nil {
		return err
	}
	// what Prometheus would scrape, in the format and compression that it asks for
	e.scrape("/windows?consumer=bench", time.Second)
	e.scrape("/metrics", metricsInterval)
	return nil
}

// metricsInterval is shorter than anyone's, so that it comes in a short measurement, too.
const metricsInterval = 1500 * time.Millisecond

func (e *exporting) scrape(path string, interval time.Duration) {
	e.done.Add(1)
	go func() {
		defer e.done.Done()
		tick := time.NewTicker(interval)
		defer tick.Stop()
		for {
			select {
			case <-e.cancel:
				return
			case <-tick.C:
			}
			request, _ := http.NewRequest(http.MethodGet, e.URL+path, nil) // the address is well-formed
			request.Header.Set("Accept", "application/openmetrics-text;version=1.0.0,text/plain;version=0.0.4;q=0.5")
			request.Header.Set("Accept-Encoding", "gzip")
			if answer, err := http.DefaultClient.Do(request); err == nil {
				_, _ = io.Copy(io.Discard, answer.Body)
				answer.Body.Close()
			}
		}
	}()
}

func (e *exporting) end(s *seen) error {
	after, err := e.Metrics()
	if err != nil {
		return err
	}
	s.runs, s.nanoseconds = make(map[string]float64), make(map[string]float64)
	for _, x := range after.Select("nstar_bpf_runs_total") {
		program := x.Labels["program"]
		old, _ := e.before.Value("nstar_bpf_runs_total", "program", program)
		s.runs[program] = x.Value - old
		now, _ := after.Value("nstar_bpf_run_seconds_total", "program", program)
		old, _ = e.before.Value("nstar_bpf_run_seconds_total", "program", program)
		s.nanoseconds[program] = (now - old) * 1e9
	}
	return nil
}

func (e *exporting) stop() error {
	close(e.cancel)
	e.done.Wait()
	return e.Stop()
}
