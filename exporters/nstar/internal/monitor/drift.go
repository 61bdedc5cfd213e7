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
	m.correct(drift)
	m.drift = drift
}

// driftChecks is how many checks in a row must find the same difference before the carried count is set right.
const driftChecks = 4

// correct sets carried counts right that have been off by the same number for a while. Requests in flight come and go, so
// a difference that stays is no measuring error: the end of a request was missed (state.go counts the reasons).
func (m *Monitor) correct(drift map[window.Station]int64) {
	for station, n := range drift {
		if n == 0 || n != m.drift[station] {
			m.drifted[station] = 0
		}
		if n == 0 {
			continue
		}
		if m.drifted[station]++; m.drifted[station] < driftChecks {
			continue
		}
		m.settler.Adjust(station, -n)
		m.corrected += uint64(max(n, -n))
		m.options.Log.Warn("The queue length carried did not agree with the connections; it is set right",
			"app", m.stations.names[station].App, "tier", m.stations.names[station].Tier, "by", -n)
		drift[station], m.drifted[station] = 0, 0
	}
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
