// SPDX-License-Identifier: Apache-2.0

package diagnose

import (
	"context"
	"strings"
	"testing"
	"time"
)

// A verdict is about a minute: what has just begun shows in the last seconds only.
func TestRising(t *testing.T) {
	for _, test := range []struct {
		latest float64
		passed bool
		says   string // empty: nothing is said of it
		advice string
	}{
		{0, false, "", "Nothing."},
		{0.044, false, "", "Nothing."},
		{0.05, true, "", "Nothing."}, // a burst
		{0.05, false, "In the last 15 seconds requests took 50 ms, 2.5 times as long", "Ask again in half a minute"},
		{0.24, false, "shop: something has just begun, and Nstar does not know yet what it is. In the last 15 " +
			"seconds requests took 240 ms, 12 times as long as before. Before that it was healthy: 20 ms mean",
			"Ask again in half a minute"},
	} {
		a := Application{Name: "shop", Throughput: 100, Latest: test.latest, Passed: test.passed,
			Evaluations: []Evaluation{{At: end, Finding: well}},
			Times:       []TierTime{{Tier: "web", Own: 0.02, Base: 0.01}}}
		d := diagnosis{Application: a, finding: well}
		if got := d.summary(); test.says == "" && strings.Contains(got, "15 seconds") ||
			!strings.Contains(got, test.says) {
			t.Errorf("%g s: %s", test.latest, got)
		}
		if got := d.adviceWhenWell(); !strings.HasPrefix(got, test.advice) {
			t.Errorf("%g s: %s", test.latest, got)
		}
	}
}

// What a tier's requests cost is known before it is known what has begun.
func TestRisingAndDearer(t *testing.T) {
	d := diagnosis{finding: well, Application: Application{Name: "shop", Throughput: 100, Latest: 0.05,
		Evaluations: []Evaluation{{At: end, Finding: well}},
		Times:       []TierTime{{Tier: "db", Own: 0.02, Base: 0.01, Cost: &Growth{0.006, 0.001}}}}}
	want := "(--last 30s). Meanwhile, look whether it is a query plan that has changed (a lost index), more data, " +
		"other requests, a new version: each request of db takes 6.0 ms of processor time; 1.0 ms is usual."
	if got := d.adviceWhenWell(); !strings.HasSuffix(got, want) {
		t.Error(got)
	}
}

// Collections take processor time, too: a computation has not grown.
func TestRisingCollections(t *testing.T) {
	d := diagnosis{finding: well, Application: Application{Name: "shop", Throughput: 100, Latest: 0.05,
		Evaluations: []Evaluation{{At: end.Add(-time.Second), Finding: well},
			{At: end, Finding: single("web", causeCollection)}},
		Times: []TierTime{{Tier: "web", Own: 0.02, Base: 0.01, Cost: &Growth{0.006, 0.001}}}}}
	want := "(--last 30s). Meanwhile, look at the collector's log of web (-Xlog:gc)."
	if got := d.adviceWhenWell(); !strings.HasSuffix(got, want) {
		t.Error(got)
	}
}

func TestReadLatest(t *testing.T) {
	for windows, want := range map[float64]float64{0.1: 0.24, 0.4: 0.4} {
		r := server(t, "2.42.0", "nstar:app_verdict", recorded{
			"nstar:app_verdict": {`{"app":"shop","verdict":"healthy"}`: 1},
			`sum by (app) (nstar:app_queue_length:mean15s{app="shop"}) / sum by (app)`: {`{"app":"shop"}`: 0.24},
			`sum by (app) (avg_over_time(nstar_window_own_queue_length{app="shop"}[10s]) * on (app, tier) group_left () ` +
				`nstar:tier_asked:ratio15s{app="shop"}) / sum by (app)`: {`{"app":"shop"}`: windows},
			`sum by (app) (avg_over_time(nstar_window_own_queue_length{app="shop"}[5s])) < 0.5 * `: {
				`{"app":"shop"}`: 1},
		})
		o, err := r.Read(context.Background(), "shop", 3*time.Minute)
		if err != nil || len(o.Apps) != 1 || o.Apps[0].Latest != want || !o.Apps[0].Passed {
			t.Errorf("%+v, %v", o.Apps, err)
		}
	}
}

// How long it was healthy is said of the past, if something has begun.
func TestRisingSince(t *testing.T) {
	a := Application{Name: "shop", Throughput: 100, Latest: 0.24, Held: end.Add(-2 * time.Minute),
		Evaluations: []Evaluation{{At: end.Add(-2 * time.Minute), Finding: well},
			{At: end.Add(-time.Minute), Finding: Finding{Verdict: Learning}}, {At: end, Finding: well}},
		Times: []TierTime{{Tier: "web", Own: 0.02, Base: 0.01}}}
	d := diagnosis{Application: a, finding: well}
	d.observed.From, d.observed.To = end.Add(-3*time.Minute), end
	want := "That was so from " + d.clock(d.Held) + " on, but not from " + d.clock(end.Add(-time.Minute)) + " to " +
		d.clock(end) + " (learning)."
	if got := d.summary(); !strings.HasSuffix(got, want) {
		t.Errorf("%s, want %s", got, want)
	}
}
