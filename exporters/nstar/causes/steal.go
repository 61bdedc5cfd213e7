// SPDX-License-Identifier: Apache-2.0

package causes

import (
	"errors"
	"math"
	"time"

	"github.com/prometheus/procfs"
	"golang.org/x/sys/unix"

	"github.com/nstar-project/nstar/exporters/nstar/window"
)

func init() {
	register("steal", "Share of the window for which the hypervisor had the processors that the tier may run on; "+
		"counted by hundredths of a second, spread over those between two readings.", openSteal)
}

// steal is the hypervisor's part of /proc/stat.
type steal struct {
	*shared
	fs    procfs.FS
	last  map[int64]float64
	at    time.Duration
	wait  time.Duration // until the next reading
	busy  time.Duration // when time was last stolen
	cpus  map[int64]*spans
	tiers map[window.Station]unix.CPUSet
}

const (
	// stealInterval is how often the file is read, which is long on machines with many processors and interrupts.
	stealInterval = 100 * time.Millisecond
	// restInterval is the same while nothing is stolen, as on all physical machines.
	restInterval = time.Second
	// muchStolen is the share of a processor from which on it matters at what time it was stolen.
	muchStolen = 0.1
)

func openSteal(s *shared) (Collector, error) {
	fs, err := procfs.NewFS(s.options.ProcRoot)
	if err != nil {
		return nil, err
	}
	if stat, err := fs.Stat(); err != nil || len(stat.CPU) == 0 {
		return nil, errors.New("no processors in " + s.options.ProcRoot + "/stat")
	}
	return &steal{shared: s, fs: fs, wait: stealInterval, cpus: make(map[int64]*spans),
		tiers: make(map[window.Station]unix.CPUSet)}, nil
}

func (c *steal) Follow(tiers []Tier) { c.tiers = allowed(tiers) }

func (c *steal) Poll(now time.Duration) {
	if now < c.at+max(c.wait, c.every(stealInterval)) {
		return
	}
	stat, err := c.fs.Stat()
	if err != nil {
		return
	}
	seen := make(map[int64]float64, len(stat.CPU))
	for cpu, s := range stat.CPU {
		seen[cpu] = s.Steal
	}
	c.take(now, seen)
}

// take takes how much was stolen from each processor so far, in seconds.
func (c *steal) take(now time.Duration, seen map[int64]float64) {
	for cpu, s := range seen {
		before, ok := c.last[cpu]
		if !ok {
			continue
		}
		if s > before {
			c.busy = now
		}
		c.moved = c.moved || s-before > muchStolen*(now-c.at).Seconds()
		if c.cpus[cpu] == nil {
			c.cpus[cpu] = &spans{}
		}
		c.cpus[cpu].add(c.at, now, s-before)
	}
	c.last, c.at, c.wait = seen, now, stealInterval
	if now-c.busy > time.Minute {
		c.wait = restInterval
	}
}

func (c *steal) Share(tier window.Station, w Window) float64 {
	set, ok := c.tiers[tier]
	if !ok || c.last == nil {
		return math.NaN()
	}
	sum := 0.0
	for cpu, s := range c.cpus {
		if set.IsSet(int(cpu)) {
			sum += s.share(w.From, w.To)
		}
	}
	return sum / float64(max(set.Count(), 1))
}

// Hypervisor is the neighbour that has the processors that a virtual machine does not get.
const Hypervisor = "hypervisor"

// steal subtracts the hypervisor's share from the time that the kernel counts as running. In that time the thread that
// had the processor really waited, and so did the threads that waited for it.
func (w *Work) steal(share float64) {
	if !(share > 0) {
		return
	}
	own := w.Waited
	for _, n := range w.Neighbours {
		if !n.Own {
			own -= n.Time
		}
	}
	ran := time.Duration(share * float64(w.Ran))
	w.Ran -= ran
	w.Waited += ran
	w.Neighbours = append(w.Neighbours,
		Neighbour{Who{Name: Hypervisor}, ran + time.Duration(share*float64(max(0, own)))})
}
