// SPDX-License-Identifier: Apache-2.0

package diagnose

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func ptr(v float64) *float64 { return &v }

// observed is a range of three minutes over a chain of two tiers; change
// adapts it to the case at hand.
func observed(change func(*Observations)) Observations {
	to := time.Date(2026, 1, 15, 3, 0, 0, 0, time.UTC)
	o := Observations{
		From: to.Add(-3 * time.Minute), To: to, Evaluations: 180,
		Tiers: []Tier{
			{App: "shop", Tier: "db", NStar: ptr(4.2), TPMax: ptr(3600), Share: shares(0.2, 0, 0)},
			{App: "shop", Tier: "tomcat", NStar: ptr(6.1), TPMax: ptr(1200), Share: shares(0, 0, 0)},
		},
		Edges: []Edge{{App: "shop", From: "tomcat", To: "db"}},
	}
	change(&o)
	return o
}

func shares(idle, saturated, frozen float64) map[string]float64 {
	return map[string]float64{stateIdle: idle, stateNormal: 1 - idle - saturated - frozen, stateSaturated: saturated, stateFrozen: frozen}
}

// turns are the shares and the coefficient of the paper's first case.
func turns(o *Observations) {
	o.Tiers[0].Share = shares(0.2, 0.25, 0)
	o.Tiers[1].Share = shares(0, 0.05, 0.15)
	o.Edges[0] = Edge{App: "shop", From: "tomcat", To: "db", Pearson: ptr(-0.42), Saturated: 0.2}
}

func collections(o *Observations) {
	o.Causes = []CauseCorrelation{{App: "shop", Tier: "tomcat", Cause: "garbage_collection", Correlation: 0.71, Share: ptr(0.18), Peak: ptr(1)}}
}

func TestDecide(t *testing.T) {
	for _, test := range []struct {
		name         string
		change       func(*Observations)
		verdict      Verdict
		alternations int
		causes       int
		says         []string // in summary and advice
	}{
		{"turns with a cause", func(o *Observations) { turns(o); collections(o) }, AlternatingBottleneck, 1, 1,
			[]string{"tomcat and db", "-0.42", "garbage collection in tomcat", "G1"}},
		{"turns without a cause", turns, AlternatingBottleneck, 1, 0, []string{"No cause that Nstar measures", "scale both tiers"}},
		{"a cause that the program does not know", func(o *Observations) {
			turns(o)
			collections(o)
			o.Causes[0].Cause = "page_faults"
		}, AlternatingBottleneck, 1, 1, []string{"page faults in tomcat", "look into page faults"}},
		{"negative, but one tier is never beyond N*", func(o *Observations) {
			turns(o)
			o.Edges[0].Saturated = 0.01
			o.Tiers[0].Share = shares(0.2, 0.01, 0)
		}, SingleBottleneck, 0, 0, []string{"tomcat is the bottleneck", "stands still"}},
		{"saturated together", func(o *Observations) {
			turns(o)
			o.Edges[0].Pearson = ptr(0.6)
			o.Tiers[1].Share = shares(0, 0.3, 0)
		}, SingleBottleneck, 0, 0, []string{"db is the bottleneck", "Give db more capacity"}},
		{"no more than chance", func(o *Observations) { turns(o); o.Edges[0].Pearson = ptr(-0.12) }, SingleBottleneck, 0, 0, []string{"db is the bottleneck"}},
		{"queues that stood still", func(o *Observations) { turns(o); o.Edges[0].Pearson = nil }, SingleBottleneck, 0, 0, []string{"db is the bottleneck"}},
		{"one tier freezes", func(o *Observations) {
			collections(o)
			o.Tiers[1].Share = shares(0, 0, 0.05)
		}, SingleBottleneck, 0, 1, []string{"tomcat is the bottleneck", "garbage collection"}},
		{"a cause without freezing hurts nobody", func(o *Observations) { collections(o) }, Unsaturated, 0, 0, []string{"Nothing, as far"}},
		{"a weak cause", func(o *Observations) {
			collections(o)
			o.Causes[0].Correlation = 0.2
			o.Tiers[1].Share = shares(0, 0, 0.05)
		}, SingleBottleneck, 0, 0, []string{"stands still"}},
		{"now and then is not often enough", func(o *Observations) { o.Tiers[0].Share = shares(0, 0.09, 0.02) }, Unsaturated, 0, 0, []string{"often enough"}},
		{"never seen saturated", func(o *Observations) { o.Tiers[0].NStar, o.Tiers[1].NStar = nil, nil }, Unsaturated, 0, 0, []string{"No tier has been seen saturated"}},
		{"half a minute is needed", func(o *Observations) { turns(o); o.Evaluations = 29 }, NotEnoughData, 0, 0, []string{"29 s", "30 s"}},
		{"no tiers", func(o *Observations) { o.Tiers = nil }, NotEnoughData, 0, 0, []string{"No tier"}},
		{"no requests", func(o *Observations) {
			o.Tiers[0].Share, o.Tiers[1].Share = shares(1, 0, 0), shares(1, 0, 0)
		}, NotEnoughData, 0, 0, []string{"no requests"}},
		{"tiers that call each other in a circle", func(o *Observations) {
			turns(o)
			o.Edges = append(o.Edges[:0], Edge{App: "shop", From: "tomcat", To: "db"}, Edge{App: "shop", From: "db", To: "tomcat"})
		}, SingleBottleneck, 0, 0, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := Decide(observed(test.change))
			got := []any{r.Verdict, len(r.Alternations), len(r.Causes)}
			if diff := cmp.Diff([]any{test.verdict, test.alternations, test.causes}, got); diff != "" {
				t.Errorf("(-want +got)\n%s%s", diff, r.Summary)
			}
			for _, words := range test.says {
				if !strings.Contains(r.Summary+" "+r.Advice, words) {
					t.Errorf("%q is not in %q, %q", words, r.Summary, r.Advice)
				}
			}
		})
	}
}

func TestTiersAreListedAlongTheChain(t *testing.T) {
	r := Decide(observed(func(o *Observations) {
		o.Tiers = append(o.Tiers, Tier{App: "shop", Tier: "httpd", Share: shares(0, 0, 0)}, Tier{App: "abc", Tier: "x", Share: shares(0, 0, 0)})
		o.Edges = append(o.Edges, Edge{App: "shop", From: "httpd", To: "tomcat"})
	}))
	var names []string
	for _, tier := range r.Tiers {
		names = append(names, tier.Tier)
	}
	if diff := cmp.Diff([]string{"x", "httpd", "tomcat", "db"}, names); diff != "" {
		t.Error(diff)
	}
}
