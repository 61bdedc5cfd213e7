// SPDX-License-Identifier: Apache-2.0

package diagnose

import (
	"context"
	"strings"
	"testing"
	"time"
)

// Of requests that are nearly all given up hardly any is answered, so that no cost of an answer is recorded.
func TestCostOfRequestsThatAreGivenUp(t *testing.T) {
	const tier = `{"app":"shop","tier":"db"}`
	for _, tt := range []struct {
		aborts, given, recorded, want float64
	}{
		{0.9, 0.002, 0, 0.002}, {0.9, 0.002, 0.014, 0.014}, {0.9, 0, 0.014, 0.014}, {0.05, 0.002, 0.014, 0.014},
		{0.05, 0.002, 0, 0},
	} {
		fake := recorded{
			"nstar:app_verdict":                                         {`{"app":"shop","verdict":"healthy"}`: 1},
			"nstar:app_response_time:seconds":                           {tier: 0.01},
			"nstar:tier_usual_cost:seconds":                             {tier: 0.001},
			"sum by (app, tier) (increase(nstar_tier_cpu_seconds_total": {},
			"sum by (app, tier) (increase(nstar_tier_aborts_total":      {tier: tt.aborts},
		}
		if tt.given > 0 {
			fake["sum by (app, tier) (increase(nstar_tier_cpu_seconds_total"] = map[string]float64{tier: tt.given}
		}
		if tt.recorded > 0 {
			fake["nstar:tier_cost:seconds15s"] = map[string]float64{tier: tt.recorded}
		}
		o, err := server(t, "2.42.0", "nstar:app_verdict", fake).Read(context.Background(), "shop", 3*time.Minute)
		if err != nil || len(o.Apps) != 1 || len(o.Apps[0].Times) != 1 {
			t.Fatalf("%+v, %v", o.Apps, err)
		}
		got := o.Apps[0].Times[0].Cost
		if tt.want == 0 && got != nil || tt.want > 0 && (got == nil || got.Now != tt.want || got.Before != 0.001) {
			t.Errorf("%+v: %+v", tt, got)
		}
	}
}

// A page that computes more has no query plan. If a database's requests are dearer, too, its plan may be the reason.
func TestWhyDearer(t *testing.T) {
	for _, tt := range []struct {
		name   string
		dearer []string
		code   map[string]string
		runs   string
		plan   bool
	}{
		{"a tier that calls another", []string{"tomcat"}, nil, "", false},
		{"a tier that runs a script", []string{"db"}, map[string]string{"db": "app/prices.py"}, "", false},
		{"a database", []string{"db"}, nil, "", true},
		{"a database in Java", []string{"db"}, map[string]string{"db": "org.h2.tools.Server"}, "h2", true},
		{"Redis", []string{"db"}, nil, "redis", false},
		{"both", []string{"tomcat", "db"}, nil, "", true},
		{"none", nil, nil, "", true},
	} {
		d := diagnosis{Application: Application{Edges: []Edge{{From: "tomcat", To: "db"}}, Code: tt.code,
			Programs: map[string]Program{"db": {Name: tt.runs}}}}
		for _, tier := range tt.dearer {
			d.Times = append(d.Times, TierTime{Tier: tier, Cost: &Growth{Now: 0.03, Before: 0.01}})
		}
		if got := d.whyDearer(); strings.Contains(got, "query plan") != tt.plan {
			t.Errorf("%s: %s", tt.name, got)
		}
	}
}

// An index that was made again was lost while the database was named.
func TestReadWhatRequestsCost(t *testing.T) {
	tier := `{"app":"shop","tier":"db"}`
	for cause, want := range map[string]float64{causeDemand: 0.008, causePlace: 0.0002} {
		r := server(t, "2.42.0", "nstar:app_verdict", recorded{
			"nstar:app_verdict":          {`{"app":"shop","verdict":"single_bottleneck","tier":"db","cause":"` + cause + `"}`: 0.5},
			"nstar:app_response_time":    {tier: 0.01},
			"nstar:tier_cost:seconds15s": {tier: 0.0002},
			`quantile_over_time(0.5, (nstar:tier_cost:seconds15s{tier="db",app="shop"})[`: {tier: 0.008},
		})
		o, err := r.Read(context.Background(), "shop", 3*time.Minute)
		if err != nil || len(o.Apps) != 1 || len(o.Apps[0].Times) != 1 {
			t.Fatalf("%+v, %v", o.Apps, err)
		}
		if c := o.Apps[0].Times[0].Cost; c == nil || c.Now != want {
			t.Errorf("%s: %+v, want %g", cause, c, want)
		}
	}
}

// Collections of some runtimes are no pauses to the exporter: they only make requests dearer, and may be why.
func TestCollectsDearer(t *testing.T) {
	for program, want := range map[string]string{
		"go":   "garbage collection of tomcat, which counts as its work (GODEBUG=gctrace=1), more data",
		"java": "as of a timer), more data",
	} {
		r := Decide(scene(single("tomcat", causeDemand), func(a *Application, _ *Observations) {
			a.blame("tomcat", "tomcat", causeDemand, 0.010, 0.9)
			a.Times[1].Cost = &Growth{Now: 0.012, Before: 0.002}
			a.Programs = map[string]Program{"tomcat": {Name: program}}
		}))
		if !strings.Contains(r.Advice, want) {
			t.Errorf("%s: %q, want %q", program, r.Advice, want)
		}
	}
}

// A tier whose requests have become dearer is not at its limit while its threads hardly wait for a processor, and more
// capacity is no help then.
func TestDearerBelowLimit(t *testing.T) {
	for _, tt := range []struct {
		busy, wanted, thread float64
		limit                bool
	}{
		{0.5, 0.1, 0.4, false},
		{0.82, 0.1, 0.4, false},
		{0.82, 0.1, 0.99, true},
		{0.82, 2, 0.4, true},
		{0.99, 0.2, 0.4, true},
		{0.99, 0.1, 0.4, false},
		{0.99, 0.1, 0.99, true},
	} {
		r := Decide(scene(single("tomcat", causeDemand), func(a *Application, _ *Observations) {
			a.blame("tomcat", "tomcat", causeDemand, 0.010, 0.9)
			a.Slower = &Slower{Times: 2, Usual: 0.008, In: []SlowerTier{{"tomcat", 0.9}}}
			a.Times[1].Cost = &Growth{Now: 0.012, Before: 0.002}
			a.Times[1].Busy, a.Times[1].Wanted, a.Times[1].Thread = ptr(tt.busy), ptr(tt.wanted), ptr(tt.thread)
		}))
		limit := strings.Contains(r.Summary, "tomcat is at its limit")
		dearer := strings.Contains(r.Summary, "the requests of tomcat take 6.0 times the processor time: ")
		more := strings.Contains(r.Advice, "Until then more capacity")
		if limit != tt.limit || dearer == tt.limit || more != tt.limit {
			t.Errorf("%+v: %s %s", tt, r.Summary, r.Advice)
		}
	}
}
