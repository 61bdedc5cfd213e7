// SPDX-License-Identifier: Apache-2.0

package main

import (
	"math"
	"slices"
	"testing"
	"time"
)

// One follows the other.
func TestStrongest(t *testing.T) {
	a := []float64{1, 5, 2, 7, 3, 9, 1, 4}
	if c, lag := strongest(a, slices.Concat([]float64{0, 0}, a)); lag != 2 || c < 0.999 {
		t.Errorf("strongest: %.3f after %d spans, want 1 after 2", c, lag)
	}
}

// Two windows make a span; if one is missing, there is no span.
func TestSpans(t *testing.T) {
	at := func(window int64) time.Time { return time.UnixMilli(window * windowWidth.Milliseconds()) }
	w := &windowRecord{samples: map[series]map[int64]float64{
		{"nstar_window_cpu_ratio", "sysa", "mariadb"}: {100: 9, 102: 1, 103: 2, 104: 3, 106: 5, 107: 7},
	}}
	got := w.spans(at(101), at(108), "cpu_ratio", "sysa", "mariadb")
	if len(got) != 3 || got[0] != 1.5 || !math.IsNaN(got[1]) || got[2] != 6 {
		t.Errorf("%v, want 1.5, nothing and 6", got)
	}
	if mean, deviation := moments(got); mean != 3.75 || deviation != 2.25 {
		t.Errorf("mean %.2f and deviation %.2f, want 3.75 and 2.25", mean, deviation)
	}
}

// The database that used less comes first, unless both used about the same.
func TestPreference(t *testing.T) {
	for _, tt := range []struct {
		mean seconds
		a, b int
	}{
		{seconds{0.8, 1}, preferred, other}, {seconds{1, 0.8}, other, preferred}, {seconds{0.97, 1}, alike, alike},
		{seconds{}, alike, alike},
	} {
		if a, b := preference(tt.mean); a != tt.a || b != tt.b {
			t.Errorf("%v: %d and %d, want %d and %d", tt.mean, a, b, tt.a, tt.b)
		}
	}
}

// Both boards have ports of their own, and the board itself keeps its.
func TestConsolidated(t *testing.T) {
	a, b := consolidated("sysa", 1000), consolidated("sysb", 2000)
	for i := range board.tiers {
		if a.tiers[i].port == b.tiers[i].port || a.tiers[i].port == board.tiers[i].port {
			t.Errorf("%s: ports %d and %d", a.tiers[i].name, a.tiers[i].port, b.tiers[i].port)
		}
	}
	for name, port := range board.ports {
		if a.ports[name] == port || a.ports[name] == b.ports[name] {
			t.Errorf("%s: %d and %d", name, a.ports[name], b.ports[name])
		}
	}
	if board.own != "tomcat" || a.own != "mariadb" {
		t.Errorf("the board's own processor is of %s, the experiment's of %s", board.own, a.own)
	}
}
