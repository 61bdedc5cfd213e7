// SPDX-License-Identifier: Apache-2.0

// Command verdicts makes faults in real applications, so that the truth is known, and compares Nstar's verdicts with
// it, minute by minute. `make check-verdicts` runs it; docs/verdicts.md explains it.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/nstar-project/nstar/exporters/proof/bed"
	"github.com/nstar-project/nstar/exporters/proof/figures"
)

// options are the flags.
type options struct {
	root, exporter, tool, binary, rules string
	record, lock, account               string
	collectors                          string // of garbage, in the episodes of causes
	nice                                int
	only, app, exporters                string
	length                              time.Duration
	level                               time.Duration // of each load of the consolidation
	spread                              bool
}

func main() {
	var o options
	var minutes float64
	flag.StringVar(&o.root, "root", ".", "the repository")
	flag.StringVar(&o.exporter, "exporter", "bin/nstar_exporter", "the exporter to check")
	flag.StringVar(&o.tool, "tool", "bin/nstartool", "the tool to check")
	flag.StringVar(&o.binary, "prometheus", ".cache/debian/usr/bin/prometheus",
		"the Prometheus that evaluates the rules")
	flag.StringVar(&o.rules, "rules", "rules/*.yaml", "the project's rules")
	flag.StringVar(&o.only, "only", "*", "scenarios, as patterns that are separated by commas")
	flag.StringVar(&o.app, "app", "",
		"board, blog, shop, news, mesh, wiki, stream, tracker, identity, forge, desk, magazine, mail, ticketing, "+
			"cluster, chat, orders or pipeline; all when empty")
	flag.StringVar(&o.exporters, "exporters", "both",
		"one, three (one per tier), both at the same time, untold (one without a configuration), or all of these")
	flag.Float64Var(&minutes, "minutes", 3, "how long each scenario is judged")
	flag.StringVar(&o.record, "record", "", "directory for recordings of everything that the exporters said")
	flag.StringVar(&o.lock, "lock", "", "file to lock while a stack runs, where several programs share a machine")
	flag.StringVar(&o.account, "user", "nobody", "account of the servers")
	flag.IntVar(&o.nice, "nice", -15, "priority of servers and load; 0 for the usual one")
	flag.BoolVar(&o.spread, "spread", false, "servers and load may use every processor; otherwise each has one of "+
		"its own")
	repeated := flag.String("repeatability", "",
		"only compare what was learned of each tier in the recordings of this directory")
	stops := flag.String("stops", "",
		"only hold frozen windows against the stops that were made, in the recordings of this directory")
	replayed := flag.String("replay", "",
		"only judge the recordings of this pattern again, with this program's judgement and these rules")
	var a again
	flag.StringVar(&a.promtool, "promtool", ".cache/debian/usr/bin/promtool",
		"the promtool that evaluates the rules then")
	flag.DurationVar(&a.scrapes, "scrapes", 0, "leave out scrapes then, so that they are at least so far apart")
	flag.DurationVar(&a.every, "every", interval, "how often its verdicts are printed then, 5s at least")
	flag.StringVar(&a.compact, "compact", "", "directory for compact forms of these recordings, which can be judged, "+
		"too")
	flag.Func("query", "in PromQL, whose answer is printed with each verdict then; may be repeated",
		func(query string) error {
			a.queries = append(a.queries, query)
			return nil
		})
	causes := flag.Int("causes", 0,
		"provoke each cause so many times on the board, and hold what is said of each episode against it")
	seed := flag.Uint64("seed", uint64(time.Now().Unix()), "of the order of the causes")
	flag.StringVar(&o.collectors, "collectors", "g1",
		"of garbage, with which the causes are provoked: serial, parallel, g1, or several with commas between")
	waiting := flag.Bool("waiting", false,
		"split the waiting of the board's tiers at a low and at a high load, and hold it against the servers' own "+
			"statistics")
	consolidated := flag.Bool("consolidation", false,
		"run two boards whose databases share a processor, one with more and more load")
	flag.DurationVar(&o.level, "level", 20*time.Second, "how long each load of the consolidation is measured")
	list := flag.Bool("list", false, "only list the scenarios and their truths")
	flag.Parse()
	o.length = time.Duration(minutes * float64(time.Minute))

	r := figures.New("verdicts", os.Stdout)
	if *list {
		for _, c := range campaign(o) {
			r.Note("%-6s %-16s %v", c.app.name, c.name, strings.Join(c.expect.strings(), ", "))
		}
		return
	}
	if *replayed != "" {
		a.rules = filepath.Dir(o.rules)
		if err := judgeAgain(r, *replayed, a); err != nil {
			fmt.Fprintln(os.Stderr, "verdicts:", err)
			os.Exit(1)
		}
		return
	}
	if *repeated != "" || *stops != "" {
		var err error
		if *repeated != "" {
			err = errors.Join(err, repeatability(r, *repeated))
		}
		if *stops != "" {
			err = errors.Join(err, stopped(r, *stops))
		}
		if err = errors.Join(err, r.Close()); err != nil {
			fmt.Fprintln(os.Stderr, "verdicts:", err)
			os.Exit(1)
		}
		return
	}
	o.root, _ = filepath.Abs(o.root)
	if *causes > 0 || *waiting || *consolidated {
		err := bed.Locked(o.lock, func() error {
			switch {
			case *waiting:
				return waitingOf(o, r)
			case *consolidated:
				return consolidation(o, r)
			}
			return causesOf(o, r, *causes, *seed)
		})
		if err = errors.Join(err, r.Close()); err != nil {
			fmt.Fprintln(os.Stderr, "verdicts:", err)
			os.Exit(1)
		}
		return
	}
	t := &table{capacity: make(map[string]float64)}
	for _, c := range campaign(o) {
		err := bed.Locked(o.lock, func() error { return interruptible(o, c, t) })
		if err != nil {
			fmt.Fprintf(os.Stderr, "verdicts: %s %s: %v\n", c.app.name, c.name, err)
			os.Exit(2)
		}
	}
	t.print(r)
	if err := r.Close(); err != nil {
		fmt.Fprintln(os.Stderr, "verdicts:", err)
		os.Exit(1)
	}
}

// interruptible plays a scenario that a signal ends in order: servers that are stopped go on before they end.
func interruptible(o options, c scenario, t *table) error {
	interrupted := make(chan os.Signal, 1)
	signal.Notify(interrupted, os.Interrupt, syscall.SIGTERM)
	defer signal.Stop(interrupted)
	if c.alike {
		o.nice = 0
	}
	defer ahead(o.nice)()
	return play(o, c, t, interrupted)
}
