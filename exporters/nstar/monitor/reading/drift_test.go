// SPDX-License-Identifier: Apache-2.0

package reading

import (
	"errors"
	"log/slog"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/nstar-project/nstar/exporters/nstar/clock"
	"github.com/nstar-project/nstar/exporters/nstar/probe"
	"github.com/nstar-project/nstar/exporters/nstar/window"
)

const (
	width  = 10 * time.Millisecond
	settle = 100 * time.Millisecond
	ring   = 512
)

// fakeProbe is a ring of slots that the test fills, and counts over sockets.
type fakeProbe struct {
	slots       map[window.Station]map[int]window.Sums
	residences  probe.Residences
	inFlight    []uint64
	connections []uint64
	count       func() // before counting
	offset      time.Duration
	err         error
}

func newFakeProbe() *fakeProbe {
	return &fakeProbe{
		slots:    make(map[window.Station]map[int]window.Sums),
		inFlight: make([]uint64, 6), connections: make([]uint64, 6),
	}
}

func (f *fakeProbe) Ring() int                                  { return ring }
func (f *fakeProbe) SetClock(offset time.Duration) error        { f.offset = offset; return f.err }
func (f *fakeProbe) Residences(window.Station) probe.Residences { return f.residences }

func (f *fakeProbe) Sums(s window.Station, position int) window.Sums { return f.slots[s][position] }

func (f *fakeProbe) Count() (probe.Counts, error) {
	if f.count != nil {
		f.count()
	}
	return probe.Counts{InFlight: f.inFlight, Connections: f.connections}, f.err
}

// book adds to the slot of a window.
func (f *fakeProbe) book(s window.Station, index int64, sums window.Sums) {
	if f.slots[s] == nil {
		f.slots[s] = make(map[int]window.Sums)
	}
	position := int(index & (ring - 1))
	f.slots[s][position] = f.slots[s][position].Add(sums)
}

// newReader reads the three tiers 0 to 2 from a fake, with a clock that begins at zero.
func newReader(t *testing.T) (*Reader, *fakeProbe) {
	f := newFakeProbe()
	r := New(width, settle, f, clock.NewOffset(0, 0), 0, slog.New(slog.NewTextHandler(t.Output(), nil)))
	for n := range window.Station(3) {
		r.BeginTier(n)
	}
	return r, f
}

var tiers = []window.Station{0, 1, 2}

func check(t *testing.T, r *Reader, stations []window.Station) []Correction {
	t.Helper()
	corrections, err := r.CheckDrift(stations)
	if err != nil {
		t.Fatal(err)
	}
	return corrections
}

func TestDrift(t *testing.T) {
	for _, tt := range []struct {
		name    string
		carried int32
		counted []uint64 // one count after the other; the last one is repeated
		want    int64
	}{
		{"agree", 3, []uint64{3}, 0},
		{"carried too many", 5, []uint64{3}, 2},
		{"carried too few", 1, []uint64{3}, -2},
		{"the queue moved meanwhile", 3, []uint64{20, 0, 3}, 0},
		{"moved, and drifted", 3, []uint64{20, 2, 7}, 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r, f := newReader(t)
			f.book(0, 0, window.Sums{Net: tt.carried})
			f.count = func() {
				f.inFlight[0] = tt.counted[0]
				if len(tt.counted) > 1 {
					tt.counted = tt.counted[1:]
				}
			}
			check(t, r, tiers)
			if r.Drift(0) != tt.want || r.Drift(1) != 0 {
				t.Errorf("drift %d and %d, want %d and 0", r.Drift(0), r.Drift(1), tt.want)
			}
		})
	}
}

// A difference that stays is corrected after a minute. If it changes meanwhile, as the queue does, what of it was there
// all the time is corrected; if its sign changes, nothing.
func TestDriftCorrected(t *testing.T) {
	r, f := newReader(t)
	f.book(0, 0, window.Sums{Net: 5})
	for i, tt := range []struct {
		counted   uint64
		drift     int64
		corrected uint64
	}{
		{3, 2, 0}, {3, 2, 0}, {3, 2, 0}, {6, -1, 0}, {3, 2, 0}, {2, 3, 0}, {3, 2, 0}, {2, 1, 2}, {2, 1, 2}, {2, 1, 2},
		{3, 0, 2}, {4, -1, 2},
	} {
		f.inFlight[0] = tt.counted
		check(t, r, tiers)
		if r.Drift(0) != tt.drift || r.Corrected() != tt.corrected {
			t.Errorf("check %d: drift %d, %d corrected; want %d, %d", i, r.Drift(0), r.Corrected(),
				tt.drift, tt.corrected)
		}
	}
}

// Edges are checked, too, and the connections of tiers and edges. A call whose end was missed would look like a pool
// with a connection in use for ever, and a connection like a client that never sends a request.
func TestDriftOfConnectionsCorrected(t *testing.T) {
	const edge = window.Station(3)
	r, f := newReader(t)
	stations := append(tiers[:3:3], edge)
	f.book(edge, 0, window.Sums{Edge: true, Net: 2, Opened: 5})
	f.book(0, 0, window.Sums{Opened: 4})
	f.connections[0], f.connections[edge] = 2, 1
	var corrections []Correction
	for range driftChecks {
		corrections = append(corrections, check(t, r, stations)...)
	}
	want := []Correction{{edge, true, -4}, {0, true, -2}, {edge, false, -2}}
	if diff := cmp.Diff(want, corrections, cmpopts.SortSlices(func(a, b Correction) bool {
		return a.By < b.By || a.By == b.By && a.Station < b.Station
	})); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	for range 2 {
		calls, connections := r.Carried(edge), r.settler.CarriedConnections(edge, f.Sums)
		if calls != 0 || connections != 1 {
			t.Errorf("%d calls and %d connections carried, want 0 and 1", calls, connections)
		}
		if clients := r.settler.CarriedConnections(0, f.Sums); clients != 2 {
			t.Errorf("%d connections of clients carried, want 2", clients)
		}
		check(t, r, stations)
	}
	if got := r.Corrected(); got != 8 {
		t.Errorf("%d corrected, want 8", got)
	}
}

func TestDriftCheckFails(t *testing.T) {
	r, f := newReader(t)
	f.err = errors.New("no memory")
	if _, err := r.CheckDrift(tiers); !errors.Is(err, f.err) {
		t.Errorf("error %v", err)
	}
}
