// SPDX-License-Identifier: Apache-2.0

package monitor

import (
	"github.com/nstar-project/nstar/exporters/nstar/causes"
	"github.com/nstar-project/nstar/exporters/nstar/discovery"
	"github.com/nstar-project/nstar/exporters/nstar/window"
)

// hiddenTier is a tier of this host that others call over connections that can't be measured, such as a broker of
// messages.
type hiddenTier struct {
	name    string
	station window.Station
}

// findHidden finds the hidden tiers that each tier calls.
func (m *Monitor) findHidden() map[discovery.TierName][]hiddenTier {
	out := make(map[discovery.TierName][]hiddenTier)
	for _, n := range m.stations.Edges() {
		e, ok := m.stations.Edge(n)
		if !ok || m.reader.Totals(n).Opaque == 0 {
			continue
		}
		if to, here := m.stations.Number(discovery.TierName{App: e.App, Tier: e.To}); here {
			from := discovery.TierName{App: e.App, Tier: e.From}
			out[from] = append(out[from], hiddenTier{e.To, to})
		}
	}
	return out
}

// halted is the hidden tier behind a tier that was stopped from outside for most of a window; empty if there is none.
func (m *Monitor) halted(caller discovery.TierName, w causes.Window) string {
	for _, t := range m.hidden[caller] {
		if m.causes.Stopped(t.station, w) >= mostOfWindow {
			return t.name
		}
	}
	return ""
}

// mostOfWindow is the share of a window for which a hidden tier must have been stopped, so that the requests of its
// callers waited for it.
const mostOfWindow = 0.5
