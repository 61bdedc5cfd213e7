// SPDX-License-Identifier: Apache-2.0

package report

import (
	"fmt"
	"io"
	"math"
	"regexp"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/nstar-project/nstar/exporters/nstartool/study"
)

// Names of the recorded series; docs/rules.md describes them.
const (
	seriesValue    = "nstar:indicator:value"
	seriesPosition = "nstar:indicator_position:ratio"
	seriesCapacity = "nstar:app_capacity:requests_per_second"
)

// ruleFile is a file of rules for Prometheus.
type ruleFile struct {
	Groups []ruleGroup `yaml:"groups"`
}

type ruleGroup struct {
	Name     string      `yaml:"name"`
	Interval string      `yaml:"interval"`
	Rules    []recording `yaml:"rules"`
}

type recording struct {
	Record string            `yaml:"record"`
	Expr   string            `yaml:"expr"`
	Labels map[string]string `yaml:"labels"`
}

// indicators are the watched metrics that are reliable in a setup and can be
// asked for.
func indicators(r *study.Report, setup int) []*study.Row {
	var all []*study.Row
	for _, row := range r.Watched() {
		if row.Judgements[setup].Category == study.Reliable && row.Metric.Query != "" {
			all = append(all, row)
		}
	}
	return all
}

// labels name an indicator; source distinguishes the study's rules from the general ones.
func labels(r *study.Report, m *study.Metric) map[string]string {
	return map[string]string{"app": r.App, "tier": m.Tier, "type": m.Type, "metric": m.Name, "source": "study"}
}

// selector is the recorded value of an indicator.
func selector(r *study.Report, m *study.Metric) string {
	return fmt.Sprintf("%s{app=%q,tier=%q,type=%q,metric=%q,source=\"study\"}", seriesValue, r.App,
		m.Tier, m.Type, m.Name)
}

// name makes a group's name of an application's.
func name(app string) string {
	return "nstar_study_" + regexp.MustCompile(`[^a-zA-Z0-9_]+`).ReplaceAllString(app, "_")
}

// Rules writes recording rules that compare present values with what the study saw in one setup: the
// capacity, and where each indicator stands between the clients' side (0) and the server's (1). The setup
// must be one that can be judged.
func Rules(w io.Writer, r *study.Report, setup int) error {
	c := &r.Curves[setup]
	rows := indicators(r, setup)
	g := ruleGroup{Name: name(r.App), Interval: "5s"}
	for _, level := range []struct {
		name  string
		value float64
	}{{"peak", c.Peak.Value}, {"th95", c.Th95.Value}, {"limit", c.Limit.Value}} {
		g.Rules = append(g.Rules, recording{seriesCapacity, "vector(" + number(level.value) + ")",
			map[string]string{"app": r.App, "level": level.name, "source": "study"}})
	}
	for _, row := range rows {
		m, j := &row.Metric, &row.Judgements[setup]
		g.Rules = append(g.Rules,
			recording{seriesValue, "avg(" + m.Query + ")", labels(r, m)},
			recording{seriesPosition, fmt.Sprintf("clamp((%s - %s) / %s, 0, 1)", selector(r, m), bracket(j.ClientBound),
				bracket(j.ServerBound-j.ClientBound)), labels(r, m)})
	}
	fmt.Fprintf(w, "# SPDX-License-Identifier: Apache-2.0\n#\n# Written by nstartool study from the setup %q of %s.\n",
		r.Setups[setup].Name, r.App)
	fmt.Fprintf(w, "# %s\n", throughput(r, setup))
	for _, row := range rows {
		fmt.Fprintf(w, "# %s: %s\n", title(&row.Metric), reason(&row.Judgements[setup]))
	}
	encoder := yaml.NewEncoder(w)
	encoder.SetIndent(2)
	return encoder.Encode(ruleFile{[]ruleGroup{g}})
}

// number in PromQL; digits beyond six are noise.
func number(v float64) string { return strconv.FormatFloat(v, 'g', 6, 64) }

func bracket(v float64) string {
	if v < 0 {
		return "(" + number(v) + ")"
	}
	return number(v)
}

// RulesTest writes a test of these rules for promtool: the values that the study
// measured, a minute each, and the position that each must have.
func RulesTest(w io.Writer, r *study.Report, setup int, rules string) error {
	fmt.Fprintf(w, "# SPDX-License-Identifier: Apache-2.0\n#\n# Written by nstartool study; run it with promtool "+
		"test rules.\n")
	fmt.Fprintf(w, "rule_files: [%s]\nevaluation_interval: 5s\ntests:\n  - name: %s\n    interval: 1m\n",
		strconv.Quote(rules),
		strconv.Quote("the experiment's own values"))
	rows := indicators(r, setup)
	if len(rows) == 0 {
		fmt.Fprint(w, "    input_series: []\n")
	} else {
		fmt.Fprint(w, "    input_series:\n")
	}
	for _, row := range rows {
		j := &row.Judgements[setup]
		var values []string
		for _, v := range j.Mean {
			values = append(values, number(v))
		}
		fmt.Fprintf(w, "      - series: '%s'\n        values: '%s'\n", quoteSingle(selector(r, &row.Metric)),
			strings.Join(values, " "))
	}
	fmt.Fprint(w, "    promql_expr_test:\n")
	for _, level := range []string{"peak", "th95", "limit"} {
		c := &r.Curves[setup]
		v := map[string]float64{"peak": c.Peak.Value, "th95": c.Th95.Value, "limit": c.Limit.Value}[level]
		fmt.Fprintf(w, "      - expr: '%s'\n        eval_time: 1m\n        exp_samples:\n          - {labels: '{}', "+
			"value: %s}\n",
			quoteSingle(fmt.Sprintf("sum(%s{app=%s,level=%q})", seriesCapacity, strconv.Quote(r.App), level)),
			number(v))
	}
	for _, row := range rows {
		m, j := &row.Metric, &row.Judgements[setup]
		expr := strings.Replace(selector(r, m), seriesValue, seriesPosition, 1)
		for i, v := range j.Mean {
			fmt.Fprintf(w, "      # %s clients: %s\n", short(j.Clients[i]), j.Class[i])
			fmt.Fprintf(w, "      - expr: '%s'\n        eval_time: %dm\n        exp_samples:\n          - {labels: "+
				"'{}', value: %s}\n",
				quoteSingle("round(sum("+expr+"), 0.01)"), i, number(position(j, v)))
		}
	}
	return nil
}

// position of a value between both sides, as the rules compute it from rounded
// numbers, to two digits.
func position(j *study.Judgement, v float64) float64 {
	round := func(v float64) float64 {
		rounded, _ := strconv.ParseFloat(number(v), 64)
		return rounded
	}
	p := (round(v) - round(j.ClientBound)) / round(j.ServerBound-j.ClientBound)
	return math.Floor(min(max(p, 0), 1)/0.01+0.5) * 0.01
}

// quoteSingle doubles quotes inside a single-quoted YAML text.
func quoteSingle(s string) string { return strings.ReplaceAll(s, "'", "''") }
