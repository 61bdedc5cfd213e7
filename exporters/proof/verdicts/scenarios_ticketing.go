// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"slices"
	"time"
)

// handling is what agents do with tickets: every eighth page asks the worker over RabbitMQ.
func handling() (out []string) {
	for i := 1; i <= 40; i++ {
		agent := fmt.Sprintf("agent=%d", i)
		ticket := func(n int) string { return fmt.Sprintf("/ticket?id=%d&%s", n, agent) }
		out = append(out, "/?"+agent, ticket(100*i), ticket(77*i), ticket(140*i), ticket(31*i),
			fmt.Sprintf("/team?id=%d&%s", i, agent), triaged(140*i, agent), ticket(59*i))
		if i%5 == 0 {
			out = append(out, fmt.Sprintf("/note?id=%d&%s", 100*i, agent))
		}
	}
	return out
}

func triaged(ticket int, agent string) string { return fmt.Sprintf("/triage?id=%d&%s", ticket, agent) }

// asked30 are 30 pages of a kind, about different things.
func asked30(page string) (out []string) {
	for i := 1; i <= 30; i++ {
		out = append(out, fmt.Sprintf(page, i))
	}
	return out
}

// ticketingScenarios are the faults of the ticketing.
func ticketingScenarios() []scenario {
	// The broker and the worker behind it can't be measured as tiers: the only requirement is that no other tier is
	// named. The stopped tier may be named.
	unseen := func(also ...string) expectation {
		return always(append([]string{"healthy", "learning"}, also...)...).orUnknown("uvicorn")
	}

	return []scenario{
		{name: "healthy-30", loads: visit(0.3), expect: always("healthy")},
		{name: "healthy-70", well: 0.7, loads: visit(0.7), expect: always("healthy")},
		{name: "healthy-slow", loads: slow(8), expect: always("healthy")},
		// Pages wait 150 ms for something outside. No page waits for a place, because nothing limits how many
		// pages wait.
		{name: "healthy-waiting", params: params{"OUTSIDE": "150"}, loads: visit(0.2), expect: always("healthy")},
		{name: "db-stop", loads: visit(0.3), stops: stop("postgres", 200*time.Millisecond),
			expect: is("postgres", "stopped")},
		{name: "redis-stop", loads: visit(0.3), stops: stop("redis-server", 200*time.Millisecond),
			expect: is("redis-server", "stopped")},
		{name: "app-stop", loads: visit(0.3), stops: stop("uvicorn", 300*time.Millisecond),
			expect: is("uvicorn", "stopped")},
		{name: "worker-stop", loads: visit(0.3), stops: stop("worker", 300*time.Millisecond), expect: unseen()},
		{name: "broker-stop", loads: visit(0.3), stops: stop("beam.smp", 300*time.Millisecond),
			expect: unseen(bottleneck("beam.smp", "stopped"))},
		{name: "db-lock", loads: visit(0.3), beside: running("locks"),
			expect: is("postgres", "stopped").orUnknown("postgres")},
		{name: "app-limit", loads: crowd(40, 100*time.Millisecond, asked30("/digest?id=%[1]d&agent=%[1]d")...),
			expect: is("uvicorn", "demand").orUnknown("uvicorn")},
		// The one thread computes for 300 ms every two seconds: no request is answered meanwhile.
		{name: "block", params: params{"BLOCK": "300"}, loads: visit(0.3),
			expect: always(bottleneck("uvicorn", "stopped"), bottleneck("uvicorn", "demand")).orUnknown("uvicorn")},
		{name: "pool-2", params: params{"POOL": "2", "HOLD": "40"}, loads: crowd(30, 200*time.Millisecond),
			expect: is("uvicorn", "soft_resource").orUnknown("uvicorn")},
		// The worker takes one job at a time, each of which waits 100 ms for something outside: ten pages a
		// second at most. Requests wait in a queue of RabbitMQ. Few agents at first, then 60, and half of their
		// pages ask the worker: what these pages wait for can't be seen, but it is certainly behind uvicorn.
		{name: "worker-few", params: params{"PREFETCH": "1", "WORK": "100"},
			loads: calmThenCrowd(60, slices.Concat(asked30("/triage?id=20%[1]d&agent=%[1]d"),
				asked30("/ticket?id=%[1]d&agent=%[1]d"))...),
			expect: unseen().then(90*second, "learning").
				or(bottleneck("uvicorn", "unknown"), bottleneck("uvicorn", "soft_resource"))},
		// Words that no ticket has: PostgreSQL reads all of them.
		{name: "db-limit", loads: crowd(40, 100*time.Millisecond, asked30("/backlog?word=nowhere%[1]d&agent=%[1]d")...),
			expect: is("postgres", "demand").orUnknown("postgres")},
		{name: "burst", loads: burst, expect: burstOf("uvicorn")},
		{name: "cold-start", cold: true, loads: visit(0.3), expect: coldStartOf("uvicorn")},
	}
}
