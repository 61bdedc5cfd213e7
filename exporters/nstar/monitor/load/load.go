// SPDX-License-Identifier: Apache-2.0

// Package load reads the processor time of the tiers. It distinguishes a tier that works at its limit from a tier that
// waits, and from one whose processors are taken by others.
package load

import (
	"math"
	"time"

	"github.com/prometheus/procfs"
	"golang.org/x/sys/unix"

	"github.com/nstar-project/nstar/exporters/nstar/discovery"
	"github.com/nstar-project/nstar/exporters/nstar/judgement"
	"github.com/nstar-project/nstar/exporters/nstar/window"
)

// Loads follows the tiers' processes. It is not safe for concurrent use.
type Loads struct {
	fs      procfs.FS
	err     error // why nothing can be read
	tiers   map[discovery.TierName]discovery.Tier
	works   map[discovery.TierName]Work
	last    map[int32]spent
	waits   map[int]uint64 // time that each thread was ready to run and waited, ns; for tiers on busy processors
	wants   map[int]uint64 // time that each thread ran or waited, ns; for tiers whose busiest thread is wanted
	written map[int]uint64 // writes of the threads that were the busiest
	cpus    map[int64]procfs.CPUStat
	at      time.Duration
	now     map[discovery.TierName]judgement.Load
	on      map[discovery.TierName]unix.CPUSet // processors that the tiers may run on, where the load is known
}

// New reads the procfs that is mounted at root. If there is none, nothing is known of any tier.
func New(root string) *Loads {
	fs, err := procfs.NewFS(root)
	return &Loads{fs: fs, err: err, last: make(map[int32]spent), now: make(map[discovery.TierName]judgement.Load),
		on: make(map[discovery.TierName]unix.CPUSet)}
}

const (
	// processesRead limits the work for a tier of many processes. The other processes are assumed to be like these.
	processesRead = 256
	// threadsRead limits the work for a tier of many threads.
	threadsRead = 2048
	// worthWaiting is how busy processors must be for threads to wait for them. Below that the threads are not
	// read.
	worthWaiting = 0.8
)

// Follow takes the processes that a scan found.
func (l *Loads) Follow(found discovery.Snapshot) {
	l.tiers = make(map[discovery.TierName]discovery.Tier, len(found.Tiers))
	for _, t := range found.Tiers {
		l.tiers[t.FullName()] = t
	}
}

// Work is for how long a tier's threads, and those of the processes that it started, ran and waited for a processor
// since some moment in the past. The moment stays the same as long as the tier's number does.
type Work struct {
	Station     window.Station
	Ran, Waited time.Duration
}

// measured is what one reading tells of a tier.
type measured struct {
	allowed unix.CPUSet
	used    float64 // processor seconds
	allied  float64 // the same of its allies that may run on the same processors
	load    judgement.Load
}

// Wanted says whether the load of a tier is wanted, and whether that of its busiest thread is.
type Wanted struct{ Load, Thread bool }

// Read measures the time since the last reading, which it returns, for the tiers that are wanted. Times are monotonic.
// If the scheduler's program knows a tier's work, that is used. Otherwise it is what /proc says of the processes that
// scans found, which lacks processes that end between two scans.
func (l *Loads) Read(now time.Duration, wanted func(discovery.TierName) Wanted,
	scheduled func(discovery.TierName) (Work, bool)) (since time.Duration) {
	since = l.at
	if l.err != nil {
		return since
	}
	stat, err := l.fs.Stat()
	if err != nil {
		return since
	}
	elapsed := (now - l.at).Seconds()
	last, waits, wants, written := make(map[int32]spent), make(map[int]uint64), make(map[int]uint64),
		make(map[int]uint64)
	works := make(map[discovery.TierName]Work)
	tiers := make(map[discovery.TierName]*measured)
	for name, tier := range l.tiers {
		m, pids, asked := &measured{load: judgement.UnknownLoad()}, tier.Serving(), wanted(name)
		if !asked.Load || !allowed(pids, &m.allowed) {
			continue
		}
		work, followed := l.worked(name, scheduled, works)
		if followed {
			m.used = work.Ran.Seconds()
		} else {
			m.used = l.used(pids, last)
		}
		m.allied = l.used(runOn(tier.Allies, &m.allowed), last)
		m.load.Busy, m.load.Disk = shares(l.cpus, stat.CPU, &m.allowed)
		switch {
		case m.load.Busy < worthWaiting:
		case followed:
			m.load.Waiting = work.Waited.Seconds() / elapsed
		default:
			m.load.Waiting = l.waited(pids, waits) / elapsed
		}
		if asked.Thread {
			wanted, writes, processes := l.busiest(pids, wants, written)
			m.load.Thread = min(1, wanted/elapsed) // because it is read after the clock
			m.load.Writes, m.load.Processes = writes/elapsed, processes
		}
		tiers[name] = m
	}
	clear(l.now)
	clear(l.on)
	if l.at > 0 && elapsed > 0 {
		for name, m := range tiers {
			processors := float64(m.allowed.Count())
			m.load.Cores = m.used / elapsed
			m.load.Used = m.load.Cores / processors
			m.load.Others = m.load.Busy - m.allied/elapsed/processors
			for other, o := range tiers {
				if other.App == name.App && overlap(&m.allowed, &o.allowed) {
					m.load.Others -= o.used / elapsed / processors
				}
			}
			m.load.Others = max(0, m.load.Others)
			l.now[name], l.on[name] = m.load, m.allowed
		}
	}
	l.last, l.waits, l.wants, l.written, l.works, l.cpus, l.at = last, waits, wants, written, works, stat.CPU, now
	return since
}

// worked is a tier's work since the last reading; false if the scheduler's program did not know it at both readings.
func (l *Loads) worked(name discovery.TierName, scheduled func(discovery.TierName) (Work, bool),
	works map[discovery.TierName]Work) (Work, bool) {
	now, ok := scheduled(name)
	if !ok {
		return Work{}, false
	}
	works[name] = now
	before, ok := l.works[name]
	if !ok || before.Station != now.Station {
		return Work{}, false
	}
	return Work{now.Station, max(0, now.Ran-before.Ran), max(0, now.Waited-before.Waited)}, true
}

// allowed reads on which processors a tier may run, from the first of its processes that still lives; false if none
// does.
func allowed(pids []int32, processors *unix.CPUSet) bool {
	set, ok := discovery.FirstAlive(pids[:min(len(pids), processesRead)], discovery.Affinity)
	*processors = set
	return ok
}

// runOn are the processes that may run on some of the processors.
func runOn(pids []int32, processors *unix.CPUSet) (out []int32) {
	for _, pid := range pids[:min(len(pids), processesRead)] {
		if allowed, ok := discovery.Affinity(pid); ok && overlap(&allowed, processors) {
			out = append(out, pid)
		}
	}
	return out
}

// waited is how long the threads of some processes were ready to run without a processor, since the last reading.
func (l *Loads) waited(pids []int32, waits map[int]uint64) (seconds float64) {
	l.eachThread(pids, waits, func(thread procfs.Proc, s procfs.ProcSchedstat) {
		waits[thread.PID] = s.WaitingNanoseconds
		if before, ok := l.waits[thread.PID]; ok {
			seconds += float64(s.WaitingNanoseconds-before) / 1e9
		}
	})
	return seconds
}

// busiest is how long the busiest thread of some processes ran or was ready to, since the last reading, and how often
// it wrote. The latter is NaN if it is not known, because another thread was the busiest before. processes is how many
// processes have such work, as Load.Processes.
func (l *Loads) busiest(pids []int32, wants, written map[int]uint64) (seconds, writes, processes float64) {
	var busiest procfs.Proc
	all, most := 0.0, 0.0 // of all processes, and of the one that has most
	for _, pid := range pids {
		sum := 0.0
		l.eachThread([]int32{pid}, wants, func(thread procfs.Proc, s procfs.ProcSchedstat) {
			wants[thread.PID] = s.RunningNanoseconds + s.WaitingNanoseconds
			if before, ok := l.wants[thread.PID]; ok {
				took := float64(wants[thread.PID]-before) / 1e9
				if sum += took; took > seconds {
					busiest, seconds = thread, took
				}
			}
		})
		all, most = all+sum, max(most, sum)
	}
	if seconds == 0 {
		return 0, math.NaN(), math.NaN()
	}
	return seconds, l.writes(busiest, written), all / most
}

// writes is how often a thread wrote since the last reading; NaN if that is not known.
func (l *Loads) writes(thread procfs.Proc, written map[int]uint64) float64 {
	io, err := thread.IO()
	if err != nil {
		return math.NaN()
	}
	written[thread.PID] = io.SyscW
	before, ok := l.written[thread.PID]
	if !ok {
		return math.NaN()
	}
	return float64(io.SyscW - before)
}

// eachThread reads the kernel's figures of the threads of some processes, for at most as many threads as seen may hold.
func (l *Loads) eachThread(pids []int32, seen map[int]uint64, take func(thread procfs.Proc, s procfs.ProcSchedstat)) {
	for _, pid := range pids {
		threads, err := l.fs.AllThreads(int(pid))
		if err != nil {
			continue
		}
		for _, t := range threads {
			if len(seen) >= threadsRead {
				return
			}
			if s, err := t.Schedstat(); err == nil {
				take(t, s)
			}
		}
	}
}

// Of is a tier's load in the last second.
func (l *Loads) Of(name discovery.TierName) judgement.Load {
	if v, ok := l.now[name]; ok {
		return v
	}
	return judgement.UnknownLoad()
}
