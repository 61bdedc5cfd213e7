// SPDX-License-Identifier: Apache-2.0

package diagnose

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"
)

// End is a tier that was there in the range and is not there any more: all of its processes have ended.
type End struct {
	Tier string `json:"tier"`
	// Seen is when it was there for the last time.
	Seen time.Time `json:"seen"`
}

// ends reads which tiers are not there any more. Nothing is said of hosts whose exporter is gone.
func (q *querier) ends(apps map[string]*Application) {
	const series = "nstar_tier_start_time_seconds"
	now := q.selector(series, "")
	gone := "(" + q.lastSeen("app, tier, instance", now) + " unless on (app, tier) " + now +
		") and on (instance) nstar_window_width_seconds"
	for _, s := range q.vector("max by (app, tier) (" + gone + ")") {
		if a := apps[label(s.Metric, "app")]; a != nil {
			seen := moment(s.Value)
			a.Ends = append(a.Ends, End{label(s.Metric, "tier"), seen})
		}
	}
	for _, a := range apps {
		slices.SortFunc(a.Ends, func(x, y End) int {
			return cmp.Or(x.Seen.Compare(y.Seen), cmp.Compare(x.Tier, y.Tier))
		})
	}
}

// missed are the ends of tiers that had a part in the response time.
func (d diagnosis) missed() (all []End) {
	for _, e := range d.Ends {
		if d.influential(e.Tier) {
			all = append(all, e)
		}
	}
	return all
}

// hasEnded reports whether all processes of a tier have ended.
func (d diagnosis) hasEnded(tier string) bool {
	return slices.ContainsFunc(d.Ends, func(e End) bool { return e.Tier == tier })
}

// ended says which tiers have ended; empty if none has.
func (d diagnosis) ended() string {
	var all []string
	for _, e := range d.missed() {
		all = append(all, fmt.Sprintf("%s after %s", e.Tier, d.clock(e.Seen)))
	}
	if len(all) == 0 {
		return ""
	}
	return "Ended in this time, and not started again: " + strings.Join(all, "; ") + "."
}

// cureEnd is what to do about a tier that has ended, the given one or, if none is given, the first that a tier which is
// still there called, or that called one; empty if there is none. Others, such as the servers of a test, may be done.
func (d diagnosis) cureEnd(tier string) string {
	for _, e := range d.missed() {
		if e.Tier == tier || tier == "" && d.leaves(e.Tier) {
			return fmt.Sprintf("Find out why %s ended after %s: %s. Then start it again.", e.Tier, d.clock(e.Seen),
				lookWhyEnded)
		}
	}
	return ""
}

// leaves reports whether a tier that has ended leaves another one behind that called it, or that it called.
func (d diagnosis) leaves(tier string) bool {
	return slices.ContainsFunc(d.Edges, func(e Edge) bool {
		return e.To == tier && !d.hasEnded(e.From) || e.From == tier && !d.hasEnded(e.To)
	})
}
