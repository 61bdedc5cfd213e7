// SPDX-License-Identifier: Apache-2.0

// Command cost measures what nstar_exporter costs a saturated Apache httpd, side by side with nothing, a packet capture
// and, if bpftrace is installed, a tracer at the level of system calls. `make bench` runs it; docs/proof.md explains
// it.
package main

import (
	"flag"
	"fmt"
	"math"
	"os"
	"os/exec"
	"regexp"
	"time"

	"github.com/nstar-project/nstar/exporters/proof/bed"
	"github.com/nstar-project/nstar/exporters/proof/figures"
)

// aims, as the project has set them for itself.
const (
	mostLoss   = 0.01 // of throughput
	mostPacket = 120  // ns per packet, statistics on
	mostMemory = 64   // MB resident
	mostCPU    = 0.02 // of a core
)

// options are the options of every part.
type options struct {
	exporter    string
	rounds      int
	length      time.Duration // of each measurement
	connections int
	peer        bool
}

// parts can be measured by themselves.
var parts = []struct {
	name string
	run  func(*figures.Report, options) error
}{
	{"httpd", saturated}, {"nginx", sixBytes}, {"steps", byStep}, {"churn", churn}, {"work", working},
	{"storm", storms},
	{"board", boards},
}

func main() {
	var o options
	flag.StringVar(&o.exporter, "exporter", "bin/nstar_exporter", "the exporter to measure")
	flag.IntVar(&o.rounds, "rounds", 15, "how often every variant is measured")
	flag.DurationVar(&o.length, "duration", 2*time.Second, "length of each measurement")
	flag.IntVar(&o.connections, "connections", 32, "connections of wrk")
	flag.BoolVar(&o.peer, "peer", true, "measure bpftrace, too, if it is installed")
	only := flag.String("only", "",
		"the parts to measure (httpd, nginx, steps, churn, work, storm, board), as a regular expression; all if empty")
	address := flag.String("serve", "", "be the server of the part work at this address")
	flag.Parse()

	if *address != "" {
		fmt.Fprintln(os.Stderr, "cost:", serve(*address))
		os.Exit(2)
	}
	r := figures.New("cost", os.Stdout)
	if err := run(r, o, *only); err != nil {
		fmt.Fprintln(os.Stderr, "cost:", err)
		os.Exit(2)
	}
	if err := r.Close(); err != nil {
		fmt.Fprintln(os.Stderr, "cost:", err)
		os.Exit(1)
	}
}

// run measures the parts whose name the expression finds.
func run(r *figures.Report, o options, only string) error {
	chosen, err := regexp.Compile(only)
	if err != nil {
		return fmt.Errorf("-only: %w", err)
	}
	if err := alone(); err != nil {
		return err
	}
	load1, err := busy()
	if err != nil {
		return err
	}
	r.Note("load average before the start: %s (on a machine that is busy otherwise, the ratios scatter)", load1)
	for _, p := range parts {
		if !chosen.MatchString(p.name) {
			continue
		}
		if err := p.run(r, o); err != nil {
			return fmt.Errorf("%s: %w", p.name, err)
		}
	}
	return nil
}

// saturated measures an Apache httpd, with and without the exporter and its peers.
func saturated(r *figures.Report, o options) error {
	if err := bed.Need("apache2", "wrk", "tcpdump"); err != nil {
		return err
	}
	b, err := bed.New()
	if err != nil {
		return err
	}
	defer b.Close()
	httpd, err := b.Httpd(false)
	if err != nil {
		return err
	}
	variants := []variant{
		{name: "nstar_exporter", start: withExporter(b, o.exporter, httpd.Port)},
		{name: "nstar_exporter --bpf.stats", start: withExporter(b, o.exporter, httpd.Port, "--bpf.stats")},
		{name: "tcpdump to a file", start: withCapture(b, httpd.Port)},
	}
	if _, err := exec.LookPath("bpftrace"); o.peer && err == nil {
		variants = append(variants, variant{name: "bpftrace of read and write", start: withTracer(b)})
	}
	full := load{Wrk: bed.Wrk{Threads: 1, Connections: o.connections, Duration: o.length, URL: httpd.URL("small")},
		server: httpd}
	r.Section("Apache httpd saturated by wrk, %d connections, %d rounds of %s; each variant between two runs with "+
		"nothing",
		o.connections, o.rounds, o.length)
	if err := measure(r, variants, o.rounds, full); err != nil {
		return err
	}
	table(r, variants)
	own(r, variants[1], variants[0])
	return nil
}

// measure runs the rounds: nothing, A, nothing, B, nothing ... so that every variant has a neighbour on each side to be
// compared with, and a machine that grows slower in time favours none.
func measure(r *figures.Report, variants []variant, rounds int, full load) error {
	if _, err := full.run(); err != nil { // warms the server up
		return err
	}
	before, err := full.run()
	if err != nil {
		return err
	}
	for round := range rounds {
		for i := range variants {
			v := &variants[(i+round)%len(variants)]
			seen, err := v.run(full)
			if err != nil {
				return fmt.Errorf("%s: %w", v.name, err)
			}
			after, err := full.run()
			if err != nil {
				return err
			}
			seen.nothing = (before.rate + after.rate) / 2
			seen.workNothing = (before.work + after.work) / 2
			v.seen = append(v.seen, seen)
			before = after
		}
		r.Note("round %d of %d done, %.0f requests/s with nothing", round+1, rounds, before.rate)
	}
	return nil
}

func table(r *figures.Report, variants []variant) {
	r.Note("")
	r.Note("%-30s %10s %8s %18s %9s %18s %8s %10s", "", "requests/s", "ratio", "95 % interval", "us/request",
		"ratio, interval", "CPU", "memory")
	var nothing, work []float64
	for _, v := range variants {
		nothing = append(nothing, v.column(func(s seen) float64 { return s.nothing })...)
		work = append(work, v.column(func(s seen) float64 { return s.workNothing })...)
	}
	r.Note("%-30s %10.0f %8s %18s %9.2f", "nothing", median(nothing), "1", "", median(work))
	for _, v := range variants {
		ratios := v.column(func(s seen) float64 { return s.requests / s.nothing })
		low, high := interval(ratios)
		works := v.column(func(s seen) float64 { return s.work / s.workNothing })
		lowWork, highWork := interval(works)
		r.Note("%-30s %10.0f %8.4f %8.4f ..%7.4f %9.2f %6.3f %5.3f..%5.3f %6.2f %% %7.1f MB", v.name,
			median(v.column(func(s seen) float64 { return s.requests })), median(ratios), low, high,
			median(v.column(func(s seen) float64 { return s.work })), median(works), lowWork, highWork,
			100*mean(v.column(func(s seen) float64 { return s.cpu })),
			median(v.column(func(s seen) float64 { return s.memory })))
	}
	r.Note("us/request: CPU time of httpd and wrk for a request, the kernel's work for their packets included; a " +
		"busy machine")
	r.Note("disturbs it less than throughput")
	r.Note("ratio: to the mean of the run before and the run after with nothing; median of the rounds, its bootstrap " +
		"interval")
	r.Note("CPU: of the program itself, as a share of one core; work in the kernel on the server's behalf shows in " +
		"the ratio")
}

// own are the exporter's own figures against the aims.
func own(r *figures.Report, with, without variant) {
	r.Section("nstar_exporter by the kernel's own statistics")
	for _, program := range []string{"nstar_ingress", "nstar_egress", "nstar_state"} {
		runs := with.column(func(s seen) float64 { return s.runs[program] })
		ns := with.column(func(s seen) float64 { return s.nanoseconds[program] / math.Max(s.runs[program], 1) })
		r.Note("%-14s %10.0f runs a measurement, %6.1f ns each (%.1f .. %.1f)", program, median(runs),
			median(ns), least(ns),
			most(ns))
	}
	packet := with.column(func(s seen) float64 { return s.packetTime() / s.packets() })
	request := with.column(func(s seen) float64 { return s.packetTime() / s.total })
	perRequest := with.column(func(s seen) float64 { return s.packets() / s.total })
	r.AtMost("kernel side per packet", median(packet), mostPacket, "ns")
	r.Note("%.2f packets a request seen by the programs (both ends of loopback, acknowledgements included), %.0f ns "+
		"a request",
		median(perRequest), median(request))
	loss := func(v variant) float64 {
		return 100 * (1 - median(v.column(func(s seen) float64 { return s.requests / s.nothing })))
	}
	r.AtMost("throughput lost", loss(without), 100*mostLoss, "%")
	r.Note("throughput lost with --bpf.stats: %.2f %%", loss(with))
	r.AtMost("exporter's CPU", 100*mean(without.column(func(s seen) float64 { return s.cpu })),
		100*mostCPU, "% of a core")
	r.AtMost("exporter's resident memory", most(without.column(func(s seen) float64 { return s.memory })),
		mostMemory, "MB")
}
