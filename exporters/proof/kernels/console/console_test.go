// SPDX-License-Identifier: Apache-2.0

package console

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A machine's report comes through a serial line, to which the kernel writes, too.
func TestRead(t *testing.T) {
	want := Report{
		Release:  "6.1.0",
		Objects:  []Object{{Name: "sched", Walked: 5}, {Name: "misses", Error: "R1 type=scalar"}},
		Tests:    []Tests{{Package: "turntest", Passed: 3, Failed: []string{"TestTurn"}, Tail: "a\nb"}},
		Loads:    []Load{{Name: "HTTP", Asked: 10, Served: 10}},
		Problems: []string{"no tracefs"},
		Done:     true,
	}
	var line bytes.Buffer
	for _, part := range []Report{
		{Release: want.Release}, {Objects: want.Objects[:1]}, {Objects: want.Objects[1:], Tests: want.Tests},
		{Loads: want.Loads, Problems: want.Problems}, {Done: true},
	} {
		line.WriteString("[    1.0] random: crng init done\n")
		if err := Tell(&line, part); err != nil {
			t.Fatal(err)
		}
	}
	serial := strings.ReplaceAll(line.String(), "\n", "\r\n") + "[  9.0] reboot" + mark + "{\r\n"
	var other []string
	got, err := Read(strings.NewReader(serial), func(s string) { other = append(other, s) })
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	if len(other) != 6 || !strings.HasPrefix(other[5], "[  9.0] reboot") {
		t.Errorf("lines of others: %q", other)
	}
}

func TestOutcome(t *testing.T) {
	const output = `=== RUN   TestA
--- PASS: TestA (0.10s)
=== RUN   TestB
=== RUN   TestB/case
    b_test.go:4: wrong
--- FAIL: TestB (0.00s)
    --- FAIL: TestB/case (0.00s)
--- SKIP: TestC (0.00s)
FAIL
`
	want := Tests{Package: "p", Passed: 1, Failed: []string{"TestB"}, Skipped: []string{"TestC"}}
	if d := cmp.Diff(want, Outcome("p", output)); d != "" {
		t.Error(d)
	}
}

func TestExact(t *testing.T) {
	same := Load{Asked: 5, Served: 5, Arrivals: 5, Completions: 5}
	if !same.Exact() {
		t.Error("equal counts are not exact")
	}
	for name, wrong := range map[string]func(*Load){
		"nothing asked":       func(l *Load) { *l = Load{} },
		"not served":          func(l *Load) { l.Served-- },
		"an arrival too many": func(l *Load) { l.Arrivals++ },
		"one lost":            func(l *Load) { l.Completions-- },
		"aborted":             func(l *Load) { l.Aborts++ },
		"drift":               func(l *Load) { l.Drift = 1 },
	} {
		l := same
		if wrong(&l); l.Exact() {
			t.Errorf("%s: exact", name)
		}
	}
}
