// SPDX-License-Identifier: Apache-2.0

package diagnose

import "fmt"

// Misses are last-level cache misses per request of a tier: the mean of the range, and the least of the hour before its
// end.
type Misses struct{ Now, Least float64 }

// moreMisses is how many times as many misses as at best are told of. MCP measured 2.3 times as many on two caches as
// on one; other requests and more data make less of a difference.
const moreMisses = 2

// misses reads the cache misses, if the processors count them.
func (q *querier) misses(apps map[string]*Application) {
	const series = "nstar:tier_cache_misses:per_request5m"
	least := map[string]map[string]float64{}
	for _, s := range q.vector("min_over_time(" + q.selector(series, "") + "[1h])") {
		app := label(s.Metric, "app")
		if least[app] == nil {
			least[app] = map[string]float64{}
		}
		least[app][label(s.Metric, "tier")] = float64(s.Value)
	}
	for _, s := range q.vector("avg_over_time(" + q.over(series, "") + ")") {
		app, tier := label(s.Metric, "app"), label(s.Metric, "tier")
		if a := apps[app]; a != nil {
			if a.Misses == nil {
				a.Misses = map[string]Misses{}
			}
			a.Misses[tier] = Misses{float64(s.Value), least[app][tier]}
		}
	}
}

// grew is the number of misses as a multiple of the lowest one seen; 0 if that is not worth a sentence.
func (m Misses) grew() float64 {
	if m.Least <= 0 || m.Now < moreMisses*m.Least {
		return 0
	}
	return m.Now / m.Least
}

// words are the misses of a tier; empty if they are not counted.
func (m Misses) words() string {
	switch {
	case m.Now <= 0:
		return ""
	case m.grew() > 0:
		return fmt.Sprintf("%s misses for each request, %.1f times the lowest number of the last hour",
			count(m.Now), m.grew())
	}
	return count(m.Now) + " misses for each request"
}

// missing is the sentence for a bottleneck that misses its cache more often than before, although it stays on one
// cache.
func (d diagnosis) missing() string {
	m := d.Misses[d.finding.Tier]
	if m.grew() == 0 {
		return ""
	}
	return fmt.Sprintf("%s finds less data in the last-level cache than before: %s. The reason may be more data, "+
		"other requests, or another program that uses the same cache. While this is so, each request takes more "+
		"processor time.", d.finding.Tier, m.words())
}
