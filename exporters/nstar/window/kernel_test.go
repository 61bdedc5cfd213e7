// SPDX-License-Identifier: Apache-2.0

package window

import (
	"math/rand/v2"
	"time"
)

// kernel fills slots as turn.h and slots.h do, on random CPUs, and gives the model what really happened.
type kernel struct {
	rng           *rand.Rand
	width, settle time.Duration
	ring, cpus    int
	now, offset   time.Duration // monotonic; window clock = now + offset
	slots         map[Station][]Sums
	edges         map[Station]*kernelEdge
	model         *model
}

func newKernel(rng *rand.Rand, width, settle time.Duration, ring, cpus int, m *model) *kernel {
	return &kernel{rng: rng, width: width, settle: settle, ring: ring, cpus: cpus, slots: make(map[Station][]Sums),
		edges: make(map[Station]*kernelEdge), model: m}
}

func (k *kernel) at() time.Duration { return k.now + k.offset }

func (k *kernel) station(s Station) []Sums {
	if k.slots[s] == nil {
		k.slots[s] = make([]Sums, k.cpus*k.ring)
	}
	return k.slots[s]
}

// slot is the one that covers a moment of the window clock, on the CPU that happens to run.
func (k *kernel) slot(s Station, at time.Duration) *Sums {
	position := int(int64(at/k.width) & int64(k.ring-1))
	return &k.station(s)[k.rng.IntN(k.cpus)*k.ring+position]
}

func (k *kernel) read(s Station, position int) (sums Sums) {
	for cpu := range k.cpus {
		sums = sums.Add(k.station(s)[cpu*k.ring+position])
	}
	if s >= firstEdge {
		k.edge(s).addTo(&sums, position)
	}
	return sums
}

func (k *kernel) rest(at time.Duration) int64 { return int64((at/k.width+1)*k.width - at) }

// connection is one connection of the simulated server.
type connection struct {
	station             Station
	turn                int
	arrived, departed   time.Duration // monotonic
	departedAt          time.Duration // window clock
	departure, returned *event        // of the model
	life                *int          // of an edge's connection, nil while it is closed
	spell               *spell        // of the model: the call that is outstanding, or the last one
}

const (
	idle = iota
	inFlight
	answered
	reopened
)

func (k *kernel) request(c *connection) {
	if c.turn == inFlight {
		return // the second segment of the request
	}
	k.bookCall(c)
	*c = connection{station: c.station, turn: inFlight, arrived: k.now, life: c.life, spell: c.spell}
	k.slot(c.station, k.at()).enter(k.rest(k.at()), 1)
	k.slot(c.station, k.at()).Arrivals++
	k.model.add(c.station, event{at: k.at(), queue: 1, arrivals: 1})
}

// enter books requests that enter the queue, or leave it, with rest of the window to go.
func (s *Sums) enter(rest, n int64) {
	s.Net += int32(n)
	s.Area += n * rest
}

func (k *kernel) answer(c *connection) {
	at := k.at()
	switch {
	case c.turn == idle:
		return
	case c.turn == inFlight:
		c.turn = answered
		s := k.slot(c.station, at)
		s.enter(k.rest(at), -1)
		s.Completions++
		s.Residence += int64(k.now - c.arrived)
		c.departure = k.model.add(c.station, event{at: at, queue: -1, completions: 1, residence: k.now - c.arrived})
		k.bookReturn(c, false)
	case uint64(at-c.departedAt) > uint64(k.settle):
		first := event{at: at}
		if c.turn == answered { // of one answer the first pause
			first.reopened = 1
		}
		c.turn = reopened
		k.slot(c.station, at).Reopened += first.reopened
		c.returned = k.model.add(c.station, first)
		c.departure = nil
	default:
		k.bookReturn(c, c.turn == answered)
		k.move(c, at)
	}
	c.departed, c.departedAt = k.now, at
}

// move takes the departure booked at departedAt to now.
func (k *kernel) move(c *connection, at time.Duration) {
	old, s := k.slot(c.station, c.departedAt), k.slot(c.station, at)
	old.enter(k.rest(c.departedAt), 1)
	s.enter(k.rest(at), -1)
	if c.turn == answered {
		old.Completions--
		old.Residence -= int64(c.departed - c.arrived)
		s.Completions++
		s.Residence += int64(k.now - c.arrived)
		*c.departure = event{at: at, era: k.model.era, queue: -1, completions: 1, residence: k.now - c.arrived}
		return
	}
	s.Residence += int64(k.now - c.departed)
	if c.departure == nil {
		c.returned.queue = 1
		c.departure = k.model.add(c.station, event{queue: -1})
	}
	c.departure.at, c.departure.era = at, k.model.era
	k.model.add(c.station, event{at: at, residence: k.now - c.departed})
}

func (k *kernel) abort(c *connection) {
	k.bookClose(c)
	if c.turn == inFlight {
		s := k.slot(c.station, k.at())
		s.enter(k.rest(k.at()), -1)
		s.Aborts++
		k.model.add(c.station, event{at: k.at(), queue: -1, aborts: 1})
	}
	*c = connection{station: c.station}
}
