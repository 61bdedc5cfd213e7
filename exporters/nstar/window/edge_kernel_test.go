// SPDX-License-Identifier: Apache-2.0

package window

// firstEdge is the first station that is an edge.
const firstEdge Station = 100

// kernelEdge fills an edge's slots as book_edge() in slots.h does.
type kernelEdge struct {
	calls int64
	slots []Sums
}

func (k *kernel) edge(s Station) *kernelEdge {
	if k.edges[s] == nil {
		k.edges[s] = &kernelEdge{slots: make([]Sums, k.ring)}
	}
	return k.edges[s]
}

// addTo adds a slot to the sums of the CPUs' slots.
func (e *kernelEdge) addTo(sums *Sums, position int) {
	s := e.slots[position]
	s.Edge = true
	*sums = s.Add(*sums)
}

// now is the slot of the window under way, and the low half of that window's index.
func (k *kernel) edgeNow(s Station) (*kernelEdge, *Sums, uint32) {
	index := int64(k.at() / k.width)
	e := k.edge(s)
	return e, &e.slots[index&int64(k.ring-1)], uint32(index)
}

func (s *Sums) raise(window uint32, calls int64) {
	if s.Peak.Window != window || int64(s.Peak.Calls) < calls {
		s.Peak = Peak{Window: window, Calls: int32(calls)}
	}
}

// bookOpening books that a connection opens (1) or closes (-1).
func (k *kernel) bookOpening(c *connection, opened int64) {
	k.model.openings[c.station] = append(k.model.openings[c.station],
		event{at: k.at(), era: k.model.era, queue: opened})
	if c.station >= firstEdge {
		_, s, _ := k.edgeNow(c.station)
		s.Opened += opened
		return
	}
	s := k.slot(c.station, k.at())
	s.Opened += opened
	s.OpenArea += opened * k.rest(k.at())
}

// bookCall books a call that begins; a connection is opened by its first.
func (k *kernel) bookCall(c *connection) {
	if c.life == nil {
		c.life = new(int)
		k.bookOpening(c, 1)
	}
	if c.station < firstEdge {
		return
	}
	e, s, window := k.edgeNow(c.station)
	if c.turn == idle || c.departedAt/k.width != k.at()/k.width {
		s.Used++
	}
	gap := k.now - c.departed
	if c.turn != idle && gap > 0 {
		s.Gaps++
		s.GapTime += int64(gap)
	} else {
		gap = 0
	}
	e.calls++
	s.raise(window, e.calls)
	c.spell = k.model.begin(c.station, moment{k.model.era, k.at()}, gap, c.life)
}

// bookReturn books the answer's first segment, or another one that moves the departure.
func (k *kernel) bookReturn(c *connection, moves bool) {
	if c.station < firstEdge {
		return
	}
	e, s, window := k.edgeNow(c.station)
	if moves {
		s.raise(window, e.calls+1)
	} else if c.turn == answered {
		e.calls--
	}
	c.spell.to = &moment{k.model.era, k.at()}
}

// bookClose books the end of the connection.
func (k *kernel) bookClose(c *connection) {
	if c.life == nil {
		return
	}
	k.bookOpening(c, -1)
	if c.station < firstEdge {
		return
	}
	if e, _, _ := k.edgeNow(c.station); c.turn == inFlight {
		e.calls--
		c.spell.to = &moment{k.model.era, k.at()}
	}
}
