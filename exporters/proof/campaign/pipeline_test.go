// SPDX-License-Identifier: Apache-2.0

package main

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v3"

	"github.com/nstar-project/nstar/exporters/nstartool/study/source"
)

// TestMerged: the exporter of a JVM that is Spark and a consumer of Kafka shows what both configurations name.
func TestMerged(t *testing.T) {
	read := func(files ...string) (out struct {
		Include []string `yaml:"includeObjectNames"`
		Rules   []struct{ Name string }
		Lower   bool `yaml:"lowercaseOutputLabelNames"`
	}) {
		text, err := merged("../..", files...)
		if err != nil {
			t.Fatal(err)
		}
		if err := yaml.Unmarshal([]byte(text), &out); err != nil {
			t.Fatal(err)
		}
		return out
	}
	spark, kafka := read("spark/streaming.yml"), read("kafka/client.yml")
	both := read("spark/streaming.yml", "kafka/client.yml")
	if diff := cmp.Diff(append(spark.Include, kafka.Include...), both.Include); diff != "" || !both.Lower {
		t.Error(diff)
	}
	if diff := cmp.Diff(append(spark.Rules, kafka.Rules...), both.Rules); diff != "" || len(both.Rules) < 10 {
		t.Error(diff)
	}
}

// TestFlowOutcome: rows count where they are stored, errors count wherever they happen.
func TestFlowOutcome(t *testing.T) {
	answers := map[string]string{
		"/stream/summary":    `{"completions": 30, "duration_seconds": 2.5, "mean_seconds": 0.25, "errors": 1}`,
		"/producers/summary": `{"completions": 90, "errors": 2}`,
	}
	serve := func(name string) int {
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			text, ok := answers["/"+name+r.URL.Path]
			if !ok {
				http.Error(w, "no such command", http.StatusInternalServerError)
				return
			}
			_, _ = w.Write([]byte(text))
		}))
		t.Cleanup(s.Close)
		port, _ := strconv.Atoi(s.URL[strings.LastIndex(s.URL, ":")+1:])
		return port
	}
	r := &pipelineStack{ports: map[string]int{"STREAM_CONTROL": serve("stream"),
		"PRODUCERS_CONTROL": serve("producers")}}
	got, err := flow{r}.outcome()
	if want := (outcome{30, 2.5, 0.25, 3}); err != nil || got != want {
		t.Errorf("%+v, %v, want %+v", got, err, want)
	}
	if err := r.calm(t.Context()); err == nil {
		t.Error("a command that failed is taken for one that was done")
	}
}

// TestPipelineTables: the producers' measurements are the clients' metrics in the study; the limiting tier is one
// of the pipeline's tiers.
func TestPipelineTables(t *testing.T) {
	dir := t.TempDir()
	s, err := openStore(dir, &pipeline, about{Application: pipeline.name})
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range []struct {
		grown      string
		clients    int
		throughput float64
	}{{"", 10, 100}, {"", 40, 200}, {"spark", 40, 290}, {"kafka", 40, 201}} {
		m := measured{point: point{"usual", p.grown, 1, p.clients}, begun: time.Unix(1700000000, 0),
			throughput: p.throughput,
			values: map[column]float64{{"nstar:indicator:value", "LY", "producer_latency", "producer"}: 0.1,
				{"nstar:indicator:value", "QS", "consumer_lag", "spark"}: 5}}
		if err := s.add(m); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.finish(); err != nil {
		t.Fatal(err)
	}
	s.close()
	tiers, err := os.ReadFile(filepath.Join(dir, "tiers.csv"))
	if want := "setup,limiting,gain_kafka,gain_spark,gain_cassandra\nusual,spark,0.005,0.450,\n"; err != nil ||
		string(tiers) != want {
		t.Errorf("%s, %v", tiers, err)
	}
	e, err := source.Read(t.Context(), filepath.Join(dir, "study.yaml"), "", nil)
	if err != nil {
		t.Fatal(err)
	}
	clients := map[string]bool{}
	for _, m := range e.Metrics {
		clients[m.Key()] = m.Client
	}
	want := map[string]bool{"client/delay": true, "producer/producer_latency": true, "spark/consumer_lag": false}
	if diff := cmp.Diff(want, clients); diff != "" {
		t.Error(diff)
	}
	if _, err := openStore(dir, &lamp, about{Application: lamp.name}); err == nil {
		t.Error("points of another application are mixed in")
	}
}
