// SPDX-License-Identifier: Apache-2.0

package metrics

import "github.com/nstar-project/nstar/exporters/nstar/monitor"

var (
	kind = []string{"app", "tier", "kind"}

	kindArrivals    = desc("tier_kind_arrivals_total", "Requests of the kind that reached the tier's sockets.", kind)
	kindCompletions = desc("tier_kind_completions_total", "Requests of the kind that the tier answered.", kind)
	kindAborts      = desc("tier_kind_aborts_total",
		"Requests of the kind that left without an answer because their connection ended.", kind)
	kindQueue = desc("tier_kind_queue_seconds_total",
		"Integral of the kind's queue length over time; its rate is the mean queue length.", kind)
	kindResidence = desc("tier_kind_residence_seconds_total",
		"Time that completed requests of the kind spent in the tier.", kind)
	kindService = desc("tier_kind_service_seconds",
		"What a request of the kind takes without load, given or learned: what it weighs in work.", kind)
	work = desc("tier_work_seconds_total",
		"Work done: completions, each with the time that its kind takes without load.", tier)
)

// kinds sends what is known about the kinds of a tier's requests, if kinds are distinguished.
func (s sender) kinds(t monitor.Tier) {
	if t.Kinds == nil {
		return
	}
	s.counter(work, t.Work, t.App, t.Tier)
	for _, k := range t.Kinds {
		s.counter(kindArrivals, float64(k.Arrivals), t.App, t.Tier, k.Name)
		s.counter(kindCompletions, float64(k.Completions), t.App, t.Tier, k.Name)
		s.counter(kindAborts, float64(k.Aborts), t.App, t.Tier, k.Name)
		s.counter(kindQueue, k.QueueTime.Seconds(), t.App, t.Tier, k.Name)
		s.counter(kindResidence, k.Residence.Seconds(), t.App, t.Tier, k.Name)
		if k.ServiceTime > 0 {
			s.gauge(kindService, k.ServiceTime.Seconds(), t.App, t.Tier, k.Name)
		}
	}
}
