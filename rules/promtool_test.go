// SPDX-License-Identifier: Apache-2.0

package rules

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// The types below write promtool unit tests. Tests on 50 ms windows need
// hundreds of samples, so they are computed here and committed under tests/;
// the expectations are computed from the same arrays by plain arithmetic that
// shares nothing with PromQL.

// windowWidth is the exporter's default window in seconds.
const windowWidth = 0.05

// windowsPerSecond is how many windows end in a second.
const windowsPerSecond = 20

// series is one input series: a selector and one value per window. The value
// with index i has the timestamp i * 50 ms; NaN means that there is no sample.
type series struct {
	selector string
	values   []float64
}

// ramp is a counter that grows by step at each window, or a constant (step 0).
type ramp struct {
	selector    string
	start, step float64
	windows     int
}

// query is one promql_expr_test: want maps labels to a value.
type query struct {
	expr string
	at   int // seconds
	want map[string]float64
}

// alert is one alert_rule_test: want holds the labels of each firing alert.
type alert struct {
	name string
	at   int
	want []string
}

// scenario is one test of a file.
type scenario struct {
	name    string
	series  []series
	ramps   []ramp
	queries []query
	alerts  []alert
}

// render writes a promtool test file.
func render(rules []string, evaluation string, scenarios []scenario) string {
	var b strings.Builder
	b.WriteString("# SPDX-License-Identifier: Apache-2.0\n#\n# Written by `go test ./rules -update`; see rules/*_test.go.\n")
	fmt.Fprintf(&b, "rule_files: [%s]\nevaluation_interval: %s\ntests:\n", strings.Join(rules, ", "), evaluation)
	for _, s := range scenarios {
		fmt.Fprintf(&b, "  - name: %q\n    interval: 50ms\n    input_series:\n", s.name)
		for _, in := range s.series {
			fmt.Fprintf(&b, "      - series: '%s'\n        values: '%s'\n", in.selector, compact(in.values))
		}
		for _, in := range s.ramps {
			fmt.Fprintf(&b, "      - series: '%s'\n        values: '%s'\n", in.selector,
				fmt.Sprintf("%s+%sx%d", number(in.start), number(in.step), in.windows))
		}
		if len(s.queries) > 0 {
			b.WriteString("    promql_expr_test:\n")
		}
		for _, q := range s.queries {
			fmt.Fprintf(&b, "      - expr: '%s'\n        eval_time: %ds\n", q.expr, q.at)
			if len(q.want) == 0 {
				b.WriteString("        exp_samples: []\n")
				continue
			}
			b.WriteString("        exp_samples:\n")
			for _, labels := range sortedKeys(q.want) {
				fmt.Fprintf(&b, "          - {labels: '%s', value: %s}\n", labels, number(q.want[labels]))
			}
		}
		if len(s.alerts) > 0 {
			b.WriteString("    alert_rule_test:\n")
		}
		for _, a := range s.alerts {
			fmt.Fprintf(&b, "      - {alertname: %s, eval_time: %ds, exp_alerts: [", a.name, a.at)
			for i, labels := range a.want {
				if i > 0 {
					b.WriteString(", ")
				}
				b.WriteString(labels)
			}
			b.WriteString("]}\n")
		}
	}
	return b.String()
}

// compact writes values in promtool's notation, with runs of one value as VxN
// (N more times) and gaps as _.
func compact(values []float64) string {
	var words []string
	for i := 0; i < len(values); {
		n := 1
		for i+n < len(values) && (values[i+n] == values[i] || math.IsNaN(values[i+n]) && math.IsNaN(values[i])) {
			n++
		}
		switch v := values[i]; {
		case math.IsNaN(v):
			words = append(words, "_x"+strconv.Itoa(n))
		case n > 1:
			words = append(words, number(v)+"x"+strconv.Itoa(n-1))
		default:
			words = append(words, number(v))
		}
		i += n
	}
	return strings.Join(words, " ")
}

func number(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

// settled returns the values that a rule at second `at` may look at: those of
// the given span that end with the window two seconds earlier.
func settled(values []float64, at, span int) []float64 {
	last := (at - 2) * windowsPerSecond
	return values[last-span*windowsPerSecond+1 : last+1]
}

// pearson is the textbook coefficient, in two passes over paired windows,
// rounded as the tests' queries round it.
func pearson(a, b []float64) float64 {
	var n, meanA, meanB float64
	for i := range a {
		if !math.IsNaN(a[i]) && !math.IsNaN(b[i]) {
			n, meanA, meanB = n+1, meanA+a[i], meanB+b[i]
		}
	}
	meanA, meanB = meanA/n, meanB/n
	var ab, aa, bb float64
	for i := range a {
		if !math.IsNaN(a[i]) && !math.IsNaN(b[i]) {
			ab += (a[i] - meanA) * (b[i] - meanB)
			aa += (a[i] - meanA) * (a[i] - meanA)
			bb += (b[i] - meanB) * (b[i] - meanB)
		}
	}
	return round(ab / math.Sqrt(aa*bb))
}

// round rounds to 6 decimals, as round(x, 1e-6) does in PromQL.
func round(v float64) float64 { return math.Floor(v*1e6+0.5) / 1e6 }

func mean(values []float64) float64 {
	var sum, n float64
	for _, v := range values {
		if !math.IsNaN(v) {
			sum, n = sum+v, n+1
		}
	}
	return round(sum / n)
}

func stddev(values []float64) float64 {
	var sum, squares, n float64
	for _, v := range values {
		if !math.IsNaN(v) {
			sum, squares, n = sum+v, squares+v*v, n+1
		}
	}
	return round(math.Sqrt(squares/n - sum/n*sum/n))
}
