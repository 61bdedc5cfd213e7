// SPDX-License-Identifier: Apache-2.0

package diagnose

import (
	"fmt"
	"slices"
)

// Faulted is the pages that a tier used and had to read from a disk first, over all of its servers.
type Faulted struct {
	Tier string
	Rate float64 // per second
}

// worthFaults is the rate of major faults from which on they are named, if a tier waits for a disk or for memory:
// at some milliseconds each they are a part of that waiting.
const worthFaults = 10

// faults reads them.
func (q *querier) faults(apps map[string]*Application) {
	q.growing(apps, "nstar_tier_major_faults_total", worthFaults, func(a *Application, tier string, rate float64) {
		a.Faulted = append(a.Faulted, Faulted{tier, rate})
	})
}

// faultsOf is the rate at which a tier had them; 0 if they are few or not known.
func (d diagnosis) faultsOf(tier string) float64 {
	for _, f := range d.Faulted {
		if f.Tier == tier {
			return f.Rate
		}
	}
	return 0
}

// faulted is how many the bottleneck had, as a fact beside its waiting; empty if they are few or not known.
func (d diagnosis) faulted() []string {
	rate := d.faultsOf(d.finding.Tier)
	if rate == 0 {
		return nil
	}
	return []string{fmt.Sprintf("%.0f pages a second of its programs, mapped files or swapped memory had to be read "+
		"from the disk (major faults)", rate)}
}

// A tier that has less memory than it uses: so many major faults a second, and this share of its time without memory.
const (
	thrashingFaults = 50
	thrashingMemory = 0.05
)

// thrashes reports whether a tier reads again and again what it had to give up for want of memory. Then its requests
// wait for that, whatever they look like: those of one thread stand in line for it.
func (d diagnosis) thrashes(tier string) bool {
	return d.evident(tier, "memory") >= thrashingMemory && d.faultsOf(tier) >= thrashingFaults
}

// cureMemory is what helps a tier that is short of memory, if that is what its requests may wait for; empty otherwise.
func (d diagnosis) cureMemory(tier string) string {
	causes := []string{causeStopped, causePlace, causeSlow, causeDisk}
	if !slices.Contains(causes, d.finding.Cause) || !d.thrashes(tier) {
		return ""
	}
	return fmt.Sprintf("First give %s more memory (memory.max and memory.high of its cgroup, MemoryMax= and "+
		"MemoryHigh= of its unit, limits.memory of its container), or let it need less: it has less than it uses, and "+
		"reads again and again what it had to give up. If its requests still wait after that, ask again.", tier)
}
