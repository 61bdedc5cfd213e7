// SPDX-License-Identifier: Apache-2.0

package diagnose

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestReadErrors(t *testing.T) {
	r := server(t, "2.42.0", "nstar:app_verdict", recorded{
		"nstar:app_verdict": {`{"app":"shop","verdict":"healthy"}`: 1},
		"nstar_tier_errors_total": {
			`{"app":"shop","tier":"web"}`: 300, `{"app":"shop","tier":"api"}`: 400, `{"app":"shop","tier":"seldom"}`: 4, `{"app":"gone","tier":"web"}`: 9},
		"nstar_tier_completions_total": {
			`{"app":"shop","tier":"web"}`: 600, `{"app":"shop","tier":"api"}`: 800, `{"app":"shop","tier":"seldom"}`: 4000, `{"app":"gone","tier":"web"}`: 9},
	})
	o, err := r.Read(context.Background(), "", 3*time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]Errors{{"api", 400, 0.5}, {"web", 300, 0.5}}, o.Apps[0].Errors); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// Of those that fail about as often, the last along the calls is to be looked at: the others pass on what it says.
func TestCureErrors(t *testing.T) {
	for _, tt := range []struct {
		name   string
		errors []Errors
		want   string
	}{
		{"the front passes them on", []Errors{{"httpd", 300, 0.6}, {"tomcat", 290, 0.6}}, "Look into the log of tomcat"},
		{"they are its own", []Errors{{"httpd", 300, 0.6}, {"tomcat", 20, 0.1}}, "Look into the log of httpd"},
		{"few", []Errors{{"httpd", 10, 0.02}}, ""},
		{"none", nil, ""},
	} {
		r := Decide(scene(Finding{Verdict: Learning}, func(a *Application, _ *Observations) { a.Errors = tt.errors }))
		if got, _, found := strings.Cut(r.Advice, ","); found && strings.HasPrefix(got, "Look into the log") != (tt.want != "") ||
			!strings.HasPrefix(r.Advice, tt.want) {
			t.Errorf("%s: %s", tt.name, r.Advice)
		}
		if len(tt.errors) > 0 && r.Notes[0] != "httpd answered "+percent(tt.errors[0].Share)+" of its requests with an error (HTTP status 500 or above)." {
			t.Errorf("%s: notes %q", tt.name, r.Notes)
		}
	}
}
