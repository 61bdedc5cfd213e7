// SPDX-License-Identifier: Apache-2.0

package diagnose

import (
	"strings"
	"testing"
)

// What a tier asks instead of its cache is said, and which cache that is.
func TestCacheLost(t *testing.T) {
	d := diagnosis{finding: single("web", causeCacheLost), share: 0.5, seconds: 0.006}
	d.Times = []TierTime{{Tier: "web", Own: 0.004}, {Tier: "db", Own: 0.008}}
	d.Edges = []Edge{
		{From: "web", To: "db", Calls: &Growth{Now: 0.9, Before: 0.2}},
		{From: "web", To: "cache", Calls: &Growth{Now: 1, Before: 1}},
		{From: "front", To: "web", Calls: &Growth{Now: 3, Before: 1}},
	}
	d.Programs = map[string]Program{"cache": {Name: "redis"}}
	want := "web does not find in its cache (cache) what it found there before: 6.0 ms (50 %) of the mean response " +
		"time of 12 ms are spent waiting for what it asks instead (web calls db 0.9 times for each of its requests " +
		"instead of 0.2)."
	if got := d.blame(); got != want {
		t.Errorf("%q, want %q", got, want)
	}
	d.Programs = nil
	if got := d.blame(); !strings.HasPrefix(got, "web does not find in its cache what it found there before: ") {
		t.Error(got)
	}
}
