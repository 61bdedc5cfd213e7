// SPDX-License-Identifier: Apache-2.0

package main

import (
	"time"

	"github.com/nstar-project/nstar/exporters/proof/bed"
	"github.com/nstar-project/nstar/exporters/proof/figures"
)

// cost measures how much of a core the rules take: two servers scrape the same exporters, one of them with the
// rules.
func cost(b *bed.Bed, r *figures.Report, o options, version, binary string) error {
	const tiers, edges, hosts = 50, 25, 5
	fleet, err := serve(crowd(tiers, edges, hosts))
	if err != nil {
		return err
	}
	defer fleet.close()
	every := intervals{5 * time.Second, time.Second}
	with, err := startPrometheus(b, "with-"+version, binary, fleet, every, o.rules, "")
	if err != nil {
		return err
	}
	defer with.Stop() //nolint:errcheck // told to end
	without, err := startPrometheus(b, "without-"+version, binary, fleet, every, "", "")
	if err != nil {
		return err
	}
	defer without.Stop() //nolint:errcheck // told to end
	time.Sleep(o.warm)
	var before, after [3]float64
	for i, at := range []*[3]float64{&before, &after} {
		if i > 0 {
			time.Sleep(o.measure)
		}
		for j, p := range []*prometheus{with, without} {
			if at[j], err = bed.CPUSeconds(p.PID); err != nil {
				return err
			}
		}
		if at[2], _, err = with.own("prometheus_rule_group_duration_seconds_sum", ""); err != nil {
			return err
		}
	}
	failures, _, err := with.own("prometheus_rule_evaluation_failures_total", "")
	if err != nil {
		return err
	}
	core := func(i int) float64 { return 100 * (after[i] - before[i]) / o.measure.Seconds() }
	r.Section("Prometheus %s, %d tiers and %d edges on %d exporters", version, tiers, edges, hosts)
	r.AtMost("rules, by the processor time of two servers, with and without them", core(0)-core(1), 3, "% of a core")
	r.Note("evaluations took %.2f %% of the time; the servers %.1f and %.1f %% of a core", core(2), core(0), core(1))
	if err := noteDearest(r, with.Prometheus, o.dearest); err != nil {
		return err
	}
	r.AtMost("failed evaluations", failures, 0, "")
	return nil
}
