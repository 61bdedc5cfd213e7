// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/nstar-project/nstar/exporters/proof/kernels/console"
)

// atMost is for the tests of one package.
const atMost = 20 * time.Minute

// untried are tests that do the same many thousand times, with other numbers: that does not depend on the kernel.
const untried = "Random|Fuzz"

// tests runs the tests in /tests: a directory for each package, with its test program and test data.
func tests(out io.Writer) {
	programs, err := filepath.Glob("/tests/*/*.test")
	if err != nil {
		problem(out, err)
	}
	for _, program := range programs {
		tell(out, console.Report{Tests: []console.Tests{run(program)}})
	}
}

func run(program string) console.Tests {
	ctx, cancel := context.WithTimeout(context.Background(), atMost)
	defer cancel()
	c := exec.CommandContext(ctx, program, "-test.v", "-test.skip="+untried, "-test.timeout="+atMost.String())
	c.Dir = filepath.Dir(program)
	c.Env = append(os.Environ(), "CI=true") // nothing may be left out
	output, err := c.CombinedOutput()
	t := console.Outcome(filepath.Base(c.Dir), string(output))
	if err != nil || len(t.Failed) > 0 {
		t.Tail = tail(string(output))
		if err != nil {
			t.Tail += "\n" + err.Error()
		}
	}
	return t
}

// tail leaves out the tests that passed, and cuts the rest to the length that a serial line carries in a second.
func tail(output string) string {
	var kept []string
	for line := range strings.Lines(output) {
		if !strings.HasPrefix(line, "=== ") && !strings.HasPrefix(strings.TrimSpace(line), "--- PASS") {
			kept = append(kept, strings.TrimRight(line, "\n"))
		}
	}
	const lines, bytes = 60, 6000
	text := strings.Join(kept[max(0, len(kept)-lines):], "\n")
	return text[max(0, len(text)-bytes):]
}
