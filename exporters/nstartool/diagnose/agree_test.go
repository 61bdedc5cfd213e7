// SPDX-License-Identifier: Apache-2.0

package diagnose

import (
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const (
	dashboardFile = "../../../dashboards/src/causes.ts"
	alertFile     = "../../../rules/alerts_bottleneck.yaml"
	rulesFile     = "../../../rules/judgement.yaml"
)

// essence is the core of the advice against a cause: the words that it has in all places. The tool, the dashboard
// and the alert give it at different lengths and with different knowledge, so their sentences are not the same.
var essence = map[string][]string{
	causeCollection:   {"collector", "pauses", "heap"},
	causeStopped:      {"quota", "lock", "disk"},
	"noisy_neighbour": {"move", "own"},
	causeThrottled:    {"raise", "cpu limit"},
	causeDisk:         {"faster", "disk", "memory", "gain nothing"},
	causeNetwork:      {"lost", "link"},
	causeDemand:       {"capacity", "request", "gain nothing"},
	causeBurst:        {"nothing is broken"},
	causePlace:        {"raise"},
	causeSlow:         {"exporter"},
	causeErrors:       {"log", "changed", "gains nothing"},
	causeCacheLost:    {"emptied", "too small", "expire", "new version"},
	causeUnknown:      nil,
}

// noAlert: nobody is woken for a burst, and the alert refers to its runbook where the cause is not known.
var noAlert = []string{causeBurst, causeUnknown}

func read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// found is what a pattern's groups match, the first as the key of the second.
func found(t *testing.T, name, pattern string) map[string]string {
	t.Helper()
	all := make(map[string]string)
	for _, match := range regexp.MustCompile(pattern).FindAllStringSubmatch(read(t, name), -1) {
		all[match[1]] = strings.ToLower(match[2])
	}
	return all
}

func missing(words []string, text string) []string {
	return slices.DeleteFunc(slices.Clone(words), func(word string) bool { return strings.Contains(text, word) })
}

func TestAdviceAgreesEverywhere(t *testing.T) {
	dashboard := found(t, dashboardFile, `(?s)\n  (\w+): \{\s+name: [^\n]*\n\s+advice:\s*(.*?)\n  \},`)
	alert := found(t, alertFile, `(?s)if eq \$cause "(\w+)" -\}\}\s*(.*?)\s*\{\{- else`)
	causes := slices.Sorted(maps.Keys(essence))
	if diff := cmp.Diff(causes, slices.Sorted(maps.Keys(dashboard))); diff != "" {
		t.Errorf("causes of the dashboard (-want +got)\n%s", diff)
	}
	alerted := slices.DeleteFunc(slices.Clone(causes),
		func(cause string) bool { return slices.Contains(noAlert, cause) })
	if diff := cmp.Diff(alerted, slices.Sorted(maps.Keys(alert))); diff != "" {
		t.Errorf("causes of the alert (-want +got)\n%s", diff)
	}
	for cause, words := range essence {
		d := diagnosis{finding: Finding{Verdict: SingleBottleneck, Tier: "web", Cause: cause}}
		tool := strings.ToLower(d.advice())
		if strings.Contains(tool, "look into") {
			t.Errorf("%s: the tool has no advice of its own: %s", cause, tool)
		}
		says := map[string]string{"tool": tool, "dashboard": dashboard[cause]}
		if slices.Contains(alerted, cause) {
			says["alert"] = alert[cause]
		}
		for where, text := range says {
			if lost := missing(words, text); len(lost) > 0 {
				t.Errorf("%s: the %s does not say %q: %s", cause, where, lost, text)
			}
		}
	}
}

// Every cause that the rules give a bottleneck has advice. Waiting for a tier behind, and for its answers, is passed on
// to that tier.
func TestCausesOfTheRulesHaveAdvice(t *testing.T) {
	named := regexp.MustCompile(`"cause",\s*"(\w+)"`).FindAllStringSubmatch(read(t, rulesFile), -1)
	if len(named) == 0 {
		t.Fatal("the rules name no cause")
	}
	for _, match := range named {
		if _, ok := essence[match[1]]; !ok && match[1] != "behind" && match[1] != "stalled" {
			t.Errorf("no advice against %s", match[1])
		}
	}
}

// A cause has one name in the tool, the dashboard and the alert, which says the label itself where no other name is
// given.
func TestNamesOfCausesAgreeEverywhere(t *testing.T) {
	dashboard := found(t, dashboardFile, `\n  (\w+): \{\s+name: '([^\n]*)',`)
	alert := found(t, alertFile, `if eq \$named "([\w ]+)" \}\}\{\{ \$named = "([^"]+)"`)
	if len(alert) == 0 {
		t.Fatal("the alert names no cause")
	}
	for cause := range essence {
		name := strings.ToLower(causeName(cause))
		if dashboard[cause] != name {
			t.Errorf("%s is %q in the tool, but %q in the dashboard", cause, name, dashboard[cause])
		}
		said := strings.ReplaceAll(cause, "_", " ")
		if other, ok := alert[said]; ok {
			said = other
		}
		if said != name && !slices.Contains(noAlert, cause) {
			t.Errorf("%s is %q in the tool, but %q in the alert", cause, name, said)
		}
	}
}
