// SPDX-License-Identifier: Apache-2.0

package recorded

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/prometheus/client_golang/api"

	"github.com/nstar-project/nstar/exporters/nstartool/whatif"
)

const at = 1768446000.0 // 2026-01-15 03:00:00 UTC

// series of an answer: labels, and values of windows from the first on; one
// value is an instant vector's. An absent window is not written.
type series struct {
	labels string
	values []any
}

// server answers queries that begin with a key.
func server(t *testing.T, answers map[string][]series) api.Client {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		query := r.FormValue("query")
		if query == "time()" {
			fmt.Fprintf(w, `{"status":"success","data":{"resultType":"scalar","result":[%f,"%f"]}}`, at, at)
			return
		}
		matrix := strings.HasSuffix(query, "]")
		result := []any{}
		for key, all := range answers {
			if !strings.HasPrefix(query, key) {
				continue
			}
			for _, one := range all {
				var metric map[string]string
				if err := json.Unmarshal([]byte("{"+one.labels+"}"), &metric); err != nil {
					t.Error(err)
				}
				var values []any
				for k, v := range one.values {
					if v != nil {
						values = append(values, []any{at - 60 + 0.05*float64(k), fmt.Sprint(v)})
					}
				}
				if matrix {
					result = append(result, map[string]any{"metric": metric, "values": values})
				} else {
					result = append(result, map[string]any{"metric": metric, "value": values[0]})
				}
			}
		}
		kind := map[bool]string{true: "matrix", false: "vector"}[matrix]
		data := map[string]any{"resultType": kind, "result": result}
		if err := json.NewEncoder(w).Encode(map[string]any{"status": "success", "data": data}); err != nil {
			t.Error(err)
		}
	}))
	t.Cleanup(s.Close)
	client, err := api.NewClient(api.Config{Address: s.URL})
	if err != nil {
		t.Fatal(err)
	}
	return client
}

const (
	web, db, call = `"app":"shop","tier":"web"`, `"app":"shop","tier":"db"`, `"app":"shop","from":"web","to":"db"`
	cache, mail   = `"app":"shop","tier":"cache"`, `"app":"shop","tier":"mail"` // without windows
)

func answers() map[string][]series {
	return map[string][]series{
		"group by (app)": {{`"app":"shop"`, []any{1}},
			{`"app":"default"`, []any{1}}},
		"nstar_window_own_queue_length{": {{web, []any{1, 2, 3}}, {db, []any{nil, 0, 5}}},
		"nstar_window_queue_length{":     {{web, []any{1, 3, 9}}, {db, []any{nil, 0, 5}}},
		"nstar_window_throughput{":       {{web, []any{20, 40, 60}}, {db, []any{nil, 0, 100}}},
		"nstar_window_state{":            {{web, []any{1, 3, 3}}, {db, []any{nil, 0, 2}}},
		"nstar_window_gc_ratio{":         {{web, []any{0, 0.5, 1}}},
		"nstar_window_edge_calls{": {
			{call, []any{0, 20, 40}}, {`"app":"shop","from":"cron","to":"db"`, []any{1, 1, 1}}},
		"nstar_window_edge_outstanding{":                           {{call, []any{0, 1, 6}}},
		"nstar_window_edge_outstanding_max{":                       {{call, []any{0, 2, 8}}},
		"last_over_time(nstar_edge_limit_calls{":                   {{call, []any{8}}},
		"last_over_time(nstar_tier_base_residence_seconds{":        {{web, []any{0.002}}},
		"last_over_time(nstar_tier_saturation_point_queue_length{": {{web, []any{4}}},
		"last_over_time(nstar_tier_saturation_status{": {
			{web + `,"status":"known"`, []any{1}}, {db + `,"status":"never_near_limit"`, []any{1}}},
		"sum by (instance, tier, cpu) (rate(nstar_tier_core": {
			{web + `,"instance":"a","cpu":"0"`, []any{0.2}}, {web + `,"instance":"a","cpu":"1"`, []any{0.001}},
			{db + `,"instance":"a","cpu":"0"`, []any{0.1}}, {db + `,"instance":"a","cpu":"2"`, []any{0.2}},
			{cache + `,"instance":"a","cpu":"3"`, []any{0.2}}, {mail + `,"instance":"a","cpu":"all"`, []any{2}}},
		"sum by (instance, tier) (rate(nstar_tier_cpu": {{web + `,"instance":"a"`, []any{0.2}},
			{db + `,"instance":"a"`, []any{0.3}}, {cache + `,"instance":"a"`, []any{0.2}},
			{mail + `,"instance":"a"`, []any{2}}},
		"avg by (instance, tier) (avg_over_time(nstar_tier_processors_busy": {{web + `,"instance":"a"`, []any{0.4}},
			{db + `,"instance":"a"`, []any{0.5}}, {cache + `,"instance":"a"`, []any{0.1}},
			{mail + `,"instance":"a"`, []any{0.5}}},
		"sum by (tier) (rate(nstar_tier_completions": {{web, []any{100}}, {db, []any{300}}},
	}
}

func TestRead(t *testing.T) {
	got, err := Read(context.Background(), server(t, answers()), "", time.Time{}, time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	want := whatif.Trace{App: "shop", Width: 0.05,
		Tiers: []whatif.Tier{
			{Name: "db", Queue: []float64{0, 0, 5}, Own: []float64{0, 0, 5}, Completions: []float64{0, 0, 5},
				Frozen: []bool{false, false, false}, Learning: "never near limit", Processor: 0.001},
			{Name: "web", Queue: []float64{1, 3, 9}, Own: []float64{1, 2, 3}, Completions: []float64{1, 2, 3},
				Frozen: []bool{false, true, true}, Collection: []float64{0, 0.5, 1}, Base: 0.002, Knee: 4,
				Processor: 0.002},
		},
		Edges: []whatif.Edge{{From: "web", To: "db", Outstanding: []float64{0, 1, 6},
			OutstandingMax: []float64{0, 2, 8},
			Calls:          []float64{0, 1, 2}, Limit: 8}},
		Machines: []whatif.Machine{
			{Host: "a", Tiers: []string{"db", "web"}, Processors: 2, Others: 0.4}, // 0.45 of 2 are busy, 0.5 is theirs
			{Host: "a", Tiers: []string{"cache"}, Processors: 1},
		},
	}
	if diff := cmp.Diff(want, got, cmpopts.EquateApprox(0, 1e-9)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestReadRefuses(t *testing.T) {
	for name, test := range map[string]struct {
		app    string
		change func(map[string][]series)
		want   string
	}{
		"no windows": {"", func(a map[string][]series) { delete(a, "group by (app)") },
			"nstar_window_own_queue_length"},
		"no such app": {"nope", func(a map[string][]series) { delete(a, "nstar_window_own_queue_length{") },
			`no windows of app "nope"`},
		"several apps": {"", func(a map[string][]series) {
			a["group by (app)"] = append(a["group by (app)"], series{`"app":"forum"`, []any{1}})
		}, "choose one with --app: forum, shop"},
		"two servers": {"shop", func(a map[string][]series) {
			key := "nstar_window_own_queue_length{"
			a[key] = append(a[key], series{web + `,"instance":"b"`, []any{1, 1, 1}})
		}, "web runs on several servers"},
		"missing windows": {"shop", func(a map[string][]series) {
			a["nstar_window_own_queue_length{"] = []series{{web, []any{1, nil, nil, nil, 1, 1}}}
		}, "50 % of the windows of web are missing"},
	} {
		t.Run(name, func(t *testing.T) {
			a := answers()
			test.change(a)
			_, err := Read(context.Background(), server(t, a), test.app, time.Time{}, time.Minute)
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v, want %q", err, test.want)
			}
		})
	}
}
