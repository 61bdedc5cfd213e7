// SPDX-License-Identifier: Apache-2.0

package synthetic

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"text/tabwriter"

	"github.com/nstar-project/nstar/exporters/nstartool/study"
)

// ThesisNoise is the standard deviation of the thesis's metrics between runs,
// at most, as a share of the value (section 3.4.1.3).
const ThesisNoise = 0.05

// Levels of noise that are tried.
var Levels = []float64{ThesisNoise / 2, ThesisNoise, 2 * ThesisNoise}

// Table is the agreement of the study with the patterns that were drawn.
type Table []Row

// Row is one sub-pattern.
type Row struct {
	Pattern Pattern
	// Right is the share of evolutions in the right category, for each level.
	Right []float64
	// Wrong counts the other categories at the thesis's level.
	Wrong map[study.Category]int
}

// Measure judges as many evolutions of each sub-pattern at each level.
func Measure(draws int, seed uint64) Table {
	var table Table
	for i, p := range Patterns() {
		row := Row{Pattern: p, Wrong: map[study.Category]int{}}
		for k, noise := range Levels {
			r := rand.New(rand.NewPCG(seed, uint64(100*i+k)))
			right := 0
			for range draws {
				got := study.Classify(p.Draw(r, noise)).Category
				if got == p.Category {
					right++
				} else if noise == ThesisNoise {
					row.Wrong[got]++
				}
			}
			row.Right = append(row.Right, float64(right)/float64(draws))
		}
		table = append(table, row)
	}
	return table
}

// Overall is the mean agreement over the sub-patterns at one of the levels.
func (t Table) Overall(noise float64) float64 {
	sum := 0.0
	for _, row := range t {
		for k, level := range Levels {
			if level == noise {
				sum += row.Right[k]
			}
		}
	}
	return sum / float64(len(t))
}

// String is the table for a terminal.
func (t Table) String() string {
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	fmt.Fprint(w, "figure\tsub-pattern\tcategory")
	for _, level := range Levels {
		fmt.Fprintf(w, "\t%.1f %%", 100*level)
	}
	fmt.Fprint(w, "\ttaken for, at 5 %\n")
	for _, row := range t {
		fmt.Fprintf(w, "%s\t%s\t%s", row.Pattern.Figure, row.Pattern.Name, row.Pattern.Category)
		for _, right := range row.Right {
			fmt.Fprintf(w, "\t%.1f", 100*right)
		}
		w.Write([]byte("\t"))
		for _, c := range []study.Category{study.Reliable, study.Partial, study.NotReliable, study.Misleading} {
			if n := row.Wrong[c]; n > 0 {
				fmt.Fprintf(w, "%s %d ", c, n)
			}
		}
		w.Write([]byte("\n"))
	}
	fmt.Fprint(w, "all\t\t")
	for _, level := range Levels {
		fmt.Fprintf(w, "\t%.1f", 100*t.Overall(level))
	}
	fmt.Fprint(w, "\t\n")
	w.Flush()
	return b.String()
}
