// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"math"
)

const (
	// poolSize is the small pool's, in connections, and workersCount httpd's, in threads, of the truth table's pool-6
	// and workers-20.
	poolSize     = 6
	workersCount = 20
	// fewShare is the share of the application's capacity that can be served through them: more than the steady
	// load, and less than a burst.
	fewShare = 0.6
	// tooFewShare is less than the steady load.
	tooFewShare = 0.3
)

// fewConnections restarts the application server with so few connections that they limit the throughput to a share of
// the application's capacity: a page holds each for a while without using it.
func fewConnections(share float64) func(*stack) error {
	return func(s *stack) error {
		return s.change(params{"POOL": fmt.Sprint(poolSize), "HOLD": s.heldFor(poolSize, share)}, "tomcat")
	}
}

// manyConnections starts it as it was.
func (s *stack) manyConnections() error { return s.change(boardParams, "tomcat") }

// fewWorkers restarts httpd with so few threads that they are a limit under a burst: each waits for a while for a
// page that the application server keeps, without a connection to the database.
func (s *stack) fewWorkers() error {
	return s.change(params{"WORKERS": fmt.Sprint(workersCount), "OUTSIDE": s.heldFor(workersCount, fewShare)}, "tomcat",
		"httpd")
}

// manyWorkers starts both as they were.
func (s *stack) manyWorkers() error { return s.change(boardParams, "tomcat", "httpd") }

// heldFor is for how many milliseconds each of this many places must be held so that they serve a share of the
// application's capacity.
func (s *stack) heldFor(places int, share float64) string {
	return fmt.Sprint(math.Round(1000 * float64(places) / (share * s.capacity)))
}
