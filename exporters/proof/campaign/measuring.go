// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/prometheus/procfs"

	"github.com/nstar-project/nstar/exporters/proof/bed"
)

// nstar is Nstar's configuration: the tiers that are asked for something.
func (a *application) nstar() string {
	var b strings.Builder
	b.WriteString("tiers:\n")
	for _, t := range a.tiers {
		if t.protocol != "" {
			fmt.Fprintf(&b, "- {name: %s, app: %s, match: {port: %d, address: 127.0.0.1}, protocol: %s}\n",
				t.name, a.name, t.port, t.protocol)
		}
	}
	return b.String()
}

// measuring starts Nstar's exporter, the standard ones, and Prometheus, all on the load's processor.
func (r *servers) measuring(state string) error {
	r.bed.Prefix = pinned(bed.Processors()[:1], r.nice)
	if err := os.MkdirAll(state, 0o700); err != nil {
		return err
	}
	nstar, err := r.bed.Exporter(r.exporter, r.app.nstar(), "--log.level=warn", "--state.directory="+state)
	if err != nil {
		return err
	}
	jobs := []job{{name: "nstar", address: strings.TrimPrefix(nstar.URL, "http://")}}
	more, err := r.exporters()
	if err != nil {
		return err
	}
	node, err := r.standard("node", "prometheus-node-exporter", "host", "")
	if err != nil {
		return err
	}
	jobs = append(append(jobs, more...), node)
	r.prometheus, err = r.bed.Prometheus("prometheus", r.options.prometheus, scrapes(r.app.name, jobs))
	if err != nil {
		return err
	}
	// The servers' first answers after a start are slow.
	return bed.WaitFor(time.Minute, func() error {
		up, err := r.prometheus.Query("up == 1")
		if err != nil {
			return err
		}
		if len(up) < len(jobs) {
			return fmt.Errorf("%d of %d exporters are scraped", len(up), len(jobs))
		}
		return nil
	})
}

// standard starts a standard exporter by its script in exporters/.
func (r *servers) standard(name, program, tier, setting string) (job, error) {
	port, err := bed.FreePort()
	if err != nil {
		return job{}, err
	}
	address := "127.0.0.1:" + strconv.Itoa(port)
	path := filepath.Join(r.root, r.programs, program)
	if filepath.IsAbs(r.programs) {
		path = filepath.Join(r.programs, program)
	}
	argv := []string{"env", "LISTEN=" + address, "PROGRAM=" + path}
	if setting != "" {
		argv = append(argv, setting)
	}
	_, err = r.bed.Start(name, append(argv, filepath.Join(r.root, "exporters", name, "start.sh"))...)
	return job{name: name, tier: tier, address: address}, err
}

// job is a target of Prometheus.
type job struct{ name, tier, address, more string }

// scrapes is a configuration that scrapes every second, unless a job says otherwise.
func scrapes(app string, jobs []job) string {
	var b strings.Builder
	b.WriteString("global: {scrape_interval: 1s, evaluation_interval: 1s}\nscrape_configs:\n")
	for _, j := range jobs {
		labels := ""
		if j.tier != "" {
			labels = fmt.Sprintf(", labels: {app: %s, tier: %s}", app, j.tier)
		}
		fmt.Fprintf(&b, "  - job_name: %s%s\n    static_configs: [{targets: ['%s']%s}]\n", j.name, j.more,
			j.address, labels)
	}
	return b.String()
}

// usage is the processor time of the servers up to a moment.
type usage struct {
	at         time.Time
	idle, ours float64 // seconds
}

// usage reads it.
func (r *servers) usage() (u usage, err error) {
	fs, err := procfs.NewDefaultFS()
	if err != nil {
		return u, err
	}
	stat, err := fs.Stat()
	if err != nil {
		return u, err
	}
	u.at = time.Now()
	for _, cpu := range theirs() {
		s := stat.CPU[int64(cpu)]
		u.idle += s.Idle + s.Iowait
	}
	for _, g := range r.groups {
		pids, err := g.Processes()
		if err != nil {
			return u, err
		}
		for _, pid := range pids {
			if seconds, err := bed.CPUSeconds(pid); err == nil { // it may have ended
				u.ours += seconds
			}
		}
	}
	return u, nil
}

// others is the share of the servers' processors that other programs took between two moments.
func others(before, after usage) float64 {
	all := after.at.Sub(before.at).Seconds() * float64(len(theirs()))
	if all <= 0 {
		return 0
	}
	return min(1, max(0, (all-(after.idle-before.idle)-(after.ours-before.ours))/all))
}

// outcome is what the load generator has counted so far.
type outcome struct {
	Completions uint64  `json:"completions"`
	Duration    float64 `json:"duration_seconds"`
	Mean        float64 `json:"mean_seconds"`
	Errors      uint64  `json:"errors"`
}

// since is what was counted after an earlier moment: pages per second, seconds that each took, and errors.
func (o outcome) since(before outcome) (throughput, mean float64, errors int) {
	n, length := float64(o.Completions-before.Completions), o.Duration-before.Duration
	if length > 0 {
		throughput = n / length
	}
	if n > 0 {
		mean = (o.Mean*float64(o.Completions) - before.Mean*float64(before.Completions)) / n
	}
	return throughput, mean, int(o.Errors - before.Errors)
}
