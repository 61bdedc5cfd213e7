// SPDX-License-Identifier: Apache-2.0

package study

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// closed is the throughput of 0 to n clients who think for think seconds and
// share servers that take a second for a request (exact mean value analysis of
// a station with several servers).
func closed(n, servers int, think float64) []float64 {
	p := []float64{1} // probability of k requests at the station
	all := []float64{0}
	for clients := 1; clients <= n; clients++ {
		wait := 0.0
		for k := 1; k <= clients; k++ {
			wait += float64(k) / float64(min(k, servers)) * p[k-1]
		}
		x := float64(clients) / (think + wait)
		all = append(all, x)
		next := make([]float64, clients+1)
		rest := 1.0
		for k := clients; k >= 1; k-- {
			next[k] = x / float64(min(k, servers)) * p[k-1]
			rest -= next[k]
		}
		next[0] = max(0, rest)
		p = next
	}
	return all
}

// experiment measures a closed system at about 15 numbers of clients, up to twice the knee.
func experiment(servers int, think, noise float64, r *rand.Rand) *Setup {
	s := &Setup{Name: fmt.Sprintf("%d servers", servers), Servers: servers}
	knee := float64(servers) * (1 + think)
	exact := closed(int(2*knee)+1, servers, think)
	last := 0
	for i := 1; i <= 15; i++ {
		n := max(1, int(math.Round(knee*2*float64(i)/15)))
		if n == last {
			continue
		}
		last = n
		p := Point{Clients: float64(n)}
		for range 5 {
			p.Throughput = append(p.Throughput, exact[n]*(1+noise*r.NormFloat64()))
		}
		s.Points = append(s.Points, p)
	}
	return s
}

// gray is the point from which one more server gains 2 %, by exact analysis: the number of clients and M.
func gray(servers int, think float64) (clients, margin float64) {
	most := 3 * servers * (1 + int(think))
	x, more := closed(most, servers, think), closed(most, servers+1, think)
	for n := 1; n <= most; n++ {
		if more[n] >= (1+gainOfServer)*x[n] {
			return float64(n), max(0, 1-x[n]/(peakShare*x[most]))
		}
	}
	return 0, 0
}

// TestMarginFromCurve compares M, as predicted from one curve, with the thesis's own way: the same system
// with one server more.
func TestMarginFromCurve(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, servers := range []int{1, 2, 4, 8} {
		for _, think := range []float64{3, 10, 30} {
			c := NewCurve(experiment(servers, think, 0.01, r), -1)
			clients, exact := gray(servers, think)
			t.Logf("%d servers, think %g: M %.3f (%.3f to %.3f) from %.1f clients, exact %.3f from %g", servers, think,
				c.Margin.Value, c.Margin.Low, c.Margin.High, c.Margin.From, exact, clients)
			if c.Margin.Source != FromCurve {
				t.Errorf("source %q", c.Margin.Source)
			}
			if want := min(exact, widestMargin); math.Abs(c.Margin.Value-want) > 0.05 {
				t.Errorf("M = %.3f, want %.3f", c.Margin.Value, want)
			}
		}
	}
}

// TestMarginFromAddedServer checks the thesis's way itself, on its figures of
// setup 0 (section 3.5.1): 14 clients are in the gray zone and 12 are not.
func TestMarginFromAddedServer(t *testing.T) {
	s, added := &Setup{Name: "3 brokers", Servers: 3}, &Setup{Name: "4 brokers"}
	for _, p := range []struct{ clients, three, four float64 }{{4, 300, 300}, {8, 520, 521}, {12, 700, 705}, {14,
		721, 738},
		{16, 740, 765}, {20, 760, 830}, {24, 790, 900}, {28, 798, 930}, {32, 797, 950}} {
		s.Points = append(s.Points, Point{Clients: p.clients, Throughput: []float64{p.three}})
		added.Points = append(added.Points, Point{Clients: p.clients, Throughput: []float64{p.four}})
	}
	s.Added = added
	c := NewCurve(s, -1)
	if c.Margin.Source != AddedServer || c.Margin.From != 14 || c.FirstGray != 14 || c.FirstServer != 20 {
		t.Errorf("%+v, gray from %g, server from %g", c.Margin, c.FirstGray, c.FirstServer)
	}
	if math.Abs(c.Margin.Low-0.049) > 0.001 || math.Abs(c.Margin.High-0.077) > 0.001 {
		t.Errorf("M between %.3f and %.3f", c.Margin.Low, c.Margin.High)
	}
	if c.Reason != "" {
		t.Error(c.Reason)
	}
}

func TestMarginDefault(t *testing.T) {
	s := &Setup{Name: "flat", Points: []Point{{Clients: 1, Throughput: []float64{90}}, {Clients: 2,
		Throughput: []float64{100}},
		{Clients: 3, Throughput: []float64{99}}, {Clients: 4, Throughput: []float64{100}}}}
	c := NewCurve(s, -1)
	if c.Margin.Source != DefaultMargin || c.Margin.Value != thesisMargin {
		t.Errorf("%+v", c.Margin)
	}
	if c.Reason == "" {
		t.Error("an experiment without a clients' side must say so")
	}
	if c := NewCurve(s, 0.1); c.Margin.Source != GivenMargin || c.Margin.Value != 0.1 {
		t.Errorf("%+v", c.Margin)
	}
}
