// SPDX-License-Identifier: Apache-2.0

package monitor

import (
	"github.com/nstar-project/nstar/exporters/nstar/causes"
	"github.com/nstar-project/nstar/exporters/nstar/discovery"
)

// followCauses tells the collectors what a scan found.
func (m *Monitor) followCauses(found discovery.Snapshot) {
	if m.causes == nil {
		return
	}
	var tiers []causes.Tier
	for _, t := range found.Tiers {
		if n, ok := m.stations.Number(t.FullName()); ok {
			tiers = append(tiers, causes.Tier{Station: n, App: t.App, Name: t.Name, PIDs: t.Serving(),
				Started: t.Started, Allies: t.Allies, Listeners: t.Listeners})
		}
	}
	if err := m.causes.Follow(tiers); err != nil {
		m.options.Log.Warn("The causes of some processes are not measured", "err", err)
	}
}
