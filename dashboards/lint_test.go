// SPDX-License-Identifier: Apache-2.0

package dashboards

import (
	"os"
	"testing"

	"go.yaml.in/yaml/v3"
)

// TestLintExclusions keeps what dashboard-linter shall leave out from outliving the panels, and from having no reason.
func TestLintExclusions(t *testing.T) {
	file, err := os.Open(".lint")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var lint struct {
		Exclusions map[string]struct {
			Reason  string
			Entries []struct{ Dashboard, Panel, Reason string }
		}
	}
	decoder := yaml.NewDecoder(file)
	decoder.KnownFields(true)
	if err := decoder.Decode(&lint); err != nil {
		t.Fatal(err)
	}
	if len(lint.Exclusions) == 0 {
		t.Error("leaves nothing out")
	}
	for rule, excluded := range lint.Exclusions {
		if len(excluded.Reason) < 20 {
			t.Errorf("%s: no reason", rule)
		}
		for _, entry := range excluded.Entries {
			if opened[entry.Dashboard].from == "" {
				t.Errorf("%s: no dashboard %q", rule, entry.Dashboard)
			}
		}
	}
	each(t, func(t *testing.T, d *Dashboard) {
		for _, excluded := range lint.Exclusions {
			for _, entry := range excluded.Entries {
				if entry.Dashboard == d.Title && entry.Panel != "" { // none means all
					panel(t, d, entry.Panel)
				}
			}
		}
	})
}
