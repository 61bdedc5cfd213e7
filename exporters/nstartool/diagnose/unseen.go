// SPDX-License-Identifier: Apache-2.0

package diagnose

import (
	"fmt"
	"slices"
)

// unseen reads which tiers have connections that can't be measured, and no requests on others: brokers of messages, and
// servers that are asked over HTTP/2 inside TLS.
func (q *querier) unseen(apps map[string]*Application) {
	answers := make(map[[2]string]bool)
	for _, s := range q.vector("sum by (app, tier) (increase(" + q.over("nstar_tier_completions_total", "") + ")) > 0") {
		answers[[2]string{label(s.Metric, "app"), label(s.Metric, "tier")}] = true
	}
	given := q.selector("nstar_tier_unmeasured_connections_total", "")
	for _, s := range q.vector("sum by (app, tier) (" + given + ") > 0") {
		key := [2]string{label(s.Metric, "app"), label(s.Metric, "tier")}
		if a := apps[key[0]]; a != nil && !answers[key] {
			a.Unseen = append(a.Unseen, key[1])
		}
	}
	for _, a := range apps {
		slices.Sort(a.Unseen)
	}
}

// behindUnseen says where else what can't be told may wait; empty where all can be seen.
func (d diagnosis) behindUnseen() string {
	if len(d.Unseen) == 0 {
		return ""
	}
	return fmt.Sprintf("Nstar can't see which requests wait behind %[1]s (a broker of messages, or several requests at "+
		"once inside TLS): look at the queues of %[1]s yourself, and at those who take from them.", list(d.Unseen))
}
