// SPDX-License-Identifier: Apache-2.0

package diagnose

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestReadPaused(t *testing.T) {
	r := server(t, "2.42.0", "nstar:app_verdict", recorded{
		"nstar:app_verdict": {`{"app":"shop","verdict":"healthy"}`: 1},
		"increase(nstar_tier_reopened_total": {
			`{"app":"shop","tier":"app"}`: 0.12, `{"app":"shop","tier":"web"}`: 0.049,
			`{"app":"gone","tier":"web"}`: 1},
	})
	o, err := r.Read(context.Background(), "", 3*time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]Paused{{"app", 0.12}}, o.Apps[0].Paused); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// Its pauses stand at the tiers that call it. Tiers of one name, two listeners of a program on several hosts, call each
// other, but nobody learns anything from "not as time of web, but as time of web".
func TestMisplaced(t *testing.T) {
	for _, c := range []struct {
		name  string
		edges []Edge
		want  string
	}{
		{"nobody calls it", nil, "not counted as time of web. "},
		{"itself", []Edge{{From: "web", To: "web"}}, "not counted as time of web. "},
		{"two", []Edge{
			{From: "lb", To: "web"}, {From: "web", To: "web"}, {From: "api", To: "web"}, {From: "web", To: "db"},
		}, "not counted as time of web, but as time of lb and api. "},
	} {
		d := diagnosis{Application: Application{Paused: []Paused{{"web", 0.12}}, Edges: c.edges}}
		if got := strings.Join(d.misplaced(), ""); !strings.Contains(got, c.want) {
			t.Errorf("%s: %q is not in: %s", c.name, c.want, got)
		}
	}
}
