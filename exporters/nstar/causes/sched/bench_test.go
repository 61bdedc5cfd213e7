// SPDX-License-Identifier: Apache-2.0

package sched

import (
	"fmt"
	"testing"
	"time"

	"github.com/cilium/ebpf"
	"golang.org/x/sys/unix"
)

// BenchmarkFork lets a shell start processes that end at once: in turn without the programs, with them if the shell
// belongs to no tier, and with them if it belongs to a tier. It reports how much more processor time such a process
// takes than without, and what the programs take of it in a tier, by the kernel's own statistics.
func BenchmarkFork(b *testing.B) {
	const forks = 500
	server := newShell(b)
	used := func() time.Duration {
		ran, _ := schedstat(b, int(server.pid))
		return ran + ended(b, int(server.pid))
	}
	run := func() time.Duration {
		began := used()
		server.run(b, fmt.Sprintf("i=0; while [ $i -lt %d ]; do (:); i=$((i+1)); done; echo $i", forks))
		return used() - began
	}
	var without, stranger, tier time.Duration
	programs := make(map[string]time.Duration)
	for b.Loop() {
		without += run()
		p := attached(b)
		stranger += run()
		set(b, p, scan{server.pid: 2})
		tier += run()
		if stats, err := ebpf.EnableStats(unix.BPF_STATS_RUN_TIME); err == nil {
			run()
			for _, c := range p.Costs() {
				programs[c.Program] += c.Time
			}
			stats.Close()
		}
		if err := p.Close(); err != nil {
			b.Fatal(err)
		}
	}
	each := func(d time.Duration) float64 { return float64(d.Nanoseconds()) / float64(b.N*forks) }
	b.ReportMetric(each(without)/1000, "µs/fork")
	b.ReportMetric(float64(stranger)/float64(without), "x/stranger's")
	b.ReportMetric(float64(tier)/float64(without), "x/tier's")
	for _, program := range []string{"nstar_fork", "nstar_free"} {
		b.ReportMetric(each(programs[program]), "ns/"+program)
	}
}
