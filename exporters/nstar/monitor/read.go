// SPDX-License-Identifier: Apache-2.0

package monitor

import (
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/nstar-project/nstar/exporters/nstar/causes"
	"github.com/nstar-project/nstar/exporters/nstar/clock"
	"github.com/nstar-project/nstar/exporters/nstar/judgement"
	"github.com/nstar-project/nstar/exporters/nstar/monitor/why"
	"github.com/nstar-project/nstar/exporters/nstar/samples"
	"github.com/nstar-project/nstar/exporters/nstar/window"
)

// read takes the windows that have settled.
func (m *Monitor) read() {
	m.mu.Lock()
	defer m.mu.Unlock()
	now := clock.Monotonic()
	offset := m.reader.FollowClock(clock.Wall(), now)
	if m.causes != nil {
		if err := m.causes.SetClock(offset); err != nil {
			m.options.Log.Warn("The window clock of the causes can't be set", "err", err)
		}
	}
	m.refreshEdges()
	m.reader.Read(now, m.measured(), func(together []window.Window) {
		for _, w := range together {
			if !m.stations.isTier(w.Station) && (w.Connections > 0 || w.Arrivals > 0) {
				m.edgeUsed[w.Station] = now
			}
		}
		m.take(together)
	})
}

// take makes a batch of samples of the windows of one time, and judges them.
func (m *Monitor) take(windows []window.Window) {
	if windows[0].Merged > 0 {
		m.judges.Skip()
		return
	}
	m.settled++
	batch := samples.Batch{End: windows[0].End(m.options.Window)}
	first := slices.IndexFunc(windows, func(w window.Window) bool { return !m.stations.isTier(w.Station) })
	if first < 0 { // edges follow the tiers
		first = len(windows)
	}
	calls := m.calls(windows[first:])
	for _, w := range windows[:first] {
		m.sample(&batch, w, calls[w.Station])
	}
	for _, w := range windows[first:] {
		m.sampleEdge(&batch, w)
	}
	m.buffer.Add(batch)
}

// refreshEdges learns of edges that the kernel side numbered since the last time.
func (m *Monitor) refreshEdges() {
	changed := m.probe.EdgesChanged() // before the list: what changes meanwhile is listed again
	if changed == m.edgesChanged {
		return
	}
	edges, err := m.probe.Edges()
	if err != nil {
		m.options.Log.Warn("New edges can't be read", "err", err)
		return
	}
	m.edges, m.edgesChanged = edges, changed
	for _, e := range edges {
		if _, ok := m.edgeUsed[e.Station]; !ok {
			m.edgeUsed[e.Station] = m.now()
		}
	}
	m.nameEdges()
}

// nameEdges names all edges anew: when there are new ones, and when tiers were found or renamed. Every window asks for
// the names, so they are not looked up there.
func (m *Monitor) nameEdges() {
	m.edgeNames = make(map[window.Station]namedEdge, len(m.edges))
	for _, e := range m.edges {
		from, ok := m.stations.name(e.From)
		if !ok {
			continue
		}
		to, known := m.directory.name(from.App, e)
		m.edgeNames[e.Station] = namedEdge{EdgeName{App: from.App, From: from.Tier, To: to}, known, e.From}
	}
}

// checkDrift sets the carried counts right that don't agree with the sockets.
func (m *Monitor) checkDrift() {
	m.mu.Lock()
	defer m.mu.Unlock()
	present := m.stations.all()
	for _, e := range m.edges {
		present = append(present, e.Station)
	}
	corrections, err := m.reader.CheckDrift(present)
	if err != nil {
		m.options.Log.Warn("No drift check", "err", err)
	}
	for _, c := range corrections {
		m.options.Log.Warn("A count that is carried did not agree with the sockets; it is set right",
			"what", m.describe(c.Station, c.Connections), "by", c.By)
	}
}

// describe says what is counted, for the log.
func (m *Monitor) describe(n window.Station, connections bool) string {
	if name, ok := m.stations.name(n); ok {
		if connections {
			return fmt.Sprintf("connections to %s/%s", name.App, name.Tier)
		}
		return fmt.Sprintf("queue of %s/%s", name.App, name.Tier)
	}
	edge := m.edgeNames[n]
	if connections {
		return fmt.Sprintf("connections from %s/%s to %s", edge.App, edge.From, edge.To)
	}
	return fmt.Sprintf("calls from %s/%s to %s", edge.App, edge.From, edge.To)
}

// measured lists all stations: tiers, then edges, those that are being given up included.
func (m *Monitor) measured() []window.Station {
	out := m.stations.all()
	for _, e := range m.edges {
		out = append(out, e.Station)
	}
	for n := range m.held {
		out = append(out, n)
	}
	return out
}

// sample adds a tier's window to its batch. Tiers that never had a request are left out: most listeners of a host are
// idle.
func (m *Monitor) sample(b *samples.Batch, w window.Window, calls []judgement.Calls) {
	width := m.options.Window
	arrivals, idle := m.reader.Seen(w.Station)
	if arrivals == 0 {
		return
	}
	name := m.stations.places[w.Station].name
	end := b.End - m.reader.Offset() // monotonic
	residence := math.NaN()
	if w.Completions > 0 {
		residence = time.Duration(w.Residence).Seconds() / float64(w.Completions)
	}
	gc := m.collections.Ratio(name, end-width, end)
	judge := m.judges.Of(name, idle)
	reasons := m.why.Of(causes.Tier{Station: w.Station, App: name.App, Name: name.Tier})
	past, known := reasons.LookBack(w.Index, m.reader.Offset())
	if past.Work != nil {
		judge.SetWork(*past.Work)
	}
	connections := max(0, w.ClientConnections(width))
	own, judged, ok := judge.Judge(judgement.Window{
		Index: w.Index, Queue: max(0, w.Queue(width)), Completions: float64(w.Completions), GC: gc, Calls: calls,
		Connections: connections,
	}, reasons.Quota())
	b.Tiers = append(b.Tiers, samples.Tier{
		App: name.App, Tier: name.Tier,
		Queue: w.Queue(width), Throughput: w.Throughput(width), Residence: residence, GC: gc, Own: own,
		Connections: connections,
	})
	if known {
		stood := ok && judged.Index == past.Index && why.StoodStill(judged)
		b.Causes = append(b.Causes, reasons.Take(past, stood))
	}
	reasons.Note(w.Index, own)
	if ok {
		of := time.Duration(judged.Index+1) * width
		b.States = append(b.States, samples.State{App: name.App, Tier: name.Tier, End: of, State: int(judged.State)})
	}
}

// sampleEdge adds the edges between named tiers; two addresses of the same tier are one edge.
func (m *Monitor) sampleEdge(b *samples.Batch, w window.Window) {
	name, ok := m.edgeNames[w.Station]
	if !ok || !name.known {
		return
	}
	width := m.options.Window
	edge := samples.Edge{
		App: name.App, From: name.From, To: name.To, Outstanding: w.Queue(width),
		Calls: float64(w.Arrivals) / width.Seconds(),
		Peak:  float64(w.PeakCalls), Connections: float64(w.Connections), Used: float64(w.ConnectionsUsed), Gap: math.NaN(),
	}
	if w.Gaps > 0 {
		edge.Gap = time.Duration(w.GapTime).Seconds() / float64(w.Gaps)
	}
	for i := range b.Edges {
		if e := &b.Edges[i]; e.App == name.App && e.From == name.From && e.To == name.To {
			*e = e.Plus(edge)
			return
		}
	}
	b.Edges = append(b.Edges, edge)
}
