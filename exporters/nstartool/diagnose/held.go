// SPDX-License-Identifier: Apache-2.0

package diagnose

import (
	"cmp"
	"fmt"
	"slices"
)

// Held is what kept a tier from its work, as the kernel reports it: evidence for a cause that the rules name, not a
// cause of its own.
type Held struct {
	Tier, By string
	// Ratio is in seconds per second: of the tier, or added up over its threads.
	Ratio float64
}

// atSafepoint is time at safepoints of a Java virtual machine that are no collection.
const atSafepoint = "safepoint"

// worthEvidence is the ratio from which on evidence is reported. worthLock is the same as a number of requests, which
// is written with one decimal. They must be at least lockShare of the requests that sleep, because a few threads
// without work look like threads that wait.
const (
	worthEvidence = 0.02
	worthLock     = 0.1
	lockShare     = 0.33
	// worthQueueing is the number of requests at a disk from which some of them wait for others.
	worthQueueing = 1.5
)

// evidences are what is read, each with its words; the ratio goes into them.
var evidences = []struct {
	by    string
	words func(ratio float64) string
}{
	{"stopped", func(r float64) string {
		return "a signal, a debugger or the freezer of its control group stopped its processes for " + percent(r) +
			" of their time"
	}},
	{"throttled", func(r float64) string {
		if r >= 1 {
			return fmt.Sprintf("its CPU quota kept it from %.1f processors, on average", r)
		}
		return "its CPU quota kept it from a processor for " + millis(r) + " a second"
	}},
	{"disk", func(r float64) string {
		if r >= 1 {
			return fmt.Sprintf("%.1f of its threads waited for the disk, on average", r)
		}
		return fmt.Sprintf("its threads waited for the disk for %s a second", millis(r))
	}},
	{"disk_busy", func(r float64) string { return "the disk had requests for " + percent(r) + " of the time" }},
	{"disk_queue", func(r float64) string { return fmt.Sprintf("%.1f requests were at the disk, on average", r) }},
	{"writeback", func(r float64) string {
		return "the host wrote dirty pages to its disks for " + percent(r) + " of the time"
	}},
	{"frequency", func(r float64) string { return "its processors ran " + percent(r) + " below their nominal clock" }},
	{"lock", func(r float64) string {
		return fmt.Sprintf("%.*f of its requests slept for a lock inside it, on average", decimals(r), r)
	}},
	{"memory", func(r float64) string { return "it was short of memory for " + percent(r) + " of the time" }},
	{atSafepoint, func(r float64) string {
		return "its Java virtual machine kept its threads at safepoints, without a collection, for " + percent(r) +
			" of the time"
	}},
	{"steal", func(r float64) string { return "the hypervisor took " + percent(r) + " of its processors" }},
}

// held reads the evidence of each tier, from the server that has most of it.
func (q *querier) held(apps map[string]*Application) {
	for _, e := range evidences {
		rate := fmt.Sprintf("max by (app, tier) (rate(%s)) >= %g", q.over("nstar_tier_"+e.by+"_seconds_total", ""),
			worthEvidence)
		if e.by == "lock" {
			rate += fmt.Sprintf(" and on (app, tier) %s >= %g * %s",
				q.growth("nstar_tier_lock_seconds_total"), lockShare,
				q.growth("nstar_tier_asleep_seconds_total"))
		}
		for _, s := range q.vector(rate) {
			if a := apps[label(s.Metric, "app")]; a != nil && (e.by != "lock" || s.Value >= worthLock) {
				a.Evidence = append(a.Evidence, Held{label(s.Metric, "tier"), e.by, float64(s.Value)})
			}
		}
	}
	for _, a := range apps {
		slices.SortStableFunc(a.Evidence, func(x, y Held) int { return cmp.Compare(x.Tier, y.Tier) })
	}
}

// evident is the ratio of one kind of evidence for a tier; 0 if it is too little to report.
func (d diagnosis) evident(tier, by string) float64 {
	for _, h := range d.Evidence {
		if h.Tier == tier && h.By == by {
			return h.Ratio
		}
	}
	return 0
}

// heldBy says what held the bottleneck.
func (d diagnosis) heldBy() (facts []string) {
	disk := d.waitsForDisk()
	ofDisk := []string{"writeback", "disk_busy", "disk_queue"}
	for _, h := range d.Evidence {
		for _, e := range evidences {
			if slices.Contains(ofDisk, h.By) && !disk { // it kept nobody waiting
				continue
			}
			if h.By == "disk_queue" && h.Ratio < worthQueueing {
				continue
			}
			if h.By == "lock" && computesAlone[d.Programs[h.Tier].Name] { // they wait for its thread
				continue
			}
			if h.Tier == d.finding.Tier && h.By == e.by {
				words := e.words(h.Ratio)
				if h.By == "disk" {
					words += d.forWhom()
				}
				facts = append(facts, words)
				if h.By == "memory" && d.thrashes(h.Tier) {
					facts = append(facts, d.faulted()...)
				}
			}
		}
	}
	return facts
}

// load compares the queue with the saturation point, if that is known.
func (d diagnosis) load() string {
	facts := d.queue()
	if servers := d.serversOf(d.finding.Tier); len(servers) == 1 && servers[0].NStar != nil {
		facts = append(facts, fmt.Sprintf("beyond %.1f (N*) a longer queue adds no throughput", *servers[0].NStar))
	}
	facts = append(append(facts, d.busy()...), d.heldBy()...)
	if len(facts) > 0 && len(d.alike()) > 0 {
		facts[0] = d.finding.Tier + ": " + facts[0]
	}
	return inBrackets(facts)
}

// queue is how many requests are in the bottleneck, where that is known.
func (d diagnosis) queue() []string {
	t, ok := d.time(d.finding.Tier)
	if !ok || d.Throughput <= 0 {
		return nil
	}
	return []string{fmt.Sprintf("queue %.*f", decimals(t.Own*d.Throughput), t.Own*d.Throughput)}
}

// busy is how busy its processors are, where that is known.
func (d diagnosis) busy() []string {
	if t, _ := d.time(d.finding.Tier); t.Busy != nil {
		return []string{fmt.Sprintf("processors %s busy", percent(*t.Busy))}
	}
	return nil
}
