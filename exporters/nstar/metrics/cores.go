// SPDX-License-Identifier: Apache-2.0

package metrics

import (
	"strconv"

	"github.com/nstar-project/nstar/exporters/nstar/causes"
	"github.com/nstar-project/nstar/exporters/nstar/causes/topology"
	"github.com/nstar-project/nstar/exporters/nstar/monitor"
	"github.com/nstar-project/nstar/exporters/nstar/monitor/beside"
	"github.com/nstar-project/nstar/exporters/nstar/monitor/why"
)

var (
	onCore = []string{"app", "tier", "cpu", "domain"}

	coreSeconds = desc("tier_core_seconds_total",
		"Processor time of the tier's threads on each processor; domain is that of its last-level cache.", onCore)
	coreDisk = desc("tier_core_disk_seconds_total",
		"Time that the tier's threads waited for a disk, by the processor on which they went on; only of those with "+
			"any.", onCore)
	migrated = desc("tier_migrations_total",
		"Moves of the tier's threads from one processor to another: across cores of one cache domain, or across "+
			"domains.",
		[]string{"app", "tier", "across"})
	tierMisses = desc("tier_cache_misses_total",
		"Last-level cache misses while the tier's threads had processors.", tier)
	withDisk = desc("tier_processor_disk_pearson",
		"Pearson's coefficient at 100 ms over 12 s: processor time of the tier against time that it waited for a "+
			"disk. Negative: they take turns.", tier)

	colocated = desc("tier_colocated_pearson",
		"Pearson's coefficient at 100 ms over 12 s: processor time of another application (neighbour) on the "+
			"processors that both use (of the tier itself, if neighbour is its own application), against the tier's "+
			"processor time, its own queue, or the time that requests took in it (of); lag: how much later.",
		[]string{"app", "tier", "neighbour", "of", "lag"})

	domainProcessors = desc("domain_processors",
		"Processors that share a last-level cache; level 0: a package, or the machine, where no shared cache is known.",
		[]string{"domain", "cpus", "level", "package"})
	coreMisses = desc("core_cache_misses_total", "Last-level cache misses of each processor.",
		[]string{"cpu", "domain"})
)

// coresNamed is the number of processors up to which each is reported; on a larger machine cpu is "all", and the
// domain is reported.
const coresNamed = 64

// place is the labels of a processor.
func place(t topology.Topology, cpu int) (cpuLabel, domain string) {
	if d, ok := t.Of(cpu); ok {
		domain = strconv.Itoa(d)
	} // otherwise it went offline
	if t.Size() > coresNamed {
		return "all", domain
	}
	return strconv.Itoa(cpu), domain
}

// cores sends where a tier ran.
func (s sender) cores(t monitor.Tier, h causes.Host) {
	if t.Cores == nil { // no window of its causes so far
		return
	}
	if h.ByCore {
		s.byCore(t, h.Topology)
	}
	if h.Migrations {
		s.counter(migrated, float64(t.Moves.Within), t.App, t.Tier, "core")
		s.counter(migrated, float64(t.Moves.Across), t.App, t.Tier, "domain")
	}
	if h.Misses != nil {
		s.counter(tierMisses, t.Moves.Misses, t.App, t.Tier)
	}
}

func (s sender) byCore(t monitor.Tier, in topology.Topology) {
	byPlace := make(map[[2]string]why.OnCore)
	for cpu, c := range t.Cores {
		name, domain := place(in, cpu)
		key := [2]string{name, domain}
		sum := byPlace[key]
		byPlace[key] = why.OnCore{Ran: sum.Ran + c.Ran, Disk: sum.Disk + c.Disk}
	}
	for key, c := range byPlace {
		s.counter(coreSeconds, c.Ran, t.App, t.Tier, key[0], key[1])
		if c.Disk > 0 {
			s.counter(coreDisk, c.Disk, t.App, t.Tier, key[0], key[1])
		}
	}
	s.known(withDisk, t.WithDisk, t.App, t.Tier)
}

// beside sends how tiers and other applications on the same processors affect each other.
func (s sender) beside(all []beside.Pearson) {
	for _, c := range all {
		s.gauge(colocated, c.Value, c.Tier.App, c.Tier.Tier, c.Neighbour, c.Of,
			strconv.FormatFloat(c.Lag.Seconds(), 'g', -1, 64)+"s")
	}
}

// host sends the properties of the processors.
func (s sender) host(h causes.Host) {
	for i, d := range h.Topology.Domains {
		s.gauge(domainProcessors, float64(len(d.CPUs)), strconv.Itoa(i), topology.Format(d.CPUs), strconv.Itoa(d.Level),
			strconv.Itoa(d.Package))
	}
	for cpu, v := range h.Misses {
		name, domain := place(h.Topology, cpu)
		if name != "all" {
			s.counter(coreMisses, v, name, domain)
		}
	}
}
