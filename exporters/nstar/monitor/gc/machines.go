// SPDX-License-Identifier: Apache-2.0

// Package gc follows the garbage collections of the tiers' Java virtual machines. Any local user may run what looks
// like one, so the work for all of them together is limited.
package gc

import (
	"errors"
	"log/slog"
	"math"
	"time"

	"github.com/nstar-project/nstar/exporters/nstar/discovery"
	"github.com/nstar-project/nstar/exporters/nstar/hsperf"
)

// Machines are the Java virtual machines of the tiers. It is not safe for concurrent use.
type Machines struct {
	procRoot string
	log      *slog.Logger
	machines map[int32]*machine
	refused  uint64 // machines beyond the limits
	// time at safepoints that were no collections, of tiers whose machines report it.
	safepoints map[discovery.TierName]time.Duration
}

type machine struct {
	jvm     *hsperf.JVM // nil if the counters can't be read
	tier    discovery.TierName
	tries   int           // number of failures in a row
	retry   time.Duration // monotonic: not before
	refused bool
	unread  bool // though it has started
	// the part of its time at safepoints that is already in the tier's.
	safepoints time.Duration
}

const (
	// mostMachines limits the open files, mostPolled the bytes that every poll reads, and mostOpened the files that
	// a scan opens and reads as a whole.
	mostMachines = 256
	mostPolled   = 1 << 20
	mostOpened   = 16
	// firstRetry is after how long counters that could not be read are tried again. The delay doubles up to
	// lastRetry.
	firstRetry = 5 * time.Second
	lastRetry  = 5 * time.Minute
)

// NewMachines makes an empty set, which follows no machine yet.
func NewMachines(procRoot string, log *slog.Logger) *Machines {
	return &Machines{procRoot: procRoot, log: log, machines: make(map[int32]*machine),
		safepoints: make(map[discovery.TierName]time.Duration)}
}

// Follow opens the counters of new machines and closes those of machines that are gone.
func (c *Machines) Follow(found discovery.Snapshot, now time.Duration) {
	alive := make(map[int32]bool)
	opened := 0
	for _, tier := range found.Tiers {
		if !tier.JVM {
			continue
		}
		name := tier.FullName()
		for _, pid := range tier.PIDs {
			alive[pid] = true
			m := c.machines[pid]
			if m == nil {
				m = &machine{}
				c.machines[pid] = m
			}
			m.tier = name
			if m.jvm != nil || now < m.retry || opened >= mostOpened {
				continue
			}
			opened++
			c.open(pid, m, now)
		}
	}
	for pid, m := range c.machines {
		if !alive[pid] {
			m.close()
			delete(c.machines, pid)
		}
	}
	c.readSafepoints()
}

// open tries to follow a machine.
func (c *Machines) open(pid int32, m *machine, now time.Duration) {
	jvm, err := hsperf.Open(c.procRoot, pid)
	if err == nil && !c.affords(jvm) {
		jvm.Close()
		err = errors.New("too many machines, or too large counters")
		if !m.refused {
			m.refused = true
			c.refused++
		}
	}
	if err == nil {
		m.jvm, m.tries, m.unread = jvm, 0, false
		c.log.Debug("Following garbage collections", "tier", m.tier.Tier, "pid", pid)
		return
	}
	m.unread = !errors.Is(err, hsperf.ErrStarting)
	if m.tries == 0 && m.unread {
		c.log.Info("No garbage collection counters: the tier's nstar_window_gc_ratio is missing",
			"tier", m.tier.Tier, "pid", pid, "reason", err)
	}
	m.later(now)
}

// affords reports whether one more machine is within the limits.
func (c *Machines) affords(jvm *hsperf.JVM) bool {
	n, bytes := 1, jvm.PollBytes()
	for _, m := range c.machines {
		if m.jvm != nil {
			n++
			bytes += m.jvm.PollBytes()
		}
	}
	return n <= mostMachines && bytes <= mostPolled
}

// later postpones the next try. A machine that starts is ready after the first delay.
func (m *machine) later(now time.Duration) {
	delay := min(firstRetry<<min(m.tries, 16), lastRetry)
	m.tries++
	m.retry = now + delay - firstRetry/2 // the scan that comes then may be a little early
}

func (m *machine) close() {
	if m.jvm != nil {
		m.jvm.Close()
		m.jvm, m.safepoints = nil, 0
	}
}

// Poll reads the counters, and reports whether a machine is crowded. A machine that went away is closed. The next scan
// forgets it or opens it again.
func (c *Machines) Poll(now time.Duration) (crowded bool) {
	for _, m := range c.machines {
		switch {
		case m.jvm == nil:
		case m.jvm.Poll(now) != nil:
			m.close()
			m.later(now)
		default:
			crowded = crowded || m.jvm.Crowded()
		}
	}
	return crowded
}

// Any reports whether there is something to poll.
func (c *Machines) Any() bool {
	for _, m := range c.machines {
		if m.jvm != nil {
			return true
		}
	}
	return false
}

// Up reports whether the collections of all machines are known, or will be as soon as they have started.
func (c *Machines) Up() bool {
	for _, m := range c.machines {
		if m.unread {
			return false
		}
	}
	return true
}

// Refused is how many machines have been beyond the limits so far.
func (c *Machines) Refused() uint64 { return c.refused }

// Ratio is the share of [from, to), monotonic, for which a tier's machines were stopped, as a mean over the machines;
// NaN if there are none.
func (c *Machines) Ratio(tier discovery.TierName, from, to time.Duration) float64 {
	var stopped time.Duration
	n := 0
	for _, m := range c.machines {
		if m.tier == tier && m.jvm != nil {
			stopped += m.jvm.Stopped(from, to)
			n++
		}
	}
	if n == 0 {
		return math.NaN()
	}
	return float64(stopped) / float64(n) / float64(to-from)
}

// Close closes all files that are open.
func (c *Machines) Close() {
	for _, m := range c.machines {
		m.close()
	}
}
