// SPDX-License-Identifier: Apache-2.0

// Package tools checks what holds for the sources of all languages.
package tools

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"
)

const (
	widest   = 120 // characters
	tabWidth = 4
)

var (
	// Python's lines are ruff's business.
	source = regexp.MustCompile(`(\.(c|h|sh|mk|ts|tsx|mjs|js)|/Makefile|/run)$`)
	// Grafana's scaffolding is not ours, and the demo's scripts are not that narrow yet.
	spared = regexp.MustCompile(`^(grafana-plugin/\.config|deploy/demo)/`)
	// What `make help` prints is one line.
	help = regexp.MustCompile(`^[a-z-]+:.*## `)
)

// TestLines keeps lines narrow enough to stand beside others on a screen.
func TestLines(t *testing.T) {
	root, err := exec.Command("git", "rev-parse", "--show-toplevel").Output()
	if err != nil {
		t.Skip("not a checkout of git:", err)
	}
	dir := strings.TrimSpace(string(root))
	list := exec.Command("git", "ls-files")
	list.Dir = dir
	files, err := list.Output()
	if err != nil {
		t.Fatal(err)
	}
	checked := 0
	for _, name := range strings.Fields(string(files)) {
		if !source.MatchString("/"+name) || spared.MatchString(name) {
			continue
		}
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			continue // deleted, and not committed yet
		}
		checked++
		for i, line := range strings.Split(string(text), "\n") {
			if n := width(line); n > widest && !help.MatchString(line) {
				t.Errorf("%s:%d: %d characters, at most %d", name, i+1, n, widest)
			}
		}
	}
	if checked < 100 {
		t.Errorf("only %d files were looked at", checked)
	}
}

// width is the number of a line's columns, as tabs at its beginning have it.
func width(line string) int {
	return utf8.RuneCountInString(line) + strings.Count(line, "\t")*(tabWidth-1)
}

func TestWidth(t *testing.T) {
	for line, want := range map[string]int{"": 0, "abc": 3, "\t\tab": 10, "N*·µ": 4} {
		if got := width(line); got != want {
			t.Errorf("%q: %d, want %d", line, got, want)
		}
	}
}
