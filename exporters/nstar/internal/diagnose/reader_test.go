// SPDX-License-Identifier: Apache-2.0

package diagnose

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
)

// recorded answers queries that contain a key with labels and a value each.
// The longest key that fits wins.
type recorded map[string]map[string]float64

const at = 1768446000.0 // 2026-01-15 03:00:00 UTC

// server answers like Prometheus of that version, from what was recorded.
func server(t *testing.T, version, rules string, answers recorded) *Reader {
	t.Helper()
	mux := http.NewServeMux()
	mux.HandleFunc("/api/v1/status/buildinfo", func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprintf(w, `{"status":"success","data":{"version":%q}}`, version)
	})
	mux.HandleFunc("/api/v1/rules", func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprintf(w, `{"status":"success","data":{"groups":[{"name":"g","file":"f","interval":1,"rules":[`+
			`{"type":"recording","name":%q,"query":"1","health":"ok","evaluationTime":0,"lastEvaluation":"2026-01-15T03:00:00Z"}]}]}}`, rules)
	})
	mux.HandleFunc("/api/v1/query", func(w http.ResponseWriter, r *http.Request) {
		query := r.FormValue("query")
		if query == "time()" {
			fmt.Fprintf(w, `{"status":"success","data":{"resultType":"scalar","result":[%f,"%f"]}}`, at, at)
			return
		}
		best := ""
		for key := range answers {
			if strings.Contains(query, key) && len(key) > len(best) {
				best = key
			}
		}
		result := []any{}
		for labels, value := range answers[best] {
			var metric map[string]string
			if err := json.Unmarshal([]byte(labels), &metric); err != nil {
				t.Error(err)
			}
			result = append(result, map[string]any{"metric": metric, "value": []any{at, fmt.Sprint(value)}})
		}
		if err := json.NewEncoder(w).Encode(map[string]any{"status": "success", "data": map[string]any{"resultType": "vector", "result": result}}); err != nil {
			t.Error(err)
		}
	})
	s := httptest.NewServer(mux)
	t.Cleanup(s.Close)
	return reader(t, s.URL)
}

func reader(t *testing.T, url string) *Reader {
	t.Helper()
	client, err := api.NewClient(api.Config{Address: url})
	if err != nil {
		t.Fatal(err)
	}
	return NewReader(client, "http://prom")
}

func TestRead(t *testing.T) {
	const tomcat, db = `"app":"shop","tier":"tomcat","instance":"h"`, `"app":"shop","tier":"db","instance":"h"`
	r := server(t, "2.42.0+ds", "", recorded{
		`count_over_time(nstar:tier_state_share:ratio10s{state="idle",app="shop"}[3m])`: {`{` + tomcat + `,"state":"idle"}`: 180, `{` + db + `,"state":"idle"}`: 90},
		`sum_over_time(nstar:tier_state_share:ratio10s{state!="",app="shop"}[3m])`: {
			`{` + tomcat + `,"state":"frozen"}`: 18, `{` + tomcat + `,"state":"normal"}`: 162, `{` + tomcat + `,"state":"idle"}`: 0,
			`{` + db + `,"state":"normal"}`: 45, `{` + db + `,"state":"idle"}`: 45},
		"last_over_time(nstar:tier_saturation_point":      {`{` + tomcat + `}`: 6.5},
		"last_over_time(nstar:tier_max_throughput":        {`{` + tomcat + `}`: 1200, `{` + db + `}`: 3600},
		"quantile_over_time(0.5, (nstar:edge_correlation": {`{"app":"shop","from":"tomcat","to":"db"}`: -0.5},
		"avg_over_time(nstar:edge_saturated_share":        {`{"app":"shop","from":"tomcat","to":"db"}`: 0.125},
		"last_over_time(nstar:edge_correlation": {`{"app":"shop","from":"tomcat","to":"db"}`: -0.3,
			`{"app":"shop","from":"httpd","to":"tomcat"}`: 0.9},
		"avg_over_time((nstar:cause_correlation":                                               {`{` + tomcat + `,"cause":"garbage_collection"}`: 0.75, `{` + db + `,"cause":"disk"}`: 0.5},
		`max(avg_over_time(nstar_window_gc_ratio{app="shop",tier="tomcat",instance="h"}[3m]))`: {`{}`: 0.25},
		`max(max_over_time(nstar_window_gc_ratio{app="shop",tier="tomcat",instance="h"}[3m]))`: {`{}`: 1},
	})
	got, err := r.Read(context.Background(), "shop", 3*time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	to := time.Date(2026, 1, 15, 3, 0, 0, 0, time.UTC)
	want := Observations{
		From: to.Add(-3 * time.Minute), To: to, Evaluations: 180,
		Tiers: []Tier{
			{App: "shop", Tier: "db", TPMax: ptr(3600), Share: map[string]float64{"idle": 0.5, "normal": 0.5, "saturated": 0, "frozen": 0}},
			{App: "shop", Tier: "tomcat", NStar: ptr(6.5), TPMax: ptr(1200), Share: map[string]float64{"idle": 0, "normal": 0.9, "saturated": 0, "frozen": 0.1}},
		},
		Edges: []Edge{
			{App: "shop", From: "httpd", To: "tomcat"},
			{App: "shop", From: "tomcat", To: "db", Pearson: ptr(-0.5), Saturated: 0.125},
		},
		Causes: []CauseCorrelation{
			{App: "shop", Tier: "db", Instance: "h", Cause: "disk", Correlation: 0.5},
			{App: "shop", Tier: "tomcat", Instance: "h", Cause: "garbage_collection", Correlation: 0.75, Share: ptr(0.25), Peak: ptr(1)},
		},
	}
	sorted := cmp.Options{
		cmpopts.SortSlices(func(a, b Tier) bool { return a.Tier < b.Tier }),
		cmpopts.SortSlices(func(a, b Edge) bool { return a.From < b.From }),
		cmpopts.SortSlices(func(a, b CauseCorrelation) bool { return a.Tier < b.Tier }),
	}
	if diff := cmp.Diff(want, got, sorted); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestReadExplains(t *testing.T) {
	status := func(code int, body string) *Reader {
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(code)
			fmt.Fprint(w, body)
		}))
		t.Cleanup(s.Close)
		return reader(t, s.URL)
	}
	closed := httptest.NewServer(http.NotFoundHandler())
	closed.Close()
	windows := map[string]map[string]float64{"nstar_window_queue_length": {`{}`: 1}}
	for _, test := range []struct {
		name   string
		reader *Reader
		want   string
	}{
		{"old", server(t, "2.41.0", "", nil), "is 2.41.0; Nstar needs 2.42 or newer: upgrade it"},
		{"very old", server(t, "1.8.2", "", nil), "upgrade it"},
		{"a web page", status(200, "<html>"), "not like Prometheus"},
		{"another server", status(404, "no such page"), "check --prometheus"},
		{"password", status(401, "Unauthorized"), "--http.config.file"},
		{"nobody listens", reader(t, closed.URL), "connection refused: check that it runs there"},
		{"unknown host", reader(t, "http://prometheus.invalid:9090"), "prometheus.invalid"},
		{"wrong app", server(t, "3.15.0", "", recorded{"group by (app)": {`{"app":"web"}`: 1, `{"app":"shop"}`: 1}}), `no app "nope" in this range; there are: shop, web`},
		{"no rules", server(t, "3.15.0", "other:rule", windows), "load rules/*.yaml"},
		{"exporter down", server(t, "3.15.0", "", recorded{"up{job": {`{}`: 0}}), "cannot scrape nstar_exporter"},
		{"no job for windows", server(t, "3.15.0", "", recorded{"nstar_build_info": {`{}`: 1}}), "add the job nstar_windows"},
		{"nothing of ours", server(t, "3.15.0", "", nil), "add its two scrape jobs"},
		{"rules just loaded", server(t, "3.15.0", "nstar:tier_state_share:ratio10s", windows), ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := test.reader.Read(context.Background(), "nope", time.Minute)
			switch {
			case test.want == "" && err != nil:
				t.Errorf("unexpected error: %v", err)
			case test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)):
				t.Errorf("error %v, want ...%s...", err, test.want)
			case err != nil && strings.Contains(err.Error(), "\n"):
				t.Errorf("more than one line: %v", err)
			}
		})
	}
}

func TestReadGivesUp(t *testing.T) {
	s := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }))
	defer s.Close()
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	if _, err := reader(t, s.URL).Read(ctx, "", time.Minute); err == nil || !strings.Contains(err.Error(), "--timeout") {
		t.Errorf("error %v, want advice on --timeout", err)
	}
}
