// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bufio"
	"context"
	"fmt"
	"net/http"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/prometheus/client_golang/api"
	"github.com/prometheus/client_golang/api/prometheus/v1"
	"github.com/prometheus/common/model"

	"github.com/nstar-project/nstar/exporters/nstar/proof/bed"
)

// prometheus is a running server that scrapes a fleet.
type prometheus struct {
	*bed.Process
	url string
	api v1.API
}

// intervals are how often the two pages of each exporter are scraped; 0: not.
type intervals struct{ metrics, windows time.Duration }

// startPrometheus starts one in the bed; rules is a glob, or empty; alertmanager is an address, or empty.
func startPrometheus(b *bed.Bed, name, binary string, f *fleet, every intervals, rules, alertmanager string) (*prometheus, error) {
	conf := &strings.Builder{}
	fmt.Fprintf(conf, "global: {scrape_interval: 5s, evaluation_interval: 5s}\n")
	if rules != "" {
		rules, err := filepath.Abs(rules)
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
		fmt.Fprintf(conf, "  - job_name: %s\n    scrape_interval: %s\n    static_configs:\n", job.name, model.Duration(job.every))
		for i := range f.hosts {
			fmt.Fprintf(conf, "      - {targets: [%q], labels: {instance: 'host-%02d:9965', __metrics_path__: '/%d/%s'}}\n",
				f.address, i, i, job.page)
		}
	}
	file, err := b.Write(name+".yml", conf.String())
	if err != nil {
		return nil, err
	}
	port, err := bed.FreePort()
	if err != nil {
		return nil, err
	}
	address := fmt.Sprintf("127.0.0.1:%d", port)
	p := &prometheus{url: "http://" + address}
	p.Process, err = b.Start(name, binary, "--config.file="+file, "--storage.tsdb.path="+b.Path(name),
		"--web.listen-address="+address, "--log.level=warn")
	if err != nil {
		return nil, err
	}
	client, err := api.NewClient(api.Config{Address: p.url})
	if err != nil {
		return nil, err
	}
	p.api = v1.NewAPI(client)
	return p, bed.WaitFor(30*time.Second, func() error {
		if err := p.Ended(); err != nil {
			return err
		}
		_, err := p.api.Buildinfo(context.Background())
		return err
	})
}

// own reads a metric of the server itself: the sum over its series, and each by the label.
func (p *prometheus) own(name, label string) (sum float64, by map[string]float64, err error) {
	answer, err := http.Get(p.url + "/metrics")
	if err != nil {
		return 0, nil, err
	}
	defer answer.Body.Close()
	by = make(map[string]float64)
	lines := bufio.NewScanner(answer.Body)
	for lines.Scan() {
		rest, ok := strings.CutPrefix(lines.Text(), name)
		if !ok || rest == "" || rest[0] != '{' && rest[0] != ' ' {
			continue
		}
		v, err := strconv.ParseFloat(rest[strings.LastIndexByte(rest, ' ')+1:], 64)
		if err != nil {
			return 0, nil, err
		}
		sum += v
		if _, value, ok := strings.Cut(rest, label+`="`); ok {
			value, _, _ = strings.Cut(value, `"`)
			by[value[strings.LastIndexByte(value, ';')+1:]] += v // rule_group is FILE;GROUP
		}
	}
	return sum, by, lines.Err()
}

// query evaluates an expression now.
func (p *prometheus) query(expr string) (model.Vector, error) {
	answer, _, _, err := p.api.Query(context.Background(), expr, time.Now())
	if err != nil {
		return nil, fmt.Errorf("%s: %w", expr, err)
	}
	vector, _ := answer.(model.Vector)
	return vector, nil
}
