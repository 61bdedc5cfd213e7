// SPDX-License-Identifier: Apache-2.0

package diagnose

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"
)

// Waiting says what the connections of a tier's clients waited for over the range, as the tier itself sees it
// (Wang, Teng, Zhong, Sweeney: "Using the Middle Tier to Understand Cross-Tier Delay in a Multi-tier
// Application").
type Waiting struct {
	Tier string `json:"tier"`
	// On is clients, self or a tier behind.
	On string `json:"on"`
	// Share of the tier's time, 0 to 1; the shares of a tier add up to 1.
	Share float64 `json:"share"`
	// Seconds of connections over the range.
	Seconds float64 `json:"seconds"`
}

// What a tier waits for, besides the tiers behind, as the exporter names it.
const (
	onClients = "clients"
	onSelf    = "self"
)

// waiting reads what each tier waited for.
func (q *querier) waiting(apps map[string]*Application) {
	seconds := q.vector("sum by (app, tier, on) (increase(" + q.over("nstar_tier_waiting_seconds_total", "") + "))")
	type key struct{ app, tier string }
	sums := map[key]float64{}
	for _, s := range seconds {
		sums[key{label(s.Metric, "app"), label(s.Metric, "tier")}] += float64(s.Value)
	}
	for _, s := range seconds {
		k := key{label(s.Metric, "app"), label(s.Metric, "tier")}
		if a := apps[k.app]; a != nil && sums[k] > 0 {
			v := float64(s.Value)
			a.Waiting = append(a.Waiting, Waiting{k.tier, label(s.Metric, "on"), v / sums[k], v})
		}
	}
	for _, a := range apps {
		chain := alongChain(a.Edges)
		slices.SortFunc(a.Waiting, func(x, y Waiting) int {
			return cmp.Or(chain(x.Tier, y.Tier), cmp.Compare(onRank(x.On), onRank(y.On)), cmp.Compare(y.Share, x.Share),
				cmp.Compare(x.On, y.On))
		})
	}
}

// onRank puts clients first, then the tier itself, then the tiers behind.
func onRank(on string) int {
	switch on {
	case onClients:
		return 0
	case onSelf:
		return 1
	}
	return 2
}

// writeWaiting writes the table of the slides, for every tier with influence, and what it says about a tier
// that mostly waits for a tier behind.
func writeWaiting(e *sticky, a Answer) {
	var rows []*seen
	byTier := make(map[string]*seen)
	for _, w := range a.Waiting {
		if a.folded[w.Tier] {
			continue
		}
		if byTier[w.Tier] == nil {
			byTier[w.Tier] = &seen{tier: w.Tier}
			rows = append(rows, byTier[w.Tier])
		}
		byTier[w.Tier].add(w)
	}
	if rows == nil {
		return
	}
	e.printf("\nWhat each tier waited for, as a share of the time of its clients' connections:\n")
	t := tabwriter.NewWriter(e, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "  tier\t%9s\t%9s\ttiers behind\n", onClients, "itself")
	for _, r := range rows {
		var behind []string
		for _, w := range r.behind {
			if w.Share >= leastShown {
				behind = append(behind, percent(w.Share)+" "+w.On)
			}
		}
		fmt.Fprintf(t, "  %s\t%9s\t%9s\t%s\n", r.tier, percent(r.clients), percent(r.self),
			cmp.Or(strings.Join(behind, ", "), "-"))
	}
	t.Flush()
	for _, r := range rows {
		for _, w := range r.behind {
			// a tier that waits itself is not where the time goes
			if next := byTier[w.On]; w.Share >= mostlyBehind && (next == nil || next.self >= next.waits()) {
				e.printf("Seen from %s, %s takes most of the time: %s; %s itself takes %s.\n",
					r.tier, w.On, percent(w.Share), r.tier, percent(r.self))
			}
		}
	}
}

const (
	// leastShown is the share from which a tier behind stands in the table.
	leastShown = 0.001
	// mostlyBehind is the share from which on waiting for one tier behind is worth a sentence: more than
	// all others together.
	mostlyBehind = 0.5
)

// seen is the waiting as one tier sees it.
type seen struct {
	tier          string
	clients, self float64
	behind        []Waiting
}

func (s *seen) add(w Waiting) {
	switch w.On {
	case onClients:
		s.clients = w.Share
	case onSelf:
		s.self = w.Share
	default:
		s.behind = append(s.behind, w)
	}
}

// waits is the share of waiting for all tiers behind.
func (s *seen) waits() float64 {
	sum := 0.0
	for _, w := range s.behind {
		sum += w.Share
	}
	return sum
}
