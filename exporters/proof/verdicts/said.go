// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"

	"github.com/prometheus/common/model"
)

// verdicts are the recorded verdicts of an application: one, if the rules work.
func (p *prometheus) verdicts(app string) ([]verdict, error) {
	found, err := p.Query(fmt.Sprintf("nstar:app_verdict{app=%q}", app))
	if err != nil {
		return nil, err
	}
	var out []verdict
	for _, f := range found {
		out = append(out, verdictOf(f.Metric, f.Value))
	}
	return out, nil
}

// longest is a time within which every run ends.
const longest = "2h"

// history are the samples that a selector found so far: raw samples.
func (p *prometheus) history(selector string) (model.Matrix, error) {
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	answer, _, _, err := p.API.Query(ctx, selector+"["+longest+"]", time.Now())
	if err != nil {
		return nil, err
	}
	found, ok := answer.(model.Matrix)
	if !ok {
		return nil, fmt.Errorf("%s: a %T instead of samples", selector, answer)
	}
	return found, nil
}

// scrapes are the times of those of an exporter's /metrics, in ms.
func (p *prometheus) scrapes(instance string) (out []int64) {
	found, _ := p.history(fmt.Sprintf(`up{job="nstar",instance=%q}`, instance)) // without, a recording has none
	for _, series := range found {
		for _, s := range series.Values {
			out = append(out, int64(s.Timestamp))
		}
	}
	return out
}

// evaluation is what the rules said at a time.
type evaluation struct {
	at       time.Time
	verdicts []verdict
	blame    []share  // of at least a twentieth; only of one that was judged again
	answers  []string // of queries; only of one that was judged again
}

// evaluations are all verdicts of an application, in order.
func (p *prometheus) evaluations(app string) (out []evaluation) {
	byTime := make(map[model.Time][]verdict)
	found, _ := p.history(fmt.Sprintf("nstar:app_verdict{app=%q}", app)) // without, a recording has none
	for _, series := range found {
		for _, s := range series.Values {
			byTime[s.Timestamp] = append(byTime[s.Timestamp], verdictOf(series.Metric, s.Value))
		}
	}
	for _, t := range slices.Sorted(maps.Keys(byTime)) {
		out = append(out, evaluation{at: t.Time(), verdicts: byTime[t]})
	}
	return out
}

func verdictOf(series model.Metric, value model.SampleValue) verdict {
	return verdict{string(series["verdict"]), string(series["tier"]), string(series["cause"]), float64(value)}
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

// blame is the table of milliseconds on which the verdict is based, as a text for people.
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

// decode reads the tool's report; none if it has no verdict on the application.
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
