// SPDX-License-Identifier: Apache-2.0

package rules

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "rewrite the computed promtool tests")

// TestComputedTests keeps the committed promtool tests equal to what the scenarios compute, so that nobody edits one by
// hand.
func TestComputedTests(t *testing.T) {
	rules := []string{"../tiers.yaml", "../judgement.yaml", "../alerts_bottleneck.yaml"}
	files := map[string]string{
		"truth_test.yaml":           render(rules, scenarios(truths)),
		"truth_many_test.yaml":      render(rules, scenarios(truthsOfMany)),
		"truth_consumers_test.yaml": render(rules, scenarios(truthsOfConsumers)),
		"blame_test.yaml":           render(rules, scenarios(blames)),
		"random_test.yaml":          render(rules, scenarios(randoms())),
	}
	for name, want := range files {
		path := filepath.Join("tests", name)
		if *update {
			if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		got, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, string(got)); diff != "" {
			t.Errorf("%s is stale, run go test ./rules -update: (-want +got)\n%.2000s", path, diff)
		}
	}
}
