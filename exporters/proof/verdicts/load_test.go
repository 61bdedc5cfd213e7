// SPDX-License-Identifier: Apache-2.0

package main

import "testing"

func TestOutcomeSince(t *testing.T) {
	before := outcome{Completions: 100, Duration: 10, Mean: 0.1, Errors: 1}
	for _, test := range []struct {
		name  string
		after outcome
		want  string
	}{
		{"more pages", outcome{Completions: 200, Duration: 15, Mean: 0.2, Errors: 3},
			"20 pages/s, mean 300.0 ms, p95 0 ms, 2 errors"},
		{"nothing but errors", outcome{Completions: 100, Duration: 15, Mean: 0.1, Errors: 41},
			"0 pages/s, mean 0.0 ms, p95 0 ms, 40 errors"},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := test.after.since(before).String(); got != test.want {
				t.Errorf("since() = %s, want %s", got, test.want)
			}
		})
	}
}
