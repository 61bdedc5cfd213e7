// SPDX-License-Identifier: Apache-2.0

package causes

import (
	"time"

	"github.com/nstar-project/nstar/exporters/nstar/causes/sched"
	"github.com/nstar-project/nstar/exporters/nstar/probe"
	"github.com/nstar-project/nstar/exporters/nstar/window"
)

// shared is what several collectors use.
type shared struct {
	options Options
	sched   *sched.Probe
	tried   bool
	err     error // why there is no scheduler's program
	last    reading
	devices *devices                         // nil if no collector needs them
	asked   map[window.Station]time.Duration // when a tier's shares were read last, CLOCK_MONOTONIC of the window
	calm    bool                             // nothing has moved lately, as the loop says
	moved   bool                             // something moves, as a collector has said in this poll
}

// reading is the last reading, because each collector asks for the same.
type reading struct {
	tier  window.Station
	index int64
	times sched.Times
	cores []Core
}

// lateness is how long user space may be delayed before windows are overwritten.
const lateness = 2 * time.Second

// scheduler opens the scheduler's program when the first collector needs it.
func (s *shared) scheduler() (*shared, error) {
	if s.tried {
		return s, s.err
	}
	s.tried = true
	o := s.options
	if !probe.KernelNumbers(o.ProcRoot) {
		s.err = probe.ErrProcessNamespace
		return s, s.err
	}
	s.sched, s.err = sched.Open(sched.Options{
		Window: o.Window, Kept: o.Settle + Lag + lateness, MaxTiers: o.MaxTiers, Clock: o.Clock, Locks: !o.Off["lock"],
		ProcRoot: o.ProcRoot,
	})
	if s.err != nil {
		s.sched, s.err = nil, probe.Explain(s.err)
	}
	return s, s.err
}

// times reads what a tier's threads did in a window that ended long enough ago.
func (s *shared) times(tier window.Station, index int64) sched.Times {
	if s.last.tier != tier || s.last.index != index {
		r := reading{tier: tier, index: index}
		r.times = s.sched.WindowByCore(tier, index, func(cpu int, t sched.Times) {
			r.cores = append(r.cores, Core{cpu, t.Ran, t.Disk})
		})
		s.last = r
	}
	return s.last.times
}

// total is what Set.Total returns.
func (s *shared) total(tier window.Station) (ran, waited time.Duration, ok bool) {
	if s.sched == nil {
		return 0, 0, false
	}
	ran, waited = s.sched.Total(tier)
	return ran, waited, true
}

// idleAfter is for how long a tier without requests is still looked at.
const idleAfter = 30 * time.Second

// active reports whether a tier has requests. Other tiers are not polled.
func (s *shared) active(tier window.Station, now time.Duration) bool {
	at, ok := s.asked[tier]
	return ok && now-at < idleAfter
}

// ratio converts a time in a window to seconds per second.
func (s *shared) ratio(t time.Duration) float64 { return float64(t) / float64(s.options.Window) }

// calmly is the factor by which expensive readings become rarer while nothing moves.
const calmly = 5

// every is the time between two expensive readings, given that time in a hurry.
func (s *shared) every(hurry time.Duration) time.Duration {
	if s.calm {
		return calmly * hurry
	}
	return hurry
}

func (s *shared) close() error {
	if s.sched == nil {
		return nil
	}
	return s.sched.Close()
}
