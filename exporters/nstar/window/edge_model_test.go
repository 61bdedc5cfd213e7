// SPDX-License-Identifier: Apache-2.0

package window

import "time"

// moment is a time on the window clock in an era of that clock.
type moment struct {
	era int
	at  time.Duration
}

func (m moment) before(o moment) bool { return m.era < o.era || (m.era == o.era && m.at < o.at) }

// spell is the time in which a call was outstanding, as an observer with hindsight knows it.
type spell struct {
	from moment
	to   *moment // nil while the call is outstanding
	gap  time.Duration
	life *int // of the connection
}

// modelEdges is what the model knows about edges beyond events.
type modelEdges struct {
	spells   map[Station][]*spell
	openings map[Station][]event // queue is the change of the connections open
}

func newModelEdges() modelEdges {
	return modelEdges{spells: make(map[Station][]*spell), openings: make(map[Station][]event)}
}

func (m *modelEdges) begin(s Station, from moment, gap time.Duration, life *int) *spell {
	sp := &spell{from: from, gap: gap, life: life}
	m.spells[s] = append(m.spells[s], sp)
	return sp
}

// addClients adds to a tier's window its clients' connections.
func (m *modelEdges) addClients(w *Window, era int, width time.Duration) {
	start, end := moment{era, time.Duration(w.Index) * width}, moment{era, time.Duration(w.Index+1) * width}
	for _, o := range m.openings[w.Station] {
		switch at := (moment{o.era, o.at}); {
		case at.before(start):
			w.ConnectionTime += o.queue * int64(width)
		case at.before(end):
			w.ConnectionTime += o.queue * int64(end.at-o.at)
		}
	}
}

// addEdge adds to a window the fields that only edges have. Reopened answers are left out: a simulation of edges
// has none.
func (m *modelEdges) addEdge(w *Window, era int, width time.Duration) {
	start, end := moment{era, time.Duration(w.Index) * width}, moment{era, time.Duration(w.Index+1) * width}
	for _, o := range m.openings[w.Station] {
		if (moment{o.era, o.at}).before(end) {
			w.Connections += uint64(o.queue)
		}
	}
	var within []*spell
	lives := make(map[*int]bool)
	for _, s := range m.spells[w.Station] {
		if !s.from.before(end) || (s.from.before(start) && s.to != nil && !start.before(*s.to)) {
			continue
		}
		within = append(within, s)
		lives[s.life] = true
		if !s.from.before(start) && s.gap > 0 {
			w.Gaps++
			w.GapTime += int64(s.gap)
		}
	}
	w.ConnectionsUsed = uint64(len(lives))
	w.PeakCalls = uint64(peakOf(within))
}

// peakOf is the largest number of spells at once.
func peakOf(spells []*spell) (peak int) {
	for _, at := range spells {
		n := 0
		for _, s := range spells {
			if !at.from.before(s.from) && (s.to == nil || at.from.before(*s.to) || s == at) {
				n++
			}
		}
		peak = max(peak, n)
	}
	return peak
}
