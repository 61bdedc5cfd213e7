// SPDX-License-Identifier: Apache-2.0

package diagnose

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strconv"
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

// server answers like Prometheus of that version, from what was recorded: a
// query with one sample per series, a range of windows with one sample every
// 50 ms, and a query of steps with one sample at each, in the last three minutes.
func server(t *testing.T, version, rules string, answers recorded) *Reader {
	t.Helper()
	mux := http.NewServeMux()
	mux.HandleFunc("/api/v1/status/buildinfo", func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprintf(w, `{"status":"success","data":{"version":%q}}`, version)
	})
	mux.HandleFunc("/api/v1/rules", func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprintf(w, `{"status":"success","data":{"groups":[{"name":"g","file":"f","interval":1,"rules":[`+
			`{"type":"recording","name":%q,"query":"1","health":"ok","evaluationTime":0,`+
			`"lastEvaluation":"2026-01-15T03:00:00Z"}]}]}}`, rules)
	})
	answer := func(w http.ResponseWriter, kind, query string, values func(value float64) (string, any)) {
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
			key, v := values(value)
			result = append(result, map[string]any{"metric": metric, key: v})
		}
		data := map[string]any{"resultType": kind, "result": result}
		if err := json.NewEncoder(w).Encode(map[string]any{"status": "success", "data": data}); err != nil {
			t.Error(err)
		}
	}
	series := func(from, to, step float64) func(float64) (string, any) {
		return func(value float64) (string, any) {
			values := []any{}
			for at := from; at <= to+1e-6; at += step {
				values = append(values, []any{at, fmt.Sprint(value)})
			}
			return "values", values
		}
	}
	mux.HandleFunc("/api/v1/query", func(w http.ResponseWriter, r *http.Request) {
		query, at := r.FormValue("query"), number(r.FormValue("time"))
		switch {
		case query == "time()":
			fmt.Fprintf(w, `{"status":"success","data":{"resultType":"scalar","result":[%d,"%[1]d"]}}`, end.Unix())
		case strings.HasPrefix(query, "nstar_window_") && strings.HasSuffix(query, "ms]"):
			answer(w, "matrix", query, series(at-1, at, 0.05))
		default:
			answer(w, "vector", query, func(value float64) (string, any) {
				return "value",
					[]any{at, fmt.Sprint(value)}
			})
		}
	})
	mux.HandleFunc("/api/v1/query_range", func(w http.ResponseWriter, r *http.Request) {
		from, to := number(r.FormValue("start")), number(r.FormValue("end"))
		answer(w, "matrix", r.FormValue("query"), series(max(from, float64(end.Unix()-180)), to,
			number(r.FormValue("step"))))
	})
	s := httptest.NewServer(mux)
	t.Cleanup(s.Close)
	return reader(t, s.URL)
}

func number(s string) float64 {
	v, _ := strconv.ParseFloat(s, 64)
	return v
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
	const tomcat, db = `"app":"shop","tier":"tomcat"`, `"app":"shop","tier":"db"`
	const host, edge = `,"instance":"h"`, `"app":"shop","from":"tomcat","to":"db"`
	r := server(t, "2.42.0+ds", "", recorded{
		`sum_over_time(nstar:tier_state_share:ratio10s{app="shop"}[3m])`: {
			`{` + tomcat + host + `,"state":"frozen"}`: 18, `{` + tomcat + host + `,"state":"normal"}`: 162,
			`{` + db + host + `,"state":"normal"}`: 45, `{` + db + host + `,"state":"waiting"}`: 45},
		"nstar:tier_saturation_point":   {`{` + tomcat + host + `}`: 6.5},
		"nstar:tier_max_throughput":     {`{` + tomcat + host + `}`: 1200, `{` + db + host + `}`: 3600},
		`nstar:app_verdict{app="shop"}`: {`{` + tomcat + `,"verdict":"single_bottleneck","cause":"stopped"}`: 0.5},
		"nstar:app_throughput":          {`{"app":"shop"}`: 100},
		`nstar:app_usual_throughput:requests_per_second{app="shop"} and count_over_time(`: {`{"app":"shop"}`: 130},
		"sum by (app) (nstar:app_queue": {`{"app":"shop"}`: 0.25},
		"max by (app) (max_over_time(timestamp(nstar:app_throughput": {
			`{"app":"shop"}`: float64(end.Unix() - 30)},
		"nstar:app_response_time": {`{` + tomcat + `}`: 0.03, `{` + db + `}`: 0.01},
		"nstar:app_base_time":     {`{` + tomcat + `}`: 0.01, `{` + db + `}`: 0.01},
		"nstar:app_excess_time": {`{` + tomcat + `,"cause":"stopped"}`: 0.02, `{` + db +
			`,"cause":"demand"}`: 0},
		"nstar:app_tail_share":               {`{` + tomcat + `,"cause":"stopped"}`: 0.75},
		"nstar_tier_completions_total":       {`{` + tomcat + `}`: 0.5, `{` + db + `}`: 0.5},
		"increase(nstar_tier_reopened_total": {},
		"nstar:tier_cost:seconds15s":         {`{` + db + `}`: 0.012},
		"nstar:tier_usual_cost:seconds":      {`{` + db + `}`: 0.001, `{` + tomcat + `}`: 1},
		"nstar_tier_own_queue_clipped":       {`{` + tomcat + `}`: 0.125},
		"nstar_tier_waiting_seconds": {
			`{` + tomcat + `,"on":"self"}`: 12.5, `{` + tomcat + `,"on":"clients"}`: 50, `{` + tomcat +
				`,"on":"cache"}`: 12.5,
			`{` + tomcat + `,"on":"db"}`: 25, `{` + db + `,"on":"clients"}`: 40, `{` + db + `,"on":"self"}`: 0,
			`{"app":"shop","tier":"idle","on":"clients"}`: 0},
		"nstar_tier_speed_ratio": {`{` + db + `}`: 0.5},
		"nstar_tier_saturation_status": {
			`{` + db + `,"status":"always_at_limit"}`: 1, `{` + tomcat + `,"status":"known"}`: 1},
		"avg_over_time(nstar_window_gc":                              {`{` + tomcat + `}`: 0.25},
		`sum by (app) (nstar:app_response_time:seconds{app="shop"})`: {`{"app":"shop"}`: 0.04},
		`quantile_over_time(0.1, (sum by (app) (nstar:app_response_time:seconds{app="shop"}) and on (app) (` +
			`nstar:app_throughput:requests_per_second{app="shop"} >= 0.5 * `: {`{"app":"shop"}`: 0.01},
		`sum by (app, from, to) (rate(nstar_edge_calls_total{app="shop"}[1m])) / on (app, from) group_left () label`: {
			`{` + edge + `}`: 3},
		`quantile_over_time(0.25, (sum by (app, from, to) (rate(nstar_edge_calls_total{app="shop"}[1m])) / on (app, from) ` +
			`group_left () label`: {`{` + edge + `}`: 1.5},
		"group by (app, from) (rate(nstar_edge_calls_total": {}, // all that call are asked
		"nstar_edge_calls_total": {`{` + edge + `}`: 100,
			`{"app":"shop","from":"httpd","to":"tomcat"}`: 50},
		"nstar_edge_limit_calls":        {`{` + edge + `}`: 6},
		"nstar_window_edge_connections": {`{` + edge + `}`: 2},
		"nstar:edge_peak:mean15s":       {`{` + edge + `}`: 1.75},
		"nstar_edge_turns_total":        {`{` + edge + `}`: 90},
		"nstar_tier_excess_queue": {`{` + tomcat + `,"to":"db"}`: 2, `{` +
			tomcat + `,"to":""}`: 3},
		"increase(nstar_tier_excess_queue_seconds_total{cause=~`behind`": {`{` + tomcat + `,"to":"db"}`: 7},
		"nstar:edge_correlation":  {`{` + edge + `}`: -0.5},
		"nstar:cause_correlation": {`{` + tomcat + `,"cause":"garbage_collection"}`: 0.75},
		"count_over_time(nstar:app_capacity_state": {
			`{"app":"shop","state":"unknown"}`: 4, `{"app":"shop","state":"gray"}`: 4,
			`{"app":"shop","state":"client"}`: 3},
		"avg_over_time(nstar:app_capacity_state": {`{"app":"shop","state":"unknown"}`: 1,
			`{"app":"shop","state":"gray"}`: 0.75},
		"nstar:app_capacity:requests": {
			`{"app":"shop","level":"peak","source":"study"}`:         110,
			`{"app":"shop","level":"peak","source":"main_sequence"}`: 90,
			`{"app":"shop","level":"th95","source":"study"}`:         104.5},
		"nstar:app_headroom":        {`{"app":"shop"}`: 4.5},
		"nstar:app_limiting_tier":   {`{` + tomcat + `}`: 4},
		"nstar_window_queue_length": {`{` + tomcat + host + `}`: 4},
		`sum by (app) (avg_over_time(nstar_window_own_queue_length{app="shop"}[5s])) < `: {},
		`sum by (app) (avg_over_time(nstar_window_own_queue_length{app="shop"}[10s]) * `: {`{"app":"shop"}`: 0.2},
		"nstar_window_own_queue_length": {`{` + tomcat + host + `}`: 3, `{` + db + host + `}`: 1},
		"nstar_window_state":            {`{` + tomcat + host + `}`: windowFrozen, `{` + db + host + `}`: 1},
		"nstar_window_gc_ratio":         {`{` + tomcat + host + `}`: 0.25},
		"max by (app, tier) (rate(nstar_tier_garbage_collection_seconds_total": {`{` + tomcat + `}`: 0.2},
	})
	got, err := r.Read(context.Background(), "shop", 3*time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	from := end.Add(-3 * time.Minute)
	want := Observations{
		From: from, To: end,
		Tiers: []Tier{
			{App: "shop", Tier: "db", TPMax: ptr(3600), Share: map[string]float64{
				"idle": 0, "normal": 0.5, "saturated": 0, "frozen": 0, "waiting": 0.5, "unknown": 0}},
			{App: "shop", Tier: "tomcat", NStar: ptr(6.5), TPMax: ptr(1200), Share: shares(0, 0, 0.1)},
		},
		Apps: []Application{{
			Name: "shop", Evaluations: evaluations(from, end, single("tomcat", "stopped"), 0.5), Held: from,
			Throughput: 100, UsualThroughput: 130, Latest: 0.25, Silent: end.Add(-45 * time.Second),
			Took: &Growth{0.04, 0.01},
			Times: []TierTime{
				{Tier: "tomcat", Own: 0.03, Base: 0.01, Calls: 0.5, Status: statusKnown, Clipped: 0.125,
					Collection: ptr(0.2)},
				{Tier: "db", Own: 0.01, Base: 0.01, Calls: 0.5, Speed: ptr(0.5), Status: statusAlways,
					Cost: &Growth{0.012, 0.001}},
			},
			Blame: []Excess{{"tomcat", "stopped", 0.02, 0.75}},
			Worst: []WorstTime{
				{Tier: "tomcat", Own: 0.03, Causes: map[string]float64{causeStopped: 0.03}},
				{Tier: "db", Own: 0.01, Base: 0.01, Causes: map[string]float64{}},
			},
			Edges: []Edge{
				{From: "httpd", To: "tomcat"},
				{From: "tomcat", To: "db", Pearson: ptr(-0.5), Turns: 90, Calls: &Growth{3, 1.5}, Limit: ptr(6),
					Connections: ptr(2), Peak: 1.75, Waited: 2, Behind: 7},
			},
			Waiting: []Waiting{
				{"tomcat", "clients", 0.5, 50}, {"tomcat", "self", 0.125, 12.5}, {"tomcat", "db", 0.25, 25},
				{"tomcat", "cache", 0.125, 12.5},
				{"db", "clients", 1, 40}, {"db", "self", 0, 0},
			},
			Correlations: []CauseCorrelation{{"tomcat", "garbage_collection", 0.75}},
			OwnPlaces:    []OwnPlace{{"tomcat", 3}},
			Capacity: &Capacity{State: "gray", Confidence: ptr(0.75), Peak: ptr(110), Headroom: ptr(4.5),
				Source: "study", LimitingTier: "tomcat"},
		}},
	}
	options := cmp.Options{
		cmpopts.SortSlices(func(a, b Tier) bool { return a.Tier < b.Tier }),
		cmpopts.EquateApprox(1e-9, 0),
	}
	if diff := cmp.Diff(want, got, options); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestMonitoringIsLeftOutUnlessAskedFor(t *testing.T) {
	answers := recorded{
		`nstar:app_verdict{app="monitoring"}`:  {`{"app":"monitoring","verdict":"healthy"}`: 1},
		`nstar:app_verdict{app!="monitoring"}`: {`{"app":"shop","verdict":"healthy"}`: 1},
	}
	for app, want := range map[string]string{"": "shop", "monitoring": "monitoring"} {
		o, err := server(t, "3.15.0", "", answers).Read(context.Background(), app, time.Minute)
		if err != nil || len(o.Apps) != 1 || o.Apps[0].Name != want {
			t.Errorf("app %q: %v %v", app, o.Apps, err)
		}
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
	windows := map[string]map[string]float64{"nstar_window_queue_length": {`{}`: 1}}
	tiers := recorded{
		"group(last_over_time(nstar_window_queue_length": {`{}`: 1},
		"sum_over_time(nstar:tier_state_share":           {`{"app":"nope","tier":"t","state":"normal"}`: 60}}
	apps := recorded{"group by (app)": {`{"app":"web"}`: 1, `{"app":"shop"}`: 1}}
	for _, test := range []struct {
		name   string
		reader *Reader
		want   string
	}{
		{"old", server(t, "2.41.0", "", nil), "is 2.41.0; Nstar needs 2.42 or newer: upgrade it"},
		{"very old", server(t, "1.8.2", "", nil), "upgrade it"},
		{"a web page", status(200, "<html>"), "not as Prometheus"},
		{"another server", status(404, "no such page"), "check --prometheus"},
		{"password", status(401, "Unauthorized"), "--http.config.file"},
		{"nobody listens", reader(t, "http://127.0.0.1:1"), "connection refused: check that it runs there"},
		{"unknown host", reader(t, "http://prometheus.invalid:9090"), "prometheus.invalid"},
		{"wrong app", server(t, "3.15.0", "", apps), `no app "nope" in this range; there are: shop, web`},
		{"no rules", server(t, "3.15.0", "other:rule", windows), "load rules/*.yaml"},
		{"older rules", server(t, "3.15.0", "nstar:tier_state_share:ratio10s", tiers), "older than this nstartool"},
		{"exporter down", server(t, "3.15.0", "", recorded{"up{job": {`{}`: 0}}), "cannot scrape nstar_exporter"},
		{"no job for windows", server(t, "3.15.0", "", recorded{"nstar_build_info": {`{}`: 1}}),
			"add the job nstar_windows"},
		{"nothing of ours", server(t, "3.15.0", "", nil), "add its two scrape jobs"},
		{"rules just loaded", server(t, "3.15.0", "nstar:app_verdict", windows), ""},
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
	if _, err := reader(t, s.URL).Read(ctx, "", time.Minute); err == nil ||
		!strings.Contains(err.Error(), "--timeout") {
		t.Errorf("error %v, want advice on --timeout", err)
	}
}
