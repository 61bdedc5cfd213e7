// SPDX-License-Identifier: Apache-2.0

package diagnose

import (
	"cmp"
	"fmt"
)

const (
	// Less than that of the calls and of the own queue is no influence.
	leastCalls = 0.01
	leastQueue = 0.005
	// parallelShare of the own queue makes its part a lower bound worth a note.
	parallelShare = 0.05
	// and parallelTime of the response time is the least that matters there: a load
	// balancer's own part is so short that a health check is much of it.
	parallelTime = 0.02
)

// influential reports whether a tier has a part in the response time.
func (d diagnosis) influential(tier string) bool {
	if tier == d.finding.Tier {
		return true
	}
	t, _ := d.time(tier)
	return t.Calls >= leastCalls || max(t.Own, d.toBlame(tier)) >= leastQueue*d.total() && d.total() > 0
}

// folded are the tiers that are not.
func (d diagnosis) folded() map[string]bool {
	folded := map[string]bool{}
	for _, t := range d.Times {
		folded[t.Tier] = !d.influential(t.Tier)
	}
	for _, s := range d.servers {
		folded[s.Tier] = !d.influential(s.Tier)
	}
	return folded
}

// givenUp says that callers of the bottleneck do not wait for its answers, and who they are; empty if they do.
func (d diagnosis) givenUp() string {
	t, _ := d.time(d.finding.Tier)
	if !d.bottleneck() || t.GivenUp < worthGivenUp || d.startedAnew(t.Tier) {
		return "" // a restart ends the connections
	}
	var callers []string
	for _, e := range d.Edges {
		if e.To == t.Tier && e.From != t.Tier {
			callers = append(callers, e.From)
		}
	}
	of, or := cmp.Or(list(callers), "its clients"), ""
	if len(callers) == 0 {
		or = fmt.Sprintf(" Or %s itself closes connections on which a request has just come, because it is short of "+
			"workers.", t.Tier)
	}
	return fmt.Sprintf("%s of the requests to %s were given up before they were answered. They keep %s busy for "+
		"nobody, and more so if they are made again: compare the time-out and the number of tries (retries) of %s "+
		"with how long %s takes.%s", percent(t.GivenUp), t.Tier, t.Tier, of, t.Tier, or)
}

// worthGivenUp is the share of a tier's requests: now and then a client closes its connection.
const worthGivenUp = 0.1

// unawaited says that a tier makes calls that none of its requests waits for.
func unawaited(t TierTime) string {
	return fmt.Sprintf(forInformation+"%s also makes calls that none of its requests waits for (health checks, work "+
		"in the background), or several at once. That is no fault, but its own part of the response time may be "+
		"more than the %s shown here.", t.Tier, millis(t.Own))
}

// toBlame is the waiting that a tier is to blame for, in seconds.
func (d diagnosis) toBlame(tier string) float64 {
	sum := 0.0
	for _, e := range d.Blame {
		if e.Tier == tier {
			sum += e.Seconds
		}
	}
	return sum
}

// others names the tiers with influence that have no part in the blame; empty if there is none.
func (d diagnosis) others() string {
	var names []string
	for _, t := range d.Times {
		if t.Tier != d.finding.Tier && d.influential(t.Tier) && d.toBlame(t.Tier) < causeShare*d.total() {
			names = append(names, t.Tier)
		}
	}
	const several = 4 // more would hide what the sentence says
	if len(names) > several {
		return list(append(names[:several:several], "others"))
	}
	return list(names)
}

// notes are restrictions of the answer, and what happened meanwhile.
func (d diagnosis) notes() []string {
	notes := []string{}
	if d.finding.Verdict == NotEnoughData {
		return notes
	}
	if s := d.silent(); s != "" {
		notes = append(notes, s)
	}
	if s := d.taking(); s != "" {
		notes = append(notes, s)
	}
	notes = append(notes, d.refused()...)
	notes = append(notes, d.failing()...)
	notes = append(notes, d.unbegun()...)
	for _, note := range []string{d.started(), d.ended()} {
		if note != "" {
			notes = append(notes, note)
		}
	}
	for _, t := range d.Times {
		if t.Clipped > parallelShare && d.influential(t.Tier) && t.Clipped*t.Own >= parallelTime*d.total() {
			notes = append(notes, unawaited(t))
		}
	}
	if s := d.moreAsked(); s != "" {
		notes = append(notes, s)
	}
	if s := d.givenUp(); s != "" {
		notes = append(notes, s)
	}
	notes = append(notes, d.forOthers()...)
	notes = append(notes, d.farMoreWork()...)
	notes = append(notes, d.misplaced()...)
	notes = append(notes, d.placed()...)
	for _, s := range []string{d.mirroring(), d.blindly(), d.uncollected(), d.unknownToFollow(), d.several(),
		d.WorstMissing} {
		if s != "" {
			notes = append(notes, s)
		}
	}
	return notes
}
