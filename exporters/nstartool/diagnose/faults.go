// SPDX-License-Identifier: Apache-2.0

package diagnose

import (
	"fmt"
)

// Faulted is the pages that a tier used and had to read from a disk first, over all of its servers.
type Faulted struct {
	Tier string
	Rate float64 // per second
}

// worthFaults is the rate of major faults from which on they are named, if a tier waits for a disk or for memory:
// at some milliseconds each they are a part of that waiting.
const worthFaults = 10

// faults reads them.
func (q *querier) faults(apps map[string]*Application) {
	q.growing(apps, "nstar_tier_major_faults_total", worthFaults, func(a *Application, tier string, rate float64) {
		a.Faulted = append(a.Faulted, Faulted{tier, rate})
	})
}

// faulted is how many the bottleneck had, as a fact beside its waiting; empty if they are few or not known.
func (d diagnosis) faulted() []string {
	for _, f := range d.Faulted {
		if f.Tier == d.finding.Tier {
			return []string{fmt.Sprintf("%.0f pages a second of its programs, mapped files or swapped memory had to "+
				"be read from the disk (major faults)", f.Rate)}
		}
	}
	return nil
}
