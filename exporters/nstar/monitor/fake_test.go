// SPDX-License-Identifier: Apache-2.0

package monitor

import (
	"io"
	"log/slog"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/nstar-project/nstar/exporters/nstar/clock"
	"github.com/nstar-project/nstar/exporters/nstar/config"
	"github.com/nstar-project/nstar/exporters/nstar/discovery"
	"github.com/nstar-project/nstar/exporters/nstar/kinds"
	"github.com/nstar-project/nstar/exporters/nstar/probe"
	"github.com/nstar-project/nstar/exporters/nstar/samples"
	"github.com/nstar-project/nstar/exporters/nstar/window"
)

const (
	width    = 10 * time.Millisecond
	settle   = 100 * time.Millisecond
	fakeRing = 512
	maxTiers = 3
	maxEdges = 8
)

var room = probe.Room{Listeners: 100, Processes: 100, Outgoing: 100}

// fakeProbe is a ring of slots that the test fills, and tables that the test checks.
type fakeProbe struct {
	mu       sync.Mutex
	offset   time.Duration
	tables   probe.Tables
	slots    map[window.Station]map[int]window.Sums
	edges    []probe.Edge
	inFlight func() []uint64
	// connections counted over the sockets
	connections []uint64
	listens     uint32
	drops       []uint64
	residences  map[window.Station]uint64
	renumbered  uint32
	freed       []window.Station
	kinds       map[window.Station][]probe.KindSums
	kindsSet    []kinds.Kind
	err         error
}

func newFakeProbe() *fakeProbe {
	return &fakeProbe{slots: make(map[window.Station]map[int]window.Sums), residences: make(map[window.Station]uint64),
		drops:       make([]uint64, len(probe.DropReasons)),
		connections: make([]uint64, maxTiers+maxEdges)}
}

// book adds to the slot of a window.
func (f *fakeProbe) book(s window.Station, index int64, sums window.Sums) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.slots[s] == nil {
		f.slots[s] = make(map[int]window.Sums)
	}
	position := int(index & (fakeRing - 1))
	f.slots[s][position] = f.slots[s][position].Add(sums)
}

// current is the index of the window under way.
func (f *fakeProbe) current() int64 {
	f.mu.Lock()
	defer f.mu.Unlock()
	return int64((clock.Monotonic() + f.offset) / width)
}

func (f *fakeProbe) Ring() int { return fakeRing }

func (f *fakeProbe) SetClock(offset time.Duration) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.offset = offset
	return f.err
}

func (f *fakeProbe) SetTables(t probe.Tables) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.tables = t
	return f.err
}

func (f *fakeProbe) Sums(s window.Station, position int) window.Sums {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.slots[s][position]
}

func (f *fakeProbe) Residences(tier window.Station) (out probe.Residences) {
	out.Counts[100] = f.residences[tier]
	return out
}

func (f *fakeProbe) SetKinds(all []kinds.Kind) error { f.kindsSet = all; return f.err }

func (f *fakeProbe) KindSums(tier window.Station) []probe.KindSums {
	return slices.Clone(f.kinds[tier])
}

func (f *fakeProbe) Count() (probe.Counts, error) {
	if f.err != nil {
		return probe.Counts{}, f.err
	}
	return probe.Counts{InFlight: f.inFlight(), Connections: f.connections}, nil
}

func (f *fakeProbe) Edges() ([]probe.Edge, error) { return f.edges, f.err }
func (f *fakeProbe) EdgesChanged() uint32         { return uint32(len(f.edges)) + f.renumbered }

func (f *fakeProbe) ForgetEdge(e probe.Edge) error {
	f.edges = slices.DeleteFunc(slices.Clone(f.edges), func(o probe.Edge) bool { return o == e })
	f.renumbered++
	return f.err
}

func (f *fakeProbe) KeepEdge(e probe.Edge) bool {
	f.edges = append(slices.Clone(f.edges), e)
	return true
}

func (f *fakeProbe) FreeEdge(e probe.Edge) error {
	f.freed = append(f.freed, e.Station)
	return f.err
}

func (f *fakeProbe) Room() probe.Room { return room }

func (f *fakeProbe) SweepUnix() error { return nil }

func (f *fakeProbe) Listens() uint32 {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.listens
}

func (f *fakeProbe) Drops() ([]uint64, error) { return f.drops, f.err }
func (f *fakeProbe) Costs() ([]probe.Cost, error) {
	return []probe.Cost{{Program: "p", Missed: 2}}, nil
}

// fakeScanner finds what the test wants.
type fakeScanner struct {
	mu    sync.Mutex
	found discovery.Snapshot
	err   error
	seen  []*config.Config
	// during is called while a scan runs
	during func()
}

func (f *fakeScanner) Scan(c *config.Config) (discovery.Snapshot, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.seen = append(f.seen, c)
	if f.during != nil {
		f.during()
	}
	return f.found, f.err
}

func (f *fakeScanner) scans() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return len(f.seen)
}

// bench is a monitor between fakes.
type bench struct {
	*Monitor
	probe   *fakeProbe
	scanner *fakeScanner
	buffer  *samples.Buffer
}

func newBench(t *testing.T, found discovery.Snapshot, cfg *config.Config, log io.Writer, causes Causes) *bench {
	t.Helper()
	return newBenchAt(t, 0, found, cfg, log, causes)
}

// newBenchAt is a bench whose window clock has an offset at first.
func newBenchAt(t *testing.T, off time.Duration, found discovery.Snapshot, cfg *config.Config, log io.Writer,
	causes Causes) *bench {
	t.Helper()
	b := &bench{probe: newFakeProbe(), scanner: &fakeScanner{found: found}, buffer: samples.NewBuffer(time.Minute)}
	wall, monotonic := clock.Now()
	offset := clock.NewOffset(wall+off, monotonic)
	b.probe.offset = offset.Value()
	b.Monitor = New(Options{
		Window: width, Settle: settle, MaxTiers: maxTiers, MaxEdges: maxEdges, ProcRoot: t.TempDir(), Causes: causes,
		Log: slog.New(slog.NewTextHandler(log, nil)),
	}, b.probe, offset, b.scanner, cfg, b.buffer)
	return b
}

func (b *bench) state(t *testing.T) State {
	t.Helper()
	s, err := b.State()
	if err != nil {
		t.Fatal(err)
	}
	return s
}
