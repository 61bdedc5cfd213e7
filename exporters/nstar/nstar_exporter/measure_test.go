// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	dto "github.com/prometheus/client_model/go"
	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"
)

// sums adds up the samples of each family, of the series that have all the labels.
func sums(t *testing.T, text string, labels map[string]string) map[string]float64 {
	t.Helper()
	parser := expfmt.NewTextParser(model.UTF8Validation)
	families, err := parser.TextToMetricFamilies(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	out := make(map[string]float64)
	for name, f := range families {
		for _, m := range f.GetMetric() {
			if has(m, labels) {
				out[name] += m.GetCounter().GetValue() + m.GetGauge().GetValue()
			}
		}
	}
	return out
}

func has(m *dto.Metric, labels map[string]string) bool {
	found := 0
	for _, l := range m.GetLabel() {
		if labels[l.GetName()] == l.GetValue() {
			found++
		}
	}
	return found == len(labels)
}

// From packets to both endpoints: this test is the tier, and calls itself, so that it is an edge as well.
func TestMeasures(t *testing.T) {
	const requests, pause = 40, 5 * time.Millisecond
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		time.Sleep(pause)
		io.WriteString(w, "hello")
	})}
	go server.Serve(l)
	defer server.Close()
	e := start(t, "", 1, "--window=20ms", "--settle=200ms", "--config.file="+file(t, "nstar.yml", naming("web", l)))
	tier := map[string]string{"app": "test", "tier": "web"}
	e.eventually("the tier is known", func() bool {
		_, ok := sums(t, e.get("/metrics"),
			tier)["nstar_tier_arrivals_total"]
		return ok
	})
	e.get("/windows?consumer=test")

	client := &http.Client{Transport: &http.Transport{}}
	begin := time.Now()
	for range requests {
		response, err := client.Get("http://" + l.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		io.Copy(io.Discard, response.Body)
		response.Body.Close()
	}
	took := time.Since(begin)
	client.CloseIdleConnections()
	time.Sleep(time.Second)

	metrics := e.get("/metrics")
	got := sums(t, metrics, tier)
	want := map[string]float64{
		"nstar_tier_arrivals_total": requests, "nstar_tier_completions_total": requests,
		"nstar_tier_load_completions_total": requests,
		"nstar_tier_aborts_total":           0, "nstar_tier_reopened_total": 0, "nstar_drift_requests": 0,
	}
	only := cmpopts.IgnoreMapEntries(func(name string, _ float64) bool { _, ok := want[name]; return !ok })
	if diff := cmp.Diff(want, got, only); diff != "" {
		t.Errorf("/metrics (-want +got):\n%s", diff)
	}
	residence, queue := got["nstar_tier_residence_seconds_total"], got["nstar_tier_queue_seconds_total"]
	if residence < requests*pause.Seconds() || residence > took.Seconds() {
		t.Errorf("residence %g s, want %g to %g", residence, requests*pause.Seconds(), took.Seconds())
	}
	if ratio := queue / residence; ratio < 0.999 || ratio > 1.001 { // the window clock may be slewed
		t.Errorf("queue %g s, residence %g s; want the same", queue, residence)
	}
	calls := map[string]string{"app": "test", "from": "web", "to": "web"}
	if edge := sums(t, metrics, calls); edge["nstar_edge_calls_total"] != requests ||
		edge["nstar_edge_outstanding"] != 0 {
		t.Errorf("edge %v, want %d calls", edge, requests)
	}

	windows := e.get("/windows?consumer=test")
	got = sums(t, windows, tier)
	if n := got["nstar_window_throughput"] * 0.02; fmt.Sprintf("%.3f", n) != fmt.Sprintf("%d.000", requests) {
		t.Errorf("%g completions in /windows, want %d", n, requests)
	}
	if n := got["nstar_window_queue_length"] * 0.02; n < queue-0.02 || n > queue+0.02 { // the grid is 1/64
		t.Errorf("%g queue seconds in /windows, %g in /metrics", n, queue)
	}
	if edge := sums(t, windows, calls); edge["nstar_window_edge_outstanding"] == 0 {
		t.Error("the edge is not in /windows")
	}
	e.stop()
}
