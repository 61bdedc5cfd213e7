// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"time"
)

// repository is the first page of one of the forge's repositories: git lists its files, and its README is translated.
func repository(n int) string { return fmt.Sprintf("/user%d/project", n) }

// ticket is an issue in a repository of the forge. Every twentieth, the first of them, has 62 comments, the others two.
func ticket(repo, n int) string { return fmt.Sprintf("%s/issues/%d", repository(repo), n) }

// collaborating is what visitors of the forge do: most read issues and lists of them, some look at code.
func collaborating() []string {
	out := []string{"/explore/repos", "/explore/users"}
	for i := 1; i <= 25; i++ {
		out = append(out, ticket(i, 2*i), ticket(2*i, 6*i), ticket(i, 100+i), repository(i)+"/issues")
		switch i % 5 {
		case 0:
			out = append(out, repository(i), fmt.Sprintf("%s/issues?state=closed&page=2", repository(i)))
		case 1:
			out = append(out, fmt.Sprintf("/api/v1/repos/user%d/project/issues?limit=20", i),
				repository(i)+"/commits/branch/main")
		case 2:
			out = append(out, fmt.Sprintf("/user%d", i), repository(i)+"/src/branch/main/README.md")
		}
	}
	return out
}

// discussions are issues with 62 comments, each of which Gitea translates from Markdown.
func discussions() (out []string) {
	for i := 1; i <= 40; i++ {
		out = append(out, ticket(i, 20*(i%8)+1))
	}
	return out
}

// keywords look for words that no issue has: PostgreSQL reads every comment.
func keywords() (out []string) {
	for i := 1; i <= 30; i++ {
		out = append(out, fmt.Sprintf("%s/issues?type=all&state=open&q=nowhere%d", repository(i), i))
	}
	return out
}

// tickets are issues with two comments, and nothing else.
func tickets() (out []string) {
	for i := 1; i <= 30; i++ {
		out = append(out, ticket(i, 5*i))
	}
	return out
}

// forgeScenarios are the faults of the forge.
func forgeScenarios() []scenario {
	return []scenario{
		{name: "healthy-30", loads: visit(0.3), expect: always("healthy")},
		{name: "healthy-70", well: 0.7, loads: visit(0.7), expect: always("healthy")},
		// Every three seconds Gitea counts everything in PostgreSQL and lets git check all repositories; no
		// request waits for that.
		{name: "healthy-jobs", params: params{"JOBS": "@every 3s"}, loads: visit(0.3), expect: always("healthy")},
		// At its start Gitea reads every issue, one after the other as fast as PostgreSQL answers. No request
		// waits for that; it takes longer than warming up.
		{name: "healthy-indexing", params: params{"INDEX": "1"}, loads: visit(0.3), expect: always("healthy")},
		// Each statement that reads issues waits 20 ms, five of them for most pages, with any number of pages
		// at a time: no request waits for another.
		{name: "healthy-waiting", params: params{"HOLD": "20"}, loads: visit(0.2), expect: always("healthy")},
		{name: "db-stop", loads: visit(0.3), stops: stop("postgres", 200*time.Millisecond),
			expect: is("postgres", "stopped")},
		{name: "app-stop", loads: visit(0.3), stops: stop("gitea", 300*time.Millisecond),
			expect: is("gitea", "stopped")},
		{name: "httpd-stop", loads: visit(0.3), stops: stop("apache2", 300*time.Millisecond),
			expect: is("apache2", "stopped")},
		// The table of comments, which every page of an issue reads, is locked for 300 ms every two seconds.
		{name: "db-lock", loads: visit(0.3), beside: running("locks"),
			expect: is("postgres", "stopped").orUnknown("postgres")},
		{name: "db-limit", loads: crowd(20, 100*time.Millisecond, keywords()...),
			expect: is("postgres", "demand").orUnknown("postgres")},
		{name: "app-limit", params: params{"GOMAXPROCS": "1"}, loads: crowd(40, 100*time.Millisecond, discussions()...),
			expect: is("gitea", "demand").orUnknown("gitea")},
		// Two connections, and five statements of each page wait 30 ms in PostgreSQL without computing.
		{name: "pool-2", params: params{"POOL": "2", "HOLD": "30"},
			loads:  crowd(30, 100*time.Millisecond, tickets()...),
			expect: is("gitea", "soft_resource").orUnknown("gitea")},
		// Four threads of httpd, and pages that wait 200 ms in PostgreSQL without computing: 20 pages a second at most.
		// Few visitors at first, then 60. httpd holds connections that it has accepted without a thread for each of
		// them.
		{name: "workers-few", params: params{"PROCESSES": "1", "THREADS": "4", "WORKERS": "4", "HOLD": "40"},
			loads: calmThenCrowd(60, tickets()...), expect: crowdedOut("apache2")},
		{name: "burst", loads: burst, expect: burstOf("gitea")},
		{name: "cold-start", cold: true, loads: visit(0.3), expect: coldStartOf("gitea")},
	}
}
