// SPDX-License-Identifier: Apache-2.0

package window

import (
	"fmt"
	"testing"
	"time"
)

// mayAnswer reports whether an edge's answer may go on: nothing is reopened, and short answers have one segment.
func (s *simulation) mayAnswer(c *connection) bool {
	return c.turn == inFlight || (!s.short && c.turn == answered && s.at()-c.departedAt <= settle)
}

// peaks checks a peak on its own: it may be below the truth only if the end of an answer was not known.
func (s *simulation) peaks(got Window, want *Window) {
	if got.PeakCalls == want.PeakCalls {
		return
	}
	if s.missed++; s.short || got.PeakCalls > want.PeakCalls || float64(got.PeakCalls) < got.Queue(width) {
		s.t.Errorf("window %d: peak %d, want %d; mean %g", got.Index, got.PeakCalls, want.PeakCalls, got.Queue(width))
	}
	want.PeakCalls = got.PeakCalls
}

func TestSettleEdge(t *testing.T) {
	for seed := range uint64(12) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			s := newSimulation(t, seed)
			s.short = seed%2 == 0
			s.open(3, 5)
			s.open(firstEdge, 1+s.rng.IntN(40))
			s.open(firstEdge+1, 3)
			for range 40 {
				s.run(time.Duration(s.rng.Int64N(int64(500 * time.Millisecond))))
				s.read()
				s.checkConnections(t)
			}
			s.now += 2 * settle // quiet: outstanding calls and open connections are carried
			s.read()
			s.drain()
			s.check()
			s.checkConnections(t)
			if n := len(s.handed); s.missed > n/2 { // of two edges
				t.Errorf("%d of about %d peaks missed", s.missed, 2*n)
			}
			for _, e := range s.edges {
				if e.calls != 0 {
					t.Errorf("%d calls outstanding at the end", e.calls)
				}
			}
		})
	}
}

func (s *simulation) checkConnections(t *testing.T) {
	t.Helper()
	open := make(map[Station]int64)
	for _, c := range s.connections {
		if c.life != nil {
			open[c.station]++
		}
	}
	for _, station := range s.stations {
		if got := s.settler.CarriedConnections(station, s.kernel.read); got != open[station] {
			t.Errorf("station %d: %d connections carried, %d are open", station, got, open[station])
		}
	}
}

// TestSettleEdgeClockSet: the clock moves an edge's windows; sums, connections and calls go on.
func TestSettleEdgeClockSet(t *testing.T) {
	for seed := range uint64(8) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			s := newSimulation(t, seed)
			s.short = true
			s.open(firstEdge, 20)
			for range 4 {
				for range 12 {
					s.run(250 * time.Millisecond)
					s.read()
				}
				s.offset += time.Duration(s.rng.Int64N(int64(20*time.Second))) + 10*time.Second
				s.model.era++
				s.settler.ClockSet()
				s.read()
			}
			for range 40 {
				s.run(250 * time.Millisecond)
				s.read()
			}
			s.drain()
			s.check()
			s.checkConnections(t)
		})
	}
}

// Events that the kernel side missed make its counts wrong until they are set right; windows after that are right
// again.
func TestSettleEdgeAdjusted(t *testing.T) {
	k := newKernel(nil, width, settle, ring, 1, newModel())
	e := k.edge(firstEdge)
	k.station(firstEdge)
	s := NewSettler(width, settle, ring, 0)
	var got []Window
	at := func(window int) *Sums {
		k.now = time.Duration(window) * width
		_, slot, _ := k.edgeNow(firstEdge)
		return slot
	}
	settleUpTo := func(window int) {
		k.now = time.Duration(window+1)*width + settle + Margin
		s.Settle(k.now, []Station{firstEdge}, k.read, func(w Window) { got = append(got, w) })
	}
	call := func(window int) { // that begins and ends at once
		slot := at(window)
		e.calls++
		slot.raise(uint32(window), e.calls)
		slot.Used++
		e.calls--
	}
	at(1).Opened += 2
	e.calls += 3 // three calls that never leave, of connections that never close: their ends were missed
	at(1).Net, at(1).Area = 3, int64(3*width)
	at(1).raise(1, 3)
	call(2)
	settleUpTo(3)
	s.Adjust(firstEdge, -3)
	s.AdjustConnections(firstEdge, -2)
	call(4)
	settleUpTo(5)
	want := []Window{
		{Station: firstEdge, Index: 0},
		{Station: firstEdge, Index: 1, QueueTime: int64(3 * width), PeakCalls: 3, Connections: 2},
		{Station: firstEdge, Index: 2, QueueTime: int64(3 * width), PeakCalls: 4, Connections: 2, ConnectionsUsed: 4},
		{Station: firstEdge, Index: 3, QueueTime: int64(3 * width), PeakCalls: 3, Connections: 2, ConnectionsUsed: 3},
		{Station: firstEdge, Index: 4, PeakCalls: 1, ConnectionsUsed: 1},
		{Station: firstEdge, Index: 5},
	}
	for i := range want {
		if i >= len(got) || got[i] != want[i] {
			t.Fatalf("window %d: %+v, want %+v", i, got[i:], want[i])
		}
	}
}
