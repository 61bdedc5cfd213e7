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

func TestReadUnread(t *testing.T) {
	r := server(t, "2.42.0", "nstar:app_verdict", recorded{
		"nstar:app_verdict": {`{"app":"shop","verdict":"healthy"}`: 1},
		"nstar_tier_unread_seconds_total": {
			`{"app":"shop","tier":"web"}`: 2, `{"app":"shop","tier":"app"}`: 36, `{"app":"gone","tier":"web"}`: 9},
	})
	o, err := r.Read(context.Background(), "", 3*time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]Unread{{"app", 36}, {"web", 2}}, o.Apps[0].Unread); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// Requests that no process reads are reported, whatever the verdict is; beside a full accept queue the reason is
// given once.
func TestUnbegun(t *testing.T) {
	for _, tt := range []struct {
		name    string
		unread  []Unread
		accepts []Accept
		want    string
	}{
		{"threads are taken", []Unread{{"tomcat", 36.2}}, nil,
			"tomcat: on average 36 requests are accepted, but the server has not begun to read them: its " +
				"threads are all taken or wait for processors, or its event loop is busy."},
		{"one", []Unread{{"db", 1.1}}, nil,
			"db: on average one request is accepted, but the server has not begun to read it: its threads are all " +
				"taken or wait for processors, or its event loop is busy."},
		{"the accept queue is full, too", []Unread{{"tomcat", 8}}, []Accept{{"tomcat", 33, 32, 90, 0}},
			"tomcat: on average 8 requests are accepted, but the server has not begun to read them."},
		{"others are not even accepted", []Unread{{"tomcat", 5.2}}, []Accept{{"tomcat", 110, 4096, 0, 0}},
			"tomcat: on average 5 requests are accepted, but the server has not begun to read them: its threads are " +
				"all taken or wait for processors, or its event loop is busy; on average 110 connections wait to be " +
				"accepted, of at most 4096."},
		{"fewer are in the tier at all", []Unread{{"httpd", 1.1}}, nil, ""},
		{"a tier without a part in the response time", []Unread{{"metrics", 36}}, nil, ""},
		{"none", nil, nil, ""},
	} {
		r := Decide(scene(Finding{Verdict: Learning}, func(a *Application, _ *Observations) {
			a.Unread, a.Accepts, a.Times[1].Own = tt.unread, tt.accepts, 0.1
		}))
		if tt.want == "" && len(r.Notes) > 0 || tt.want != "" && !slices.Contains(r.Notes, tt.want) {
			t.Errorf("%s: notes %q", tt.name, r.Notes)
		}
	}
}

// A tier that does not run reads nothing, whatever its threads do.
func TestWhyUnread(t *testing.T) {
	for cause, want := range map[string]string{
		causeStopped: "meanwhile it stands still", causeThrottled: "meanwhile its CPU quota is used up",
		causeCollection: "meanwhile it collects garbage", causeNeighbour: "meanwhile something else has its processors",
		causeDemand: "its threads are all taken or wait for processors, or its event loop is busy",
	} {
		d := diagnosis{Application: Application{Throughput: 60,
			Blame: []Excess{{Tier: "web", Cause: causeDemand, Seconds: 0.1},
				{Tier: "web", Cause: cause, Seconds: 0.2}, {Tier: "db", Cause: causeUnknown, Seconds: 0.3}}}}
		if got := d.whyUnread(Unread{"web", 20}); got != want {
			t.Errorf("%s: %q", cause, got)
		}
		if got := d.whyUnread(Unread{"web", 32}); !strings.HasPrefix(got, "its threads are all taken") {
			t.Errorf("%s of 12 requests, and 32 wait: %q", cause, got)
		}
	}
}
