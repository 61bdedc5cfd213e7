// SPDX-License-Identifier: Apache-2.0

package causes

import (
	"slices"
	"time"

	"github.com/nstar-project/nstar/exporters/nstar/window"
)

// meter is something that is read again and again while a tier to which it belongs has requests. If it belongs to
// several tiers, it is read more than once at the same time. Reading reports whether it has changed by something that
// is over within moments.
type meter interface {
	comparable
	poll(now time.Duration) (moved bool)
	close()
}

// meters are the meters of processes or of control groups. Tiers that share one share its meter.
type meters[K comparable, M meter] struct {
	*shared
	all   map[K]M
	tiers map[window.Station][]M
}

func newMeters[K comparable, M meter](s *shared) meters[K, M] {
	return meters[K, M]{shared: s, all: make(map[K]M), tiers: make(map[window.Station][]M)}
}

// follow takes the tiers that a scan found. of returns what is measured for a tier, and open opens its meter, if it
// can. Meters that belong to no tier any more are closed.
func (m *meters[K, M]) follow(tiers []Tier, of func(Tier) []K, open func(K) (M, bool)) {
	before := m.all
	m.all = make(map[K]M)
	clear(m.tiers)
	for _, t := range tiers {
		for _, key := range of(t) {
			one, ok := m.all[key]
			if !ok {
				if one, ok = before[key]; !ok {
					one, ok = open(key)
				}
				if !ok {
					continue
				}
				m.all[key] = one
			}
			if !slices.Contains(m.tiers[t.Station], one) {
				m.tiers[t.Station] = append(m.tiers[t.Station], one)
			}
		}
	}
	for key, one := range before {
		if _, ok := m.all[key]; !ok {
			one.close()
		}
	}
}

// Poll reads the meters of tiers that have requests.
func (m *meters[K, M]) Poll(now time.Duration) {
	for tier, all := range m.tiers {
		if m.active(tier, now) {
			for _, one := range all {
				m.moved = one.poll(now) || m.moved
			}
		}
	}
}

// processesAsked limits the work for a tier of many processes, which are nearly always in the same control group.
const processesAsked = 4

// all are the processes of a tier, and those that they have started.
func (t Tier) all() []int32 { return slices.Concat(t.PIDs, t.Started) }

// some are the processes of a tier that are read.
func (t Tier) some() []int32 { return t.PIDs[:min(len(t.PIDs), processesAsked)] }
