// SPDX-License-Identifier: Apache-2.0

// Command dataset writes the bulletin board's authors, stories and comments as
// tab-separated files for LOAD DATA. The seed is fixed, so every machine gets
// the same rows and the same query costs.
package main

import (
	"bufio"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// Sizes of the board. Load generators pick ids below these numbers.
const (
	authors  = 2000
	stories  = 4000
	comments = 40000
)

// newest is the time of the last story; a fixed day keeps the files identical
// from run to run.
var newest = time.Date(2024, time.June, 30, 12, 0, 0, 0, time.UTC)

const stamp = "2006-01-02 15:04:05"

func main() {
	dir := flag.String("dir", ".", "directory that the .tsv files are written to")
	seed := flag.Uint64("seed", 2014, "seed of the generator")
	flag.Parse()
	if err := generate(*dir, rand.New(rand.NewPCG(*seed, *seed))); err != nil {
		fmt.Fprintln(os.Stderr, "dataset:", err)
		os.Exit(1)
	}
}

func generate(dir string, r *rand.Rand) error {
	if err := write(dir, "authors.tsv", authors, func(id int) string {
		return row(id, fmt.Sprintf("%s%d", word(r), id),
			newest.AddDate(0, 0, -r.IntN(2000)).Format("2006-01-02"), r.IntN(50))
	}); err != nil {
		return err
	}
	// One story every twenty minutes: a day holds about seventy.
	if err := write(dir, "stories.tsv", stories, func(id int) string {
		posted := newest.Add(-time.Duration(stories-id) * 20 * time.Minute)
		return row(id, 1+r.IntN(authors), r.IntN(12), posted.Format(stamp), text(r, 7), text(r, 60))
	}); err != nil {
		return err
	}
	return write(dir, "comments.tsv", comments, func(id int) string {
		story := 1 + (id*stories-1)/comments
		posted := newest.Add(-time.Duration(stories-story)*20*time.Minute + time.Duration(r.IntN(86400))*time.Second)
		// The ten comments of a story have neighbouring ids; half of them reply.
		parent := 0
		if first := (id-1)/10*10 + 1; id > first && r.IntN(2) == 0 {
			parent = first + r.IntN(id-first)
		}
		return row(id, story, parent, 1+r.IntN(authors), posted.Format(stamp), r.IntN(7)-1, text(r, 5), text(r, 30))
	})
}

// write puts rows 1 to n into a file.
func write(dir, name string, n int, line func(id int) string) error {
	f, err := os.Create(filepath.Join(dir, name))
	if err != nil {
		return err
	}
	w := bufio.NewWriter(f)
	for id := 1; id <= n; id++ {
		if _, err := w.WriteString(line(id)); err != nil {
			f.Close()
			return err
		}
	}
	if err := w.Flush(); err != nil {
		f.Close()
		return err
	}
	return f.Close()
}

func row(fields ...any) string {
	cells := make([]string, len(fields))
	for i, f := range fields {
		cells[i] = fmt.Sprint(f)
	}
	return strings.Join(cells, "\t") + "\n"
}

var syllables = []string{"ba", "ker", "lo", "mi", "ta", "ru", "sen", "vo", "di", "gar", "pel", "no", "shi", "fu",
	"tor", "en"}

// word draws from 4,096 words, so that a search for one finds some rows.
func word(r *rand.Rand) string {
	return syllables[r.IntN(16)] + syllables[r.IntN(16)] + syllables[r.IntN(16)]
}

func text(r *rand.Rand, words int) string {
	list := make([]string, words)
	for i := range list {
		list[i] = word(r)
	}
	return strings.Join(list, " ")
}
