// SPDX-License-Identifier: Apache-2.0

package diagnose

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"
)

// writeTimes writes where the time of a request went, tier by tier. The columns of milliseconds add up to the
// last row. Waiting is counted two seconds later than the queue: if queues shrink, the base would be below
// zero.
func writeTimes(e *sticky, a Answer) {
	if a.ResponseTime == nil {
		return
	}
	mean, worst := a.ResponseTime.Mean, a.ResponseTime.Worst
	e.printf("\nWhere the time of a request went, at %s:\n", per(a.ResponseTime.Throughput))
	t := tabwriter.NewWriter(e, 0, 0, 2, ' ', 0)
	row := func(tier string, own, base float64, there, blame, reason string) {
		fmt.Fprintf(t, "  %s\t%9s\t%9s\t%s", tier, millis(own/1000), millis(max(0, base)/1000), blame)
		if worst != nil {
			fmt.Fprintf(t, "\t%9s", there)
		}
		if worst != nil && reason != "" {
			fmt.Fprintf(t, "\t%s", reason)
		}
		fmt.Fprintln(t)
	}
	fmt.Fprintf(t, "  tier\t%9s\t%9s\twaiting caused by the tier", "mean", "base")
	if worst != nil {
		fmt.Fprintf(t, "\t%9s\twhy", "worst 5 %")
	}
	fmt.Fprintln(t)
	var sum, others SplitTier
	var sumWorst, othersWorst, blamed float64
	folded, elsewhere := 0, false
	for _, m := range mean.Tiers {
		var w SplitTier
		there := "?" // a destination without a name has no windows
		if worst != nil {
			for _, candidate := range worst.Tiers {
				if candidate.Tier == m.Tier {
					w, there = candidate, millis(candidate.Milliseconds/1000)
				}
			}
		}
		sum.Milliseconds += m.Milliseconds
		sum.Base += m.Base
		sumWorst += w.Milliseconds
		caused := 0.0
		for _, milliseconds := range m.Causes {
			caused += milliseconds
		}
		blamed += caused
		elsewhere = elsewhere || !a.folded[m.Tier] && caused > m.Milliseconds+rounding
		if a.folded[m.Tier] {
			others.Milliseconds += m.Milliseconds
			others.Base += m.Base
			othersWorst += w.Milliseconds
			folded++
			continue
		}
		row(m.Tier, m.Milliseconds, m.Base, there, reasons(m.Causes, mean.Total),
			reasons(w.Causes, w.Milliseconds))
	}
	if folded > 0 {
		row(otherTiers(folded), others.Milliseconds, others.Base, millis(othersWorst/1000), "-", "-")
	}
	row("all", sum.Milliseconds, sum.Base, millis(sumWorst/1000), millis(blamed/1000), "")
	t.Flush()
	if elsewhere {
		e.printf("Requests also wait for a tier in the tiers in front of it: it may cause more waiting than it has.\n")
	}
}

// rounding is the difference between two times that the table may not show, in milliseconds.
const rounding = 0.1

// reasons lists causes with their milliseconds, the greatest first; what is
// less than a hundredth of the whole, or rounds to nothing, is left out.
func reasons(causes map[string]float64, whole float64) string {
	const least, nothing = 0.01, 0.05
	names := slices.SortedFunc(maps.Keys(causes), func(x, y string) int {
		return cmp.Or(cmp.Compare(causes[y], causes[x]), cmp.Compare(x, y))
	})
	var said []string
	for _, name := range names {
		if causes[name] >= max(nothing, least*whole) {
			said = append(said, millis(causes[name]/1000)+" "+causeName(name))
		}
	}
	return cmp.Or(strings.Join(said, ", "), "-")
}

func otherTiers(n int) string {
	if n == 1 {
		return "1 other tier without influence"
	}
	return fmt.Sprintf("%d other tiers without influence", n)
}

// writeStates writes in which states the windows of the tiers were.
func writeStates(e *sticky, servers []Tier, a Answer) {
	const header = "tier\t\tN*\tTPmax\tidle\tnormal\tsaturated\tfrozen\twaiting\tunknown\t\n"
	t := tabwriter.NewWriter(e, 0, 0, 2, ' ', tabwriter.AlignRight)
	folded := map[string]bool{}
	shown, without := 0, false
	for _, s := range servers {
		switch {
		case s.App != a.App:
			continue
		case a.folded[s.Tier]:
			folded[s.Tier] = true
			continue
		case shown == 0:
			e.printf("\nThe windows of 50 ms:\n")
			fmt.Fprint(t, header)
		}
		shown++
		without = without || s.NStar == nil
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t", s.Tier, s.Instance, optional(s.NStar, "%.1f"), optional(s.TPMax, "%.0f/s"))
		for _, state := range states {
			fmt.Fprintf(t, "%s\t", percent(s.Share[state]))
		}
		fmt.Fprintln(t)
	}
	t.Flush()
	if len(folded) > 0 && a.ResponseTime == nil {
		e.printf("  %s\n", otherTiers(len(folded)))
	}
	if without {
		e.printf("N* is the queue length beyond which the throughput no longer grows; - if it is not known.\n")
	}
}

func optional(v *float64, format string) string {
	if v == nil {
		return "-"
	}
	return fmt.Sprintf(format, *v)
}
