// SPDX-License-Identifier: Apache-2.0

// Command whatif makes real changes to the demo, and compares the predictions of `nstartool whatif` from the windows
// before them with what the load generator measured after them. `make check-whatif` runs it; docs/whatif.md explains
// it.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/nstar-project/nstar/exporters/nstartool/whatif"
	"github.com/nstar-project/nstar/exporters/proof/bed"
	"github.com/nstar-project/nstar/exporters/proof/figures"
)

// Aims of a prediction: throughput within this many percentage points of the gain, the mean response time within a
// share.
const (
	throughputAim = 0.10
	responseAim   = 0.25
)

// comparison is a change that is made for real.
type comparison struct {
	what          string
	before, after string // setups
	changes       []whatif.Change
}

// setup is one of the demo: how many users it has, in percent of those that make it as busy as sizedFor says on this
// machine, and the other differences from its parameters and from common.
type setup struct {
	users int
	env   []string
}

var setups = map[string]setup{
	"serial":     {100, []string{"COLLECTOR=serial", "POOL=32"}},
	"g1":         {100, []string{"COLLECTOR=g1", "POOL=32", pretouch}},
	"roomy":      {100, []string{"COLLECTOR=serial", "POOL=32", "HEAP=1g", "YOUNG=500m", pretouch}},
	"g1-80":      {80, []string{"COLLECTOR=g1", "POOL=32", pretouch}},
	"g1-120":     {120, []string{"COLLECTOR=g1", "POOL=32", pretouch}},
	"users-150":  {150, []string{"COLLECTOR=serial", "POOL=32"}},
	"pool-64":    {100, []string{"COLLECTOR=serial", "POOL=64"}},
	"pool-8":     {100, []string{"COLLECTOR=serial", "POOL=8"}},
	"shared":     {150, []string{"COLLECTOR=g1", "POOL=32", pretouch}},
	"own":        {150, []string{"COLLECTOR=g1", "POOL=32", pretouch, "OWN_CORE=mariadb"}},
	"g1-pool-2":  {60, []string{"COLLECTOR=g1", "POOL=2", "HOLD=4"}},
	"g1-pool-16": {60, []string{"COLLECTOR=g1", "POOL=16", "HOLD=4"}},
}

// sizedFor is how busy, in percent, 100 percent of the users keep the busiest processor with pages alone.
const sizedFor = "LOAD=70"

// pretouch lets the kernel give the JVM its memory at the start: a large heap is slow until all of it was used once.
const pretouch = "JAVA_TOOL_OPTIONS=-XX:+AlwaysPreTouch"

// common to all setups. The think time makes the demo busy enough to have something to gain; the users join slowly
// enough that the tiers are also seen with little to do.
var common = []string{"THINK=300ms", "LULL_EVERY=0s", "WARMUP=10s"}

var comparisons = []comparison{
	{"collector without freezes", "serial", "g1", []whatif.Change{whatif.NoFreezes{Tier: "tomcat"}}},
	{"roomy heap", "serial", "roomy", []whatif.Change{whatif.NoFreezes{Tier: "tomcat"}}},
	{"half as many users more", "g1-80", "g1-120", []whatif.Change{whatif.Load{Factor: 1.5}}},
	// The heap is nearly full: more requests at once leave less of it, and collections take several times as long. That
	// can't be seen before.
	{"more users in a full heap", "serial", "users-150", []whatif.Change{whatif.Load{Factor: 1.5}}},
	// Here a page holds its connection without using it, so that the pool limits and not the database behind it.
	{"pool 2 to 16, held", "g1-pool-2", "g1-pool-16", []whatif.Change{whatif.Pool{From: "tomcat",
		To: "mariadb", Places: 16}}},
	{"pool 8 to 32", "pool-8", "serial", []whatif.Change{whatif.Pool{From: "tomcat", To: "mariadb", Places: 32}}},
	{"pool 32 to 64", "serial", "pool-64", []whatif.Change{whatif.Pool{From: "tomcat", To: "mariadb", Places: 64}}},
	{"a processor for MariaDB", "shared", "own", []whatif.Change{whatif.OwnProcessors{Tier: "mariadb", Processors: 1}}},
}

// options are the flags.
type options struct {
	root, directory, lock, only string
	ramp, watch                 time.Duration
	again, priority             bool
	users                       int
}

func main() {
	var o options
	flag.StringVar(&o.root, "root", ".", "the repository")
	flag.StringVar(&o.directory, "directory", ".cache/proof/whatif.runs", "where the runs are recorded")
	flag.StringVar(&o.lock, "lock", "", "file to lock while the demo runs, where several programs share a machine")
	flag.StringVar(&o.only, "only", "*", "comparisons, as a pattern")
	flag.DurationVar(&o.ramp, "ramp", 30*time.Second, "time over which the users join")
	flag.DurationVar(&o.watch, "watch", 90*time.Second, "how long each setup is watched")
	flag.BoolVar(&o.again, "again", true, "run all comparisons; without, only those that were not recorded yet")
	flag.BoolVar(&o.priority, "priority", false, "prefer the demo to what else runs on the machine")
	flag.IntVar(&o.users, "users", 0, "users that a setup of 100 percent has; 0 = "+sizedFor+", by a measurement")
	flag.Parse()
	o.root, _ = filepath.Abs(o.root)
	o.directory, _ = filepath.Abs(o.directory)
	if err := check(o); err != nil {
		fmt.Fprintln(os.Stderr, "whatif:", err)
		os.Exit(1)
	}
}

func check(o options) error {
	var chosen []comparison
	for _, c := range comparisons {
		if ok, err := filepath.Match(o.only, c.what); err != nil || ok {
			chosen = append(chosen, c)
		}
	}
	for _, c := range chosen {
		if _, _, err := c.recordings(o); err == nil && !o.again {
			continue
		}
		// One after the other without a pause, so that the machine is the same.
		if err := bed.Locked(o.lock, func() (err error) {
			if o.users == 0 {
				if o.users, err = o.size(); err != nil {
					return err
				}
			}
			return c.record(o)
		}); err != nil {
			fmt.Printf("          %v\n", err)
		}
		time.Sleep(time.Second) // others may have the lock
	}
	r := figures.New("whatif", os.Stdout)
	for _, c := range chosen {
		if err := c.compare(o, r); err != nil {
			r.Check(false, "%v", err)
		}
	}
	return r.Close()
}

// record runs both setups.
func (c comparison) record(o options) error {
	for _, setup := range []string{c.before, c.after} {
		fmt.Printf("%s  %s: %s\n", time.Now().UTC().Format(time.TimeOnly), c.what, strings.Join(o.env(setup), " "))
		if err := record(o, setup, c.file(o, setup)); err != nil {
			return err
		}
	}
	return nil
}

func (c comparison) recordings(o options) (before, after recording, err error) {
	if before, err = read(c.file(o, c.before)); err != nil {
		return before, after, err
	}
	after, err = read(c.file(o, c.after))
	return before, after, err
}

func (c comparison) file(o options, setup string) string {
	return filepath.Join(o.directory, strings.NewReplacer(" ", "-", ",", "").Replace(c.what)+"."+setup+".json")
}

// compare predicts the change from the setup before it, and looks at the one after it.
func (c comparison) compare(o options, r *figures.Report) error {
	before, after, err := c.recordings(o)
	if err != nil {
		return fmt.Errorf("%s: %w", c.what, err)
	}
	r.Section("%s: %s", c.what, c.changes[0])
	replay, err := whatif.New(before.Trace)
	if err != nil {
		return err
	}
	p, err := replay.Predict(c.changes...)
	if err != nil {
		return err
	}
	gain := after.Load.Throughput/before.Load.Throughput - 1
	response := before.Load.Mean * (1 + p.Response.Mean)
	r.Note("%s; replay without a change: throughput %+.1f %%, response time %+.1f %%", p.Source.Kind,
		100*(p.Replayed.Throughput/p.Recorded.Throughput-1), 100*(p.Replayed.Response/p.Recorded.Response-1))
	r.Check(abs(p.Throughput.Mean-gain) <= throughputAim,
		"throughput %.0f/s to %.0f/s: %+.1f %%, predicted %+.1f %% (%+.1f to %+.1f), at most %.0f points apart",
		before.Load.Throughput, after.Load.Throughput, 100*gain,
		100*p.Throughput.Mean, 100*p.Throughput.Low, 100*p.Throughput.High, 100*throughputAim)
	if p.Overload {
		r.Check(false, "response time: an overload was predicted")
		return nil
	}
	r.Within(fmt.Sprintf("response time from %.1f ms, predicted in ms", before.Load.Mean*1e3), response*1e3,
		after.Load.Mean*1e3, responseAim, "measured")
	return nil
}

func abs(v float64) float64 { return max(v, -v) }
