// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"time"
)

// contentKey is what the Content API asks every reader for (deploy/magazine/fill.sql).
const contentKey = "0123456789abcdef0123456789"

// queried are the requests of an application of readers to Ghost. Varnish keeps none of the answers, because Ghost
// forbids it.
func queried(what string) string { return "/ghost/api/content/posts/?key=" + contentKey + "&" + what }

// newest is a page of the newest posts, with an argument for the other parts of the request.
func newest(page int, argument string) string {
	return queried(fmt.Sprintf("limit=5&include=tags&page=%d%s", page, argument))
}

// subscribing is what readers of the magazine do: nine of ten requests are for pages that Varnish keeps, most of them
// posts, and the others come from an application of theirs.
func subscribing() []string {
	out := kept()
	for i := 1; i <= 10; i++ {
		out = append(out, newest(3*i, ""))
	}
	return out
}

// kept are the pages that Varnish keeps.
func kept() []string {
	out := []string{"/", "/page/2/", "/rss/"}
	for i := 1; i <= 10; i++ {
		out = append(out, fmt.Sprintf("/tag/topic-%d/", i))
	}
	for i := 1; i <= 40; i++ {
		out = append(out, fmt.Sprintf("/post-%d/", 7*i), fmt.Sprintf("/post-%d/", 3001-i))
	}
	return out
}

// newestPages are 30 pages of the newest posts, with an argument.
func newestPages(argument string) (out []string) {
	for i := 1; i <= 30; i++ {
		out = append(out, newest(i, argument))
	}
	return out
}

// searched look for what no post contains: MariaDB reads all of them.
func searched() (out []string) {
	for i := 1; i <= 30; i++ {
		out = append(out, queried(fmt.Sprintf("limit=5&filter=html:~%%27nowhere%d%%27", i)))
	}
	return out
}

// magazineScenarios are the faults of the magazine.
func magazineScenarios() []scenario {
	return []scenario{
		{name: "healthy-30", loads: visit(0.3), expect: always("healthy")},
		{name: "healthy-70", well: 0.7, loads: visit(0.7), expect: always("healthy")},
		{name: "healthy-slow", loads: slow(10), expect: always("healthy")},
		// Pages that Varnish does not keep wait 150 ms for something outside: no request waits for another.
		{name: "healthy-waiting", loads: func(capacity float64) []load {
			return []load{independent(0.2*capacity, 2*second), {users: 10, think: 2 * second,
				pages: newestPages("&outside=150")}}
		}, expect: always("healthy")},
		// Varnish forgets all pages every 20 s: Ghost has to make all of them again, and is at its limit for a moment,
		// which passes.
		{name: "healthy-flush", loads: visit(0.3), beside: running("flush"),
			expect: always("healthy", bottleneck("node", "burst")).or(bottleneck("node", "demand"))},
		// All readers ask for one page, which Varnish keeps for a second. Fetching it takes half a second, for
		// something outside: one request asks Ghost for it, and all readers who come meanwhile wait for the
		// same answer.
		{name: "healthy-hot", params: params{"KEPT": "1", "GRACE": "0"},
			loads: crowd(60, time.Second, "/page/2/?outside=400"), expect: always("healthy")},
		// Varnish keeps pages for a second, and answers with older ones while it fetches them: more than Ghost
		// can make. All answers are quick, and Ghost is at its limit with requests that nobody waits for.
		{name: "healthy-stale", params: params{"KEPT": "1", "GRACE": "1000"}, loads: crowd(200, time.Second, kept()...),
			expect: always("healthy").or(bottleneck("node", "demand"))},
		{name: "db-stop", loads: visit(0.3), stops: stop("mariadbd", 200*time.Millisecond),
			expect: is("mariadbd", "stopped")},
		{name: "app-stop", loads: visit(0.3), stops: stop("node", 300*time.Millisecond), expect: is("node", "stopped")},
		{name: "cache-stop", loads: visit(0.3), stops: stop("varnishd", 300*time.Millisecond),
			expect: is("varnishd", "stopped")},
		// The table of posts, which nearly all that Ghost is asked for reads, is locked for 300 ms every two seconds.
		{name: "db-lock", loads: visit(0.3), beside: running("locks"),
			expect: is("mariadbd", "stopped").orUnknown("mariadbd")},
		{name: "db-limit", loads: crowd(20, 100*time.Millisecond, searched()...),
			expect: is("mariadbd", "demand").orUnknown("mariadbd")},
		{name: "app-limit", loads: crowd(40, 100*time.Millisecond, newestPages("")...),
			expect: is("node", "demand").orUnknown("node")},
		// Ghost has two connections to MariaDB, where the tags of posts take 40 ms in which nothing is computed: more
		// connections would help.
		{name: "pool-2", params: params{"POOL": "2", "HOLD": "40"}, loads: calmThenCrowd(30, newestPages("")...),
			expect: crowdedOut("node")},
		// Varnish has ten threads. A page that it must ask Ghost for takes two of them, and waits 150 ms for
		// something outside: pages that Varnish has kept wait for a thread, too.
		{name: "threads-few", params: params{"THREADS": "10"}, loads: calmThenCrowd(60, newestPages("&outside=150")...),
			expect: crowdedOut("varnishd")},
		{name: "burst", loads: burst, expect: burstOf("node")},
		{name: "cold-start", cold: true, loads: visit(0.3), expect: coldStartOf("node")},
	}
}
