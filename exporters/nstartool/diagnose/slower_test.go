// SPDX-License-Identifier: Apache-2.0

package diagnose

import (
	"context"
	"strings"
	"testing"
	"time"
)

// Requests take twice as long as usual, and no cause is large enough to be named.
func TestSlower(t *testing.T) {
	r := server(t, "2.42.0", "nstar:app_verdict", recorded{
		"nstar:app_verdict":                     {`{"app":"shop","verdict":"learning"}`: 1},
		"nstar:app_slower:ratio":                {`{"app":"shop"}`: 2.04},
		"nstar:app_usual_response_time:seconds": {`{"app":"shop"}`: 0.007},
		"nstar:tier_slower:ratio": {
			`{"app":"shop","tier":"web"}`:   0.27,
			`{"app":"shop","tier":"db"}`:    0.7,
			`{"app":"shop","tier":"cache"}`: 0.03,
		},
	})
	o, err := r.Read(context.Background(), "", 3*time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	d := diagnosis{Application: o.Apps[0], finding: Finding{Verdict: Learning}}
	want := "shop: Requests now take 14 ms, 2.0 times as long as usual, and the load does not explain that; of " +
		"what is longer, 70 % in db and 27 % in web. It is not known why."
	if got := d.summary(); !strings.HasPrefix(got, want) {
		t.Errorf("says %q, want %q", got, want)
	}
	d.Blame = []Excess{{Tier: "db", Cause: causeDemand, Seconds: 0.01}}
	d.Times = []TierTime{{Tier: "db", Own: 0.014}}
	want = "71 % of the response time is charged to db (cause: its own work), but other things may be the reason"
	if got := d.summary(); strings.Contains(got, "large enough") || !strings.Contains(got, want) {
		t.Errorf("says %q", got)
	}
	d.Blame, d.Times = nil, nil
	if got := d.needs(); !strings.Contains(got, "Look at db and web first") {
		t.Errorf("%q", got)
	}
	d.Times = []TierTime{{Tier: "db", Cost: &Growth{Now: 4, Before: 1}},
		{Tier: "web", Cost: &Growth{Now: 1.2, Before: 1}},
		{Tier: "app", Cost: &Growth{Now: 1.5, Before: 1}}} // which is little beside db's
	d.Edges = []Edge{{From: "proxy", To: "web", Calls: &Growth{Now: 1, Before: 0.6}}}
	if got := d.needs(); !strings.Contains(got, "Each request of db takes 4.0 times the usual processor time. "+
		"proxy calls web 1.0 times for each of its requests instead of 0.6. Is it a query plan") {
		t.Errorf("%q", got)
	}
	// sleeping requests have become somewhat dearer, too
	d.Slower.Times, d.Times[0].Cost.Now = 5, 1.4
	if got := d.needs(); strings.Contains(got, "processor time") {
		t.Errorf("%q, which makes no requests of five times the length", got)
	}
	d.Slower = nil
	if got := d.needs() + d.summary(); strings.Contains(got, "usual (") || strings.Contains(got, "processor time") {
		t.Errorf("%q though requests take no longer", got)
	}
}

// A bottleneck that has processor time left is not said to be at its limit, if its requests have become dearer.
func TestDearerBelowTheLimit(t *testing.T) {
	busy := 0.4
	d := diagnosis{Application: Application{Name: "shop", Slower: &Slower{Times: 3, Usual: 0.004},
		Times: []TierTime{{Tier: "db", Own: 0.008, Busy: &busy, Cost: &Growth{Now: 0.006, Before: 0.001}}}},
		finding: single("db", causeDemand)}
	for _, slower := range []*Slower{d.Slower, nil} { // also when it is over
		d.Slower = slower
		if got := d.blame(); !strings.HasPrefix(got, "the requests of db take 6.0 times the processor time: ") {
			t.Errorf("%q", got)
		}
	}
	busy = 0.9
	if got := d.blame(); !strings.HasPrefix(got, "db is at its limit: ") {
		t.Errorf("%q", got)
	}
}

// The peak that a fault allows is not the application's.
func TestNoCapacityOfAFault(t *testing.T) {
	told := func(f Finding, cost *Growth, slower *Slower) bool {
		d := diagnosis{finding: f, Application: Application{Name: "shop", Slower: slower,
			Capacity: &Capacity{State: capacityClient, Peak: ptr(86), Headroom: ptr(36)},
			Times:    []TierTime{{Tier: "db", Cost: cost}}}}
		return d.capacityNow() != nil
	}
	fault := &Slower{Times: 3, Usual: 0.004}
	for _, tt := range []struct {
		name   string
		f      Finding
		cost   *Growth
		slower *Slower
		told   bool
	}{
		{"healthy", Finding{Verdict: Healthy}, nil, nil, true},
		{"nobody knows why", Finding{Verdict: Learning}, nil, fault, false},
		{"a lock", single("db", causePlace), nil, fault, false},
		{"a lost index", single("db", causeDemand), &Growth{Now: 6, Before: 1}, fault, false},
		{"more requests", single("db", causeDemand), &Growth{Now: 1.1, Before: 1}, fault, true},
		{"a pool that was always too small", single("db", causePlace), nil, nil, true},
	} {
		if got := told(tt.f, tt.cost, tt.slower); got != tt.told {
			t.Errorf("%s: %t", tt.name, got)
		}
	}
}

// Requests take less time than usual in some tiers: the others have not more than all of the rest.
func TestSlowerInTwoTiers(t *testing.T) {
	s := Slower{Times: 2, Usual: 0.01, In: []SlowerTier{{"web-1", 0.54}, {"web-2", 0.53}, {"db", 0.01}}}
	s.level()
	if got := s.sentence(); !strings.HasSuffix(got, "; of what is longer, 50 % in web-1 and 49 % in web-2.") {
		t.Error(got)
	}
}

// Three loops of other programs cost the requests half of their time, a little in each tier, but too little for a name:
// no tier is to be looked at.
func TestSlowerByOthers(t *testing.T) {
	d := diagnosis{Application: Application{Name: "shop", Slower: &Slower{Times: 2.2, Usual: 0.0038,
		In: []SlowerTier{{"node", 0.31}, {"web", 0.2}}},
		Times: []TierTime{{Tier: "web", Own: 0.004}, {Tier: "node", Own: 0.0045}},
		Blame: []Excess{{Tier: "node", Cause: causeNeighbour, Seconds: 0.0026},
			{Tier: "web", Cause: causeNeighbour, Seconds: 0.002}},
		Neighbours: []Neighbour{{Tier: "node", Name: "yes", Share: 0.9}}}, finding: Finding{Verdict: Learning}}
	if got := d.unnamed(); !strings.Contains(got, "Most of that is waiting for processors that other programs have") {
		t.Error(got)
	}
	if got := d.needs(); !strings.Contains(got, "which other programs use the processors (yes)") ||
		strings.Contains(got, "Look at node") {
		t.Error(got)
	}
	d.Blame = d.Blame[:1]
	d.Blame[0].Seconds = 0.002
	got := d.unnamed() + d.needs()
	if strings.Contains(got, "other programs have") || !strings.Contains(got, "Look at node") {
		t.Error(got)
	}
}

// The same, but most of that time passes in one tier, which keeps its requests waiting for longer than others do.
func TestSlowerBesideOthersByItself(t *testing.T) {
	d := diagnosis{Application: Application{Name: "shop", Slower: &Slower{Times: 2.3, Usual: 0.012,
		In: []SlowerTier{{"pricing", 0.7}, {"web", 0.1}}},
		Times: []TierTime{{Tier: "web", Own: 0.012}, {Tier: "pricing", Own: 0.006}},
		Blame: []Excess{{Tier: "web", Cause: causeNeighbour, Seconds: 0.004},
			{Tier: "pricing", Cause: causeSlow, Seconds: 0.0034},
			{Tier: "pricing", Cause: causeNeighbour, Seconds: 0.0003}},
		Neighbours: []Neighbour{{Tier: "web", Name: "yes", Share: 0.9}}}, finding: Finding{Verdict: Learning}}
	got := d.unnamed() + d.needs()
	if strings.Contains(got, "other programs have") || !strings.Contains(got, "Look at pricing") {
		t.Error(got)
	}
	d.Blame[1].Seconds = 0.0002
	if got := d.unnamed(); !strings.Contains(got, "other programs have") {
		t.Error(got)
	}
}

// The same, but most of that time passes in one tier, where requests sleep: others have not taken it there.
func TestSlowerBesideOthers(t *testing.T) {
	d := diagnosis{Application: Application{Name: "shop", Slower: &Slower{Times: 2.2, Usual: 0.0115,
		In: []SlowerTier{{"pricing", 0.6}, {"web", 0.1}}},
		Times: []TierTime{{Tier: "web", Own: 0.013}, {Tier: "pricing", Own: 0.0077, Asleep: ptr(0.9)}},
		Blame: []Excess{{Tier: "pricing", Cause: causeUnknown, Seconds: 0.0053},
			{Tier: "web", Cause: causeNeighbour, Seconds: 0.006}},
		Neighbours: []Neighbour{{Tier: "web", Name: "yes", Share: 0.9}}}, finding: Finding{Verdict: Learning}}
	if got := d.unnamed() + d.needs(); strings.Contains(got, "other programs") {
		t.Error(got)
	}
}

// Where the time passes is not where to look, if it is known which tier the requests wait for there.
func TestSlowerInFrontOfTheCause(t *testing.T) {
	for _, tt := range []struct {
		own  float64 // of the time, in the tier to blame
		want string
	}{
		{0.1, "Look at supplier first, for which the others wait: the log"}, {0.8, "Look at java first: the log"},
	} {
		d := diagnosis{finding: Finding{Verdict: Learning}}
		d.Slower = &Slower{Times: 40, Usual: 0.04, In: []SlowerTier{{"java", 0.9}}}
		d.Blame = []Excess{{Tier: "supplier", Cause: causeStopped, Seconds: 1.3}}
		d.Times = []TierTime{{Tier: "java", Own: 1.6 - 1.6*tt.own}, {Tier: "supplier", Own: 1.6 * tt.own}}
		if got := d.cureSlower(); !strings.HasPrefix(got, tt.want) {
			t.Errorf("%g: %q", tt.own, got)
		}
	}
}

// A tier whose base residence has been learned again is charged next to nothing, though its requests take longer.
func TestSlowThoughLittleIsCharged(t *testing.T) {
	for _, tt := range []struct {
		charged float64
		want    string
	}{
		{0.0005, "50 % of the present response time is more than is usual there, and meanwhile its requests sleep."},
		{0.010, "10 ms (40 %) of the mean response time of 25 ms are spent waiting in it for something that is not " +
			"measured; its requests sleep for several times as long as before."},
	} {
		r := Decide(scene(single("db", causeSlow), func(a *Application, _ *Observations) {
			a.blame("db", "db", causeUnknown, tt.charged, 0.5)
		}))
		want := "In shop, db is slow, though no thread works on its requests: " + tt.want
		if !strings.HasPrefix(r.Summary, want) {
			t.Errorf("%q, want %q", r.Summary, want)
		}
	}
}
