// SPDX-License-Identifier: Apache-2.0

package rules

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"
)

var recordedName = regexp.MustCompile(`nstar:[a-z0-9_]+:[a-z0-9_]+|nstar:[a-z0-9_]+`)

// learned are the series that rules of a learned model record: the names that its writer has.
func learned(t *testing.T) (names []string) {
	t.Helper()
	files, err := filepath.Glob("learning/nstar_learning/*.py")
	if err != nil || len(files) == 0 {
		t.Fatalf("no writer of learned rules: %v", err)
	}
	for _, file := range files {
		content, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, recordedName.FindAllString(string(content), -1)...)
	}
	return names
}

// TestDocumented checks that docs and rules agree: every recorded series is in the docs, and the docs name no other
// one.
func TestDocumented(t *testing.T) {
	pages, err := filepath.Glob("../docs/*.md")
	if err != nil || len(pages) == 0 {
		t.Fatalf("no docs: %v", err)
	}
	named := map[string]string{}
	for _, page := range pages {
		content, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range recordedName.FindAllString(string(content), -1) {
			named[name] = filepath.Base(page)
		}
	}
	recorded := learned(t)
	for _, r := range loadRules(t) {
		if r.Record == "" {
			continue
		}
		recorded = append(recorded, r.Record)
		if named[r.Record] == "" {
			t.Errorf("%s is in no docs/*.md: docs/rules.md has tables of the series", r.Record)
		}
	}
	for name, page := range named {
		if !slices.Contains(recorded, name) {
			t.Errorf("docs/%s names %s, which no rule records", page, name)
		}
	}
}
