// SPDX-License-Identifier: Apache-2.0

package diagnose

import (
	"strings"
	"testing"
	"time"
)

func TestSilence(t *testing.T) {
	const says = "shop has had no requests since about 02:59:15: all that is said here is about the time before."
	for _, tt := range []struct {
		name       string
		since      time.Duration
		throughput float64
		want       bool
	}{
		{"a load that has ended", 45 * time.Second, 400, true},
		{"just now", 15 * time.Second, 400, false},
		{"few requests come, as a rule", 45 * time.Second, 0.5, false},
		{"requests come", 0, 400, false},
	} {
		r := Decide(scene(Finding{Verdict: Healthy}, func(a *Application, o *Observations) {
			a.Throughput = tt.throughput
			if tt.since > 0 {
				a.Silent = o.To.Add(-tt.since)
			}
		}))
		if got := strings.Contains(strings.Join(r.Apps[0].Notes, " "), says); got != tt.want {
			t.Errorf("%s: %q", tt.name, r.Apps[0].Notes)
		}
	}
}
