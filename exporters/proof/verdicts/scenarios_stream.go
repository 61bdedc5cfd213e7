// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"time"
)

// measuring are the requests of the devices to the stream.
func measuring() []string {
	var out []string
	for i := 1; i <= 60; i++ {
		out = append(out, fmt.Sprintf("/?device=%d&value=%d.5", 16*i, i))
	}
	return out
}

// streamScenarios are the faults of the stream. For the half that no answer waits for, the truth is this: the
// operator of a pipeline is responsible for the age of the records when they arrive. So a database that stops, or
// that can't follow, has to be named although all answers are quick. If it catches up after each stop, nothing is
// lost, and healthy is half right; if records become older and older, healthy counts as silent.
func streamScenarios() []scenario {
	return []scenario{
		{name: "healthy-30", loads: visit(0.3), expect: always("healthy")},
		{name: "healthy-70", well: 0.7, loads: visit(0.7), expect: always("healthy")},
		// Every reading waits 50 ms on purpose, to be sent together with others: nothing is missing.
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
