// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sys/unix"

	"github.com/nstar-project/nstar/exporters/nstar/causes"
	"github.com/nstar-project/nstar/exporters/proof/bed"
	"github.com/nstar-project/nstar/exporters/proof/figures"
)

// mostStorm is what following the scheduler may cost where threads do nothing but wake each other.
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
		// A thread that ends takes with it what it started: the exporter may be a child of any.
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

// storms compares the exporter with and without what follows the scheduler: off, on, on, off in each round, so that a
// machine that grows slower favours neither.
func storms(r *figures.Report, b *bed.Bed, exporter string, rounds int, length time.Duration) error {
	r.Section("A storm of context switches, %d pairs of threads: the exporter with the causes and without, %d rounds of 4 x %s", pairs, rounds, length)
	var without []string
	for _, k := range append(causes.Kinds(), causes.Places()...) {
		without = append(without, "--no-cause."+k.Name)
	}
	var cost float64
	one := func(flags ...string) (s stormed, err error) {
		e, err := b.Exporter(exporter, "", flags...)
		if err != nil {
			return s, err
		}
		if s, err = storm(length); err != nil {
			return s, err
		}
		if m, err := e.Metrics(); err == nil {
			runs, _ := m.Value("nstar_bpf_runs_total", "program", "nstar_switch")
			took, ok := m.Value("nstar_bpf_run_seconds_total", "program", "nstar_switch")
			if ok && runs > 0 {
				cost = took / runs
			}
		}
		return s, e.Stop()
	}
	var rates, works, rate []float64
	for range rounds {
		var seen [4]stormed
		for i := range seen {
			var flags []string
			if i == 0 || i == 3 {
				flags = without
			}
			var err error
			if seen[i], err = one(flags...); err != nil {
				return err
			}
		}
		rate = append(rate, seen[0].rate, seen[3].rate)
		rates = append(rates, (seen[1].rate+seen[2].rate)/(seen[0].rate+seen[3].rate))
		works = append(works, (seen[1].work+seen[2].work)/(seen[0].work+seen[3].work))
	}
	low, high := interval(works)
	r.Note("%.0f messages/s without; CPU time of a message with / without: %.4f (%.4f .. %.4f); nstar_switch takes %.0f ns with its statistics",
		median(rate), median(works), low, high, cost*1e9)
	low, high = interval(rates)
	loss := 100 * (1 - median(rates))
	r.AtMost(fmt.Sprintf("throughput lost in the storm (%.1f .. %.1f)", 100*(1-high), 100*(1-low)), loss, 100*mostStorm,
		"%")
	return nil
}
