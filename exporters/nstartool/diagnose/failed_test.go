// SPDX-License-Identifier: Apache-2.0

package diagnose

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestReadFailed(t *testing.T) {
	r := server(t, "2.42.0", "nstar:app_verdict", recorded{
		"nstar:app_verdict": {`{"app":"shop","verdict":"healthy"}`: 1},
		"nstar_edge_failed_connections_total": {
			`{"app":"shop","from":"web","to":"[::1]:6379"}`: 900, `{"app":"shop","from":"web","to":"cache"}`: 40,
			`{"app":"shop","from":"web","to":"db"}`: 700, `{"app":"shop","from":"web","to":"127.0.0.1:5432"}`: 680,
			`{"app":"shop","from":"web","to":"10.0.0.9:80"}`: 5,
			`{"app":"gone","from":"web","to":"db"}`:          9},
	})
	o, err := r.Read(context.Background(), "", 3*time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	want := []Failed{{From: "web", To: "db", Times: 700}, {From: "web", To: "cache", Times: 40},
		{From: "web", To: "10.0.0.9:80", Times: 5}}
	if diff := cmp.Diff(want, o.Apps[0].Failed); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// The tier that can't be reached is looked at first, even if something else is known of the tier that calls it.
func TestCureFailed(t *testing.T) {
	for _, tt := range []struct {
		name string
		f    Finding
		from string
		want bool
	}{
		{"it stands still", single("tomcat", causeStopped), "tomcat", true},
		{"another one does", single("db", causeStopped), "tomcat", false},
		{"nobody knows", Finding{Verdict: Learning}, "tomcat", true},
		{"nobody waits for it", Finding{Verdict: Healthy}, "tomcat", false},
	} {
		r := Decide(scene(tt.f, func(a *Application, _ *Observations) {
			a.blame("db", "db", causeStopped, 0.010, 0.9)
			a.Failed = []Failed{{From: tt.from, To: "cache", Times: 700}}
		}))
		if got := strings.HasPrefix(r.Advice, "Check whether cache runs"); got != tt.want {
			t.Errorf("%s: %s", tt.name, r.Advice)
		}
		if len(r.Notes) == 0 || r.Notes[0] != "tomcat could not connect to cache (700 times): nothing listens there, "+
			"or no answer comes." {
			t.Errorf("%s: notes %q", tt.name, r.Notes)
		}
	}
}

// A tier that was gone, and is back, need not be started. But somebody has to find out why it was gone.
func TestGoneAndBack(t *testing.T) {
	for _, back := range []bool{false, true} {
		r := Decide(scene(single("db", causeStopped), func(a *Application, _ *Observations) {
			a.Failed = []Failed{{From: "tomcat", To: "db", Times: 941, Over: back}}
			a.Errors = []Errors{{Tier: "tomcat", Times: 800, Share: 0.31}}
			a.Edges[1].Peak = 0
			if back {
				a.Edges[1].Peak = 8
			}
		}))
		want := "Check whether db runs"
		if back {
			want = "Connections to db can be opened again. Find out why that was not so: "
		}
		if !strings.HasPrefix(r.Advice, want) {
			t.Errorf("back: %v, %s", back, r.Advice)
		}
	}
}

// If connections failed a while ago and all is well since, there is advice all the same.
func TestFailedBeforeAllWasWell(t *testing.T) {
	r := Decide(scene(Finding{Verdict: Healthy}, func(a *Application, _ *Observations) {
		a.Failed = []Failed{{From: "tomcat", To: "db", Times: 32, Over: true}}
	}))
	if r.Advice == "" {
		t.Error("no advice")
	}
}

// What is over is said in the past tense, and is not to be mended.
func TestFailedBefore(t *testing.T) {
	for _, over := range []bool{false, true} {
		r := Decide(scene(Finding{Verdict: Learning}, func(a *Application, _ *Observations) {
			a.Failed = []Failed{{From: "tomcat", To: "127.0.0.1:6379", Times: 32, Over: over}}
		}))
		note := "tomcat could not connect to 127.0.0.1:6379 (32 times): nothing listens there"
		if over {
			note = "tomcat could not connect to 127.0.0.1:6379 (32 times, but not in the last half minute): nothing " +
				"listened there"
		}
		if len(r.Notes) == 0 || !strings.HasPrefix(r.Notes[0], note) {
			t.Errorf("over: %v; notes %q", over, r.Notes)
		}
		if strings.HasPrefix(r.Advice, "Check whether the server at 127.0.0.1:6379 runs") == over {
			t.Errorf("over: %v; %s", over, r.Advice)
		}
	}
}

// A server that listens, and whose accept queue is full, refuses connections, too. The advice must not tell the
// operator to search for that server.
func TestFullAcceptQueue(t *testing.T) {
	full := Accept{Tier: "odoo", Waiting: 32.6, Limit: 32, Refused: 8951}
	for _, tt := range []struct {
		name    string
		accept  Accept
		failed  []Failed
		finding Finding
		note    string
		advice  string
	}{
		{"it is the only trouble", full, []Failed{{From: "tomcat", To: "odoo", Times: 10}}, Finding{Verdict: Learning},
			"tomcat could not connect to odoo (10 times): its accept queue is full (on average 33 connections wait " +
				"to be accepted, of at most 32; further connections were refused 8951 " +
				"times).", "Give odoo more workers"},
		{"all connections come in the end", full, nil, Finding{Verdict: Learning},
			"All workers of odoo are taken (on average 33 connections wait to be accepted, of at most 32; further " +
				"connections were refused 8951 times).",
			""},
		{"it has just filled", Accept{Tier: "odoo", Waiting: 5, Limit: 32, Refused: 90, Now: 31},
			[]Failed{{From: "tomcat", To: "odoo", Times: 60}}, Finding{Verdict: Learning},
			"tomcat could not connect to odoo (60 times): its accept queue is full (on average 5 connections wait to " +
				"be accepted, of at most 32; further connections were refused 90 times).", "Give odoo more workers"},
		{"few wait: it is gone now and then", Accept{Tier: "odoo", Waiting: 1.2, Limit: 32, Refused: 8951},
			[]Failed{{From: "tomcat", To: "odoo", Times: 10}},
			Finding{Verdict: Learning}, "tomcat could not connect to odoo (10 times): nothing listens there, or no " +
				"answer comes.",
			"Check whether odoo runs"},
	} {
		r := Decide(scene(tt.finding, func(a *Application, _ *Observations) {
			a.Failed, a.Accepts = tt.failed, []Accept{tt.accept}
		}))
		if len(r.Notes) == 0 || r.Notes[0] != tt.note {
			t.Errorf("%s: notes %q", tt.name, r.Notes)
		}
		if !strings.HasPrefix(r.Advice, tt.advice) {
			t.Errorf("%s: %s", tt.name, r.Advice)
		}
	}
}

// A server that is gone is known by its address. It is not slow, and it needs no exporter.
func TestGoneServer(t *testing.T) {
	const address = "127.0.0.1:21021"
	for _, over := range []bool{false, true} {
		r := Decide(scene(single(address, causeSlow), func(a *Application, _ *Observations) {
			a.Failed = []Failed{{"tomcat", address, 14, over}}
		}))
		if !strings.Contains(r.Summary, "no connection to "+address+" could be opened: ") ||
			!strings.HasPrefix(r.Advice, "Check whether the server at "+address+" runs, and whether tomcat can ") ||
			strings.Contains(r.Advice, "Run nstar_exporter") {
			t.Errorf("%s\n%s", r.Summary, r.Advice)
		}
	}
}

// A server that answers other calls of the same tier runs, and can be reached.
func TestOthersGetThrough(t *testing.T) {
	r := Decide(scene(Finding{Verdict: Learning}, func(a *Application, _ *Observations) {
		a.Failed = []Failed{{From: "tomcat", To: "db", Times: 40}}
		a.Edges[1].Peak = 12
	}))
	if len(r.Notes) == 0 || r.Notes[0] != "tomcat could not connect to db (40 times): the connections were refused, "+
		"or given up before they were open; others get through now." {
		t.Errorf("notes %q", r.Notes)
	}
	if strings.Contains(r.Advice, "Check whether db runs") {
		t.Error(r.Advice)
	}
}

// Requests that end with a restart were not given up, and if nobody is known who calls, the tier may have ended them.
func TestGivenUp(t *testing.T) {
	for _, tt := range []struct {
		tier   string
		starts []Start
		says   string
	}{
		{"tomcat", nil, "(retries) of httpd with how long tomcat takes."},
		{"tomcat", []Start{{"tomcat", end, 0}}, "(retries) of httpd with how long tomcat takes."},
		{"tomcat", []Start{{"tomcat", end, 1}}, ""},
		{"httpd", nil, "(retries) of its clients with how long httpd takes. Or httpd itself closes connections on"},
	} {
		d := diagnosis{finding: single(tt.tier, causePlace)}
		d.Times, d.Starts = []TierTime{{Tier: tt.tier, GivenUp: 0.2}}, tt.starts
		d.Edges = []Edge{{From: "httpd", To: "tomcat"}}
		if got := d.givenUp(); !strings.Contains(got, tt.says) || tt.says == "" && got != "" {
			t.Errorf("%s, %v: %q", tt.tier, tt.starts, got)
		}
	}
}
