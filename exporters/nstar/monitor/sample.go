// SPDX-License-Identifier: Apache-2.0

package monitor

import (
	"math"
	"time"

	"github.com/nstar-project/nstar/exporters/nstar/causes"
	"github.com/nstar-project/nstar/exporters/nstar/judgement"
	"github.com/nstar-project/nstar/exporters/nstar/monitor/beside"
	"github.com/nstar-project/nstar/exporters/nstar/monitor/judging"
	"github.com/nstar-project/nstar/exporters/nstar/monitor/why"
	"github.com/nstar-project/nstar/exporters/nstar/samples"
	"github.com/nstar-project/nstar/exporters/nstar/window"
)

// sample adds a tier's window to its batch. Tiers that never had a request are left out, because most listeners of a
// host are idle. Of those that take their work from others, what keeps them from it is followed.
func (m *Monitor) sample(b *samples.Batch, w window.Window, calls []judgement.Calls) {
	width := m.options.Window
	arrivals, idle := m.reader.Seen(w.Station)
	if arrivals == 0 {
		m.followTaker(w)
		return
	}
	name, _ := m.stations.Tier(w.Station)
	end := b.End - m.reader.Offset() // monotonic
	residence := math.NaN()
	if w.Completions > 0 {
		residence = time.Duration(w.Residence).Seconds() / float64(w.Completions)
	}
	gc := m.collections.Ratio(name, end-width, end)
	if m.judges.Find(name) != nil {
		idle = 0
	}
	judge := m.judges.Of(name, idle)
	reasons := m.why.Of(causes.Tier{Station: w.Station, App: name.App, Name: name.Tier})
	past, known := reasons.LookBack(w.Index, m.reader.Offset())
	if past.Work != nil {
		past.Work.Halted = m.halted(name, past.Window)
	}
	h := judging.Heard{Window: w, Calls: calls, GC: gc, Work: past.Work, Quota: reasons.Quota()}
	m.recorder.Tier(name, idle, h)
	own, judged, ok := judge.Judge(h)
	b.Tiers = append(b.Tiers, samples.Tier{
		App: name.App, Tier: name.Tier,
		Queue: w.Queue(width), Throughput: w.Throughput(width), Residence: residence, GC: gc, Own: own,
		Connections: max(0, w.ClientConnections(width)),
	})
	if known {
		stood := ok && judged.Index == past.Index && why.StoodStill(judged)
		if stood {
			m.beat.hurry(m.now())
		}
		b.Causes = append(b.Causes, reasons.Take(past, stood))
		m.beside.Add(beside.Window{Tier: name, Index: past.Index, Own: past.Own, Completions: past.Completions,
			Residence: past.InTier,
			ByCore:    reasons.ByCore(), Cores: reasons.Cores(past)})
	}
	// Requests that wait on purpose are added, because they are among the requests that sleep, by which they are
	// recognised.
	reasons.Note(w.Index, own+judge.Patient(), float64(w.Completions), time.Duration(w.Residence))
	if ok {
		of := time.Duration(judged.Index+1) * width
		b.States = append(b.States, samples.State{App: name.App, Tier: name.Tier, End: of, State: int(judged.State)})
	}
}

// followTaker takes a window of a tier that takes its work from others, and that nobody has asked for anything yet.
func (m *Monitor) followTaker(w window.Window) {
	name, _ := m.stations.Tier(w.Station)
	if !m.takers[name] && !m.found[name].Works() {
		return
	}
	reasons := m.why.Of(causes.Tier{Station: w.Station, App: name.App, Name: name.Tier})
	past, known := reasons.LookBack(w.Index, m.reader.Offset())
	if known {
		end := past.To
		h := judging.Heard{Window: w, GC: m.collections.Ratio(name, end-m.options.Window, end), Work: past.Work,
			Quota: reasons.Quota()}
		m.recorder.Unasked(name, h)
		if h.Work != nil {
			m.judges.Act(name, *h.Work, h.GC, h.Quota)
		}
		reasons.Take(past, false)
	}
	reasons.Note(w.Index, 0, 0, 0)
}

// sampleEdge adds the edges between named tiers. Two addresses of the same tier are one edge.
func (m *Monitor) sampleEdge(b *samples.Batch, w window.Window) {
	name, ok := m.stations.Edge(w.Station)
	if !ok || !name.Known {
		return
	}
	width := m.options.Window
	edge := samples.Edge{
		App: name.App, From: name.From, To: name.To, Outstanding: w.Queue(width),
		Calls: float64(w.Arrivals) / width.Seconds(),
		Peak:  float64(w.PeakCalls), Connections: float64(w.Connections), Used: float64(w.ConnectionsUsed),
		Gap: math.NaN(),
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
