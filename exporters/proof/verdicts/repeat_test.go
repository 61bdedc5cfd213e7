// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/nstar-project/nstar/exporters/proof/figures"
)

func TestRepeatability(t *testing.T) {
	dir := t.TempDir()
	write := func(name string, point, base, most float64, lost bool) {
		said := func(tier string, values ...float64) string {
			var lines []string
			for i, v := range values {
				lines = append(lines, fmt.Sprintf(`"%s{app=\"board\",tier=\"%s\"} %g"`, learned[i], tier, v))
			}
			return strings.Join(lines, ",")
		}
		text := `{"t":1,"run":{"app":"board-hosts"}}` + "\n" +
			`{"t":2,"metrics":[` + said("db", 99, base, most) + "]}\n" +
			`{"t":3,"v":{"queue_length{db}":4}}` + "\n" +
			`{"t":4,"metrics":[` + said("db", point, base, most) + "]}\n"
		if lost {
			text += `{"t":5,"metrics":["nstar_tier_completions_total{app=\"board\",tier=\"db\"} 7"]}` + "\n"
		}
		if err := os.WriteFile(filepath.Join(dir, name+".jsonl"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("a", 4, 0.002, 2000, false)
	write("b", 5, 0.002, 2500, false)
	write("c", 6, 0.002, 3000, false)
	write("d", 50, 0.002, 3000, true) // no longer known at its end

	var out bytes.Buffer
	r := figures.New("verdicts", &out)
	if err := repeatability(r, dir); err != nil {
		t.Fatal(err)
	}
	const want = "FAIL board db, 3 runs: N* 5.00, coefficient of variation 16.3 % (at most 15); R0 2 ms, 0.0 %; " +
		"TPmax 2500/s, 16.3 %"
	if !strings.Contains(out.String(), want) || strings.Count(out.String(), " runs:") != 1 {
		t.Errorf("got %s\nwant %s", out.String(), want)
	}
}
