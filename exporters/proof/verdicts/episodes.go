// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/nstar-project/nstar/exporters/proof/bed"
	"github.com/nstar-project/nstar/exporters/proof/bed/group"
	"github.com/nstar-project/nstar/exporters/proof/figures"
)

// fault is what `make check-causes` does to the board for a while, and the expected verdict.
type fault struct {
	name        string
	tier, cause string   // empty: no fault, no tier may be named
	also        charge   // of two at once, the other one: either may be named, and both are better
	neighbours  []string // one of these has to be named, if the cause is others on the processors
	did         string   // what the tier must be reported to do while it stood still
	run         func(*stack, time.Duration) error
	// prepare and restore do the steps that are no part of the episode; nil for nothing.
	prepare, restore func(*stack) error
}

// stopsOnly reports whether tiers are only stopped, and nothing else keeps one from its work.
func (f fault) stopsOnly() bool {
	of := func(cause string) bool { return cause == "" || cause == "stopped" || cause == "garbage_collection" }
	return f.prepare == nil && of(f.cause) && of(f.also.cause)
}

// Lengths of an episode, of the time after it in which the backlog is worked off, and of the time in which the
// exporter learns what is normal.
const (
	episodeLength = 8 * time.Second
	spellLength   = 17 * time.Second // the rules look 15 s back
	learnLength   = 70 * time.Second
	usualLength   = 30 * time.Second // the last part of it, which shows what is usually charged
)

// steadyShare is the load in the quiet times, as a share of the application's capacity.
const steadyShare = 0.4

// crowded is a burst of load that the application can nearly follow: no fault.
func crowded(s *stack, d time.Duration) error {
	g, err := s.drive("crowd", independent(steadyShare*s.capacity, time.Second), d)
	if err != nil {
		return err
	}
	_, err = g.finish(d + 30*time.Second)
	return err
}

// again stops a tier, once in each haltEvery, until the time is over.
func (s *stack) again(d time.Duration, tier string, set func(on bool) error) error {
	for end := time.Now().Add(d); time.Now().Before(end); {
		length := s.halts.length()
		if err := set(true); err != nil {
			return err
		}
		began := time.Now()
		time.Sleep(length)
		over := time.Now()
		if err := set(false); err != nil {
			return err
		}
		s.halts.add(episode{tier, began, over})
		time.Sleep(haltEvery - length)
	}
	return nil
}

// limited gives a tier a CPU quota of half of what it uses.
func limited(tier string) func(*stack, time.Duration) error {
	return func(s *stack, d time.Duration) error {
		g, err := group.Of("cpu", "proof", s.pids(tier))
		if err != nil {
			return err
		}
		defer g.Remove()
		time.Sleep(time.Second) // used in its new group
		pid := s.parts[tier].PID
		before, err := bed.CPUSeconds(pid)
		if err != nil {
			return err
		}
		time.Sleep(2 * time.Second)
		after, err := bed.CPUSeconds(pid)
		if err != nil {
			return err
		}
		if err := g.Quota((after-before)/2/2, group.UsualPeriod); err != nil {
			return err
		}
		time.Sleep(d)
		return g.Quota(0, group.UsualPeriod)
	}
}

// freeze freezes the database's control group again and again.
func (s *stack) freeze(d time.Duration) error {
	g, err := group.Of("freezer", "proof", s.pids("mariadb"))
	if err != nil {
		return err
	}
	defer g.Remove()
	defer g.Freeze(false)
	time.Sleep(6 * time.Second) // the exporter learns at its scans where processes are
	return s.again(d, "mariadb", g.Freeze)
}

// causesOf plays the faults in random order with quiet times between, each as often as asked, with each of the
// collectors in turn, and prints which tiers were named.
func causesOf(o options, r *figures.Report, rounds int, seed uint64) error {
	defer ahead(o.nice)()
	var m matrix
	var f singles
	for i, collector := range strings.Split(o.collectors, ",") {
		if err := o.episodes(r, &m, &f, collector, rounds, seed+uint64(i)); err != nil {
			return fmt.Errorf("with the collector %s: %w", collector, err)
		}
	}
	m.print(r)
	f.print(r)
	return nil
}

// order is that of the episodes.
func (o options) order(rounds int, seed uint64) (order []fault) {
	for range rounds {
		order = append(order, slices.DeleteFunc(faults(), func(f fault) bool { return !o.wants(f) })...)
	}
	rand.New(rand.NewPCG(seed, 1)).Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
	return order
}

// episodes plays them on a stack of its own, whose application server collects garbage in the given way.
func (o options) episodes(r *figures.Report, m *matrix, single *singles, collector string, rounds int,
	seed uint64) error {
	order := o.order(rounds, seed)
	if len(order) == 0 {
		return fmt.Errorf("no cause matches %q", o.only)
	}
	b, err := bed.New()
	if err != nil {
		return err
	}
	defer b.Close()
	s := o.stack(b, board, map[string]string{"COLLECTOR": collector})
	s.outside, s.halts.random = outsidePorts(secondBoard()), rand.New(rand.NewPCG(seed, 2))
	s.recorded = true // every stop is looked for in the judges' results of each window
	defer s.stop()
	if err := s.up(); err != nil {
		return err
	}
	if err := s.calibrate(); err != nil {
		return err
	}
	s.counted = true
	v, err := s.watch(o.exporter, false)
	if err != nil {
		return err
	}
	record, err := newRecorder(o.record, s.name+"-causes-"+collector)
	if err != nil {
		return err
	}
	defer record.close()
	p, err := startPrometheus(b, o.binary, o.rules, []*view{v})
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	go record.follow(ctx, v)
	whole := learnLength + time.Duration(len(order))*(episodeLength+spellLength+10*time.Second)
	for _, f := range order {
		if f.prepare != nil {
			whole += 4 * changeLength // before and after it, and twice as much on a busy machine
		}
	}
	steady, err := s.drive("load", independent(steadyShare*s.capacity, time.Second), whole)
	if err != nil {
		return err
	}
	r.Section("The board with the collector %s at 40 %% of %.0f pages/s; %d episodes of %s in random order (seed "+
		"%d), %s between them",
		collector, s.capacity, len(order), episodeLength, seed, spellLength)
	usual, err := p.usual(v.app)
	if err != nil {
		return err
	}
	var busy []episode // in which a tier may stand still for another reason than a stop
	for i, f := range order {
		if i == len(order)-1 {
			f.restore = nil // nothing follows
		}
		began := time.Now()
		said, err := s.episode(f, v, p, usual)
		if errors.Is(err, errNotHere) {
			r.Note("%-10s left out: %v", f.name, err)
			continue
		} else if err != nil {
			return fmt.Errorf("%s: %w", f.name, err)
		}
		if err := steady.Ended(); err != nil {
			return err
		}
		r.Note("%-10s %s", f.name, said)
		record.add(began, "episode", map[string]string{"fault": f.name, "until": time.Now().Format(time.RFC3339),
			"said": said.String()})
		m.add(f, said)
		if !f.stopsOnly() {
			busy = append(busy, episode{Begin: began, End: time.Now()})
		}
	}
	cost(r, v.exporters[0])
	_ = v.exporters[0].Stop() // then all is written down
	record.keep(v, p)
	for _, e := range s.halts.all {
		record.add(e.Begin, "stop", e)
	}
	rec, err := read(v.inputs[0])
	if err != nil {
		return err
	}
	stood, err := s.safepoints()
	if err != nil {
		return err
	}
	return single.take(rec.exporters[0].told, s.name, s.halts.all, stood, busy)
}

// episode plays a fault and the quiet time after it, and returns the verdicts.
func (s *stack) episode(f fault, v *view, p *prometheus, usual charges) (said answer, err error) {
	if f.prepare != nil {
		err = f.prepare(s)
		if f.restore != nil {
			defer func() { err = errors.Join(err, f.restore(s)) }()
		}
		if err != nil {
			return said, err
		}
	}
	began := time.Now()
	before, err := v.exporters[0].Metrics()
	if err != nil {
		return said, err
	}
	if err := f.run(s, episodeLength); err != nil {
		return said, err
	}
	time.Sleep(spellLength)
	after, err := v.exporters[0].Metrics()
	if err != nil {
		return said, err
	}
	over := time.Now()
	all, err := p.charged(s.name, began, over)
	if err != nil {
		return said, err
	}
	return conclude(all.beyond(usual, over.Sub(began).Seconds()/usualLength.Seconds()), before, after, s.name), nil
}

// usual waits until the exporter has learned what is normal, and returns what the rules charge without a fault: a
// server that hardly has a queue still has one at times. An episode counts only what exceeds that.
func (p *prometheus) usual(app string) (charges, error) {
	time.Sleep(learnLength)
	now := time.Now()
	return p.charged(app, now.Add(-usualLength), now)
}

// wants reports whether a fault was asked for.
func (o options) wants(f fault) bool {
	return slices.ContainsFunc(strings.Split(o.only, ","), func(pattern string) bool {
		ok, _ := path.Match(pattern, f.name)
		return ok
	})
}

// cost is the machine's processor time for following the scheduler.
func cost(r *figures.Report, e *bed.Exporter) {
	samples, err := e.Metrics()
	if err != nil {
		return
	}
	took, _ := samples.Value("nstar_bpf_run_seconds_total", "program", "nstar_switch")
	runs, _ := samples.Value("nstar_bpf_runs_total", "program", "nstar_switch")
	began, ok := samples.Value("process_start_time_seconds")
	if !ok || runs == 0 {
		return
	}
	length := float64(time.Now().UnixNano())/1e9 - began
	r.Note("nstar_switch: %.0f runs/s of %.0f ns", runs/length, 1e9*took/runs)
	r.AtMost("of the processors, for following the scheduler", 100*took/length/float64(len(bed.Processors())), 1, "%")
}

// stack is an application that is about to start.
func (o options) stack(b *bed.Bed, app application, params map[string]string) *stack {
	s := &stack{application: app, bed: b, root: o.root, dir: filepath.Join(o.root, ".cache/verdicts", app.name),
		account: o.account,
		nice:    o.nice, spread: o.spread, recorded: o.record != "", params: maps.Clone(app.params),
		parts: make(map[string]*bed.Process)}
	maps.Copy(s.params, params)
	if s.params["OVER"] == "unix" {
		s.application = app.overUnix()
	}
	return s
}
