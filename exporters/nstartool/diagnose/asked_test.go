// SPDX-License-Identifier: Apache-2.0

package diagnose

import (
	"strings"
	"testing"
)

func TestMoreIsAsked(t *testing.T) {
	const says = "shop serves 400 requests/s; 130 requests/s is usual, so that the load may be the reason."
	for _, tt := range []struct {
		name  string
		f     Finding
		usual float64
		want  bool
	}{
		{"three times as much", single("db", causeDemand), 130, true},
		{"a little more", single("db", causeDemand), 350, false},
		{"nothing is wrong", Finding{Verdict: Healthy}, 130, false},
		{"not known", single("db", causeDemand), 0, false},
	} {
		r := Decide(scene(tt.f, func(a *Application, _ *Observations) {
			a.blame("db", "db", causeDemand, 0.200, 1)
			a.UsualThroughput = tt.usual
		}))
		if got := strings.Contains(strings.Join(r.Apps[0].Notes, " "), says); got != tt.want {
			t.Errorf("%s: %q", tt.name, r.Apps[0].Notes)
		}
	}
}
