// SPDX-License-Identifier: Apache-2.0

package dashboards

import (
	"encoding/json"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

// Where the dashboard colours something, and the part of an alert's expression that it must agree with. A panel without
// column has its thresholds for all fields.
var limits = []struct{ alert, condition, panel, column string }{
	{"NstarTierFrozen", `state="frozen"\}\[1m\]\) > ([0-9.]+)`, "Tiers now", "Frozen"},
	{"NstarTierSaturated", `state="saturated"\}\[1m\]\) > ([0-9.]+)`, "Tiers now", "Saturated"},
	{"NstarAlternatingBottleneck", `pearson12s\[1m\]\) < (-[0-9.]+)`, "Who takes turns", "Correlation"},
	{"NstarAlternatingBottleneck", `pearson12s\[1m\]\) < (-[0-9.]+)`, "Correlation of the queues", ""},
	{"NstarAlternatingBottleneck", `ratio10s\[1m\]\) > ([0-9.]+)`, "Who takes turns", "Both beyond N*"},
	{"NstarAlternatingBottleneck", `ratio10s\[1m\]\) > ([0-9.]+)`, "Both beyond N*", ""},
	{"NstarFrozenByGarbageCollection", `garbage_collection"\}\[1m\]\) > ([0-9.]+)`, "Likely cause", "Correlation"},
	{"NstarFrozenByGarbageCollection", `garbage_collection"\}\[1m\]\) > ([0-9.]+)`, "Correlation of queue and cause", ""},
}

// The same numbers in the queries that give a verdict.
var verdicts = []struct{ alert, condition, panel, refID, inQuery string }{
	{"NstarTierFrozen", `state="frozen"\}\[1m\]\) > ([0-9.]+)`, "Tiers now", "state", `state="frozen",[^}]*\}\[1m\]\) > bool ([0-9.]+)`},
	{"NstarTierSaturated", `state="saturated"\}\[1m\]\) > ([0-9.]+)`, "Tiers now", "state", `state="saturated",[^}]*\}\[1m\]\) > bool ([0-9.]+)`},
	{"NstarAlternatingBottleneck", `pearson12s\[1m\]\) < (-[0-9.]+)`, "Who takes turns", "verdict", `< bool (-[0-9.]+)`},
	{"NstarAlternatingBottleneck", `ratio10s\[1m\]\) > ([0-9.]+)`, "Who takes turns", "verdict", `> bool ([0-9.]+)`},
	{"NstarFrozenByGarbageCollection", `collection"\}\[1m\]\) > ([0-9.]+)`, "Likely cause", "verdict", `pearson12s[^>]*> bool ([0-9.]+)`},
	{"NstarFrozenByGarbageCollection", `frozen"\}\[1m\]\) > ([0-9.]+)`, "Likely cause", "verdict", `state="frozen"[^>]*> bool ([0-9.]+)`},
}

// TestLimitsAreTheAlerts makes a red cell and a page the same thing.
func TestLimitsAreTheAlerts(t *testing.T) {
	alerts := alertExpressions(t)
	each(t, func(t *testing.T, d *Dashboard) {
		for _, l := range limits {
			want := number(t, alerts[l.alert], l.condition)
			if got := panel(t, d, l.panel).limits(t, l.column); !slices.Contains(got, want) {
				t.Errorf("%s %s is coloured from %v on, %s fires at %v", l.panel, l.column, got, l.alert, want)
			}
		}
		for _, v := range verdicts {
			want := number(t, alerts[v.alert], v.condition)
			if got := number(t, panel(t, d, v.panel).expr(t, v.refID), v.inQuery); got != want {
				t.Errorf("%s/%s decides at %v, %s fires at %v", v.panel, v.refID, got, v.alert, want)
			}
		}
	})
}

func alertExpressions(t *testing.T) map[string]string {
	t.Helper()
	content, err := os.ReadFile("../rules/alerts_bottlenecks.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Groups []struct {
			Rules []struct{ Alert, Expr string }
		}
	}
	if err := yaml.Unmarshal(content, &file); err != nil {
		t.Fatal(err)
	}
	found := make(map[string]string)
	for _, group := range file.Groups {
		for _, rule := range group.Rules {
			found[rule.Alert] = rule.Expr
		}
	}
	return found
}

func number(t *testing.T, text, pattern string) float64 {
	t.Helper()
	match := regexp.MustCompile(pattern).FindStringSubmatch(text)
	if match == nil {
		t.Fatalf("no %s in %q", pattern, text)
	}
	value, err := strconv.ParseFloat(match[1], 64)
	if err != nil {
		t.Fatal(err)
	}
	return value
}

func panel(t *testing.T, d *Dashboard, title string) Panel {
	t.Helper()
	for _, p := range d.Leaves() {
		if p.Title == title {
			return p
		}
	}
	t.Fatalf("no panel %q", title)
	return Panel{}
}

func (p Panel) expr(t *testing.T, refID string) string {
	t.Helper()
	for _, target := range p.Targets {
		if target.RefID == refID {
			return strings.Join(strings.Fields(target.Expr), " ")
		}
	}
	t.Fatalf("%s has no query %s", p.Title, refID)
	return ""
}

// limits are the thresholds of a column, or of all fields.
func (p Panel) limits(t *testing.T, column string) (values []float64) {
	t.Helper()
	steps := p.FieldConfig.Defaults.Thresholds.Steps
	for _, o := range p.FieldConfig.Overrides {
		for _, property := range o.Properties {
			if column == "" || o.Matcher.Options != column || property.ID != "thresholds" {
				continue
			}
			var parsed struct{ Steps []Step }
			if err := json.Unmarshal(property.Value, &parsed); err != nil {
				t.Fatal(err)
			}
			steps = parsed.Steps
		}
	}
	for _, step := range steps {
		if step.Value != nil {
			values = append(values, *step.Value)
		}
	}
	return values
}
