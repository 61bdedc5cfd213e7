// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"strings"
	"time"

	"github.com/prometheus/common/model"

	"github.com/nstar-project/nstar/exporters/proof/bed"
)

// prometheus is a running server that scrapes a fleet.
type prometheus struct{ *bed.Prometheus }

// intervals are how often the two pages of each exporter are scraped; 0: not.
type intervals struct{ metrics, windows time.Duration }

// startPrometheus starts one in the bed; rules is a glob, or empty; alertmanager is an address, or empty.
func startPrometheus(b *bed.Bed, name, binary string, f *fleet, every intervals, rules,
	alertmanager string) (*prometheus, error) {
	conf := &strings.Builder{}
	fmt.Fprintf(conf, "global: {scrape_interval: 5s, evaluation_interval: 5s}\n")
	if rules != "" {
		rules, err := bed.RuleFiles(rules)
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(conf, "rule_files: [%q]\n", rules)
	}
	if alertmanager != "" {
		fmt.Fprintf(conf, "alerting: {alertmanagers: [{static_configs: [{targets: [%q]}]}]}\n", alertmanager)
	}
	conf.WriteString("scrape_configs:\n")
	for _, job := range []struct {
		name, page string
		every      time.Duration
	}{{"nstar", "metrics", every.metrics}, {"nstar_windows", "windows", every.windows}} {
		if job.every == 0 {
			continue
		}
		fmt.Fprintf(conf, "  - job_name: %s\n    scrape_interval: %s\n    static_configs:\n", job.name,
			model.Duration(job.every))
		for i := range f.hosts {
			fmt.Fprintf(conf, "      - {targets: [%q], labels: {instance: 'host-%02d:9965', __metrics_path__: "+
				"'/%d/%s'}}\n",
				f.address, i, i, job.page)
		}
	}
	p, err := b.Prometheus(name, binary, conf.String())
	return &prometheus{p}, err
}

// own reads a metric of the server itself: the sum over its series, and each by the label.
func (p *prometheus) own(name, label string) (sum float64, by map[string]float64, err error) {
	page, err := bed.Scrape(p.URL + "/metrics")
	if err != nil {
		return 0, nil, err
	}
	by = make(map[string]float64)
	for _, s := range page.Select(name) {
		sum += s.Value
		if value, ok := s.Labels[label]; ok {
			by[value[strings.LastIndexByte(value, ';')+1:]] += s.Value // rule_group is FILE;GROUP
		}
	}
	return sum, by, nil
}
