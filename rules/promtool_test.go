// SPDX-License-Identifier: Apache-2.0

package rules

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
)

// The types below write promtool unit tests: what exporters would show at each scrape, and what the rules must make of
// it. They are committed under tests/, so that promtool needs no Go.

// series is one input series with one value per scrape; NaN where there is none.
type series struct {
	selector string
	values   []float64
}

// seen is when rules look at a scrape, in seconds: a scrape at the time of an evaluation is for the next one.
const seen = 5

// ended is the value at the first scrape that does not show a series any more.
var ended = math.Inf(-1)

// query is one promql_expr_test: want maps labels to a value.
type query struct {
	expr string
	at   int // second of the last scrape that rules may have seen
	want map[string]float64
}

// scenario is one test of a file.
type scenario struct {
	name    string
	of      []string // names of the scenarios in a batch
	scrape  int      // seconds
	series  []series
	queries []query
}

// render writes a promtool test file.
func render(rules []string, scenarios []scenario) string {
	var b strings.Builder
	b.WriteString("# SPDX-License-Identifier: Apache-2.0\n#\n# Written by `go test ./rules -update`; see " +
		"rules/*_test.go.\n")
	fmt.Fprintf(&b, "rule_files: [%s]\nevaluation_interval: 5s\n", strings.Join(rules, ", "))
	b.WriteString("group_eval_order: [nstar_tiers, nstar_judgement, nstar_usual, nstar_usual_hour, nstar_curve, " +
		"nstar_alerts_bottleneck]\ntests:\n")
	for _, s := range batches(scenarios) {
		for i, name := range s.of {
			fmt.Fprintf(&b, "  # shop%d: %s\n", i+1, name)
		}
		fmt.Fprintf(&b, "  - name: %q\n    interval: %ds\n    input_series:\n", s.name, s.scrape)
		for _, in := range s.series {
			fmt.Fprintf(&b, "      - series: '%s'\n        values: '%s'\n", in.selector, compact(in.values))
		}
		b.WriteString("    promql_expr_test:\n")
		for _, q := range s.queries {
			fmt.Fprintf(&b, "      - expr: '%s'\n        eval_time: %ds\n", q.expr, q.at+seen)
			if len(q.want) == 0 {
				b.WriteString("        exp_samples: []\n")
				continue
			}
			b.WriteString("        exp_samples:\n")
			for _, labels := range slices.Sorted(maps.Keys(q.want)) {
				fmt.Fprintf(&b, "          - {labels: '%s', value: %s}\n", labels, number(q.want[labels]))
			}
		}
	}
	return b.String()
}

// compact writes values in promtool's notation: a run with one step as A+BxN (N more values), a run of gaps as _xN.
func compact(values []float64) string {
	var words []string
	for i := 0; i < len(values); {
		if math.IsNaN(values[i]) {
			n := 1
			for i+n < len(values) && math.IsNaN(values[i+n]) {
				n++
			}
			words = append(words, "_x"+strconv.Itoa(n))
			i += n
			continue
		}
		if values[i] == ended {
			words = append(words, "stale")
			i++
			continue
		}
		n := 0
		step := 0.0
		if i+1 < len(values) && !math.IsNaN(values[i+1]) && values[i+1] != ended {
			step = values[i+1] - values[i]
			for i+n+1 < len(values) && math.Abs(values[i+n+1]-values[i+n]-step) < 1e-9*math.Max(1,
				math.Abs(values[i+n])) {
				n++
			}
		}
		switch {
		case n == 0:
			words = append(words, number(values[i]))
		case step < 0:
			words = append(words, number(values[i])+number(step)+"x"+strconv.Itoa(n))
		default:
			words = append(words, number(values[i])+"+"+number(step)+"x"+strconv.Itoa(n))
		}
		i += n + 1
	}
	return strings.Join(words, " ")
}

// number writes at most 12 digits: what is beyond is rounding.
func number(v float64) string { return strconv.FormatFloat(v, 'g', 12, 64) }
