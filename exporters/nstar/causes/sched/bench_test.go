// SPDX-License-Identifier: Apache-2.0

package sched

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/cilium/ebpf"
	"golang.org/x/sys/unix"
)

// BenchmarkFork has a shell start processes that end at once, without the programs, with them where the shell is no
// tier's, and where it is one's, by turns. It tells the medians of how much longer a process takes than without, and
// what the programs took of the kernel's time for each process of a tier, by its own statistics.
func BenchmarkFork(b *testing.B) {
	const forks = 300
	server := newShell(b)
	run := func() time.Duration {
		began := time.Now()
		server.run(b, fmt.Sprintf("i=0; while [ $i -lt %d ]; do (:); i=$((i+1)); done; echo $i", forks))
		return time.Since(began)
	}
	var stranger, tier []float64
	var took time.Duration
	for b.Loop() {
		without := run()
		p := attached(b)
		stranger = append(stranger, float64(run())/float64(without))
		set(b, p, scan{server.pid: 2})
		tier = append(tier, float64(run())/float64(without))
		if stats, err := ebpf.EnableStats(unix.BPF_STATS_RUN_TIME); err == nil {
			run()
			for _, c := range p.Costs()[1:] {
				took += c.Time
			}
			stats.Close()
		}
		if err := p.Close(); err != nil {
			b.Fatal(err)
		}
	}
	median := func(x []float64) float64 {
		slices.Sort(x)
		return x[len(x)/2]
	}
	b.ReportMetric(median(stranger), "x/stranger's-fork")
	b.ReportMetric(median(tier), "x/tier's-fork")
	b.ReportMetric(float64(took.Nanoseconds())/float64(b.N*forks), "ns-of-programs/tier's-fork")
}
