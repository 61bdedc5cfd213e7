// SPDX-License-Identifier: Apache-2.0

package diagnose

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestDecide(t *testing.T) {
	nothing := func(*Application, *Observations) {}
	for _, test := range []struct {
		name    string
		finding Finding
		change  func(*Application, *Observations)
		verdict Verdict
		says    []string // in summary, advice and notes
		never   []string
	}{
		{"the numbers are the recorded ones", limited, atLimit, SingleBottleneck,
			[]string{"of 328 ms mean response time 313 ms (95 %)", "N* 7.4, queue 55", "Give db more capacity"}, []string{"speed"}},
		{"slower than it was", limited, func(a *Application, o *Observations) { atLimit(a, o); a.Times[2].Speed = ptr(0.55) }, SingleBottleneck,
			[]string{"55 % of the speed it had", "nr_throttled"}, nil},
		{"as fast as it drifts", limited, func(a *Application, o *Observations) { atLimit(a, o); a.Times[2].Speed = ptr(0.85) }, SingleBottleneck,
			nil, []string{"speed"}},
		{"without N*", limited, func(a *Application, o *Observations) { atLimit(a, o); o.Tiers[0].NStar = nil }, SingleBottleneck,
			[]string{"(queue 55)"}, []string{"N*"}},
		{"without the excess, by the recorded share", limited, nothing, SingleBottleneck, []string{"of 15 ms mean response time 7.5 ms (50 %)"}, nil},
		{"no answer at all", stopping, func(a *Application, o *Observations) {
			for i := range a.Times {
				a.Times[i].Own, a.Times[i].Base = 0, 0
			}
			a.Throughput = 0
			o.Tiers[0].Share = shares(0, 0, 1)
		}, SingleBottleneck, []string{"something stops db: no request was answered (db was frozen in 100 % of its windows)"}, []string{"NaN"}},
		{"a tier that is to blame as well is not said to gain nothing", limited, func(a *Application, o *Observations) {
			atLimit(a, o)
			a.blame("tomcat", "tomcat", causeCollection, 0.1, 0.3)
		}, SingleBottleneck, []string{"More capacity for httpd, and"}, []string{"for httpd and tomcat"}},
		{"a pool before a tier that is to blame as well", single("tomcat", causePlace), func(a *Application, _ *Observations) {
			a.blame("tomcat", "tomcat", causePlace, 0.02, 0.5)
			a.blame("db", "db", causeDemand, 0.01, 0.2)
			a.Edges[1].Limit, a.Edges[1].Waited = ptr(6), 3
		}, SingleBottleneck, []string{"all 6 connections from tomcat to db"}, []string{"More db"}},
		{"a pool whose size was not seen", single("tomcat", causePlace), func(a *Application, _ *Observations) {
			a.Edges[1].Waited = 3
		}, SingleBottleneck, []string{"requests wait in tomcat for a connection to db while db has time", "More db would gain nothing"}, nil},
		{"a single tier", limited, func(a *Application, _ *Observations) { a.Times = a.Times[2:] }, SingleBottleneck,
			[]string{"Give db more capacity (cores, instances), or make its requests cheaper."}, []string{"More capacity for"}},
		{"calls in parallel", well, func(a *Application, _ *Observations) { a.Times[1].Clipped = 0.06 }, Healthy,
			[]string{"tomcat calls other tiers in parallel", "lower bound"}, nil},
		{"hardly any calls in parallel", well, func(a *Application, _ *Observations) { a.Times[1].Clipped = 0.04 }, Healthy, nil, []string{"parallel"}},
		{"healthy without requests", well, func(a *Application, _ *Observations) { a.Throughput = 0 }, NotEnoughData, []string{"no requests"}, nil},
		{"learning without requests", learns, func(a *Application, _ *Observations) { a.Times = nil }, NotEnoughData, []string{"no requests"}, nil},
		{"nothing recorded", well, func(a *Application, _ *Observations) { a.Evaluations = nil }, NotEnoughData, []string{"nothing has been recorded"}, nil},
		{"learning is said to need time", learns, nothing, Learning, []string{"still learning", "minute or two"}, []string{"healthy"}},
		{"the end is another finding", limited, func(a *Application, o *Observations) {
			a.Evaluations = spells(spell{limited, 300}, spell{stopping, 200})
			a.Held = a.Evaluations[0].At
		}, SingleBottleneck, []string{"That was so from 02:51:41 to 02:56:40; since 02:56:41: stopped in db."}, []string{"again"}},
		{"on another day", limited, func(a *Application, _ *Observations) { a.Held = end.Add(-4 * time.Hour) }, SingleBottleneck,
			[]string{"since 14 Jan 23:00, for 4h"}, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := Decide(scene(test.finding, test.change))
			if r.Verdict != test.verdict {
				t.Errorf("verdict %s, want %s", r.Verdict, test.verdict)
			}
			said := strings.Join(append([]string{r.Summary, r.Advice}, r.Notes...), " ")
			for _, words := range test.says {
				if !strings.Contains(said, words) {
					t.Errorf("%q is not in %q", words, said)
				}
			}
			for _, words := range test.never {
				if strings.Contains(said, words) {
					t.Errorf("%q is in %q", words, said)
				}
			}
		})
	}
}

// TestTimesAddUp checks what a reader would add up: own times, and base with
// what is charged, both to the total.
func TestTimesAddUp(t *testing.T) {
	for name, o := range scenes() {
		for _, a := range Decide(o).Apps {
			if a.ResponseTime == nil {
				continue
			}
			for part, split := range map[string]*Split{"mean": &a.ResponseTime.Mean, "worst": a.ResponseTime.Worst} {
				if split == nil {
					continue
				}
				own, charged := 0.0, 0.0
				for _, tier := range split.Tiers {
					own, charged = own+tier.Milliseconds, charged+tier.Base
					for _, ms := range tier.Causes {
						charged += ms
					}
				}
				if math.Abs(own-split.Total) > 1e-6 || math.Abs(charged-split.Total) > 1e-6 {
					t.Errorf("%s: %s of %s: own %v, base and causes %v, total %v", name, part, a.App, own, charged, split.Total)
				}
			}
		}
	}
}

func TestHealthyBlamesNobody(t *testing.T) {
	r := Decide(scene(well, func(a *Application, o *Observations) { collections(a, o) }))
	if len(r.Causes) != 0 || len(r.Alternations) != 0 || r.Bottleneck != nil {
		t.Errorf("causes %v, alternations %v, bottleneck %v", r.Causes, r.Alternations, r.Bottleneck)
	}
}

func TestTheWorstApplicationComesFirst(t *testing.T) {
	r := Decide(scenes()["several"])
	var names []string
	for _, a := range r.Apps {
		names = append(names, a.App)
	}
	if diff := cmp.Diff([]string{"shop", "mail", "blog"}, names); diff != "" || r.App != "shop" || r.Verdict != SingleBottleneck {
		t.Error(r.App, r.Verdict, diff)
	}
}

func TestTiersAreListedAlongTheChain(t *testing.T) {
	r := Decide(scene(well, func(a *Application, o *Observations) {
		o.Tiers = append(o.Tiers, Tier{App: "shop", Tier: "cache", Share: shares(0, 0, 0)})
		a.Edges = append(a.Edges, Edge{From: "db", To: "cache"}, Edge{From: "db", To: "db"})
	}))
	var names []string
	for _, tier := range r.Tiers {
		names = append(names, tier.Tier)
	}
	if diff := cmp.Diff([]string{"httpd", "tomcat", "db", "cache"}, names); diff != "" {
		t.Error(diff)
	}
}

func TestTiersThatCallEachOtherInACircle(t *testing.T) {
	compare := alongChain([]Edge{{From: "a", To: "b"}, {From: "b", To: "a"}})
	if compare("a", "b") >= 0 || compare("b", "a") <= 0 {
		t.Error("no order by name")
	}
}

func TestGainIsSetEverywhere(t *testing.T) {
	r := Decide(scenes()["several"])
	gain := []Gain{{"more db", 1.5, 0.2}}
	r.SetGain("shop", gain)
	r.SetGain("blog", gain[:0])
	if len(r.Gain) != 1 || len(r.Apps[0].Gain) != 1 || r.Apps[1].Gain != nil {
		t.Errorf("%v %v %v", r.Gain, r.Apps[0].Gain, r.Apps[1].Gain)
	}
	var text strings.Builder
	if err := r.WriteText(&text); err != nil || !strings.Contains(text.String(), "Expected of more db: throughput x 1.50, response time x 0.20.") {
		t.Error(err, text.String())
	}
}
