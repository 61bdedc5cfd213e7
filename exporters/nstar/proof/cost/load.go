// SPDX-License-Identifier: Apache-2.0

package main

import (
	"time"

	"github.com/nstar-project/nstar/exporters/nstar/proof/bed"
)

// load saturates a server.
type load struct {
	bed.Wrk
	httpd *bed.Httpd
}

// outcome is what one run of the load gives.
type outcome struct {
	rate     float64 // requests per second
	requests float64
	work     float64 // CPU time of server and load per request, in microseconds; what the kernel does for their packets is in it
}

func (l load) run() (o outcome, err error) {
	before, err := l.serverTime()
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
	o.rate, o.requests = result.PerSecond, float64(result.Requests)
	o.work = float64((after-before+result.CPU)/time.Nanosecond) / 1000 / o.requests
	return o, nil
}

// serverTime is the CPU time of all of the server's processes.
func (l load) serverTime() (time.Duration, error) {
	pids, err := l.httpd.Processes()
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
