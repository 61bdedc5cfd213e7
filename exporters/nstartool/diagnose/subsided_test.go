// SPDX-License-Identifier: Apache-2.0

package diagnose

import (
	"strings"
	"testing"
	"time"
)

// What is named may be over: the mean of a minute takes long to forget it.
func TestSubsided(t *testing.T) {
	const says = "for 12m. Hardly any of it has been there since 02:59:40: it may be over."
	for _, tt := range []struct {
		name  string
		named string // the cause that the rules name
		gone  Subsided
		want  bool
	}{
		{"a quota that was lifted", "throttled", Subsided{"db", "throttled", end.Add(-20 * time.Second)}, true},
		{"a burst is demand", causeBurst, Subsided{"db", causeDemand, end.Add(-20 * time.Second)}, true},
		{"a moment ago", "throttled", Subsided{"db", "throttled", end.Add(-10 * time.Second)}, false},
		{"another tier", "throttled", Subsided{"tomcat", "throttled", end.Add(-20 * time.Second)}, false},
		{"another cause", "throttled", Subsided{"db", causeDemand, end.Add(-20 * time.Second)}, false},
	} {
		r := Decide(scene(single("db", tt.named), func(a *Application, _ *Observations) {
			a.Subsided = []Subsided{tt.gone}
		}))
		if got := strings.Contains(r.Apps[0].Summary, says); got != tt.want {
			t.Errorf("%s: %s", tt.name, r.Apps[0].Summary)
		}
	}
}

// A tier whose requests sleep is slow, whether that is charged to it as slow or without a reason.
func TestSubsidedSleep(t *testing.T) {
	slow := Subsided{"db", causeSlow, end.Add(-30 * time.Second)}
	unknown := Subsided{"db", causeUnknown, end.Add(-20 * time.Second)}
	for want, gone := range map[bool][]Subsided{true: {slow, unknown}, false: {slow}} {
		r := Decide(scene(single("db", causeSlow), func(a *Application, _ *Observations) {
			a.blame("db", "db", causeSlow, 0.002, 0.1)
			a.blame("db", "db", causeUnknown, 0.03, 0.7)
			a.Subsided = gone
		}))
		got := r.Apps[0].Summary
		if strings.Contains(got, "it may be over") != want || !strings.Contains(got, ": 32 ms (") {
			t.Errorf("%v: %s", gone, got)
		}
	}
}
