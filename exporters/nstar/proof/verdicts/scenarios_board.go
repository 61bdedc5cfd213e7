// SPDX-License-Identifier: Apache-2.0

package main

import "time"

const second = time.Second

// boardScenarios are the faults of the bulletin board.
func boardScenarios() []scenario {
	healthy := func(share float64) func(float64) []load {
		return func(capacity float64) []load { return []load{independent(share*capacity, second)} }
	}
	slow := func(float64) []load { return []load{independent(20, 5*second)} }
	crowd := func(users int, think time.Duration) func(float64) []load {
		return func(float64) []load { return []load{{users: users, think: think}} }
	}
	params := func(nameValue ...string) map[string]string {
		out := make(map[string]string)
		for i := 0; i+1 < len(nameValue); i += 2 {
			out[nameValue[i]] = nameValue[i+1]
		}
		return out
	}
	stop := func(tier string) []stops {
		return []stops{{tier: tier, every: 2 * second, length: 200 * time.Millisecond}}
	}

	return []scenario{
		{name: "healthy-30", loads: healthy(0.3), expect: always("healthy")},
		{name: "healthy-70", well: 0.7, loads: healthy(0.7), expect: always("healthy")},
		{name: "gc-frequent", params: params("COLLECTOR", "serial", "COLLECT", "0.15"), loads: healthy(0.35),
			expect: always("single_bottleneck/tomcat/garbage_collection", "alternating_bottleneck/tomcat/garbage_collection")},
		{name: "db-stop", loads: healthy(0.3), stops: stop("mariadb"), expect: always("single_bottleneck/mariadb/stopped")},
		{name: "pool-1", params: params("POOL", "1", "HOLD", "8"), loads: crowd(30, 100*time.Millisecond),
			expect: always("single_bottleneck/tomcat/soft_resource").or("single_bottleneck/tomcat/unknown")},
		{name: "db-limit", loads: crowd(100, 100*time.Millisecond),
			expect: always("single_bottleneck/mariadb/demand").or("single_bottleneck/mariadb/unknown")},
		{name: "pool-6", params: params("POOL", "6", "HOLD", "40"), loads: crowd(40, 200*time.Millisecond),
			expect: always("single_bottleneck/tomcat/soft_resource").or("single_bottleneck/tomcat/unknown")},
		{name: "pool-32-db", loads: crowd(160, 100*time.Millisecond),
			expect: always("single_bottleneck/mariadb/demand").or("single_bottleneck/mariadb/unknown")},
		{name: "workers-20", params: params("WORKERS", "20", "OUTSIDE", "150"), loads: crowd(60, 200*time.Millisecond),
			expect: always("single_bottleneck/httpd/soft_resource").or("single_bottleneck/httpd/unknown")},
		{name: "gc-rare", params: params("COLLECTOR", "serial", "COLLECT", "0.005"), loads: healthy(0.3),
			expect: always("healthy", "single_bottleneck/tomcat/garbage_collection")},
		{name: "alternation", params: params("COLLECTOR", "serial", "HEAP", "166m", "YOUNG", "48m", "LIVE_MB", "100"),
			loads: crowd(100, 100*time.Millisecond),
			expect: always("alternating_bottleneck/*/*").or("single_bottleneck/tomcat/garbage_collection",
				"single_bottleneck/mariadb/demand")},
		{name: "burst", loads: burst(60*second, 15*second), expect: burstOf("mariadb", 60*second, 15*second)},
		{name: "cold-start", cold: true, loads: healthy(0.3),
			expect: always("healthy", "single_bottleneck/tomcat/demand", "single_bottleneck/tomcat/burst").
				then(120*second, "healthy")},
		{name: "healthy-20s", loads: slow, expect: always("healthy")},
		{name: "db-stop-20s", loads: slow, stops: stop("mariadb"), expect: always("single_bottleneck/mariadb/stopped")},
		{name: "tomcat-stop-20s", loads: slow, stops: stop("tomcat"),
			expect: always("single_bottleneck/tomcat/stopped")},
	}
}

// burst is a quiet load, and for some time a crowd that no server can follow.
func burst(from, length time.Duration) func(float64) []load {
	return func(capacity float64) []load {
		crowd := independent(1.5*capacity, second)
		crowd.from, crowd.duration = from, length
		return []load{independent(0.3*capacity, second), crowd}
	}
}

// burstOf is the truth of a burst: the tier that is at its limit, as long as the last minute contains some of it, or of
// the queue that it left. Nothing has to be named: the burst passes.
func burstOf(tier string, from, length time.Duration) expectation {
	name := "single_bottleneck/" + tier
	return always("healthy").then(from, "healthy", name+"/burst", name+"/demand").then(from+length+85*second, "healthy")
}
