// SPDX-License-Identifier: Apache-2.0

// Package tools checks what holds for the sources of all languages.
package tools

import (
	"go/scanner"
	"go/token"
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
	source = regexp.MustCompile(`(\.(go|c|h|sh|mk|ts|tsx|mjs|js)|/Makefile|/run)$`)
	// Grafana's scaffolding is not ours, the demo's scripts are not that narrow yet, and some Go is generated.
	spared = regexp.MustCompile(`^(grafana-plugin/\.config|deploy/demo)/|_bpfel\.go$`)
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
		whole := unbreakable(name, text)
		for i, line := range strings.Split(string(text), "\n") {
			if n := width(line); n > widest && !help.MatchString(line) && !whole[i+1] {
				t.Errorf("%s:%d: %d characters, at most %d", name, i+1, n, widest)
			}
		}
	}
	if checked < 100 {
		t.Errorf("only %d files were looked at", checked)
	}
}

// unbreakable are the numbers of lines of Go with a raw string (a query, a page, what another program says) or an
// instruction to a tool in it: these can't be broken.
func unbreakable(name string, text []byte) map[int]bool {
	lines := make(map[int]bool)
	if !strings.HasSuffix(name, ".go") {
		return lines
	}
	var s scanner.Scanner
	file := token.NewFileSet().AddFile(name, -1, len(text))
	s.Init(file, text, nil, scanner.ScanComments)
	for {
		at, kind, literal := s.Scan()
		if kind == token.EOF {
			return lines
		}
		raw := kind == token.STRING && literal[0] == '`'
		if raw || (kind == token.COMMENT && strings.HasPrefix(literal, "//go:")) {
			first := file.Line(at)
			for i := range strings.Count(literal, "\n") + 1 {
				lines[first+i] = true
			}
		}
	}
}

// width is the number of a line's columns, as tabs at its beginning have it.
func width(line string) int {
	return utf8.RuneCountInString(line) + strings.Count(line, "\t")*(tabWidth-1)
}

func TestUnbreakable(t *testing.T) {
	const text = "package a\n\n//go:generate b\n\n// a `b\nvar x = `c\nd` + \"`\"\nvar y = \"`\"\n"
	got := unbreakable("a.go", []byte(text))
	for line := range 9 {
		if want := line == 3 || line == 6 || line == 7; got[line] != want {
			t.Errorf("line %d: %v, want %v", line, got[line], want)
		}
	}
	if n := len(unbreakable("a.c", []byte(text))); n != 0 {
		t.Errorf("%d lines of C", n)
	}
}

func TestWidth(t *testing.T) {
	for line, want := range map[string]int{"": 0, "abc": 3, "\t\tab": 10, "N*·µ": 4} {
		if got := width(line); got != want {
			t.Errorf("%q: %d, want %d", line, got, want)
		}
	}
}
