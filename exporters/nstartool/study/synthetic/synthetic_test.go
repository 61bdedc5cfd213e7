// SPDX-License-Identifier: Apache-2.0

package synthetic

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/nstar-project/nstar/exporters/nstartool/study"
)

// TestAgreement compares the study's results with evolutions of known pattern. `make check-study` prints the
// same table with more draws.
func TestAgreement(t *testing.T) {
	table := Measure(60, 7)
	t.Logf("\n%s", table)
	for k, least := range []float64{0.99, 0.98, 0.93} {
		if got := table.Overall(Levels[k]); got < least {
			t.Errorf("%.1f %% agreement at %.1f %% noise, want %.0f %%", 100*got, 100*Levels[k], 100*least)
		}
	}
	for _, row := range table {
		if row.Right[1] < 0.9 {
			t.Errorf("%s: %.0f %% at the thesis's level of noise", row.Pattern.Name, 100*row.Right[1])
		}
	}
}

// TestSubPatterns checks the names of the sub-patterns where noise is small.
func TestSubPatterns(t *testing.T) {
	for i, p := range Patterns() {
		r := rand.New(rand.NewPCG(11, uint64(i)))
		right := 0
		const draws = 40
		last := ""
		for range draws {
			j := study.Classify(p.Draw(r, 0.01))
			want, _, _ := strings.Cut(p.Name, ", ")
			if p.misplaced < 0 {
				want += ", too early"
			}
			if p.misplaced > 0 {
				want += ", too late"
			}
			if strings.HasPrefix(p.Figure, "3.10") && strings.Contains(p.Name, "spikes") {
				want = "change in behaviour but not in values"
			}
			if j.SubPattern == want {
				right++
			} else {
				last = j.SubPattern
			}
		}
		if right < draws*9/10 {
			t.Errorf("%s, %s: %d of %d, else for example %q", p.Figure, p.Name, right, draws, last)
		}
	}
}
