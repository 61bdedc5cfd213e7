// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"time"
)

// measuring is what the devices tell the stream.
func measuring() []string {
	var out []string
	for i := 1; i <= 60; i++ {
		out = append(out, fmt.Sprintf("/?device=%d&value=%d.5", 16*i, i))
	}
	return out
}

// streamScenarios are the faults of the stream. What is true of the half that no answer waits for: an operator of a
// pipeline answers for how old the records are when they arrive. So a database that stops, or that can't follow, has
// to be named though all answers are quick. Where it catches up after each stop nothing is lost, and healthy is half
// right; where records become older and older, healthy is silence.
func streamScenarios() []scenario {
	return []scenario{
		{name: "healthy-30", loads: visit(0.3), expect: always("healthy")},
		{name: "healthy-70", well: 0.7, loads: visit(0.7), expect: always("healthy")},
		// Every reading waits 50 ms for others to be sent with, on purpose: nobody is in want of anything.
		{name: "healthy-linger", params: params{"LINGER": "50"}, loads: visit(0.3), expect: always("healthy")},
		{name: "kafka-stop", loads: visit(0.3), stops: stop("kafka", 300*time.Millisecond),
			expect: is("kafka", "stopped")},
		{name: "db-stop", loads: visit(0.3), stops: stop("postgres", 200*time.Millisecond),
			expect: is("postgres", "stopped").or("healthy")},
		// PostgreSQL reads the whole history for each record, and writes fewer than come.
		{name: "db-limit", params: params{"HEAVY": "1"}, loads: visit(0.3),
			expect: is("postgres", "demand").orUnknown("postgres")},
		// The consumer itself has too much to do with each record.
		{name: "consumer-limit", params: params{"CHECK": "1"}, loads: visit(0.3),
			expect: is("consumer", "demand").orUnknown("consumer")},
		{name: "ingest-limit", params: params{"GOMAXPROCS": "1"},
			loads:  crowd(60, 100*time.Millisecond, each("/signed")...),
			expect: is("ingest", "demand").orUnknown("ingest")},
	}
}
