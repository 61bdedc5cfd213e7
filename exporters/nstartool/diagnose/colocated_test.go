// SPDX-License-Identifier: Apache-2.0

package diagnose

import (
	"context"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// Only another application whose calls go to the same host, with a larger pool, is a reason for a larger pool, if the
// two take the processor from each other.
func TestReadColocated(t *testing.T) {
	at := func(app, tier, instance string) string {
		return `{"app":"` + app + `","tier":"` + tier + `","instance":"` + instance + `"}`
	}
	edge := func(app, from, to string) string {
		return `{"app":"` + app + `","from":"` + from + `","to":"` + to + `"}`
	}
	mirror := func(neighbour string) string {
		return `{"app":"shop","instance":"b:9965","neighbour":"` + neighbour + `","of":"processor"}`
	}
	r := server(t, "2.42.0", "nstar:app_verdict", recorded{
		"nstar:app_verdict": {`{"app":"shop","verdict":"single_bottleneck","tier":"web","cause":"soft_resource"}`: 0.5},
		"increase(nstar_edge_calls_total": {edge("shop", "web", "db"): 1, edge("shop", "web", "cache"): 1,
			edge("shop", "web", "free"): 1},
		`(last_over_time(nstar_edge_limit_calls{app!="monitoring"}[3m]))`: {edge("shop", "web", "db"): 2,
			edge("shop", "web", "cache"): 8},
		"group by (app, tier, instance) (last_over_time(nstar_tier_completions_total": {
			at("shop", "web", "a:9965"): 1, at("shop", "db", "b:9965"): 1, at("shop", "cache", "b:9965"): 1,
			at("shop", "free", "b:9965"):     1,
			at("board", "mariadb", "b:9965"): 1, at("wiki", "mariadb", "c:9965"): 1, at("board", "small", "b:9965"): 1,
			at("idle", "mariadb", "b:9965"): 1},
		"avg_over_time(nstar:app_colocated:pearson1m": {mirror("board"): -0.5, mirror("wiki"): -0.5,
			mirror("idle"): -0.1},
		"or sum by (app, from, to) (last_over_time(nstar_window_edge_connections": {
			edge("shop", "web", "db"): 2, edge("shop", "web", "cache"): 8, edge("shop", "other", "db"): 50,
			edge("board", "tomcat", "mariadb"): 6, edge("board", "tomcat", "small"): 3,
			edge("wiki", "tomcat", "mariadb"): 100, edge("idle", "tomcat", "mariadb"): 90},
	})
	o, err := r.Read(context.Background(), "", 3*time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]*Pool{}
	for _, e := range o.Apps[0].Edges {
		got[e.To] = e.Larger
	}
	want := map[string]*Pool{"db": {"board", "tomcat", "mariadb", 6}, "cache": nil, "free": nil}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}
