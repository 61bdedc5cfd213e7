// SPDX-License-Identifier: Apache-2.0

// Command capacity measures servers whose capacity is known and compares the results of the rules with theory: TPmax,
// N* and Little's law. `make check-capacity` runs it; docs/proof.md explains it.
package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"sync"
	"syscall"
	"time"

	"github.com/nstar-project/nstar/exporters/proof/bed"
	"github.com/nstar-project/nstar/exporters/proof/figures"
)

// trial is a station under a sweep of load.
type trial struct {
	station
	steps  []step
	port   int
	client *client
}

func main() {
	exporter := flag.String("exporter", "bin/nstar_exporter", "the exporter to check")
	binary := flag.String("prometheus", ".cache/debian/usr/bin/prometheus", "the Prometheus that evaluates the rules")
	rules := flag.String("rules", "rules/*.yaml", "the project's rules")
	cycles := flag.Int("cycles", 4, "how often the load sweeps from low to beyond saturation")
	length := flag.Duration("step", 3*time.Second, "length of each step of a sweep")
	model := flag.Bool("model", false, "only print the theoretical curves")
	serve := flag.Int("serve", -1, "internal: run the server of this trial")
	port := flag.Int("port", 0, "internal: where")
	flag.Parse()
	runtime.GOMAXPROCS(32) // threads that sleep in system calls must not hold up the others

	trials := []*trial{
		{station: station{name: "closed-mdc", workers: 4, service: 20 * time.Millisecond},
			steps: closedSweep(*cycles, *length)},
		{station: station{name: "open-mdc", workers: 3, service: 10 * time.Millisecond},
			steps: openSweep(*cycles, *length)},
		{station: station{name: "open-mm1", workers: 1, service: 2 * time.Millisecond, exponential: true},
			steps: openSweep(*cycles, *length)},
	}
	if *serve >= 0 {
		fmt.Fprintln(os.Stderr, trials[*serve].serve(*port))
		os.Exit(1)
	}
	time.AfterFunc(longest, func() {
		fmt.Fprintf(os.Stderr, "capacity: not done after %s\n", longest)
		os.Exit(2)
	})
	r := figures.New("capacity", os.Stdout)
	if *model {
		for _, t := range trials {
			t.printModel(r)
		}
		return
	}
	err := promptly()
	if err == nil {
		err = run(r, trials, *exporter, *binary, *rules)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "capacity:", err)
		os.Exit(2)
	}
	if err := r.Close(); err != nil {
		fmt.Fprintln(os.Stderr, "capacity:", err)
		os.Exit(1)
	}
}

// The servers and the load go before others: they need little of a CPU, but they need it soon, or the servers would not
// have the capacity that they are meant to have while other programs are at work. A real-time class would be sooner
// still, but the threads of a Go program spin while they look for work, and at real-time priority they take the whole
// machine.
var (
	atOnce = []string{"nice", "-n", "-15"}
	usual  = []string{"nice", "-n", "15"} // relative: back to where it was
)

// longest is when the proof gives up, whatever hangs.
const longest = 10 * time.Minute

// promptly starts this program again ahead of others.
func promptly() error {
	const done = "NSTAR_PROOF_PROMPT"
	if os.Getenv(done) != "" {
		return nil
	}
	nice, err := exec.LookPath(atOnce[0])
	if err != nil {
		return err
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	argv := append(append(slices.Clone(atOnce), self), os.Args[1:]...)
	return syscall.Exec(nice, argv, append(os.Environ(), done+"=1"))
}

func (t *trial) printModel(r *figures.Report) {
	nStar, points := reference(t.station, t.steps, repetitions)
	r.Section("%s: capacity %.0f/s, N* %.2f", t.name, t.capacity(), nStar)
	for _, p := range points {
		r.Note("%8.2f %8.1f/s %5.1f %% %7d", p.queue, p.throughput, 100*p.throughput/t.capacity(), p.windows)
	}
}

// connections are enough for the longest line that the sweeps build up.
const connections = 1024

func run(r *figures.Report, trials []*trial, exporter, binary, rules string) error {
	if _, err := os.Stat(binary); err != nil {
		return fmt.Errorf("%w: `tools/debian.sh prometheus` unpacks it", err)
	}
	b, err := bed.New()
	if err != nil {
		return err
	}
	defer b.Close()
	b.Prefix = usual
	config := "tiers:\n"
	for i, t := range trials {
		if t.port, err = bed.FreePort(); err != nil {
			return err
		}
		server := append(slices.Clone(atOnce), os.Args[0], fmt.Sprintf("-serve=%d", i), fmt.Sprintf("-port=%d", t.port))
		if _, err := b.Start(t.name, server...); err != nil {
			return err
		}
		config += fmt.Sprintf("  - name: %s\n    app: proof\n    match: {port: %d}\n", t.name, t.port)
	}
	e, err := b.Exporter(exporter, config)
	if err != nil {
		return err
	}
	for _, t := range trials {
		if err := e.AwaitTiers(t.name); err != nil {
			return err
		}
		if t.client, err = newClient(t.port, connections); err != nil {
			return err
		}
		defer t.client.close()
	}
	p, err := startPrometheus(b, binary, rules, e)
	if err != nil {
		return err
	}
	before, err := e.Metrics()
	if err != nil {
		return err
	}
	began := time.Now()
	var all sync.WaitGroup
	for i, t := range trials {
		all.Go(func() { t.client.run(t.station, t.steps, uint64(i)) })
	}
	all.Wait()
	took := time.Since(began)
	time.Sleep(bed.Settled)
	after, err := e.Metrics()
	if err != nil {
		return err
	}
	time.Sleep(65 * time.Second) // until the rules have seen all of it: the curves are recorded once a minute
	for _, t := range trials {
		if t.client.err != nil {
			return fmt.Errorf("%s: a request failed: %w", t.name, t.client.err)
		}
		if err := t.check(r, p); err != nil {
			return err
		}
		t.little(r, before, after, took)
	}
	return nil
}
