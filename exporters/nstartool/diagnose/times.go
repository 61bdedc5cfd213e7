// SPDX-License-Identifier: Apache-2.0

package diagnose

import (
	"cmp"
	"slices"
	"time"

	"github.com/prometheus/common/model"
)

// history reads the verdicts of each application at each step of a range.
//
// There is one verdict at a time. After a restart of Prometheus, though, the
// verdict from before it lingers for five minutes beside a new one, so that of
// several the one that appeared last counts.
func (q *querier) history(from, to time.Time, step time.Duration) map[string][]Evaluation {
	type candidate struct {
		Evaluation
		appeared model.Time
	}
	type instant struct {
		app string
		at  model.Time
	}
	found := map[instant]candidate{}
	for _, series := range q.steps(q.selector("nstar:app_verdict", ""), from, to, step) {
		m := series.Metric
		finding := Finding{Verdict(label(m, "verdict")), label(m, "tier"), label(m, "cause")}
		var appeared, last model.Time
		for _, v := range series.Values {
			if last == 0 || v.Timestamp.Sub(last) > step {
				appeared = v.Timestamp
			}
			last = v.Timestamp
			at := instant{label(m, "app"), v.Timestamp}
			if other, ok := found[at]; !ok || other.appeared < appeared {
				found[at] = candidate{Evaluation{v.Timestamp.Time().UTC(), finding, float64(v.Value)}, appeared}
			}
		}
	}
	history := map[string][]Evaluation{}
	for at, c := range found {
		history[at.app] = append(history[at.app], c.Evaluation)
	}
	for _, evaluations := range history {
		slices.SortFunc(evaluations, func(a, b Evaluation) int { return a.At.Compare(b.At) })
	}
	return history
}

// lookBack is the time that an evaluation's figures cover: the minute before it.
const lookBack = time.Minute

// spoken are the evaluations with a verdict whose minute lies in the range that begins at from, as far as
// steps can show. If the range has none, it is the last evaluation with that verdict.
func spoken(all []Evaluation, f Finding, from time.Time, step time.Duration) (out []Evaluation) {
	for _, e := range all {
		switch {
		case e.Finding != f:
		case len(out) > 0 && out[len(out)-1].At.Sub(from) <= lookBack-step:
			out[0] = e
		default:
			out = append(out, e)
		}
	}
	return out
}

// times reads throughput, response time and blame as means over the
// evaluations with the verdict that prevailed.
func (q *querier) times(apps map[string]*Application) {
	chosen := map[string]map[model.Time]bool{}
	for name, a := range apps {
		chosen[name] = map[model.Time]bool{}
		f, _ := prevailing(a.Evaluations)
		for _, e := range spoken(a.Evaluations, f, q.from, q.step) {
			chosen[name][model.TimeFromUnixNano(e.At.UnixNano())] = true
		}
	}
	for k, v := range q.means("nstar:app_throughput:requests_per_second", chosen) {
		if a := apps[k.app]; a != nil {
			a.Throughput = v
		}
	}
	base := q.means("nstar:app_base_time:seconds", chosen)
	for k, v := range q.means("nstar:app_response_time:seconds", chosen) {
		if a := apps[k.app]; a != nil {
			a.Times = append(a.Times, TierTime{Tier: k.tier, Own: v, Base: base[k]})
		}
	}
	tail := q.means("nstar:app_tail_share:ratio", chosen)
	excess := q.means("nstar:app_excess_time:seconds", chosen)
	for k, v := range excess {
		if a := apps[k.app]; a != nil && (v > 0 || tail[k] > 0) {
			a.Blame = append(a.Blame, Excess{Tier: k.tier, Cause: k.cause, Seconds: v, Tail: tail[k]})
		}
	}
	for _, a := range apps {
		chain := alongChain(a.Edges)
		slices.SortFunc(a.Times, func(x, y TierTime) int { return chain(x.Tier, y.Tier) })
		slices.SortFunc(a.Blame, func(x, y Excess) int {
			return cmp.Or(cmp.Compare(y.Seconds, x.Seconds), cmp.Compare(y.Tail, x.Tail),
				chain(x.Tier, y.Tier), cmp.Compare(x.Cause, y.Cause))
		})
	}
}

// partKey names a part of what is recorded per application.
type partKey struct{ app, tier, cause string }

// means averages a recorded series over the chosen instants of its
// application. A part that is absent while others of the metric are there is
// none, so that means add up as their parts do.
func (q *querier) means(metric string, chosen map[string]map[model.Time]bool) map[partKey]float64 {
	sums := map[partKey]float64{}
	present := map[string]map[model.Time]bool{}
	for _, series := range q.steps(q.selector(metric, ""), q.from, q.at, q.step) {
		k := partKey{label(series.Metric, "app"), label(series.Metric, "tier"), label(series.Metric, "cause")}
		for _, v := range series.Values {
			if !chosen[k.app][v.Timestamp] || !isFinite(v.Value) {
				continue
			}
			sums[k] += float64(v.Value)
			if present[k.app] == nil {
				present[k.app] = map[model.Time]bool{}
			}
			present[k.app][v.Timestamp] = true
		}
	}
	for k := range sums {
		sums[k] /= float64(len(present[k.app]))
	}
	return sums
}
