// SPDX-License-Identifier: Apache-2.0

package main

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/api/prometheus/v1"
	"go.yaml.in/yaml/v3"

	"github.com/nstar-project/nstar/dashboards"
	"github.com/nstar-project/nstar/exporters/proof/bed"
	"github.com/nstar-project/nstar/exporters/proof/figures"
)

// most is how long a query of a dashboard or an alert may take.
const most = 100 * time.Millisecond

// scale lets a server evaluate the rules over many exporters, and asks what dashboards and alerts ask.
func scale(b *bed.Bed, r *figures.Report, o options, version, binary string) error {
	const tiers, edges, hosts = 1000, 500, 100
	fleet, err := serve(crowd(tiers, edges, hosts))
	if err != nil {
		return err
	}
	defer fleet.close()
	p, err := startPrometheus(b, "scale-"+version, binary, fleet, intervals{5 * time.Second, time.Second}, o.rules, "")
	if err != nil {
		return err
	}
	defer p.Stop() //nolint:errcheck // told to end
	// All series are new at first, which takes a server much longer than to add to them; the curves, each minute, make
	// the last of them.
	time.Sleep(o.warm)
	early, byGroup, err := p.own("prometheus_rule_group_iterations_missed_total", "rule_group")
	if err != nil {
		return err
	}
	time.Sleep(o.measure)
	missed, _, err := p.own("prometheus_rule_group_iterations_missed_total", "")
	if err != nil {
		return err
	}
	missed -= early
	done, _, err := p.own("prometheus_rule_group_iterations_total", "")
	if err != nil {
		return err
	}
	failures, _, err := p.own("prometheus_rule_evaluation_failures_total", "")
	if err != nil {
		return err
	}
	_, groups, err := p.own("prometheus_rule_group_last_duration_seconds", "rule_group")
	if err != nil {
		return err
	}
	_, every, err := p.own("prometheus_rule_group_interval_seconds", "rule_group")
	if err != nil {
		return err
	}
	verdicts, err := p.Query(`count(nstar:app_verdict)`)
	if err != nil || len(verdicts) == 0 {
		return fmt.Errorf("no verdict: %v", err)
	}
	r.Section("Prometheus %s, %d tiers on %d exporters, %s verdicts", version, tiers, hosts, verdicts[0].Value)
	r.Check(missed == 0 && failures == 0,
		"%.0f evaluations missed, %.0f rules failed (%.0f evaluations; %.0f missed while all series were new)",
		missed, failures, done, early)
	for _, group := range slices.Sorted(maps.Keys(byGroup)) {
		if byGroup[group] > 0 {
			r.Note("missed while all series were new: %.0f of %s", byGroup[group], group)
		}
	}
	if len(groups) == 0 {
		return fmt.Errorf("no rule groups")
	}
	slowest := slices.MaxFunc(slices.Sorted(maps.Keys(groups)),
		func(a, b string) int { return cmp.Compare(groups[a]/every[a], groups[b]/every[b]) })
	r.AtMost(fmt.Sprintf("slowest group, %s, each %g s", slowest, every[slowest]), 1000*groups[slowest],
		1000*every[slowest], "ms")
	if err := noteDearest(r, p.Prometheus, o.dearest); err != nil {
		return err
	}
	asked, err := alerts(o.rules)
	if err != nil {
		return err
	}
	if err := p.times(r, "alerts", asked); err != nil {
		return err
	}
	if asked, err = panels(o.dashboards); err != nil {
		return err
	}
	return p.times(r, "dashboards", asked)
}

// question is a query, at an instant or over a range.
type question struct {
	name, expr string
	over       *v1.Range
}

// ask waits for the whole answer, and does not read it: of 60,000 points, one for each window, that would take longer
// in this program than the answer takes the server.
func (p *prometheus) ask(q question, now time.Time) error {
	path, values := "/api/v1/query", url.Values{"query": {q.expr}}
	stamp := func(t time.Time) string { return strconv.FormatFloat(float64(t.UnixMilli())/1000, 'f', 3, 64) }
	if q.over == nil {
		values.Set("time", stamp(now))
	} else {
		path += "_range"
		values.Set("start", stamp(q.over.Start))
		values.Set("end", stamp(q.over.End))
		values.Set("step", strconv.FormatFloat(q.over.Step.Seconds(), 'f', -1, 64))
	}
	answer, err := http.PostForm(p.URL+path, values)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err == nil && answer.StatusCode != http.StatusOK {
		err = fmt.Errorf("%s: %s", answer.Status, text)
	}
	return err
}

// times asks all questions, each until the answer is quick enough, at most ten times, and reports the slowest by its
// quickest answer: the others had a neighbour.
func (p *prometheus) times(r *figures.Report, what string, all []question) error {
	took := make(map[string]time.Duration)
	for _, q := range all {
		for try := 0; try < 10 && (try == 0 || took[q.name] > most); try++ {
			start := time.Now()
			if err := p.ask(q, start); err != nil {
				return fmt.Errorf("%s: %w: %s", q.name, err, q.expr)
			}
			if t := time.Since(start); took[q.name] == 0 || t < took[q.name] {
				took[q.name] = t
			}
		}
	}
	r.Note("%s ask %d queries", what, len(all))
	names := slices.SortedFunc(maps.Keys(took), func(a, b string) int { return cmp.Compare(took[b], took[a]) })
	const shown = 3 // beside those that take too long
	for i, name := range names {
		if i < shown || took[name] > most {
			r.Check(took[name] <= most, "%s: %s %d ms (at most %d)", what, name,
				took[name].Milliseconds(), most.Milliseconds())
		}
	}
	return nil
}

// alerts are the expressions of the alerts.
func alerts(rules string) (all []question, err error) {
	files, err := filepath.Glob(rules)
	if err != nil {
		return nil, err
	}
	for _, file := range files {
		content, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		var groups struct {
			Groups []struct {
				Rules []struct {
					Alert, Expr string
					Labels      map[string]string
				}
			}
		}
		if err := yaml.Unmarshal(content, &groups); err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		for _, g := range groups.Groups {
			for _, r := range g.Rules {
				if r.Alert != "" {
					all = append(all, question{name: r.Alert + " " + r.Labels["reason"], expr: r.Expr})
				}
			}
		}
	}
	return all, nil
}

// panels are the queries of dashboards.
func panels(files []string) (all []question, err error) {
	for _, file := range files {
		asked, err := queries(file)
		if err != nil {
			return nil, err
		}
		all = append(all, asked...)
	}
	return all, nil
}

// queries are those of the panels of a dashboard over its last five minutes, for one application.
func queries(file string) (all []question, err error) {
	d, err := dashboards.Load(file)
	if err != nil {
		return nil, err
	}
	now := time.Now()
	view := dashboards.View{App: "app-00", Tier: ".+", Instance: ".+", From: now.Add(-5 * time.Minute), To: now,
		Scrape: 5 * time.Second, Width: 1000}
	for _, panel := range d.Leaves() {
		for _, t := range panel.Targets {
			step, err := view.Step(panel, t)
			if err != nil {
				return nil, err
			}
			expr, err := view.Fill(t.Expr, step, t)
			if err != nil {
				return nil, err
			}
			q := question{name: d.Title + "/" + panel.Title + "/" + t.RefID, expr: expr}
			if !t.Instant {
				q.over = &v1.Range{Start: view.From.Truncate(step), End: view.To.Truncate(step), Step: step}
			}
			all = append(all, q)
		}
	}
	return all, nil
}
