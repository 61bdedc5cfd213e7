// SPDX-License-Identifier: Apache-2.0

package load

// spent is the processor time of a process, in seconds.
type spent struct {
	own    float64
	ended  float64 // of its children that have ended and that it has waited for, and of their children
	parent int32
}

// used is the processor time of some processes since the last reading, including what they started and what has ended
// by now: PostgreSQL's parallel workers live for milliseconds. Each process is read only once, though all tiers of an
// application have the same allies.
func (l *Loads) used(pids []int32, last map[int32]spent) (seconds float64) {
	if len(pids) == 0 {
		return 0
	}
	asked := pids[:min(len(pids), processesRead)]
	ended := make(map[int32]float64) // by parent: by how much the parent's sum has grown
	for _, pid := range asked {
		now, read := last[pid]
		if !read {
			if now, read = l.spent(pid); !read {
				continue
			}
			last[pid] = now
		}
		if before, ok := l.last[pid]; ok {
			seconds += now.own - before.own
			ended[pid] = now.ended - before.ended
		}
	}
	l.withoutKnown(ended, last)
	for _, s := range ended {
		seconds += max(0, s)
	}
	return seconds * float64(len(pids)) / float64(len(asked))
}

// spent reads the processor time of a process; false if it is gone.
func (l *Loads) spent(pid int32) (spent, bool) {
	p, err := l.fs.Proc(int(pid))
	if err != nil {
		return spent{}, false
	}
	s, err := p.Stat()
	if err != nil {
		return spent{}, false
	}
	return spent{s.CPUTime(), float64(s.CUTime+s.CSTime) / ticks, int32(s.PPID)}, true
}

// ticks a second are the unit in which the kernel counts processor time, on all supported architectures.
const ticks = 100

// withoutKnown subtracts from ended the processes that were read while they lived, because their time was counted then.
func (l *Loads) withoutKnown(ended map[int32]float64, last map[int32]spent) {
	for pid, before := range l.last {
		if _, there := last[pid]; there || ended[before.parent] <= 0 {
			continue
		}
		if _, lives := l.spent(pid); !lives {
			ended[before.parent] -= before.own + before.ended
		}
	}
}
