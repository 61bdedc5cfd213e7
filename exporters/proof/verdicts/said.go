// SPDX-License-Identifier: Apache-2.0

package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"strings"
)

// verdicts are the recorded verdicts of an application: one, where all is well with the rules.
func (p *prometheus) verdicts(app string) ([]verdict, error) {
	found, err := p.Query(fmt.Sprintf("nstar:app_verdict{app=%q}", app))
	if err != nil {
		return nil, err
	}
	var out []verdict
	for _, f := range found {
		out = append(out, verdict{
			string(f.Metric["verdict"]), string(f.Metric["tier"]), string(f.Metric["cause"]), float64(f.Value),
		})
	}
	return out, nil
}

// diagnosed is what the tool says about the last minute, as JSON.
func (p *prometheus) diagnosed(tool, app string) (json.RawMessage, error) {
	cmd := exec.Command(tool, "diagnose", "--prometheus", p.URL, "--app", app, "--output", "json", "--last", "60s")
	cmd.Stderr = os.Stderr
	return cmd.Output()
}

var blameSeries = []string{
	"nstar:app_response_time:seconds", "nstar:app_excess_time:seconds", "nstar:app_tail_share:ratio",
}

// blame is the table of milliseconds that the verdict rests on, as a text for people.
func (p *prometheus) blame(app string) string {
	var lines []string
	for _, name := range blameSeries {
		found, err := p.Query(fmt.Sprintf("%s{app=%q} > 0.0001", name, app))
		if err != nil {
			continue
		}
		for _, f := range found {
			unit, scale := " ms", 1e3
			if strings.HasSuffix(name, "ratio") {
				unit, scale = " %", 100.0
			}
			lines = append(lines, fmt.Sprintf("%s %s/%s %.1f%s", strings.Split(name, ":")[1], f.Metric["tier"],
				f.Metric["cause"], float64(f.Value)*scale, unit))
		}
	}
	return strings.Join(lines, "; ")
}

// decode reads the tool's report; none where it has no verdict on the application.
func decode(raw json.RawMessage, app string) []verdict {
	var report struct {
		Apps []struct {
			App, Verdict string
			Bottleneck   *verdict
		}
	}
	if json.Unmarshal(raw, &report) != nil {
		return nil
	}
	var out []verdict
	for _, a := range report.Apps {
		if a.App != app {
			continue
		}
		v := verdict{Verdict: a.Verdict}
		if a.Bottleneck != nil {
			v.Tier, v.Cause, v.Share = a.Bottleneck.Tier, a.Bottleneck.Cause, a.Bottleneck.Share
		}
		out = append(out, v)
	}
	return out
}
