// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"time"
)

// browsing is what the mesh is asked for.
func browsing() []string {
	var out []string
	for i := 1; i <= 30; i++ {
		out = append(out, "/", fmt.Sprintf("/item?id=%d", 300*i), fmt.Sprintf("/item?id=%d", 77*i))
	}
	return out
}

// meshScenarios are the faults of the mesh.
func meshScenarios() []scenario {
	visit := func(share float64) func(float64) []load {
		return withPaths(func(capacity float64) []load { return []load{independent(share*capacity, 2*second)} }, browsing())
	}
	slow := withPaths(func(float64) []load { return []load{independent(5, 5*second)} }, browsing())
	crowd := func(users int, think time.Duration, paths []string) func(float64) []load {
		return func(float64) []load { return []load{{users: users, think: think, paths: paths}} }
	}
	stop := func(tier string, length time.Duration) []stops {
		return []stops{{tier: tier, every: 2 * second, length: length}}
	}
	is := func(tier, cause string) expectation { return always("single_bottleneck/" + tier + "/" + cause) }
	half := func(tier string) string { return "single_bottleneck/" + tier + "/unknown" }

	all := []scenario{
		{name: "healthy-30", loads: visit(0.3), expect: always("healthy")},
		{name: "healthy-70", well: 0.7, loads: visit(0.7), expect: always("healthy")},
		{name: "healthy-slow", loads: slow, expect: always("healthy")},
		// Prices wait 100 ms for something outside, as many at a time as come: nobody waits for anybody.
		{name: "healthy-waiting", params: map[string]string{"OUTSIDE": "100"}, loads: visit(0.2), expect: always("healthy")},
		{name: "db-stop", loads: visit(0.3), stops: stop("postgres", 200*time.Millisecond),
			expect: is("postgres", "stopped")},
		{name: "catalog-stop", loads: visit(0.3), stops: stop("catalog", 300*time.Millisecond),
			expect: is("catalog", "stopped")},
		{name: "pricing-stop", loads: visit(0.3), stops: stop("pricing", 300*time.Millisecond),
			expect: is("pricing", "stopped")},
		// Two calls deep, beside a branch that goes on.
		{name: "rates-stop", loads: visit(0.3), stops: stop("rates", 200*time.Millisecond), expect: is("rates", "stopped")},
		// PostgreSQL reads all items.
		{name: "db-limit", loads: crowd(60, 100*time.Millisecond, each("/report")),
			expect: is("postgres", "demand").or(half("postgres"))},
		{name: "pricing-limit", params: map[string]string{"GOMAXPROCS": "1"},
			loads:  crowd(60, 100*time.Millisecond, each("/quote")),
			expect: is("pricing", "demand").or(half("pricing"))},
		// Fewer connections than pages that want one, each held without use for a while.
		{name: "pool-2", params: map[string]string{"POOL": "2", "HOLD": "20"},
			loads:  crowd(30, 100*time.Millisecond, browsing()),
			expect: is("catalog", "soft_resource").or(half("catalog"))},
		// Pricing tells its clients to have at most 4 calls under way, and each waits 100 ms outside: 40 pages/s. The rest
		// waits in the gateway, where grpc-go holds it back. The limit is pricing's, the queue the gateway's: naming either
		// is right, as it is soft in both.
		{name: "streams-4", params: map[string]string{"STREAMS": "4", "OUTSIDE": "100"},
			loads: calmThenCrowd(60, browsing()...),
			expect: always("healthy", "learning").
				then(30*second, "healthy", "single_bottleneck/gateway/soft_resource", "single_bottleneck/pricing/soft_resource").
				then(90*second, "single_bottleneck/gateway/soft_resource", "single_bottleneck/pricing/soft_resource").
				or(half("gateway"))},
		{name: "burst", loads: withPaths(burst(60*second, 15*second), browsing()),
			expect: burstOf("pricing", 60*second, 15*second)},
		{name: "cold-start", cold: true, loads: visit(0.3),
			expect: always("healthy", "single_bottleneck/pricing/demand", "single_bottleneck/pricing/burst").then(120*second,
				"healthy")},
	}
	for i := range all {
		if all[i].paths == nil {
			all[i].paths = browsing()
		}
	}
	return all
}
