// SPDX-License-Identifier: Apache-2.0

package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/prometheus/procfs"
	"golang.org/x/sys/unix"

	"github.com/nstar-project/nstar/exporters/proof/bed"
	"github.com/nstar-project/nstar/exporters/proof/figures"
)

const (
	boardURL = "http://127.0.0.1:18080" // of deploy/demo/params.sh
	// boardUsers are the users with which the demo measures what its servers can do.
	boardUsers = 64
	// mostCauses is the share of the board's throughput that all collectors of causes may cost.
	mostCauses = 0.01
	// mostSplit is the same for finding out which tiers each tier waits for. That can't be switched off: everything
	// else without causes is included.
	mostSplit = 0.01
)

// pages is one measurement of the board.
type pages struct {
	rate float64 // pages per second
	// CPU time of servers, load and exporter for a page, in seconds; the kernel's work for them is included
	work float64
	own  float64 // of the exporter itself, as a share of a processor
}

// watched is a way to look at the board.
type watched struct {
	name         string
	begin        func() (*bed.Exporter, error) // nil: no exporter
	rates, works []float64                     // of each round
	own          []float64                     // of each visit
	report       *figures.Report               // for the time of the kernel programs; nil: not asked for
}

// boards measures the demo's board, httpd, Tomcat and MariaDB, as fast as 64 users without a think time make it:
// without the exporter, with one without the collectors of causes, and with all of them. Each round goes there and
// back, so that a machine that becomes slower favours none.
func boards(r *figures.Report, o options) error {
	demo := filepath.Join("deploy", "demo", "demo.sh")
	if err := boardStarts(demo); err != nil {
		return err
	}
	defer func() { _, _ = bed.Run(demo, "stop") }()
	b, err := bed.New()
	if err != nil {
		return err
	}
	defer b.Close()
	config, err := os.ReadFile(filepath.Join("deploy", "demo", "nstar", "nstar.yaml"))
	if err != nil {
		return err
	}
	with := func(flags ...string) func() (*bed.Exporter, error) {
		return func() (*bed.Exporter, error) {
			e, err := b.Exporter(o.exporter, string(config), flags...)
			if err != nil {
				return nil, err
			}
			return e, e.AwaitTiers("mariadb")
		}
	}
	all := []*watched{{name: "nothing"}, {name: "without causes", begin: with(withoutCauses()...)},
		{name: "all causes", begin: with()}}
	r.Section("The demo's board, %d users without a think time, G1, %d rounds there and back of %s", boardUsers,
		o.rounds, o.length)
	for range o.rounds {
		var seen [2][3]pages
		for turn := range seen {
			for i := range all {
				if turn == 1 {
					i = len(all) - 1 - i
				}
				if seen[turn][i], err = all[i].measure(b, o.length); err != nil {
					return fmt.Errorf("%s: %w", all[i].name, err)
				}
			}
		}
		for i, w := range all {
			w.own = append(w.own, seen[0][i].own, seen[1][i].own)
			w.rates = append(w.rates, (seen[0][i].rate+seen[1][i].rate)/2)
			w.works = append(w.works, (seen[0][i].work+seen[1][i].work)/2)
		}
		last := len(all[0].rates) - 1
		r.Note("%.0f pages/s with nothing, %.0f without causes, %.0f with all", all[0].rates[last], all[1].rates[last],
			all[2].rates[last])
	}
	boardTable(r, all)
	counted := &watched{name: "with statistics", begin: with("--bpf.stats"), report: r}
	_, err = counted.measure(b, 2*o.length)
	return err
}

// boardStarts starts the servers and warms them up.
func boardStarts(demo string) error {
	c := exec.Command(demo, "servers")
	c.Env = append(os.Environ(), "COLLECTOR=g1", "BUILD=no", "WARMUP=10s")
	if text, err := c.CombinedOutput(); err != nil {
		return fmt.Errorf("%s servers: %w\n%s", demo, err, text)
	}
	return nil
}

// boardTable compares the exporter with nothing, and all causes with none.
func boardTable(r *figures.Report, all []*watched) {
	compare := func(a, than *watched) float64 {
		ratio := func(x, y []float64) (out []float64) {
			for i := range x {
				out = append(out, x[i]/y[i])
			}
			return out
		}
		rates, works := ratio(a.rates, than.rates), ratio(a.works, than.works)
		low, high := interval(rates)
		lowWork, highWork := interval(works)
		r.Note("%-16s over %-16s throughput x %.4f (%.4f .. %.4f), CPU time of a page x %.4f (%.4f .. %.4f)",
			a.name, than.name,
			median(rates), low, high, median(works), lowWork, highWork)
		return 1 - median(rates)
	}
	nothing, without, with := all[0], all[1], all[2]
	r.Note("%.0f pages/s with nothing, %.2f ms of processors each", median(nothing.rates), 1e3*median(nothing.works))
	split, causes := compare(without, nothing), compare(with, without)
	compare(with, nothing)
	r.Note("the exporter itself takes %.2f %% of a processor without causes, %.2f %% with all", 100*mean(without.own),
		100*mean(with.own))
	r.AtMost("throughput lost by all collectors of causes", 100*causes, 100*mostCauses, "%")
	r.AtMost("throughput lost by the exporter without them, whom tiers wait for among it", 100*split,
		100*mostSplit, "%")
}

// measure loads the board for a while.
func (w *watched) measure(b *bed.Bed, length time.Duration) (p pages, err error) {
	own := 0
	if w.begin != nil {
		e, err := w.begin()
		if err != nil {
			return p, err
		}
		defer e.Stop()
		own = e.PID
		if w.report != nil {
			before, err := e.Metrics()
			if err != nil {
				return p, err
			}
			defer func() {
				if err == nil {
					err = programs(w.report, e, before, length)
				}
			}()
		}
	}
	first, err := firstProcessor()
	if err != nil {
		return p, err
	}
	summary := b.Path("board.json")
	load := exec.Command("taskset", "-c", first, "bin/nstar_load", "--url="+boardURL,
		fmt.Sprintf("--users=%d", boardUsers), "--think=0s",
		"--duration="+length.String(), "--report-every=0s", "--summary-file="+summary)
	before, err := boardTime(own)
	if err != nil {
		return p, err
	}
	ownBefore, err := ownTime(own)
	if err != nil {
		return p, err
	}
	if text, err := load.CombinedOutput(); err != nil {
		return p, fmt.Errorf("nstar_load: %w\n%s", err, text)
	}
	after, err := boardTime(own)
	if err != nil {
		return p, err
	}
	ownAfter, err := ownTime(own)
	if err != nil {
		return p, err
	}
	text, err := os.ReadFile(summary)
	if err != nil {
		return p, err
	}
	var found struct {
		Completions float64 `json:"completions"`
		Rate        float64 `json:"pages_per_second"`
		Errors      float64 `json:"errors"`
	}
	if err := json.Unmarshal(text, &found); err != nil {
		return p, err
	}
	if found.Completions == 0 || found.Errors > found.Completions/100 {
		return p, fmt.Errorf("the board showed %.0f pages and %.0f errors", found.Completions, found.Errors)
	}
	took := after - before + (load.ProcessState.UserTime() + load.ProcessState.SystemTime()).Seconds()
	return pages{found.Rate, took / found.Completions, (ownAfter - ownBefore) / length.Seconds()}, nil
}

// ownTime is the CPU time of a process so far; 0 of none.
func ownTime(pid int) (float64, error) {
	if pid == 0 {
		return 0, nil
	}
	return bed.CPUSeconds(pid)
}

// programs returns how much of the machine's processors the kernel programs took while the board was loaded, by the
// kernel's own statistics, which cost something themselves.
func programs(r *figures.Report, e *bed.Exporter, before bed.Samples, length time.Duration) error {
	after, err := e.Metrics()
	if err != nil {
		return err
	}
	took, connections := make(map[bool]float64), 0.0
	processors := float64(runtime.NumCPU()) * length.Seconds()
	for _, s := range after.Select("nstar_bpf_run_seconds_total") {
		name := s.Labels["program"]
		was, _ := before.Value("nstar_bpf_run_seconds_total", "program", name)
		took[slices.Contains(causePrograms, name)] += (s.Value - was) / processors
		if name == "nstar_state" {
			connections = (s.Value - was) / processors
		}
	}
	r.Note("by the kernel's statistics its programs take %.3f %% of the machine's processors without causes, and "+
		"%.3f %% for these",
		100*took[false], 100*took[true])
	r.Note("%.4f %% go to connections that open or close; what the split of the waiting adds for the servers is a "+
		"part of that", 100*connections)
	return nil
}

// causePrograms are those that measure causes.
var causePrograms = []string{"nstar_switch", "nstar_fork", "nstar_free", "nstar_leave", "nstar_migrate",
	"nstar_misses", "nstar_disk",
	"nstar_dirty"}

// boardTime is the CPU time of the board's servers so far, each of which is a session of its own, and of another
// process unless that is 0.
func boardTime(other int) (sum float64, err error) {
	sessions := make(map[int]bool)
	for _, name := range []string{"httpd", "tomcat", "mariadb"} {
		text, err := os.ReadFile(filepath.Join(".demo", "run", name))
		if err != nil {
			return 0, err
		}
		id, _, _ := strings.Cut(string(text), " ")
		pid, err := strconv.Atoi(id)
		if err != nil {
			return 0, fmt.Errorf(".demo/run/%s: %w", name, err)
		}
		sessions[pid] = true
	}
	all, err := procfs.AllProcs()
	if err != nil {
		return 0, err
	}
	for _, p := range all {
		if stat, err := p.Stat(); err == nil && (sessions[stat.Session] || p.PID == other) {
			sum += stat.CPUTime()
		}
	}
	return sum, nil
}

// firstProcessor is where the demo's load runs, beside httpd and MariaDB.
func firstProcessor() (string, error) {
	var allowed unix.CPUSet
	if err := unix.SchedGetaffinity(0, &allowed); err != nil {
		return "", err
	}
	cpu := 0
	for !allowed.IsSet(cpu) {
		cpu++
	}
	return strconv.Itoa(cpu), nil
}
