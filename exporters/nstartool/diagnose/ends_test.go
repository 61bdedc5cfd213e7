// SPDX-License-Identifier: Apache-2.0

package diagnose

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestReadEnds(t *testing.T) {
	seen := end.Add(-40 * time.Second)
	r := server(t, "2.42.0", "nstar:app_verdict", recorded{
		"nstar:app_verdict": {`{"app":"shop","verdict":"healthy"}`: 1},
		"timestamp(nstar_tier_start_time_seconds": {`{"app":"shop","tier":"pricing"}`: float64(seen.Unix()),
			`{"app":"gone","tier":"web"}`: float64(seen.Unix())},
	})
	o, err := r.Read(context.Background(), "", 3*time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]End{{"pricing", seen}}, o.Apps[0].Ends); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// A tier of the application that has ended is the first thing to look at; what nobody asked for anything is not.
func TestCureEnd(t *testing.T) {
	at := end.Add(-time.Minute)
	for name, tt := range map[string]struct {
		tier       string
		note, cure bool
	}{
		"a tier that requests asked": {"db", true, true},
		"another program":            {"back", false, false},
	} {
		t.Run(name, func(t *testing.T) {
			r := Decide(scene(Finding{Verdict: Healthy}, func(a *Application, _ *Observations) {
				a.Ends = []End{{tt.tier, at}}
			}))
			note := strings.Contains(strings.Join(r.Notes, " "),
				"Ended in this time, and not started again: db after 02:59:00.")
			cure := strings.HasPrefix(r.Advice, "Find out why db ended after 02:59:00: ")
			if len(r.Ends) != 1 {
				t.Errorf("the answer has the ends %v", r.Ends)
			}
			if note != tt.note || cure != tt.cure {
				t.Errorf("notes %q, advice %q", r.Notes, r.Advice)
			}
		})
	}
}

// Servers of a test have ended together, and no other tier has to do with them: nothing is to be done about that.
func TestEndedTogether(t *testing.T) {
	r := Decide(scene(Finding{Verdict: Healthy}, func(a *Application, _ *Observations) {
		a.Edges = []Edge{{From: "tomcat", To: "db"}}
		a.Ends = []End{{"db", end.Add(-time.Minute)}, {"tomcat", end.Add(-time.Minute)}}
	}))
	noted := strings.Contains(strings.Join(r.Notes, " "), "db after 02:59:00")
	if strings.Contains(r.Advice, "Then start it again") || !noted {
		t.Errorf("notes %q, advice %q", r.Notes, r.Advice)
	}
}

// A server that is gone needs no smaller heap and no cores.
func TestCureEndOfBottleneck(t *testing.T) {
	at := end.Add(-time.Minute)
	for _, cause := range []string{causeCollection, causeDemand, causeStopped, causeSlow} {
		r := Decide(scene(single("db", cause), func(a *Application, _ *Observations) { a.Ends = []End{{"db", at}} }))
		if !strings.HasPrefix(r.Advice, "Find out why db ended after 02:59:00: ") ||
			strings.Contains(r.Advice, "ollector") || strings.Contains(r.Advice, "apacity") {
			t.Errorf("%s: %q", cause, r.Advice)
		}
		r = Decide(scene(single("db", cause), func(a *Application, _ *Observations) { a.Ends = []End{{"back", at}} }))
		if strings.HasPrefix(r.Advice, "Find out why") && strings.Contains(r.Advice, "ended") {
			t.Errorf("%s beside another end: %q", cause, r.Advice)
		}
	}
}

// A server that hangs before it ends costs time meanwhile. It is gone all the same, and that is not over.
func TestBottleneckHasEnded(t *testing.T) {
	at := end.Add(-time.Minute)
	r := Decide(scene(single("db", causeStopped), func(a *Application, _ *Observations) {
		a.blame("db", "db", causeStopped, 0.010, 0.9)
		a.Ends = []End{{"db", at}}
		a.Errors = []Errors{{Tier: "tomcat", Times: 800, Share: 0.31}}
		a.Subsided = []Subsided{{"db", causeStopped, at}}
	}))
	const want = "In shop, db is gone: all of its processes have ended, and users get errors (31 % of the answers of " +
		"tomcat). Before that, requests waited for it: 10 ms (40 %) of the mean response time of 25 ms."
	if !strings.HasPrefix(r.Summary, want) || strings.Contains(r.Summary, "it may be over") {
		t.Errorf("%q, want %q", r.Summary, want)
	}
}

// The mean of the range has what was before it was healthy.
func TestHealthyNow(t *testing.T) {
	for _, tt := range []struct {
		latest float64
		want   string
	}{
		{0, "shop is healthy: 15 ms mean response time at 400 requests/s"},
		{0.012, "shop is healthy: 15 ms mean response time at 400 requests/s"},
		{0.005, "shop is healthy: requests now take 5.0 ms; the whole range had 15 ms mean response time"},
	} {
		r := Decide(scene(Finding{Verdict: Healthy}, func(a *Application, _ *Observations) { a.Latest = tt.latest }))
		if !strings.HasPrefix(r.Summary, tt.want) {
			t.Errorf("%q, want %q", r.Summary, tt.want)
		}
	}
}
