// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/nstar-project/nstar/exporters/proof/bed"
)

// evidence is what the kernel says about a run, independent of Nstar, so that the truth of a scenario itself can be
// checked.
type evidence struct {
	CPU     map[string]float64 // of one processor, by tier
	Idle    float64            // of all processors, 0 to 1
	Foreign float64            // the same, for processes that are no part of the run
	Delay   float64            // seconds per second that threads of the tiers were ready to run and had no processor
}

func (e evidence) String() string {
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(e.CPU)) {
		fmt.Fprintf(&b, "%s %.0f %%, ", name, 100*e.CPU[name])
	}
	fmt.Fprintf(&b, "machine idle %.0f %%, others %.0f %%", 100*e.Idle, 100*e.Foreign)
	return b.String()
}

// meter reads processor times and remembers the previous ones.
type meter struct {
	stack *stack
	ours  []int // processes of the run beside the tiers
	at    time.Time
	tiers map[string]spent
	rest  float64 // seconds used so far by the other processes of the run
	idle  float64
}

// spent are the seconds of each process of a tier so far. They are kept separately because workers end, and then the
// kernel no longer reports what they used: the sum would fall. Their parents know the time of those that ended; ended
// is the sum of it.
type spent struct {
	processor, delay map[int]float64
	ended            float64
}

// since is the processor time since an earlier reading.
func (s spent) since(before spent) (seconds float64) {
	ended := s.ended - before.ended
	for pid, known := range before.processor {
		if _, there := s.processor[pid]; !there {
			ended -= known
		}
	}
	return more(s.processor, before.processor) + max(0, ended)
}

// more is how much the present processes spent since an earlier reading.
func more(now, before map[int]float64) (seconds float64) {
	for pid, s := range now {
		seconds += max(0, s-before[pid])
	}
	return seconds
}

func newMeter(s *stack, ours ...int) *meter {
	m := &meter{stack: s, ours: ours}
	m.read()
	return m
}

// read returns what was used since the previous call.
func (m *meter) read() evidence {
	now := meter{stack: m.stack, ours: m.ours, at: time.Now(), tiers: make(map[string]spent),
		idle: known(bed.IdleSeconds())}
	for _, t := range m.stack.tiers {
		s := spent{processor: make(map[int]float64), delay: make(map[int]float64)}
		for _, pid := range m.stack.pids(t.name) {
			s.processor[pid], s.delay[pid] = known(bed.CPUSeconds(pid)), known(bed.DelaySeconds(pid))
			s.ended += known(bed.EndedChildrenSeconds(pid))
		}
		now.tiers[t.name] = s
	}
	for _, pid := range m.ours {
		now.rest += known(bed.CPUSeconds(pid))
	}
	e := evidence{CPU: make(map[string]float64)}
	if length := now.at.Sub(m.at).Seconds(); !m.at.IsZero() && length > 0 {
		used := (now.rest - m.rest) / length
		for name := range now.tiers {
			e.CPU[name] = now.tiers[name].since(m.tiers[name]) / length
			e.Delay += more(now.tiers[name].delay, m.tiers[name].delay) / length
			used += e.CPU[name]
		}
		n := float64(len(bed.Processors()))
		e.Idle = (now.idle - m.idle) / length / n
		e.Foreign = max(0, 1-e.Idle-used/n)
	}
	*m = now
	return e
}

// known is a figure, or 0 for a process that has ended meanwhile.
func known(figure float64, err error) float64 {
	if err != nil {
		return 0
	}
	return figure
}
