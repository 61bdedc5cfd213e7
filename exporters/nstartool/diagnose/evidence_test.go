// SPDX-License-Identifier: Apache-2.0

package diagnose

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/nstar-project/nstar/exporters/nstar/causes"
)

// All measurements of causes by the exporter are used: as evidence, to say what a tier did while it stood still,
// or by a query of its own.
func TestEveryCauseIsUsed(t *testing.T) {
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	var source strings.Builder
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		source.Write(text)
	}
	metrics := map[string][]string{ // of what is no cause with shares
		"cores": {"nstar_tier_core_seconds_total", "nstar_tier_core_disk_seconds_total",
			"nstar_tier_processor_disk_pearson"},
		"migrations":      {"nstar_tier_migrations_total"},
		"cache_misses":    {"nstar:tier_cache_misses:per_request5m"},
		"disk_neighbours": {"nstar_tier_disk_neighbour_seconds_total"},
	}
	for _, k := range causes.Switches() {
		asked := metrics[k.Name]
		if asked == nil {
			asked = []string{"nstar_tier_" + k.Name + "_seconds_total"}
		}
		used := !slices.ContainsFunc(asked, func(m string) bool { return !strings.Contains(source.String(), m) })
		for _, e := range evidences {
			used = used || e.by == k.Name
		}
		for _, p := range pauses {
			used = used || p.cause == k.Name
		}
		if !used {
			t.Errorf("nothing is said of %s (%s)", k.Name, asked)
		}
	}
}
