// SPDX-License-Identifier: Apache-2.0

package diagnose

import (
	"fmt"
	"strings"

	"github.com/prometheus/common/model"
)

// Growth is a figure at the end of the range, and what it was in the hour before: its usual value, or what it was not
// more than in a tenth of the minutes with at least half as many requests (calls: a quarter of them, because a tier
// that is away is not called). The least of all would be that of one odd minute.
type Growth struct{ Now, Before float64 }

// times is how many times as much it is now.
func (g *Growth) times() float64 {
	if g == nil || g.Before <= 0 {
		return 1
	}
	return g.Now / g.Before
}

const (
	// grown is the factor from which on a growth is worth a sentence: a machine whose speed drifts, a
	// neighbour in its caches, or a busier minute makes less of a difference.
	grown = 2
	// farMore is the factor from which on more work, or more calls, are worth a sentence although no user feels
	// it.
	farMore   = 3
	someCalls = 0.1 // for a request: less was no use of that tier
	// noticedSeconds is by how many seconds longer requests take then, for their users to care.
	noticedSeconds = 0.005
)

// grew reads by how much the response time has grown, and the calls that a tier makes for each of its requests. In the
// first minute of an application it is not known yet which tier asks which, and so how many requests come from users.
func (q *querier) grew(apps map[string]*Application) {
	const took, served = "nstar:app_response_time:seconds", "nstar:app_throughput:requests_per_second"
	enough := fmt.Sprintf("%s >= 0.5 * %[1]s @ %d > 0 and on (app) count_over_time(%s[1m]) >= 12",
		q.selector(served, ""), q.at.Unix(), q.selector("nstar:app_queue_length:mean15s", ""))
	read := func(now string, low float64, set func(s *model.Sample, before bool)) {
		for _, s := range q.vector(now) {
			set(s, false)
		}
		earlier := fmt.Sprintf("quantile_over_time(%g, (%s and on (app) (%s))[1h:30s])", low, now, enough)
		for _, s := range q.vector(earlier) {
			set(s, true)
		}
	}
	read("sum by (app) ("+q.selector(took, "")+")", 0.1, func(s *model.Sample, before bool) {
		if a := apps[label(s.Metric, "app")]; a != nil && isFinite(s.Value) {
			a.Took = a.Took.set(float64(s.Value), before)
		}
	})
	read("sum by (app, from, to) (rate("+q.selector("nstar_edge_calls_total", "")+"[1m])) / on (app, from) "+
		"group_left () label_replace(sum by (app, tier) (rate("+q.selector("nstar_tier_completions_total", "")+
		"[1m])) >= 1, `from`, `$1`, `tier`, `(.+)`)", 0.25, func(s *model.Sample, before bool) {
		if a := apps[label(s.Metric, "app")]; a != nil && isFinite(s.Value) {
			for i := range a.Edges {
				if e := &a.Edges[i]; e.From == label(s.Metric, "from") && e.To == label(s.Metric, "to") {
					e.Calls = e.Calls.set(float64(s.Value), before)
				}
			}
		}
	})
}

// set takes a figure; a figure without a present value is dropped.
func (g *Growth) set(value float64, before bool) *Growth {
	switch {
	case !before:
		return &Growth{Now: value}
	case g != nil:
		g.Before = value
	}
	return g
}

// farMoreWork says in which tiers a request takes far more work than before, and which tiers make far more calls for
// one request, such as a page that makes a call for each line of a list. It leaves out what the advice already says.
func (d diagnosis) farMoreWork() (notes []string) {
	if d.finding.Verdict == Healthy && d.longer() != "" {
		return nil
	}
	advice := ""
	if d.finding.Verdict == Healthy {
		advice = d.adviceWhenWell()
	}
	for _, t := range d.Times {
		if !d.takesFarMore(t) || d.bottleneck() && t.Tier == d.finding.Tier {
			continue
		}
		if more := t.takesMore(); !strings.Contains(advice, more) && !strings.Contains(advice, capital(more)) {
			notes = append(notes, capital(more)+".")
		}
	}
	for _, e := range d.Edges {
		if e.Calls.times() >= farMore && e.Calls.Now >= 1 && e.Calls.Before >= someCalls {
			notes = append(notes, fmt.Sprintf("%s calls %s %s for each of its requests; in a quarter of the last "+
				"hour it was %s at most.",
				e.From, e.To, times(e.Calls.Now), times(e.Calls.Before)))
		}
	}
	return notes
}

// longer says that requests take longer than before although nothing is at its limit, and what has grown; empty if
// they don't. Calls that have grown are the reason already below twice the time.
func (d diagnosis) longer() string {
	least, changed := float64(grown), "a query plan, the data, a new version"
	if len(d.moreCalls(grown)) > 0 {
		least, changed = nearlyGrown, "other pages that users ask for, a cache that is lost, "+changed
	}
	if d.Took.times() < least || d.Took.Now-d.Took.Before < noticedSeconds {
		return ""
	}
	more := d.grown()
	if len(more) == 0 {
		more = append(more, "look where the time goes, in the table below")
	}
	return fmt.Sprintf("Nothing is at its limit. But requests take %s, %s as long as in the quickest tenth of "+
		"the last hour: %s. If this was not intended, look at what has changed: %s.",
		millis(d.Took.Now), times(d.Took.times()), strings.Join(more, "; "), changed)
}

// grown says in which tiers a request takes twice as much work as usual, and which tiers make twice as many calls for
// it.
func (d diagnosis) grown() (more []string) {
	for _, t := range d.Times {
		if t.Cost.times() >= grown {
			more = append(more, fmt.Sprintf("%s (%s)", t.dearer(), millis(t.Cost.Now)))
		}
	}
	return append(more, d.moreCalls(grown)...)
}

// dearer says how many times as much work as usual a request takes.
func (t TierTime) dearer() string {
	return fmt.Sprintf("each request of %s takes %s the usual processor time", t.Tier, times(t.Cost.times()))
}

// moreCalls says which tiers make so many times as many calls for a request.
func (d diagnosis) moreCalls(factor float64) (more []string) {
	for _, e := range d.Edges {
		if e.Calls.times() >= factor {
			more = append(more, e.callsMore())
		}
	}
	return more
}

// callsMore says how many calls are made for a request now.
func (e Edge) callsMore() string {
	return fmt.Sprintf("%s calls %s %s for each of its requests instead of %.1f", e.From, e.To, times(e.Calls.Now),
		e.Calls.Before)
}
