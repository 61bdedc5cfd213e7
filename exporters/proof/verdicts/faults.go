// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"
	"syscall"
	"time"
)

// faults are the causes that can be provoked on any machine, alone and two at a time. docs/proof.md has the
// causes that can't be provoked.
func faults() []fault {
	quiet := fault{name: "quiet", run: idle}
	burst := fault{name: "burst", run: crowded}
	flush := fault{name: "flush", run: (*stack).flush}
	neighbour := fault{name: "neighbour", tier: "tomcat", cause: "noisy_neighbour", neighbours: []string{hogName},
		run: (*stack).hog}
	quota := fault{name: "quota", tier: "tomcat", cause: "throttled", run: limited("tomcat")}
	scarce := fault{name: "db-quota", tier: "mariadb", cause: "throttled", run: limited("mariadb")}
	collections := fault{name: "collections", tier: "tomcat", cause: "garbage_collection", run: (*stack).collect}
	lock := fault{name: "lock", tier: "mariadb", cause: "stopped", did: "lock", run: (*stack).lock}
	signal := fault{name: "signal", tier: "mariadb", cause: "stopped", did: "stopped",
		run: func(s *stack, d time.Duration) error {
			return s.again(d, "mariadb", func(on bool) error {
				send(s.pids("mariadb"), map[bool]syscall.Signal{true: syscall.SIGSTOP, false: syscall.SIGCONT}[on])
				return nil
			})
		}}
	return []fault{
		quiet, burst, neighbour, quota, scarce, signal, lock, collections, flush,
		{name: "urgent", tier: "tomcat", cause: "noisy_neighbour", neighbours: []string{hogName},
			run: (*stack).urgent},
		{name: "freezer", tier: "mariadb", cause: "stopped", did: "stopped", run: (*stack).freeze},
		{name: "heavy", run: heavy},
		{name: "fsync", run: (*stack).sync},
		{name: "pool", tier: "tomcat", cause: "soft_resource", run: idle, prepare: fewConnections(tooFewShare),
			restore: (*stack).manyConnections},
		{name: "pool+burst", tier: "tomcat", cause: "soft_resource", run: crowded, prepare: fewConnections(fewShare),
			restore: (*stack).manyConnections},
		{name: "workers+burst", tier: "httpd", cause: "soft_resource", run: crowded, prepare: (*stack).fewWorkers,
			restore: (*stack).manyWorkers},
		{name: "second", tier: "tomcat", cause: "noisy_neighbour", neighbours: []string{"java", "mariadbd", "apache2"},
			run: useSecond, prepare: (*stack).startSecond, restore: (*stack).stopSecond},
		{name: "disk", tier: "mariadb", cause: "disk", run: (*stack).slowReads, prepare: (*stack).smallMemory,
			restore: (*stack).largeMemory},
		atOnce(scarce, collections), atOnce(signal, flush), atOnce(lock, burst), inTurns(neighbour, lock),
		inTurns(collections, signal),
	}
}

// idle does nothing for a while.
func idle(_ *stack, d time.Duration) error {
	time.Sleep(d)
	return nil
}

// paired is two faults: the verdict that is expected for the first, and the one that is allowed instead, for the
// second.
func paired(name string, a, b fault, run func(*stack, time.Duration) error) fault {
	out := fault{name: name, tier: a.tier, cause: a.cause, run: run}
	if b.cause != "" {
		out.also = charge{b.tier, b.cause}
	}
	return out
}

// atOnce makes two faults at the same time.
func atOnce(a, b fault) fault {
	return paired(a.name+"+"+b.name, a, b, func(s *stack, d time.Duration) error {
		other := make(chan error, 1)
		go func() { other <- b.run(s, d) }()
		err := a.run(s, d)
		return errors.Join(err, <-other)
	})
}

// inTurns makes one fault after the other, each twice.
func inTurns(a, b fault) fault {
	return paired(a.name+"-then-"+b.name, a, b, func(s *stack, d time.Duration) error {
		for _, f := range []fault{a, b, a, b} {
			if err := f.run(s, d/4); err != nil {
				return err
			}
		}
		return nil
	})
}
