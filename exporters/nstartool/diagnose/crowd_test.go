// SPDX-License-Identifier: Apache-2.0

package diagnose

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// The tiers that share the processors are listed with their shares: the tier that the rules name is the first.
func TestReadCrowd(t *testing.T) {
	r := server(t, "2.42.0", "nstar:app_verdict", recorded{
		"nstar:app_verdict":        {`{"app":"shop","verdict":"single_bottleneck","tier":"db","cause":"demand"}`: 0.5},
		"nstar:app_crowding:ratio": {`{"app":"shop","tier":"db"}`: 0.5},
		"nstar:app_excess_time:seconds": {
			`{"app":"shop","tier":"db","cause":"demand"}`: 0.25, `{"app":"shop","tier":"web","cause":"unknown"}`: 0.125,
			`{"app":"shop","tier":"cache","cause":"demand"}`: 1},
		"nstar:app_response_time:seconds":          {`{"app":"shop","tier":"db"}`: 0.5},
		"nstar:app_throughput:requests_per_second": {`{"app":"shop"}`: 10},
		"nstar:tier_crowded:bool": {`{"app":"shop","tier":"db","instance":"a:1"}`: 1,
			`{"app":"shop","tier":"web","instance":"a:1"}`: 1},
		"nstar_tier_processors_used_ratio": {`{"app":"shop","tier":"db","instance":"a:1"}`: 0.375,
			`{"app":"shop","tier":"web","instance":"a:1"}`: 0.5, `{"app":"shop","tier":"cache","instance":"b:1"}`: 1},
	})
	o, err := r.Read(context.Background(), "", 3*time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]Crowded{{"db", 0.375}, {"web", 0.5}}, o.Apps[0].Crowd); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if d := conclude(o.Apps[0], o); d.seconds != 0.375 {
		t.Errorf("%g s are charged to them, want 0.375", d.seconds)
	}
}

// One that has most of the processors makes the others wait for them, if less waits in it.
func TestCrowdOfOneThatHasMost(t *testing.T) {
	d := diagnosis{finding: single("db", causeDemand), Application: Application{
		Crowd: []Crowded{{"db", 0.5}, {"web", 0.2}},
		Blame: []Excess{{Tier: "db", Cause: causeDemand, Seconds: 0.03},
			{Tier: "web", Cause: causeUnknown, Seconds: 0.9}},
	}}
	if got := d.crowded(); got != "db and web" {
		t.Errorf("%q share the processors", got)
	}
	d.Blame[0].Seconds = 1
	if got := d.sharers(); got != nil {
		t.Errorf("%v share them, though most waits in db", got)
	}
}

// A tier that has most of the processors is at its limit, and no crowd. A tier other than the one that the rules
// name is no crowd either.
func TestNoCrowd(t *testing.T) {
	for name, crowd := range map[string][]Crowded{
		"no crowd": nil, "alone": {{"db", 0.5}, {"web", 0.2}, {"cache", 0.2}},
		"another tier": {{"web", 0.5}, {"db", 0.4}},
	} {
		d := diagnosis{Application: Application{Crowd: crowd}, finding: single("db", causeDemand)}
		if got := d.sharers(); got != nil {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// If one of them works more for each request than it did, that comes before more processors.
func TestCrowdOfDearerRequests(t *testing.T) {
	for _, tt := range []struct {
		now  float64
		want bool
	}{{0.02, true}, {0.011, false}} {
		d := diagnosis{finding: single("web", causeDemand), Application: Application{
			Crowd: []Crowded{{"web", 0.4}, {"db", 0.4}},
			Times: []TierTime{{Tier: "web"}, {Tier: "db", Cost: &Growth{Now: tt.now, Before: 0.009}}},
			Blame: []Excess{{Tier: "db", Cause: causeUnknown, Seconds: 0.9}}}}
		first, _ := d.cureCrowd()
		said := strings.HasPrefix(first, "Each request of db takes 2.2 times the usual processor time. Is it a ")
		if said != tt.want || !strings.Contains(first, "ive the host of web and db more processors") {
			t.Errorf("%g: %s", tt.now, first)
		}
	}
}
