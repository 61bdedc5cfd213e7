// SPDX-License-Identifier: Apache-2.0

package diagnose

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/prometheus/common/model"
)

// nearLimit is the share of the response time from which on waiting for a tier's own work is worth a sentence although
// nothing is wrong, if oneWaits requests wait on average: with a little more load, that tier is at its limit.
const (
	nearLimit = 0.3
	oneWaits  = 1
)

// nextLimit is what to do if all is well: nothing. It also names the tier that comes to its limit first, if one is
// near it.
func (d diagnosis) nextLimit() string {
	for _, e := range d.Blame { // the greatest first
		if e.Cause != causeDemand || e.Seconds < nearLimit*d.total() || e.Seconds*d.Throughput < oneWaits {
			continue
		}
		if d.forOutside(e.Tier) >= mostOutside {
			return theyWait(e.Tier)
		}
		busy := ""
		if t, _ := d.time(e.Tier); t.Busy != nil && *t.Busy >= busyShare {
			busy = ", with processors that are " + percent(*t.Busy) + " busy"
		}
		return fmt.Sprintf("Nothing now. But %s is the next tier to reach its limit: %s of the mean response time of "+
			"%s are spent waiting for its work%s.",
			e.Tier, millis(e.Seconds), millis(d.total()), busy)
	}
	if past := d.unexplained(); past != "" {
		return "Nothing now. " + past
	}
	return nothing + d.mostWaiting()
}

// unexplained is how to learn more of the longest time in the range in which something was wrong that Nstar did not
// name; empty if there was none for long.
func (d diagnosis) unexplained() string {
	var from, until, since time.Time
	before := Learning
	for _, e := range d.Evaluations {
		switch {
		case e.Verdict == Learning && before == Healthy:
			since = e.At
		case e.Verdict != Learning && !since.IsZero():
			if e.At.Sub(since) > until.Sub(from) {
				from, until = since, e.At
			}
			since = time.Time{}
		}
		before = e.Verdict
	}
	lasted := until.Sub(from)
	if lasted < worthAsking {
		return ""
	}
	return fmt.Sprintf("For what was wrong from %s to %s, ask for that time alone: --time %s --last %s.", d.clock(from),
		d.clock(until), until.UTC().Format(time.RFC3339), model.Duration(lasted.Round(time.Second)))
}

// worthAsking is how long something must have been wrong for its time to be worth a question of its own.
const worthAsking = 20 * time.Second

// nothing is what to do if there is nothing to do.
const nothing = "Nothing."

// mostWaiting says what requests mostly wait for, if they wait for half of their time and their users may notice it.
func (d diagnosis) mostWaiting() string {
	e, known := d.greatest(nearLimit)
	if !known || d.unwaited(noticedTimes) == "" || d.total()-d.base() < noticedSeconds {
		return ""
	}
	dearer := ""
	if t, _ := d.time(e.Tier); e.Cause == causeDemand {
		if t.Cost.times() < grown {
			return "" // its processors have time: it may be something else that is counted as its work
		}
		dearer = fmt.Sprintf(" %s: is it %s?", capital(t.dearer()), d.whyDearer())
	}
	return fmt.Sprintf(" If it should be quicker: most of the waiting, %s of %s, is in %s (cause: %s).%s",
		millis(e.Seconds), millis(d.total()-d.base()), e.Tier, causeName(e.Cause), dearer)
}

// greatest is the greatest part of the waiting, if its cause is known and it is at least so large a part of the
// response time.
func (d diagnosis) greatest(least float64) (e Excess, known bool) {
	if len(d.Blame) == 0 || d.Blame[0].Cause == causeUnknown || d.Blame[0].Seconds < least*d.total() {
		return Excess{}, false
	}
	return d.Blame[0], true
}

const (
	// lesserShare of the mean response time is worth advice though it is too little for a verdict.
	lesserShare = 0.1
	// lesserSeconds of it are the least that anybody cares for.
	lesserSeconds = 2e-3
)

// lesser is what to do against the largest of the causes that can be cured, if it is too little for a verdict and too
// much for silence; empty if there is none.
func (d diagnosis) lesser() string {
	most, found := d.curable(nil)
	if !found {
		return ""
	}
	d.about(most)
	first, _ := d.cure(most.Tier, "")
	return fmt.Sprintf("Nothing is urgent. But %s %s", d.blame(), first)
}

// second is what to do against what costs a third of what the bottleneck does, in a tier that is not to blame
// together with it, after what to do first; empty if there is none.
func (d diagnosis) second(first string) string {
	named := append([]string{d.finding.Tier}, d.alike()...)
	most, found := d.curable(named)
	if !found || d.finding.Verdict != SingleBottleneck || d.over() != "" || 3*most.Seconds < d.seconds {
		return ""
	}
	tier := d.finding.Tier
	d.about(most)
	cure, _ := d.cure(most.Tier, "")
	if cure == strings.ReplaceAll(first, tier, most.Tier) {
		cure = "the same."
	}
	return fmt.Sprintf("Then, for %s (%s of the response time; cause: %s): %s", most.Tier, percent(d.share),
		causeName(most.Cause), cure)
}

// curable is the largest part of the waiting that can be cured and is worth it, but not in certain tiers. Below a
// limit, waiting for work is no cause to cure.
func (d diagnosis) curable(except []string) (most Excess, found bool) {
	for _, e := range d.Blame {
		switch e.Cause {
		case causePlace, causeThrottled, causeStopped, causeCollection, causeDisk, causeNetwork:
			if e.Seconds > most.Seconds && !slices.Contains(except, e.Tier) {
				most = e
			}
		}
	}
	return most, most.Seconds >= max(lesserShare*d.total(), lesserSeconds) && d.measures(most.Tier)
}

// about makes a part of the waiting what the sentences are about.
func (d *diagnosis) about(e Excess) {
	d.finding = Finding{SingleBottleneck, e.Tier, e.Cause}
	d.seconds, d.share = e.Seconds, e.Seconds/d.total()
}
