// SPDX-License-Identifier: Apache-2.0

package diagnose

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// Two applications without a configuration share one mean response time: that is said, unless one has hardly any
// requests, or they call each other.
func TestSeveralApplications(t *testing.T) {
	edges := map[string]float64{
		`{"app":"default","from":"haproxy","to":"granian"}`: 1, `{"app":"default","from":"granian","to":"rqlited"}`: 1,
		`{"app":"default","from":"node","to":"java"}`: 1, `{"app":"shop","from":"haproxy","to":"node"}`: 1}
	joined := map[string]float64{`{"app":"default","from":"granian","to":"java"}`: 1}
	for edge := range edges {
		joined[edge] = 1
	}
	const entered = "avg_over_time(nstar:tier_entered:requests_per_second15s"
	for _, tt := range []struct {
		name    string
		edges   map[string]float64
		entered map[string]float64
		want    []Apart
	}{
		{"two", edges, map[string]float64{`{"app":"default","tier":"haproxy"}`: 30, `{"app":"default","tier":"node"}`: 50,
			`{"app":"default","tier":"redis"}`: 20},
			[]Apart{{[]string{"node"}, []string{"java"}, 0.5},
				{[]string{"haproxy"}, []string{"granian", "rqlited"}, 0.3}}},
		{"one has hardly any requests", edges, map[string]float64{`{"app":"default","tier":"haproxy"}`: 30,
			`{"app":"default","tier":"node"}`: 1}, nil},
		{"they share a server", joined, map[string]float64{`{"app":"default","tier":"haproxy"}`: 30,
			`{"app":"default","tier":"node"}`: 50}, nil},
	} {
		r := server(t, "2.42.0", "nstar:app_verdict", recorded{
			"nstar:app_verdict":               {`{"app":"default","verdict":"healthy"}`: 1},
			"group by (app, from, to) (incre": tt.edges, entered: tt.entered})
		o, err := r.Read(context.Background(), "", 3*time.Minute)
		if err != nil {
			t.Fatal(err)
		}
		d := diagnosis{Application: o.Apps[0], finding: Finding{Verdict: Healthy}}
		const said = "default seems to be 2 applications that never call each other: node (with java; 50 % of the " +
			"requests); haproxy (with granian and rqlited; 30 % of the requests). All are judged by one mean " +
			"response time here, which hides what is wrong with one of them. Give each a name: `app` of its tiers in " +
			"the configuration file of nstar_exporter."
		if slices.Contains(d.notes(), said) != (tt.want != nil) {
			t.Errorf("%s: %q", tt.name, d.notes())
		}
		if len(tt.want) > 1 {
			if diff := cmp.Diff(tt.want, d.Apart); diff != "" {
				t.Errorf("%s: -want +got:\n%s", tt.name, diff)
			}
		}
	}
}
