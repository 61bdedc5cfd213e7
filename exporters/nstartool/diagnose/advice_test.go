// SPDX-License-Identifier: Apache-2.0

package diagnose

import (
	"testing"
	"time"
)

// In the first half minute it is too early to look into what a healthy server waits for. If it is still not known after
// a minute, or has been unknown for longer than the range, somebody has to look.
func TestAdviceForAnApplicationThatIsNew(t *testing.T) {
	for _, tt := range []struct {
		name string
		seen time.Duration // for which there are verdicts
		new  bool
	}{
		{"20 s", 20 * time.Second, true},
		{"a minute", time.Minute, false},
		{"the whole range", 10 * time.Minute, false},
	} {
		r := Decide(scene(Finding{Verdict: Learning}, func(a *Application, o *Observations) {
			a.Times[1].Asleep = ptr(0.98)
			a.blame("tomcat", "tomcat", causeUnknown, 0.009, 1)
			a.Evaluations = evaluations(o.To.Add(-tt.seen), o.To, Finding{Verdict: Learning}, 1)
		}))
		if got := r.Advice == adviceOnTime; got != tt.new {
			t.Errorf("%s: %s", tt.name, r.Advice)
		}
	}
}
