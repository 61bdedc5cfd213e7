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

// TestComputedTests keeps the committed promtool tests equal to what the
// scenarios compute, so that nobody edits an expectation by hand.
func TestComputedTests(t *testing.T) {
	files := map[string]string{
		"states_test.yaml":       render([]string{"../states.yaml"}, "1s", stateScenarios()),
		"correlations_test.yaml": render([]string{"../correlations.yaml"}, "1s", correlationScenarios()),
		"chain_test.yaml":        render([]string{"../curve.yaml", "../states.yaml", "../correlations.yaml", "../alerts_bottlenecks.yaml", "../alerts_exporter.yaml"}, "1s", chainScenarios()),
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
