// SPDX-License-Identifier: Apache-2.0

package diagnose

import (
	"fmt"
	"slices"
	"strings"
)

// Standstill is what a tier did in the windows in which nothing left it.
type Standstill struct {
	Tier string
	// Shares of that time, by cause; those of cpu and runqueue may be above one because they are added up
	// over threads.
	Shares map[string]float64
}

// pause is what keeps a tier that stands still, and what helps.
type pause struct {
	cause string
	least float64 // share of the standstill
	words string  // what the tier did
	cure  string  // with the tier as %[1]s, and the place that shows its locks as %[2]s
}

// computed is what a tier did that stood still because of its own work.
var computed = pause{"cpu", 0.7, "it computed",
	"Look for one long computation in %[1]s that keeps its other requests waiting: a report, a large answer, a loop " +
		"in its only thread (a profiler shows it). Move it to a process of its own, or do it in small pieces."}

// computesMostly is the same share for programs that compute in one thread: they have nothing else to stand still for.
const computesMostly = 0.4

// pauses in the order in which they are reported: what kept a tier from its work explains what it did not do.
var pauses = []pause{
	{"stopped", 0.5, "its processes were stopped by a signal, a debugger or the freezer",
		"Find out what stops the processes of %[1]s: a signal (kill -STOP), a debugger or strace, a snapshot or a " +
			"pause of its container."},
	{"steal", 0.3, "the hypervisor gave its processors to other machines",
		"Give the machine of %[1]s processors of its own, or move it to another host: the hypervisor gives them to " +
			"other machines."},
	{"memory", 0.3, "it waited for memory",
		"Give %[1]s more memory, or let it need less: it waits for pages to be freed or read back (memory.pressure " +
			"of its cgroup)."},
	{"disk", 0.3, "it waited for the disk",
		"Look at what %[1]s waits for on the disk (iostat -x, its checkpoints, commits and logs), and give it a " +
			"faster disk, or one with less other work."},
	computed,
	{"runqueue", 0.5, "its threads waited for a processor",
		"Find out which programs have the processors of %[1]s while it stands still (docs/metrics.md lists the " +
			"series that show this), and give it processors of its own."},
	{"lock", 0.5, "its requests waited for a lock inside it",
		"Find the lock in %[1]s that its requests wait for, and what holds it for so long: %[2]s."},
}

// idlePause remains if a tier that stands still does not run, and does not wait for anything that is measured.
var idlePause = pause{words: "it did nothing",
	cure: "Look for a lock in %[1]s that its requests wait for (%[2]s), or for something outside that it " +
		"waits for: while it stands still it neither runs nor waits for a processor or the disk.",
}

// safepointPause is the pause of a Java virtual machine that stands still without collecting. For the kernel, its
// threads wait for each other then.
var safepointPause = pause{words: "its Java virtual machine kept its threads at a safepoint without a collection",
	cure: "Find out what asks the Java virtual machine of %[1]s for safepoints: -Xlog:safepoint names each (thread " +
		"and heap dumps, class histograms of a monitoring agent, a debugger, classes that are changed while they run).",
}

// worthSafepoint is the share of a standstill that they explain it from.
const worthSafepoint = 0.5

// lockedPart of the requests that sleep must be seen in a lock: some idle threads of a pool look like that, too.
const lockedPart = 1. / 3

// hardlyRuns is the share of its time below which a tier did nothing, if nothing else is known of it.
const hardlyRuns = 0.2

// standstills reads what tiers did while they stood still.
func (q *querier) standstills(apps map[string]*Application) {
	long := q.perTier(q.growth("nstar_tier_standstill_seconds_total") + " > 0")
	found := make(map[[2]string]map[string]float64)
	for _, s := range q.vector("sum by (app, tier, cause) (increase(" +
		q.over("nstar_tier_standstill_cause_seconds_total", "") + "))") {
		key := tierOf(s)
		if long[key] == 0 {
			continue
		}
		if found[key] == nil {
			found[key] = make(map[string]float64)
		}
		found[key][label(s.Metric, "cause")] = float64(s.Value) / long[key]
	}
	for key, shares := range found {
		if a := apps[key[0]]; a != nil {
			a.Standstills = append(a.Standstills, Standstill{key[1], shares})
		}
	}
}

// Meanwhile is the cause that explains best what a tier did while it stood still, from the shares of that time by
// cause; empty if none does. What kept a tier from its work comes before what it did not do.
func Meanwhile(shares map[string]float64) (cause string) {
	p, _ := explains(shares)
	return p.cause
}

func explains(shares map[string]float64) (p pause, ok bool) {
	for _, p := range pauses {
		if shares[p.cause] < p.least || p.cause == "lock" && shares["lock"] < lockedPart*shares["asleep"] {
			continue
		}
		return p, true
	}
	return pause{}, false
}

// pause is what the bottleneck did while it stood still, and for which share of that time; false where that is not
// known.
func (d diagnosis) pause() (p pause, share float64, known bool) {
	if d.halves() {
		return pause{}, 0, false
	}
	if held, stood := d.evident(d.finding.Tier, atSafepoint), d.frozen(); held > 0 && held >= worthSafepoint*stood &&
		stood > 0 {
		return safepointPause, min(held/stood, 1), true
	}
	for _, s := range d.Standstills {
		if s.Tier != d.finding.Tier {
			continue
		}
		if p, ok := explains(s.Shares); ok {
			return p, min(s.Shares[p.cause], 1), true
		}
		if cpu := s.Shares[computed.cause]; computesAlone[d.Programs[s.Tier].Name] && cpu >= computesMostly {
			return computed, cpu, true
		}
		if cpu, measured := s.Shares["cpu"]; measured && cpu < hardlyRuns {
			return idlePause, 1 - cpu, true
		}
	}
	return pause{}, 0, false
}

// hold is what kept all of the bottleneck's processes from work for a part of the whole time; false if nothing like
// that is known. It looks at the whole time because callers may report that a tier stood still in which too few
// requests were seen to find that itself.
func (d diagnosis) hold() (pause, bool) {
	for _, p := range pauses {
		if p.cause == "stopped" || p.cause == "steal" {
			if d.evident(d.finding.Tier, p.cause) > 0 {
				return p, true
			}
		}
	}
	return pause{}, false
}

// halves reports whether the bottleneck hardly ever stood still as a whole, though it was stopped from outside: only
// some of its processes may have been.
func (d diagnosis) halves() bool {
	return d.finding.Cause == causeStopped && d.evident(d.finding.Tier, "stopped") > 0 &&
		d.frozen() < d.share*standsStill
}

// keepsSome reports whether requests slept for a lock in the tier although the tier, compared with what the stops
// cost, hardly ever stood still as a whole: only some of the requests need that lock.
func (d diagnosis) keepsSome() bool {
	_, held := d.hold()
	_, anew := d.restart()
	_, _, paused := d.pause()
	locked := d.evident(d.finding.Tier, "lock") > 0
	return d.finding.Cause == causeStopped && locked && !held && !anew && !paused && d.frozen() < d.share*standsStill
}

// standsStill is the part of a tier's share of the response time for which it has to stand still, so that standing
// still may explain that share.
const standsStill = 0.1

// standing says that the bottleneck stands still, and what that looks like: a server whose requests wait for a lock is
// not stopped from outside. It is not said of a tier that can't connect to another one: then it waits for that.
func (d diagnosis) standing() string {
	p, _, known := d.pause()
	known = known && d.cureFailed(d.finding.Tier) == ""
	switch tier := d.finding.Tier; {
	case known && p.cause == "lock":
		return "the requests of " + tier + " wait for a lock inside it" + d.orLent(tier) +
			", and nothing leaves it meanwhile"
	case known && p.words == idlePause.words:
		return tier + " stands still and does nothing, as if its requests waited for a lock" + d.orLent(tier)
	default:
		return "something stops " + tier
	}
}

// orLent adds to a lock what may look like one.
func (d diagnosis) orLent(tier string) string {
	if !d.lends(tier) {
		return ""
	}
	return ", or for a connection that others keep"
}

// lends reports whether a tier may lend connections to its requests: it calls others, and is no server whose requests
// have a connection each.
func (d diagnosis) lends(tier string) bool {
	return d.pool(tier) != ""
}

// pool is Program.pool of a tier that calls others; empty if it calls none.
func (d diagnosis) pool(tier string) string {
	if !slices.ContainsFunc(d.Edges, func(e Edge) bool { return e.From == tier }) {
		return ""
	}
	return d.Programs[tier].pool()
}

// meanwhile says this in words; empty if it is not known.
func (d diagnosis) meanwhile() string {
	p, share, ok := d.pause()
	if !ok {
		return ""
	}
	words := fmt.Sprintf("while it stood still, %s in %s of that time", p.words, percent(share))
	if p.cause == "disk" {
		words += d.forWhom()
	}
	if facts := d.faulted(); facts != nil && (p.cause == "disk" || p.cause == "memory") {
		words += "; " + list(facts)
	}
	return words
}

// cureStop is what helps against stops.
func (d diagnosis) cureStop(tier, others string) (first, useless string) {
	useless = except("More capacity for %s, and more threads or connections, would gain little: nothing leaves "+
		strings.ReplaceAll(tier, "%", "%%")+" while it stands still.", others)
	if cure := d.cureFailed(tier); cure != "" {
		return cure, useless
	}
	if s, ok := d.restart(); ok {
		return d.cureRestart(s), useless
	}
	if p, _, ok := d.pause(); ok {
		if cure := d.cureDisk(tier); p.cause == "disk" && cure != "" {
			return cure, useless
		}
		cure := p.cureOf(tier, d.Programs[tier])
		if (p.cause == "lock" || p.words == idlePause.words) && d.lends(tier) {
			cure += " If that is its pool, its connections are all lent, and are not given back: find the code " +
				"that keeps them. Starting " + tier + " anew helps for a while."
		}
		return cure, useless
	}
	if p, ok := d.hold(); ok {
		if d.halves() {
			useless = except("More capacity for %s, and more threads or connections, would gain little: the requests "+
				"that a process has taken wait while it stands still (ps shows the process in state T; kill -CONT "+
				"lets it go on).", others)
		}
		return p.cureOf(tier, d.Programs[tier]), useless
	}
	if d.keepsSome() {
		return fmt.Sprintf("Find out what these requests in %s wait for: a lock on a row, a table or a part of its "+
				"memory, which something holds for long (%s).", tier, d.Programs[tier].showsLocks()),
			except("More capacity for %s, and more threads or connections, would gain little: the requests that need "+
				"the lock would still wait for it.", others)
	}
	return fmt.Sprintf("Look for what stops %s (often for a tenth of a second at a time): a lock (%s), a CPU quota "+
		"(nr_throttled in cpu.stat of its cgroup), a slow disk, a checkpoint or snapshot, a neighbour on its cores.",
		tier,
		d.Programs[tier].showsLocks()), useless
}

// cureOf is the cure for a tier.
func (p pause) cureOf(tier string, program Program) string {
	return fmt.Sprintf(p.cure+"%.0[2]s", tier, program.showsLocks())
}
