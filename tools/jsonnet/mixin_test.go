// SPDX-License-Identifier: Apache-2.0

// Package jsonnet evaluates the mixin as a user of Jsonnet would, and compares what comes out with the files.
package jsonnet

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-jsonnet"
	"sigs.k8s.io/yaml"
)

const mixin = "../../dashboards/mixin.libsonnet"

type ruleFile struct {
	Groups []map[string]any `json:"groups"`
}

// evaluate prints one field of the mixin, which Jsonnet hides otherwise.
func evaluate(t *testing.T, field string, into any) string {
	t.Helper()
	text, err := jsonnet.MakeVM().EvaluateAnonymousSnippet(field, "(import '"+mixin+"')."+field)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal([]byte(text), into); err != nil {
		t.Fatal(err)
	}
	return text
}

// TestRulesAreTheFiles also fails when a new file of rules is not in the mixin.
func TestRulesAreTheFiles(t *testing.T) {
	files, err := filepath.Glob("../../rules/*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatalf("no rule files: %v", err)
	}
	want := map[string]ruleFile{"prometheusRules": {}, "prometheusAlerts": {}}
	for _, file := range files {
		content, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var parsed ruleFile
		if err := yaml.Unmarshal(content, &parsed); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		field := "prometheusRules"
		if strings.HasPrefix(filepath.Base(file), "alerts_") {
			field = "prometheusAlerts"
		}
		want[field] = ruleFile{append(want[field].Groups, parsed.Groups...)}
	}
	for field, files := range want {
		t.Run(field, func(t *testing.T) {
			var got ruleFile
			evaluate(t, field, &got)
			byName(got.Groups)
			byName(files.Groups)
			if !reflect.DeepEqual(got, files) {
				t.Errorf("%s has the groups %v, rules/ has %v, or a rule in them differs", field, names(got.Groups),
					names(files.Groups))
			}
		})
	}
}

// TestPromtoolTakesThem gives promtool what a Jsonnet user would give Prometheus.
func TestPromtoolTakesThem(t *testing.T) {
	built, err := exec.Command("../prometheus/build.sh", "promtool").Output()
	if err != nil {
		t.Fatalf("build.sh promtool: %v", err)
	}
	promtool := filepath.Join(strings.TrimSpace(string(built)), "promtool")
	for _, field := range []string{"prometheusRules", "prometheusAlerts"} {
		t.Run(field, func(t *testing.T) {
			var parsed ruleFile
			file := filepath.Join(t.TempDir(), field+".yaml")
			if err := os.WriteFile(file, []byte(evaluate(t, field, &parsed)), 0o644); err != nil {
				t.Fatal(err)
			}
			if out, err := exec.Command(promtool, "check", "rules", file).CombinedOutput(); err != nil {
				t.Errorf("promtool check rules: %v\n%s", err, out)
			}
		})
	}
}

func TestDashboardsAreTheFiles(t *testing.T) {
	files, err := filepath.Glob("../../dashboards/*.json")
	if err != nil {
		t.Fatal(err)
	}
	want := make(map[string]map[string]any)
	for _, file := range files {
		content, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var parsed map[string]any
		if err := json.Unmarshal(content, &parsed); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		if parsed["uid"] != nil { // package.json and the like are no dashboards
			want[filepath.Base(file)] = parsed
		}
	}
	if len(want) == 0 {
		t.Fatal("no dashboards")
	}
	var got map[string]map[string]any
	evaluate(t, "grafanaDashboards", &got)
	if !reflect.DeepEqual(got, want) {
		t.Error("the dashboards of the mixin are not those of the directory")
	}
}

// TestMixesWithOthers adds the mixin to another one, as users do.
func TestMixesWithOthers(t *testing.T) {
	text, err := jsonnet.MakeVM().EvaluateAnonymousSnippet("mixed", `
local mixed = { prometheusRules+:: { groups+: [{ name: 'other', rules: [] }] } } + (import '`+mixin+`');
[group.name for group in mixed.prometheusRules.groups]`)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(text, "other") || !strings.Contains(text, "nstar_curve") {
		t.Errorf("groups %s, want the other mixin's and ours", text)
	}
}

func byName(groups []map[string]any) {
	slices.SortFunc(groups, func(a, b map[string]any) int {
		return strings.Compare(a["name"].(string), b["name"].(string))
	})
}

func names(groups []map[string]any) (all []string) {
	for _, group := range groups {
		all = append(all, group["name"].(string))
	}
	return all
}
