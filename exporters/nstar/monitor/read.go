// SPDX-License-Identifier: Apache-2.0

package monitor

import (
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
	monotonic := clock.Monotonic()
	if m.offset.Follow(clock.Wall(), monotonic) {
		m.options.Log.Warn("The wall clock was set: some windows are lost, counters go on")
		m.settler.ClockSet()
	}
	if err := m.probe.SetClock(m.offset.Value()); err != nil {
		m.options.Log.Warn("The window clock can't be set", "err", err)
	}
	if m.causes != nil {
		if err := m.causes.SetClock(m.offset.Value()); err != nil {
			m.options.Log.Warn("The window clock of the causes can't be set", "err", err)
		}
	}
	m.refreshEdges()
	var together []window.Window // all stations' windows of one time
	m.lost += uint64(m.settler.Settle(monotonic+m.offset.Value(), m.measured(), m.probe.Sums, func(w window.Window) {
		m.totals[w.Station].Add(w, m.options.Window)
		if !m.stations.isTier(w.Station) && (w.Connections > 0 || w.Arrivals > 0) {
			m.edgeUsed[w.Station] = monotonic
		}
		if len(together) > 0 && together[0].Index != w.Index {
			m.take(together)
			together = together[:0]
		}
		together = append(together, w)
	}))
	m.take(together)
}

// take makes a batch of samples of the windows of one time, and judges them.
func (m *Monitor) take(windows []window.Window) {
	if len(windows) == 0 {
		return
	}
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
		if m.totals[e.Station] == nil {
			m.totals[e.Station] = &window.Totals{}
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
	if m.totals[w.Station].Arrivals == 0 {
		return
	}
	name := m.stations.places[w.Station].name
	end := b.End - m.offset.Value() // monotonic
	residence := math.NaN()
	if w.Completions > 0 {
		residence = time.Duration(w.Residence).Seconds() / float64(w.Completions)
	}
	gc := m.collections.Ratio(name, end-width, end)
	judge := m.judges.Of(name, m.totals[w.Station].Load.Idle())
	reasons := m.why.Of(causes.Tier{Station: w.Station, App: name.App, Name: name.Tier})
	past, known := reasons.LookBack(w.Index, m.offset.Value())
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
