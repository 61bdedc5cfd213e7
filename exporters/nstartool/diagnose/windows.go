// SPDX-License-Identifier: Apache-2.0

package diagnose

import (
	"cmp"
	"slices"

	"github.com/prometheus/common/model"
)

// unmeasured are the destinations that no exporter measures: the waiting there is only known from the calls to
// them.
func (q *querier) unmeasured() map[string]bool {
	names := map[string]bool{}
	for _, s := range q.vector("group by (tier) (last_over_time(" +
		q.over("nstar:unmeasured_queue_length:mean15s", "") + "))") {
		names[label(s.Metric, "tier")] = true
	}
	return names
}

// sum adds up the own queues of the tiers and the calls outstanding at destinations that no exporter measures: these
// are the requests in the application.
func (q *querier) sum(queue map[model.Time]float64, outside map[string]bool, c chunk) {
	add := func(series *model.SampleStream) {
		for _, v := range series.Values {
			if c.holds(v.Timestamp) {
				queue[v.Timestamp] += float64(v.Value)
			}
		}
	}
	for _, series := range q.samples(q.selector("nstar_window_own_queue_length", "")+c.span(), c.to) {
		add(series)
	}
	for _, series := range q.calls(outside, c) {
		add(series)
	}
}

// calls are the calls outstanding at these destinations, window by window.
func (q *querier) calls(to map[string]bool, c chunk) (found []*model.SampleStream) {
	if len(to) == 0 {
		return nil
	}
	for _, series := range q.samples(q.selector("nstar_window_edge_outstanding", "")+c.span(), c.to) {
		if to[label(series.Metric, "to")] {
			found = append(found, series)
		}
	}
	return found
}

// longest returns the windows with the longest queues, worstShare of all but
// at least one; none without any queue.
func longest(queue map[model.Time]float64) map[model.Time]bool {
	var windows []model.Time
	for at := range queue {
		windows = append(windows, at)
	}
	slices.SortFunc(windows, func(a, b model.Time) int {
		return cmp.Or(cmp.Compare(queue[b], queue[a]), cmp.Compare(a, b))
	})
	chosen := map[model.Time]bool{}
	for _, at := range windows {
		if queue[at] > 0 && (len(chosen) == 0 || float64(len(chosen)+1) <= worstShare*float64(len(windows))) {
			chosen[at] = true
		}
	}
	return chosen
}

// split adds up the own queues of the chosen windows, by tier and by what the window's state says about the
// cause. For destinations that no exporter measures, the cause is known only from the rules.
func (q *querier) split(times map[string]*WorstTime, outside map[string]bool, chosen map[model.Time]bool, c chunk) {
	type window struct {
		tier, instance string
		at             model.Time
	}
	read := func(metric string) map[window]float64 {
		values := map[window]float64{}
		for _, series := range q.samples(q.selector(metric, "")+c.span(), c.to) {
			for _, v := range series.Values {
				if chosen[v.Timestamp] && c.holds(v.Timestamp) {
					values[window{label(series.Metric, "tier"), label(series.Metric, "instance"),
						v.Timestamp}] = float64(v.Value)
				}
			}
		}
		return values
	}
	states, collections := read("nstar_window_state"), read("nstar_window_gc_ratio")
	of := func(tier string) *WorstTime {
		if times[tier] == nil {
			times[tier] = &WorstTime{Tier: tier, Causes: map[string]float64{}}
		}
		return times[tier]
	}
	for _, series := range q.calls(outside, c) {
		for _, v := range series.Values {
			if chosen[v.Timestamp] && c.holds(v.Timestamp) {
				of(label(series.Metric, "to")).Own += float64(v.Value)
			}
		}
	}
	for w, own := range read("nstar_window_own_queue_length") {
		t := of(w.tier)
		t.Own += own
		state, known := states[w]
		if !known {
			state = windowUnknown
		}
		if cause := causeIn(state, collections[w]); cause == "" {
			t.Base += own
		} else if own > 0 {
			t.Causes[cause] += own
		}
	}
}

// causeIn is what a window's state says about the reason for its own queue; empty if the tier simply worked.
func causeIn(state, collection float64) string {
	switch {
	case state == windowFrozen && collection >= collectionRatio:
		return causeCollection
	case state == windowFrozen:
		return causeStopped
	case state == windowSaturated:
		return causeDemand
	case state == windowWaiting:
		return causeWaiting
	case state == windowUnknown:
		return causeUnknown
	}
	return ""
}

// slowness is what a destination that no exporter measures is to blame for in the worst windows: the time beyond its
// usual one, if the rules say that it is slow.
func (a *Application) slowness(t TierTime, w *WorstTime) {
	if slices.ContainsFunc(a.Blame, func(e Excess) bool { return e.Tier == t.Tier && e.Cause == causeSlow }) {
		w.Base = min(w.Own, t.Base)
		w.Causes[causeSlow] = w.Own - w.Base
		return
	}
	w.Base = w.Own
}

// asBlamed are the causes of a tier's worst windows in the words of the rules. A window's state says that more requests
// are there than the tier serves, or that the state is unknown. It does not say what holds them: a quota, others on the
// tier's processors, the disk. Such windows get the causes that the rules name for this tier's part of the tail. So do
// windows in which it stood still, if the rules know of no stop; but if all is well by the rules, the stop may have
// come after the minute of their figures. If the rules name hardly any cause, all windows keep theirs.
func (d diagnosis) asBlamed(w WorstTime) map[string]float64 {
	weights, sum, stopped := map[string]float64{}, 0.0, d.finding.Verdict == Healthy
	for _, e := range d.Blame {
		switch {
		case e.Tier != w.Tier || e.Tail <= 0 || e.Cause == causeCollection:
		case e.Cause == causeStopped:
			stopped = true
		default:
			weights[e.Cause] += e.Tail
			sum += e.Tail
		}
	}
	if sum < leastBlamed {
		return w.Causes
	}
	causes := map[string]float64{}
	for cause, seconds := range w.Causes {
		if cause != causeDemand && cause != causeUnknown && (cause != causeStopped || stopped) {
			causes[cause] += seconds
			continue
		}
		for blamed, weight := range weights {
			causes[blamed] += seconds * weight / sum
		}
	}
	return causes
}

// leastBlamed is the part of an application's tail from which the rules say enough of a tier.
const leastBlamed = 0.05
