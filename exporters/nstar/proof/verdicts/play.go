// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/nstar-project/nstar/exporters/nstar/proof/bed"
)

var errInterrupted = errors.New("interrupted")

// play starts the stack of a scenario, measures, hurts and judges it, and ends everything again.
func play(o options, c scenario, t *table, interrupted <-chan os.Signal) error {
	b, err := bed.New()
	if err != nil {
		return err
	}
	defer b.Close()
	s := &stack{application: c.app, bed: b, root: o.root, dir: filepath.Join(o.root, ".cache/verdicts", c.app.name),
		account: o.account, params: maps.Clone(c.app.params), parts: make(map[string]*bed.Process)}
	maps.Copy(s.params, c.params)
	defer s.stop()
	if err := s.prepare(s); err != nil {
		return err
	}
	if err := s.start(s); err != nil {
		return err
	}
	if c.cold {
		// What the application can do is known from warm runs only; a share of what it did in the last one will do.
		s.capacity = t.capacity[c.app.name]
		if s.capacity == 0 {
			s.capacity = coldCapacity
		}
	} else if err := s.calibrate(c.paths); err != nil {
		return err
	}
	if !c.cold && len(c.paths) == 0 && len(c.params) == 0 {
		t.capacity[c.app.name] = s.capacity
	}
	var views []*view
	if o.exporters != "three" {
		v, err := s.watch(o.exporter, false)
		if err != nil {
			return err
		}
		views = append(views, v)
	}
	if o.exporters != "one" {
		v, err := s.watch(o.exporter, true)
		if err != nil {
			return err
		}
		views = append(views, v)
	}
	p, err := startPrometheus(b, o.prometheus, o.rules, views)
	if err != nil {
		return err
	}
	return observe(o, c, s, t, p, views, interrupted)
}

// coldCapacity is taken for the board's where it is not known: low enough for any machine, warm.
const coldCapacity = 300

// interval is the time between two judgements.
const interval = 30 * time.Second

// observe runs the load and the faults and asks for the verdicts.
func observe(o options, c scenario, s *stack, t *table, p *prometheus, views []*view, interrupted <-chan os.Signal) error {
	ctx, cancel := context.WithCancel(context.Background())
	var running sync.WaitGroup
	defer running.Wait()
	defer cancel()
	background := func(f func()) {
		running.Add(1)
		go func() { defer running.Done(); f() }()
	}
	files := make(map[string]*recorder)
	for _, v := range views {
		r, err := newRecorder(o.record, v.app+"-"+c.name)
		if err != nil {
			return err
		}
		files[v.app] = r
		r.add(time.Now(), "run", map[string]any{"app": v.app, "scenario": c.name, "truth": c.expect.strings(),
			"capacity": s.capacity, "params": s.params})
		background(func() { r.follow(ctx, v) })
	}
	defer func() {
		cancel()
		running.Wait()
		for _, r := range files {
			r.close()
		}
	}()

	begin := time.Now()
	t.begin(c, s)
	var main *generator
	for i, l := range c.loads(s.capacity) {
		if l.duration == 0 {
			g, err := s.drive("load", l, o.length+10*time.Second)
			if err != nil {
				return err
			}
			main = g
			continue
		}
		background(func() {
			if sleep(ctx, l.from) {
				_, _ = s.drive(fmt.Sprintf("load%d", i), l, l.duration)
			}
		})
	}
	for _, f := range c.stops {
		background(func() {
			f.run(ctx, s, func(e episode) {
				for _, r := range files {
					r.add(e.Begin, "stop", e)
				}
			})
		})
	}
	meter := newMeter(s)
	for at := interval; at <= o.length; at += interval {
		select {
		case <-time.After(time.Until(begin.Add(at))):
		case <-interrupted:
			return errInterrupted
		}
		if err := main.Ended(); err != nil {
			return err
		}
		seen, _ := main.outcome()
		note := fmt.Sprintf("%s; %s", seen, meter.read())
		t.note("%4.0f s  %s", at.Seconds(), note)
		for _, v := range views {
			ask(o, c, t, p, v.app, at, files[v.app], note)
		}
	}
	return nil
}

// ask grades what both sources say about an application.
func ask(o options, c scenario, t *table, p *prometheus, app string, at time.Duration, r *recorder, note string) {
	ruled, err := p.verdicts(app)
	if err != nil {
		t.note("%s: %v", app, err)
	}
	raw, err := p.diagnosed(o.tool, app)
	if err != nil {
		t.note("%s: nstartool: %v", app, err)
	}
	told := decode(raw, app)
	for source, said := range map[string][]verdict{"rules": ruled, "tool": told} {
		t.score(point{app: app, scenario: c.name, source: source, at: at, said: said, grade: c.expect.judge(at, said),
			blame: p.blame(app)})
	}
	r.add(time.Now(), "said", map[string]any{"rules": ruled, "tool": told, "diagnosis": raw, "evidence": note})
}

// decode reads the tool's report; none where it has no verdict on the application.
func decode(raw json.RawMessage, _ string) []verdict {
	var v verdict
	if json.Unmarshal(raw, &v) != nil || v.Verdict == "" {
		return nil
	}
	return []verdict{v}
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
