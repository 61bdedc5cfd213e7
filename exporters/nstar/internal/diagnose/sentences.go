// SPDX-License-Identifier: Apache-2.0

package diagnose

import (
	"fmt"
	"strings"
)

// cure says what to do against a cause; causes that the rules learn later than
// this program get the general advice.
var cure = map[string]string{
	"garbage_collection": "use a garbage collector with short pauses (G1, ZGC or Shenandoah) and a roomy heap, or keep less alive in it; the collector's log (-Xlog:gc) shows the pauses",
	"noisy_neighbour":    "move the neighbour to another host or other cores, or give this tier its own",
	"soft_resource":      "raise the pool of threads or connections that limits this tier",
	"disk":               "look at what this tier writes and reads while it waits, and give it a faster or a quieter disk",
}

// causeName is a cause as said in a sentence.
func causeName(cause string) string { return strings.ReplaceAll(cause, "_", " ") }

func percent(share float64) string {
	switch p := share * 100; {
	case p == 0:
		return "0 %"
	case p < 10:
		return fmt.Sprintf("%.1f %%", p)
	default:
		return fmt.Sprintf("%.0f %%", p)
	}
}

func evidence(c CauseCorrelation, frozenShare float64) string {
	s := fmt.Sprintf("The queue of %s grew with %s (correlation %.2f)", c.Tier, causeName(c.Cause), c.Correlation)
	if c.Share != nil {
		s += fmt.Sprintf(", which took %s of the time", percent(*c.Share))
		if c.Peak != nil {
			s += fmt.Sprintf(" and up to %s of a window", percent(*c.Peak))
		}
	}
	return s + fmt.Sprintf("; %s was frozen in %s of its windows.", c.Tier, percent(frozenShare))
}

// alternating words the verdict on tiers that take turns. The cause is looked
// for in either tier, the one that freezes first.
func alternating(r Report) (summary, advice string) {
	first := r.Alternations[0]
	summary = fmt.Sprintf("The bottleneck of %s alternates between %s and %s: their queues take turns (correlation %.2f).",
		first.App, first.From, first.To, first.Pearson)
	for _, c := range r.Causes {
		if c.App == first.App && (c.Tier == first.From || c.Tier == first.To) {
			summary += fmt.Sprintf(" The likeliest cause is %s in %s.", causeName(c.Cause), c.Tier)
			return summary, fmt.Sprintf("In %s, %s. More capacity for %s or %s alone would gain little.", c.Tier, remedy(c.Cause), first.From, first.To)
		}
	}
	return summary, fmt.Sprintf("No cause that Nstar measures goes with it. Look for what stops %s or %s for a tenth of a second at a time "+
		"(a neighbour on its cores, a CPU quota, a lock, the disk); until it is found, scale both tiers, not one.", first.From, first.To)
}

func limited(t Tier, causes []Cause) (summary, advice string) {
	summary = fmt.Sprintf("%s is the bottleneck of %s: its queue was beyond its saturation point in %s of the windows (frozen in %s).",
		t.Tier, t.App, percent(t.Beyond()), percent(t.Share[stateFrozen]))
	for _, c := range causes {
		if c.App == t.App && c.Tier == t.Tier {
			summary += fmt.Sprintf(" The likeliest cause is %s.", causeName(c.Cause))
			return summary, fmt.Sprintf("In %s, %s.", c.Tier, remedy(c.Cause))
		}
	}
	if t.Share[stateFrozen] > t.Share[stateSaturated] {
		return summary, fmt.Sprintf("%s mostly stands still rather than being overloaded: look for what stops it (a neighbour on its cores, "+
			"a CPU quota, a lock, the disk, or a tier behind it that Nstar does not see).", t.Tier)
	}
	return summary, fmt.Sprintf("Give %s more capacity (cores, instances), or make its requests cheaper; the other tiers can wait.", t.Tier)
}

func unsaturated(tiers []Tier) (summary, advice string) {
	known := 0
	for _, t := range tiers {
		if t.NStar != nil {
			known++
		}
	}
	if known == 0 {
		return "No tier has been seen saturated.", "Nothing. A saturation point shows once a tier has worked at its limit for a second in 15 minutes."
	}
	return "No tier was saturated or frozen often enough to limit the throughput.", "Nothing, as far as these tiers go."
}

func remedy(cause string) string {
	if s, ok := cure[cause]; ok {
		return s
	}
	return "look into " + causeName(cause)
}
