// SPDX-License-Identifier: Apache-2.0

package diagnose

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Apart are the tiers of an application that call each other, directly or not, and no other ones, and where its
// requests come in.
type Apart struct {
	Entrances, Others []string
	// Share of the application's requests, 0 to 1.
	Share float64
}

// byDefault is the application of tiers that the exporter's configuration file does not name.
const byDefault = "default"

// worthAName is the share of the requests from which on tiers that have nothing to do with the others are an
// application of their own.
const worthAName = 0.1

// apart reads which tiers without a configuration are several applications: their tiers never call each other. A tier
// that calls no other one does not count, because it may be part of any.
func (q *querier) apart(apps map[string]*Application) {
	a := apps[byDefault]
	if a == nil {
		return
	}
	parts := make(map[string]map[string]bool) // by tier, shared by all of the same part
	of := func(tier string) map[string]bool {
		if parts[tier] == nil {
			parts[tier] = map[string]bool{tier: true}
		}
		return parts[tier]
	}
	calls := q.over("nstar_edge_calls_total", "")
	for _, s := range q.vector("group by (app, from, to) (increase(" + calls + ") > 0)") {
		if label(s.Metric, "app") != byDefault {
			continue
		}
		from, to := of(label(s.Metric, "from")), of(label(s.Metric, "to"))
		for tier := range to {
			from[tier], parts[tier] = true, from
		}
	}
	entered, all := make(map[string]*Apart), 0. // by the part's first tier
	for key, n := range q.perTier("avg_over_time(" + q.over("nstar:tier_entered:requests_per_second15s", "") + ")") {
		part := parts[key[1]]
		if key[0] != byDefault {
			continue
		}
		all += n
		if len(part) == 0 {
			continue
		}
		first := slices.Min(slices.Collect(maps.Keys(part)))
		if entered[first] == nil {
			entered[first] = &Apart{}
		}
		entered[first].Entrances = append(entered[first].Entrances, key[1])
		entered[first].Share += n
	}
	for first, p := range entered {
		if p.Share /= all; p.Share < worthAName {
			continue
		}
		slices.Sort(p.Entrances)
		p.Others = slices.DeleteFunc(slices.Sorted(maps.Keys(parts[first])), func(tier string) bool {
			return slices.Contains(p.Entrances, tier)
		})
		a.Apart = append(a.Apart, *p)
	}
	slices.SortFunc(a.Apart, func(x, y Apart) int {
		return cmp.Or(cmp.Compare(y.Share, x.Share), cmp.Compare(x.Entrances[0], y.Entrances[0]))
	})
}

// several says that they are judged by one mean, and how to change that; empty if there is one application.
func (d diagnosis) several() string {
	if len(d.Apart) < 2 {
		return ""
	}
	var said []string
	for _, p := range d.Apart {
		said = append(said, fmt.Sprintf("%s (with %s; %s of the requests)", list(p.Entrances), list(p.Others),
			percent(p.Share)))
	}
	return fmt.Sprintf("%s seems to be %d applications that never call each other: %s. All are judged by one mean "+
		"response time here, which hides what is wrong with one of them. Give each a name: `app` of its tiers in the "+
		"configuration file of nstar_exporter.", byDefault, len(d.Apart), strings.Join(said, "; "))
}
