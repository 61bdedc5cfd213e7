// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
)

func TestSameSeedSameRows(t *testing.T) {
	first, second := t.TempDir(), t.TempDir()
	for _, dir := range []string{first, second} {
		if err := generate(dir, rand.New(rand.NewPCG(1, 1))); err != nil {
			t.Fatal(err)
		}
	}
	for name, rows := range map[string]int{"authors.tsv": authors, "stories.tsv": stories, "comments.tsv": comments} {
		a, err := os.ReadFile(filepath.Join(first, name))
		if err != nil {
			t.Fatal(err)
		}
		b, err := os.ReadFile(filepath.Join(second, name))
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(a, b) {
			t.Errorf("%s differs between two runs with one seed", name)
		}
		if got := bytes.Count(a, []byte("\n")); got != rows {
			t.Errorf("%s has %d rows, want %d", name, got, rows)
		}
	}
}

func TestEveryStoryHasTenComments(t *testing.T) {
	dir := t.TempDir()
	if err := generate(dir, rand.New(rand.NewPCG(1, 1))); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(filepath.Join(dir, "comments.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	perStory := map[string]int{}
	for line := range bytes.Lines(data) {
		perStory[string(bytes.Split(line, []byte("\t"))[1])]++
	}
	if len(perStory) != stories {
		t.Errorf("%d stories have comments, want %d", len(perStory), stories)
	}
	for story, n := range perStory {
		if n != comments/stories {
			t.Fatalf("story %s has %d comments, want %d", story, n, comments/stories)
		}
	}
}
