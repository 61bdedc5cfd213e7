// SPDX-License-Identifier: Apache-2.0

package diagnose

import (
	"fmt"
	"slices"
)

// Pool is what another application may have under way at a time from one of its tiers to another one.
type Pool struct {
	App, From, To string
	// Size is the cap of the calls outstanding if one was seen, otherwise the number of open connections.
	Size float64
}

// colocated reads, for edges with a cap, the largest pool of another application whose calls go to the same host, if
// the two take the processor from each other. An application with fewer places there than a neighbour can't make up for
// what the neighbour takes (CONS): its pool should be as large as the neighbour's.
func (q *querier) colocated(apps map[string]*Application) {
	capped := false
	for _, a := range apps {
		capped = capped || slices.ContainsFunc(a.Edges, func(e Edge) bool { return e.Limit != nil })
	}
	if !capped {
		return
	}
	type tier struct{ app, name string }
	hosts, tiers := map[tier][]string{}, map[string][]tier{}
	for _, s := range q.vector("group by (app, tier, instance) (last_over_time(" +
		q.everywhere("nstar_tier_completions_total") + "))") {
		t, at := tier{label(s.Metric, "app"), label(s.Metric, "tier")}, host(label(s.Metric, "instance"))
		hosts[t], tiers[at] = append(hosts[t], at), append(tiers[at], t)
	}
	pools := map[tier][]Pool{}
	size := func(metric string) string {
		return "sum by (app, from, to) (last_over_time(" + q.everywhere(metric) + "))"
	}
	for _, s := range q.vector(size("nstar_edge_limit_calls") + " or " + size("nstar_window_edge_connections")) {
		p := Pool{label(s.Metric, "app"), label(s.Metric, "from"), label(s.Metric, "to"), float64(s.Value)}
		pools[tier{p.App, p.To}] = append(pools[tier{p.App, p.To}], p)
	}
	for _, a := range apps {
		for i := range a.Edges {
			e := &a.Edges[i]
			if e.Limit == nil {
				continue
			}
			for _, at := range hosts[tier{a.Name, e.To}] {
				for _, beside := range tiers[at] {
					for _, p := range pools[beside] {
						if a.competes(p.App) && p.Size > *e.Limit && (e.Larger == nil || p.Size > e.Larger.Size) {
							e.Larger = &p
						}
					}
				}
			}
		}
	}
}

// everywhere is a selector over the whole range of all applications but the monitoring, whichever was asked for.
func (q *querier) everywhere(metric string) string {
	return fmt.Sprintf("%s{app!=%q}[%s]", metric, monitoring, q.span)
}

// upTo is the size to which a pool is to be raised if another application has a larger one on the same host.
func (e Edge) upTo() string {
	if e.Larger == nil {
		return ""
	}
	return fmt.Sprintf(", up to the %.0f that %s/%s has (its %s is on the same host),", e.Larger.Size, e.Larger.App,
		e.Larger.From, e.Larger.To)
}

// whyUpTo is the reason.
func (e Edge) whyUpTo() string {
	if e.Larger == nil {
		return ""
	}
	return fmt.Sprintf(" With fewer than %[1]s has, too few requests are at %[2]s to make up for the time that %[1]s "+
		"takes from it.", e.Larger.App, e.To)
}
