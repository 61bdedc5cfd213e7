// SPDX-License-Identifier: Apache-2.0

package dashboards

import (
	"regexp"
	"strings"
	"testing"
)

// TestAlertsSayWhere: every label that tells one alert from another is a column of the table (where joins some of them)
// and a tag of the mark on the time axes.
func TestAlertsSayWhere(t *testing.T) {
	grouping := regexp.MustCompile(`max by \(([^)]+)\)`)
	by := func(t *testing.T, target Target) []string {
		match := grouping.FindStringSubmatch(target.Expr)
		if match == nil {
			t.Fatalf("no grouping in %s", target.Expr)
		}
		return strings.Split(match[1], ", ")
	}
	each(t, func(t *testing.T, d *Dashboard) {
		for _, mark := range d.Annotations.List {
			if want := strings.Join(by(t, mark.Target)[1:], ","); mark.TagKeys != want {
				t.Errorf("annotation %s has the tags %s, want %s", mark.Name, mark.TagKeys, want)
			}
		}
		if len(d.Annotations.List) == 0 {
			t.Error("no marks where alerts began to fire")
		}
		if d.Title != "Bottlenecks" {
			return // The table of alerts is there.
		}
		firing := panel(t, d, "Alerts firing")
		shown := make(map[string]bool)
		for _, transform := range firing.Transforms {
			for label := range transform.Options.Rename {
				shown[label] = true
			}
		}
		_, joined, found := strings.Cut(firing.Targets[0].Expr, `"where"`)
		if !found || !shown["where"] {
			t.Error("no column where")
		}
		for _, label := range by(t, firing.Targets[0]) {
			if !shown[label] && !strings.Contains(joined, `"`+label+`"`) {
				t.Errorf("%s: %s is not shown", firing.Title, label)
			}
		}
	})
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
