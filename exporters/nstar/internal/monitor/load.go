// SPDX-License-Identifier: Apache-2.0

package monitor

import (
	"math"
	"time"

	"github.com/prometheus/procfs"
	"golang.org/x/sys/unix"

	"github.com/nstar-project/nstar/exporters/nstar/internal/discovery"
)

// Load is how busy the processors are that a tier may run on, each 0 to 1; NaN while unknown.
type Load struct {
	Used float64 // by the tier
	Busy float64 // by anybody, or stolen by the hypervisor
}

// loads follows the processor time of the tiers: it tells a tier that works at its limit from one that waits.
type loads struct {
	fs    procfs.FS
	err   error // why nothing can be read
	tiers map[TierName][]int32
	last  map[int32]float64 // processor seconds of each process
	cpus  map[int64]procfs.CPUStat
	at    time.Duration
	now   map[TierName]Load
}

func newLoads(root string) *loads {
	fs, err := procfs.NewFS(root)
	return &loads{fs: fs, err: err, last: make(map[int32]float64), now: make(map[TierName]Load)}
}

// processesRead bounds the work for a tier of many processes; the rest is taken to be like those.
const processesRead = 256

// follow takes the processes that a scan found.
func (l *loads) follow(found discovery.Snapshot) {
	l.tiers = make(map[TierName][]int32, len(found.Tiers))
	for _, t := range found.Tiers {
		l.tiers[TierName{t.App, t.Name}] = t.PIDs
	}
}

// read measures the time since it was last called, for the tiers that are wanted.
func (l *loads) read(now time.Duration, wanted func(TierName) bool) {
	if l.err != nil {
		return
	}
	stat, err := l.fs.Stat()
	if err != nil {
		return
	}
	elapsed := (now - l.at).Seconds()
	last := make(map[int32]float64)
	clear(l.now)
	for name, pids := range l.tiers {
		if !wanted(name) || len(pids) == 0 {
			continue
		}
		var allowed unix.CPUSet
		if unix.SchedGetaffinity(int(pids[0]), &allowed) != nil {
			continue
		}
		used := 0.0
		for _, pid := range pids[:min(len(pids), processesRead)] {
			p, err := l.fs.Proc(int(pid))
			if err != nil {
				continue
			}
			s, err := p.Stat()
			if err != nil {
				continue
			}
			last[pid] = s.CPUTime()
			if before, ok := l.last[pid]; ok {
				used += last[pid] - before
			}
		}
		used *= float64(len(pids)) / float64(min(len(pids), processesRead))
		if l.at > 0 && elapsed > 0 {
			l.now[name] = Load{Used: used / elapsed / float64(allowed.Count()), Busy: busy(l.cpus, stat.CPU, &allowed)}
		}
	}
	l.last, l.cpus, l.at = last, stat.CPU, now
}

// busy is the share of the time between two readings in which the processors of a set did not idle.
func busy(before, after map[int64]procfs.CPUStat, set *unix.CPUSet) float64 {
	worked, all := 0.0, 0.0
	for i, a := range after {
		b, ok := before[i]
		if !ok || !set.IsSet(int(i)) {
			continue
		}
		work := a.User - b.User + a.System - b.System + a.Nice - b.Nice + a.IRQ - b.IRQ + a.SoftIRQ - b.SoftIRQ + a.Steal - b.Steal
		worked += work
		all += work + a.Idle - b.Idle + a.Iowait - b.Iowait
	}
	if all <= 0 {
		return math.NaN()
	}
	return min(worked/all, 1)
}

// of is a tier's load.
func (l *loads) of(name TierName) Load {
	if v, ok := l.now[name]; ok {
		return v
	}
	return Load{math.NaN(), math.NaN()}
}
