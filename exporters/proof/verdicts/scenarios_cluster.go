// SPDX-License-Identifier: Apache-2.0

package main

import "time"

// clusterScenarios are the faults of one of two servers, or of both, and clients that keep the front server waiting.
func clusterScenarios() []scenario {
	tls, http2 := params{"FRONT": "-DTLS"}, params{"FRONT": "-DTLS -DHTTP2"}
	stopped := stop(tomcat2, 300*time.Millisecond)
	return []scenario{
		{name: "healthy-30", loads: visitors(0.3, second), expect: always("healthy")},
		{name: "healthy-70", well: 0.7, loads: visitors(0.7, second), expect: always("healthy")},
		// Thirty clients read files of 1 to 10 MB, at 225 to 900 kB/s: httpd waits for the clients, and no
		// client for httpd.
		{name: "healthy-download", loads: beside(0.3, load{users: 30, think: second, readRate: 450_000,
			pages: []string{"/files/1", "/files/2", "/files/5", "/files/10"}}), expect: always("healthy")},
		// Thirty clients send 500 kB, at 50 to 200 kB/s: httpd waits for them, and so does Tomcat.
		{name: "healthy-upload", loads: beside(0.3, load{users: 30, think: second, sendRate: 100_000, body: 500_000,
			pages: []string{"/Upload"}}), expect: always("healthy")},
		{name: "healthy-30-tls", params: tls, loads: visitors(0.3, second), expect: always("healthy")},
		// HTTP/2 inside TLS can't be followed. The requests of the Tomcats can.
		{name: "healthy-30-http2", params: http2, loads: visitors(0.3, second),
			expect: always("healthy").or("learning")},
		{name: "one-stop", loads: visitors(0.3, second), stops: stopped, expect: is(tomcat2, "stopped")},
		{name: "one-stop-tls", params: tls, loads: visitors(0.3, second), stops: stopped,
			expect: is(tomcat2, "stopped")},
		{name: "one-gc", params: params{"COLLECTOR": "serial", "SECOND": "COLLECT=0.15"}, loads: visitors(0.3, second),
			expect: is(tomcat2, "garbage_collection")},
		{name: "one-quota", params: computing, loads: visitors(0.4, second), beside: throttle(tomcat2, 0.6),
			expect: is(tomcat2, "throttled")},
		// Pages hold one's only connection for 40 ms without using it.
		{name: "one-pool", params: params{"SECOND": "POOL=1 HOLD=40"}, loads: crowd(30, 100*time.Millisecond),
			expect: is(tomcat2, "soft_resource").orUnknown(tomcat2)},
		{name: "db-stop", loads: visitors(0.3, second), stops: stop(database2, 200*time.Millisecond),
			expect: is(database2, "stopped")},
		{name: "db-limit", loads: crowd(100, 100*time.Millisecond), expect: eitherOf("demand", database1, database2)},
		{name: "app-limit", params: computing, loads: crowd(60, 100*time.Millisecond),
			expect: eitherOf("demand", tomcat1, tomcat2)},
		{name: "burst", loads: burst, expect: burstOf(database1, database2)},
	}
}

// computing are pages that take some milliseconds in a Tomcat.
var computing = params{"COMPUTE": "100"}

// beside are visitors who use a share of the capacity, and others.
func beside(share float64, others load) demand {
	others.duration = time.Hour
	return visitors(share, second).and(others)
}

// eitherOf is the truth that servers of the same kind are to blame alike: one of them is named.
func eitherOf(cause string, tiers ...string) expectation {
	var names, half []string
	for _, tier := range tiers {
		names, half = append(names, bottleneck(tier, cause)), append(half, bottleneck(tier, "unknown"))
	}
	return always(names...).or(half...)
}
