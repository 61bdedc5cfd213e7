// SPDX-License-Identifier: Apache-2.0

package exposition

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/promql/parser"
)

// query is a query of a dashboard, wherever it stands.
type query struct {
	where, expr, interval string
}

// Inside strings the variables of a dashboard are text; elsewhere they stand for a duration or a number.
var builtIn = strings.NewReplacer("$__rate_interval", "20s", "$__interval_ms", "5000", "$__interval", "5s")

// TestDashboardQueries reads every query with Prometheus' own parser.
func TestDashboardQueries(t *testing.T) {
	known := documented(t)
	promql := parser.NewParser(parser.Options{})
	for _, q := range queries(t) {
		t.Run(q.where, func(t *testing.T) {
			expr, err := promql.ParseExpr(builtIn.Replace(q.expr))
			if err != nil {
				t.Fatalf("%v in\n%s", err, q.expr)
			}
			selectors := 0
			parser.Inspect(expr, func(node parser.Node, path []parser.Node) error {
				if selector, ok := node.(*parser.VectorSelector); ok {
					selectors++
					checkSelector(t, selector, path, known)
				}
				return nil
			})
			if selectors == 0 {
				t.Error("selects nothing")
			}
		})
	}
}

// scope says which choices the series of some names follow.
type scope struct {
	name    *regexp.Regexp
	follows []string
}

// The first that matches holds. Whoever looks at one application must not miss that another one is alight. What has no
// application belongs to an exporter as a whole; edges lie between tiers, which several exporters may see, and a
// verdict is on the application as a whole, and so is the question which tier is nearest to its limit. A tier that is
// started anew leaves its mark in others.
var scopes = []scope{
	{regexp.MustCompile(`^ALERTS(_FOR_STATE)?$`), nil},
	{regexp.MustCompile(`^nstar(:app|[_:]edge|:tier_capacity|:indicator_position|_tier_start_time)[_:].*$`),
		[]string{"app"}},
	// whichever exporter it is from
	{
		regexp.MustCompile(
			`^nstar:(indicator|tier_neighbour|tier_disk_neighbour|tier_waiting_share|tier_cache_misses):.*$`),
		[]string{"app", "tier"}},
	// of a host, under the address of another exporter
	{regexp.MustCompile(`^nstar:host_.*$`), nil},
	{regexp.MustCompile(`^(nstar_windows_settled_total|nstar[_:]window_width[_:]seconds)$`), []string{"instance"}},
	{regexp.MustCompile(`^nstar[_:](tier|window|drift|cause)_.*$`), []string{"app", "tier", "instance"}},
	{regexp.MustCompile(`.`), []string{"instance"}},
}

func checkSelector(t *testing.T, s *parser.VectorSelector, path []parser.Node, known []string) {
	if !slices.Contains(known, s.Name) {
		t.Errorf("%s is neither in docs/metrics.md nor recorded in rules/ nor Prometheus' own", s.Name)
	}
	first := slices.IndexFunc(scopes, func(one scope) bool { return one.name.MatchString(s.Name) })
	for _, label := range []string{"app", "tier", "instance"} {
		follows := slices.Contains(scopes[first].follows, label)
		at := slices.IndexFunc(s.LabelMatchers, func(m *labels.Matcher) bool { return m.Name == label })
		switch {
		case !follows && at >= 0:
			t.Errorf("%s: follows the choice of %s", s, label)
		case follows && (at < 0 || s.LabelMatchers[at].Value != "$"+label):
			t.Errorf("%s: does not follow the choice of %s", s, label)
		case follows && s.LabelMatchers[at].Type != matches(label):
			t.Errorf("%s: takes the choice of %s for %s", s, label, s.LabelMatchers[at].Type)
		}
	}
	if sample := strings.HasPrefix(s.Name, "nstar_window_") && s.Name != "nstar_window_width_seconds"; sample &&
		!overRange(path) {
		t.Errorf("%s: windows at an instant are one in many; take them over a range", s)
	}
}

// matches is how a label is compared with its choice: Grafana escapes what stands in a regular expression only where
// several values can be chosen.
func matches(label string) labels.MatchType {
	if label == "app" {
		return labels.MatchEqual
	}
	return labels.MatchRegexp
}

// overRange says whether a selector takes all samples of a range, or only their age.
func overRange(path []parser.Node) bool {
	return slices.ContainsFunc(path, func(node parser.Node) bool {
		if call, ok := node.(*parser.Call); ok {
			return call.Func.Name == "timestamp"
		}
		_, ok := node.(*parser.MatrixSelector)
		return ok
	})
}

// documented are the names of the metrics reference, with the parts of histograms, the recorded series, and what
// Prometheus itself adds.
func documented(t *testing.T) []string {
	names := []string{"up", "scrape_duration_seconds", "ALERTS", "ALERTS_FOR_STATE"}
	reference, err := os.ReadFile("../../docs/metrics.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, match := range regexp.MustCompile("(?m)^\\| `(nstar_[a-z_]+)").FindAllStringSubmatch(string(reference), -1) {
		names = append(names, match[1])
	}
	files, err := filepath.Glob("../../rules/*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatalf("no rules: %v", err)
	}
	for _, file := range files {
		content, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, match := range regexp.MustCompile(`(?m)- record: (\S+)`).FindAllStringSubmatch(string(content), -1) {
			names = append(names, match[1])
		}
	}
	return names
}

// queries collects whatever is called expr in the dashboards, and the metrics that variables are filled from.
func queries(t *testing.T) (all []query) {
	files, err := filepath.Glob("../../dashboards/*.json")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		content, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var dashboard any
		if err := json.Unmarshal(content, &dashboard); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		walk(dashboard, filepath.Base(file), func(q query) { all = append(all, q) })
	}
	if len(all) == 0 {
		t.Fatal("no queries")
	}
	return all
}

func walk(node any, where string, found func(query)) {
	switch node := node.(type) {
	case []any:
		for _, item := range node {
			walk(item, where, found)
		}
	case map[string]any:
		if title, ok := node["title"].(string); ok && node["gridPos"] != nil {
			where += "/" + title
		}
		if expr, ok := node["expr"].(string); ok {
			interval, _ := node["interval"].(string)
			found(query{where + "/" + node["refId"].(string), expr, interval})
		}
		for _, item := range node {
			walk(item, where, found)
		}
	}
}
