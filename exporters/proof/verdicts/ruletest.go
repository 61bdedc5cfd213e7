// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"maps"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	client "github.com/prometheus/client_golang/prometheus"
	dto "github.com/prometheus/client_model/go"

	"github.com/nstar-project/nstar/exporters/nstar/metrics"
	"github.com/nstar-project/nstar/exporters/nstar/monitor/replay"
)

// ruleTest is a test for promtool that evaluates the rules on given scrapes. Each query in it expects an empty
// answer, so that promtool reports the real answer.
type ruleTest struct {
	files  []string
	names  map[string]bool // series that the rules and the queries read
	extra  []string        // queries beside those of the verdicts
	epoch  time.Time       // of promtool's clock
	times  []time.Time     // of evaluations
	series map[string]map[int]string
	slots  map[string][]int // scrapes of each exporter
}

// verdictRules are the files that a verdict rests on, and their groups in the order in which they are evaluated.
var verdictRules = []string{"tiers.yaml", "judgement.yaml"}

const groupOrder = "[nstar_tiers, nstar_judgement, nstar_usual, nstar_usual_hour]"

// slot is the grid of promtool's scrapes: about as often as exporters take windows.
const slot = 250 * time.Millisecond

func newRuleTest(times []time.Time, directory string, extra []string) (*ruleTest, error) {
	if len(times) == 0 {
		return nil, errors.New("there is no time at which rules could be evaluated")
	}
	t := &ruleTest{
		names: make(map[string]bool), times: times, epoch: times[0].Add(-before),
		series: make(map[string]map[int]string), slots: make(map[string][]int), extra: extra,
	}
	for _, name := range seriesName.FindAllString(strings.Join(extra, " "), -1) {
		t.names[name] = true
	}
	for _, name := range verdictRules {
		file, err := filepath.Abs(filepath.Join(directory, name))
		if err != nil {
			return nil, err
		}
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		for _, name := range seriesName.FindAllString(string(text), -1) {
			t.names[name] = true
		}
		t.files = append(t.files, file)
	}
	return t, nil
}

var seriesName = regexp.MustCompile(`\bnstar_[a-z_]+\b`)

// before is how long before its first evaluation a test begins.
const before = time.Minute

// scrape takes what an exporter shows about an application at a time, in ms.
func (t *ruleTest) scrape(p *replay.Player, instance, app string, at int64) error {
	position := int((time.UnixMilli(at).Sub(t.epoch) + slot - 1) / slot)
	if position < 0 {
		return nil
	}
	t.slots[instance] = append(t.slots[instance], position)
	registry := client.NewRegistry()
	registry.MustRegister(metrics.Collector{Monitor: p, Window: p.Width})
	families, err := registry.Gather()
	if err != nil {
		return err
	}
	for _, f := range families {
		if !t.names[f.GetName()] || f.GetType() == dto.MetricType_HISTOGRAM {
			continue
		}
		for _, m := range f.Metric {
			name, wanted := selector(f.GetName(), m.Label, instance, app)
			if !wanted {
				continue
			}
			if t.series[name] == nil {
				t.series[name] = make(map[int]string)
			}
			value := m.GetCounter().GetValue() + m.GetGauge().GetValue() // it is one of the two
			t.series[name][position] = strconv.FormatFloat(value, 'g', -1, 64)
		}
	}
	return nil
}

// selector names a series; it is wanted if it says something about the application, or about no one.
func selector(name string, labels []*dto.LabelPair, instance, app string) (text string, wanted bool) {
	wanted = true
	parts := []string{fmt.Sprintf("instance=%q", instance)}
	for _, l := range labels {
		wanted = wanted && (l.GetName() != "app" || l.GetValue() == app)
		parts = append(parts, fmt.Sprintf("%s=%q", l.GetName(), l.GetValue()))
	}
	return name + "{" + strings.Join(parts, ",") + "}", wanted
}

const (
	verdictQuery = "nstar:app_verdict"
	blameQuery   = "nstar:app_excess_share:ratio >= 0.05"
)

// render writes the test.
func (t *ruleTest) render() string {
	var b strings.Builder
	fmt.Fprintf(&b, "rule_files: [%s]\nevaluation_interval: 5s\ngroup_eval_order: %s\n", strings.Join(t.files, ", "),
		groupOrder)
	fmt.Fprintf(&b, "tests:\n- interval: %v\n  input_series:\n", slot)
	for _, name := range slices.Sorted(maps.Keys(t.series)) {
		fmt.Fprintf(&b, "  - {series: '%s', values: '%s'}\n", name, t.values(name))
	}
	b.WriteString("  promql_expr_test:\n")
	for _, at := range t.times {
		for _, query := range append([]string{verdictQuery, blameQuery}, t.extra...) {
			fmt.Fprintf(&b, "  - {expr: %q, eval_time: %ds, exp_samples: []}\n", query, t.offset(at))
		}
	}
	return b.String()
}

// offset is the time of an evaluation by promtool's clock, in seconds.
func (t *ruleTest) offset(at time.Time) int {
	return int(at.Sub(t.epoch).Round(evaluationInterval).Seconds())
}

// values are a series at all slots. One that is missing in a scrape is marked as Prometheus does.
func (t *ruleTest) values(name string) string {
	values, next, there := t.series[name], 0, false
	var out []string
	for _, position := range t.slots[instanceOf(name)] {
		value, ok := values[position]
		if !ok && !there || position < next {
			continue
		}
		if !ok {
			value = "stale"
		}
		if gap := position - next; gap > 0 {
			out = append(out, fmt.Sprintf("_x%d", gap))
		}
		out, next, there = append(out, value), position+1, ok
	}
	return strings.Join(out, " ")
}

func instanceOf(series string) string { return instanceLabel.FindStringSubmatch(series)[1] }

var instanceLabel = regexp.MustCompile(`\{instance="([^"]*)"`)

// run evaluates the rules with promtool, and returns the result.
func (t *ruleTest) run(promtool string) ([]evaluation, error) {
	file, err := os.CreateTemp("", "replay-*.yaml")
	if err != nil {
		return nil, err
	}
	defer os.Remove(file.Name())
	defer file.Close()
	if _, err := file.WriteString(t.render()); err != nil {
		return nil, err
	}
	answer, err := exec.Command(promtool, "test", "rules", file.Name()).CombinedOutput()
	if _, said := err.(*exec.ExitError); err != nil && !said {
		return nil, err
	}
	if !bytes.Contains(answer, []byte("FAILED:")) || complains(string(answer)) {
		return nil, fmt.Errorf("promtool: %s", answer)
	}
	return t.parse(string(answer)), nil
}

// complains reports whether promtool says more than what its queries gave. An answer may be a verdict about errors.
func complains(answer string) bool {
	for line := range strings.Lines(answer) {
		line = strings.TrimSpace(line)
		if line != "" && !slices.ContainsFunc([]string{"Unit Testing:", "FAILED:", "expr:", "exp:", "got:"},
			func(begin string) bool { return strings.HasPrefix(line, begin) }) {
			return true
		}
	}
	return false
}

var (
	asked  = regexp.MustCompile(`expr: ("(?:[^"\\]|\\.)*"), time: ([0-9hms]+),`)
	sample = regexp.MustCompile(`\{([^}]*)\} (\S+?)(?:,|$)`)
	label  = regexp.MustCompile(`(\w+)="([^"]*)"`)
)

// parse reads the values that promtool reports in place of the expected empty answer.
func (t *ruleTest) parse(answer string) []evaluation {
	out := make([]evaluation, len(t.times))
	for i, at := range t.times {
		out[i].at = at
	}
	query, seconds := "", 0
	for line := range strings.Lines(answer) {
		line = strings.TrimSpace(line)
		if m := asked.FindStringSubmatch(line); m != nil {
			at, _ := time.ParseDuration(m[2])
			query, _ = strconv.Unquote(m[1])
			seconds = int(at.Seconds())
		}
		found, ok := strings.CutPrefix(line, "got: ")
		if !ok {
			continue
		}
		i := slices.IndexFunc(t.times, func(at time.Time) bool { return t.offset(at) == seconds })
		if query != verdictQuery && query != blameQuery {
			out[i].answers = append(out[i].answers, query+": "+brief(found))
			continue
		}
		for _, m := range sample.FindAllStringSubmatch(found, -1) {
			out[i].add(query, m[1], m[2])
		}
	}
	return out
}

// brief gives the samples of an answer without their names and their application, to three digits.
func brief(answer string) string {
	var out []string
	for _, m := range sample.FindAllStringSubmatch(answer, -1) {
		var labels []string
		for _, l := range label.FindAllStringSubmatch(m[1], -1) {
			if l[1] != "__name__" && l[1] != "app" {
				labels = append(labels, l[2])
			}
		}
		v, _ := strconv.ParseFloat(m[2], 64)
		out = append(out, strings.TrimSpace(fmt.Sprintf("%s %.3g", strings.Join(labels, "/"), v)))
	}
	return cmp.Or(strings.Join(out, ", "), "-")
}

// add takes a sample that a query found.
func (e *evaluation) add(query, labels, value string) {
	of := make(map[string]string)
	for _, m := range label.FindAllStringSubmatch(labels, -1) {
		of[m[1]] = m[2]
	}
	v, _ := strconv.ParseFloat(value, 64)
	if query == verdictQuery {
		e.verdicts = append(e.verdicts, verdict{of["verdict"], of["tier"], of["cause"], v})
		return
	}
	e.blame = append(e.blame, share{of["tier"] + "/" + of["cause"], v})
}

// share is a part of the response time, by the tier to blame.
type share struct {
	of    string
	ratio float64
}

// blamed are the shares in words, the largest first.
func (e *evaluation) blamed() string {
	slices.SortFunc(e.blame, func(a, b share) int {
		return cmp.Or(-cmp.Compare(math.Round(100*a.ratio), math.Round(100*b.ratio)), cmp.Compare(a.of, b.of))
	})
	var out []string
	for _, s := range e.blame {
		out = append(out, fmt.Sprintf("%s %.0f %%", s.of, 100*s.ratio))
	}
	return strings.Join(out, ", ")
}
