// SPDX-License-Identifier: Apache-2.0

package monitor

import (
	"fmt"

	"github.com/nstar-project/nstar/exporters/nstar/probe"
	"github.com/nstar-project/nstar/exporters/nstar/window"
)

// carriage is a count that is carried from window to window and can be counted anew over the sockets: the requests in
// flight of a tier or an edge, or the open connections.
type carriage struct {
	station     window.Station
	connections bool
}

// driftTries is how often the two counts are compared before a difference is believed: the queue moves meanwhile.
const driftTries = 5

// checkDrift compares the carried counts with those over the sockets.
func (m *Monitor) checkDrift() {
	m.mu.Lock()
	defer m.mu.Unlock()
	var drift map[carriage]int64
	for range driftTries {
		before := m.carried()
		counted, err := m.probe.Count()
		if err != nil {
			m.options.Log.Warn("No drift check", "err", err)
			return
		}
		seen := differences(before, m.carried(), counted)
		if drift == nil {
			drift = seen
		}
		agree := true
		for what, n := range seen {
			if max(n, -n) < max(drift[what], -drift[what]) {
				drift[what] = n
			}
			agree = agree && drift[what] == 0
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

// correct sets carried counts right that have been off by the same number for a while. Requests in flight come and go,
// so a difference that stays is no measuring error: the end of a request was missed (state.go counts the reasons).
func (m *Monitor) correct(drift map[carriage]int64) {
	for what, n := range drift {
		if n == 0 || n != m.drift[what] {
			m.drifted[what] = 0
		}
		if n == 0 {
			continue
		}
		if m.drifted[what]++; m.drifted[what] < driftChecks {
			continue
		}
		if what.connections {
			m.settler.AdjustConnections(what.station, -n)
		} else {
			m.settler.Adjust(what.station, -n)
		}
		m.corrected += uint64(max(n, -n))
		m.options.Log.Warn("A count that is carried did not agree with the sockets; it is set right",
			"what", m.describe(what), "by", -n)
		drift[what], m.drifted[what] = 0, 0
	}
}

// describe says what is counted, for the log.
func (m *Monitor) describe(what carriage) string {
	if name, ok := m.stations.name(what.station); ok {
		if what.connections {
			return fmt.Sprintf("connections to %s/%s", name.App, name.Tier)
		}
		return fmt.Sprintf("queue of %s/%s", name.App, name.Tier)
	}
	edge := m.edgeNames[what.station]
	if what.connections {
		return fmt.Sprintf("connections from %s/%s to %s", edge.App, edge.From, edge.To)
	}
	return fmt.Sprintf("calls from %s/%s to %s", edge.App, edge.From, edge.To)
}

// differences is by how much the counts lie outside of what was carried before and after counting.
func differences(before, after map[carriage]int64, counted probe.Counts) map[carriage]int64 {
	out := make(map[carriage]int64)
	for what := range before {
		n := int64(counted.InFlight[what.station])
		if what.connections {
			n = int64(counted.Connections[what.station])
		}
		low, high := min(before[what], after[what]), max(before[what], after[what])
		out[what] = min(max(n, low), high) - n
	}
	return out
}

func (m *Monitor) carried() map[carriage]int64 {
	out := make(map[carriage]int64)
	for _, station := range m.stations.all() {
		out[carriage{station, false}] = m.settler.Carried(station, m.probe.Sums)
		out[carriage{station, true}] = m.settler.CarriedConnections(station, m.probe.Sums)
	}
	for _, e := range m.edges {
		out[carriage{e.Station, false}] = m.settler.Carried(e.Station, m.probe.Sums)
		out[carriage{e.Station, true}] = m.settler.CarriedConnections(e.Station, m.probe.Sums)
	}
	return out
}
