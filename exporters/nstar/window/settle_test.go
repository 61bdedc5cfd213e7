// SPDX-License-Identifier: Apache-2.0

package window

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

const (
	width  = 50 * time.Millisecond
	settle = 500 * time.Millisecond
	ring   = 128
)

// simulation drives a kernel and a settler side by side.
type simulation struct {
	*kernel
	t           *testing.T
	settler     *Settler
	stations    []Station
	connections []*connection
	totals      map[Station]*Totals
	handed      map[int64]int // windows handed out as they are, by index
	merged      int
	lost        int64
	short       bool // answers of edges have one segment
	missed      int  // windows whose peak is not the true one
}

func newSimulation(t *testing.T, seed uint64) *simulation {
	rng := rand.New(rand.NewPCG(seed, 1))
	s := &simulation{
		kernel: newKernel(rng, width, settle, ring, 1+rng.IntN(4), newModel()),
		t:      t, totals: make(map[Station]*Totals), handed: make(map[int64]int),
	}
	s.now = time.Duration(rng.Int64N(int64(time.Hour)))
	s.offset = time.Duration(rng.Int64N(int64(1000*time.Hour))) + time.Hour
	s.settler = NewSettler(width, settle, ring, s.at())
	return s
}

func (s *simulation) open(station Station, connections int) {
	if s.totals[station] == nil {
		s.totals[station] = &Totals{}
		s.stations = append(s.stations, station)
	}
	for range connections {
		s.connections = append(s.connections, &connection{station: station})
	}
}

// run lets the connections do something at random moments for a while, without reading.
func (s *simulation) run(d time.Duration) {
	for end := s.now + d; s.now < end; s.now += time.Duration(s.rng.Int64N(int64(4 * time.Millisecond))) {
		c := s.connections[s.rng.IntN(len(s.connections))]
		switch n := s.rng.IntN(100); {
		case n < 40:
			s.request(c)
		case n < 97 && (c.station < firstEdge || s.mayAnswer(c)):
			s.answer(c)
		case n >= 97:
			s.abort(c)
		}
	}
}

// drain ends all answers, so that nothing can move any more.
func (s *simulation) drain() {
	for _, c := range s.connections {
		s.abort(c)
	}
	s.now += 3 * settle
	s.read()
}

func (s *simulation) read() {
	era := s.model.era
	s.lost += s.settler.Settle(s.at(), s.stations, s.kernel.read, func(w Window) {
		s.totals[w.Station].Add(w, width)
		if w.Merged > 0 {
			s.merged++
			return
		}
		if w.Station == s.stations[0] {
			s.handed[w.Index]++
		}
		want := s.model.window(w.Station, era, w.Index, width)
		if w.Station >= firstEdge {
			s.model.addEdge(&want, era, width)
			s.peaks(w, &want)
		} else {
			s.model.addClients(&want, era, width)
		}
		if w != want {
			s.t.Errorf("window %d of station %d (-model +got):\n%s", w.Index, w.Station, cmp.Diff(want, w))
		}
	})
}

// check compares everything that must hold whatever was merged.
func (s *simulation) check() {
	s.t.Helper()
	for _, station := range s.stations {
		want, queue := s.model.total(station)
		got := *s.totals[station]
		got.QueueTime, got.Busy, got.Peak, got.Load = 0, 0, 0, nil
		if diff := cmp.Diff(want, got); diff != "" {
			s.t.Errorf("totals of station %d (-model +got):\n%s", station, diff)
		}
		if got := s.settler.Carried(station, s.kernel.read); got != queue {
			s.t.Errorf("station %d carries %d, the model %d", station, got, queue)
		}
	}
}

func TestSettleExact(t *testing.T) {
	for seed := range uint64(12) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			s := newSimulation(t, seed)
			s.open(3, 40+s.rng.IntN(50))
			first := int64(s.at() / width)
			for range 60 {
				s.run(time.Duration(s.rng.Int64N(int64(500 * time.Millisecond))))
				s.read()
				if s.rng.IntN(20) == 0 { // late, but not too late
					s.run(3 * time.Second)
				}
				if s.rng.IntN(20) == 0 { // a station in mid-life
					s.open(Station(4+s.rng.IntN(3)), 5)
				}
			}
			s.drain()
			s.check()
			for i := first; i < s.settler.next; i++ {
				if s.handed[i] != 1 {
					t.Errorf("window %d was handed out %d times", i, s.handed[i])
				}
			}
			if s.merged != 0 || s.lost != 0 {
				t.Errorf("%d merged, %d lost without a reason", s.merged, s.lost)
			}
			if want, _ := s.model.total(3); want.Completions == 0 || want.Aborts == 0 || want.Reopened == 0 {
				t.Errorf("the simulation is too dull: %+v", want)
			}
		})
	}
}

func TestSettleLate(t *testing.T) {
	for seed := range uint64(6) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			s := newSimulation(t, seed)
			s.open(0, 20)
			s.open(1, 3)
			for range 2 {
				s.run(2 * time.Second)
				s.read()
				before, next := s.lost, s.settler.next
				s.run(time.Duration(ring+s.rng.IntN(300)) * width)
				s.read()
				current := int64(s.at() / width)
				for range 8 {
					s.run(time.Second)
					s.read()
				}
				if want := current + 1 - next; s.lost-before != want {
					t.Errorf("%d windows lost, want %d", s.lost-before, want)
				}
			}
			s.drain()
			s.check()
		})
	}
}

func TestSettleClockSet(t *testing.T) {
	for seed := range uint64(25) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			s := newSimulation(t, seed)
			s.open(0, 20)
			s.open(1, 3)
			for range 8 {
				for range 4 * s.rng.IntN(4) {
					s.run(250 * time.Millisecond)
					s.read()
				}
				jump := time.Duration(s.rng.Int64N(int64(20*time.Second))) + 500*time.Millisecond
				if s.rng.IntN(2) == 0 {
					jump = -jump - 3*settle
				}
				s.offset += jump
				s.model.era++
				s.settler.ClockSet()
				merged := s.merged
				s.read()
				if s.merged == merged {
					t.Error("no window was marked as merged")
				}
			}
			for range 40 {
				s.run(250 * time.Millisecond)
				s.read()
			}
			s.drain()
			s.check()
			if len(s.handed) < 150 {
				t.Errorf("only %d windows handed out", len(s.handed))
			}
		})
	}
}

// The clock only creeps while it follows the wall clock: no window is lost by that.
func TestSettleSlew(t *testing.T) {
	s := newSimulation(t, 1)
	s.open(0, 20)
	for i := range 400 {
		s.run(50 * time.Millisecond)
		s.offset += time.Duration(25*(i%3-1)) * time.Microsecond
		if i%5 == 0 {
			s.read()
		}
	}
	s.drain()
	s.check()
	if s.merged != 0 {
		t.Errorf("%d windows merged", s.merged)
	}
}
