// SPDX-License-Identifier: Apache-2.0

// Command campaign takes a real application through load experiments in many setups, each from far below its capacity
// to far beyond, and writes the values of all metrics: the data that `nstartool study` and the learning of models need.
// `make campaign-lamp` and `make campaign-pipeline` run it; it takes hours, may be interrupted at any time, and goes on
// where it was.
package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/nstar-project/nstar/exporters/proof/bed"
)

// options are the flags.
type options struct {
	app                                             *application
	root, exporter, generator, prometheus, programs string
	output, only, lock, account, note               string
	repetitions, growths, most, levels, nice        int
	seed                                            uint64
	warm, measure, think, limit                     time.Duration
	calibration                                     time.Duration
}

func main() {
	var o options
	name := flag.String("application", lamp.name, "what is measured: lamp or pipeline")
	flag.StringVar(&o.root, "root", ".", "the repository")
	flag.StringVar(&o.exporter, "exporter", "bin/nstar_exporter", "nstar_exporter")
	flag.StringVar(&o.generator, "generator", "bin/nstar_load", "the load generator")
	flag.StringVar(&o.prometheus, "prometheus", ".cache/debian/usr/bin/prometheus", "Prometheus")
	flag.StringVar(&o.programs, "programs", ".cache/debian/usr/bin", "where the standard exporters are")
	flag.StringVar(&o.output, "output", "",
		"where the points go; what is there already is not measured again (default .cache/campaign and the "+
			"application)")
	flag.StringVar(&o.only, "only", "*", "setups, as patterns that are separated by commas")
	flag.StringVar(&o.lock, "lock", "", "file to lock while servers run, where several programs share a machine")
	flag.StringVar(&o.account, "user", "nobody", "account of the servers")
	flag.StringVar(&o.note, "note", "", "what a reader of the data has to know, such as other work on the machine")
	flag.IntVar(&o.repetitions, "repetitions", 3, "how often each point is measured")
	flag.IntVar(&o.most, "points", 0, "stop after so many points; 0 for all")
	flag.IntVar(&o.levels, "levels", 0, "numbers of clients per setup; 0 for all that are worth measuring (about 15)")
	flag.IntVar(&o.nice, "nice", 0, "priority of servers and load")
	flag.Uint64Var(&o.seed, "seed", 1, "of the random order")
	flag.DurationVar(&o.warm, "warm", 0, "time before each point is measured; 0 for the application's")
	flag.DurationVar(&o.measure, "measure", 0, "time that each point is measured; 0 for the application's")
	flag.DurationVar(&o.think, "think", 0, "mean time between two requests of a client; 0 for the application's")
	flag.DurationVar(&o.calibration, "calibrate", 20*time.Second,
		"time for finding out what a setup can do about, once")
	flag.DurationVar(&o.limit, "limit", 0, "stop after this time; 0 for none")
	flag.IntVar(&o.growths, "growths", 1,
		"in how many repetitions each setup is also measured with one of its tiers bigger, which tells the tier that "+
			"limits")
	list := flag.Bool("list", false, "only list the setups")
	flag.Parse()
	app, err := named(*name)
	if err != nil {
		fmt.Fprintln(os.Stderr, "campaign:", err)
		os.Exit(2)
	}
	o.adopt(app)
	if *list {
		for _, s := range o.app.setups {
			fmt.Printf("%-16s %s\n", s.name, s.what)
		}
		return
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if o.limit > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, o.limit)
		defer cancel()
	}
	err = bed.Locked(o.lock, func() error { return run(ctx, o) })
	if errors.Is(err, errEnough) {
		fmt.Println("stopped; the same command goes on from here")
		return
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "campaign:", err)
		os.Exit(1)
	}
}

// adopt completes the options for an application.
func (o *options) adopt(a *application) {
	o.app = a
	o.think, o.warm, o.measure = cmp.Or(o.think, a.think), cmp.Or(o.warm, a.warm), cmp.Or(o.measure, a.measure)
	o.root, _ = filepath.Abs(o.root)
	o.output, _ = filepath.Abs(cmp.Or(o.output, filepath.Join(".cache/campaign", a.name)))
}

// errEnough ends a campaign that shall go on another time.
var errEnough = errors.New("stopped before the end")

// run measures the missing points, block by block.
func run(ctx context.Context, o options) error {
	chosen, err := choose(o.app.setups, o.only)
	if err != nil {
		return err
	}
	features, err := readFeatures(filepath.Join(o.root, "rules"), o.app.rules, o.measure)
	if err != nil {
		return err
	}
	st, err := openStore(o.output, o.app, describe(o))
	if err != nil {
		return err
	}
	defer st.close()
	blocks := order(chosen, o.app.tierNames(), o)
	p := &progress{out: os.Stdout, unit: o.app.unit, now: time.Now, each: o.warm + o.measure}
	p.count = func() int {
		if n := missing(blocks, st, o); o.most == 0 || n < o.most-p.done {
			return n
		}
		return o.most - p.done
	}
	p.recount()
	if p.total == 0 {
		fmt.Println("every point is there")
		return st.finish()
	}
	fmt.Printf("%d points to measure, about %s\n", p.total, p.left())
	var failed error
	for _, b := range blocks {
		if len(st.levels(b.setup.name)) > 0 && len(b.remaining(st, o)) == 0 {
			continue
		}
		err := play(ctx, o, b, features, st, p)
		if tables := st.finish(); tables != nil {
			return tables
		}
		switch {
		case errors.Is(err, errEnough):
			return err
		case err != nil: // hours of other setups must not be lost for one
			failed = fmt.Errorf("run %d of %s: %w", b.run, b.setup.name, err)
			fmt.Fprintln(os.Stderr, "campaign:", failed)
		}
	}
	return failed
}

// choose selects setups by patterns.
func choose(all []setup, patterns string) ([]setup, error) {
	var out []setup
	for _, s := range all {
		for _, p := range strings.Split(patterns, ",") {
			if ok, _ := path.Match(p, s.name); ok {
				out = append(out, s)
				break
			}
		}
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("-only %s: no such setup; -list names them", patterns)
	}
	return out, nil
}
