// SPDX-License-Identifier: Apache-2.0

package load

import (
	"math"
	"math/bits"

	"github.com/prometheus/procfs"
	"golang.org/x/sys/unix"

	"github.com/nstar-project/nstar/exporters/nstar/causes/topology"
	"github.com/nstar-project/nstar/exporters/nstar/discovery"
)

// processesAsked limits the work. The processes of one server run on the same processors, except for workers that are
// bound to one processor each.
const processesAsked = 4

// Processors is on how many processors a tier's processes may run; 0 if that is not known.
func Processors(pids []int32) float64 {
	most, asked := 0, 0
	for set := range discovery.Alive(pids, discovery.Affinity) {
		most = max(most, set.Count())
		if asked++; asked == processesAsked {
			break
		}
	}
	return float64(most)
}

// CPUs lists the processors that a tier may run on, as taskset takes them; empty if its load is not known.
func (l *Loads) CPUs(name discovery.TierName) string {
	var cpus []int
	set := l.on[name]
	for i := range len(set) * bits.UintSize {
		if set.IsSet(i) {
			cpus = append(cpus, i)
		}
	}
	return topology.Format(cpus)
}

// overlap reports whether two tiers may run on the same processor.
func overlap(a, b *unix.CPUSet) bool {
	for i := range a {
		if a[i]&b[i] != 0 {
			return true
		}
	}
	return false
}

// shares returns two shares of the time between two readings. The processors of a set were busy for the first one,
// which is NaN if no processor was read twice. They were idle while something waited for a disk for the second one.
func shares(before, after map[int64]procfs.CPUStat, set *unix.CPUSet) (busy, disk float64) {
	worked, waited, idled := 0.0, 0.0, 0.0
	for i, a := range after {
		b, ok := before[i]
		if !ok || !set.IsSet(int(i)) {
			continue
		}
		worked += a.User - b.User + a.System - b.System + a.Nice - b.Nice + a.IRQ - b.IRQ + a.SoftIRQ - b.SoftIRQ +
			a.Steal - b.Steal
		waited += a.Iowait - b.Iowait
		idled += a.Idle - b.Idle
	}
	all := worked + waited + idled
	if all <= 0 {
		return math.NaN(), 0
	}
	return min(worked/all, 1), max(0, waited) / all
}
