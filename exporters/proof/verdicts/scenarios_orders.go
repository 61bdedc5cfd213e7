// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"time"
)

// ordering are the requests to an order service: mostly products, also orders, and now and then a purchase.
func ordering() (out []string) {
	for i := 1; i <= 30; i++ {
		product := func(n int) string { return fmt.Sprintf("/product?id=%d", n) }
		out = append(out, product(100*i), product(77*i), product(31*i), product(300*i),
			fmt.Sprintf("/customer?id=%d", 100*i), fmt.Sprintf("/customer?id=%d", 37*i),
			fmt.Sprintf("/order?id=%d", 3000*i), fmt.Sprintf("/order?id=%d", 1700*i))
		if i%2 == 0 {
			out = append(out, fmt.Sprintf("POST /buy?customer=%d&product=%d", 100*i, 100*i))
		}
	}
	return out
}

// ordersScenarios are the faults of the order service.
func ordersScenarios() []scenario {
	stopped := is("java", "stopped").orUnknown("java")
	return []scenario{
		{name: "healthy-30", loads: visit(0.3), expect: always("healthy")},
		{name: "healthy-70", well: 0.7, loads: visit(0.7), expect: always("healthy")},
		// Three reports a second, each of which takes PostgreSQL and then Java some tens of milliseconds.
		{name: "healthy-slow", loads: func(float64) []load {
			l := independent(3, 5*second)
			l.pages = asked30("/report?category=%d")
			return []load{l}
		}, expect: always("healthy")},
		// Pages wait 150 ms for something outside. No page waits for a place: there is a thread for every
		// request.
		{name: "healthy-waiting", params: params{"OUTSIDE": "150"}, loads: visit(0.2), expect: always("healthy")},
		{name: "db-stop", loads: visit(0.3), stops: stop("postgres", 200*time.Millisecond),
			expect: is("postgres", "stopped")},
		{name: "redis-stop", loads: visit(0.3), stops: stop("redis-server", 200*time.Millisecond),
			expect: is("redis-server", "stopped")},
		// A client looks through all keys of Redis, a million, every two seconds: meanwhile its one thread
		// answers no other client.
		{name: "redis-keys", loads: visit(0.3), beside: running("keys"),
			expect: always(bottleneck("redis-server", "stopped"), bottleneck("redis-server", "demand")).
				orUnknown("redis-server")},
		{name: "app-stop", loads: visit(0.3), stops: stop("java", 300*time.Millisecond), expect: is("java", "stopped")},
		{name: "db-lock", loads: visit(0.3), beside: running("locks"),
			expect: is("postgres", "stopped").orUnknown("postgres")},
		// Half of the pages read a rate in a synchronized method. Every two seconds a thread holds that method
		// for 300 ms, asleep, on the only carrier of virtual threads: the whole service stands still.
		{name: "block", params: params{"BLOCK": "300"}, loads: visit(0.3), expect: stopped},
		// The same with platform threads: the pages that need no rate go on.
		{name: "block-platform", params: params{"BLOCK": "300", "VIRTUAL": "false"}, loads: visit(0.3),
			expect: stopped},
		{name: "gc-frequent", params: params{"COLLECTOR": "SerialGC"}, loads: visit(0.3),
			beside: collect("java", 0.15),
			expect: always(bottleneck("java", "garbage_collection"), "alternating_bottleneck/java/garbage_collection")},
		// Words that no note has: PostgreSQL reads all orders.
		{name: "db-limit", loads: crowd(40, 100*time.Millisecond, asked30("/search?word=nowhere%d")...),
			expect: is("postgres", "demand").orUnknown("postgres")},
		{name: "app-limit", loads: crowd(40, 100*time.Millisecond, asked30("/advice?customer=%d")...),
			expect: is("java", "demand").orUnknown("java")},
		// Two connections to PostgreSQL, which each transaction keeps for 40 ms without using it: 50 transactions a
		// second at most.
		{name: "pool-2", params: params{"POOL": "2", "HOLD": "40"}, loads: crowd(40, 200*time.Millisecond),
			expect: is("java", "soft_resource").orUnknown("java")},
		// Of the pool's 20 connections 18 were taken and never given back: a transaction keeps each of the two
		// others for 40 ms, as above.
		{name: "pool-leak", params: params{"LEAK": "18", "HOLD": "40"}, loads: crowd(40, 200*time.Millisecond),
			expect: is("java", "soft_resource").orUnknown("java")},
		// Four platform threads, and each page waits 100 ms for something outside: 40 pages a second at most, while all
		// processors have time. Tomcat has accepted all connections; requests wait for a thread.
		{name: "threads-few", params: params{"VIRTUAL": "false", "THREADS": "4", "OUTSIDE": "100"},
			loads: calmThenCrowd(60), expect: crowdedOut("java")},
		// Each page waits 20 ms for something outside with a lock that is its own: it keeps the only carrier of virtual
		// threads, so that 50 pages a second are served at most, while all processors have time.
		{name: "pinned", params: params{"OUTSIDE": "20", "PINNED": "true"}, loads: calmThenCrowd(100),
			expect: crowdedOut("java")},
		day(visit(0.3), crowdAt("java", 40, 100*time.Millisecond, asked30("/advice?customer=%d")...),
			stopsFor("postgres", 200*time.Millisecond),
			crowdAt("postgres", 40, 100*time.Millisecond, asked30("/search?word=nowhere%d")...)),
		{name: "burst", loads: burst, expect: burstOf("java")},
		{name: "cold-start", params: params{"COMPILER": "4"}, cold: true, loads: visit(0.3),
			expect: coldStartOf("java")},
	}
}
