// SPDX-License-Identifier: Apache-2.0

package window

import "time"

// Read returns the sums of a station's slot at a position of the ring.
type Read func(station Station, position int) Sums

// Settler follows the ring of slots and hands out each window once, when nothing can change it any more.
type Settler struct {
	width, settle time.Duration
	ring          int
	next          int64 // the first window not handed out
	quiet         int64 // windows before this one only count in totals: events of other times are mixed in
	clockSet      bool
	stations      map[Station]*state
}

type state struct {
	seen        []Sums // the value at each position of the ring when last read
	carry       int64  // requests in the queue at the start of the next window
	connections int64  // open at the start of the next window
	edge        edge
}

// NewSettler makes a settler for windows of the given width, settled after the given delay, in a ring of this many
// slots per station. It begins with the window under way at now (window clock).
func NewSettler(width, settle time.Duration, ring int, now time.Duration) *Settler {
	return &Settler{
		width: width, settle: settle, ring: ring,
		next:     int64(now / width),
		stations: make(map[Station]*state),
	}
}

// Margin is how long after the settle delay a window is read: time for a program that was interrupted between reading
// the clock and writing its sums.
const Margin = 50 * time.Millisecond

// ClockSet says that the window clock jumped: windows under way hold the events of two times.
func (s *Settler) ClockSet() { s.clockSet = true }

// Settle hands out the windows that have settled by now, in order of time, each with all the given stations. The second
// result counts the windows that could not be told apart: the caller came too late, or the clock was set.
func (s *Settler) Settle(now time.Duration, stations []Station, read Read, out func(Window)) (lost int64) {
	current := int64(now / s.width)
	settled := int64((now-s.settle-Margin)/s.width) - 1 // the last window that has settled
	if s.clockSet || current-s.next >= int64(s.ring) {
		lost = s.resync(current, settled, stations, read, out)
	}
	for ; s.next <= settled; s.next++ {
		merged := 0
		if s.next < s.quiet {
			merged = 1
			lost++
		}
		for _, station := range stations {
			w := s.take(station, s.next, read)
			w.Merged = merged
			out(w)
		}
	}
	return lost
}

func (s *Settler) state(station Station) *state {
	st := s.stations[station]
	if st == nil {
		st = &state{seen: make([]Sums, s.ring)}
		s.stations[station] = st
	}
	return st
}

func (s *Settler) take(station Station, index int64, read Read) Window {
	st := s.state(station)
	position := int(index & int64(s.ring-1))
	sums := read(station, position)
	d := sums.Sub(st.seen[position])
	st.seen[position] = sums
	w := Window{
		Station: station, Index: index,
		QueueTime: st.carry*int64(s.width) + d.Area,
		Arrivals:  widen(d.Arrivals), Completions: widen(d.Completions), Aborts: widen(d.Aborts),
		Reopened: d.Reopened, Opaque: d.Opaque, Residence: d.Residence, Lost: d.Lost, Errors: d.Errors,
	}
	before, open := st.carry, st.connections
	st.carry += int64(d.Net)
	st.connections += d.Opened
	if d.Edge {
		w.Connections = uint64(max(st.connections, 0))
		st.edge.settle(&w, d, before, st.carry, s.width)
	} else {
		w.ConnectionTime = open*int64(s.width) + d.OpenArea
	}
	return w
}

// widen makes a difference of short sums a long one. If several windows are read as one, one of them may be
// negative, and another one too large by the same amount.
func widen(difference uint32) uint64 { return uint64(int32(difference)) }

// resync reads the ring as one merged window per station, so that no count and no carry is lost. The slots of windows
// that have not settled are left alone, because answers may still move in them; they hold older events as well, so they
// are handed out later as merged, too. The queue's integral is estimated between the carries before and after.
func (s *Settler) resync(current, settled int64, stations []Station, read Read, out func(Window)) (lost int64) {
	if !s.clockSet { // otherwise the following windows stand for the time since the last one handed out
		lost = settled + 1 - s.next
	}
	for _, station := range stations {
		st := s.state(station)
		before := st.carry
		merged := Window{Station: station, Index: settled, Merged: int(max(lost, 1))}
		for index := current + 1; index <= settled+int64(s.ring); index++ {
			w := s.take(station, index, read)
			merged.Arrivals += w.Arrivals
			merged.Completions += w.Completions
			merged.Aborts += w.Aborts
			merged.Reopened += w.Reopened
			merged.Opaque += w.Opaque
			merged.Lost += w.Lost
			merged.Errors += w.Errors
			merged.Residence += w.Residence
			merged.GapTime += w.GapTime
			merged.Gaps += w.Gaps
			merged.Patient += w.Patient
			merged.Patience += w.Patience
			merged.Commits += w.Commits
			merged.Failed += w.Failed
			merged.Told += w.Told
			merged.PeakCalls = max(merged.PeakCalls, w.PeakCalls)
			merged.ConnectionsUsed = max(merged.ConnectionsUsed, w.ConnectionsUsed)
			merged.Connections = w.Connections
		}
		merged.QueueTime = (max(before, 0) + max(st.carry, 0)) * lost * int64(s.width) / 2
		out(merged)
	}
	s.next = settled + 1
	s.quiet = current + 1
	s.clockSet = false
	return lost
}

// Begin gives a station's number to another station: the present values of its slots belong to the one before, and
// its queue is empty.
func (s *Settler) Begin(station Station, read Read) {
	st := &state{seen: make([]Sums, s.ring)}
	for position := range st.seen {
		st.seen[position] = read(station, position)
	}
	s.stations[station] = st
}

// Adjust adds to a station's queue from its next window on.
func (s *Settler) Adjust(station Station, requests int64) {
	st := s.state(station)
	st.carry += requests
	st.edge.adjusted += requests
}

// AdjustConnections adds to a station's open connections from its next window on.
func (s *Settler) AdjustConnections(station Station, connections int64) {
	s.state(station).connections += connections
}

// CarriedConnections is the number of a station's connections that are open now.
func (s *Settler) CarriedConnections(station Station, read Read) int64 {
	st := s.state(station)
	n := st.connections
	for position := range st.seen {
		n += read(station, position).Opened - st.seen[position].Opened
	}
	return n
}

// Carried is the number of requests in a station's queue now: the carry plus all that happened since.
func (s *Settler) Carried(station Station, read Read) int64 {
	st := s.state(station)
	n := st.carry
	for position := range st.seen {
		n += int64(read(station, position).Net - st.seen[position].Net)
	}
	return n
}
