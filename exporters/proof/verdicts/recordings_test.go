// SPDX-License-Identifier: Apache-2.0

package main

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write down what is said of the recordings now")

const (
	promtool   = "../../../.cache/debian/usr/bin/promtool"
	recordings = "testdata/recordings"
	saidOfThem = "testdata/recordings.txt"
)

// Recordings of real applications are judged again. Right verdicts stay right, and there is no false verdict that was
// not there before: the verdicts on each are in saidOfThem.
func TestRecordings(t *testing.T) {
	if raceEnabled {
		t.Skip("judging takes too long with the race detector; make test-go runs this without it, too")
	}
	if _, err := os.Stat(promtool); err != nil {
		t.Skip("there is no promtool: tools/debian.sh prometheus fetches it")
	}
	files, err := filepath.Glob(filepath.Join(recordings, "*.jsonl.gz"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no recordings: %v", err)
	}
	want := readSaid(t)
	now := make(map[string]account, len(files))
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".jsonl.gz")
		now[name] = accountOf(t, file)
	}
	if *update {
		writeSaid(t, now)
		return
	}
	for _, name := range slices.Sorted(maps.Keys(now)) {
		if was, ok := want[name]; !ok {
			t.Errorf("%s is not in %s: run the test with -update", name, saidOfThem)
		} else if worse := now[name].worseThan(was); worse != "" {
			t.Errorf("%s: %s\nwas %s\nnow %s", name, worse, was, now[name])
		} else if now[name].String() != was.String() {
			t.Logf("%s: other than before, and not worse (-update writes it down)\nwas %s\nnow %s",
				name, was, now[name])
		}
	}
}

// account are the verdicts on a recording: the grade of every verdict from the 15th second on, every 5 s.
type account string

// letters stand for the grades.
const letters = "r/laf-.?" // right, either, learning, false alarm, false name, silent (healthy), none, unclear

func (a account) String() string { return string(a) }

func accountOf(t *testing.T, file string) account {
	t.Helper()
	rec, err := read(file)
	if err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	all, err := rec.judge(rec.App, promtool, "../../../rules", nil)
	if err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	var out strings.Builder
	for _, e := range all {
		if at := e.at.Sub(rec.begin); at >= 15*second {
			out.WriteByte(letters[rec.grade(at, e.verdicts)])
		}
	}
	return account(out.String())
}

// worseThan says what is worse than before; empty if nothing is. Moments at the edge of a verdict may move by one.
func (a account) worseThan(was account) string {
	const edge = 1
	count := func(a account, g grade) int { return strings.Count(string(a), letters[g:g+1]) }
	for _, g := range []grade{falseAlarm, falseName, silent, none} {
		before, now := count(was, g), count(a, g)
		if now > before && (before == 0 && (g == falseAlarm || g == falseName) || now > before+edge) {
			return fmt.Sprintf("%d times %v, %d before", now, g, before)
		}
	}
	if before, now := count(was, right), count(a, right); now < before-edge {
		return fmt.Sprintf("%d times right, %d before", now, before)
	}
	return ""
}

func TestWorse(t *testing.T) {
	for _, test := range []struct {
		was, now account
		worse    bool
	}{
		{"llrrrrrr", "llrrrrrr", false},
		{"llrrrrrr", "lllrrrrr", false}, // one evaluation later
		{"llrrrrrr", "llllrrrr", true},
		{"llrrrrrr", "llarrrrr", true},
		{"llrrrrrr", "llrrrfrr", true},
		{"llrrffff", "llrrrfff", false},
		{"llrrrrrr", "llr--rrr", true},
	} {
		if worse := test.now.worseThan(test.was); (worse != "") != test.worse {
			t.Errorf("%s after %s: %q", test.now, test.was, worse)
		}
	}
}

func readSaid(t *testing.T) map[string]account {
	t.Helper()
	text, err := os.ReadFile(saidOfThem)
	if err != nil && !*update {
		t.Fatal(err)
	}
	out := make(map[string]account)
	for line := range strings.Lines(string(text)) {
		if name, said, ok := strings.Cut(strings.TrimSpace(line), " "); ok && name != "#" {
			out[name] = account(strings.TrimSpace(said))
		}
	}
	return out
}

func writeSaid(t *testing.T, now map[string]account) {
	t.Helper()
	var b strings.Builder
	b.WriteString("# What is said of the recordings every 5 s, from the 15th second on: r right, / one of two, l " +
		"learning, a false\n# alarm, f false name, - healthy while something is wrong, . nothing, ? the truth is in " +
		"doubt. Written by\n# `go test ./exporters/proof/verdicts -run Recordings -update`.\n")
	for _, name := range slices.Sorted(maps.Keys(now)) {
		fmt.Fprintf(&b, "%-34s %s\n", name, now[name])
	}
	if err := os.WriteFile(saidOfThem, []byte(b.String()), 0o644); err != nil {
		t.Fatal(err)
	}
}
