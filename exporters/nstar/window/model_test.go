// SPDX-License-Identifier: Apache-2.0

package window

import "time"

// event is something that really happened at a station: when the queue changed, and what is counted for it.
type event struct {
	at          time.Duration // window clock
	era         int           // grows whenever the clock is set
	queue       int64
	arrivals    uint64
	completions uint64
	aborts      uint64
	reopened    uint64
	residence   time.Duration
}

// model knows every event and computes windows from them directly.
type model struct {
	era    int
	events map[Station][]*event
	modelEdges
}

func newModel() *model {
	return &model{events: make(map[Station][]*event), modelEdges: newModelEdges()}
}

func (m *model) add(s Station, e event) *event {
	e.era = m.era
	m.events[s] = append(m.events[s], &e)
	return &e
}

// window computes a window of an era; QueueTime is the integral of the queue length over it.
func (m *model) window(s Station, era int, index int64, width time.Duration) Window {
	w := Window{Station: s, Index: index}
	start, end := time.Duration(index)*width, time.Duration(index+1)*width
	for _, e := range m.events[s] {
		switch {
		case e.era > era || (e.era == era && e.at >= end):
		case e.era < era || e.at < start:
			w.QueueTime += e.queue * int64(width)
		default:
			w.QueueTime += e.queue * int64(end-e.at)
			w.Arrivals += e.arrivals
			w.Completions += e.completions
			w.Aborts += e.aborts
			w.Reopened += e.reopened
			w.Residence += int64(e.residence)
		}
	}
	return w
}

// total is all that happened, and the requests in the queue at the end.
func (m *model) total(s Station) (t Totals, queue int64) {
	for _, e := range m.events[s] {
		t.Arrivals += e.arrivals
		t.Completions += e.completions
		t.Aborts += e.aborts
		t.Reopened += e.reopened
		t.Residence += int64(e.residence)
		queue += e.queue
	}
	return t, queue
}
