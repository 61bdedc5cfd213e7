// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nstar-project/nstar/exporters/proof/figures"
	"github.com/nstar-project/nstar/exporters/proof/kernels/console"
)

// Kernels come in the order of their versions, which is not that of their letters.
func TestFind(t *testing.T) {
	dir := t.TempDir()
	for _, k := range []string{"amd64/6.12.1+deb12-cloud-amd64", "amd64/6.5.0-45-generic", "arm64/6.1.0-56-cloud-arm64",
		"amd64/6.5.0-7-generic", "apt/lists"} {
		if err := os.MkdirAll(filepath.Join(dir, k), 0o755); err != nil {
			t.Fatal(err)
		}
		if strings.HasPrefix(k, "a") && k != "apt/lists" {
			if err := os.WriteFile(filepath.Join(dir, k, "vmlinuz"), nil, 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	for only, want := range map[string][]string{
		"":        {"6.5.0-7-generic", "6.5.0-45-generic", "6.12.1+deb12-cloud-amd64", "6.1.0-56-cloud-arm64"},
		"arm64/6": {"6.1.0-56-cloud-arm64"},
	} {
		kernels, err := find(dir, only)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, k := range kernels {
			got = append(got, k.version)
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%q: %s", only, d)
		}
	}
	if _, err := find(dir, "mips"); err == nil {
		t.Error("no error where no kernel fits")
	}
}

// Each thing that does not hold on a kernel fails the check.
func TestJudge(t *testing.T) {
	good := func() console.Report {
		return console.Report{
			Objects: []console.Object{{Name: "sched", Walked: 5}},
			Tests:   []console.Tests{{Package: "turntest", Passed: 3}},
			Loads:   []console.Load{{Name: "front", Asked: 5, Served: 5, Arrivals: 5, Completions: 5}},
			Done:    true,
		}
	}
	for name, c := range map[string]struct {
		change func(*console.Report)
		err    error
		holds  bool
	}{
		"all":                  {change: func(*console.Report) {}, holds: true},
		"the machine died":     {change: func(r *console.Report) { r.Done = false }},
		"the emulator failed":  {change: func(*console.Report) {}, err: errors.New("exit status 1")},
		"something missing":    {change: func(r *console.Report) { r.Problems = []string{"no tracefs"} }},
		"an object is refused": {change: func(r *console.Report) { r.Objects[0].Error = "R1" }},
		"a test failed":        {change: func(r *console.Report) { r.Tests[0].Failed = []string{"TestTurn"} }},
		"a test left out":      {change: func(r *console.Report) { r.Tests[0].Skipped = []string{"TestTurn"} }},
		"tests died":           {change: func(r *console.Report) { r.Tests[0].Tail = "signal: killed" }},
		"no tests":             {change: func(r *console.Report) { r.Tests[0].Passed = 0 }},
		"one request lost":     {change: func(r *console.Report) { r.Loads[0].Completions = 4 }},
		"too old, and says so": {change: func(r *console.Report) { r.Refused = "5.15 or newer is needed" },
			holds: true},
		"too old, in riddles": {change: func(r *console.Report) { r.Refused = "invalid argument" }},
		"too old, two lines":  {change: func(r *console.Report) { r.Refused = "5.15 or newer is needed\nR1" }},
	} {
		found := good()
		c.change(&found)
		r := figures.New("kernels", io.Discard)
		judge(r, kernel{}, found, c.err)
		if holds := r.Close() == nil; holds != c.holds {
			t.Errorf("%s: holds: %v", name, holds)
		}
	}
}

func TestTable(t *testing.T) {
	var out strings.Builder
	table(&out, []row{{kernel{arch: "arm64", version: "6.1"}, console.Report{
		Objects: []console.Object{{Name: "sched"}, {Name: "misses", Error: "R1"}},
		Tests:   []console.Tests{{Passed: 3, Failed: []string{"A"}, Skipped: []string{"B"}}},
		Loads:   []console.Load{{Asked: 5, Completions: 4}, {Asked: 10, Completions: 10}},
	}, 0}})
	want := []string{"arm64", "6.1", "1", "misses", "3", "2", "15", "14", "0s"}
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	if d := cmp.Diff(want, strings.Fields(lines[len(lines)-1])); d != "" {
		t.Error(d)
	}
}

// A machine whose clocks count instructions never brings up its second processor with an older kernel for amd64.
func TestClocksOfOlderKernels(t *testing.T) {
	for name, counted := range map[string]bool{
		"amd64/5.15.0-204-generic": false, "amd64/6.1.0-56-cloud-amd64": false, "amd64/6.5.0-45-generic": true,
		"amd64/6.12.117+deb12-cloud-amd64": true, "arm64/6.1.0-56-cloud-arm64": true,
	} {
		arch, version, _ := strings.Cut(name, "/")
		if got := len(kernel{arch: arch, version: version}.clocks()) > 0; got != counted {
			t.Errorf("%s: clocks count instructions: %v, want %v", name, got, counted)
		}
	}
}
