// SPDX-License-Identifier: Apache-2.0

package diagnose

import (
	"cmp"
	"fmt"
	"slices"
)

// Faulted is the pages that a tier used and had to read from a disk first, over all of its servers.
type Faulted struct {
	Tier string
	Rate float64 // per second
}

// worthFaults is the rate of them from which they are told of, where a tier waits for a disk or for memory: at some
// milliseconds each they are a part of that waiting.
const worthFaults = 10

// faults reads them.
func (q *querier) faults(apps map[string]*Application) {
	for _, s := range q.vector(fmt.Sprintf("sum by (app, tier) (rate(%s)) >= %d",
		q.over("nstar_tier_major_faults_total", ""), worthFaults)) {
		if a := apps[label(s.Metric, "app")]; a != nil {
			a.Faulted = append(a.Faulted, Faulted{label(s.Metric, "tier"), float64(s.Value)})
		}
	}
	for _, a := range apps {
		slices.SortFunc(a.Faulted, func(x, y Faulted) int { return cmp.Compare(x.Tier, y.Tier) })
	}
}

// faulted is how many the bottleneck had, as a fact beside its waiting; none where they are few or not known.
func (d diagnosis) faulted() []string {
	for _, f := range d.Faulted {
		if f.Tier == d.finding.Tier {
			return []string{fmt.Sprintf("%.0f pages a second of its programs, mapped files or swapped memory had to be read from "+
				"the disk (major faults)", f.Rate)}
		}
	}
	return nil
}
