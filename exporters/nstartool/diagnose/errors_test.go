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

func TestReadErrors(t *testing.T) {
	r := server(t, "2.42.0", "nstar:app_verdict", recorded{
		"nstar:app_verdict": {`{"app":"shop","verdict":"healthy"}`: 1},
		"nstar_tier_errors_total": {
			`{"app":"shop","tier":"web"}`: 300, `{"app":"shop","tier":"api"}`: 400, `{"app":"shop","tier":"seldom"}`: 4,
			`{"app":"gone","tier":"web"}`: 9},
		"nstar_tier_completions_total": {
			`{"app":"shop","tier":"web"}`: 600, `{"app":"shop","tier":"api"}`: 800,
			`{"app":"shop","tier":"seldom"}`: 4000, `{"app":"gone","tier":"web"}`: 9},
	})
	o, err := r.Read(context.Background(), "", 3*time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]Errors{{"api", 400, 0.5, false}, {"web", 300, 0.5, false}}, o.Apps[0].Errors); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// If tiers fail about equally often, the last one along the calls is to be looked at: the others pass on its
// errors.
func TestCureErrors(t *testing.T) {
	const says = " of its requests " + byError + "."
	for _, tt := range []struct {
		name    string
		verdict Verdict
		errors  []Errors
		advice  string
		summary string // among others
		notes   []string
	}{
		{"the front passes them on", Learning,
			[]Errors{{"httpd", 300, 0.6, false}, {"tomcat", 290, 0.6, false}},
			"Look into the log of tomcat, which",
			"httpd answered 60 %" + says, []string{"tomcat answered 60 %" + says}},
		{"they are its own", Learning, []Errors{{"httpd", 300, 0.6, false}, {"tomcat", 20, 0.1, false}},
			"Look into the log of httpd, which",
			"httpd answered 60 %" + says, []string{"tomcat answered 10 %" + says}},
		{"few", Learning, []Errors{{"httpd", 10, 0.02, false}}, adviceOnTime, "still learning",
			[]string{"httpd answered 2.0 %" + says}},
		{"it was healthy for longer", Healthy, []Errors{{"httpd", 90, 0.06, false}},
			"Look into the log of httpd, which",
			"is healthy except for errors: ", []string{"httpd answered 6.0 %" + says}},
		{"few, and all is well else", Healthy, []Errors{{"httpd", 10, 0.02, false}, {"tomcat", 9, 0.02, false}},
			"Look into the log of tomcat for the errors. No request waits", "is healthy except for errors: ",
			[]string{"httpd answered 2.0 %" + says, "tomcat answered 2.0 %" + says}},
		{"many, and it is over", Healthy, []Errors{{"httpd", 90, 0.06, true}},
			"Look into the log of httpd for the errors. No request waits", "is healthy except for errors: ",
			[]string{"httpd answered 6.0 %" + strings.TrimSuffix(says, ".") + ", but none in the last 20 s."}},
		{"none, and all is well", Healthy, nil, "Nothing.", "is healthy: ", nil},
		{"none", Learning, nil, adviceOnTime, "still learning", nil},
	} {
		r := Decide(scene(Finding{Verdict: tt.verdict}, func(a *Application, _ *Observations) {
			a.Errors = tt.errors
			for i := range a.Times {
				a.Times[i].Status = ""
			}
		}))
		if !strings.HasPrefix(r.Advice, tt.advice) {
			t.Errorf("%s: advice %q", tt.name, r.Advice)
		}
		if !strings.Contains(r.Summary, tt.summary) {
			t.Errorf("%s: summary %q", tt.name, r.Summary)
		}
		if len(r.Notes) < len(tt.notes) || !slices.Equal(tt.notes, r.Notes[:len(tt.notes)]) {
			t.Errorf("%s: notes %q", tt.name, r.Notes)
		}
	}
}

// A tier that answers with errors is named, whatever passes them on.
func TestBlameErrors(t *testing.T) {
	r := Decide(scene(single("tomcat", causeErrors), func(a *Application, _ *Observations) {
		a.Errors = []Errors{{"httpd", 300, 0.3, false}, {"tomcat", 290, 0.6, false}}
		for i := range a.Evaluations {
			a.Evaluations[i].Share = 0
		}
	}))
	for _, want := range []string{
		"In shop, tomcat answers 60 % of its requests with an error (status 500 or above, or the like in gRPC) or by " +
			"closing the connection, ",
		"Nstar has named it since 02:48:00"} {
		if !strings.Contains(r.Summary, want) {
			t.Errorf("%q is not in %q", want, r.Summary)
		}
	}
	advice := "Read these errors in the log of tomcat: something was changed, it lacks a service or a file, or has " +
		"reached a limit, or db said so in a protocol whose errors Nstar can't read. More capacity gains nothing"
	if !strings.HasPrefix(r.Advice, advice) {
		t.Errorf("advice %q", r.Advice)
	}
	if want := "httpd answered 30 %"; len(r.Notes) == 0 || !strings.HasPrefix(r.Notes[0], want) ||
		slices.ContainsFunc(r.Notes, func(n string) bool { return strings.Contains(n, "tomcat answered") }) {
		t.Errorf("notes %q", r.Notes)
	}
	if !r.Bottleneck.Fails() || r.Bottleneck.Milliseconds != 0 {
		t.Errorf("%+v", r.Bottleneck)
	}
}

// What was a trouble until now is said until it is forgotten.
func TestErrorsUntilNow(t *testing.T) {
	r := Decide(scene(Finding{Verdict: Learning}, func(a *Application, _ *Observations) {
		a.Errors, a.Held = []Errors{{"httpd", 300, 0.3, true}}, end.Add(-7*time.Minute)
		a.Evaluations = append(evaluations(end.Add(-10*time.Minute), a.Held, well, 1), a.Evaluations[181:]...)
	}))
	want := "httpd answered 30 % of its requests with an error (status 500 or above, or the like in gRPC) or by " +
		"closing the connection, but none in the last 20 s. "
	if !strings.Contains(r.Summary, want) || strings.Contains(r.Summary, "has changed") {
		t.Errorf("%q", r.Summary)
	}
}

// If requests take longer than usual, the errors do not hide that.
func TestSlowErrors(t *testing.T) {
	r := Decide(scene(Finding{Verdict: Learning}, func(a *Application, _ *Observations) {
		a.Errors, a.Slower = []Errors{{"httpd", 300, 0.6, false}}, &Slower{Times: 300, Usual: 0.004}
		a.Capacity = &Capacity{State: capacityClient, Peak: ptr(900), Headroom: ptr(300)}
	}))
	if r.Capacity != nil {
		t.Errorf("errors count as throughput: %+v", r.Capacity)
	}
	if all := r.Summary + r.Advice; strings.Contains(all, "little time") ||
		!strings.Contains(all, "(status 500 or above, or the like in gRPC) or by closing the connection. "+
			"Requests now take 1200 ms, 300 times as long as usual") {
		t.Error(all)
	}
}

// Errors that come after a time-out hide nothing.
func TestLateErrors(t *testing.T) {
	r := Decide(scene(Finding{Verdict: Learning}, func(a *Application, _ *Observations) {
		a.Errors = []Errors{{"httpd", 300, 1, false}}
		for i := range a.Times {
			a.Times[i].Own = 2
		}
	}))
	if all := r.Summary + r.Advice; strings.Contains(all, "little time") || !strings.Contains(all, "They come late") {
		t.Error(all)
	}
}

// Errors that come from a tier that was not there for a while are not the fault of who says so.
func TestErrorsOfATierThatCameBack(t *testing.T) {
	r := Decide(scene(Finding{Verdict: Learning}, func(a *Application, _ *Observations) {
		a.Errors = []Errors{{"tomcat", 300, 0.2, false}}
		a.Failed = []Failed{{From: "tomcat", To: "db", Times: 789, Over: true}}
		a.Starts = []Start{{Tier: "db", At: end.Add(-20 * time.Second), Anew: 1}}
	}))
	if !strings.HasPrefix(r.Advice, "Find out what started db again at ") ||
		strings.Contains(r.Advice, "the log of tomcat") {
		t.Error(r.Advice)
	}
}
