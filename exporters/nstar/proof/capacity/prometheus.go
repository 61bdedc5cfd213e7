// SPDX-License-Identifier: Apache-2.0

package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"github.com/nstar-project/nstar/exporters/nstar/proof/bed"
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

// prometheus is a running Prometheus with the project's own rules.
type prometheus struct {
	*bed.Process
	url string
}

func startPrometheus(b *bed.Bed, binary, rules string, e *bed.Exporter) (*prometheus, error) {
	rules, err := filepath.Abs(rules)
	if err != nil {
		return nil, err
	}
	if found, _ := filepath.Glob(rules); len(found) == 0 {
		return nil, fmt.Errorf("no rules found: %s", rules)
	}
	target := e.URL[len("http://"):]
	conf, err := b.Write("prometheus.yml", fmt.Sprintf(prometheusConf, rules, target, target))
	if err != nil {
		return nil, err
	}
	port, err := bed.FreePort()
	if err != nil {
		return nil, err
	}
	address := fmt.Sprintf("127.0.0.1:%d", port)
	p := &prometheus{url: "http://" + address}
	p.Process, err = b.Start("prometheus", binary, "--config.file="+conf, "--storage.tsdb.path="+b.Path("prometheus"),
		"--web.listen-address="+address, "--log.level=warn")
	if err != nil {
		return nil, err
	}
	return p, bed.WaitFor(30*time.Second, func() error {
		if err := p.Ended(); err != nil {
			return err
		}
		_, _, err := p.value("vector(1)")
		return err
	})
}

// value evaluates an expression that gives one value, or none.
func (p *prometheus) value(expression string) (v float64, ok bool, err error) {
	all, err := p.query(expression)
	if err != nil || len(all) == 0 {
		return 0, false, err
	}
	if len(all) > 1 {
		return 0, false, fmt.Errorf("%s: %d results", expression, len(all))
	}
	return all[0].value, true, nil
}

// result is one series of an instant query.
type result struct {
	labels map[string]string
	value  float64
}

func (p *prometheus) query(expression string) ([]result, error) {
	answer, err := http.Get(p.url + "/api/v1/query?query=" + url.QueryEscape(expression))
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	var body struct {
		Status, Error string
		Data          struct {
			Result []struct {
				Metric map[string]string
				Value  [2]any
			}
		}
	}
	if err := json.NewDecoder(answer.Body).Decode(&body); err != nil {
		return nil, err
	}
	if body.Status != "success" {
		return nil, fmt.Errorf("%s: %s %s", expression, body.Status, body.Error)
	}
	var out []result
	for _, r := range body.Data.Result {
		text, _ := r.Value[1].(string)
		v, err := strconv.ParseFloat(text, 64)
		if err != nil {
			return nil, err
		}
		out = append(out, result{r.Metric, v})
	}
	return out, nil
}

// curve reads the recorded main sequence of a tier, bin by bin, from the shortest queue to the longest.
func (p *prometheus) curve(selector string) ([]point, error) {
	byBin := make(map[string]*point)
	for i, name := range []string{"nstar:tier_load_queue_length:mean15m", "nstar:tier_load_throughput:requests_per_second15m",
		"nstar:tier_load_windows:increase15m"} {
		all, err := p.query(name + selector)
		if err != nil {
			return nil, err
		}
		for _, r := range all {
			at := byBin[r.labels["bin"]]
			if at == nil {
				at = &point{}
				byBin[r.labels["bin"]] = at
			}
			switch i {
			case 0:
				at.queue = r.value
			case 1:
				at.throughput = r.value
			case 2:
				at.windows = uint64(r.value)
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
