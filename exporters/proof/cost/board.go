// SPDX-License-Identifier: Apache-2.0

package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
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
	// boardUsers are those by whom the demo measures what its servers can do.
	boardUsers = 64
	// mostCauses is what all collectors of causes may take of the board's throughput.
	mostCauses = 0.01
	// mostSplit is the same of whom each tier waits for, which can't be switched off: all else without causes is in it.
	mostSplit = 0.01
)

// pages is one measurement of the board.
type pages struct {
	rate float64 // pages per second
	work float64 // CPU time of servers, load and exporter for a page, in seconds; what the kernel does for them is in it
}

// watched is a way to look at the board.
type watched struct {
	name         string
	begin        func() (*bed.Exporter, error) // nil: nobody looks
	rates, works []float64                     // of each round
}

// boards measures the demo's board, httpd, Tomcat and MariaDB, as fast as 64 users without a think time make it: without
// the exporter, with one without the collectors of causes, and with all of them. Each round goes there and back, so that a
// machine that grows slower favours none.
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
	all := []*watched{{name: "nothing"}, {name: "without causes", begin: with(withoutCauses()...)}, {name: "all causes", begin: with()}}
	r.Section("The demo's board, %d users without a think time, G1, %d rounds there and back of %s", boardUsers, o.rounds, o.length)
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
			w.rates = append(w.rates, (seen[0][i].rate+seen[1][i].rate)/2)
			w.works = append(w.works, (seen[0][i].work+seen[1][i].work)/2)
		}
		last := len(all[0].rates) - 1
		r.Note("%.0f pages/s with nothing, %.0f without causes, %.0f with all", all[0].rates[last], all[1].rates[last], all[2].rates[last])
	}
	boardTable(r, all)
	return nil
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
		r.Note("%-16s over %-16s throughput x %.4f (%.4f .. %.4f), CPU time of a page x %.4f (%.4f .. %.4f)", a.name, than.name,
			median(rates), low, high, median(works), lowWork, highWork)
		return 1 - median(rates)
	}
	nothing, without, with := all[0], all[1], all[2]
	r.Note("%.0f pages/s with nothing, %.2f ms of processors each", median(nothing.rates), 1e3*median(nothing.works))
	split, causes := compare(without, nothing), compare(with, without)
	compare(with, nothing)
	r.AtMost("throughput lost by all collectors of causes", 100*causes, 100*mostCauses, "%")
	r.AtMost("throughput lost by the exporter without them, whom tiers wait for among it", 100*split, 100*mostSplit, "%")
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
	}
	first, err := firstProcessor()
	if err != nil {
		return p, err
	}
	summary := b.Path("board.json")
	load := exec.Command("taskset", "-c", first, "bin/nstar_load", "--url="+boardURL, fmt.Sprintf("--users=%d", boardUsers), "--think=0s",
		"--duration="+length.String(), "--report-every=0s", "--summary-file="+summary)
	before, err := boardTime(own)
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
	return pages{found.Rate, took / found.Completions}, nil
}

// boardTime is the CPU time of the board's servers so far, each of which is a session of its own, and of another process
// unless that is 0.
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
