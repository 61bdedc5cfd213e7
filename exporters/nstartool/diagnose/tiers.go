// SPDX-License-Identifier: Apache-2.0

package diagnose

import "github.com/prometheus/common/model"

// key finds the server that a recorded series belongs to.
type key struct{ app, tier, instance string }

func keyOf(m model.Metric) key {
	return key{label(m, "app"), label(m, "tier"), label(m, "instance")}
}

// servers reads the shares of the states, N* and TPmax.
func (q *querier) servers() []Tier {
	shares, sums := map[key]map[string]float64{}, map[key]float64{}
	for _, s := range q.vector("sum_over_time(" + q.over("nstar:tier_state_share:ratio10s", "") + ")") {
		k := keyOf(s.Metric)
		if shares[k] == nil {
			shares[k] = map[string]float64{}
			for _, state := range states {
				shares[k][state] = 0
			}
		}
		shares[k][label(s.Metric, "state")] += float64(s.Value)
		sums[k] += float64(s.Value)
	}
	saturation := q.last("nstar:tier_saturation_point:queue_length")
	maximum := q.last("nstar:tier_max_throughput:requests_per_second")

	servers := map[[2]string]int{}
	for k := range shares {
		servers[[2]string{k.app, k.tier}]++
	}
	var tiers []Tier
	for k, share := range shares {
		if sums[k] == 0 {
			continue
		}
		for state := range share {
			share[state] /= sums[k]
		}
		t := Tier{App: k.app, Tier: k.tier, NStar: saturation[k], TPMax: maximum[k], Share: share}
		if servers[[2]string{k.app, k.tier}] > 1 {
			t.Instance = k.instance
		}
		tiers = append(tiers, t)
	}
	return tiers
}

// last reads the newest value of a recorded series at the end of the range.
func (q *querier) last(metric string) map[key]*float64 {
	values := map[key]*float64{}
	for _, s := range q.vector(q.selector(metric, "")) {
		v := float64(s.Value)
		values[keyOf(s.Metric)] = &v
	}
	return values
}

// circumstances reads what else is known of the tiers: how often they are called, their speed, and what is
// not known of them. If a tier has several servers, the slowest or busiest counts, and the one of which least
// is known.
func (q *querier) circumstances(apps map[string]*Application) {
	each := func(expr string, set func(t *TierTime, s *model.Sample)) {
		for _, s := range q.vector(expr) {
			a := apps[label(s.Metric, "app")]
			if a == nil {
				continue
			}
			for i := range a.Times {
				if a.Times[i].Tier == label(s.Metric, "tier") {
					set(&a.Times[i], s)
				}
			}
		}
	}
	mean := func(of, metric string) string {
		return of + " by (app, tier) (avg_over_time(" + q.over(metric, "") + "))"
	}

	calls := q.growth("nstar_tier_completions_total")
	each(calls+" / on (app) group_left () sum by (app) ("+calls+")",
		func(t *TierTime, s *model.Sample) { t.Calls = float64(s.Value) })
	each(q.growth("nstar_tier_own_queue_clipped_seconds_total")+" / "+q.growth("nstar_tier_own_queue_seconds_total"),
		func(t *TierTime, s *model.Sample) { t.Clipped = float64(s.Value) })
	each(q.growth("nstar_tier_aborts_total")+" / "+q.growth("nstar_tier_arrivals_total"),
		func(t *TierTime, s *model.Sample) { t.GivenUp = float64(s.Value) })
	each(mean("min", "nstar_tier_speed_ratio"), func(t *TierTime, s *model.Sample) { t.Speed = pointer(s) })
	each("max by (app, tier) (rate("+q.over("nstar_tier_garbage_collection_seconds_total", "")+"))",
		func(t *TierTime, s *model.Sample) { t.Collection = pointer(s) })
	each(mean("max", "nstar_tier_processors_busy_ratio"), func(t *TierTime, s *model.Sample) { t.Busy = pointer(s) })
	each(mean("max", "nstar_tier_busiest_thread_ratio"), func(t *TierTime, s *model.Sample) { t.Thread = pointer(s) })
	each(mean("max", "nstar_tier_processors_wanted_threads"),
		func(t *TierTime, s *model.Sample) { t.Wanted = pointer(s) })
	each(q.growth("nstar_tier_asleep_seconds_total")+" / "+q.growth("nstar_tier_own_queue_seconds_total"),
		func(t *TierTime, s *model.Sample) { t.Asleep = pointer(s) })
	q.costs(each)
	each("max by (app, tier) (sum by (app, tier, instance) (rate("+q.over("nstar_tier_active_seconds_total", "")+")))",
		func(t *TierTime, s *model.Sample) { t.Active = pointer(s) })
	each("max by (app, tier, status) ("+q.selector("nstar_tier_saturation_status", "")+") > 0",
		func(t *TierTime, s *model.Sample) {
			if status := label(s.Metric, "status"); ignorance[status] >= ignorance[t.Status] {
				t.Status = status
			}
		})
}

// ignorance orders what may be known of a tier, from all to least.
var ignorance = map[string]int{"": 0, statusKnown: 1, statusNeverNear: 2, statusLearning: 3, statusAlways: 4}

// What nstar_tier_saturation_status says.
const (
	statusKnown     = "known"
	statusLearning  = "learning"
	statusNeverNear = "never_near_limit"
	statusAlways    = "always_at_limit"
)

func pointer(s *model.Sample) *float64 {
	v := float64(s.Value)
	return &v
}
