// SPDX-License-Identifier: Apache-2.0

package diagnose

import (
	"fmt"
	"slices"
	"strings"
)

// place finds the edge that requests in the bottleneck wait for, and its cap.
func (d diagnosis) place() (best Edge, limit float64) {
	for _, e := range d.Edges {
		if e.From == d.finding.Tier && (e.Waited > best.Waited || best.Waited == 0 && best.Limit == nil &&
			e.Limit != nil) {
			best = e
		}
	}
	if best.Limit != nil {
		limit = *best.Limit
	}
	return best, limit
}

// placesTo is the tier for calls to which the bottleneck's requests wait for a place; empty if they wait for none, or
// if it may be one of several tiers.
func (d diagnosis) placesTo() string {
	if edges, _ := d.rivals(); d.finding.Cause != causePlace || d.ownPlace() || len(edges) > 0 {
		return ""
	}
	edge, _ := d.place()
	return edge.To
}

// lost reports whether the requests in the bottleneck wait for connections that are not given back.
func (d diagnosis) lost() bool {
	edge, _ := d.place()
	return d.finding.Cause == causePlace && edge.lost()
}

// asMuch compares the times that requests waited for a place at two tiers behind. If one time is at least this part of
// the other, it is unknown which of the two tiers lacks places, because the exporter charges both with the same then.
const asMuch = 0.5

// rivals are the edges to all tiers behind whose places the requests in the bottleneck may wait for, the one that
// place finds first; none if it is that one alone.
func (d diagnosis) rivals() (edges []Edge, limit float64) {
	best, limit := d.place()
	edges = append(edges, best)
	for _, e := range d.Edges {
		if e.From != d.finding.Tier || e.To == best.To || e.Waited <= 0 || e.Waited < asMuch*best.Waited {
			continue
		}
		if e.Limit != nil && limit > 0 && *e.Limit != limit {
			continue
		}
		if e.Limit != nil {
			limit = *e.Limit
		}
		edges = append(edges, e)
	}
	if len(edges) < 2 {
		return nil, 0
	}
	return edges, limit
}

// destinations names where edges lead, joined by a word.
func destinations(edges []Edge, join string) string {
	var names []string
	for _, e := range edges {
		names = append(names, e.To)
	}
	return strings.Join(names, " "+join+" ")
}

// blameRivals says that all places are taken, at one of several tiers: it is not known which.
func (d diagnosis) blameRivals(tier string, rivals []Edge, limit float64) string {
	places := "all places"
	if limit > 0 {
		places = fmt.Sprintf("all %.0f places", limit)
	}
	return fmt.Sprintf("%s that %s has at %s are taken while these have time: %s", places, tier,
		destinations(rivals, "or"), d.cost("in "+tier+" for one of them",
			", and the calls do not show at which, because a request that has one of these places has the other, too"))
}

// cureRivals is what helps if all places at one of several tiers are taken.
func (d diagnosis) cureRivals(tier string, rivals []Edge, limit float64) (first, useless string) {
	set, pool := "", ""
	if limit > 0 {
		set = fmt.Sprintf(", whichever is set to %.0f", limit)
	}
	if p := d.Programs[tier]; p.Pool != "" {
		pool = fmt.Sprintf(" (in %s: %s)", p.in(tier), p.Pool)
	}
	first = fmt.Sprintf("Raise the pool of connections from %s to %s%s, or %s's worker threads%s, step by step.", tier,
		destinations(rivals, "or to"), pool, tier, set)
	if slices.ContainsFunc(rivals, func(e Edge) bool { return d.toBlame(e.To) >= causeShare*d.total() }) {
		return first, ""
	}
	return first, fmt.Sprintf("More capacity for %s would gain nothing: they have time.", destinations(rivals, "and"))
}
