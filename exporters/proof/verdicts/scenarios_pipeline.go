// SPDX-License-Identifier: Apache-2.0

package main

import "time"

// pipelineScenarios are the faults of the pipeline. The truth is as for the stream's second half: if records become
// older and older, the consumer that can't follow has to be named; if all of them are stored, though late, healthy
// is half right.
func pipelineScenarios() []scenario {
	return []scenario{
		{name: "healthy-30", loads: visit(0.3), expect: always("healthy")},
		{name: "healthy-slow", params: params{"WORK": "1"}, loads: slow(200), expect: always("healthy")},
		{name: "healthy-70", well: 0.7, loads: visit(0.7), expect: always("healthy")},
		{name: "kafka-stop", loads: visit(0.3), stops: stop("kafka", 300*time.Millisecond),
			expect: is("kafka", "stopped")},
		{name: "db-stop", loads: visit(0.3), stops: stop("cassandra", 200*time.Millisecond),
			expect: is("cassandra", "stopped").or("healthy")},
		// Each row is a transaction of its own (Paxos), of which Cassandra can do fewer than come.
		{name: "db-limit", params: params{"CONDITION": "if not exists", "WORK": "1"}, loads: visit(3),
			expect: is("cassandra", "demand").orUnknown("cassandra")},
		{name: "db-quota", loads: visit(0.4), beside: throttle("cassandra", 0.5), expect: is("cassandra", "throttled")},
		// Spark has too much to do with each record.
		{name: "spark-limit", loads: visit(1.5),
			expect: is("spark", "demand").orUnknown("spark")},
		{name: "spark-quota", loads: visit(0.5), beside: throttle("spark", 0.5),
			expect: is("spark", "throttled")},
		// As with a heap that is too small: collections take 60 % of Spark's time, of which it needs more than the
		// rest.
		{name: "gc-frequent", loads: visit(0.6), beside: collect("spark", 0.6),
			expect: is("spark", "garbage_collection")},
	}
}
