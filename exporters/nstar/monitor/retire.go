// SPDX-License-Identifier: Apache-2.0

package monitor

import (
	"time"

	"github.com/nstar-project/nstar/exporters/nstar/discovery"
	"github.com/nstar-project/nstar/exporters/nstar/probe"
	"github.com/nstar-project/nstar/exporters/nstar/window"
)

// Numbers of edges are given up like those of tiers (stations.go): when nothing was connected for long, sooner when the
// table is nearly full, and at once when the tier that called is given up.
const (
	forgetEdgeAfter = 10 * time.Minute
	crowdedAfter    = 30 * time.Second
	// crowdedShare is how full the table is when it is nearly full.
	crowdedShare = 0.75
)

// retire gives up the numbers of tiers that are away and of edges that are not used, and frees those that no connection
// bears any more. It runs before each scan gives numbers out.
func (m *Monitor) retire(now time.Duration) {
	for _, n := range m.stations.leaving(now) {
		m.retireTier(n, now)
	}
	after := time.Duration(forgetEdgeAfter)
	if float64(len(m.edges)+len(m.held)) > crowdedShare*float64(m.options.MaxEdges) {
		after = crowdedAfter
	}
	m.forgetEdges(func(e probe.Edge) bool { return now-m.edgeUsed[e.Station] >= after })
	m.releaseNumbers()
}

func (m *Monitor) retireTier(n window.Station, now time.Duration) {
	name := m.stations.places[n].name
	m.options.Log.Info("A tier is gone, its number is free for others", "app", name.App, "tier", name.Tier)
	m.stations.holdBack(n, now)
	m.judges.Retire(name)
	m.why.Retire(name)
	m.forgetStation(n)
	m.forgetEdges(func(e probe.Edge) bool { return e.From == n })
}

// forgetStation drops what is known of a number.
func (m *Monitor) forgetStation(n window.Station) {
	m.reader.Forget(n)
	m.mixes.Forget(n)
}

// forgetEdges holds the numbers of some edges back.
func (m *Monitor) forgetEdges(unwanted func(probe.Edge) bool) {
	kept := m.edges[:0:0]
	for _, e := range m.edges {
		if !unwanted(e) {
			kept = append(kept, e)
			continue
		}
		if err := m.probe.ForgetEdge(e); err != nil {
			m.options.Log.Warn("An edge that is not used can't be given up", "err", err)
			kept = append(kept, e)
			continue
		}
		m.held[e.Station] = e
	}
	if len(kept) == len(m.edges) {
		return
	}
	m.edges = kept
	before := m.edgeNames
	m.nameEdges()
	m.forgetDestinations(before)
}

// forgetDestinations has the judges forget the destinations that no edge leads to any more.
func (m *Monitor) forgetDestinations(before map[window.Station]namedEdge) {
	present := make(map[EdgeName]bool, len(m.edgeNames))
	for _, e := range m.edgeNames {
		present[e.EdgeName] = true
	}
	for _, e := range before {
		if !present[e.EdgeName] {
			m.judges.Forget(discovery.TierName{App: e.App, Tier: e.EdgeName.From}, e.To)
		}
	}
}

// releaseNumbers frees the numbers held back that no connection bears.
func (m *Monitor) releaseNumbers() {
	waiting := m.stations.waiting()
	if len(waiting)+len(m.held) == 0 {
		return
	}
	counts, err := m.probe.Count()
	if err != nil {
		m.options.Log.Warn("Numbers of tiers and edges that are gone can't be used again", "err", err)
		return
	}
	inUse := func(n window.Station) bool { return counts.InFlight[n] > 0 || counts.Connections[n] > 0 }
	for _, n := range waiting {
		if !inUse(n) {
			m.stations.release(n)
		}
	}
	for n, e := range m.held {
		m.releaseEdge(e, inUse(n))
	}
}

// releaseEdge frees the number of an edge, or gives it back if a connection took it at the last moment.
func (m *Monitor) releaseEdge(e probe.Edge, used bool) {
	if used {
		if _, ok := m.stations.name(e.From); ok && m.probe.KeepEdge(e) {
			delete(m.held, e.Station)
			m.edges = append(m.edges, e)
			m.edgeUsed[e.Station] = m.now()
			m.nameEdges()
		}
		return
	}
	m.reader.Begin(e.Station) // before the next edge counts
	if err := m.probe.FreeEdge(e); err != nil {
		m.options.Log.Warn("The number of an edge that is gone can't be used again", "err", err)
		return
	}
	m.forgetStation(e.Station)
	delete(m.edgeUsed, e.Station)
	delete(m.held, e.Station)
}
