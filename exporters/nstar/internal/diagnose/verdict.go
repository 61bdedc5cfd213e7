// SPDX-License-Identifier: Apache-2.0

package diagnose

import (
	"cmp"
	"fmt"
	"slices"
)

// Thresholds of the verdict. The alerts in rules/ use the same for a minute.
const (
	// minEvaluations is how often states must have been recorded: half a minute.
	minEvaluations = 30
	// turnsPearson: typical coefficients over 12 s stay within 0.1 of zero by
	// chance; RAB found -0.42 (12 s) and -0.46 (8 s) in its two cases.
	turnsPearson = -0.3
	// turnsShare is how often both tiers must be beyond N*. Two queues that are
	// hardly there may move against each other and hurt nobody.
	turnsShare = 0.02
	// saturatedShare and frozenShare make a tier a bottleneck by itself. Frozen
	// windows weigh more: nothing leaves in them.
	saturatedShare = 0.1
	frozenShare    = 0.03
	// causeCorrelation and causeFrozenShare make a cause likely.
	causeCorrelation = 0.3
	causeFrozenShare = 0.01
	// idleShare: a tier that is idle in more windows has seen no traffic to judge.
	idleShare = 0.999
)

// Decide judges what was observed.
func Decide(o Observations) Report {
	r := Report{From: o.From, To: o.To, Tiers: slices.Clone(o.Tiers), Alternations: []Alternation{}, Causes: []Cause{}}
	if r.Tiers == nil {
		r.Tiers = []Tier{}
	}
	slices.SortFunc(r.Tiers, func(a, b Tier) int {
		return cmp.Or(cmp.Compare(a.App, b.App), cmp.Compare(depth(b, o.Edges), depth(a, o.Edges)),
			cmp.Compare(a.Tier, b.Tier), cmp.Compare(a.Instance, b.Instance))
	})
	if reason := tooLittle(o); reason != "" {
		r.Verdict, r.Summary = NotEnoughData, reason
		r.Advice = "Let the application work under its usual load for a minute or two, then ask again."
		return r
	}
	for _, edge := range o.Edges {
		if edge.Pearson != nil && *edge.Pearson <= turnsPearson && edge.Saturated >= turnsShare {
			r.Alternations = append(r.Alternations, Alternation{edge.App, edge.From, edge.To, *edge.Pearson})
		}
	}
	slices.SortFunc(r.Alternations, func(a, b Alternation) int { return cmp.Compare(a.Pearson, b.Pearson) })
	for _, cause := range o.Causes {
		if cause.Correlation >= causeCorrelation && frozen(o.Tiers, cause) >= causeFrozenShare {
			r.Causes = append(r.Causes, Cause{cause.App, cause.Tier, cause.Instance, cause.Cause,
				cause.Correlation, evidence(cause, frozen(o.Tiers, cause))})
		}
	}
	slices.SortFunc(r.Causes, func(a, b Cause) int { return cmp.Compare(b.Correlation, a.Correlation) })

	bottleneck, found := single(r.Tiers, o.Edges)
	switch {
	case len(r.Alternations) > 0:
		r.Verdict = AlternatingBottleneck
		r.Summary, r.Advice = alternating(r)
	case found:
		r.Verdict = SingleBottleneck
		r.Summary, r.Advice = limited(bottleneck, r.Causes)
	default:
		r.Verdict = Unsaturated
		r.Summary, r.Advice = unsaturated(r.Tiers)
	}
	return r
}

// tooLittle says what is missing, or nothing.
func tooLittle(o Observations) string {
	switch {
	case len(o.Tiers) == 0:
		return "No tier has been measured in this range."
	case o.Evaluations < minEvaluations:
		return fmt.Sprintf("The states of the tiers have been recorded for about %d s of this range; %d s are needed.", o.Evaluations, minEvaluations)
	case !slices.ContainsFunc(o.Tiers, func(t Tier) bool { return t.Share[stateIdle] < idleShare }):
		return "The tiers have seen no requests in this range."
	}
	return ""
}

// single finds the one bottleneck. A request that waits in a tier also waits in
// all tiers before it, so among the tiers beyond N* the last of the chain is
// to blame; the more often beyond N* breaks ties.
func single(tiers []Tier, edges []Edge) (Tier, bool) {
	var found []Tier
	for _, t := range tiers {
		if t.Share[stateSaturated] >= saturatedShare || t.Share[stateFrozen] >= frozenShare {
			found = append(found, t)
		}
	}
	if len(found) == 0 {
		return Tier{}, false
	}
	return slices.MinFunc(found, func(a, b Tier) int {
		return cmp.Or(cmp.Compare(depth(a, edges), depth(b, edges)), cmp.Compare(b.Beyond(), a.Beyond()))
	}), true
}

// depth is the length of the longest chain of calls behind a tier. Chains are
// short; the bound ends tiers that call each other in a circle.
func depth(t Tier, edges []Edge) int {
	const longest = 16
	var follow func(name string, left int) int
	follow = func(name string, left int) int {
		deepest := 0
		for _, e := range edges {
			if left > 0 && e.App == t.App && e.From == name && e.To != name {
				deepest = max(deepest, 1+follow(e.To, left-1))
			}
		}
		return deepest
	}
	return min(follow(t.Tier, longest), longest)
}

// frozen is the frozen share of the server that a cause belongs to.
func frozen(tiers []Tier, c CauseCorrelation) float64 {
	share := 0.0
	for _, t := range tiers {
		if t.App == c.App && t.Tier == c.Tier && (t.Instance == c.Instance || t.Instance == "") {
			share = max(share, t.Share[stateFrozen])
		}
	}
	return share
}
