// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"time"
)

// shopping is what visitors of the shop do, most of it looking: every eighth page is about the cart.
func shopping() []string {
	var out []string
	for i := 1; i <= 30; i++ {
		visitor := fmt.Sprintf("visitor=%d", 100*i)
		out = append(out, "/?"+visitor,
			fmt.Sprintf("/category?id=%d&page=%d&%s", i, i%5+1, visitor),
			fmt.Sprintf("/product?id=%d&%s", 100*i, visitor), fmt.Sprintf("/product?id=%d&%s", 70*i, visitor),
			fmt.Sprintf("/product?id=%d&%s", 33*i, visitor), "/search?word=taru&"+visitor)
		switch i % 3 {
		case 0:
			out = append(out, fmt.Sprintf("/add?id=%d&%s", 100*i, visitor), "/cart?"+visitor)
		case 1:
			out = append(out, fmt.Sprintf("/add?id=%d&%s", 70*i, visitor))
		case 2:
			out = append(out, fmt.Sprintf("/order?%s", visitor))
		}
	}
	return out
}

// each is a page for many visitors, which differ in what they ask about.
func each(page string) []string {
	var out []string
	for i := 1; i <= 30; i++ {
		out = append(out, fmt.Sprintf("%s?id=%d&visitor=%d", page, i, 100*i))
	}
	return out
}

// shopScenarios are the faults of the shop.
func shopScenarios() []scenario {
	// Fewer connections than pages that want one, each held without use for a while: two processes would have a pool
	// each.
	pool := func(n, hold string) params {
		return params{"WORKERS": "1", "THREADS": "32", "POOL": n, "HOLD": hold}
	}

	return []scenario{
		{name: "healthy-30", loads: visit(0.3), expect: always("healthy")},
		{name: "healthy-70", well: 0.7, loads: visit(0.7), expect: always("healthy")},
		{name: "healthy-slow", loads: slow(5), expect: always("healthy")},
		{name: "db-stop", loads: visit(0.3), stops: stop("postgresql", 200*time.Millisecond),
			expect: is("postgresql", "stopped")},
		{name: "redis-stop", loads: visit(0.3), stops: stop("redis", 200*time.Millisecond),
			expect: is("redis", "stopped")},
		{name: "app-stop", loads: visit(0.3), stops: stop("service", 300*time.Millisecond),
			expect: is("service", "stopped")},
		{name: "db-limit", loads: crowd(40, 100*time.Millisecond, each("/sales")...),
			expect: is("postgresql", "demand").orUnknown("postgresql")},
		{name: "app-limit", loads: crowd(40, 100*time.Millisecond, each("/advice")...),
			expect: is("service", "demand").orUnknown("service")},
		{name: "pool-1", params: pool("1", "15"), loads: crowd(30, 100*time.Millisecond),
			expect: is("service", "soft_resource").orUnknown("service")},
		{name: "pool-2", params: pool("2", "40"), loads: crowd(30, 200*time.Millisecond),
			expect: is("service", "soft_resource").orUnknown("service")},
		// Four threads, and each page waits 100 ms for something outside: 40 pages/s at most while all processors are
		// idle. HAProxy hands everything on, so that requests wait in the service's own sockets: more threads would
		// help, and they are the service's. Few visitors at first, then more than that.
		{name: "workers-few", params: params{"WORKERS": "1", "THREADS": "4", "OUTSIDE": "100"},
			loads:  calmThenCrowd(60),
			expect: crowdedOut("service")},
		// The same wait with 32 threads, of which HAProxy lets 4 be used: requests wait in HAProxy, whose limit is too
		// low.
		{name: "maxconn-4", params: params{"MAXCONN": "4", "OUTSIDE": "100"},
			loads:  calmThenCrowd(60),
			expect: crowdedOut("haproxy")},
		{name: "db-loss", loads: visit(0.3), beside: lossy("postgresql", 10), expect: is("postgresql", "network")},
		day(visit(0.3), stopsFor("redis", 200*time.Millisecond),
			crowdAt("postgresql", 40, 100*time.Millisecond, each("/sales")...), besetFor()),
		{name: "burst", loads: burst, expect: burstOf("service")},
		{name: "cold-start", cold: true, loads: visit(0.3), expect: coldStartOf("service")},
	}
}
