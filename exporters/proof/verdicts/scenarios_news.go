// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"time"
)

// readers are the requests to the news site.
func readers() []string {
	var out []string
	for i := 1; i <= 30; i++ {
		out = append(out, "/", fmt.Sprintf("/article?id=%d", 100*i), fmt.Sprintf("/article?id=%d", 77*i),
			fmt.Sprintf("/topic?id=%d", i))
		switch i % 5 {
		case 0:
			out = append(out, fmt.Sprintf("/comment?id=%d", 100*i))
		case 1:
			out = append(out, fmt.Sprintf("/similar?id=%d", 100*i))
		}
	}
	return out
}

// listeners are sixty browsers that listen to events for as long as they are there: half of them to five a second, the
// others to one.
var listeners = load{users: 60, think: second, patience: time.Hour,
	pages: []string{"/events?every=200", "/events?every=1000"}}

// newsScenarios are the faults of the news site.
func newsScenarios() []scenario {
	return []scenario{
		{name: "healthy-30", loads: visit(0.3), expect: always("healthy")},
		{name: "healthy-70", well: 0.7, loads: visit(0.7), expect: always("healthy")},
		{name: "healthy-slow", loads: slow(8), expect: always("healthy")},
		// Pages wait 150 ms for something outside. No page waits for a place, because nothing limits how many
		// pages wait.
		{name: "healthy-waiting", params: params{"OUTSIDE": "150"}, loads: visit(0.2), expect: always("healthy")},
		// No client waits for the end of events.
		{name: "healthy-events", loads: beside(0.3, listeners), expect: always("healthy")},
		{name: "node-stop-events", loads: beside(0.3, listeners), stops: stop("node", 300*time.Millisecond),
			expect: is("node", "stopped")},
		{name: "db-stop", loads: visit(0.3), stops: stop("postgres", 200*time.Millisecond),
			expect: is("postgres", "stopped")},
		// The table of comments is locked for 300 ms every two seconds. Half of the pages read it; soon they have all
		// connections of the pool, and everybody waits for PostgreSQL.
		{name: "db-lock", loads: visit(0.3), beside: running("locks"),
			expect: is("postgres", "stopped").orUnknown("postgres")},
		{name: "memcached-stop", loads: visit(0.3), stops: stop("memcached", 200*time.Millisecond),
			expect: is("memcached", "stopped")},
		{name: "node-stop", loads: visit(0.3), stops: stop("node", 300*time.Millisecond),
			expect: is("node", "stopped")},
		// The one thread computes for 300 ms every two seconds: no request is answered meanwhile.
		{name: "node-block", params: params{"BLOCK": "300"}, loads: visit(0.3),
			expect: always(bottleneck("node", "stopped"), bottleneck("node", "demand")).orUnknown("node")},
		// Words that no article has: PostgreSQL reads all of them.
		{name: "db-limit", loads: crowd(60, 100*time.Millisecond, "/search?word=zz", "/search?word=xyz"),
			expect: is("postgres", "demand").orUnknown("postgres")},
		{name: "node-limit", loads: crowd(200, 50*time.Millisecond, each("/similar")...),
			expect: is("node", "demand").orUnknown("node")},
		{name: "pool-1", params: params{"POOL": "1", "HOLD": "10"},
			loads: crowd(30, 100*time.Millisecond), expect: is("node", "soft_resource").orUnknown("node")},
		{name: "pool-4", params: params{"POOL": "4", "HOLD": "40"},
			loads: crowd(30, 100*time.Millisecond), expect: is("node", "soft_resource").orUnknown("node")},
		{name: "burst", loads: burst, expect: burstOf("node")},
		{name: "cold-start", cold: true, loads: visit(0.3), expect: coldStartOf("node")},
	}
}
