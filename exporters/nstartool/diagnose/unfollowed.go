// SPDX-License-Identifier: Apache-2.0

package diagnose

import (
	"fmt"
	"slices"
)

// unfollowed reads which tiers call others, though nobody asks them anything that is measured, and of which no rule
// tells whether they can follow: a broker sends them what they have to do, so that they never ask for it.
func (q *querier) unfollowed(apps map[string]*Application) {
	asked := func(counter string) string {
		return " unless on (app, from) label_replace(" + q.growth(counter) + " > 0, `from`, `$1`, `tier`, `(.+)`)"
	}
	for _, s := range q.vector("group by (app, from) (rate(" + q.over("nstar_edge_calls_total", "") + ") >= " +
		fmt.Sprint(someCallsMade) + ")" + asked("nstar_tier_arrivals_total") +
		asked("nstar_tier_unmeasured_connections_total") +
		" unless on (app, from) max_over_time(" + q.over("nstar:consumer_awaits:per_second", "") + ") > 0") {
		if a := apps[label(s.Metric, "app")]; a != nil {
			a.Unfollowed = append(a.Unfollowed, label(s.Metric, "from"))
			slices.Sort(a.Unfollowed)
		}
	}
}

// someCallsMade a second are enough that it is no health check.
const someCallsMade = 1

// unknownToFollow says of them what is not known; empty if there are none.
func (d diagnosis) unknownToFollow() string {
	if len(d.Unfollowed) == 0 {
		return ""
	}
	they, take := "they", "take"
	if len(d.Unfollowed) == 1 {
		they, take = "it", "takes"
	}
	return fmt.Sprintf(forInformation+"nobody asks %s anything that is measured. If %s %s work from a queue, it is "+
		"not known here whether %s can follow: watch how long that queue is.", list(d.Unfollowed), they, take, they)
}
