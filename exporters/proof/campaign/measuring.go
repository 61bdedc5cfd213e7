// SPDX-License-Identifier: Apache-2.0

package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/prometheus/procfs"

	"github.com/nstar-project/nstar/exporters/proof/bed"
)

// measuring starts Nstar's exporter, the standard ones, and Prometheus, all on the load's processor.
func (r *servers) measuring(state string) error {
	r.bed.Prefix = pinned(bed.Processors()[:1], r.nice)
	var config strings.Builder
	config.WriteString("tiers:\n")
	for _, t := range tiers {
		fmt.Fprintf(&config, "- {name: %s, app: %s, match: {port: %d, address: 127.0.0.1}, protocol: %s}\n",
			t.name, application, t.port, t.protocol)
	}
	if err := os.MkdirAll(state, 0o700); err != nil {
		return err
	}
	nstar, err := r.bed.Exporter(r.exporter, config.String(), "--log.level=warn", "--state.directory="+state)
	if err != nil {
		return err
	}
	account, err := r.exporterAccount()
	if err != nil {
		return err
	}
	jobs := []job{{"nstar", "", strings.TrimPrefix(nstar.URL, "http://"), ""},
		{"php-fpm", "php", strings.TrimPrefix(r.url(), "http://"),
			"\n    metrics_path: /fpm-status\n    params: {openmetrics: ['']}"}}
	for _, e := range []struct{ name, program, tier, setting string }{
		{"apache", "prometheus-apache-exporter", "httpd", "STATUS=" + r.url() + "/server-status?auto"},
		{"mysqld", "prometheus-mysqld-exporter", "mariadb", "MY_CNF=" + account},
		{"node", "prometheus-node-exporter", "host", "A=B"},
	} {
		port, err := bed.FreePort()
		if err != nil {
			return err
		}
		address := "127.0.0.1:" + strconv.Itoa(port)
		program := filepath.Join(r.root, r.programs, e.program)
		if filepath.IsAbs(r.programs) {
			program = filepath.Join(r.programs, e.program)
		}
		if _, err := r.bed.Start(e.name, "env", "LISTEN="+address, "PROGRAM="+program, e.setting,
			filepath.Join(r.root, "exporters", e.name, "start.sh")); err != nil {
			return err
		}
		jobs = append(jobs, job{e.name, e.tier, address, ""})
	}
	r.prometheus, err = r.bed.Prometheus("prometheus", r.options.prometheus, scrapes(jobs))
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

// job is a target of Prometheus.
type job struct{ name, tier, address, more string }

// scrapes is a configuration that looks every second.
func scrapes(jobs []job) string {
	var b strings.Builder
	b.WriteString("global: {scrape_interval: 1s, evaluation_interval: 1s}\nscrape_configs:\n")
	for _, j := range jobs {
		labels := ""
		if j.tier != "" {
			labels = fmt.Sprintf(", labels: {app: %s, tier: %s}", application, j.tier)
		}
		fmt.Fprintf(&b, "  - job_name: %s%s\n    static_configs: [{targets: ['%s']%s}]\n", j.name, j.more, j.address, labels)
	}
	return b.String()
}

// usage is what the servers' processors did up to a moment.
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
		list, err := os.ReadFile(filepath.Join(g.processors, "cgroup.procs"))
		if err != nil {
			return u, err
		}
		for _, field := range strings.Fields(string(list)) {
			pid, _ := strconv.Atoi(field)
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

// crowd is a load that runs.
type crowd struct {
	*bed.Process
	summary string
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

// drive starts the load; it ends by itself.
func (r *servers) drive(name string, clients int, think, length time.Duration) (*crowd, error) {
	c := &crowd{summary: r.bed.Path(name + ".json")}
	argv := []string{r.generator, "--url=" + r.url(), "--users=" + strconv.Itoa(clients), "--think=" + think.String(),
		"--duration=" + length.String(), "--report-every=1s", "--summary-file=" + c.summary, "--seed=" +
			strconv.Itoa(clients)}
	for _, p := range r.mix {
		argv = append(argv, "--path="+p)
	}
	var err error
	c.Process, err = r.bed.Start(name, argv...)
	return c, err
}

func (c *crowd) outcome() (o outcome, err error) {
	content, err := os.ReadFile(c.summary)
	if err != nil {
		return o, err
	}
	return o, json.Unmarshal(content, &o)
}
