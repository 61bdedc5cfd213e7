// SPDX-License-Identifier: Apache-2.0

package diagnose

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"
)

// Reports that a job makes are in the database's part of the response time, though no user waits for them.
func TestOutside(t *testing.T) {
	r := server(t, "2.42.0", "nstar:app_verdict", recorded{
		"nstar:app_verdict": {`{"app":"shop","verdict":"healthy"}`: 1},
		`(1 - avg_over_time(nstar:tier_called:mean15s{of="all",app!="monitoring"}[3m]) / avg_over_time(` +
			`nstar:tier_requests:mean15s{of="all",app!="monitoring"}[3m]) >= 0.25) and on (app, tier) `: {
			`{"app":"shop","tier":"db"}`: 0.95, `{"app":"shop","tier":"cache"}`: 0.9},
	})
	o, err := r.Read(context.Background(), "", 3*time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	d := diagnosis{Application: o.Apps[0], finding: Finding{Verdict: Healthy}}
	d.Times = []TierTime{{Tier: "web", Own: 0.02, Calls: 1}, {Tier: "db", Own: 0.02, Calls: 2},
		{Tier: "cache", Own: 0.001, Calls: 1}}
	want := []string{"95 % of what db works on is for clients that are no tiers (jobs, scripts, programs on other " +
		"hosts). They are in its part of the response time here; of the application's own requests it is 1.0 ms."}
	if got := d.forOthers(); !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	d.Starts = []Start{{Tier: "db", Anew: 1}}
	if got := d.forOthers(); got != nil {
		t.Errorf("after a start: %q", got)
	}
	d.Starts, d.Times[1].GivenUp = nil, 0.006
	if got := d.forOthers(); got != nil {
		t.Errorf("given up: %q", got)
	}
	d.Times[1].GivenUp = 0
	for cause, said := range map[string]bool{causeStopped: false, causePlace: false, causeDemand: true} {
		d.finding, d.Errors = single("db", cause), []Errors{{Tier: "web", Share: 0.1}}
		if got := d.forOthers(); (len(got) > 0) != said {
			t.Errorf("%s, with errors: %q", cause, got)
		}
		d.Errors = nil
		if got := d.forOthers(); len(got) == 0 {
			t.Errorf("%s, without errors: nothing is said", cause)
		}
	}
}

// Where they ask for most of what a database does, and no page waits for that.
func TestHealthyBesideOthers(t *testing.T) {
	r := Decide(scene(well, func(a *Application, _ *Observations) {
		a.Times[2].Own = 0.040
		a.blame("db", "db", causeDemand, 0.038, 0.5)
		a.Outside = []Outside{{"db", 0.95}}
		a.Stretched = []Stretched{{Tier: "db", Now: 0.04, Usual: 0.001, Visits: 1}}
	}))
	want := "shop is healthy: 15 ms mean response time at 400 requests/s (89 ms with the requests of clients that " +
		"are no tiers)."
	if !strings.Contains(r.Summary, want) {
		t.Errorf("%q lacks %q", r.Summary, want)
	}
	want = "Nothing now: what waits in db is nearly all of clients that are no tiers. If pages become slower, too: " +
		"Let fewer of them ask at a time, or at another time, or a copy of db."
	if r.Advice != want {
		t.Errorf("%q", r.Advice)
	}
}

// A database whose work is mostly that of jobs: these are looked at first, and not the plans of queries.
func TestAskedByOthers(t *testing.T) {
	for _, tt := range []struct {
		share   float64
		program string
		want    string
	}{
		{0.85, "mariadb", "and at what they ask for, which SHOW FULL PROCESSLIST shows: 85 % of its work is for them."},
		{0.85, "", "and at what they ask for: 85 % of its work is for them."},
		{0.3, "mariadb", "Find out why the requests of db have become more expensive"},
	} {
		r := Decide(scene(single("db", causeDemand), func(a *Application, _ *Observations) {
			a.blame("db", "db", causeDemand, 0.200, 1)
			a.Times[2].Cost = &Growth{0.009, 0.001}
			a.Outside = []Outside{{"db", tt.share}}
			a.Programs = map[string]Program{"db": {Name: tt.program}}
		}))
		if !strings.Contains(r.Advice, tt.want) {
			t.Errorf("%g, %s: %s", tt.share, tt.program, r.Advice)
		}
	}
}
