// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"time"
)

// browsing are the requests to the mesh.
func browsing() []string {
	var out []string
	for i := 1; i <= 30; i++ {
		out = append(out, "/", fmt.Sprintf("/item?id=%d", 300*i), fmt.Sprintf("/item?id=%d", 77*i))
	}
	return out
}

// meshScenarios are the faults of the mesh.
func meshScenarios() []scenario {
	return []scenario{
		{name: "healthy-30", loads: visit(0.3), expect: always("healthy")},
		{name: "healthy-70", well: 0.7, loads: visit(0.7), expect: always("healthy")},
		{name: "healthy-slow", loads: slow(5), expect: always("healthy")},
		// Prices wait 100 ms for something outside, any number at a time: no request waits for another.
		{name: "healthy-waiting", params: params{"OUTSIDE": "100"}, loads: visit(0.2), expect: always("healthy")},
		{name: "db-stop", loads: visit(0.3), stops: stop("postgres", 200*time.Millisecond),
			expect: is("postgres", "stopped")},
		{name: "catalog-stop", loads: visit(0.3), stops: stop("catalog", 300*time.Millisecond),
			expect: is("catalog", "stopped")},
		{name: "pricing-stop", loads: visit(0.3), stops: stop("pricing", 300*time.Millisecond),
			expect: is("pricing", "stopped")},
		// Two calls deep, beside a branch that goes on.
		{name: "rates-stop", loads: visit(0.3), stops: stop("rates", 200*time.Millisecond),
			expect: is("rates", "stopped")},
		// PostgreSQL reads all items.
		{name: "db-limit", loads: crowd(60, 100*time.Millisecond, each("/report")...),
			expect: is("postgres", "demand").orUnknown("postgres")},
		{name: "pricing-limit", params: params{"GOMAXPROCS": "1"},
			loads:  crowd(60, 100*time.Millisecond, each("/quote")...),
			expect: is("pricing", "demand").orUnknown("pricing")},
		// Fewer connections than pages that want one, each held without use for a while.
		{name: "pool-2", params: params{"POOL": "2", "HOLD": "20"},
			loads: crowd(30, 100*time.Millisecond), expect: is("catalog", "soft_resource").orUnknown("catalog")},
		// Pricing tells its clients to have at most 4 calls under way, and each waits 100 ms outside: 40
		// pages/s. The other requests wait in the gateway, where grpc-go holds them back. The limit is
		// pricing's, the queue is the gateway's: naming either is right, because the cause is a soft resource
		// in both cases.
		{name: "streams-4", params: params{"STREAMS": "4", "OUTSIDE": "100"},
			loads:  calmThenCrowd(60),
			expect: crowdedOut("gateway", "pricing")},
		{name: "burst", loads: burst, expect: burstOf("pricing")},
		{name: "cold-start", cold: true, loads: visit(0.3), expect: coldStartOf("pricing")},
	}
}
