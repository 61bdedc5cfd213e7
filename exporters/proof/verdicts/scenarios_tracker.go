// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"time"
)

// issue is a page of the tracker.
func issue(n int) string { return fmt.Sprintf("/issues/%d", n) }

// searches look for words that are in few issues, or in none: PostgreSQL reads all of them.
func searches(n int) []string {
	var out []string
	for i := 1; i <= n; i++ {
		out = append(out, fmt.Sprintf("/search?issues=1&q=%c%clonopelruta", 'a'+i/26, 'a'+i%26))
	}
	return out
}

// tracking is what visitors of the tracker do: most look at issues, some at lists of them or at pages of its wikis.
func tracking() []string {
	out := []string{"/projects"}
	for i := 1; i <= 20; i++ {
		project := fmt.Sprintf("/projects/project-%d", 1+i%10)
		out = append(out, issue(40*i), issue(70*i), issue(500*i), project+"/wiki/Wiki")
		switch i % 5 {
		case 0:
			out = append(out, project+"/issues", fmt.Sprintf("/issues?page=%d&sort=updated_on:desc", i))
		case 1:
			out = append(out, project+"/issues", fmt.Sprintf("%s/wiki/Page_%d", project, i%19+1))
		case 2:
			out = append(out, project, project+"/issues?tracker_id=1&sort=priority:desc")
		}
	}
	return out
}

// trackerScenarios are the faults of the tracker.
func trackerScenarios() []scenario {
	var waiting []string // for 300 ms, for something outside
	for i := 1; i <= 30; i++ {
		waiting = append(waiting, issue(40*i)+"?outside=300")
	}
	return []scenario{
		{name: "healthy-30", loads: visit(0.3), expect: always("healthy")},
		{name: "healthy-70", loads: visit(0.7), well: 0.7, expect: always("healthy")},
		{name: "db-stop", loads: visit(0.3), stops: stop("postgres", 200*time.Millisecond),
			expect: is("postgres", "stopped")},
		{name: "app-stop", loads: visit(0.3), stops: stop("puma", 300*time.Millisecond), expect: is("puma", "stopped")},
		{name: "db-limit", loads: crowd(30, 100*time.Millisecond, searches(30)...),
			expect: is("postgres", "demand").orUnknown("postgres")},
		{name: "app-limit", loads: crowd(40, 100*time.Millisecond), expect: is("puma", "demand").orUnknown("puma")},
		// Two threads, and pages wait 300 ms for something outside: six pages a second at most, while the
		// processors are idle. Requests that no thread takes wait in connections that Puma accepts only when it
		// has a free thread.
		{name: "workers-few", params: params{"WORKERS": "1", "THREADS": "2"}, loads: calmThenCrowd(30, waiting...),
			expect: crowdedOut("puma")},
		{name: "burst", loads: burst, expect: burstOf("puma")},
		{name: "cold-start", cold: true, loads: visit(0.3), expect: coldStartOf("puma")},
	}
}
