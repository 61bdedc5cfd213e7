// SPDX-License-Identifier: Apache-2.0

package diagnose

import (
	"fmt"

	"github.com/prometheus/common/model"
)

// Cost is the processor time that a request takes in a tier, in seconds: in the last minute of the range, and in that
// minute of the hour before the end in which it was least, of those with half as many requests at least.
type Cost struct{ Now, Least float64 }

// times is how many times as much a request takes now.
func (c *Cost) times() float64 {
	if c == nil || c.Least <= 0 {
		return 1
	}
	return c.Now / c.Least
}

// dearer is how many times as much processor time a request takes from which on it is told of: a machine whose speed
// drifts, or a neighbour in its caches, makes less of a difference.
const dearer = 2

// costs reads what requests cost, set by tier.
func (q *querier) costs(each func(expr string, set func(t *TierTime, s *model.Sample))) {
	rate := func(metric, at string) string {
		return "sum by (app, tier) (rate(" + q.selector(metric, "") + "[1m]" + at + "))"
	}
	now := fmt.Sprintf(" @ %d", q.at.Unix())
	const computed, completed = "nstar_tier_cpu_seconds_total", "nstar_tier_completions_total"
	each(rate(computed, "")+" / ("+rate(completed, "")+" > 0)",
		func(t *TierTime, s *model.Sample) { t.Cost = &Cost{Now: float64(s.Value)} })
	each("min_over_time(("+rate(computed, "")+" / ("+rate(completed, "")+" >= 0.5 * "+rate(completed, now)+
		" > 0))[1h:30s])",
		func(t *TierTime, s *model.Sample) {
			if t.Cost != nil {
				t.Cost.Least = float64(s.Value)
			}
		})
}

// dearerRequests is what to do where the bottleneck's requests take more work than they did; empty if they don't.
func (d diagnosis) dearerRequests() string {
	t, _ := d.time(d.finding.Tier)
	if t.Cost.times() < dearer {
		return ""
	}
	advice := fmt.Sprintf("Find out why the requests of %s have become dearer: each takes %s of processor time, %.0f "+
		"times as much as in the cheapest minute of the last hour. A plan that has changed (a lost index), more "+
		"data, other requests, a new version?",
		d.finding.Tier, millis(t.Cost.Now), t.Cost.times())
	if t.Busy == nil || *t.Busy >= busyShare {
		advice += " Until then more capacity (" + d.capacity() + ") helps."
	}
	return advice
}
