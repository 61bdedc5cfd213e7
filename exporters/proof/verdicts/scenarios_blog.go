// SPDX-License-Identifier: Apache-2.0

package main

import (
	"time"

	"github.com/nstar-project/nstar/exporters/proof/bed"
)

// blogScenarios are the faults of the blog.
func blogScenarios() []scenario {
	children := func(n string) params { return params{"CHILDREN": n} }
	overUnix := func(n string) params { return params{"CHILDREN": n, "OVER": "unix"} }

	return []scenario{
		{name: "healthy-30", loads: visit(0.3), expect: always("healthy")},
		{name: "healthy-70", well: 0.7, loads: visit(0.7), expect: always("healthy")},
		{name: "php-stop-frequent", loads: visit(0.3), stops: stop("php", 300*time.Millisecond),
			expect: is("php", "stopped")},
		{name: "php-stop-rare", loads: visit(0.3),
			stops:  []stops{{tier: "php", every: 40 * second, length: 200 * time.Millisecond}},
			expect: always("healthy", bottleneck("php", "stopped"))},
		{name: "unseen-healthy", unseen: "mariadb", loads: visit(0.3), expect: always("healthy")},
		{name: "unseen-limit", unseen: "mariadb", params: children("8"),
			loads: crowd(40, 100*time.Millisecond, bed.Searching()...), expect: is("mariadb", "slow").orUnknown("php")},
		{name: "unseen-stop", unseen: "mariadb", loads: visit(0.3), stops: stop("mariadb", 300*time.Millisecond),
			expect: is("mariadb", "slow").orUnknown("php")},
		// nginx asks PHP-FPM over a Unix socket, as Debian has it, and PHP MariaDB.
		{name: "unix-healthy", params: overUnix("16"), loads: visit(0.3), expect: always("healthy")},
		{name: "unix-php-stop", params: overUnix("16"), loads: visit(0.3), stops: stop("php", 300*time.Millisecond),
			expect: is("php", "stopped")},
		{name: "unix-db-stop", params: overUnix("16"), loads: visit(0.3), stops: stop("mariadb", 200*time.Millisecond),
			expect: is("mariadb", "stopped")},
		{name: "unix-workers-2", params: overUnix("2"), loads: calmThenCrowd(30, "/?p=500&query=150"),
			expect: crowdedOut("php")},
		{name: "unix-db-limit", params: params{"CHILDREN": "8", "OVER": "unix"},
			loads:  crowd(40, 100*time.Millisecond, bed.Searching()...),
			expect: is("mariadb", "demand").orUnknown("mariadb")},
		{name: "db-stop", loads: visit(0.3), stops: stop("mariadb", 200*time.Millisecond),
			expect: is("mariadb", "stopped")},
		{name: "php-limit", loads: crowd(40, 100*time.Millisecond),
			expect: is("php", "demand").or(bottleneck("php", "unknown"), bottleneck("php", "soft_resource"))},
		{name: "db-limit", params: children("8"), loads: crowd(40, 100*time.Millisecond, bed.Searching()...),
			expect: is("mariadb", "demand").orUnknown("mariadb")},
		{name: "workers-2", params: children("2"), loads: calmThenCrowd(30, "/?p=500&query=150"),
			expect: crowdedOut("php")},
		{name: "php-quota", loads: visit(0.4), beside: throttle("php", 0.7), expect: is("php", "throttled")},
		// Each page opens a new connection, and waits for the greeting of a database that is throttled.
		{name: "db-quota", loads: visit(0.4), beside: throttle("mariadb", 0.7), expect: is("mariadb", "throttled")},
		{name: "burst", loads: burst, expect: burstOf("php")},
		{name: "cold-start", cold: true, loads: slow(8), expect: always("healthy")},
		{name: "healthy-slow", loads: slow(8), expect: always("healthy")},
		{name: "db-stop-slow", loads: slow(8), stops: stop("mariadb", 200*time.Millisecond),
			expect: is("mariadb", "stopped")},
		{name: "php-stop-slow", loads: slow(8), stops: stop("php", 200*time.Millisecond),
			expect: is("php", "stopped")},
	}
}
