// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"io"
	"net/netip"
	"syscall"
	"time"

	"github.com/cilium/ebpf"
	"golang.org/x/sys/unix"

	"github.com/nstar-project/nstar/exporters/nstar/bpf"
	"github.com/nstar-project/nstar/exporters/nstar/bpf/ablation"
	"github.com/nstar-project/nstar/exporters/nstar/clock"
	"github.com/nstar-project/nstar/exporters/nstar/probe"
)

// step is how far the kernel programs go.
type step struct {
	name string
	// start attaches the programs; the second function says how often they ran and how long, all in all.
	start func() (io.Closer, func() (ran, error), error)
	seen  [][2]visit // of each round, there and back
}

// ran are the kernel's own statistics.
type ran struct{ runs, nanoseconds float64 }

// visit is one measurement.
type visit struct {
	rate   float64 // requests per second, statistics off
	work   float64 // CPU time of the whole machine per request, in microseconds, statistics off
	packet float64 // ns per run by the kernel's statistics, in a load of its own
	runs   float64 // per request
}

// steps are the programs cut off after each step, then the whole program, without anything in user space. Besides
// the empty program there is one at the kernel's tracepoints of segments, where the exporter has no program.
func steps(objects *ablation.AblationObjects, port int) []*step {
	at := func(ingress, egress *ebpf.Program) func() (io.Closer, func() (ran, error), error) {
		return attached(func() (io.Closer, error) { return attach(ingress, egress) }, ingress, egress)
	}
	return []*step{
		{name: "nothing attached", start: func() (io.Closer, func() (ran, error), error) {
			return closers{}, func() (ran, error) { return ran{}, nil }, nil
		}},
		{name: "empty program", start: at(objects.EmptyIngress, objects.EmptyEgress)},
		{name: "empty at tracepoints", start: attached(func() (io.Closer, error) {
			return trace(objects.EmptyProbe, objects.EmptyQueue)
		}, objects.EmptyProbe, objects.EmptyQueue)},
		{name: "ports and headers", start: at(objects.HeaderIngress, objects.HeaderEgress)},
		{name: "+ socket's storage", start: at(objects.StorageIngress, objects.StorageEgress)},
		{name: "full", start: func() (io.Closer, func() (ran, error), error) { return full(port) }},
	}
}

// attached is a step whose programs report themselves how long they ran.
func attached(attach func() (io.Closer, error), programs ...*ebpf.Program) func() (io.Closer,
	func() (ran, error), error) {
	return func() (io.Closer, func() (ran, error), error) {
		c, err := attach()
		return c, func() (sum ran, err error) {
			for _, p := range programs {
				s, err := p.Stats()
				if err != nil {
					return sum, err
				}
				sum.runs += float64(s.RunCount)
				sum.nanoseconds += float64(s.Runtime.Nanoseconds())
			}
			return sum, nil
		}, err
	}
}

// full is the exporter's kernel side, with the server as its only tier.
func full(port int) (io.Closer, func() (ran, error), error) {
	var ns syscall.Stat_t
	if err := syscall.Stat("/proc/self/ns/net", &ns); err != nil {
		return nil, nil, err
	}
	p, err := probe.Open(probe.Options{
		Window: 50 * time.Millisecond, Settle: 500 * time.Millisecond, MaxTiers: 64, MaxEdges: 64,
		Clock: clock.NewOffset(clock.Now()).Value(),
	})
	if err != nil {
		return nil, nil, err
	}
	err = p.SetTables(probe.Tables{Listeners: []probe.Listener{
		{NetNS: uint32(ns.Ino), Addr: netip.AddrFrom4([4]byte{127, 0, 0, 1}), Port: uint16(port)},
	}})
	return p, func() (sum ran, err error) {
		costs, err := p.Costs()
		for _, c := range costs {
			if c.Program == "nstar_ingress" || c.Program == "nstar_egress" {
				sum.runs += float64(c.Runs)
				sum.nanoseconds += float64(c.Time.Nanoseconds())
			}
		}
		return sum, err
	}, err
}

// mark makes the server's port known to the programs that are cut off.
func mark(objects *ablation.AblationObjects, port int) error {
	var marks bpf.NstarPorts
	marks.Serving[port/64] = 1 << (port % 64)
	return objects.StationPorts.Put(uint32(0), &marks)
}

// eachVisit visits the steps in the order there and back, so that a machine that grows slower favours none.
func eachVisit(all []*step, rounds int, measure func(*step) (visit, error), done func(round int)) error {
	for round := range rounds {
		for _, s := range all {
			s.seen = append(s.seen, [2]visit{})
		}
		for turn := range 2 {
			for i := range all {
				s := all[i]
				if turn == 1 {
					s = all[len(all)-1-i]
				}
				v, err := measure(s)
				if err != nil {
					return fmt.Errorf("%s: %w", s.name, err)
				}
				s.seen[round][turn] = v
			}
		}
		done(round)
	}
	return nil
}

func (s *step) visit(l load) (v visit, err error) {
	attached, statistics, err := s.start()
	if err != nil {
		return v, err
	}
	defer func() {
		if closeErr := attached.Close(); err == nil {
			err = closeErr
		}
	}()
	o, err := l.run()
	if err != nil {
		return v, err
	}
	v.rate, v.work = o.rate, o.machine
	counting, err := ebpf.EnableStats(unix.BPF_STATS_RUN_TIME)
	if err != nil {
		return v, err
	}
	defer counting.Close()
	before, err := statistics()
	if err != nil {
		return v, err
	}
	short := l
	short.Duration = time.Second
	if o, err = short.run(); err != nil {
		return v, err
	}
	after, err := statistics()
	if runs := after.runs - before.runs; runs > 0 {
		v.packet = (after.nanoseconds - before.nanoseconds) / runs
		v.runs = runs / o.requests
	}
	return v, err
}

func (s *step) rate(round int) float64 { return (s.seen[round][0].rate + s.seen[round][1].rate) / 2 }
func (s *step) work(round int) float64 { return (s.seen[round][0].work + s.seen[round][1].work) / 2 }

// column is a figure of every visit.
func (s *step) column(f func(visit) float64) (out []float64) {
	for _, round := range s.seen {
		out = append(out, f(round[0]), f(round[1]))
	}
	return out
}

// ratios compares every round with the same round of another step.
func (s *step) ratios(f func(*step, int) float64, with *step) (out []float64) {
	for round := range s.seen {
		out = append(out, f(s, round)/f(with, round))
	}
	return out
}
