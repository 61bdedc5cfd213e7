// SPDX-License-Identifier: Apache-2.0

package diagnose

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestReadBlind(t *testing.T) {
	r := server(t, "2.42.0", "nstar:app_verdict", recorded{
		"nstar:app_verdict":                         {`{"app":"shop","verdict":"learning"}`: 1},
		"max by (instance, cause) (last_over_time(": {`{"instance":"h:9965","cause":"disk"}`: 0},
		"group by (app, tier, instance) (last_over_time(": {
			`{"app":"shop","tier":"web","instance":"h:9965"}`: 1, `{"app":"shop","tier":"db","instance":"i:9965"}`: 1,
			`{"app":"gone","tier":"db","instance":"h:9965"}`: 1},
	})
	o, err := r.Read(context.Background(), "", 3*time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]Blind{{"web", "h:9965", "disk"}}, o.Apps[0].Blind); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// The tool says what is not measured if it is unknown why requests wait, and only for the hosts of these tiers.
func TestBlindly(t *testing.T) {
	everywhere := []Blind{{"db", "h:9965", "runqueue"}, {"db", "h:9965", causeCollection}, {"db", "i:9965", "runqueue"},
		{"db", "h:9965", "disk"}, {"web", "j:9965", "stopped"}}
	const want = "Not measured on h:9965 and i:9965: disk and runqueue, because the kernel or the exporter's rights " +
		"lack something. The exporter's log says what is missing; with it, Nstar could say more."
	for name, c := range map[string]struct {
		finding Finding
		cause   string
		blind   []Blind
		want    string
	}{
		"learning":              {Finding{Verdict: Learning}, causeUnknown, everywhere, want},
		"unknown cause":         {single("db", causeUnknown), causeUnknown, everywhere, want},
		"told all the same":     {single("db", causeDemand), causeUnknown, everywhere, ""},
		"the cause is known":    {Finding{Verdict: Learning}, causeDemand, everywhere, ""},
		"measured there":        {Finding{Verdict: Learning}, causeUnknown, everywhere[4:], ""},
		"all is measured there": {Finding{Verdict: Learning}, causeUnknown, nil, ""},
	} {
		d := diagnosis{finding: c.finding, Application: Application{Blind: c.blind,
			Times: []TierTime{{Tier: "web", Own: 0.01}, {Tier: "db", Own: 0.09}},
			Blame: []Excess{{"db", c.cause, 0.05, 0}}}}
		if got := d.blindly(); got != c.want {
			t.Errorf("%s: %q", name, got)
		}
		if c.want != "" && !slices.ContainsFunc(d.notes(),
			func(s string) bool { return strings.HasPrefix(s, "Not measured") }) {
			t.Errorf("%s: not among the notes", name)
		}
	}
}

// If collections can't be read, a stop may be one.
func TestUncollected(t *testing.T) {
	blind := []Blind{{"tomcat", "h:9965", causeCollection}, {"tomcat", "h:9965", "disk"},
		{"db", "i:9965", causeCollection}}
	const want = "On h:9965, Nstar can't read the garbage collections of some Java virtual machine: the exporter's " +
		"log says of which one and why. If it is tomcat, its collections may be what stops tomcat."
	for name, c := range map[string]struct {
		finding   Finding
		collected *float64
		blind     []Blind
		want      string
	}{
		"something stops it": {single("tomcat", causeStopped), nil, blind, want},
		"its own are read":   {single("tomcat", causeStopped), ptr(0.1), blind, ""},
		"another cause":      {single("tomcat", causeDemand), nil, blind, ""},
		"all are read":       {single("tomcat", causeStopped), nil, blind[1:], ""},
	} {
		d := diagnosis{finding: c.finding, Application: Application{Blind: c.blind,
			Times: []TierTime{{Tier: "tomcat", Own: 0.09, Collection: c.collected}}}}
		if got := d.uncollected(); got != c.want {
			t.Errorf("%s: %q", name, got)
		}
		if c.want != "" && !slices.Contains(d.notes(), c.want) {
			t.Errorf("%s: not among the notes", name)
		}
	}
}
