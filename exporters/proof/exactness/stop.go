// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"
	"strconv"
	"syscall"
	"time"

	"github.com/nstar-project/nstar/exporters/proof/bed"
	"github.com/nstar-project/nstar/exporters/proof/figures"
)

// pause is how long the server is stopped.
const pause = 200 * time.Millisecond

// stopped stops Apache in the middle of a load with long think times, so that requests keep coming while it stands
// still.
func stopped(r *figures.Report, m *measurement, httpd *bed.Httpd) error {
	load := bed.Wrk{
		Threads: 2, Connections: 300, Duration: 6 * time.Second, Script: m.bed.Path("think.lua"), URL: httpd.URL(""),
		Args: []string{"4", "300", "/large"},
	}
	r.Section("Apache httpd stopped by SIGSTOP for %s", pause)
	pids, err := httpd.Processes()
	if err != nil {
		return err
	}
	return freeze(r, m, m.targets[0], pids, func() error {
		_, err := load.Run()
		return err
	})
}

// freeze runs a load, stops some processes in its second second, and checks the tier's windows.
func freeze(r *figures.Report, m *measurement, t target, pids []int, load func() error) error {
	var from, to time.Time
	seen, err := m.during(false, func() error {
		ended := make(chan error, 1)
		go func() { ended <- load() }()
		time.Sleep(2 * time.Second)
		from = time.Now()
		signalErr := signal(pids, syscall.SIGSTOP)
		time.Sleep(pause)
		to = time.Now()
		signalErr = errors.Join(signalErr, signal(pids, syscall.SIGCONT))
		return errors.Join(signalErr, <-ended)
	})
	if err != nil {
		return err
	}
	first := from.UnixNano()/int64(width) + 1 // the first window that lies wholly in the stop
	last := to.UnixNano()/int64(width) - 1
	r.Note("stopped for %d ms; windows of %s:", to.Sub(from).Milliseconds(), width)
	r.Note("%8s %9s %11s %8s", "begin ms", "arrivals", "completions", "queue")
	// the window's begin, from the moment of the stop
	begin := func(i int64) int64 { return i*width.Milliseconds() - from.UnixMilli() }
	for i := first - 4; i <= last+6; i++ {
		mark := ""
		if i >= first && i <= last {
			mark = "  stopped"
		}
		r.Note("%+8d %9d %11d %8.2f%s", begin(i), seen.read[t.tier][i].Arrivals, seen.exported[t.tier][i].completions,
			seen.exported[t.tier][i].queue, mark)
	}
	rising, silent, arriving := true, true, true
	for i := first; i <= last; i++ {
		rising = rising && seen.exported[t.tier][i].queue > seen.exported[t.tier][i-1].queue
		silent = silent && seen.exported[t.tier][i].completions == 0
		arriving = arriving && seen.read[t.tier][i].Arrivals > 0
	}
	r.Check(last >= first+1, "windows wholly within the stop: %d", last-first+1)
	r.Check(rising, "the queue rises from window to window while %s is stopped", t.tier)
	r.Check(silent, "no completion in these windows")
	r.Check(arriving, "arrivals are counted in these windows, though the server reads nothing")
	// The mean of a window lies between its arrivals, so the growth from the first to the last of these windows lies
	// between the arrivals without and with these two.
	var inner, all int64
	for i := first; i <= last; i++ {
		all += int64(seen.read[t.tier][i].Arrivals)
		if i > first && i < last {
			inner += int64(seen.read[t.tier][i].Arrivals)
		}
	}
	grown := seen.exported[t.tier][last].queue - seen.exported[t.tier][first].queue
	r.Check(grown >= float64(inner) && grown <= float64(all), "the queue grows by what arrives: %s, between %d and %d",
		decimal(grown), inner, all)
	before, peak := seen.exported[t.tier][first-2].queue, seen.exported[t.tier][last].queue
	r.Check(peak > before+15, "queue before the stop: %s, at its end: %s", decimal(before), decimal(peak))
	return nil
}

func signal(pids []int, s syscall.Signal) error {
	var errs []error
	for _, pid := range pids {
		errs = append(errs, syscall.Kill(pid, s))
	}
	return errors.Join(errs...)
}

func decimal(v float64) string { return strconv.FormatFloat(v, 'f', 2, 64) }
