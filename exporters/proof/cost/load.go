// SPDX-License-Identifier: Apache-2.0

package main

import (
	"time"

	"github.com/prometheus/procfs"

	"github.com/nstar-project/nstar/exporters/proof/bed"
)

// load saturates a server.
type load struct {
	bed.Wrk
	server server
}

// server is the server that gets the load.
type server interface{ Processes() ([]int, error) }

// outcome is the result of one run of the load.
type outcome struct {
	rate     float64 // requests per second
	requests float64
	// CPU time of server and load per request, in microseconds; the kernel's work for their packets is included
	work    float64
	machine float64 // CPU time of the whole machine per request, in microseconds
}

func (l load) run() (o outcome, err error) {
	before, err := l.serverTime()
	if err != nil {
		return o, err
	}
	busyBefore, err := machineTime()
	if err != nil {
		return o, err
	}
	result, err := l.Run()
	if err != nil {
		return o, err
	}
	after, err := l.serverTime()
	if err != nil {
		return o, err
	}
	busyAfter, err := machineTime()
	if err != nil {
		return o, err
	}
	o.rate, o.requests = result.PerSecond, float64(result.Requests)
	o.work = float64((after-before+result.CPU)/time.Nanosecond) / 1000 / o.requests
	o.machine = (busyAfter - busyBefore) * 1e6 / o.requests
	return o, nil
}

// serverTime is the CPU time of all of the server's processes.
func (l load) serverTime() (time.Duration, error) {
	pids, err := l.server.Processes()
	if err != nil {
		return 0, err
	}
	var sum time.Duration
	for _, pid := range pids {
		t, err := bed.CPUSeconds(pid)
		if err != nil {
			return 0, err
		}
		sum += time.Duration(t * float64(time.Second))
	}
	return sum, nil
}

// machineTime is the CPU time in seconds that the whole machine has spent so far, interrupts included.
func machineTime() (float64, error) {
	fs, err := procfs.NewDefaultFS()
	if err != nil {
		return 0, err
	}
	stat, err := fs.Stat()
	t := stat.CPUTotal
	return t.User + t.Nice + t.System + t.IRQ + t.SoftIRQ, err
}
