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

// Replicas are to blame together for their collections, also if these take turns with another tier; for their work only
// if they are at their limits together.
func TestCostOfReplicas(t *testing.T) {
	for f, want := range map[Finding]float64{
		{SingleBottleneck, "node-1", causeCollection}:      0.03,
		{AlternatingBottleneck, "node-1", causeCollection}: 0.03,
		single("node-1", causeDemand):                      0.03,
		{AlternatingBottleneck, "node-1", causeDemand}:     0.02,
		single("node-1", causeStopped):                     0.02,
	} {
		d := diagnosis{Application: Application{
			Times: []TierTime{{Tier: "node-1"}, {Tier: "node-2"}},
			Edges: []Edge{{From: "proxy", To: "node-1"}, {From: "proxy", To: "node-2"}},
			Blame: []Excess{{Tier: "node-1", Cause: f.Cause, Seconds: 0.02},
				{Tier: "node-2", Cause: f.Cause, Seconds: 0.01}},
		}, finding: f}
		if got := d.charged(); got != want {
			t.Errorf("%+v: %g s, want %g", f, got, want)
		}
	}
}
