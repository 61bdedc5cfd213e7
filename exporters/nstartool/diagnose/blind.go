// SPDX-License-Identifier: Apache-2.0

package diagnose

import (
	"fmt"
	"slices"
)

// Blind is a cause that the exporter on a host of a tier can't measure, because the kernel or its rights do not allow
// it.
type Blind struct{ Tier, Instance, Cause string }

// telling are the causes by which windows are charged; without the others a verdict is the same.
const telling = "runqueue|disk|asleep|stopped|throttled|" + causeCollection

// blind reads what is not measured on the hosts of the tiers. A cause that is switched off has nothing to do with
// kernel and rights.
func (q *querier) blind(apps map[string]*Application) {
	causes := map[string][]string{}
	for _, s := range q.vector(`max by (instance, cause) (last_over_time(nstar_cause_up{cause=~"` + telling + `"}[` +
		q.span + "])) == 0") {
		at := label(s.Metric, "instance")
		causes[at] = append(causes[at], label(s.Metric, "cause"))
	}
	if len(causes) == 0 {
		return
	}
	for _, s := range q.vector("group by (app, tier, instance) (last_over_time(" +
		q.over("nstar_tier_completions_total", "") + "))") {
		at := label(s.Metric, "instance")
		if a := apps[label(s.Metric, "app")]; a != nil {
			for _, cause := range causes[at] {
				a.Blind = append(a.Blind, Blind{label(s.Metric, "tier"), at, cause})
			}
		}
	}
}

// blindly says what is not measured on the hosts of tiers in which it is unknown why requests wait.
func (d diagnosis) blindly() string {
	if d.finding.Verdict != Learning && d.finding.Cause != causeUnknown {
		return ""
	}
	var causes, hosts []string
	for _, b := range d.Blind {
		if b.Cause != causeCollection && d.unknown(b.Tier) >= causeShare*d.total() && d.unknown(b.Tier) > 0 {
			causes, hosts = append(causes, b.Cause), append(hosts, b.Instance)
		}
	}
	if causes == nil {
		return ""
	}
	return fmt.Sprintf("Not measured on %s: %s, because the kernel or the exporter's rights lack something. The "+
		"exporter's log says what is missing; with it, Nstar could say more.", list(distinct(hosts)),
		list(distinct(causes)))
}

// uncollected says, of a tier that something stops, that the reason may be its collections. It does so if the
// collections of some Java virtual machine on the tier's host can't be read, and nothing is known about the tier's
// own.
func (d diagnosis) uncollected() string {
	if t, ok := d.time(d.finding.Tier); d.finding.Cause != causeStopped || !ok || t.Collection != nil {
		return ""
	}
	var hosts []string
	for _, b := range d.Blind {
		if b.Cause == causeCollection && b.Tier == d.finding.Tier {
			hosts = append(hosts, b.Instance)
		}
	}
	if hosts == nil {
		return ""
	}
	return fmt.Sprintf("On %s, Nstar can't read the garbage collections of some Java virtual machine: the exporter's "+
		"log says of which one and why. If it is %[2]s, its collections may be what stops %[2]s.",
		list(distinct(hosts)), d.finding.Tier)
}

// distinct are names in order, each once.
func distinct(names []string) []string {
	slices.Sort(names)
	return slices.Compact(names)
}
