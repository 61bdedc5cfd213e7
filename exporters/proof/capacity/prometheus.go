// SPDX-License-Identifier: Apache-2.0

package main

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/prometheus/common/model"

	"github.com/nstar-project/nstar/exporters/proof/bed"
)

const prometheusConf = `
global:
  scrape_interval: 1s
  evaluation_interval: 1s
rule_files: [%q]
scrape_configs:
  - job_name: nstar
    scrape_interval: 2s
    static_configs: [{targets: [%q]}]
  - job_name: nstar_windows
    metrics_path: /windows
    params: {consumer: [prometheus]}
    honor_timestamps: true
    static_configs: [{targets: [%q]}]
`

// prometheus is a running server with the project's own rules.
type prometheus struct{ *bed.Prometheus }

func startPrometheus(b *bed.Bed, binary, rules string, e *bed.Exporter) (*prometheus, error) {
	rules, err := bed.RuleFiles(rules)
	if err != nil {
		return nil, err
	}
	target := e.URL[len("http://"):]
	p, err := b.Prometheus("prometheus", binary, fmt.Sprintf(prometheusConf, rules, target, target))
	return &prometheus{p}, err
}

// value evaluates an expression that gives one value, or none.
func (p *prometheus) value(expression string) (v float64, ok bool, err error) {
	all, err := p.Query(expression)
	if err != nil || len(all) == 0 {
		return 0, false, err
	}
	if len(all) > 1 {
		return 0, false, fmt.Errorf("%s: %d results", expression, len(all))
	}
	return float64(all[0].Value), true, nil
}

// curve reads the recorded main sequence of a tier, bin by bin, from the shortest queue to the longest.
func (p *prometheus) curve(selector string) ([]point, error) {
	byBin := make(map[model.LabelValue]*point)
	for i, name := range []string{"nstar:tier_load_queue_length:mean15m",
		"nstar:tier_load_throughput:requests_per_second15m",
		"nstar:tier_load_windows:increase15m"} {
		all, err := p.Query(name + selector)
		if err != nil {
			return nil, err
		}
		for _, r := range all {
			at := byBin[r.Metric["bin"]]
			if at == nil {
				at = &point{}
				byBin[r.Metric["bin"]] = at
			}
			switch i {
			case 0:
				at.queue = float64(r.Value)
			case 1:
				at.throughput = float64(r.Value)
			case 2:
				at.windows = uint64(r.Value)
			}
		}
	}
	var out []point
	for _, at := range byBin {
		out = append(out, *at)
	}
	slices.SortFunc(out, func(a, b point) int { return cmp.Compare(a.queue, b.queue) })
	return out, nil
}
