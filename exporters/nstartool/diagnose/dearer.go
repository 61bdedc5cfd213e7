// SPDX-License-Identifier: Apache-2.0

package diagnose

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/prometheus/common/model"
)

// leastCost is processor time that is too little to count, in seconds: if requests take less, the kernel may not see
// what they use.
const leastCost = 1e-4

// costs reads what requests cost, and usually do, set by tier. Where hardly any is answered because their callers give
// them up, those are counted, too: each costs that at least, because some are given up before the tier begins with
// them.
func (q *querier) costs(each func(expr string, set func(t *TierTime, s *model.Sample))) {
	each(q.growth("nstar_tier_cpu_seconds_total")+" / ("+q.growth("nstar_tier_arrivals_total")+" >= 50)",
		func(t *TierTime, s *model.Sample) {
			if t.GivenUp >= worthGivenUp {
				t.Cost = t.Cost.set(float64(s.Value), false)
			}
		})
	each(q.selector("nstar:tier_cost:seconds15s", ""), func(t *TierTime, s *model.Sample) {
		t.Cost = t.Cost.set(float64(s.Value), false)
	})
	each(q.selector("nstar:tier_usual_cost:seconds", ""), func(t *TierTime, s *model.Sample) {
		t.Cost = t.Cost.set(max(float64(s.Value), leastCost), true)
	})
}

// costsThen reads what a request of the bottleneck cost while it was named for its work, as a median, if that is more
// than it costs now: an index may have been made again since.
func (q *querier) costsThen(apps map[string]*Application) {
	q.whileNamed(apps, causeDemand, func(a *Application, tier string, then *querier) {
		for _, s := range then.median(then.selector("nstar:tier_cost:seconds15s", "tier="+strconv.Quote(tier))) {
			for i := range a.Times {
				if t := &a.Times[i]; t.Tier == tier && t.Cost != nil {
					t.Cost.Now = max(t.Cost.Now, float64(s.Value))
				}
			}
		}
	})
}

// whyDearer is why requests may take more work than before; a server that has just been started has the first reason.
func (d diagnosis) whyDearer() string {
	reasons := "a query plan that has changed (a lost index), more data, other requests, a new version"
	switch {
	case d.commandsAreDearer():
		reasons = "a command or a script that takes long (SLOWLOG GET), more data, another client (CLIENT LIST), a " +
			"new version"
	case d.pagesAreDearer():
		reasons = "a computation that has come or grown (for requests, or beside them, as of a timer), " +
			d.collectsDearer() + "more data, other requests, a new version"
	}
	if d.readsItself() {
		reasons = "less memory than before for what it keeps of its files, so that it reads them again, " + reasons
	}
	for _, s := range d.Starts {
		now := d.Evaluations[len(d.Evaluations)-1].At
		if t, _ := d.time(s.Tier); t.Cost.times() >= somewhatGrown && !s.At.Before(now.Add(-warmUp)) {
			return fmt.Sprintf("warming up (%s was started at %s), %s", s.Tier, d.clock(s.At), reasons)
		}
	}
	return reasons
}

// pagesAreDearer reports whether all tiers whose requests take far more work than usual call other tiers, or run code
// of the application: they have no query plans, as databases do.
func (d diagnosis) pagesAreDearer() bool {
	some := false
	for _, t := range d.Times {
		if t.Cost.times() < grown {
			continue
		}
		calls := func(e Edge) bool { return e.From == t.Tier && e.To != t.Tier }
		if plans[d.Programs[t.Tier].Name] || d.Code[t.Tier] == "" && !slices.ContainsFunc(d.Edges, calls) {
			return false
		}
		some = true
	}
	return some
}

// dearest is the tier whose requests take most more processor time than usual, of those whose take far more; false if
// there is none.
func (d diagnosis) dearest() (most TierTime, ok bool) {
	for _, t := range d.Times {
		if t.Cost.times() >= grown && (!ok || t.Cost.Now-t.Cost.Before > most.Cost.Now-most.Cost.Before) {
			most, ok = t, true
		}
	}
	return most, ok
}

// commandsAreDearer reports whether it is Redis, which has no query plans.
func (d diagnosis) commandsAreDearer() bool {
	t, ok := d.dearest()
	return ok && d.Programs[t.Tier].Name == "redis"
}

// collectsDearer is garbage collection, as a reason for the tier whose requests take most more work than usual, if its
// collections are no pauses to the exporter, but work; empty if there is no such tier.
func (d diagnosis) collectsDearer() string {
	t, ok := d.dearest()
	if shown := collectionsOf[d.Programs[t.Tier].Name]; ok && shown != "" {
		return fmt.Sprintf("garbage collection of %s, which counts as its work (%s), ", t.Tier, shown)
	}
	return ""
}

// warmUp is for how long the requests of a server that was started may take more work than usual: it compiles code, and
// its caches are empty.
const warmUp = 2 * time.Minute

// askWhy asks why requests have become dearer, behind the sentences that say so.
func (d diagnosis) askWhy(sentences []string) string {
	return strings.Join(sentences, " ") + " Is it " + d.whyDearer() + "?"
}

// dearerRequests is what to do if the bottleneck's requests take more work than before; empty if they don't.
func (d diagnosis) dearerRequests() string {
	t, _ := d.time(d.finding.Tier)
	if t.Cost.times() < grown {
		return ""
	}
	advice := fmt.Sprintf("Find out why the requests of %s have become more expensive: each takes %s of processor "+
		"time, %s as much as usual. Is it %s?", d.finding.Tier, millis(t.Cost.Now), times(t.Cost.times()),
		d.whyDearer())
	if !t.hasTime() {
		advice += " Until then more capacity (" + d.capacity() + ") helps."
	}
	return advice
}

// farDearer is what to look at if all is well, but the requests of a tier take far more work than before; empty if they
// don't. If requests hardly take longer, that is not urgent.
func (d diagnosis) farDearer() string {
	well := "Nothing is at its limit."
	if d.Took.times() < nearlyGrown || d.Took.Now-d.Took.Before < noticedSeconds {
		well = "Nothing is urgent."
	}
	if t, ok := d.farDearest(); ok {
		return fmt.Sprintf("%s But %s. Is it %s?", well, t.takesMore(), d.whyDearer())
	}
	return ""
}

// farDearest is the first tier whose requests take far more work than before, and enough of it to be noticed.
func (d diagnosis) farDearest() (TierTime, bool) {
	for _, t := range d.Times {
		if !d.takesFarMore(t) {
			continue
		}
		// for one request of the tier, or for the several of a page
		if max(t.Cost.Now-t.Cost.Before, t.Own*(1-1/t.Cost.times())) >= noticedCost {
			return t, true
		}
	}
	return TierTime{}, false
}

// takesMore says what a request costs.
func (t TierTime) takesMore() string {
	return fmt.Sprintf("each request of %s takes %s of processor time; %s is usual", t.Tier, millis(t.Cost.Now),
		millis(t.Cost.Before))
}

// takesFarMore reports whether a tier that has a part in the response time takes far more work for a request than
// before.
func (d diagnosis) takesFarMore(t TierTime) bool {
	return t.Cost.times() >= farMore && t.Own >= causeShare*d.total()
}

// nearlyGrown is the factor from which on longer requests are worth advice if far dearer ones explain them.
const nearlyGrown = 1.75

// noticedCost is processor time for a request, in seconds, from which on more of it is worth advice.
const noticedCost = 1e-3

// dearerBelowLimit begins the sentence on a bottleneck that has processor time left, and whose requests have become
// dearer; empty for any other one.
func (d diagnosis) dearerBelowLimit() string {
	t, _ := d.time(d.finding.Tier)
	if !t.dearBelowLimit() {
		return ""
	}
	return fmt.Sprintf("the requests of %s take %s the processor time: ", d.kind(), times(t.Cost.times()))
}

func (t TierTime) dearBelowLimit() bool { return t.Cost.times() >= grown && t.hasTime() }
