// SPDX-License-Identifier: Apache-2.0

package diagnose

import (
	"fmt"
	"slices"
	"time"
)

// Subsided is a cause that costs hardly anything at the end of the range, though the mean of the last minute may still
// name it.
type Subsided struct {
	Tier, Cause string
	// Seen is when it was there for the last time.
	Seen time.Time
}

// subsidedLeast is for how long a cause must not have been there.
const subsidedLeast = 15 * time.Second

// subsided reads which causes are not there any more.
func (q *querier) subsided(apps map[string]*Application) {
	there := q.selector("nstar:app_excess_there:bool15s", "")
	last := q.lastSeen("app, tier, cause", there+" == 1")
	for _, s := range q.vector(last + " and on (app, tier, cause) " + there + " == 0") {
		if a := apps[label(s.Metric, "app")]; a != nil {
			a.Subsided = append(a.Subsided,
				Subsided{label(s.Metric, "tier"), label(s.Metric, "cause"), moment(s.Value)})
		}
	}
}

// hasSubsided says since when what is named is hardly there any more; empty if it is, or was a moment ago.
func (d diagnosis) hasSubsided() string {
	cause := d.finding.Cause
	if cause == causeBurst {
		cause = causeDemand
	}
	var seen time.Time
	for _, s := range d.Subsided {
		if s.Tier == d.finding.Tier && s.Cause == cause && d.observed.To.Sub(s.Seen) >= subsidedLeast {
			seen = s.Seen
		}
	}
	// The rest of what makes a tier slow may still be there.
	there := func(e Excess) bool {
		return d.sleepsToo(e) && !slices.ContainsFunc(d.Subsided, func(s Subsided) bool {
			return s.Tier == e.Tier && s.Cause == e.Cause
		})
	}
	if seen.IsZero() || d.hasEnded(d.finding.Tier) || slices.ContainsFunc(d.Blame, there) {
		return ""
	}
	return fmt.Sprintf(" Hardly any of it has been there since %s: it may be over.", d.clock(seen))
}
