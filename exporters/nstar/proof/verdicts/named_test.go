// SPDX-License-Identifier: Apache-2.0

package main

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nstar-project/nstar/exporters/nstar/proof/bed"
)

// charged are counters of excess; a key is TIER/CAUSE.
func charged(values map[[2]string]float64) (out bed.Samples) {
	for k, v := range values {
		out = append(out, bed.Sample{Name: "nstar_tier_excess_queue_seconds_total", Value: v,
			Labels: map[string]string{"app": "shop", "tier": k[0], "cause": k[1], "to": ""}})
	}
	return out
}

func neighbours(values map[string]float64) (out bed.Samples) {
	for name, v := range values {
		out = append(out, bed.Sample{Name: "nstar_tier_neighbour_seconds_total", Value: v,
			Labels: map[string]string{"app": "shop", "tier": "web", "neighbour": name, "own_application": "false"}})
	}
	return out
}

func TestConclude(t *testing.T) {
	before := charged(map[[2]string]float64{{"web", "stopped"}: 100, {"web", "noisy_neighbour"}: 5})
	for name, c := range map[string]struct {
		after bed.Samples
		want  answer
	}{
		"nothing new": {charged(map[[2]string]float64{{"web", "stopped"}: 101}), answer{}},
		"another application": {bed.Samples{{Name: "nstar_tier_excess_queue_seconds_total", Value: 500,
			Labels: map[string]string{"app": "blog", "tier": "web", "cause": "stopped", "to": ""}}}, answer{}},
		"work":           {charged(map[[2]string]float64{{"web", "stopped"}: 105, {"db", "demand"}: 30}), answer{}},
		"another's wait": {charged(map[[2]string]float64{{"web", "stalled"}: 50}), answer{}},
		"a stop": {charged(map[[2]string]float64{{"web", "stopped"}: 110, {"db", "demand"}: 3}),
			answer{tier: "web", cause: "stopped", excess: 10, others: []string{"db demand 3.0"}}},
		"slowed and starved": {
			append(charged(map[[2]string]float64{{"web", "noisy_neighbour"}: 8, {"web", "starved"}: 2, {"web", "stopped"}: 104}),
				neighbours(map[string]float64{"nightly": 3, "cron": 1, "other": 9})...),
			answer{tier: "web", cause: "noisy_neighbour", excess: 5, neighbour: "nightly", others: []string{"web stopped 4.0"}},
		},
	} {
		if diff := cmp.Diff(c.want, conclude(before, c.after, "shop"), cmp.AllowUnexported(answer{})); diff != "" {
			t.Errorf("%s (-want +got)\n%s", name, diff)
		}
	}
}

func TestMatrix(t *testing.T) {
	var m matrix
	hurt := fault{name: "neighbour", tier: "web", cause: "noisy_neighbour", neighbour: "nightly"}
	m.add(hurt, answer{tier: "web", cause: "noisy_neighbour", neighbour: "nightly"})
	m.add(hurt, answer{tier: "web", cause: "noisy_neighbour", neighbour: "cron"})
	m.add(hurt, answer{tier: "db", cause: "noisy_neighbour"})
	m.add(fault{name: "quiet"}, answer{})
	if m.right["neighbour"] != 2 || m.right["quiet"] != 1 || m.named != 1 || m.wanted != 3 || m.said["neighbour"]["db/noisy_neighbour"] != 1 {
		t.Errorf("%+v", m)
	}
}
