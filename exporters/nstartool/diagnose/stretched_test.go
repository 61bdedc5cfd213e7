// SPDX-License-Identifier: Apache-2.0

package diagnose

import (
	"context"
	"strings"
	"testing"
	"time"
)

// One of four services has become slow. The mean over all requests grows by a third, which is no reason to name
// anybody.
func TestStretched(t *testing.T) {
	const healthy = `{"app":"shop","verdict":"healthy"}`
	for _, tt := range []struct {
		now  float64
		says string
	}{
		{0.030, "But each request of starman takes 30 ms there now, 7.5 times as long as usual. Only 15 % of the " +
			"requests need it"},
		{0.013, ""},
	} {
		r := server(t, "2.42.0", "nstar:app_verdict", recorded{
			"nstar:app_verdict":                         {healthy: 1},
			"min_over_time(nstar:tier_own_time:mean15s": {`{"app":"shop","tier":"starman"}`: tt.now},
			"nstar:tier_usual_own_residence:seconds": {
				`{"app":"shop","tier":"starman"}`: 0.004, `{"app":"shop","tier":"web"}`: 0.001},
			"nstar:tier_throughput:": {`{"app":"shop","tier":"starman"}`: 0.15},
		})
		o, err := r.Read(context.Background(), "", 3*time.Minute)
		if err != nil {
			t.Fatal(err)
		}
		d := diagnosis{Application: o.Apps[0], finding: Finding{Verdict: Healthy}}
		if got := d.adviceWhenWell(); tt.says == "" && got != nothing || !strings.Contains(got, tt.says) {
			t.Errorf("%g s: %s", tt.now, got)
		}
		for total, hardly := range map[float64]bool{0.03: false, 0.05: true} {
			d.Times = []TierTime{{Tier: "starman", Own: total}}
			got := d.adviceWhenWell()
			if strings.Contains(got, "hardly shows") != (hardly && tt.says != "") {
				t.Errorf("%g s of %g s: %s", tt.now, total, got)
			}
		}
	}
}

// What its threads do is no question if it is known that they compute.
func TestStretchedByWork(t *testing.T) {
	d := diagnosis{finding: Finding{Verdict: Healthy}}
	d.Stretched = []Stretched{{Tier: "java", Now: 0.03, Usual: 0.005, Visits: 0.3}}
	d.Times = []TierTime{{Tier: "java", Own: 0.01, Cost: &Growth{Now: 0.012, Before: 0.002}}}
	got := d.someWait()
	if !strings.Contains(got, "Each request of java takes 12 ms of processor time; 2.0 ms is usual. Is it ") ||
		strings.Contains(got, "thread dump") {
		t.Error(got)
	}
	d.Evaluations = evaluations(end.Add(-time.Minute), end, Finding{Verdict: Healthy}, 1)
	if advice := d.adviceWhenWell(); !strings.Contains(advice, got) {
		t.Errorf("advice %q", advice)
	}
	if notes := d.farMoreWork(); len(notes) > 0 {
		t.Errorf("the advice says it already: %q", notes)
	}
}
