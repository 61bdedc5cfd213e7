// SPDX-License-Identifier: Apache-2.0

package bed

import (
	"os"

	"github.com/prometheus/procfs"
	"golang.org/x/sys/unix"
)

// Processors are those that this process may use.
func Processors() []int {
	var set unix.CPUSet
	if err := unix.SchedGetaffinity(0, &set); err != nil {
		return []int{0}
	}
	var out []int
	for i := 0; len(out) < set.Count(); i++ {
		if set.IsSet(i) {
			out = append(out, i)
		}
	}
	return out
}

// CPUSeconds is what a process has used of the processors so far, in user mode and in the kernel.
func CPUSeconds(pid int) (float64, error) {
	p, err := procfs.NewProc(pid)
	if err != nil {
		return 0, err
	}
	stat, err := p.Stat()
	return stat.CPUTime(), err
}

// EndedChildrenSeconds is the processor time of the children of a process that have ended and that it knows about: a
// server with a process for each connection does most of its work there.
func EndedChildrenSeconds(pid int) (float64, error) {
	p, err := procfs.NewProc(pid)
	if err != nil {
		return 0, err
	}
	stat, err := p.Stat()
	const ticks = 100 // per second, on every Linux
	return float64(stat.CUTime+stat.CSTime) / ticks, err
}

// DelaySeconds is how long the threads of a process have been ready to run and had no processor.
func DelaySeconds(pid int) (sum float64, err error) {
	threads, err := procfs.AllThreads(pid)
	if err != nil {
		return 0, err
	}
	for _, t := range threads {
		if s, err := t.Schedstat(); err == nil { // it may have ended
			sum += float64(s.WaitingNanoseconds) / 1e9
		}
	}
	return sum, nil
}

// IdleSeconds is how long processors were idle since the machine started, all of them together.
func IdleSeconds() (float64, error) {
	fs, err := procfs.NewDefaultFS()
	if err != nil {
		return 0, err
	}
	stat, err := fs.Stat()
	return stat.CPUTotal.Idle + stat.CPUTotal.Iowait, err
}

// ResidentMegabytes is the resident memory of a process.
func ResidentMegabytes(pid int) (float64, error) {
	p, err := procfs.NewProc(pid)
	if err != nil {
		return 0, err
	}
	status, err := p.NewStatus()
	return float64(status.VmRSS) / (1 << 20), err
}

// Locked runs f while the file is locked, so that proofs on one machine take turns; an empty name means no lock.
func Locked(name string, f func() error) error {
	if name == "" {
		return f()
	}
	file, err := os.OpenFile(name, os.O_CREATE|os.O_RDWR, 0o666)
	if err != nil {
		return err
	}
	defer file.Close() // gives the lock back
	if err := unix.Flock(int(file.Fd()), unix.LOCK_EX); err != nil {
		return err
	}
	return f()
}
