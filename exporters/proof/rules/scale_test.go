// SPDX-License-Identifier: Apache-2.0

package main

import (
	"strings"
	"testing"
)

// Both dashboards are asked, every query under a name of its own, and every alert.
func TestQuestions(t *testing.T) {
	asked, err := panels([]string{"../../../dashboards/bottlenecks.json", "../../../dashboards/capacity.json"})
	if err != nil {
		t.Fatal(err)
	}
	found, boards := map[string]bool{}, map[string]bool{}
	for _, q := range asked {
		if found[q.name] {
			t.Errorf("two queries are %s: one would hide the time of the other", q.name)
		}
		found[q.name] = true
		board, _, _ := strings.Cut(q.name, "/")
		boards[board] = true
	}
	if !boards["Bottlenecks"] || !boards["Capacity"] {
		t.Errorf("dashboards %v", boards)
	}
	told, err := alerts("../../../rules/*.yaml")
	if err != nil || len(told) == 0 {
		t.Fatalf("%d alerts: %v", len(told), err)
	}
	t.Logf("%d queries of dashboards, %d of alerts", len(asked), len(told))
}
