// SPDX-License-Identifier: Apache-2.0

package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"path/filepath"
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
	answer, err := http.Get(p.url + "/api/v1/query?query=" + url.QueryEscape(expression))
	if err != nil {
		return 0, false, err
	}
	defer answer.Body.Close()
	var body struct {
		Status, Error string
		Data          struct {
			Result []struct {
				Value [2]any
			}
		}
	}
	if err := json.NewDecoder(answer.Body).Decode(&body); err != nil {
		return 0, false, err
	}
	if body.Status != "success" || len(body.Data.Result) > 1 {
		return 0, false, fmt.Errorf("%s: %s, %d results %s", expression, body.Status, len(body.Data.Result), body.Error)
	}
	if len(body.Data.Result) == 0 {
		return 0, false, nil
	}
	text, _ := body.Data.Result[0].Value[1].(string)
	v, err = strconv.ParseFloat(text, 64)
	return v, err == nil, err
}
