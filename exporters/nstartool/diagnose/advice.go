// SPDX-License-Identifier: Apache-2.0

package diagnose

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"
)

const adviceOnTime = "Let the application work under its usual load for a minute or two, then ask again."

const (
	// slowSpeed is the speed, relative to the learned one, below which a tier is
	// slowed by something: machines drift by 20 % of themselves.
	slowSpeed = 0.8
	// busyShare of the processors in use leaves room for more: below it, a tier
	// at its limit waits for something else.
	busyShare = 0.7
)

// advice says what to do first, and what would not help.
func (d diagnosis) advice() string {
	switch d.finding.Verdict {
	case NotEnoughData:
		return adviceOnTime
	case Healthy:
		return d.adviceWhenWell()
	case Learning:
		return d.needs()
	}
	if cure := d.cureEnd(d.finding.Tier); cure != "" {
		return cure // whatever slowed it before
	}
	first, useless := d.cure(d.finding.Tier, d.others())
	if d.over() != "" && d.finding.Cause != causeBurst { // whose cure says so itself
		first = "It is over now. If it comes again: " + first
	}
	return strings.TrimSpace(strings.TrimSpace(first+" "+useless) + " " + d.second(first))
}

// cure is what helps against the cause, and what would not. Only tiers without blame are named as what would
// not help; if there is no such tier, nothing is said.
func (d diagnosis) cure(tier, others string) (first, useless string) {
	useless = except("More capacity for %s would gain little.", others)
	if c := d.consumer(); c != nil && (d.finding.Cause == causeDemand || d.finding.Cause == causePlace) {
		return d.cureConsumed(*c)
	}
	if cure := d.cureMemory(tier); cure != "" {
		return cure, useless
	}
	switch d.finding.Cause {
	case causeDemand:
		if d.sharers() != nil {
			return d.cureCrowd()
		}
		return d.cureDemand(tier, others)
	case causeBurst:
		return fmt.Sprintf("Nothing is broken: for a while more requests arrived than %s can serve%s. If this happens "+
			"again, spread that load over time (jobs, retries, caches that expire together) or "+
			"give %s more capacity%s.", tier, d.most(), tier, d.slowed()), useless
	case causeCollection:
		return fmt.Sprintf(
				"In %s, use a garbage collector with short pauses (G1, ZGC or Shenandoah) and a larger heap, "+
					"or keep fewer objects alive; the collector's log (-Xlog:gc) shows the pauses.", d.kind()),
			except("More capacity for %s would gain little: the work comes in bursts after each pause.", others)
	case causeStopped:
		if d.gone() != "" {
			return cmp.Or(d.cureEnd(tier), d.cureGone(tier), cureBack(tier)), useless
		}
		return d.cureStop(tier, others)
	case causePlace:
		return d.curePlace(tier)
	case causeSlow:
		useless = except("More capacity for %s would gain little: the time passes elsewhere.", others)
		if app, _, other := strings.Cut(tier, "/"); other {
			return "Look at the verdict of the application " + app + " (nstartool diagnose --app " + app + ").", useless
		}
		if cure := d.cureGone(tier); cure != "" {
			return cure, useless
		}
		if d.measures(tier) {
			program, worker, unseen := d.Programs[tier], "", ""
			if asks := d.AsksUnseen[tier]; len(asks) > 0 {
				unseen = list(asks) + ", whose answers Nstar can't see, "
			}
			shows := cmp.Or(locksOf[program.Name], "a thread dump")
			if program.Workers != "" {
				worker = program.worker() + ", "
			}
			return fmt.Sprintf("Find out what the requests of %s wait for (its log, %s): %sa lock, %s%sa timer, a "+
				"service or a file that Nstar does not see. Find out also what was changed when this began.", tier,
				shows, unseen, worker, d.pool(tier)), useless
		}
		return "Run nstar_exporter on the host of " + tier +
			". If it runs there already, add that address and the name of the tier under remotes in the " +
			"configuration file of the exporter on the host of the caller. Or look at " + tier + " yourself (its " +
			"log, its load).", useless
	case causeThrottled:
		return fmt.Sprintf("Raise the CPU limit of %s (cpu.max of its cgroup, CPUQuota= of its unit, limits.cpu of "+
			"its container), or make its requests cheaper; with fewer threads at once a quota lasts longer in each "+
			"period.", tier), useless
	case causeDisk:
		return d.cureWaitingForDisk(tier, others)
	case causeNeighbour:
		return d.cureNeighbour(tier), useless
	case causeNetwork:
		return cureNetwork(tier, others)
	case causeErrors:
		return d.cureFailing(tier)
	case causeCacheLost:
		return d.cureCacheLost(tier, others)
	case causeUnknown:
		return d.needs(), "Do not add capacity before that is known."
	}
	return fmt.Sprintf("Look into %s in %s.", causeName(d.finding.Cause), tier), useless
}

func cureNetwork(tier, others string) (first, useless string) {
	if others != "" {
		useless = fmt.Sprintf("More capacity for %s, and more places in front of %s, would gain nothing.", others, tier)
	}
	return "Find out where segments between " + tier +
		" and its callers get lost: errors and drops of the network interfaces " +
		"(ip -s link), a switch or a cable, a firewall, a link that is full.", useless
}

// except says something of the tiers without blame, or nothing.
func except(format, others string) string {
	if others == "" {
		return ""
	}
	return fmt.Sprintf(format, others)
}

func (d diagnosis) cureDemand(tier, others string) (first, useless string) {
	if d.finding.Verdict == AlternatingBottleneck {
		both := tier + " and the tier that it takes turns with"
		for _, a := range d.alternations() {
			both = a.From + " and " + a.To
		}
		first = "Give more capacity (cores, instances) to both " + both + ", or make their requests cheaper"
		return first + d.slowed() + ".",
			"More capacity for one of them alone would gain little: the other one would be the limit then."
	}
	tier = d.kind()
	useless = "More threads or connections towards " + tier + " would gain nothing: requests would only wait elsewhere."
	if others != "" {
		useless = "More capacity for " + others + ", and m" + useless[1:]
	}
	if others := d.askedByOthers(); others != "" {
		return others, useless
	}
	if dear := d.dearerRequests(); dear != "" {
		return dear + d.andDisk(d.finding.Tier), useless
	}
	first = "Give " + tier + " more capacity (" + d.capacity() + "), or make its requests cheaper"
	return first + d.slowed() + "." + d.andDisk(d.finding.Tier), useless
}

// alike are the tiers that share the bottleneck's work, such as replicas behind a balancer, and are to blame together
// with it for their collections or their work: the same tier calls them, and they have at least half as much of its
// cause. Tiers that take turns are not at their limits together.
func (d diagnosis) alike() (names []string) {
	atOnce := d.finding.Cause == causeDemand && d.finding.Verdict == SingleBottleneck
	if !atOnce && d.finding.Cause != causeCollection {
		return nil
	}
	least := d.excess(d.finding.Tier, d.finding.Cause) / 2
	for _, t := range d.Times {
		shares := slices.ContainsFunc(d.Edges, func(one Edge) bool {
			return one.To == d.finding.Tier && slices.ContainsFunc(d.Edges, func(other Edge) bool {
				return other.From == one.From && other.To == t.Tier
			})
		})
		if shares && t.Tier != d.finding.Tier && least > 0 && d.excess(t.Tier, d.finding.Cause) >= least {
			names = append(names, t.Tier)
		}
	}
	return names
}

// kind is the bottleneck and the tiers that are alike, in words.
func (d diagnosis) kind() string { return list(append([]string{d.finding.Tier}, d.alike()...)) }

// cureLost is what helps against a pool whose connections are not given back.
func (d diagnosis) cureLost(e Edge) (first, useless string) {
	first = fmt.Sprintf("Find out who keeps the connections from %s to %s: code that takes one from the pool and "+
		"does not give it back (a leak; the pool's log and its leak detection tell), or a lock in front of the pool "+
		"(a thread dump tells). Starting %[1]s anew helps for a while.", e.From, e.To)
	return first, fmt.Sprintf("A larger pool would only last longer; more capacity for %s would gain nothing.", e.To)
}

func (d diagnosis) curePlace(tier string) (first, useless string) {
	edge, _ := d.place()
	to := edge.To
	if d.ownPlace() {
		return d.cureOwnPlace(tier)
	}
	if edge.lost() {
		return d.cureLost(edge)
	}
	if to == "" {
		return d.cureUnknownPlace(tier), "More capacity for the tiers behind it would gain nothing: they have time."
	}
	if rivals, limit := d.rivals(); len(rivals) > 0 {
		return d.cureRivals(tier, rivals, limit)
	}
	if d.toBlame(to) < causeShare*d.total() {
		useless = fmt.Sprintf("More capacity for %s would gain nothing: it has time.", to)
	}
	if calls, pool, ok := d.keeps(); ok {
		return d.cureKept(calls, pool), useless
	}
	if edge.shared() {
		return fmt.Sprintf("Raise the number of calls at a time: the streams that %s allows for each connection "+
			"(HTTP/2, gRPC: MAX_CONCURRENT_STREAMS), a limit in %s, or the connections between them. Do that step by "+
			"step: once %s is at its limit, more calls gain nothing.", to, tier, to), useless
	}
	if edge.spare() > 0 {
		return fmt.Sprintf("Raise the limit that lets %s make no more than %s to %s: its worker threads, a limit on "+
			"the rate of requests (such as limit_req of nginx), or a pool of that size%s. More connections like those "+
			"that are idle would gain nothing. Do that step by step: once %s is at its limit, more calls gain nothing.",
			tier, atATime(*edge.Limit), to, d.mayKeep(edge), to), useless
	}
	if edge.Limit == nil && !edge.allInUse() && !d.threadsTaken(tier) {
		return d.cureTurns(tier, edge), useless
	}
	first = d.curePool(tier, edge)
	if p := d.Programs[tier]; edge.Limit != nil && *edge.Limit == 1 && p.Workers != "" {
		first += fmt.Sprintf(" If %s takes on only one request at a time (%s), that is the limit.", tier, p.Workers)
	}
	return first, useless
}

// slowed says that the bottleneck is slower than it was.
func (d diagnosis) slowed() string {
	t, _ := d.time(d.finding.Tier)
	if t.Speed == nil || *t.Speed >= slowSpeed || t.Cost.times() >= somewhatGrown { // the requests are to blame
		return ""
	}
	return fmt.Sprintf("; it runs at %s of its usual speed: look first for a neighbour on its processors, a CPU quota "+
		"(nr_throttled) or a lower clock", percent(*t.Speed))
}

// capacity is what a tier at its limit may lack. It does not lack processors if these are idle.
func (d diagnosis) capacity() string {
	if p := d.Programs[d.finding.Tier]; computesAlone[p.Name] {
		return "more processes of " + p.Name + ", because each computes on one core at a time, or faster cores"
	}
	t, _ := d.time(d.finding.Tier)
	if t.hasProcessors() && t.oneThread() {
		return "more threads or processes that compute, because one thread does nearly all of its work and has no " +
			"time left, or faster cores"
	}
	if t.hasProcessors() {
		why := "its processors are only " + percent(*t.Busy) + " busy"
		if *t.Busy >= someTime {
			why = "its threads hardly ever wait for a processor"
		}
		return why + ": look at its threads, its locks and its disk rather than its cores"
	}
	return "cores, instances"
}

// hasProcessors reports whether the tier lacks no processor: they have much time, or some, and its threads hardly wait
// for one. Requests may wait for one thread then, or for what only one request can have at a time.
func (t TierTime) hasProcessors() bool {
	return t.Busy != nil && (*t.Busy < busyShare ||
		t.Wanted != nil && (*t.Busy < someTime && *t.Wanted < hardlyWanted || *t.Wanted < neverWanted))
}

// oneThread reports whether the busiest thread of the tier has no time left.
func (t TierTime) oneThread() bool { return t.Thread != nil && *t.Thread >= alwaysBusy }

// hasTime reports whether neither its processors nor one of its threads are what the tier lacks.
func (t TierTime) hasTime() bool { return t.hasProcessors() && !t.oneThread() }

const (
	alwaysBusy   = 0.9 // of the time
	someTime     = 0.9 // of the processors, in use
	hardlyWanted = 0.5 // threads that wait for a processor
	// threads that wait, so few that others who have the processors give way, as programs of idle priority do
	neverWanted = 0.15
)

// most is the best throughput of the bottleneck, where it is known.
func (d diagnosis) most() string {
	if servers := d.serversOf(d.finding.Tier); len(servers) == 1 && servers[0].TPMax != nil {
		return fmt.Sprintf(" (%s)", per(*servers[0].TPMax))
	}
	return ""
}

// needs says what is not known yet and how to get it. Tiers with only a little part in the response time are
// left out.
func (d diagnosis) needs() string {
	var needs, full, asleep, always, learning []string
	if cure := d.cureFailed(""); cure != "" {
		needs = append(needs, cure)
	}
	if s, ok := d.cameBack(); ok { // errors were for that
		needs = append(needs, d.cureRestart(s))
	} else if cure := d.cureErrors(); cure != "" {
		needs = append(needs, cure)
	}
	if cure := d.cureDisturbed(); cure != "" {
		needs = append(needs, cure)
	}
	if cure := d.cureSlower(); cure != "" {
		needs = append(needs, cure)
	}
	for _, t := range d.Times {
		if t.Own >= causeShare*d.total() && t.lacksProcessors() {
			full = append(full, t.Tier)
		}
	}
	if len(full) > 0 {
		needs = append(needs, fmt.Sprintf("The processors of %s are full, and threads wait for them. In any case add "+
			"processors, or reduce the work on them (top shows which programs use them).", list(full)))
	}
	for _, t := range d.Times {
		switch {
		case t.Own < causeShare*d.total(), d.isNew():
		case d.asleep(t):
			asleep = append(asleep, t.Tier)
		case t.Status == statusAlways:
			always = append(always, t.Tier)
		case t.Status == statusLearning:
			learning = append(learning, t.Tier)
		}
	}
	if len(asleep) > 0 {
		needs = append(needs, d.look(asleep...))
	}
	if len(always) > 0 {
		needs = append(needs, fmt.Sprintf("Nstar has never seen %s lightly loaded, "+
			"so it cannot tell waiting from work there: "+
			"let the load drop to about one request at a time for half a minute (Nstar keeps over restarts what it "+
			"learns then), or set base_residence in the configuration file of nstar_exporter.", list(always)))
	}
	if len(learning) > 0 {
		needs = append(needs, fmt.Sprintf("To know %s, Nstar needs a minute or two of the usual load, with moments of "+
			"light load (about one request at a time): ask again then. If there are no such moments, set "+
			"base_residence in the configuration file of nstar_exporter.", list(learning)))
	}
	if unseen := d.behindUnseen(); unseen != "" {
		needs = append(needs, unseen)
	}
	if len(d.JobsWait) > 0 {
		needs = append(needs, fmt.Sprintf("Look at the programs that take jobs from %s: whether they run, and what "+
			"they wait for. If they compute all the time, start more of them.", list(d.JobsWait)))
	}
	if len(needs) == 0 && d.wasWell() && d.slow() {
		needs = append(needs, fmt.Sprintf("Look at %s first, where most of the time passes: its log, what its "+
			"threads do. Ask again in a minute.",
			d.longest().Tier))
	}
	if len(needs) == 0 {
		return adviceOnTime
	}
	return strings.Join(needs, " ")
}

// isNew reports whether the application has been seen for too short a time to look into what it does: its first verdict
// lies in the range.
func (d diagnosis) isNew() bool {
	if len(d.Evaluations) == 0 {
		return false
	}
	first := d.Evaluations[0].At
	return first.Sub(d.observed.From) > scrapes && d.observed.To.Sub(first) < newFor
}

// scrapes is how long it takes at most until there is a first verdict of what is measured already.
const scrapes = 10 * time.Second

// newFor is how long an application is new: if all is well, its verdict is healthy by then, as a rule.
const newFor = 45 * time.Second

// sleepy is the share of a tier's own queue from which on its requests sleep:
// no thread works on them.
const sleepy = 0.9

// works is the share of the time in which some thread of a tier runs, or wants to, from which on the requests that
// sleep wait for these threads.
const works = 0.9

// sleeps reports whether the requests in the tier sleep, and no thread that they may wait for works or is ready to
// work.
func (t TierTime) sleeps() bool { return t.sleepsFor(t.Own) }

// sleepsFor reports whether this part of the time that a request spends in the tier is sleep.
func (t TierTime) sleepsFor(seconds float64) bool {
	return t.Asleep != nil && *t.Asleep*t.Own >= sleepy*seconds && !(t.Active != nil && *t.Active >= works) &&
		!t.lacksProcessors()
}

// lacksProcessors reports whether the tier's processors are full, and a thread or more of it waits for one all the
// time.
func (t TierTime) lacksProcessors() bool {
	return t.Busy != nil && *t.Busy >= fullShare && t.Wanted != nil && *t.Wanted >= 1
}

// fullShare of the processors in use leaves none.
const fullShare = 0.97

// unknown is the time in a tier, in seconds per request, that may be work or waiting: which one is not known.
func (d diagnosis) unknown(tier string) float64 {
	for _, e := range d.Blame {
		if e.Tier == tier && e.Cause == causeUnknown {
			return e.Seconds
		}
	}
	return 0
}

// asleep reports whether requests sleep in a tier for a reason that is not known, for so long that look is to say so.
func (d diagnosis) asleep(t TierTime) bool {
	unknown := d.unknown(t.Tier)
	return unknown >= causeShare*d.total() && t.sleepsFor(unknown)
}

// shortOfProcessors reports whether more processors might make a tier quicker: its own are nearly all in use, or a
// tenth of the response time is charged to its work, or to others on its processors.
func (d diagnosis) shortOfProcessors(tier string) bool {
	t, _ := d.time(tier)
	sum := 0.0
	for _, e := range d.Blame {
		if e.Tier == tier && (e.Cause == causeDemand || e.Cause == causeNeighbour) {
			sum += e.Seconds
		}
	}
	return t.Busy != nil && *t.Busy >= someTime || sum >= 2*causeShare*d.total()
}

// look says where to look if requests sleep in tiers for a reason that is not known.
func (d diagnosis) look(tiers ...string) string {
	first := fmt.Sprintf("Look at what requests in %s wait for: no thread works on them", list(tiers))
	if !slices.ContainsFunc(tiers, d.shortOfProcessors) {
		first += ", so more processors would gain nothing"
	}
	first += "."
	if d.behindUnseen() != "" { // what it may be follows
		return first
	}
	shows := "a dump of its threads"
	if len(tiers) == 1 {
		shows = cmp.Or(locksOf[d.Programs[tiers[0]].Name], shows)
	}
	return fmt.Sprintf("%s They may wait for a lock or a limit inside the tier (%s tells), or for a server that no "+
		"exporter measures: an address on another host has a name if it stands under remotes in the configuration "+
		"file of nstar_exporter.", first, shows)
}
