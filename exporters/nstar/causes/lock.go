// SPDX-License-Identifier: Apache-2.0

package causes

import (
	"time"

	"github.com/nstar-project/nstar/exporters/nstar/window"
)

// Lock is the name of the cause.
const Lock = "lock"

func init() {
	register(Lock, "Requests in the tier, on average over the time in the window, on which a thread of it slept "+
		"until another thread would wake it (futex, semaphore), though they wait for no tier behind: a lock inside "+
		"the tier.", openLock)
}

// lock is the part of the asleep requests whose threads sleep until other threads wake them. Idle workers sleep in the
// same way. The two are told apart by their number: while requests wait elsewhere (for example in a call that is not
// measured), their workers are missing among the threads that are idle at other times.
type lock struct {
	*shared
	idle map[window.Station]*summit // threads that sleep in this way for no request
	long *sleepers
}

func openLock(s *shared) (Collector, error) {
	s, err := s.scheduler()
	if err != nil {
		return nil, err
	}
	return lock{s, make(map[window.Station]*summit), newSleepers(s.sched.Blocked, s.options.ProcRoot)}, nil
}

// Poll looks at the threads that sleep for long, while any tier has requests.
func (c lock) Poll(now time.Duration) {
	for tier := range c.asked {
		if c.active(tier, now) {
			c.long.poll(now)
			return
		}
	}
}

func (c lock) Follow(tiers []Tier) {
	c.long.follow(tiers)
	known := make(map[window.Station]bool, len(tiers))
	for _, t := range tiers {
		known[t.Station] = true
	}
	for station := range c.idle {
		if !known[station] {
			delete(c.idle, station)
		}
	}
}

func (c lock) Share(tier window.Station, w Window) float64 {
	t := c.times(tier, w.Index)
	asleep := max(0, c.asleep(tier, w)-w.unbegun) // requests not begun hold no thread
	sleepers := c.ratio(t.Locked) + c.long.share(tier, w.From, w.To, longestWait(w.Residence))
	idle := c.idle[tier]
	if idle == nil {
		idle = new(summit)
		c.idle[tier] = idle
	}
	idle.add(w.To, sleepers-asleep) // at least so many threads have nothing to do
	return inLocks(asleep, sleepers, c.ratio(t.Ran+t.Waited+t.Disk), idle.most(w.To))
}

// longestWait is how long a thread may sleep for a request: as long as requests stay in the tier, with a margin because
// some stay longer than others. A thread that sleeps for longer has nothing to do.
func longestWait(residence time.Duration) time.Duration { return min(residences*residence, mostWait) }

const (
	residences = 3
	mostWait   = 30 * time.Second
)

// inLocks is how many of the asleep requests wait for a lock. sleepers threads sleep for other threads now, work
// threads work, and idle threads have had nothing to do at times. Idle threads that are missing now either work or
// sleep elsewhere for a request.
func inLocks(asleep, sleepers, work, idle float64) float64 {
	elsewhere := max(0, idle-sleepers-work)
	return min(max(0, asleep-elsewhere), sleepers)
}
