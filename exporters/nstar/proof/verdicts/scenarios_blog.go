// SPDX-License-Identifier: Apache-2.0

package main

import (
	"time"

	"github.com/nstar-project/nstar/exporters/nstar/proof/bed"
)

// blogScenarios are the faults of the blog.
func blogScenarios() []scenario {
	read := func(share float64) func(float64) []load {
		return func(capacity float64) []load {
			l := independent(share*capacity, 2*second)
			l.paths = bed.Reading()
			return []load{l}
		}
	}
	slow := func(float64) []load {
		l := independent(8, 5*second)
		l.paths = bed.Reading()
		return []load{l}
	}
	crowd := func(users int, think time.Duration, paths ...string) func(float64) []load {
		return func(float64) []load { return []load{{users: users, think: think, paths: paths}} }
	}
	stopDB := []stops{{tier: "mariadb", every: 2 * second, length: 200 * time.Millisecond}}
	stopPHP := func(every, length time.Duration) []stops { return []stops{{tier: "php", every: every, length: length}} }
	children := func(n string) map[string]string { return map[string]string{"CHILDREN": n} }

	all := []scenario{
		{name: "healthy-30", loads: read(0.3), expect: always("healthy")},
		{name: "healthy-70", well: 0.7, loads: read(0.7), expect: always("healthy")},
		{name: "php-stop-frequent", loads: read(0.3), stops: stopPHP(2*second, 300*time.Millisecond),
			expect: always("single_bottleneck/php/stopped")},
		{name: "php-stop-rare", loads: read(0.3), stops: stopPHP(40*second, 200*time.Millisecond),
			expect: always("healthy", "single_bottleneck/php/stopped")},
		{name: "db-stop", loads: read(0.3), stops: stopDB, expect: always("single_bottleneck/mariadb/stopped")},
		{name: "php-limit", loads: crowd(40, 100*time.Millisecond, bed.Reading()...),
			expect: always("single_bottleneck/php/demand").
				or("single_bottleneck/php/unknown", "single_bottleneck/php/soft_resource")},
		{name: "db-limit", params: children("8"), loads: crowd(40, 100*time.Millisecond, bed.Searching()...),
			expect: always("single_bottleneck/mariadb/demand").or("single_bottleneck/mariadb/unknown")},
		{name: "workers-2", params: children("2"), loads: calmThenCrowd(30, "/?p=500&query=150"),
			expect: always("healthy", "learning").then(30*second, "healthy", "single_bottleneck/php/soft_resource").
				then(90*second, "single_bottleneck/php/soft_resource").or("single_bottleneck/php/unknown")},
		{name: "burst", loads: withPaths(burst(60*second, 15*second), bed.Reading()),
			expect: burstOf("php", 60*second, 15*second)},
		{name: "cold-start", cold: true, loads: slow, expect: always("healthy")},
		{name: "healthy-slow", loads: slow, expect: always("healthy")},
		{name: "db-stop-slow", loads: slow, stops: stopDB, expect: always("single_bottleneck/mariadb/stopped")},
		{name: "php-stop-slow", loads: slow, stops: stopPHP(2*second, 200*time.Millisecond),
			expect: always("single_bottleneck/php/stopped")},
	}
	for i := range all {
		all[i].paths = bed.Reading()
	}
	return all
}

// calmThenCrowd is a page for few visitors, and after half a minute for many.
func calmThenCrowd(users int, paths ...string) func(float64) []load {
	return func(float64) []load {
		calm := load{users: 4, think: 2 * second, paths: paths}
		crowd := load{users: users, think: second, paths: paths, from: 30 * second, duration: time.Hour}
		return []load{calm, crowd}
	}
}

// withPaths is a load on given pages.
func withPaths(loads func(float64) []load, paths []string) func(float64) []load {
	return func(capacity float64) []load {
		out := loads(capacity)
		for i := range out {
			out[i].paths = paths
		}
		return out
	}
}
