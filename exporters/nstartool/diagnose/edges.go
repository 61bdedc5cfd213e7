// SPDX-License-Identifier: Apache-2.0

package diagnose

import (
	"cmp"
	"slices"

	"github.com/prometheus/common/model"
)

// edges reads which tier calls which, where a cap was seen, and how the own queues of neighbouring tiers
// moved. For the queues, only spans count in which both tiers are beyond N* now and then: quiet spans say
// nothing about bottlenecks. The median of these spans counts, because a change of the load moves all queues
// together: the few spans with such a change are near +1 and would outweigh many in which the tiers take
// turns.
func (q *querier) edges(apps map[string]*Application) {
	type pair struct{ app, from, to string }
	read := func(expr string, from, to model.LabelName) map[pair]*float64 {
		values := map[pair]*float64{}
		for _, s := range q.vector(expr) {
			values[pair{label(s.Metric, "app"), label(s.Metric, from), label(s.Metric, to)}] = pointer(s)
		}
		return values
	}
	all := read("sum by (app, from, to) (increase("+q.over("nstar_edge_calls_total", "")+")) > 0", "from", "to")
	limits := read("sum by (app, from, to) (last_over_time("+q.over("nstar_edge_limit_calls", "")+"))", "from", "to")
	connections := read("sum by (app, from, to) (last_over_time("+q.over("nstar_window_edge_connections", "")+"))",
		"from", "to")
	peaks := read("sum by (app, from, to) ("+q.selector("nstar:edge_peak:mean15s", "")+")", "from", "to")
	waits := func(causes string) map[pair]*float64 {
		return read("sum by (app, tier, to) (increase("+q.over("nstar_tier_excess_queue_seconds_total", "cause=~`"+
			causes+"`")+"))",
			"tier", "to")
	}
	waited, behind := waits("soft_resource|place"), waits("behind")
	turns := read("sum by (app, from, to) (increase("+q.over("nstar_edge_turns_total", "")+"))", "from", "to")
	pearson := read("quantile_over_time(0.5, ("+q.selector("nstar:edge_correlation:pearson12s", "")+" and "+
		q.selector("nstar:edge_saturated_share:ratio10s", "")+" > 0)"+q.subquery()+")", "from", "to")
	for p := range all {
		if a := apps[p.app]; a != nil {
			e := Edge{From: p.from, To: p.to, Pearson: pearson[p], Limit: limits[p], Connections: connections[p]}
			if n := peaks[p]; n != nil {
				e.Peak, e.Ceased = *n, *n == 0
			}
			if w := waited[p]; w != nil {
				e.Waited = *w
			}
			if w := behind[p]; w != nil {
				e.Behind = *w
			}
			if n := turns[p]; n != nil {
				e.Turns = *n
			}
			a.Edges = append(a.Edges, e)
		}
	}
	for p, w := range waited {
		if a := apps[p.app]; a != nil && p.to == "" && *w > 0 {
			a.OwnPlaces = append(a.OwnPlaces, OwnPlace{p.from, *w})
		}
	}
	for _, a := range apps {
		slices.SortFunc(a.OwnPlaces, func(x, y OwnPlace) int { return cmp.Compare(x.Tier, y.Tier) })
		slices.SortFunc(a.Edges, func(x, y Edge) int {
			return cmp.Or(cmp.Compare(x.From, y.From), cmp.Compare(x.To, y.To))
		})
	}
}

// shared reports whether the limit is one of calls that share connections (HTTP/2, gRPC), not one of connections.
func (e Edge) shared() bool {
	return e.Limit != nil && e.Connections != nil && *e.Connections > 0 && *e.Limit >= 2**e.Connections
}

// spare is how many connections were open if far fewer calls than that were ever under way at a time: something
// other than the number of connections limits the calls then. Otherwise 0.
func (e Edge) spare() float64 {
	if e.Limit == nil || e.Connections == nil || *e.Limit < 1 || *e.Connections < 1.5**e.Limit {
		return 0
	}
	return *e.Connections
}

// allInUse reports whether nearly all connections that are open carry a call at some moment, so that requests may wait
// for one of them.
func (e Edge) allInUse() bool {
	return e.Connections != nil && *e.Connections >= 1 && e.Peak >= 0.8**e.Connections
}

// lost reports whether connections are open, and no request that waits for one gets it: they are not given back.
func (e Edge) lost() bool {
	return e.Ceased && e.Waited > 0 && e.Connections != nil && *e.Connections > 0
}

// correlations reads which causes the own queues moved with while the tier was frozen.
func (q *querier) correlations(apps map[string]*Application) {
	expr := "max by (app, tier, cause) (avg_over_time((" + q.selector("nstar:cause_correlation:pearson12s", "") +
		` and on (instance, app, tier) nstar:tier_state_share:ratio10s{state="frozen"} > 0)` + q.subquery() + "))"
	for _, s := range q.vector(expr) {
		if a := apps[label(s.Metric, "app")]; a != nil {
			c := CauseCorrelation{label(s.Metric, "tier"), label(s.Metric, "cause"), float64(s.Value)}
			a.Correlations = append(a.Correlations, c)
		}
	}
}
