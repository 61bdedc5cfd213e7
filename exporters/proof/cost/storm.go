// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"
	"fmt"
	"io"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/cilium/ebpf/link"
	"golang.org/x/sys/unix"

	"github.com/nstar-project/nstar/exporters/nstar/bpf/ablation"
	"github.com/nstar-project/nstar/exporters/proof/bed"
	"github.com/nstar-project/nstar/exporters/proof/figures"
)

// mostStorm is how much following the scheduler may cost if threads only wake each other.
const mostStorm = 0.03

// pairs of threads in the storm: as many as keep any small machine's processors busy.
const pairs = 16

// stormed is one measurement of the storm.
type stormed struct {
	rate float64 // messages per second
	work float64 // CPU time of a message, in seconds
}

// storm has pairs of threads send a byte to and fro through pipes, as hackbench does: a context switch or two a
// message.
func storm(length time.Duration) (stormed, error) {
	var messages atomic.Int64
	var ended atomic.Bool
	var running sync.WaitGroup
	failed := make(chan error, 2*pairs)
	forward := func(from, to int, counts bool) {
		defer running.Done()
		runtime.LockOSThread()
		// A thread that ends takes its children with it: the exporter may be a child of any thread.
		defer runtime.UnlockOSThread()
		defer unix.Close(to) // which ends the other one
		buf := make([]byte, 1)
		for {
			n, err := unix.Read(from, buf)
			if err == unix.EINTR {
				continue
			}
			if err != nil {
				failed <- err
			}
			if n == 0 || err != nil || ended.Load() {
				return
			}
			if _, err := unix.Write(to, buf); err != nil {
				return // the other one has ended
			}
			if counts {
				messages.Add(2)
			}
		}
	}
	var starts, ends []int
	for range pairs {
		var there, back [2]int
		if err := unix.Pipe(there[:]); err != nil {
			return stormed{}, err
		}
		if err := unix.Pipe(back[:]); err != nil {
			return stormed{}, err
		}
		starts, ends = append(starts, there[1]), append(ends, there[0], back[0])
		running.Add(2)
		go forward(there[0], back[1], true)
		go forward(back[0], there[1], false)
	}
	var before, after unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &before); err != nil {
		return stormed{}, err
	}
	began := time.Now()
	for _, fd := range starts {
		if _, err := unix.Write(fd, []byte{1}); err != nil {
			return stormed{}, err
		}
	}
	time.Sleep(length)
	n, took := float64(messages.Load()), time.Since(began).Seconds()
	err := unix.Getrusage(unix.RUSAGE_SELF, &after)
	ended.Store(true)
	running.Wait()
	for _, fd := range ends {
		unix.Close(fd)
	}
	select {
	case err = <-failed:
	default:
	}
	used := func(u unix.Rusage) float64 { return float64(u.Utime.Nano()+u.Stime.Nano()) / 1e9 }
	return stormed{n / took, (used(after) - used(before)) / n}, err
}

// weather is the set of programs that run beside a storm.
type weather struct {
	name         string
	begin        func() (io.Closer, error)
	rates, works []float64
}

// storms compares the exporter that follows the scheduler, with and without statistics, to one that does not, and to
// that one together with an empty program at each context switch, which is the least that any program there costs.
// Each round goes there and back, so that a machine that becomes slower favours none.
func storms(r *figures.Report, o options) error {
	b, err := bed.New()
	if err != nil {
		return err
	}
	defer b.Close()
	r.Section("A storm of context switches, %d pairs of threads: the exporter with the causes and without, %d rounds "+
		"there and back of %s each",
		pairs, o.rounds, o.length)
	var objects ablation.AblationObjects
	if err := ablation.LoadAblationObjects(&objects, nil); err != nil {
		return err
	}
	defer objects.Close()
	without := withoutCauses()
	var cost float64
	with := func(flags ...string) func() (io.Closer, error) {
		return func() (io.Closer, error) {
			e, err := b.Exporter(o.exporter, "", flags...)
			return ended{e, &cost}, err
		}
	}
	all := []*weather{
		{name: "without causes", begin: with(without...)},
		{name: "and an empty program", begin: func() (io.Closer, error) {
			empty, err := link.AttachTracing(link.TracingOptions{Program: objects.EmptySwitch})
			if err != nil {
				return nil, err
			}
			e, err := with(without...)()
			return closers{e, empty}, err
		}},
		{name: "causes", begin: with()},
		{name: "causes, --bpf.stats", begin: with("--bpf.stats")},
	}
	for range o.rounds {
		var seen [2][]stormed
		for turn := range seen {
			seen[turn] = make([]stormed, len(all))
			for i := range all {
				if turn == 1 {
					i = len(all) - 1 - i
				}
				if seen[turn][i], err = all[i].storm(o.length); err != nil {
					return fmt.Errorf("%s: %w", all[i].name, err)
				}
			}
		}
		for i, w := range all {
			w.rates = append(w.rates, (seen[0][i].rate+seen[1][i].rate)/(seen[0][0].rate+seen[1][0].rate))
			w.works = append(w.works, (seen[0][i].work+seen[1][i].work)/(seen[0][0].work+seen[1][0].work))
		}
		r.Note("%.0f messages/s without causes", (seen[0][0].rate+seen[1][0].rate)/2)
	}
	for _, w := range all[1:] {
		low, high := interval(w.works)
		lowRate, highRate := interval(w.rates)
		r.Note("%-24s CPU time of a message x %.4f (%.4f .. %.4f), throughput x %.4f (%.4f .. %.4f)", w.name,
			median(w.works), low, high,
			median(w.rates), lowRate, highRate)
	}
	r.Note("nstar_switch takes %.0f ns with its statistics", cost*1e9)
	usual := all[2]
	low, high := interval(usual.rates)
	r.AtMost(fmt.Sprintf("throughput lost in the storm (%.1f .. %.1f)", 100*(1-high), 100*(1-low)),
		100*(1-median(usual.rates)),
		100*mostStorm, "%")
	return nil
}

// storm measures one.
func (w *weather) storm(length time.Duration) (s stormed, err error) {
	under, err := w.begin()
	if err != nil {
		return s, err
	}
	s, err = storm(length)
	return s, errors.Join(err, under.Close())
}

// ended is an exporter that reports, at its end, what a run of nstar_switch took.
type ended struct {
	*bed.Exporter
	cost *float64
}

// Close ends the exporter.
func (e ended) Close() error {
	if m, err := e.Metrics(); err == nil {
		runs, _ := m.Value("nstar_bpf_runs_total", "program", "nstar_switch")
		took, ok := m.Value("nstar_bpf_run_seconds_total", "program", "nstar_switch")
		if ok && runs > 0 {
			*e.cost = took / runs // else they are not counted
		}
	}
	return e.Stop()
}
