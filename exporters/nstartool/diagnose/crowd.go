// SPDX-License-Identifier: Apache-2.0

package diagnose

import (
	"cmp"
	"fmt"
	"slices"
)

// Crowded is a tier on processors that are full with the work of its application.
type Crowded struct {
	Tier string
	// Share of these processors that it has.
	Share float64
}

// crowds reads which tiers wait for processors that they share, if requests wait because of that.
func (q *querier) crowds(apps map[string]*Application) {
	first := map[string]string{}
	for _, s := range q.vector("topk by (app) (1, sum_over_time(" + q.over("nstar:app_crowding:ratio", "") + "))") {
		first[label(s.Metric, "app")] = label(s.Metric, "tier")
	}
	crowded := map[partKey]bool{}
	for _, s := range q.vector("group by (app, tier) (count_over_time(" +
		q.over("nstar:tier_crowded:bool", "") + "))") {
		crowded[partKey{app: label(s.Metric, "app"), tier: label(s.Metric, "tier")}] = true
	}
	for _, s := range q.vector("max by (app, tier) (avg_over_time(" +
		q.over("nstar_tier_processors_used_ratio", "") + "))") {
		name, tier := label(s.Metric, "app"), label(s.Metric, "tier")
		if a := apps[name]; a != nil && first[name] != "" && crowded[partKey{app: name, tier: tier}] {
			a.Crowd = append(a.Crowd, Crowded{tier, float64(s.Value)})
		}
	}
	for name, a := range apps {
		slices.SortFunc(a.Crowd, func(x, y Crowded) int {
			return cmp.Or(leads(first[name], x.Tier, y.Tier), cmp.Compare(y.Share, x.Share),
				cmp.Compare(x.Tier, y.Tier))
		})
	}
}

// leads orders the first tier before the others.
func leads(first, x, y string) int {
	switch first {
	case x:
		return -1
	case y:
		return 1
	}
	return 0
}

// inCrowd is the share of the processors from which on a tier counts as one that shares them.
const inCrowd = 0.05

// sharers are the tiers that share full processors with the bottleneck, if requests wait because of that; the
// bottleneck comes first. There are none if it has more of the processors than all other tiers of its application,
// and half of the requests that wait for them wait in it.
func (d diagnosis) sharers() (tiers []Crowded) {
	if d.finding.Verdict != SingleBottleneck || d.finding.Cause != causeDemand || len(d.Crowd) == 0 ||
		d.Crowd[0].Tier != d.finding.Tier {
		return nil
	}
	others := 0.0
	for i, c := range d.Crowd {
		if i == 0 || c.Share >= inCrowd {
			tiers = append(tiers, c)
		}
		if i > 0 {
			others += c.Share
		}
	}
	if d.Crowd[0].Share > others && 2*d.waitForWork(tiers[:1]) >= d.waitForWork(tiers) {
		return nil
	}
	return tiers
}

// waitForWork is the part of the response time in some tiers that is charged to their work, or cannot be told.
func (d diagnosis) waitForWork(tiers []Crowded) (seconds float64) {
	for _, e := range d.Blame {
		if isWork(e) && slices.ContainsFunc(tiers, func(c Crowded) bool { return c.Tier == e.Tier }) {
			seconds += e.Seconds
		}
	}
	return seconds
}

func isWork(e Excess) bool { return e.Cause == causeDemand || e.Cause == causeUnknown }

// crowds reports whether this excess counts as waiting for the processors of the crowd: demand, and unknown waiting, of
// the tiers on these processors.
func (d diagnosis) crowds(e Excess) bool {
	return isWork(e) && slices.ContainsFunc(d.sharers(), func(c Crowded) bool { return c.Tier == e.Tier })
}

// crowded names the tiers that share the processors.
func (d diagnosis) crowded() string {
	var names []string
	for _, c := range d.sharers() {
		names = append(names, c.Tier)
	}
	return list(names)
}

// blameCrowd says that the processors are full, which tiers have them, and what it costs.
func (d diagnosis) blameCrowd() string {
	var parts []string
	for i, c := range d.sharers() {
		part := c.Tier + " " + percent(c.Share)
		if i == 0 {
			part = fmt.Sprintf("%s has %s of them", c.Tier, percent(c.Share))
		}
		parts = append(parts, part)
	}
	return fmt.Sprintf("%s share processors that are full with their work (%s): %s",
		d.crowded(), list(parts), d.cost("for these processors", ""))
}

// cureCrowd is what helps against that.
func (d diagnosis) cureCrowd() (first, useless string) {
	var dearer []string
	for _, c := range d.sharers() {
		if t, _ := d.time(c.Tier); t.Cost.times() >= grown {
			dearer = append(dearer, capital(t.dearer())+".")
		}
	}
	give := "Give"
	if len(dearer) > 0 {
		give = d.askWhy(dearer) + " Until that is known, give"
	}
	return fmt.Sprintf("%s the host of %s more processors, or move one of these tiers to another host. Or make the "+
			"requests of %[3]s cheaper, because %[3]s has most of the processors%s.", give, d.crowded(),
			d.finding.Tier, d.slowed()),
		"More threads or connections in any of these tiers would gain nothing: requests would only wait elsewhere."
}
