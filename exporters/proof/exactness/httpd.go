// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"strconv"
	"time"

	"github.com/nstar-project/nstar/exporters/proof/bed"
	"github.com/nstar-project/nstar/exporters/proof/figures"
)

// counted checks the counts of a load against wrk and Apache, and its windows against the capture.
func counted(r *figures.Report, m *measurement, httpd *bed.Httpd, duration time.Duration, connections,
	think int) error {
	script, err := m.bed.Write("think.lua", bed.Thinking)
	if err != nil {
		return err
	}
	load := bed.Wrk{
		Threads: 2, Connections: connections, Duration: duration + 2*time.Second, Script: script, URL: httpd.URL(""),
		// the last two seconds ask nothing, so that nothing is under way when wrk cuts its connections
		Args: []string{strconv.Itoa(int(duration.Seconds())), strconv.Itoa(think), "/large"},
	}
	r.Section("Apache httpd under wrk, %d connections for %s, one answer in 20 of %d bytes", connections, duration,
		bed.Large)
	accesses, err := httpd.Accesses()
	if err != nil {
		return err
	}
	var result bed.Result
	seen, err := m.during(true, func() (err error) {
		result, err = load.Run()
		return err
	})
	if err != nil {
		return err
	}
	if result.Errors != "" {
		return fmt.Errorf("wrk saw failures, so its count is no reference: %s", result.Errors)
	}
	after, err := httpd.Accesses()
	if err != nil {
		return err
	}
	logged, err := httpd.Logged()
	if err != nil {
		return err
	}
	r.Note("%d requests at %.0f/s; %d packets captured, %d dropped", result.Requests,
		float64(result.Requests)/duration.Seconds(), seen.packets, seen.dropped)
	completions := seen.grown("nstar_tier_completions_total", "httpd")
	r.Equal("completions", completions, logged, "lines of Apache's access log")
	r.Equal("completions", completions, after-accesses-1, "Apache's Total Accesses less the status page")
	r.Equal("completions", completions, result.Requests, "answers that wrk counted")
	r.Equal("arrivals", seen.grown("nstar_tier_arrivals_total", "httpd"), completions, "completions")
	r.Equal("aborts", seen.grown("nstar_tier_aborts_total", "httpd"), 0, "expected")
	r.Check(seen.dropped == 0, "packets that the capture dropped: %d (a load that it can't follow is no reference: "+
		"raise -think)", seen.dropped)
	return seen.againstCapture(r, m.targets[0])
}
