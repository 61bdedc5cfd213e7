// SPDX-License-Identifier: Apache-2.0

// Package console is how a virtual machine reports its results: lines of JSON on its serial console, between those of
// the kernel.
package console

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"
)

// Object is one BPF object before the verifier.
type Object struct {
	Name   string
	Walked uint32 // instructions that the verifier walked for the longest of its programs; 0 if not reported
	Error  string // why it does not load; for a refused program the verifier's last lines
}

// Tests are the tests of one package.
type Tests struct {
	Package string
	Passed  int
	Failed  []string // by name
	Skipped []string
	Tail    string // the end of their output, if one failed or the program ended in another way
}

// Load are the requests to a server and the exporter's counts of them.
type Load struct {
	Name                          string
	Asked                         int64 // requests with an answer, by the clients' count
	Served                        int64 // by the server's own
	Arrivals, Completions, Aborts int64 // by the exporter
	Drift                         float64
}

// Exact reports whether all counts are the same.
func (l Load) Exact() bool {
	return l.Asked > 0 && l.Served == l.Asked && l.Arrivals == l.Asked && l.Completions == l.Asked &&
		l.Aborts == 0 && l.Drift == 0
}

// Report is all that a machine told.
type Report struct {
	Release    string // of the kernel
	Objects    []Object
	Tests      []Tests
	Loads      []Load
	Refused    string   // what the exporter said if it did not start
	Complaints []string // its warnings
	Problems   []string // what prevented the machine from finding out
	Done       bool     // it came to its end
}

// mark begins a line of ours. The kernel may have printed before it in the same line.
const mark = "nstar-guest "

// Tell writes one part of a report as a line of its own.
func Tell(w io.Writer, part Report) error {
	text, err := json.Marshal(part)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, "\n%s%s\n", mark, text)
	return err
}

// Read puts the parts together, up to the end of the console. Lines that are no part are handed to other, which may
// be nil.
func Read(r io.Reader, other func(line string)) (Report, error) {
	var all Report
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		line := bytes.TrimRight(lines.Bytes(), "\r")
		before, text, ours := bytes.Cut(line, []byte(mark))
		var part Report
		if !ours || json.Unmarshal(text, &part) != nil {
			if other != nil && len(bytes.TrimSpace(line)) > 0 {
				other(string(line))
			}
			continue
		}
		if other != nil && len(bytes.TrimSpace(before)) > 0 {
			other(string(before))
		}
		all.add(part)
	}
	return all, lines.Err()
}

func (r *Report) add(part Report) {
	r.Release += part.Release
	r.Objects = append(r.Objects, part.Objects...)
	r.Tests = append(r.Tests, part.Tests...)
	r.Loads = append(r.Loads, part.Loads...)
	r.Refused += part.Refused
	r.Complaints = append(r.Complaints, part.Complaints...)
	r.Problems = append(r.Problems, part.Problems...)
	r.Done = r.Done || part.Done
}

// Outcome reads what `go test -v` printed: the names of top-level tests by how they ended.
func Outcome(name, output string) Tests {
	t := Tests{Package: name}
	for line := range strings.Lines(output) {
		how, rest, ok := strings.Cut(strings.TrimSpace(line), ": ")
		if !ok || !strings.HasPrefix(line, "--- ") {
			continue
		}
		test, _, _ := strings.Cut(rest, " ")
		switch how {
		case "--- PASS":
			t.Passed++
		case "--- FAIL":
			t.Failed = append(t.Failed, test)
		case "--- SKIP":
			t.Skipped = append(t.Skipped, test)
		}
	}
	return t
}
