// SPDX-License-Identifier: Apache-2.0

package rules

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

// rule is what the tests need of a recording or alerting rule.
type rule struct {
	Record      string            `yaml:"record"`
	Alert       string            `yaml:"alert"`
	Expr        string            `yaml:"expr"`
	Labels      map[string]string `yaml:"labels"`
	Annotations map[string]string `yaml:"annotations"`
}

func loadRules(t *testing.T) []rule {
	t.Helper()
	files, err := filepath.Glob("*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatalf("no rule files: %v", err)
	}
	var rules []rule
	for _, file := range files {
		content, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var groups struct {
			Groups []struct {
				Rules []rule `yaml:"rules"`
			} `yaml:"groups"`
		}
		if err := yaml.Unmarshal(content, &groups); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		for _, group := range groups.Groups {
			rules = append(rules, group.Rules...)
		}
	}
	return rules
}

// TestAlertsHelp checks that whoever is paged finds what it means and what to
// do: all the texts are there, and the runbook exists and has its sections.
func TestAlertsHelp(t *testing.T) {
	const pages = "https://github.com/nstar-project/nstar/blob/main/docs/runbooks/"
	alerts := 0
	for _, r := range loadRules(t) {
		if r.Alert == "" {
			continue
		}
		alerts++
		t.Run(r.Alert, func(t *testing.T) {
			// info is what deploy/alertmanager sends to nobody
			if s := r.Labels["severity"]; s != "info" && s != "warning" && s != "critical" {
				t.Errorf("severity %q, want info, warning or critical", s)
			}
			for _, text := range []string{"summary", "description"} {
				if len(r.Annotations[text]) < 20 || !strings.HasSuffix(r.Annotations[text], ".") {
					t.Errorf("%s is not a sentence: %q", text, r.Annotations[text])
				}
			}
			page, ok := strings.CutPrefix(r.Annotations["runbook_url"], pages)
			if !ok || page != r.Alert+".md" {
				t.Fatalf("runbook_url %q, want %s%s.md", r.Annotations["runbook_url"], pages, r.Alert)
			}
			content, err := os.ReadFile(filepath.Join("..", "docs", "runbooks", page))
			if err != nil {
				t.Fatal(err)
			}
			for _, section := range []string{"# " + r.Alert, "## Meaning", "## Impact", "## Diagnosis",
				"## Mitigation"} {
				if !strings.Contains(string(content), section+"\n") {
					t.Errorf("%s has no section %q", page, section)
				}
			}
		})
	}
	if alerts == 0 {
		t.Fatal("no alerts found")
	}
}

// TestEveryRuleHasATest checks that each recorded series and each alert is
// asked for in a promtool test.
func TestEveryRuleHasATest(t *testing.T) {
	files, err := filepath.Glob("tests/*_test.yaml")
	if err != nil || len(files) == 0 {
		t.Fatalf("no tests: %v", err)
	}
	var asked strings.Builder
	line := regexp.MustCompile(`(?m)^.*(expr:|alertname[:=]).*$`)
	for _, file := range files {
		content, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		asked.WriteString(strings.Join(line.FindAllString(string(content), -1), "\n"))
	}
	for _, r := range loadRules(t) {
		if !strings.Contains(asked.String(), r.Record+r.Alert) {
			t.Errorf("%s has no test", r.Record+r.Alert)
		}
	}
}

// TestCheap checks that no recording rule reads single windows or evaluates a subquery: the exporter does what needs
// every window.
func TestCheap(t *testing.T) {
	subquery := regexp.MustCompile(`\[\w*:\w*\]`)
	for _, r := range loadRules(t) {
		if r.Record != "" && strings.Contains(r.Expr, "nstar_window_") && r.Record != "nstar:window_width:seconds" {
			t.Errorf("%s reads windows", r.Record)
		}
		if subquery.MatchString(r.Expr) {
			t.Errorf("%s%s has a subquery", r.Record, r.Alert)
		}
	}
}
