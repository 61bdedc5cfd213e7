// SPDX-License-Identifier: Apache-2.0

package diagnose

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/prometheus/common/model"
)

// wasLonger is how many times as long as now requests took in the range, if that is worth a sentence.
const wasLonger = 2

// shortest is how long an application must be known before it has figures.
const shortest = 30 * time.Second

// summary is the verdict in sentences: whether anything is wrong, where
// requests wait and why, and since when.
func (d diagnosis) summary() string {
	switch d.finding.Verdict {
	case NotEnoughData:
		if len(d.Evaluations) == 0 {
			return d.Name + ": nothing has been recorded in this range."
		}
		if n := len(d.Evaluations); d.Evaluations[n-1].At.Sub(d.Evaluations[0].At) < shortest {
			return d.Name + ": too little was recorded in this range to say anything."
		}
		return d.Name + ": there were no requests in this range."
	case Healthy:
		is := d.Name + " is"
		switch last, found := d.last(); {
		case d.justNamed() != "":
			is = d.justNamed() + " Before that it was"
		case d.rising():
			is = d.lately() + " Before that it was"
		case found && last.Verdict != Healthy:
			is = d.Name + " was" // and what it is now, is not known yet
		}
		now := ""
		if d.Latest > 0 && d.total() >= wasLonger*d.Latest { // what was before that is in the mean
			now = fmt.Sprintf("requests now take %s; the whole range had ", millis(d.Latest))
		}
		mean := fmt.Sprintf("%s mean response time at %s%s%s", millis(d.total()), per(d.Throughput), d.mostly(),
			d.unwaited(noticedTimes))
		if theirs := d.ofOthers(); theirs > 0 {
			mean = fmt.Sprintf("%s mean response time at %s (%s with the requests of clients that are no tiers)",
				millis(d.total()-theirs), per(d.Throughput), millis(d.total()))
		}
		return fmt.Sprintf("%s healthy%s: %s%s. %s", is, d.butErrors(), now, mean, d.span())
	case Learning:
		why := "Nstar is still learning what is normal here, so it names no cause yet."
		switch {
		case d.troubled():
			why = d.Errors[0].sentence() + " " + d.besideErrors()
		case d.Slower != nil:
			why = d.Slower.sentence() + " " + d.unnamed()
		case d.slow():
			why = strings.TrimSpace("Something is wrong, and it is not known yet what it is. " + d.suspect())
		case d.restless() != "":
			why = "Answers do not take long, but work that no answer waits for may be late."
		case d.sawErrors(): // and gets none any more
			why = d.Errors[0].sentence()
		case d.wasWell():
			why = "What is normal here has changed, and Nstar learns it again, so it names no cause yet."
		}
		mean := "Requests take " + millis(d.total()) + " on average"
		if d.Slower != nil {
			mean = "On average over this range they take " + millis(d.total())
		}
		return fmt.Sprintf("%s: %s %s%s%s. %s", d.Name, why, mean, d.mostly(), d.untold(), d.span())
	case AlternatingBottleneck:
		between := d.finding.Tier + " and the tiers next to it"
		for _, a := range d.alternations() {
			if a.Pearson > opposed && d.bothPause(Edge{From: a.From, To: a.To}) {
				between = fmt.Sprintf("%s and %s, both of which stand still again and again, not at the same time",
					a.From, a.To)
				continue
			}
			between = fmt.Sprintf(
				"%s and %s, whose own queues take turns (which of the two is longer changes %.0f times a minute, "+
					"correlation %.2f)", a.From, a.To, a.TurnsPerMinute, a.Pearson)
		}
		return fmt.Sprintf("%sThe bottleneck of %s alternates between %s; %s %s", d.over(), d.Name, between,
			d.blame(), d.span())
	}
	return fmt.Sprintf("%sIn %s, %s %s", d.over(), d.Name, d.blame(), d.span())
}

// wasWell reports whether all was well before the present state began.
func (d diagnosis) wasWell() bool {
	before, found := d.before()
	return found && before.Verdict == Healthy
}

// before is what was found before the finding held; false if there was nothing.
func (d diagnosis) before() (Finding, bool) {
	return prevailing(part(d.Evaluations, func(at time.Time) bool { return at.Before(d.Held) }))
}

// slow reports whether requests take so much longer than without waiting that the application can't be healthy.
func (d diagnosis) slow() bool { return d.unwaited(slowTimes) != "" }

// over says that all is well now, and has been for longer than a glimpse, if the following sentences are about the
// time before; otherwise it is empty.
func (d diagnosis) over() string {
	last, found := d.last()
	if !found || last.Verdict != Healthy {
		return ""
	}
	end := d.observed.To
	from, _ := held(d.Evaluations, last.Finding, d.longestBreak())
	if _, until := held(d.Evaluations, d.finding, 0); from.Before(until) {
		from = until
	}
	if end.Sub(from) < glimpse {
		return ""
	}
	return fmt.Sprintf("All is well in %s now, since %s. Before that: ", d.Name, d.clock(from))
}

// mostly names the tier where requests spend most of their time.
func (d diagnosis) mostly() string {
	if len(d.Times) < 2 {
		return ""
	}
	longest := d.longest()
	return fmt.Sprintf(", %s of it in %s", millis(longest.Own), longest.Tier)
}

// longest is the tier where requests spend most of their time.
func (d diagnosis) longest() TierTime {
	return slices.MaxFunc(d.Times, func(a, b TierTime) int { return cmp.Compare(a.Own, b.Own) })
}

// unwaited is how long requests would take without waiting, if they now take a given multiple of that.
func (d diagnosis) unwaited(times float64) string {
	if base := d.base(); d.total() >= times*base && base > 0 {
		return fmt.Sprintf("; without waiting it would be %s", millis(base))
	}
	return ""
}

const (
	// slowTimes the base time is too long to be healthy; from there on the rules say at least learning.
	slowTimes = 5
	// noticedTimes the base time is usual at three quarters of the capacity, and worth knowing.
	noticedTimes = 2
)

// untold names the tier with the most time that may be waiting or work, if it is worth a sentence. Otherwise
// it says by how much requests are too slow.
func (d diagnosis) untold() string {
	for _, e := range d.Blame { // the greatest first
		if e.Cause == causeUnknown && e.Seconds >= causeShare*d.total() {
			t, _ := d.time(e.Tier)
			if t.sleeps() && e.Seconds > t.Own { // most of it in the tiers before it
				return fmt.Sprintf("; for %s of it they wait for %s, where they sleep for %s, %s",
					millis(e.Seconds), e.Tier, millis(t.Own), d.whySleep(e.Tier))
			}
			if t.sleepsFor(e.Seconds) {
				return fmt.Sprintf("; for %s of it they sleep in %s, %s", millis(e.Seconds), e.Tier, d.whySleep(e.Tier))
			}
			return fmt.Sprintf("; Nstar cannot tell yet whether %s of it in %s are work or waiting",
				millis(e.Seconds), e.Tier)
		}
	}
	return d.neighboursSoFar() + d.restless() + d.unwaited(slowTimes)
}

// whySleep is what is known about why requests sleep in a tier.
func (d diagnosis) whySleep(tier string) string {
	if n := d.locked(tier); n > 0 {
		return fmt.Sprintf("%.*f of them on average until another thread wakes them, as for a lock, or for a "+
			"place that other requests hold", decimals(n), n)
	}
	return "and Nstar cannot see why"
}

// locked is how many requests sleep in a tier until another thread wakes them; 0 if the tier computes in one thread, or
// if its idle threads sleep in the same way.
func (d diagnosis) locked(tier string) float64 {
	if name := d.Programs[tier].Name; computesAlone[name] || schedulesItself[name] {
		return 0
	}
	return d.evident(tier, "lock")
}

// toNeighbours is what other programs on the same processors cost, in seconds for each request; 0 if that is not worth
// a sentence.
func (d diagnosis) toNeighbours() float64 {
	sum := 0.0
	for _, e := range d.Blame {
		if e.Cause == causeNeighbour {
			sum += e.Seconds
		}
	}
	if sum < neighbourShare*d.total() {
		return 0
	}
	return sum
}

// neighboursSoFar says what other programs on the same processors cost, although it is not enough for a verdict: it is
// measured, even if other things are not known.
func (d diagnosis) neighboursSoFar() string {
	lost := d.toNeighbours()
	if lost == 0 {
		return ""
	}
	return fmt.Sprintf("; for %s of it they wait for processors that something else uses", millis(lost))
}

// neighbourShare of the response time is half of what makes neighbours the verdict.
const neighbourShare = 0.2

// blame says what is to blame and what it costs.
func (d diagnosis) blame() string {
	tier := d.finding.Tier
	if c := d.consumer(); c != nil {
		return d.blameConsumed(*c)
	}
	switch d.finding.Cause {
	case causeDemand:
		if d.sharers() != nil {
			return d.blameCrowd()
		}
		if dearer := d.dearerBelowLimit(); dearer != "" {
			return dearer + d.cost(d.forWork(), d.load())
		}
		if len(d.alike()) > 0 {
			return d.kind() + " are at their limits: " + d.cost(d.forWork(), d.load())
		}
		return tier + " is at its limit: " + d.cost(d.forWork(), d.load())
	case causeErrors:
		return d.blameErrors()
	case causeCacheLost:
		return d.blameCacheLost()
	case causeBurst:
		return "a burst of load took " + tier + " to its limit: " + d.cost(d.forWork(), d.load())
	case causeCollection:
		return "garbage collection stops " + d.kind() + ": " +
			d.cost("for it and for the backlog that it leaves", d.stops())
	case causeStopped:
		if gone := d.gone(); gone != "" {
			return gone
		}
		if d.keepsSome() {
			return "something holds some of the requests in " + tier + ", while other requests go on: " +
				d.cost("for it", inBrackets(d.heldBy()))
		}
		return d.standing() + ": " + d.cost("for that and for the backlog that it leaves", d.stops())
	case causePlace:
		edge, limit := d.place()
		to := edge.To
		rivals, theirs := d.rivals()
		_, pool, keeps := d.keeps()
		switch {
		case len(rivals) > 0 && !d.ownPlace():
			return d.blameRivals(tier, rivals, theirs)
		case d.ownPlace() && len(d.perhaps()) > 0:
			return fmt.Sprintf("requests in %s wait for each other, while its processors have time: %s", tier,
				d.cost("in "+tier+" for something that only a few of them can have at a time", d.crowd()))
		case d.ownPlace() && d.computes():
			return fmt.Sprintf("requests wait for one thread of %s that does its work and has no time left: %s", tier,
				d.cost("in "+tier+" for it", d.crowd()))
		case d.ownPlace():
			while := "while its processors have time"
			if d.oneComputes() {
				while = "and one of its threads computes nearly all the time"
			}
			return fmt.Sprintf("%s already works on as many requests as it takes on at a time%s, %s: %s", tier,
				d.atOnce(), while, d.cost("in "+tier+
					" for one of its workers, or for what all of its workers wait for", d.crowd()))
		case edge.lost():
			return fmt.Sprintf("requests of %s get no connection to %s any more, though %.0f are open and none of "+
				"them is in use: %s", tier, to, *edge.Connections, d.cost("in "+tier+" for one of them", ""))
		case keeps:
			return d.blameKept(edge, pool)
		case edge.spare() > 0:
			return fmt.Sprintf("%s never has more than %s to %s under way, though %.0f connections are open and %s "+
				"has time: %s",
				tier, atATime(limit), to, edge.spare(), to,
				d.cost("in "+tier+" until one of these calls ends", ""))
		case to != "" && limit == 1:
			return fmt.Sprintf("the only connection from %s to %s is in use while %s has time: %s",
				tier, to, to, d.cost("in "+tier+" for it", ""))
		case to != "" && edge.shared():
			return fmt.Sprintf("%s never has more than %.0f calls at a time to %s under way, while %s has time: %s",
				tier, limit, to, to, d.cost("in "+tier+" until one of these calls ends", ""))
		case to != "" && limit > 0:
			return fmt.Sprintf("all %.0f connections from %s to %s are in use while %s has time: %s",
				limit, tier, to, to, d.cost("in "+tier+" for one of them", ""))
		case to != "" && edge.allInUse():
			return fmt.Sprintf("requests wait in %s for a connection to %s while %s has time: %s",
				tier, to, to, d.cost("for that", ""))
		case to != "":
			return fmt.Sprintf("requests wait in %s before they may call %s, while %s has time: %s",
				tier, to, to, d.cost("for that", ""))
		}
		return fmt.Sprintf("requests wait in %s for a place in a pool or for a worker, while the tier behind has "+
			"time: %s",
			tier, d.cost("for that", ""))
	case causeSlow:
		if app, _, other := strings.Cut(tier, "/"); other {
			return fmt.Sprintf("%s, a tier of the application %s, is slow: %s", tier, app,
				d.cost("for its answers", ""))
		}
		if d.uncharged() {
			return fmt.Sprintf("%s is slow, though no thread works on its requests: %s of the present response time "+
				"is more than is usual there, and meanwhile its requests sleep.", tier,
				percent(share(d.Evaluations, d.finding)))
		}
		if d.measures(tier) {
			return tier + " is slow, though no thread works on its requests: " +
				d.cost("in it for something that is not measured",
					"; its requests sleep for several times as long as before")
		}
		if d.noAnswerAt(tier) {
			return "no connection to " + tier + " could be opened: " + d.cost("for it", "")
		}
		return tier + ", which Nstar does not measure, is slow: " + d.cost("for its answers", "")
	case causeThrottled:
		return "a CPU quota holds " + tier + " back: " + d.cost("for the processors that it may not use",
			inBrackets(d.heldBy()))
	case causeDisk:
		return tier + " waits for its disk: " + d.cost("for the disk, or for another request that waits for the disk",
			d.atDisk())
	case causeNetwork:
		return "the network loses data between " + tier + " and its callers, and TCP sends the data again 200 ms " +
			"later or more: " + d.cost("for that", "")
	case causeNeighbour:
		return "something else takes the processors that " + d.robbed() + ": " + d.cost("for "+d.processors(), "")
	case causeUnknown:
		return "requests wait long in " + tier + " for an unknown reason: " + d.cost("there", "")
	}
	return causeName(d.finding.Cause) + " slows " + tier + ": " + d.cost("for that", "")
}

// atATime is a number of calls.
func atATime(limit float64) string {
	if limit == 1 {
		return "one call at a time"
	}
	return fmt.Sprintf("%.0f calls at a time", limit)
}

// cost is the part of the response time that is spent waiting for something.
func (d diagnosis) cost(what, facts string) string {
	if d.total() <= 0 {
		return "no request was answered" + facts + "."
	}
	return fmt.Sprintf("%s are spent waiting %s%s.", d.part(), what, facts)
}

// part is what the bottleneck costs of the response time.
func (d diagnosis) part() string {
	return fmt.Sprintf("%s (%s) of the mean response time of %s", millis(d.seconds), percent(d.share),
		millis(d.total()))
}

// forWork says where the requests wait that wait for the work of the bottleneck.
func (d diagnosis) forWork() string {
	if len(d.alike()) > 0 {
		return "for the work of " + d.kind()
	}
	t, ok := d.time(d.finding.Tier)
	const rounding = 1.02 // of means that are taken one by one
	if own := t.Own - t.Base; ok && d.seconds > own*rounding && own >= 0 {
		return fmt.Sprintf("for the work of %s, %s of it in %s itself and the rest in the tiers in front of it",
			t.Tier, millis(own), t.Tier)
	}
	return fmt.Sprintf("in %s for its own work", d.finding.Tier)
}

// frozen is the part of the time in which the bottleneck stood still, of the one of its servers that did so most.
func (d diagnosis) frozen() (share float64) {
	for _, s := range d.serversOf(d.finding.Tier) {
		share = max(share, s.Share[stateFrozen])
	}
	return share
}

// stoodStill says so.
func (d diagnosis) stoodStill() string {
	return fmt.Sprintf("%s stood still, while requests waited, for %s of the time", d.finding.Tier, percent(d.frozen()))
}

// noticedStops of what a stop costs is the least for which the tier must have stood still, if that is told: a lock
// holds requests while others go on.
const noticedStops = 0.1

// stops tells how often the bottleneck was frozen and collected garbage.
func (d diagnosis) stops() string {
	var facts []string
	if d.frozen() >= noticedStops*d.share && d.frozen() > 0 && !d.halves() {
		facts = append(facts, d.stoodStill())
	}
	if t, _ := d.time(d.finding.Tier); t.Collection != nil && d.finding.Cause == causeCollection {
		facts = append(facts, fmt.Sprintf("it collected garbage for %s of the time", percent(*t.Collection)))
	}
	if words := d.meanwhile(); words != "" && d.finding.Cause == causeStopped {
		return inBrackets(append(facts, words)) // of these windows, not of all the time
	}
	return inBrackets(append(facts, d.heldBy()...))
}

// ownPlace reports whether requests wait for the bottleneck's own workers rather than for a place at a tier behind.
func (d diagnosis) ownPlace() bool {
	if d.hardlyAccepts(d.finding.Tier) {
		return true
	}
	own, others := 0.0, 0.0
	for _, p := range d.OwnPlaces {
		if p.Tier == d.finding.Tier {
			own += p.Waited
		}
	}
	for _, e := range d.Edges {
		if e.From != d.finding.Tier {
			continue
		}
		others = max(others, e.Waited)
		if d.toBlame(e.To) < d.excess(d.finding.Tier, d.finding.Cause)/2 { // slower than it was, but with time for more
			own += e.Behind
		}
	}
	return own > others
}

// crowd is further evidence that all of the bottleneck's workers are taken, or of what takes them.
func (d diagnosis) crowd() string {
	facts := d.heldBy()
	if words := d.unaccepted(d.finding.Tier); words != "" {
		facts = append([]string{words}, facts...)
	}
	return inBrackets(facts)
}

// atOnce is how many requests the bottleneck works on at a time, if that is known.
func (d diagnosis) atOnce() string {
	if n := d.workers(); n > 0 {
		return fmt.Sprintf(" (about %.0f)", n)
	}
	return ""
}

func (d diagnosis) serversOf(tier string) []Tier {
	var found []Tier
	for _, s := range d.servers {
		if s.Tier == tier {
			found = append(found, s)
		}
	}
	return found
}

// evidence is a sentence on one cause, with its figures.
func (d diagnosis) evidence(c Cause) string {
	s := fmt.Sprintf("%s accounts for %s (%s) of the mean response time",
		subject(c.Tier, c.Cause), millis(c.Milliseconds/1000), percent(c.Share))
	if c.TailShare > 0 {
		s += fmt.Sprintf(" and for %s of the longest waits", percent(c.TailShare))
	}
	if c.Correlation != nil {
		s += fmt.Sprintf("; %s's own queue moved with it (correlation %.2f)", c.Tier, *c.Correlation)
	}
	if c.Cause == causeNeighbour && d.finding.Cause != causeNeighbour { // those of the finding are in its own sentence
		if named := d.noisy(c.Tier); named != nil {
			s += "; " + list(named) + " had its processors"
		}
	}
	return s + "."
}

// span says since when the finding has held, and what was before and after it
// in the range.
func (d diagnosis) span() string {
	end := d.observed.To
	_, until := held(d.Evaluations, d.finding, d.longestBreak())
	before, changed := d.before()
	if last := d.Evaluations[len(d.Evaluations)-1]; last.At.After(until) {
		again := ""
		if changed && before == last.Finding {
			again = " again"
		}
		from, _ := held(d.Evaluations, last.Finding, d.longestBreak())
		if from.Before(until) {
			from = until
		}
		since := ""
		if d.justNamed() == "" {
			since = fmt.Sprintf("; since %s: %s%s", d.clock(from), words(last.Finding), again)
		}
		s := fmt.Sprintf("That was so from %s to %s%s.", d.clock(d.Held), d.clock(until), since)
		if last.Verdict == Learning && d.Slower != nil {
			s += " " + d.Slower.sentence() // something else may be wrong now
		}
		return s
	}
	lasted := end.Sub(d.Held).Round(time.Second)
	if lasted > time.Hour {
		lasted = lasted.Round(time.Minute)
	}
	if d.finding.Verdict == Healthy && d.rising() {
		return fmt.Sprintf("That was so from %s on%s.", d.clock(d.Held), d.interrupted())
	}
	// A cause is named some seconds after it has begun, and a burst when it is over.
	so := "It has been so"
	if d.finding.Verdict != Healthy && d.finding.Verdict != Learning {
		so = "Nstar has named it"
	}
	if d.HeldLonger {
		return so + " for more than a day."
	}
	s := fmt.Sprintf("%s since %s, for %s%s.", so, d.clock(d.Held), model.Duration(lasted), d.interrupted())
	if changed {
		s += fmt.Sprintf(" Before that: %s.", words(before))
	}
	return s + d.hasSubsided()
}

// interrupted says that the finding has not held all the time, as far as the range shows, and when it did not, if it
// was once.
func (d diagnosis) interrupted() string {
	var breaks []Evaluation // the first of each
	var over time.Time
	holds := true
	for _, e := range d.Evaluations {
		if e.At.Before(d.Held) {
			continue
		}
		if e.Finding != d.finding && (holds || e.Finding != breaks[len(breaks)-1].Finding) {
			breaks = append(breaks, e)
		}
		if holds = e.Finding == d.finding; holds && len(breaks) > 0 && over.Before(breaks[len(breaks)-1].At) {
			over = e.At
		}
	}
	switch {
	case len(breaks) == 0:
		return ""
	case len(breaks) == 1 && holds:
		first := breaks[0]
		return fmt.Sprintf(", but not from %s to %s (%s)", d.clock(first.At), d.clock(over), words(first.Finding))
	}
	return ", with breaks"
}

// clock writes a time of day, with seconds in short ranges, and with the date if it is another day.
func (d diagnosis) clock(t time.Time) string {
	t, end := t.UTC(), d.observed.To.UTC()
	layout := "15:04"
	if end.Sub(d.observed.From) < 15*time.Minute && end.Sub(t) < time.Hour {
		layout = time.TimeOnly
	}
	if t.YearDay() != end.YearDay() || t.Year() != end.Year() {
		layout = "2 Jan " + layout
	}
	return t.Format(layout)
}

// words is a finding in a few words.
func words(f Finding) string {
	switch {
	case f.Verdict == Healthy:
		return "healthy"
	case f.Verdict == Learning:
		return "learning"
	case f.Cause == causeDemand:
		return f.Tier + " at its limit"
	case f.Cause == causeBurst:
		return "a burst at " + f.Tier
	case f.Cause == causeStopped:
		return "stops in " + f.Tier
	case f.Cause == causeSlow:
		return f.Tier + " slow"
	case f.Cause == causeDisk, f.Cause == causeNetwork:
		return "waiting in " + f.Tier + " for " + causeName(f.Cause)
	case f.Cause == causeErrors:
		return f.Tier + " answers with errors"
	case f.Cause == causeCacheLost:
		return f.Tier + " without its cache"
	case f.Cause == causeUnknown:
		return "waiting in " + f.Tier + " for an unknown reason"
	}
	return causeName(f.Cause) + " in " + f.Tier
}

func inBrackets(facts []string) string {
	if len(facts) == 0 {
		return ""
	}
	return " (" + strings.Join(facts, "; ") + ")"
}

// decimals shows a short queue with one decimal.
func decimals(v float64) int {
	if v < 9.95 {
		return 1
	}
	return 0
}
