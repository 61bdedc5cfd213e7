// SPDX-License-Identifier: Apache-2.0

package recorded

import (
	"fmt"
	"math"
	"slices"

	"github.com/prometheus/common/model"

	"github.com/nstar-project/nstar/exporters/nstartool/whatif"
)

// idleCore is the share of a processor's time below which a tier is not taken to run on it.
const idleCore = 0.005

// runs is what a tier computed on its host.
type runs struct {
	instance, tier string
	cores          []string // the processors that it ran on
	used           float64  // how many it used, on average
	busy           float64  // how many of each of these were in use; NaN if it is not known
}

// machines reads what the tiers computed per request, and which of them share processors. If the exporter does not
// follow the scheduler, neither is known.
func (q *querier) machines(tiers []whatif.Tier) (all []whatif.Machine) {
	each := func(format string, see func(m model.Metric, v float64)) {
		v, _ := q.query(fmt.Sprintf(format, q.app, q.span)).(model.Vector)
		for _, s := range v {
			see(s.Metric, float64(s.Value))
		}
	}
	var found []*runs
	of := func(m model.Metric) *runs {
		instance, tier := string(m["instance"]), string(m["tier"])
		for _, r := range found {
			if r.instance == instance && r.tier == tier {
				return r
			}
		}
		found = append(found, &runs{instance: instance, tier: tier, busy: math.NaN()})
		return found[len(found)-1]
	}
	each("sum by (instance, tier, cpu) (rate(nstar_tier_core_seconds_total{app=%q}[%s]))",
		func(m model.Metric, v float64) {
			if cpu := string(m["cpu"]); cpu != "all" && v >= idleCore {
				of(m).cores = append(of(m).cores, cpu)
			}
		})
	each("sum by (instance, tier) (rate(nstar_tier_cpu_seconds_total{app=%q}[%s]))", func(m model.Metric, v float64) {
		of(m).used = v
	})
	each("avg by (instance, tier) (avg_over_time(nstar_tier_processors_busy_ratio{app=%q}[%s]))",
		func(m model.Metric, v float64) { of(m).busy = v })
	each("sum by (tier) (rate(nstar_tier_completions_total{app=%q}[%s]))", func(m model.Metric, completions float64) {
		used := 0.0
		for _, r := range found {
			if r.tier == string(m["tier"]) && len(r.cores) > 0 {
				used += r.used
			}
		}
		i := slices.IndexFunc(tiers, func(t whatif.Tier) bool { return t.Name == string(m["tier"]) })
		if i >= 0 && completions > 0 {
			tiers[i].Processor = used / completions
		}
	})
	found = slices.DeleteFunc(found, func(r *runs) bool { return len(r.cores) == 0 || math.IsNaN(r.busy) })
	for len(found) > 0 {
		var together []*runs
		together, found = sharing(found)
		all = append(all, machineOf(together))
	}
	return all
}

// sharing takes out the first with all that share processors with it, or with others that do.
func sharing(found []*runs) (together, rest []*runs) {
	together, rest = found[:1:1], found[1:]
	for i := 0; i < len(together); i++ {
		r := together[i]
		here := func(core string) bool { return slices.Contains(r.cores, core) }
		var apart []*runs
		for _, o := range rest {
			if o.instance == r.instance && slices.ContainsFunc(o.cores, here) {
				together = append(together, o)
			} else {
				apart = append(apart, o)
			}
		}
		rest = apart
	}
	return together, rest
}

// machineOf is the machine of tiers that share processors: busy processor time that is not theirs belongs to
// others.
func machineOf(together []*runs) (m whatif.Machine) {
	var cores []string
	busy := 0.0
	for _, r := range together {
		m.Host = r.instance
		m.Tiers = append(m.Tiers, r.tier)
		cores = append(cores, r.cores...)
		busy += r.busy / float64(len(together))
		m.Others -= r.used
	}
	slices.Sort(cores)
	slices.Sort(m.Tiers)
	m.Processors = float64(len(slices.Compact(cores)))
	m.Others = max(0, m.Others+busy*m.Processors)
	return m
}
