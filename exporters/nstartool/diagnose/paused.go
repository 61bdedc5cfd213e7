// SPDX-License-Identifier: Apache-2.0

package diagnose

import (
	"cmp"
	"fmt"
	"slices"
)

// Paused means that answers of a tier went on after a pause that was too long to be counted as the tier's time.
type Paused struct {
	Tier string
	// Share of its answers.
	Share float64
}

// worthPaused is the share of the answers from which on it moves milliseconds from one tier to another.
const worthPaused = 0.05

// paused reads which tiers do so.
func (q *querier) paused(apps map[string]*Application) {
	for _, s := range q.vector(q.growth("nstar_tier_reopened_total") + " / (" +
		q.growth("nstar_tier_completions_total") + " > 0)") {
		if a := apps[label(s.Metric, "app")]; a != nil && float64(s.Value) >= worthPaused {
			a.Paused = append(a.Paused, Paused{label(s.Metric, "tier"), float64(s.Value)})
		}
	}
	for _, a := range apps {
		slices.SortFunc(a.Paused, func(x, y Paused) int { return cmp.Compare(x.Tier, y.Tier) })
	}
}

// misplaced says which milliseconds may stand at another tier than the one that took them.
func (d diagnosis) misplaced() (notes []string) {
	for _, p := range d.Paused {
		var callers []string
		for _, e := range d.Edges {
			if e.To == p.Tier && e.From != p.Tier && !slices.Contains(callers, e.From) {
				callers = append(callers, e.From)
			}
		}
		where := ""
		if len(callers) > 0 {
			where = ", but as time of " + list(callers)
		}
		notes = append(notes, fmt.Sprintf("%s of the answers of %s pause for longer than --settle of nstar_exporter "+
			"(500ms, unless you set it), and then go on. These pauses are not counted as time of %[2]s%s. "+
			"With a longer --settle they are.",
			percent(p.Share), p.Tier, where))
	}
	return notes
}
