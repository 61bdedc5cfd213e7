// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"time"
)

// article is a page of the wiki.
func article(n int) string { return fmt.Sprintf("/index.php?title=Article_%d", n) }

// secondRevision and the number of an article are the number of its second revision (deploy/wiki/mediawiki/fill.php).
const secondRevision = 402

// special are the wiki's special pages of a kind, about this many articles.
func special(format string, n int) []string {
	var out []string
	for i := 1; i <= n; i++ {
		out = append(out, "/index.php?title=Special:"+fmt.Sprintf(format, 9*i))
	}
	return out
}

// consulting is what visitors of the wiki do: most look at articles, some look for words, at histories, at what is new.
// The articles are few enough for the parser cache to have most of them after warming up.
func consulting() []string {
	var out []string
	for i := 1; i <= 20; i++ {
		out = append(out, article(i), article(i), article(19*i), article(19*i))
		switch i % 5 {
		case 0:
			out = append(out, article(i)+"&action=history",
				"/index.php?title=Special:Search&fulltext=1&search=baketaru")
		case 1:
			out = append(out, fmt.Sprintf("/index.php?title=Category:Topic_%d", i),
				fmt.Sprintf("%s&diff=prev&oldid=%d", article(i), secondRevision+i))
		case 2:
			out = append(out, "/index.php?title=Special:Statistics",
				"/load.php?lang=en&skin=vector&modules=startup&only=scripts&raw=1")
		}
	}
	out = append(out, special("WhatLinksHere/Article_%d", 4)...)
	return append(out, "/index.php?title=Special:RecentChanges&limit=50", "/index.php?title=Special:AllPages")
}

// wikiScenarios are the faults of the wiki.
func wikiScenarios() []scenario {
	var waiting []string // for 150 ms, for something outside
	for i := 1; i <= 30; i++ {
		waiting = append(waiting, article(i)+"&outside=150")
	}
	return []scenario{
		{name: "healthy-30", loads: visit(0.3), expect: always("healthy")},
		{name: "healthy-70", loads: visit(0.7), expect: always("healthy")},
		{name: "healthy-slow", loads: slow(5), expect: always("healthy")},
		{name: "db-stop", loads: visit(0.3), stops: stop("mariadbd", 200*time.Millisecond),
			expect: is("mariadbd", "stopped")},
		{name: "memcached-stop", loads: visit(0.3), stops: stop("memcached", 200*time.Millisecond),
			expect: is("memcached", "stopped")},
		{name: "httpd-stop", loads: visit(0.3), stops: stop("apache2", 300*time.Millisecond),
			expect: is("apache2", "stopped")},
		// The table of pages, which every page reads, is locked for 300 ms every two seconds.
		{name: "db-lock", loads: visit(0.3), beside: running("locks"),
			expect: is("mariadbd", "stopped").orUnknown("mariadbd")},
		// The list of pages that many others link to and that do not exist: MariaDB counts all links. Many such
		// queries on one processor begin and end together, and then their pages compute together: the two tiers
		// really take turns.
		{name: "db-limit", loads: crowd(30, 100*time.Millisecond, special("WantedPages&offset=%d", 9)...),
			expect: is("mariadbd", "demand").
				or(bottleneck("mariadbd", "unknown"), "alternating_bottleneck/mariadbd/demand")},
		{name: "httpd-limit", params: params{"PARSER_CACHE": "0"}, loads: crowd(40, 100*time.Millisecond),
			expect: is("apache2", "demand").orUnknown("apache2")},
		// Four processes, and pages wait 150 ms for something outside: connections that no process accepts wait
		// in the kernel.
		{name: "workers-few", params: params{"WORKERS": "4"}, loads: calmThenCrowd(60, waiting...),
			expect: crowdedOut("apache2")},
		{name: "burst", loads: burst, expect: burstOf("apache2")},
		{name: "cold-start", cold: true, loads: visit(0.3), expect: coldStartOf("apache2")},
	}
}
