// SPDX-License-Identifier: Apache-2.0

package source

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/prometheus/client_golang/api"
	v1 "github.com/prometheus/client_golang/api/prometheus/v1"
	"github.com/prometheus/common/model"

	"github.com/nstar-project/nstar/exporters/nstartool/study"
)

func TestReadCSV(t *testing.T) {
	setups, metrics, err := ReadCSV(strings.NewReader(`# a comment
setup,clients,throughput,httpd/busy,cpu
a,2,20,0.5,1
a,1,10,0.25,
b,1,11,0.3,2
a,2,22,0.7,3
`))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]study.Metric{{Name: "busy", Tier: "httpd"}, {Name: "cpu"}}, metrics); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	want := []study.Setup{
		{Name: "a", Points: []study.Point{
			{Clients: 2, Throughput: []float64{20, 22}, Values: map[string][]float64{"httpd/busy": {0.5, 0.7},
				"cpu": {1, 3}}},
			{Clients: 1, Throughput: []float64{10}, Values: map[string][]float64{"httpd/busy": {0.25}}},
		}},
		{Name: "b", Points: []study.Point{
			{Clients: 1, Throughput: []float64{11}, Values: map[string][]float64{"httpd/busy": {0.3}, "cpu": {2}}}}},
	}
	if diff := cmp.Diff(want, setups); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestReadCSVErrors(t *testing.T) {
	for content, want := range map[string]string{
		"":                                    "empty",
		"clients,throughput\n":                "no line after the header",
		"clients,x\n1,2\n":                    `no column "throughput"`,
		"clients,throughput,a,a\n1,2,3,4\n":   "empty or used twice",
		"clients,throughput\n1,fast\n":        `line 2: column throughput: "fast" is not a number`,
		"clients,throughput,a\n1,2,NaN\n":     `"NaN" is not a number`,
		"clients,throughput\n1\n":             "wrong number of fields",
		"clients,throughput,\n1,2,3\n":        "empty",
		"clients,throughput,b\n1,2,\"3\n,4\n": "quote",
	} {
		if _, _, err := ReadCSV(strings.NewReader(content)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", content, err, want)
		}
	}
}

// FuzzReadCSV checks that no file breaks the reader or the study.
func FuzzReadCSV(f *testing.F) {
	f.Add("setup,clients,throughput,a\nx,1,2,3\nx,2,4,3\n")
	f.Add("clients,throughput,a/b\n1e300,1e300,-1e300\n2,0,0\n3,1,1\n")
	f.Add("clients,throughput,m\n1,1,0\n2,2,0\n3,3,0\n4,4,1e-300\n5,4,1\n6,4,1\n7,4,1\n")
	f.Fuzz(func(t *testing.T, content string) {
		if len(content) > 2000 {
			return
		}
		setups, metrics, err := ReadCSV(strings.NewReader(content))
		if err != nil || len(metrics) > 4 || len(setups) > 3 {
			return
		}
		for _, s := range setups {
			if len(s.Points) > 30 {
				return
			}
		}
		r, err := study.Run(&study.Experiment{App: "a", Setups: setups, Metrics: metrics}, -1)
		if err != nil {
			return
		}
		for _, row := range r.Rows {
			for _, j := range row.Judgements {
				if j.Category == study.Reliable && (math.IsNaN(j.ClientBound) || j.ClientBound == j.ServerBound) {
					t.Errorf("reliable without a threshold: %+v", j)
				}
			}
		}
	})
}

func TestParseErrors(t *testing.T) {
	for content, want := range map[string]string{
		"setups: [{csv: a}]":             "app",
		"app: shop":                      "setups",
		"app: shop\nnonsense: 1":         "nonsense",
		"app: shop\nsetups: [{name: a}]": "one of csv, points",
		"app: shop\nsetups: [{csv: a, from: 2026-01-01T00:00:00Z}]":                   "one of csv, points",
		"app: shop\nmetrics: [{name: a, type: XX}]\nsetups: [{csv: a}]":               `type "XX"`,
		"app: shop\nmetrics: [{type: RC}]\nsetups: [{csv: a}]":                        "no name",
		"app: shop\nsetups: [{points: [{clients: 0}]}]":                               "clients above 0",
		"app: shop\nsetups: [{from: 2026-01-01T00:00:00Z, to: 2025-01-01T00:00:00Z}]": "from must be before to",
		"app: shop\nsetups: [{csv: a, added: {csv: b, added: {csv: c}}}]":             "another added",
	} {
		if _, err := parse([]byte(content)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", content, err, want)
		}
	}
}

func TestPlateaus(t *testing.T) {
	var samples []model.SamplePair
	begin := time.Unix(1000, 0)
	at := begin
	for _, stretch := range []struct{ clients, seconds int }{{0, 60}, {5, 60}, {7, 10}, {10, 60}, {5, 60}} {
		for range stretch.seconds / 5 {
			samples = append(samples,
				model.SamplePair{Timestamp: model.TimeFromUnixNano(at.UnixNano()),
					Value: model.SampleValue(stretch.clients)})
			at = at.Add(5 * time.Second)
		}
	}
	var got []string
	for _, s := range plateaus(samples, 10*time.Second) {
		got = append(got, strconv.Itoa(int(s.Clients))+" "+s.From.Sub(begin).String()+" "+s.To.Sub(begin).String())
	}
	// The 10 s with 7 clients are too short; each other stretch begins 10 s late.
	want := []string{"5 1m10s 1m55s", "10 2m20s 3m5s", "5 3m20s 4m5s"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// recorded answers range queries with a step function: 1 client, then 2, each
// for 100 s; a throughput of ten times as much; an indicator.
func recorded(t *testing.T, begin time.Time) v1.API {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		number := func(name string) float64 {
			v, err := strconv.ParseFloat(r.FormValue(name), 64)
			if err != nil {
				t.Errorf("%s: %v", name, err)
			}
			return v
		}
		var values [][2]any
		for at := number("start"); at <= number("end"); at += number("step") {
			clients := 1 + math.Floor((at-float64(begin.Unix()))/100)
			factor := map[string]float64{"clients": 1, "throughput": 10}[r.FormValue("query")]
			if factor == 0 {
				factor = 0.125
			}
			values = append(values, [2]any{at, strconv.FormatFloat(clients*factor, 'g', -1, 64)})
		}
		labels := map[string]string{}
		if strings.HasPrefix(r.FormValue("query"), "{__name__=~") {
			labels = map[string]string{"__name__": "nstar:indicator:ratio", "app": "shop", "tier": "httpd",
				"type": "ITD", "metric": "busy"}
		}
		result := []any{map[string]any{"metric": labels, "values": values}}
		switch r.FormValue("query") {
		case "nothing":
			result = []any{}
		case "two":
			result = append(result, map[string]any{"metric": map[string]string{"a": "b"}, "values": values})
		}
		_ = json.NewEncoder(w).Encode(map[string]any{"status": "success",
			"data": map[string]any{"resultType": "matrix", "result": result}})
	}))
	t.Cleanup(s.Close)
	client, err := api.NewClient(api.Config{Address: s.URL})
	if err != nil {
		t.Fatal(err)
	}
	return v1.NewAPI(client)
}

func TestReadPrometheus(t *testing.T) {
	begin := time.Date(2026, 1, 15, 2, 50, 0, 0, time.UTC)
	read := func(text string) (*study.Experiment, error) {
		path := filepath.Join(t.TempDir(), "load.yaml")
		if err := os.WriteFile(path, []byte("app: shop\n"+text), 0o644); err != nil {
			t.Fatal(err)
		}
		return Read(context.Background(), path, "", func() (v1.API, error) { return recorded(t, begin), nil })
	}
	const base = "throughput: {query: throughput}\nclients: {query: clients}\n"
	const found = base + "setups: [{name: s, from: 2026-01-15T02:50:00Z, to: 2026-01-15T02:53:15Z}]\n"
	named := base + `setups:
  - name: s
    points:
      - {clients: 1, from: 2026-01-15T02:50:10Z, to: 2026-01-15T02:51:35Z}
      - {clients: 2, from: 2026-01-15T02:51:50Z, to: 2026-01-15T02:53:15Z}
`
	want := study.Setup{Name: "s", Points: []study.Point{
		{Clients: 1, Throughput: []float64{10, 10, 10, 10, 10},
			Values: map[string][]float64{"httpd/busy": {0.125, 0.125, 0.125, 0.125, 0.125}}},
		{Clients: 2, Throughput: []float64{20, 20, 20, 20, 20},
			Values: map[string][]float64{"httpd/busy": {0.25, 0.25, 0.25, 0.25, 0.25}}},
	}}
	for name, text := range map[string]string{"found by the load's own series": found, "named": named} {
		e, err := read(text)
		if err != nil {
			t.Fatal(name, err)
		}
		if diff := cmp.Diff([]study.Setup{want}, e.Setups); diff != "" {
			t.Errorf("%s: -want +got:\n%s", name, diff)
		}
		if len(e.Metrics) != 1 ||
			e.Metrics[0].Query != `nstar:indicator:ratio{source="",app="shop",tier="httpd",type="ITD",metric="busy"}` {
			t.Errorf("%s: %+v", name, e.Metrics)
		}
	}
	for text, want := range map[string]string{
		found + "metrics: [{name: a, query: two}]":                       "sum or average them",
		strings.Replace(found, "query: throughput", "query: nothing", 1): "no throughput was recorded",
		strings.Replace(found, "query: clients", "settle: 10s", 1):       "a query is needed",
		strings.Replace(found, "query: clients", "query: nothing", 1):    "never stays the same",
	} {
		if _, err := read(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
	if _, err := Read(context.Background(), filepath.Join(t.TempDir(), "none.yaml"), "", nil); !errors.Is(err,
		os.ErrNotExist) {
		t.Error(err)
	}
}
