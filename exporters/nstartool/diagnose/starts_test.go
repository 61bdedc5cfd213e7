// SPDX-License-Identifier: Apache-2.0

package diagnose

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestReadStarts(t *testing.T) {
	last, before := float64(end.Add(-70*time.Second).UnixMilli())/1000, float64(end.Add(-90*time.Second).Unix())
	r := server(t, "2.42.0", "nstar:app_verdict", recorded{
		"nstar:app_verdict": {`{"app":"shop","verdict":"healthy"}`: 1},
		"last_over_time(nstar_tier_start_time_seconds": {
			`{"app":"shop","tier":"db"}`: last, `{"app":"shop","tier":"web"}`: before,
			`{"app":"shop","tier":"db:9100"}`: last, // its name until it listened where it did before
			`{"app":"gone","tier":"web"}`:     before},
		"changes(nstar_tier_start_time_seconds": {`{"app":"shop","tier":"db"}`: 3},
	})
	o, err := r.Read(context.Background(), "", 3*time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	want := []Start{{"web", end.Add(-90 * time.Second), 0}, {"db", end.Add(-70 * time.Second), 3}}
	if diff := cmp.Diff(want, o.Apps[0].Starts); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// A healthy application may have been restarted.
func TestAdviceWhenWell(t *testing.T) {
	for _, tt := range []struct {
		starts []Start
		want   string
	}{
		{nil, "Nothing."},
		{[]Start{{"db", end.Add(-time.Minute), 0}}, "Nothing."},
		{[]Start{{"httpd", end.Add(-time.Minute), 0}, {"db", end.Add(-time.Minute), 1}},
			"Find out what started db again at 02:59:00, and why"},
	} {
		r := Decide(scene(Finding{Verdict: Healthy}, func(a *Application, _ *Observations) { a.Starts = tt.starts }))
		if !strings.HasPrefix(r.Advice, tt.want) {
			t.Errorf("%v: %s", tt.starts, r.Advice)
		}
	}
}

// A start is the reason for standing still if that began with the start and did not last. Stops that went on for
// long, or began before, have another reason, and so have stops of a tier that was not there before.
func TestCureRestart(t *testing.T) {
	stopped := single("db", causeStopped)
	for _, tt := range []struct {
		name   string
		held   time.Duration // since then, before the end
		starts []Start
		want   bool
	}{
		{"just now", 50 * time.Second, []Start{{"db", end.Add(-70 * time.Second), 1}}, true},
		{"again and again", 50 * time.Second, []Start{{"db", end.Add(-70 * time.Second), 8}}, true},
		{"for long since then", 5 * time.Minute, []Start{{"db", end.Add(-5 * time.Minute), 1}}, false},
		{"after it", 5 * time.Minute, []Start{{"db", end.Add(-70 * time.Second), 1}}, false},
		{"of another tier", 50 * time.Second, []Start{{"tomcat", end.Add(-70 * time.Second), 1}}, false},
		{"not anew", 50 * time.Second, []Start{{"db", end.Add(-70 * time.Second), 0}}, false},
		{"none", 50 * time.Second, nil, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := Decide(scene(stopped, func(a *Application, o *Observations) {
				a.blame("db", "db", causeStopped, 0.010, 0.9)
				a.Held = end.Add(-tt.held)
				a.Evaluations = append(evaluations(o.From, a.Held.Add(-time.Second), Finding{Verdict: Healthy}, 1),
					evaluations(a.Held, end, stopped, 0.4)...)
				if tt.held < 2*time.Minute { // the verdict that prevailed
					a.Evaluations = evaluations(a.Held, end, stopped, 0.4)
				}
				a.Starts = tt.starts
			}))
			if r.Verdict != SingleBottleneck {
				t.Fatal(r.Verdict)
			}
			if got := strings.Contains(r.Advice, "Find out what started db again"); got != tt.want {
				t.Errorf("%v: %s", got, r.Advice)
			}
		})
	}
}
