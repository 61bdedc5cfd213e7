// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"time"
)

// readers are what the news site is asked for.
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

// newsScenarios are the faults of the news site.
func newsScenarios() []scenario {
	visit := func(share float64) func(float64) []load {
		return withPaths(func(capacity float64) []load { return []load{independent(share*capacity, 2*second)} }, readers())
	}
	slow := withPaths(func(float64) []load { return []load{independent(8, 5*second)} }, readers())
	crowd := func(users int, think time.Duration, paths []string) func(float64) []load {
		return func(float64) []load { return []load{{users: users, think: think, paths: paths}} }
	}
	stop := func(tier string, length time.Duration) []stops {
		return []stops{{tier: tier, every: 2 * second, length: length}}
	}
	is := func(tier, cause string) expectation { return always("single_bottleneck/" + tier + "/" + cause) }
	const half = "single_bottleneck/node/unknown"

	all := []scenario{
		{name: "healthy-30", loads: visit(0.3), expect: always("healthy")},
		{name: "healthy-70", well: 0.7, loads: visit(0.7), expect: always("healthy")},
		{name: "healthy-slow", loads: slow, expect: always("healthy")},
		// Pages wait 150 ms for something outside. Nobody waits for a place, as nothing limits how many pages wait.
		{name: "healthy-waiting", params: map[string]string{"OUTSIDE": "150"}, loads: visit(0.2), expect: always("healthy")},
		{name: "db-stop", loads: visit(0.3), stops: stop("postgres", 200*time.Millisecond),
			expect: is("postgres", "stopped")},
		{name: "db-lock", loads: visit(0.3), beside: lockComments,
			expect: is("postgres", "stopped").or("single_bottleneck/postgres/unknown")},
		{name: "memcached-stop", loads: visit(0.3), stops: stop("memcached", 200*time.Millisecond),
			expect: is("memcached", "stopped")},
		{name: "node-stop", loads: visit(0.3), stops: stop("node", 300*time.Millisecond), expect: is("node", "stopped")},
		// The one thread computes for 300 ms every two seconds: no request is answered meanwhile.
		{name: "node-block", params: map[string]string{"BLOCK": "300"}, loads: visit(0.3),
			expect: always("single_bottleneck/node/stopped", "single_bottleneck/node/demand").or(half)},
		// Words that no article has: PostgreSQL reads all of them.
		{name: "db-limit", loads: crowd(60, 100*time.Millisecond, []string{"/search?word=zz", "/search?word=xyz"}),
			expect: is("postgres", "demand").or("single_bottleneck/postgres/unknown")},
		{name: "node-limit", loads: crowd(200, 50*time.Millisecond, each("/similar")), expect: is("node", "demand").or(half)},
		{name: "pool-1", params: map[string]string{"POOL": "1", "HOLD": "10"},
			loads:  crowd(30, 100*time.Millisecond, readers()),
			expect: is("node", "soft_resource").or(half)},
		{name: "pool-4", params: map[string]string{"POOL": "4", "HOLD": "40"},
			loads:  crowd(30, 100*time.Millisecond, readers()),
			expect: is("node", "soft_resource").or(half)},
		{name: "burst", loads: withPaths(burst(60*second, 15*second), readers()),
			expect: burstOf("node", 60*second, 15*second)},
		{name: "cold-start", cold: true, loads: visit(0.3),
			expect: always("healthy", "single_bottleneck/node/demand", "single_bottleneck/node/burst").then(120*second,
				"healthy")},
	}
	for i := range all {
		if all[i].paths == nil {
			all[i].paths = readers()
		}
	}
	return all
}
