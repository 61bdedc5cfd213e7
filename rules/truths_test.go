// SPDX-License-Identifier: Apache-2.0

package rules

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// truth is a stack whose bottleneck is known, and what must be said at which second: "VERDICT" or "VERDICT TIER CAUSE",
// of the application shop.
type truth struct {
	name  string
	stack stack
	say   map[int]string
	// second at which the alert must fire, and not yet 75 s before; 0: none at the end; not asked if say is nil
	alert int
	more  []query
}

// Expressions that hold for every stack.
const (
	// One verdict at each evaluation from the second scrape on.
	verdicts = `sum by (app) (count_over_time(nstar:app_verdict[1h]))`
	most     = `max_over_time((count by (app) (nstar:app_verdict))[1h:5s]) > 1`
	// Base and excess add up to the response time.
	sums = `abs(sum by (app) (nstar:app_response_time:seconds) - sum by (app) (nstar:app_base_time:seconds)` +
		` - (sum by (app) (nstar:app_excess_time:seconds) or 0 * sum by (app) (nstar:app_response_time:seconds))) > 1e-9`
	// Nothing below zero, no share above one.
	signs  = `nstar:app_base_time:seconds < -1e-9 or nstar:app_excess_time:seconds < 0 or sum by (app) (nstar:app_excess_share:ratio) > 1.000001`
	firing = `count by (alertname, app) (ALERTS{alertstate="firing"})`
	// Nothing is ever pending.
	pending = `ALERTS{alertstate="pending"}`
)

func scenarios(truths []truth) []scenario {
	var all []scenario
	for _, t := range truths {
		s := scenario{name: t.name, scrape: t.stack.scrape, series: t.stack.series()}
		if s.scrape == 0 {
			s.scrape = 5
		}
		end := t.stack.seconds()
		for second, words := range t.say {
			s.queries = append(s.queries, query{`count by (app, verdict, tier, cause) (nstar:app_verdict{app="shop"})`,
				second,
				verdict(words)})
		}
		s.queries = append(s.queries, query{sums, end, nil}, query{sums, 60, nil}, query{signs, end, nil},
			query{most, end, nil}, query{pending, end, nil})
		apps := map[string]bool{}
		for _, v := range t.stack.servers {
			apps[or(v.app, "shop")] = true
		}
		each := map[string]float64{}
		for app := range apps {
			each[fmt.Sprintf(`{app=%q}`, app)] = float64((end+seen)/5 + 1)
		}
		s.queries = append(s.queries, query{verdicts, end, each})
		alerts := map[string]float64{`{alertname="NstarBottleneck",app="shop"}`: 1}
		switch {
		case t.alert == 0 && len(t.say) > 0:
			s.queries = append(s.queries, query{firing, end, nil})
		case t.alert > 0:
			s.queries = append(s.queries, query{firing, t.alert - 75, nil}, query{firing, t.alert, alerts})
		}
		s.queries = append(s.queries, t.more...)
		slices.SortStableFunc(s.queries, func(a, b query) int {
			return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.expr, b.expr))
		})
		all = append(all, s)
	}
	return all
}

func verdict(words string) map[string]float64 {
	part := strings.Fields(words)
	if len(part) == 1 {
		return map[string]float64{fmt.Sprintf(`{app="shop",verdict=%q}`, part[0]): 1}
	}
	return map[string]float64{fmt.Sprintf(`{app="shop",verdict=%q,tier=%q,cause=%q}`, part[0]+"_bottleneck", part[1],
		part[2]): 1}
}
