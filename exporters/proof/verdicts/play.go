// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"sync"
	"time"

	"github.com/nstar-project/nstar/exporters/proof/bed"
)

var errInterrupted = errors.New("interrupted")

// trial is a scenario that is being played.
type trial struct {
	options
	scenario
	stack       *stack
	prometheus  *prometheus
	views       []*view
	files       map[string]*recorder // by view
	table       *table
	interrupted <-chan os.Signal

	meter  *meter
	before outcome // of the load, at the last judgement
	doubt  [2]bool // the truth of the last two intervals, a minute
}

// play starts the stack of a scenario, measures, hurts and judges it, and ends everything again.
func play(o options, c scenario, t *table, interrupted <-chan os.Signal) error {
	b, err := bed.New()
	if err != nil {
		return err
	}
	defer b.Close()
	s := o.stack(b, c.app.without(c.unseen), c.params)
	defer s.stop()
	if err := s.up(); err != nil {
		return err
	}
	if err := s.size(c, t); err != nil {
		return err
	}
	o.length = max(o.length, c.lasts)
	r := trial{options: o, scenario: c, stack: s, table: t, interrupted: interrupted, files: make(map[string]*recorder)}
	views, err := o.views(s)
	if err != nil {
		return err
	}
	r.views = views
	if r.prometheus, err = startPrometheus(b, o.binary, o.rules, r.views); err != nil {
		return err
	}
	return r.observe()
}

// views starts the exporters that the options ask for.
func (o options) views(s *stack) ([]*view, error) {
	asked := func(by ...string) bool { return slices.Contains(by, o.exporters) }
	var out []*view
	for _, one := range []struct {
		asked bool
		start func() (*view, error)
	}{
		{asked("one", "both", "all"), func() (*view, error) { return s.watch(o.exporter, false) }},
		{asked("three", "both", "all") && !s.onOneHost(), func() (*view, error) { return s.watch(o.exporter, true) }},
		{asked("untold", "all"), func() (*view, error) { return s.watchUntold(o.exporter) }},
	} {
		if !one.asked {
			continue
		}
		v, err := one.start()
		if err != nil {
			return nil, err
		}
		out = append(out, v)
	}
	return out, nil
}

// coldCapacity is taken for the capacity of a cold application that was not measured warm before: any machine has it.
const coldCapacity = 30

// size finds out what the application can do. For one that shall be cold, the value from when it was warm is used.
func (s *stack) size(c scenario, t *table) error {
	if c.cold {
		if s.capacity = t.capacity[c.app.name]; s.capacity == 0 {
			s.capacity = coldCapacity
		}
		return nil
	}
	if err := s.calibrate(); err != nil {
		return err
	}
	if c.well > 0 {
		if err := s.temper(c.well); err != nil {
			return err
		}
	}
	if len(c.params) == 0 {
		t.capacity[c.app.name] = s.capacity
	}
	return nil
}

// interval is the time between two judgements.
const interval = 30 * time.Second

// observe runs the load and the faults and asks for the verdicts.
func (r *trial) observe() error {
	ctx, cancel := context.WithCancel(context.Background())
	var running sync.WaitGroup
	background := func(f func()) {
		running.Add(1)
		go func() { defer running.Done(); f() }()
	}
	defer func() {
		cancel()
		running.Wait()
		stood, err := r.stack.safepoints()
		if err != nil {
			fmt.Fprintln(os.Stderr, "verdicts: safepoints are not in the recording:", err)
		}
		for _, e := range stood {
			r.stopped(e)
		}
		for _, v := range r.views {
			if f := r.files[v.app]; f != nil {
				f.keep(v, r.prometheus)
				f.close()
			}
		}
	}()
	for _, v := range r.views {
		f, err := newRecorder(r.record, r.stack.viewName(v)+"-"+r.name)
		if err != nil {
			return err
		}
		r.files[v.app] = f
		f.add(time.Now(), "run", map[string]any{"app": v.app, "scenario": r.name, "truth": r.expect.strings(),
			"expect": r.expect.named(v.names), "capacity": r.stack.capacity, "base": r.stack.base,
			"params": r.stack.params})
		background(func() { f.follow(ctx, v) })
	}

	begin := time.Now()
	r.table.begin(r.scenario, r.stack)
	steady, err := r.load(ctx, background)
	if err != nil {
		return err
	}
	if r.beside != nil {
		if err := r.beside(r.stack); err != nil {
			return err
		}
	}
	for _, f := range r.stops {
		background(func() { f.run(ctx, r.stack, r.stopped) })
	}
	r.meter = newMeter(r.stack, r.others(steady)...)
	r.stack.tell() // of the load before
	for at := interval; at <= r.length; at += interval {
		select {
		case <-time.After(time.Until(begin.Add(at))):
		case <-r.interrupted:
			return errInterrupted
		}
		if err := steady.Ended(); err != nil {
			return err
		}
		r.ask(at, steady)
	}
	return nil
}

// load starts the lasting load, and the loads that begin later.
func (r *trial) load(ctx context.Context, background func(func())) (steady *generator, err error) {
	for i, l := range r.loads(r.stack.capacity) {
		if l.duration == 0 {
			if steady, err = r.stack.drive("load", l, r.length+10*time.Second); err != nil {
				return nil, err
			}
			continue
		}
		background(func() {
			if sleep(ctx, l.from) {
				_, _ = r.stack.drive(fmt.Sprintf("load%d", i), l, l.duration)
			}
		})
	}
	return steady, nil
}

// stopped records a stop that was made.
func (r *trial) stopped(e episode) {
	for _, f := range r.files {
		f.add(e.Begin, "stop", e)
	}
}

// others are the processes of the run beside the tiers.
func (r *trial) others(load *generator) []int {
	out := []int{load.PID, r.prometheus.PID, os.Getpid()}
	for _, v := range r.views {
		for _, e := range v.exporters {
			out = append(out, e.PID)
		}
	}
	return out
}

// Limits beyond which all is not well, whatever the scenario says: something else uses the machine, and the truth
// is not known. Pages that take this many times as long as those of a single user; or others on this much of the
// processors, while the tiers wait for one twice as long as a page takes.
const (
	unwell  = 5
	foreign = 0.2
	delayed = 2
)

// doubtful reports whether the truth of the last interval is in doubt, if that truth is that all was well.
func (r *trial) doubtful(last outcome, e evidence) bool {
	if r.stack.base == 0 || last.Throughput == 0 {
		return false
	}
	return !r.patient && last.Mean > unwell*r.stack.base || e.Foreign > foreign &&
		e.Delay/last.Throughput > delayed*r.stack.base
}

// ask grades the verdicts of the rules and the tool for each view.
func (r *trial) ask(at time.Duration, steady *generator) {
	seen, _ := steady.outcome() // nothing at first
	last := seen.since(r.before)
	e := r.meter.read()
	r.before, r.doubt = seen, [2]bool{r.doubt[1], r.doubtful(last, e)}
	note := fmt.Sprintf("%s; %s, waiting for one %.1f ms a page", last, e, 1e3*e.Delay/max(last.Throughput, 1))
	if told := r.stack.tell(); told != "" {
		note += "; " + told
	}
	r.table.note("%4.0f s  %s", at.Seconds(), note)
	doubt := r.doubt[0] || r.doubt[1]

	for _, v := range r.views {
		ruled, err := r.prometheus.verdicts(v.app)
		if err != nil {
			r.table.note("%s: %v", v.app, err)
		}
		raw, err := r.prometheus.diagnosed(r.tool, v.app)
		if err != nil {
			r.table.note("%s: nstartool: %v", v.app, err)
		}
		told := decode(raw, v.app)
		expect := r.expect.named(v.names)
		blame := r.prometheus.blame(v.app)
		for i, said := range [][]verdict{ruled, told} {
			g := expect.judge(at, said)
			if i == 1 && g != right && expect.judge(max(0, at-toolRange), said) == right {
				g = right
			}
			if doubt && expect.inDoubt(at, said, g) {
				g = unclear
			}
			r.table.score(point{app: v.app, scenario: r.name, source: []string{"rules", "tool"}[i], at: at, said: said,
				grade: g, blame: blame})
		}
		r.files[v.app].add(time.Now(), "said", map[string]any{"rules": ruled, "tool": told, "diagnosis": raw,
			"blame": blame, "evidence": note, "at": at.Seconds(), "doubt": doubt})
	}
}

// toolRange is the time that the tool is asked about: it says which of the verdicts in it prevailed.
const toolRange = time.Minute

// inDoubt reports whether a grade has no value because something else may have used the machine.
func (e expectation) inDoubt(at time.Duration, said []verdict, g grade) bool {
	return e.allWell(at) && g != none || blamesNeighbour(said) && g != right
}

// blamesNeighbour reports whether the verdict is that something else takes the processors.
func blamesNeighbour(said []verdict) bool {
	return len(said) == 1 && said[0].Cause == "noisy_neighbour"
}

// sleep waits and reports whether the context is still alive.
func sleep(ctx context.Context, d time.Duration) bool {
	select {
	case <-ctx.Done():
		return false
	case <-time.After(d):
		return true
	}
}
