// SPDX-License-Identifier: Apache-2.0

package study

import (
	"strings"
	"testing"
)

// curve is a setup of one run per point.
func curve(clients, throughput []float64) *Setup {
	s := &Setup{Name: "s"}
	for i := range clients {
		s.Points = append(s.Points, Point{Clients: clients[i], Throughput: []float64{throughput[i]}})
	}
	return s
}

// TestClasses takes figure 3.7: a peak of 100 and M = 10 % give 95 and 85.5.
func TestClasses(t *testing.T) {
	c := NewCurve(curve([]float64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11},
		[]float64{20, 40, 60, 80, 85.5, 94.9, 95, 100, 99, 80, 98}), 0.1)
	if c.Peak.Value != 100 || c.Th95.Value != 95 || c.Limit.Value != 85.5 {
		t.Errorf("peak %v, Th0.95 %v, Th_limit %v", c.Peak.Value, c.Th95.Value, c.Limit.Value)
	}
	var got []string
	for _, class := range c.Class {
		got = append(got, class.String())
	}
	// Beyond its capacity the server stays the bottleneck, though it does less at 10.
	want := "client client client client gray gray server server server server server"
	if strings.Join(got, " ") != want || c.FirstGray != 5 || c.FirstServer != 7 || c.Reason != "" {
		t.Errorf("%v, gray from %v, server from %v, %q", got, c.FirstGray, c.FirstServer, c.Reason)
	}
	if !(c.Peak.Low <= 100 && 100 <= c.Peak.High && c.Peak.Low < c.Peak.High) {
		t.Errorf("interval of the peak: %+v", c.Peak)
	}
}

func TestInsufficient(t *testing.T) {
	for name, test := range map[string]struct {
		clients, throughput []float64
		want                string
	}{
		"still growing": {[]float64{1, 2, 3, 4, 5}, []float64{10, 20, 30, 40, 50}, "more clients"},
		"short plateau": {[]float64{1, 2, 3, 4, 5}, []float64{10, 20, 30, 40, 41},
			"only 2 points are on the server's side"},
		"no beginning":   {[]float64{1, 2, 3, 4, 5}, []float64{20, 40, 41, 41, 41}, "begin with fewer clients"},
		"a single point": {[]float64{1}, []float64{20}, "only 1 points are on the server's side"},
	} {
		c := NewCurve(curve(test.clients, test.throughput), 0.07)
		if !strings.Contains(c.Reason, test.want) {
			t.Errorf("%s: %q, want %q", name, c.Reason, test.want)
		}
	}
}

func TestSort(t *testing.T) {
	if err := curve([]float64{3, 1, 2}, []float64{3, 1, 2}).Sort(); err != nil {
		t.Error(err)
	}
	for name, s := range map[string]*Setup{
		"no points":     {Name: "s"},
		"no clients":    curve([]float64{0, 1}, []float64{1, 1}),
		"twice":         curve([]float64{1, 1}, []float64{1, 1}),
		"below 0":       curve([]float64{1, 2}, []float64{1, -1}),
		"no throughput": {Name: "s", Points: []Point{{Clients: 1}}},
	} {
		if s.Sort() == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// TestCompanion: a set of one type gets a second one.
func TestCompanion(t *testing.T) {
	e := &Experiment{App: "a", Metrics: []Metric{{Name: "q", Type: "QS"}, {Name: "other", Type: "QS"},
		{Name: "busy", Type: "ITD"},
		{Name: "flat", Type: "RC"}}}
	s := Setup{Name: "s"}
	for i := range 12 {
		v := 1.0
		if i >= 6 {
			v = 5
		}
		x := min(float64(i+1)*10, 65)
		s.Points = append(s.Points, Point{Clients: float64(i + 1), Throughput: []float64{x, x},
			Values: map[string][]float64{"q": {v, v}, "other": {v, v}, "busy": {2 * v, 2 * v}, "flat": {3, 3}}})
	}
	e.Setups = []Setup{s}
	r, err := Run(e, 0.07)
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Recommended.Rows) != 1 || r.Recommended.Rows[0].Metric.Name != "q" || r.Companion == nil ||
		r.Companion.Metric.Name != "busy" {
		t.Errorf("recommended %v, companion %v", names(r.Recommended.Rows), r.Companion)
	}
	if got := r.Rows[3].Judgements[0]; got.Category != NotReliable || got.SubPattern != "constant" ||
		got.Confidence != 1 {
		t.Errorf("flat: %+v", got)
	}
}
