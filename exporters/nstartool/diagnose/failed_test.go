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
			`{"app":"shop","from":"web","to":"[::1]:6379"}`: 900, `{"app":"shop","from":"web","to":"cache"}`: 40, `{"app":"shop","from":"web","to":"db"}`: 700,
			`{"app":"gone","from":"web","to":"db"}`: 9},
	})
	o, err := r.Read(context.Background(), "", 3*time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]Failed{{"web", "db", 700}, {"web", "cache", 40}}, o.Apps[0].Failed); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// Whoever can't be reached is looked at first, by what else may be known of the tier that asks for it.
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
			a.Failed = []Failed{{tt.from, "cache", 700}}
		}))
		if got := strings.HasPrefix(r.Advice, "See whether cache runs"); got != tt.want {
			t.Errorf("%s: %s", tt.name, r.Advice)
		}
		if len(r.Notes) == 0 || r.Notes[0] != "tomcat could not connect to cache 700 times: nothing listens there, or nobody answers." {
			t.Errorf("%s: notes %q", tt.name, r.Notes)
		}
	}
}
