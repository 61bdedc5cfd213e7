// SPDX-License-Identifier: Apache-2.0

package diagnose

import (
	"fmt"
	"strings"
)

const adviceOnTime = "Let the application work under its usual load for a minute or two, then ask again."

// slowSpeed is the speed, relative to the learned one, below which a tier is
// slowed by something: machines drift by 20 % of themselves.
const slowSpeed = 0.8

// advice says what to do first, and what would not help.
func (d diagnosis) advice() string {
	switch d.finding.Verdict {
	case NotEnoughData:
		return adviceOnTime
	case Healthy:
		return "Nothing."
	case Learning:
		return d.needs()
	}
	first, useless := d.cure()
	// What would not help is only said of tiers that are not to blame at all.
	if d.others() == "" && d.finding.Cause != causePlace && d.finding.Cause != causeUnknown {
		return first
	}
	return strings.TrimSpace(first + " " + useless)
}

// cure is what helps against the cause, and what would not.
func (d diagnosis) cure() (first, useless string) {
	tier := d.finding.Tier
	others := d.others()
	switch d.finding.Cause {
	case causeDemand:
		if d.finding.Verdict == AlternatingBottleneck {
			both := tier + " and the tier that it takes turns with"
			for _, a := range d.alternations() {
				both = a.From + " and " + a.To
			}
			return fmt.Sprintf("Give %s more capacity (cores, instances), both of them, or make their requests cheaper%s.", both, d.slowed()),
				"More capacity for one of them alone would gain little: the other takes over."
		}
		return fmt.Sprintf("Give %s more capacity (cores, instances), or make its requests cheaper%s.", tier, d.slowed()),
			fmt.Sprintf("More capacity for %s, and more threads or connections towards %s, would gain nothing: requests would only wait elsewhere.", others, tier)
	case causeBurst:
		return fmt.Sprintf("Nothing is broken: for a while more arrived than %s can do%s. If it comes again, spread that load (jobs, retries, caches that end together) or give %s room%s.",
				tier, d.most(), tier, d.slowed()),
			fmt.Sprintf("More capacity for %s would not help.", others)
	case causeCollection:
		return fmt.Sprintf("In %s, use a garbage collector with short pauses (G1, ZGC or Shenandoah) and a roomy heap, or keep less alive in it; "+
				"the collector's log (-Xlog:gc) shows the pauses.", tier),
			fmt.Sprintf("More capacity for %s would gain little: the work comes in bursts after each pause.", others)
	case causeStopped:
		return fmt.Sprintf("Look for what stops %s (often for a tenth of a second at a time): a CPU quota (nr_throttled in cpu.stat of its cgroup), "+
				"a lock, a slow disk, a checkpoint or snapshot, a neighbour on its cores.", tier),
			fmt.Sprintf("More capacity for %s would gain little, nor would more threads or connections: nothing leaves %s while it stands.", others, tier)
	case causePlace:
		to, _ := d.place()
		if to == "" {
			return fmt.Sprintf("Raise the pool or the number of workers that %s waits for.", tier),
				"More capacity for the tiers behind it would gain nothing: they have time."
		}
		return fmt.Sprintf("Raise that pool (or %s's worker threads), step by step: once %s is at its limit, more connections gain nothing.", tier, to),
			d.behind(to)
	case causeSlow:
		if _, measured := d.time(tier); measured {
			return fmt.Sprintf("Run nstar_exporter on the host that %s calls, or look there yourself (its log, its load).", tier),
				fmt.Sprintf("More capacity for %s would gain little: it waits for others.", tier)
		}
		return fmt.Sprintf("Run nstar_exporter on the host of %s, or look there yourself (its log, its load).", tier),
			fmt.Sprintf("More capacity for %s would gain little: the time passes elsewhere.", others)
	case causeUnknown:
		return d.needs(), "Do not add capacity before that is known."
	}
	return remedy(tier, d.finding.Cause), fmt.Sprintf("More capacity for %s would gain little.", others)
}

// remedies are for causes that the rules may name once they are measured; any
// other gets the general one.
var remedies = map[string]string{
	"noisy_neighbour": "Move the neighbour of %s to another host or other cores, or give %[1]s its own.",
	"disk":            "Look at what %s writes and reads while it waits, and give it a faster or a quieter disk.",
}

func remedy(tier, cause string) string {
	if s, ok := remedies[cause]; ok {
		return fmt.Sprintf(s, tier)
	}
	return fmt.Sprintf("Look into %s in %s.", causeName(cause), tier)
}

// behind says that more of the tier behind a pool would not help, where it is
// not to blame for other waiting.
func (d diagnosis) behind(to string) string {
	if d.toBlame(to) >= causeShare*d.total() {
		return ""
	}
	return fmt.Sprintf("More %s would gain nothing: it has time.", to)
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

// others names the tiers with influence that have no part in the blame; empty
// where there is none.
func (d diagnosis) others() string {
	var names []string
	for _, t := range d.Times {
		if t.Tier != d.finding.Tier && d.influential(t.Tier) && d.toBlame(t.Tier) < causeShare*d.total() {
			names = append(names, t.Tier)
		}
	}
	const several = 4 // more would hide what the sentence says
	if len(names) > several {
		return "the other tiers"
	}
	return list(names)
}

// slowed says that the bottleneck is slower than it was.
func (d diagnosis) slowed() string {
	t, _ := d.time(d.finding.Tier)
	if t.Speed == nil || *t.Speed >= slowSpeed {
		return ""
	}
	return fmt.Sprintf("; it runs at %s of the speed it had: look first for a neighbour, a quota (nr_throttled) or a lower clock", percent(*t.Speed))
}

// most is the best throughput of the bottleneck, where it is known.
func (d diagnosis) most() string {
	if servers := d.serversOf(d.finding.Tier); len(servers) == 1 && servers[0].TPMax != nil {
		return fmt.Sprintf(" (%s)", per(*servers[0].TPMax))
	}
	return ""
}

// needs says what is not known yet and how to get it.
func (d diagnosis) needs() string {
	var always, learning []string
	for _, t := range d.Times {
		switch {
		case !d.influential(t.Tier):
		case t.Status == statusAlways:
			always = append(always, t.Tier)
		case t.Status == statusLearning:
			learning = append(learning, t.Tier)
		}
	}
	var needs []string
	if len(always) > 0 {
		needs = append(needs, fmt.Sprintf("Nstar has never seen %s lightly loaded, so it cannot tell waiting from work there: let the load drop "+
			"to about one request at a time for half a minute (it is then kept over restarts), or give the base residence in nstar_exporter's file.", list(always)))
	}
	if len(learning) > 0 {
		needs = append(needs, fmt.Sprintf("Nstar needs a minute or two of the usual load to know %s; ask again then.", list(learning)))
	}
	if len(needs) == 0 {
		return adviceOnTime
	}
	return strings.Join(needs, " ")
}

const (
	// Less than that of the calls and of the own queue is no influence.
	leastCalls = 0.01
	leastQueue = 0.005
	// parallelShare of the own queue makes its part a lower bound worth a note.
	parallelShare = 0.05
)

// influential tells that a tier has a part in the response time.
func (d diagnosis) influential(tier string) bool {
	if tier == d.finding.Tier {
		return true
	}
	t, _ := d.time(tier)
	return t.Calls >= leastCalls || max(t.Own, d.toBlame(tier)) >= leastQueue*d.total() && d.total() > 0
}

// notes are restrictions of the answer.
func (d diagnosis) notes() []string {
	notes := []string{}
	if d.finding.Verdict == NotEnoughData {
		return notes
	}
	for _, t := range d.Times {
		if t.Clipped > parallelShare && d.influential(t.Tier) {
			notes = append(notes, fmt.Sprintf("%s calls other tiers in parallel or outside of requests: its own part (%s) is a lower bound.", t.Tier, millis(t.Own)))
		}
	}
	if d.WorstMissing != "" {
		notes = append(notes, d.WorstMissing)
	}
	return notes
}
