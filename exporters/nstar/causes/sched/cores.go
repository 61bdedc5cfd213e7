// SPDX-License-Identifier: Apache-2.0

package sched

import (
	"github.com/cilium/ebpf"

	"github.com/nstar-project/nstar/exporters/nstar/window"
)

// WindowByCore is Window, and also shows what the tier did on each processor on which it did anything. What a thread
// waited for counts for the processor on which the thread continued.
func (p *Probe) WindowByCore(tier window.Station, index int64, visit func(cpu int, t Times)) (all Times) {
	for cpu := range p.cpus {
		var t Times
		p.add(&t, cpu, tier, index)
		all.join(t)
		if t.Ran > 0 || t.Waited > 0 || t.Disk > 0 || t.Locked > 0 {
			visit(cpu, t)
		}
	}
	return all
}

// Processes is the table of the tiers' processes, for other programs that need it.
func (p *Probe) Processes() *ebpf.Map { return p.objects.TierProcesses }
