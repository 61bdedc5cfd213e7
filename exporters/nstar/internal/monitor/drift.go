// SPDX-License-Identifier: Apache-2.0

package monitor

import "github.com/nstar-project/nstar/exporters/nstar/internal/window"

// driftTries is how often the two counts are compared before a difference is believed: the queue moves meanwhile.
const driftTries = 5

// checkDrift compares the carried counts with the requests in flight counted over the connections.
func (m *Monitor) checkDrift() {
	m.mu.Lock()
	defer m.mu.Unlock()
	var drift map[window.Station]int64
	for range driftTries {
		before := m.carried()
		counted, err := m.probe.InFlight()
		if err != nil {
			m.options.Log.Warn("No drift check", "err", err)
			return
		}
		seen := differences(before, m.carried(), counted)
		if drift == nil {
			drift = seen
		}
		agree := true
		for station, n := range seen {
			if max(n, -n) < max(drift[station], -drift[station]) {
				drift[station] = n
			}
			agree = agree && drift[station] == 0
		}
		if agree {
			break
		}
	}
	m.drift = drift
}

// differences is by how much the counts lie outside of what was carried before and after counting.
func differences(before, after map[window.Station]int64, counted []uint64) map[window.Station]int64 {
	out := make(map[window.Station]int64)
	for station := range before {
		n := int64(counted[station])
		low, high := min(before[station], after[station]), max(before[station], after[station])
		out[station] = min(max(n, low), high) - n
	}
	return out
}

func (m *Monitor) carried() map[window.Station]int64 {
	out := make(map[window.Station]int64)
	for i := range m.stations.names {
		station := window.Station(i)
		out[station] = m.settler.Carried(station, m.probe.Sums)
	}
	return out
}
