// SPDX-License-Identifier: Apache-2.0

package diagnose

import (
	"context"
	"testing"
	"time"
)

// A pool that has been raised is judged by what it was while it was too small.
func TestReadWhatWasLacking(t *testing.T) {
	edge := `{"app":"shop","from":"tomcat","to":"db"}`
	was := func(series string) string {
		return "quantile_over_time(0.5, (sum by (to) (" + series + `{from="tomcat",app="shop"}))[`
	}
	for cause, want := range map[string]float64{causePlace: 1, causeDemand: 10} {
		r := server(t, "2.42.0", "nstar:app_verdict", recorded{
			"nstar:app_verdict": {`{"app":"shop","verdict":"single_bottleneck","tier":"tomcat","cause":"` + cause +
				`"}`: 0.5},
			"nstar_edge_calls_total":             {edge: 100},
			"nstar_window_edge_connections":      {edge: 10},
			"nstar:edge_peak:mean15s":            {edge: 10},
			was("nstar_window_edge_connections"): {`{"to":"db"}`: 1},
			was("nstar:edge_peak:mean15s"):       {`{"to":"db"}`: 1},
		})
		o, err := r.Read(context.Background(), "shop", 3*time.Minute)
		if err != nil || len(o.Apps) != 1 || len(o.Apps[0].Edges) != 1 {
			t.Fatalf("%+v, %v", o.Apps, err)
		}
		if e := o.Apps[0].Edges[0]; *e.Connections != want || e.Peak != want {
			t.Errorf("%s: %g connections and %g calls, want %g", cause, *e.Connections, e.Peak, want)
		}
	}
}
