// SPDX-License-Identifier: Apache-2.0

package diagnose

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// unseen reads which tiers have connections that can't be measured, and no requests on others: brokers of messages, and
// servers that are asked over HTTP/2 inside TLS.
func (q *querier) unseen(apps map[string]*Application) {
	answers := make(map[[2]string]bool)
	for _, s := range q.vector(q.growth("nstar_tier_completions_total") + " > 0") {
		answers[[2]string{label(s.Metric, "app"), label(s.Metric, "tier")}] = true
	}
	given := q.selector("nstar_tier_unmeasured_connections_total", "")
	for _, s := range q.vector("sum by (app, tier) (" + given + ") > 0") {
		key := [2]string{label(s.Metric, "app"), label(s.Metric, "tier")}
		if a := apps[key[0]]; a != nil && !answers[key] {
			a.Unseen = append(a.Unseen, key[1])
		}
	}
	for _, s := range q.vector("group by (app, from, to) (" + q.selector("nstar_edge_calls_total", "") + ")") {
		if a := apps[label(s.Metric, "app")]; a != nil && slices.Contains(a.Unseen, label(s.Metric, "to")) {
			if a.AsksUnseen == nil {
				a.AsksUnseen = map[string][]string{}
			}
			from := label(s.Metric, "from")
			a.AsksUnseen[from] = append(a.AsksUnseen[from], label(s.Metric, "to"))
			slices.Sort(a.AsksUnseen[from])
		}
	}
	for _, s := range q.vector("group by (app, tier, path) (" + q.selector("nstar_tier_unix_socket_info", "") + ")") {
		if a := apps[label(s.Metric, "app")]; a != nil {
			a.OverUnix = append(a.OverUnix, UnixCall{label(s.Metric, "tier"), label(s.Metric, "path")})
		}
	}
	for _, a := range apps {
		slices.Sort(a.Unseen)
		slices.SortFunc(a.OverUnix, func(x, y UnixCall) int {
			return cmp.Or(cmp.Compare(x.Tier, y.Tier), cmp.Compare(x.Path, y.Path))
		})
	}
}

// UnixCall is a Unix socket that a tier calls.
type UnixCall struct{ Tier, Path string }

// behindUnseen says where else requests with unknown waiting may wait; empty if everything can be seen.
func (d diagnosis) behindUnseen() string {
	var all []string
	if asked := d.askedUnseen(); len(asked) > 0 {
		all = append(all, fmt.Sprintf("Nstar can't see which requests wait behind %[1]s (a message broker, or "+
			"several requests at once inside TLS): look at the queues of %[1]s yourself, and at the programs that "+
			"read from them.", list(asked)))
	}
	for _, c := range d.OverUnix {
		all = append(all, fmt.Sprintf("Nstar can't see what %s asks over the Unix socket %s: look at that server, or "+
			"let it listen on TCP (127.0.0.1) and let %s call it there.", c.Tier, c.Path, c.Tier))
	}
	return strings.Join(all, " ")
}

// askedUnseen are the tiers that can't be measured and that a tier calls in which much of the response time passes: if
// requests wait for them, it is there.
func (d diagnosis) askedUnseen() (tiers []string) {
	for _, to := range d.Unseen {
		if slices.ContainsFunc(d.Times, func(t TierTime) bool {
			return t.Own >= mayAskUnseen*d.total() && slices.Contains(d.AsksUnseen[t.Tier], to)
		}) {
			tiers = append(tiers, to)
		}
	}
	return tiers
}

// mayAskUnseen of the response time must pass in a tier, so that what it asks may be the reason.
const mayAskUnseen = 0.1
