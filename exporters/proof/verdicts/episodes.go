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
	"syscall"
	"time"

	"github.com/nstar-project/nstar/exporters/proof/bed"
	"github.com/nstar-project/nstar/exporters/proof/figures"
)

// fault is what `make check-causes` does to the board for a while, and what is to be said of it.
type fault struct {
	name        string
	tier, cause string // empty: no fault, nobody may be named
	neighbour   string // who has to be named, where the cause is others on the processors
	did         string // what the tier has to be seen doing while it stood still
	run         func(*stack, time.Duration) error
}

// Lengths of an episode, of the spell after it in which a pile is worked off, and of the time in which the exporter
// learns what is normal.
const (
	episodeLength = 8 * time.Second
	spellLength   = 10 * time.Second
	learnLength   = 70 * time.Second
	usualLength   = 30 * time.Second // of it, in which is seen what is charged usually
)

// shortStop and shortRest are one stop of an episode and the time until the next.
const (
	shortStop = 300 * time.Millisecond
	shortRest = 700 * time.Millisecond
)

// faults are the causes that can be provoked on any machine. What can't is said in docs/proof.md.
func faults() []fault {
	return []fault{
		{name: "quiet", run: func(_ *stack, d time.Duration) error { time.Sleep(d); return nil }},
		{name: "burst", run: crowded},
		{name: "neighbour", tier: "tomcat", cause: "noisy_neighbour", neighbour: hogName, run: (*stack).hog},
		{name: "urgent", tier: "tomcat", cause: "noisy_neighbour", neighbour: hogName, run: (*stack).urgent},
		{name: "quota", tier: "tomcat", cause: "throttled", run: (*stack).limit},
		{name: "signal", tier: "mariadb", cause: "stopped", did: "stopped", run: func(s *stack, d time.Duration) error {
			return s.again(d, func(on bool) error {
				send(s.pids("mariadb"), map[bool]syscall.Signal{true: syscall.SIGSTOP, false: syscall.SIGCONT}[on])
				return nil
			})
		}},
		{name: "freezer", tier: "mariadb", cause: "stopped", did: "stopped", run: (*stack).freeze},
		{name: "lock", tier: "mariadb", cause: "stopped", did: "lock", run: (*stack).lock},
		{name: "heavy", run: heavy},
		{name: "fsync", run: (*stack).sync},
		{name: "flush", run: (*stack).flush},
	}
}

// crowded is a burst of load that the application can nearly follow: no fault.
func crowded(s *stack, d time.Duration) error {
	g, err := s.drive("crowd", independent(0.4*s.capacity, time.Second), d)
	if err != nil {
		return err
	}
	_, err = g.finish(d + 30*time.Second)
	return err
}

// again switches something on and off until the time is over.
func (s *stack) again(d time.Duration, set func(on bool) error) error {
	for end := time.Now().Add(d); time.Now().Before(end); {
		if err := set(true); err != nil {
			return err
		}
		time.Sleep(shortStop)
		if err := set(false); err != nil {
			return err
		}
		time.Sleep(shortRest)
	}
	return nil
}

// limit gives the application server a CPU quota of half of what it uses.
func (s *stack) limit(d time.Duration) error {
	g, err := newGroup("cpu", "proof", s.pids("tomcat"))
	if err != nil {
		return err
	}
	defer g.remove()
	time.Sleep(time.Second) // used in its new group
	pid := s.parts["tomcat"].PID
	before, err := bed.CPUSeconds(pid)
	if err != nil {
		return err
	}
	time.Sleep(2 * time.Second)
	after, err := bed.CPUSeconds(pid)
	if err != nil {
		return err
	}
	if err := g.quota((after - before) / 2 / 2); err != nil {
		return err
	}
	time.Sleep(d)
	return g.quota(0)
}

// freeze freezes the database's control group again and again.
func (s *stack) freeze(d time.Duration) error {
	g, err := newGroup("freezer", "proof", s.pids("mariadb"))
	if err != nil {
		return err
	}
	defer g.remove()
	defer g.frozen(false)
	time.Sleep(6 * time.Second) // the exporter learns where processes are when it scans
	return s.again(d, g.frozen)
}

// causesOf plays the faults in random order with quiet spells between, each as often as asked, and prints who was
// named.
func causesOf(o options, r *figures.Report, rounds int, seed uint64) error {
	b, err := bed.New()
	if err != nil {
		return err
	}
	defer b.Close()
	s := o.stack(b, board, nil)
	defer s.stop()
	defer ahead(o.nice)()
	if err := s.up(); err != nil {
		return err
	}
	if err := s.calibrate(); err != nil {
		return err
	}
	v, err := s.watch(o.exporter, false)
	if err != nil {
		return err
	}
	var order []fault
	for range rounds {
		order = append(order, slices.DeleteFunc(faults(), func(f fault) bool { return !o.wants(f) })...)
	}
	if len(order) == 0 {
		return fmt.Errorf("no cause matches %q", o.only)
	}
	record, err := newRecorder(o.record, s.name+"-causes")
	if err != nil {
		return err
	}
	defer record.close()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	go record.follow(ctx, v)
	rand.New(rand.NewPCG(seed, 1)).Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
	whole := learnLength + time.Duration(len(order))*(episodeLength+spellLength+10*time.Second)
	steady, err := s.drive("load", independent(0.4*s.capacity, time.Second), whole)
	if err != nil {
		return err
	}
	r.Section("The board at 40 %% of %.0f pages/s; %d episodes of %s in random order (seed %d), %s between them",
		s.capacity, len(order),
		episodeLength, seed, spellLength)
	usual, err := v.usual()
	if err != nil {
		return err
	}
	var m matrix
	for _, f := range order {
		began := time.Now()
		before, err := v.exporters[0].Metrics()
		if err != nil {
			return err
		}
		if err := f.run(s, episodeLength); errors.Is(err, errNotHere) {
			r.Note("%-10s left out: %v", f.name, err)
			continue
		} else if err != nil {
			return fmt.Errorf("%s: %w", f.name, err)
		}
		time.Sleep(spellLength)
		after, err := v.exporters[0].Metrics()
		if err != nil {
			return err
		}
		if err := steady.Ended(); err != nil {
			return err
		}
		length := time.Since(began).Seconds() / usualLength.Seconds()
		said := conclude(charged(before, after, s.name).beyond(usual, length), before, after, s.name)
		r.Note("%-10s %s", f.name, said)
		record.add(began, "episode", map[string]string{"fault": f.name, "until": time.Now().Format(time.RFC3339),
			"said": said.String()})
		m.add(f, said)
	}
	cost(r, v.exporters[0])
	m.print(r)
	return nil
}

// usual waits until the exporter has learned what is normal, and returns what it charges when nothing is done: a server
// that hardly has a queue still has one at times. An episode is what comes on top of that.
func (v *view) usual() (charges, error) {
	time.Sleep(learnLength - usualLength)
	before, err := v.exporters[0].Metrics()
	if err != nil {
		return nil, err
	}
	time.Sleep(usualLength)
	after, err := v.exporters[0].Metrics()
	return charged(before, after, v.app), err
}

// wants reports whether a fault is among those that were asked for.
func (o options) wants(f fault) bool {
	return slices.ContainsFunc(strings.Split(o.only, ","), func(pattern string) bool {
		ok, _ := path.Match(pattern, f.name)
		return ok
	})
}

// cost is what following the scheduler took of the machine.
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
		nice:    o.nice, spread: o.spread, params: maps.Clone(app.params), parts: make(map[string]*bed.Process)}
	maps.Copy(s.params, params)
	return s
}
