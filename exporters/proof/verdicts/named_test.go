// SPDX-License-Identifier: Apache-2.0

package main

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/prometheus/common/model"

	"github.com/nstar-project/nstar/exporters/proof/bed"
)

func neighbours(values map[string]float64) (out bed.Samples) {
	for name, v := range values {
		out = append(out, bed.Sample{Name: "nstar_tier_neighbour_seconds_total", Value: v,
			Labels: map[string]string{"app": "shop", "tier": "web", "neighbour": name, "own_application": "false"}})
	}
	return out
}

// Requests that wait at each evaluation are added up to request-seconds, from just after the beginning to the end.
func TestChargedInASpan(t *testing.T) {
	series := func(tier, cause string, values ...float64) *model.SampleStream {
		out := &model.SampleStream{Metric: model.Metric{"tier": model.LabelValue(tier),
			"cause": model.LabelValue(cause)}}
		for i, v := range values {
			out.Values = append(out.Values, model.SamplePair{Timestamp: model.Time(5000 * i),
				Value: model.SampleValue(v)})
		}
		return out
	}
	got := chargedIn(model.Matrix{series("web", "stopped", 9, 1, 2, 0.5, 9), series("db", "demand", 4)},
		at(0), at(15000))
	if diff := cmp.Diff(charges{{"web", "stopped"}: 17.5}, got); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

func TestConclude(t *testing.T) {
	for name, c := range map[string]struct {
		charged charges
		after   bed.Samples
		want    answer
	}{
		"nothing": {charges{{"web", "stopped"}: 1}, nil, answer{}},
		"work":    {charges{{"web", "stopped"}: 5, {"db", "demand"}: 30}, nil, answer{}},
		"a stop": {charges{{"web", "stopped"}: 10, {"db", "demand"}: 3}, nil,
			answer{tier: "web", cause: "stopped", excess: 10, others: []string{"db demand 3.0"}}},
		"others on the processors": {charges{{"web", "noisy_neighbour"}: 5, {"web", "stopped"}: 4},
			neighbours(map[string]float64{"nightly": 3, "cron": 1, "other": 9}),
			answer{tier: "web", cause: "noisy_neighbour", excess: 5, neighbour: "nightly",
				others: []string{"web stopped 4.0"}}},
	} {
		if diff := cmp.Diff(c.want, conclude(c.charged, nil, c.after, "shop"),
			cmp.AllowUnexported(answer{})); diff != "" {
			t.Errorf("%s (-want +got)\n%s", name, diff)
		}
	}
}

// What is charged all the time is no episode's.
func TestBeyondTheUsual(t *testing.T) {
	usual := charges{{"db", "noisy_neighbour"}: 5, {"db", "demand"}: 20}
	episode := charges{{"db", "noisy_neighbour"}: 3.5, {"db", "demand"}: 11, {"web", "stopped"}: 4}
	for length, want := range map[float64]answer{
		0.5: {tier: "web", cause: "stopped", excess: 4},
		0.1: {}, // demand
	} {
		got := conclude(episode.beyond(usual, length), nil, nil, "shop")
		if diff := cmp.Diff(want, got, cmp.AllowUnexported(answer{})); diff != "" {
			t.Errorf("%v: -want +got\n%s", length, diff)
		}
	}
}

// What a tier did while it stood still is taken from the windows of the episode alone.
func TestMeanwhile(t *testing.T) {
	at := func(stood, stopped, locked float64) (out bed.Samples) {
		label := func(cause string) map[string]string {
			return map[string]string{"app": "shop", "tier": "db", "cause": cause}
		}
		return bed.Samples{
			{Name: "nstar_tier_standstill_seconds_total", Value: stood,
				Labels: map[string]string{"app": "shop", "tier": "db"}},
			{Name: "nstar_tier_standstill_cause_seconds_total", Value: stopped, Labels: label("stopped")},
			{Name: "nstar_tier_standstill_cause_seconds_total", Value: locked, Labels: label("lock")},
		}
	}
	for name, c := range map[string]struct {
		after bed.Samples
		want  string
	}{
		"it did not stand still":       {at(10, 9, 0), ""},
		"stopped, with sleepers in it": {at(12, 10.9, 30), "stopped"},
		"a lock":                       {at(12, 9, 30), "lock"},
	} {
		if got := meanwhile(at(10, 9, 0), c.after, "shop", "db"); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

func TestMatrix(t *testing.T) {
	var m matrix
	hurt := fault{name: "neighbour", tier: "web", cause: "noisy_neighbour", neighbours: []string{"nightly"}}
	m.add(hurt, answer{tier: "web", cause: "noisy_neighbour", neighbour: "nightly"})
	m.add(hurt, answer{tier: "web", cause: "noisy_neighbour", neighbour: "cron"})
	m.add(hurt, answer{tier: "db", cause: "noisy_neighbour"})
	m.add(fault{name: "quiet"}, answer{})
	if m.right["neighbour"] != 2 || m.right["quiet"] != 1 || m.named != 1 || m.wanted != 3 ||
		m.said["neighbour"]["db/noisy_neighbour"] != 1 {
		t.Errorf("%+v", m)
	}
}

// Of two faults at once either may be named, and both are counted; of a fault beside none only the fault.
func TestMatrixOfPairs(t *testing.T) {
	var m matrix
	stop := fault{name: "stop", tier: "db", cause: "stopped"}
	both := atOnce(stop, fault{name: "quota", tier: "web", cause: "throttled"})
	m.add(both, answer{tier: "db", cause: "stopped", others: []string{"web throttled 3.0", "web demand 2.0"}})
	m.add(both, answer{tier: "web", cause: "throttled", others: []string{"web stopped 3.0"}})
	m.add(both, answer{tier: "web", cause: "stopped", others: []string{"db stopped 3.0", "web throttled 2.5"}})
	m.add(both, answer{})
	one := atOnce(stop, fault{name: "burst"})
	m.add(one, answer{tier: "db", cause: "stopped"})
	m.add(one, answer{})
	if m.right["stop+quota"] != 2 || m.both["stop+quota"] != 1 || m.right["stop+burst"] != 1 ||
		m.both["stop+burst"] != 0 {
		t.Errorf("%+v", m)
	}
}

// Names are those of patterns and of rows: each once, and a pair of what is there.
func TestFaults(t *testing.T) {
	seen := map[string]bool{}
	for _, f := range faults() {
		if seen[f.name] || f.run == nil || (f.tier == "") != (f.cause == "") {
			t.Errorf("%+v", f)
		}
		seen[f.name] = true
	}
	o := options{only: "*"}
	if first, second := o.order(3, 1), o.order(3, 2); len(first) != 3*len(seen) || slices.EqualFunc(first, second,
		func(a, b fault) bool { return a.name == b.name }) {
		t.Errorf("%d and %d episodes of %d faults, in the same order", len(first), len(second), len(seen))
	}
}
