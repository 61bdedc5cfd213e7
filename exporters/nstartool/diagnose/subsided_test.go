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
