// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"os/exec"
	"strconv"
	"strings"
	"time"

	"github.com/nstar-project/nstar/exporters/proof/bed"
	"github.com/nstar-project/nstar/exporters/proof/figures"
)

// The experiment of the paper on consolidation (CONS): two boards, A and B, whose databases share a processor, while
// everything else has the other one. B's load stays, A's grows, as in the paper's figure 2a, until it is more than B's.
const (
	loadB       = 0.48 // of the databases' capacity: in the paper each had half of a processor at the end
	think       = time.Second
	settleLevel = 2 * time.Second
	crowdFor    = 8 * time.Second
	costFor     = 5 * time.Second
	sizings     = 3 // each brings the load nearer to the experiment's
)

// levels are A's load over B's; the paper's are 0.70 to 1.04 (1,600 to 2,400 users beside 2,300). Here a smaller
// load of A slows B down, because the groups' weights differ by so much.
var levels = []float64{0.35, 0.52, 0.70, 0.83, 0.92, 1.04, 1.15}

// Pools of database connections: small is enough for B alone, large is A's. A page keeps its connection for hold
// milliseconds beyond its queries, so that a few connections can't keep a database busy that has time now and none
// afterwards.
const (
	smallPool = "2"
	largePool = "16"
	hold      = "3"
)

// pair is both boards with the programs that watch them.
type pair struct {
	options
	report     *figures.Report
	a, b       *stack
	scheduler  *scheduler
	record     *windowRecord
	prometheus *prometheus
	capacity   float64 // pages/s of both databases together
}

// consolidation runs the experiment.
func consolidation(o options, r *figures.Report) error {
	b, err := bed.New()
	if err != nil {
		return err
	}
	defer b.Close()
	defer ahead(o.nice)()
	b.Prefix = []string{"taskset", "-c", strconv.Itoa(others())} // except for programs with their own processor
	x := &pair{options: o, report: r}
	x.a = o.stack(b, consolidated("sysa", 1000), map[string]string{"POOL": largePool, "HOLD": hold})
	x.b = o.stack(b, consolidated("sysb", 2000), map[string]string{"POOL": smallPool, "HOLD": hold})
	for _, s := range []*stack{x.a, x.b} {
		defer s.stop()
		if err := s.prepare(s); err != nil {
			return err
		}
		if err := s.start(s); err != nil {
			return err
		}
	}
	if x.scheduler, err = newScheduler(x.a, x.b); err != nil {
		return err
	}
	defer x.scheduler.close()
	config := oneConfig(x.a.name, "", x.a.tiers) + strings.TrimPrefix(oneConfig(x.b.name, "", x.b.tiers), "tiers:\n")
	e, err := b.Exporter(o.exporter, config, "--log.level=warn")
	if err != nil {
		return err
	}
	if err := e.AwaitTiers("mariadb"); err != nil {
		return err
	}
	x.prometheus, err = startPrometheus(b, o.binary, o.rules, []*view{{app: x.a.name, exporters: []*bed.Exporter{e}}})
	if err != nil {
		return err
	}
	x.record = recordWindows(e)
	defer x.record.close()
	if err := x.size(); err != nil {
		return err
	}
	return x.experiment()
}

// consolidated is a board at ports of its own, whose database goes to the processor that all databases share.
func consolidated(name string, shift int) application {
	out := board
	out.name, out.own = name, "mariadb"
	out.tiers, out.ports = nil, make(map[string]int)
	for _, t := range board.tiers {
		t.port += shift
		out.tiers = append(out.tiers, t)
	}
	for name, port := range board.ports {
		out.ports[name] = port + shift
	}
	return out
}

// size warms both up, and finds what the databases can do together from the cost of a page under about the load of the
// experiment: a crowd gets more pages from them than users who come one by one, and at low load a page costs more.
func (x *pair) size() error {
	most, err := x.both("crowd", load{users: 24, think: 10 * time.Millisecond}, crowdFor)
	if err != nil {
		return err
	}
	x.capacity = most
	for range sizings {
		before, err := x.scheduler.used()
		if err != nil {
			return err
		}
		some, err := x.both("cost", x.users(loadB), costFor)
		if err != nil {
			return err
		}
		after, err := x.scheduler.used()
		if err != nil {
			return err
		}
		cost := (after.a + after.b - before.a - before.b) / (some * costFor.Seconds())
		if !(cost > 0) {
			return fmt.Errorf("a page cost the databases %.4f s", cost)
		}
		x.capacity = 1 / cost
		x.report.Note("at %.0f pages/s a page costs a database %.2f ms of its processor, so that both can do %.0f "+
			"pages/s", some,
			1e3*cost, x.capacity)
	}
	return nil
}

// both loads both boards alike and returns the pages/s of both together.
func (x *pair) both(name string, l load, length time.Duration) (sum float64, err error) {
	var running []*generator
	for _, s := range []*stack{x.a, x.b} {
		g, err := s.drive(name+s.name, l, length)
		if err != nil {
			return 0, err
		}
		running = append(running, g)
	}
	for _, g := range running {
		o, err := g.finish(length + 30*time.Second)
		if err != nil {
			return 0, err
		}
		sum += o.Throughput
	}
	return sum, nil
}

// experiment goes through the levels with each scheduler and pool.
func (x *pair) experiment() error {
	alone := map[string]outcome{}
	sweeps := map[string][]level{}
	sweep := func(name string, averaging bool) error {
		x.scheduler.prefer(averaging)
		found, err := x.sweep()
		sweeps[name] = found
		return err
	}
	if err := sweep(averagingSmall, true); err != nil {
		return err
	}
	x.diagnosis()
	if err := sweep(linuxSmall, false); err != nil {
		return err
	}
	var err error
	if alone[smallPool], err = x.dedicated(); err != nil {
		return err
	}
	if err := x.repool(largePool); err != nil {
		return err
	}
	if err := sweep(averagingLarge, true); err != nil {
		return err
	}
	x.scheduler.prefer(false)
	if alone[largePool], err = x.dedicated(); err != nil {
		return err
	}
	if err := x.record.ended(); err != nil {
		return err
	}
	x.print(sweeps, alone)
	return nil
}

// repool starts B's Tomcat again, with another pool.
func (x *pair) repool(pool string) error {
	_ = x.b.parts["tomcat"].Stop() // its exit status says nothing
	x.b.params["POOL"] = pool
	if err := x.b.startTomcat(); err != nil {
		return err
	}
	if err := bed.WaitFor(time.Minute, func() error { return x.b.answers("/StoriesOfTheDay") }); err != nil {
		return err
	}
	_, err := x.b.measure("warm", load{users: 24, think: 10 * time.Millisecond}, costFor)
	return err
}

// users is a crowd that asks for a share of the databases' capacity.
func (x *pair) users(part float64) load { return independent(part*x.capacity, think) }

// dedicated is B's outcome without A.
func (x *pair) dedicated() (outcome, error) {
	g, err := x.b.drive("dedicated", x.users(loadB), time.Hour)
	if err != nil {
		return outcome{}, err
	}
	defer g.Stop()
	time.Sleep(settleLevel)
	before, _ := g.outcome()
	time.Sleep(x.level)
	now, err := g.outcome()
	return now.since(before), err
}

// level is the measurement at one load of A.
type level struct {
	share    float64 // of B's load
	users    int     // of A
	from, to time.Time
	a, b     outcome
}

// sweep raises A's load while B's stays.
func (x *pair) sweep() (out []level, err error) {
	steady, err := x.b.drive("steady", x.users(loadB), time.Hour)
	if err != nil {
		return nil, err
	}
	defer steady.Stop()
	for _, share := range levels {
		l := x.users(loadB * share)
		rising, err := x.a.drive("rising", l, time.Hour)
		if err != nil {
			return nil, err
		}
		time.Sleep(settleLevel)
		found := level{share: share, users: l.users, from: time.Now()}
		beforeA, _ := rising.outcome() // nothing at first
		beforeB, _ := steady.outcome()
		time.Sleep(x.level)
		found.to = time.Now()
		if found.a, err = rising.outcome(); err != nil {
			return nil, err
		}
		if found.b, err = steady.outcome(); err != nil {
			return nil, err
		}
		found.a, found.b = found.a.since(beforeA), found.b.since(beforeB)
		_ = rising.Stop()
		x.report.Note("A %.2f of B, %d users: A %.0f pages/s, %.0f ms; B %.0f pages/s, %.0f ms", share, l.users,
			found.a.Throughput, 1e3*found.a.Mean, found.b.Throughput, 1e3*found.b.Mean)
		out = append(out, found)
	}
	return out, nil
}

// diagnosis prints what the tool says of B.
func (x *pair) diagnosis() {
	x.report.Section("nstartool about B, over all levels")
	out, err := exec.Command(x.tool, "diagnose", "--prometheus", x.prometheus.URL, "--app", x.b.name, "--no-gain",
		"--last", fmt.Sprintf("%ds", int((x.level+settleLevel).Seconds())*len(levels))).Output()
	if err != nil { // it is no figure of the paper
		x.report.Note("%v", err)
	}
	for _, line := range strings.Split(strings.TrimSpace(string(out)), "\n") {
		x.report.Note("%s", line)
	}
}
