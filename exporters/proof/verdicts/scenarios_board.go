// SPDX-License-Identifier: Apache-2.0

package main

import "time"

// boardScenarios are the faults of the bulletin board.
func boardScenarios() []scenario {
	return []scenario{
		{name: "healthy-30", loads: visitors(0.3, second), expect: always("healthy")},
		{name: "healthy-70", well: 0.7, loads: visitors(0.7, second), expect: always("healthy")},
		{name: "gc-frequent", params: params{"COLLECTOR": "serial", "COLLECT": "0.15"}, loads: visitors(0.35, second),
			expect: always(bottleneck("tomcat", "garbage_collection"),
				"alternating_bottleneck/tomcat/garbage_collection")},
		{name: "db-stop", loads: visitors(0.3, second), stops: stop("mariadb", 200*time.Millisecond),
			expect: is("mariadb", "stopped")},
		{name: "pool-1", params: params{"POOL": "1", "HOLD": "8"}, loads: crowd(30, 100*time.Millisecond),
			expect: is("tomcat", "soft_resource").orUnknown("tomcat")},
		{name: "db-limit", loads: crowd(100, 100*time.Millisecond),
			expect: is("mariadb", "demand").orUnknown("mariadb")},
		{name: "pool-6", params: params{"POOL": "6", "HOLD": "40"}, loads: crowd(40, 200*time.Millisecond),
			expect: is("tomcat", "soft_resource").orUnknown("tomcat")},
		{name: "unseen-healthy", unseen: "mariadb", loads: visitors(0.3, second), expect: always("healthy")},
		{name: "unseen-limit", unseen: "mariadb", loads: crowd(100, 100*time.Millisecond),
			expect: is("mariadb", "slow").orUnknown("tomcat")},
		{name: "unseen-stop", unseen: "mariadb", loads: visitors(0.3, second),
			stops: stop("mariadb", 300*time.Millisecond), expect: is("mariadb", "slow").orUnknown("tomcat")},
		{name: "pool-32-db", loads: crowd(160, 100*time.Millisecond),
			expect: is("mariadb", "demand").orUnknown("mariadb")},
		{name: "workers-20", params: params{"WORKERS": "20", "OUTSIDE": "150"}, loads: crowd(60, 200*time.Millisecond),
			expect: is("httpd", "soft_resource").orUnknown("httpd")},
		{name: "gc-rare", params: params{"COLLECTOR": "serial", "COLLECT": "0.005"}, loads: visitors(0.3, second),
			expect: always("healthy", bottleneck("tomcat", "garbage_collection"))},
		{name: "alternation", params: params{"COLLECTOR": "serial", "HEAP": "166m", "YOUNG": "48m", "LIVE_MB": "100"},
			loads: crowd(100, 100*time.Millisecond),
			expect: always("alternating_bottleneck/*/*").or(bottleneck("tomcat", "garbage_collection"),
				bottleneck("mariadb", "demand"))},
		{name: "db-quota", loads: visitors(0.5, second), beside: throttle("mariadb", 0.7),
			expect: is("mariadb", "throttled")},
		{name: "db-disk", params: fromDisk, loads: visitors(0.4, second), beside: slowDisk("mariadb", 0.7),
			expect: is("mariadb", "disk")},
		{name: "burst", loads: burst, expect: burstOf("mariadb")},
		{name: "cold-start", cold: true, loads: visitors(0.3, second), expect: coldStartOf("tomcat")},
		{name: "healthy-20s", loads: slow(20), expect: always("healthy")},
		{name: "db-stop-20s", loads: slow(20), stops: stop("mariadb", 200*time.Millisecond),
			expect: is("mariadb", "stopped")},
		{name: "db-loss", loads: visit(0.3), beside: lossy("mariadb", 10), expect: is("mariadb", "network")},
		{name: "tomcat-stop-20s", loads: slow(20), stops: stop("tomcat", 200*time.Millisecond),
			expect: is("tomcat", "stopped")},
		day(visitors(0.3, second), stopsFor("mariadb", 200*time.Millisecond),
			crowdAt("mariadb", 100, 100*time.Millisecond), stopsFor("tomcat", 200*time.Millisecond)),
	}
}
