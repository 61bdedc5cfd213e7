// SPDX-License-Identifier: Apache-2.0

package recorded

import (
	"fmt"
	"slices"
	"strings"

	"github.com/prometheus/common/model"

	"github.com/nstar-project/nstar/exporters/nstartool/whatif"
)

// tiers reads the columns of each tier that has own queues.
func (q *querier) tiers(g grid, own windows) ([]whatif.Tier, error) {
	queue, throughput := q.windows("nstar_window_queue_length"), q.windows("nstar_window_throughput")
	states, collection := q.windows("nstar_window_state"), q.windows("nstar_window_gc_ratio")
	base := q.last("nstar_tier_base_residence_seconds", "tier")
	knee := q.last("nstar_tier_saturation_point_queue_length", "tier")
	low := q.last("nstar_tier_saturation_point_queue_length_low", "tier")
	high := q.last("nstar_tier_saturation_point_queue_length_high", "tier")
	status := q.status()
	if q.err != nil {
		return nil, q.err
	}
	var tiers []whatif.Tier
	for _, s := range own.series {
		name := string(s.Metric["tier"])
		if slices.ContainsFunc(tiers, func(t whatif.Tier) bool { return t.Name == name }) {
			return nil, fmt.Errorf("these windows can't be replayed: %s runs on several servers, and whatif has no "+
				"model for that",
				name)
		}
		t := whatif.Tier{Name: name, Base: base[name], Knee: knee[name], KneeLow: low[name], KneeHigh: high[name],
			Learning: status[name]}
		var found int
		t.Own, found = g.column(s, 1)
		// A tier is left out before its first request: its windows count from then on.
		due := 1
		if len(s.Values) > 0 {
			due = max(1, g.count-int(float64(s.Values[0].Timestamp-g.first)/(g.width*1e3)))
		}
		if missing := 1 - float64(found)/float64(due); missing > lost {
			return nil, fmt.Errorf("these windows can't be replayed: %.0f %% of the windows of %s are missing",
				missing*100, name)
		}
		t.Queue, _ = g.column(queue.of(name, "tier"), 1)
		t.Completions, _ = g.column(throughput.of(name, "tier"), g.width)
		state, _ := g.column(states.of(name, "tier"), 1)
		t.Frozen = make([]bool, len(state))
		for k, v := range state {
			t.Frozen[k] = v == frozen
		}
		if c := collection.of(name, "tier"); c != nil {
			t.Collection, _ = g.column(c, 1)
		}
		tiers = append(tiers, t)
	}
	slices.SortFunc(tiers, func(a, b whatif.Tier) int { return strings.Compare(a.Name, b.Name) })
	return tiers, nil
}

// status is why a tier's saturation point is not known, in words.
func (q *querier) status() map[string]string {
	expr := fmt.Sprintf("last_over_time(nstar_tier_saturation_status{app=%q}[%s]) == 1", q.app, q.span)
	v, _ := q.query(expr).(model.Vector)
	reasons := map[string]string{}
	for _, s := range v {
		if status := string(s.Metric["status"]); status != "known" {
			reasons[string(s.Metric["tier"])] = strings.ReplaceAll(status, "_", " ")
		}
	}
	return reasons
}

// edges reads the columns of each edge that made calls.
func (q *querier) edges(g grid) []whatif.Edge {
	calls, outstanding := q.windows("nstar_window_edge_calls"), q.windows("nstar_window_edge_outstanding")
	most := q.windows("nstar_window_edge_outstanding_max")
	limit := q.last("nstar_edge_limit_calls", "from", "to")
	var edges []whatif.Edge
	for _, s := range calls.series {
		key := labelled(s.Metric, "from", "to")
		e := whatif.Edge{From: string(s.Metric["from"]), To: string(s.Metric["to"]), Limit: limit[key]}
		e.Calls, _ = g.column(s, g.width)
		e.Outstanding, _ = g.column(outstanding.of(key, "from", "to"), 1)
		if m := most.of(key, "from", "to"); m != nil {
			e.OutstandingMax, _ = g.column(m, 1)
		}
		edges = append(edges, e)
	}
	return edges
}
