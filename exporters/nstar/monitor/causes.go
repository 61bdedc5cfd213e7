// SPDX-License-Identifier: Apache-2.0

package monitor

import (
	"time"

	"github.com/nstar-project/nstar/exporters/nstar/causes"
	"github.com/nstar-project/nstar/exporters/nstar/discovery"
	"github.com/nstar-project/nstar/exporters/nstar/monitor/why"
	"github.com/nstar-project/nstar/exporters/nstar/window"
)

// Causes measure what keeps tiers from work: *causes.Set, which documents the methods.
type Causes interface {
	why.Causes
	SetClock(offset time.Duration) error
	Follow([]causes.Tier) error
	Poll(now time.Duration)
	Accept(tier window.Station) (causes.Accept, bool)
	Late() uint64
	Cost() (program string, runs uint64, took time.Duration, ok bool)
}

// followCauses tells the collectors what a scan found.
func (m *Monitor) followCauses(found discovery.Snapshot) {
	if m.causes == nil {
		return
	}
	var tiers []causes.Tier
	for _, t := range found.Tiers {
		if n, ok := m.stations.numbers[t.FullName()]; ok {
			tiers = append(tiers, causes.Tier{Station: n, App: t.App, Name: t.Name, PIDs: t.PIDs,
				Allies: t.Allies, Listeners: t.Listeners})
		}
	}
	if err := m.causes.Follow(tiers); err != nil {
		m.options.Log.Warn("The causes of some processes are not measured", "err", err)
	}
}

func (m *Monitor) pollCauses() {
	if m.causes != nil {
		m.causes.Poll(m.now())
	}
}
