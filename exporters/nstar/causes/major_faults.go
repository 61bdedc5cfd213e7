// SPDX-License-Identifier: Apache-2.0

package causes

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/nstar-project/nstar/exporters/nstar/window"
)

// majorFaults counts pages that a tier's threads used and that had to be read from a disk first: parts of its programs,
// of files that it has mapped, and memory that was swapped out. The kernel counts them by process (majflt in
// /proc/PID/stat, as in getrusage's ru_majflt), in any control group. Faults of a process before it was known are not
// counted. Faults between the last scan that sees a process and the end of that process are not counted either.
type majorFaults struct {
	procRoot string
	last     map[int32]uint64 // of each process, at the last scan
	tiers    map[window.Station]uint64
}

func newMajorFaults(procRoot string) *majorFaults {
	return &majorFaults{procRoot, make(map[int32]uint64), make(map[window.Station]uint64)}
}

// follow reads the processes of the tiers that a scan found.
func (f *majorFaults) follow(tiers []Tier) {
	before, sums := f.last, f.tiers
	f.last, f.tiers = make(map[int32]uint64), make(map[window.Station]uint64)
	for _, t := range tiers {
		sum, known := sums[t.Station], false
		for _, pid := range t.all() {
			now, ok := f.read(pid)
			if !ok {
				continue
			}
			if old, ok := before[pid]; ok && now > old {
				sum += now - old
			}
			f.last[pid], known = now, true
		}
		if known {
			f.tiers[t.Station] = sum
		}
	}
}

// majorField is the index of majflt after the name of the command, which may contain any characters (proc_pid_stat(5)).
const majorField = 9

func (f *majorFaults) read(pid int32) (uint64, bool) {
	text, err := os.ReadFile(filepath.Join(f.procRoot, strconv.Itoa(int(pid)), "stat"))
	if err != nil {
		return 0, false
	}
	fields := strings.Fields(string(text[strings.LastIndexByte(string(text), ')')+1:]))
	if len(fields) <= majorField {
		return 0, false
	}
	n, err := strconv.ParseUint(fields[majorField], 10, 64)
	return n, err == nil
}

// MajorFaults is how many pages a tier had to read from a disk since it was found, as of the last scan. It is false if
// that is not known, or if the cause memory is switched off.
func (s *Set) MajorFaults(tier window.Station) (n uint64, ok bool) {
	if s.faults == nil {
		return 0, false
	}
	n, ok = s.faults.tiers[tier]
	return n, ok
}
