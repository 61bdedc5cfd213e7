// SPDX-License-Identifier: Apache-2.0

package monitor

import (
	"errors"
	"log/slog"
	"math"
	"time"

	"github.com/nstar-project/nstar/exporters/nstar/internal/discovery"
	"github.com/nstar-project/nstar/exporters/nstar/internal/hsperf"
)

// collections follows the garbage collections of the tiers' Java virtual machines.
type collections struct {
	procRoot string
	log      *slog.Logger
	machines map[int32]*machine
}

type machine struct {
	jvm  *hsperf.JVM // nil where the counters can't be read
	tier TierName
}

func newCollections(procRoot string, log *slog.Logger) *collections {
	return &collections{procRoot: procRoot, log: log, machines: make(map[int32]*machine)}
}

// follow opens the counters of new machines and closes those of machines that are gone.
func (c *collections) follow(found discovery.Snapshot) {
	alive := make(map[int32]bool)
	for _, tier := range found.Tiers {
		if !tier.JVM {
			continue
		}
		name := TierName{tier.App, tier.Name}
		for _, pid := range tier.PIDs {
			alive[pid] = true
			if m := c.machines[pid]; m != nil && m.jvm != nil {
				m.tier = name
				continue
			}
			jvm, err := hsperf.Open(c.procRoot, pid)
			if errors.Is(err, hsperf.ErrStarting) {
				continue // the next scan finds it ready
			}
			if err != nil && c.machines[pid] == nil {
				c.log.Info("No garbage collection counters: the tier's nstar_window_gc_ratio is missing", "tier", tier.Name, "pid", pid, "reason", err)
			}
			if err == nil {
				c.log.Debug("Following garbage collections", "tier", tier.Name, "pid", pid)
			}
			c.machines[pid] = &machine{jvm: jvm, tier: name}
		}
	}
	for pid, m := range c.machines {
		if !alive[pid] {
			m.close()
			delete(c.machines, pid)
		}
	}
}

func (m *machine) close() {
	if m.jvm != nil {
		m.jvm.Close()
		m.jvm = nil
	}
}

// poll reads the counters. A machine that went away is closed; the next scan forgets it or opens it anew.
func (c *collections) poll(now time.Duration) {
	for _, m := range c.machines {
		if m.jvm != nil && m.jvm.Poll(now) != nil {
			m.close()
		}
	}
}

// any says whether there is something to poll.
func (c *collections) any() bool {
	for _, m := range c.machines {
		if m.jvm != nil {
			return true
		}
	}
	return false
}

// ratio is the share of [from, to), monotonic, that a tier's machines spent stopped, averaged over them; NaN without any.
func (c *collections) ratio(tier TierName, from, to time.Duration) float64 {
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

func (c *collections) close() {
	for _, m := range c.machines {
		m.close()
	}
}
