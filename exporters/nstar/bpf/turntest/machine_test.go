// SPDX-License-Identifier: Apache-2.0

package turntest

import (
	"encoding/binary"
	"errors"
	"testing"
	"time"
	"unsafe"

	"github.com/cilium/ebpf"
	"github.com/cilium/ebpf/rlimit"

	"github.com/nstar-project/nstar/exporters/nstar/bpf"
	"github.com/nstar-project/nstar/exporters/nstar/bpf/bpftest"
	"github.com/nstar-project/nstar/exporters/nstar/kinds"
)

// Small maps are enough for a few connections: one tier, two edges, a ring of 128 windows.
const (
	ringShift    = 7
	ring         = 1 << ringShift
	stations     = 3
	edges        = stations - 1
	width        = 50 * time.Millisecond
	settle       = 500 * time.Millisecond
	endlessAfter = 5 * time.Second
)

// epoch is the time 0 of every script, on the monotonic clock: a multiple of the width, and not 0.
const epoch = 2000 * ring * width

// machine is the state machine loaded into the kernel, with the connections that it looks after.
type machine struct {
	kinds      bool // of requests are told apart
	objects    TurntestObjects
	rows       int // of the tables, one for each processor or for all
	slots      []TurntestSlot
	residences []TurntestResidence
}

// loadMachine loads the programs or skips the test; under CI, where they must run, it fails.
func loadMachine(t testing.TB) *machine {
	t.Helper()
	return loadWith(t, variant{})
}

// variant is the difference to the programs that the exporter uses without kinds of requests.
type variant struct {
	kinds     bool // kinds of requests are told apart
	unfollows bool // answers that pause are not followed
	shares    bool // all processors share a row of the tables
}

func loadWith(t testing.TB, v variant) *machine {
	t.Helper()
	m, err := newMachine(v)
	if err != nil {
		var verifier *ebpf.VerifierError
		if errors.As(err, &verifier) {
			t.Fatalf("the verifier refuses the programs: %+v", verifier)
		}
		bpftest.Skip(t, err)
	}
	t.Cleanup(func() { m.objects.Close() })
	return m
}

func newMachine(v variant) (*machine, error) {
	if err := rlimit.RemoveMemlock(); err != nil {
		return nil, err
	}
	rows, err := ebpf.PossibleCPU()
	if err != nil {
		return nil, err
	}
	spec, err := LoadTurntest()
	if err != nil {
		return nil, err
	}
	if err := bpf.SetConstants(spec, map[string]any{
		"max_tiers": uint32(1), "max_edges": uint32(edges), "ring_shift": uint32(ringShift),
		"width_ns": uint64(width), "settle_ns": uint64(settle),
		"endless_ns": uint64(endlessAfter),
	}); err != nil {
		return nil, err
	}
	if v.shares {
		rows = 1
		if err := bpf.SetConstants(spec, map[string]any{"own_rows": uint32(0)}); err != nil {
			return nil, err
		}
	}
	if v.unfollows {
		if err := bpf.SetConstants(spec, map[string]any{"follows_on": uint8(0)}); err != nil {
			return nil, err
		}
	}
	if v.kinds {
		spec.Maps["kind_steps"].MaxEntries, spec.Maps["kind_ends"].MaxEntries = kinds.MaxSteps, kinds.MaxSteps
		spec.Maps["kind_table"].MaxEntries = uint32(rows * kinds.Max)
		constants := map[string]any{"kinds_on": uint8(1), "kind_seed": uint64(kindSeed)}
		if err := bpf.SetConstants(spec, constants); err != nil {
			return nil, err
		}
	}
	spec.Maps["slots"].MaxEntries = uint32(rows * stations * ring)
	spec.Maps["residences"].MaxEntries = uint32(rows)
	spec.Maps["edge_slots"].MaxEntries = edges * ring
	spec.Maps["tier_slots"].MaxEntries = ring
	spec.Maps["edge_states"].MaxEntries = edges
	spec.Maps["pausing"].MaxEntries = stations
	m := &machine{rows: rows, kinds: v.kinds}
	if err := spec.LoadAndAssign(&m.objects, nil); err != nil {
		return nil, err
	}
	if m.slots, err = mapped[TurntestSlot](m.objects.Slots); err != nil {
		return nil, err
	}
	m.residences, err = mapped[TurntestResidence](m.objects.Residences)
	return m, err
}

// mapped gives a map's entries through memory, as the exporter reads them.
func mapped[T any](m *ebpf.Map) ([]T, error) {
	memory, err := m.Memory()
	if err != nil {
		return nil, err
	}
	entries := make([]T, m.MaxEntries())
	raw := unsafe.Slice((*byte)(unsafe.Pointer(&entries[0])), len(entries)*int(unsafe.Sizeof(entries[0])))
	_, err = memory.ReadAt(raw, 0)
	return entries, err
}

// reset forgets all connections but the first, which is given, and all that was counted.
func (m *machine) reset(t testing.TB, conn TurntestConn, clockOffset time.Duration) {
	t.Helper()
	clear(m.slots)
	clear(m.residences)
	writeAll(t, m.objects.Slots, m.slots)
	writeAll(t, m.objects.Residences, m.residences)
	writeAll(t, m.objects.EdgeSlots, make([]TurntestEdgeSlot, edges*ring))
	writeAll(t, m.objects.TierSlots, make([]TurntestTierSlot, ring))
	for i := range uint32(edges) {
		check(t, m.objects.EdgeStates.Put(i, TurntestEdgeState{}))
	}
	for i := range m.objects.Connections.MaxEntries() {
		check(t, m.objects.Connections.Put(i, TurntestConn{}))
		check(t, m.objects.Pipes.Put(i, TurntestPipe{}))
		check(t, m.objects.StreamTables.Put(i, TurntestStreams{}))
	}
	if m.kinds {
		writeAll(t, m.objects.KindTable, make([]TurntestKindSums, m.rows*kinds.Max))
	}
	check(t, m.objects.Connections.Put(uint32(0), conn))
	for i := range uint32(stations) {
		check(t, m.objects.Pausing.Put(i, uint32(0)))
	}
	var tail TurntestTail
	for keys := m.objects.Tails.Iterate(); keys.Next(&tail, new(uint32)); {
		check(t, m.objects.Tails.Delete(tail))
	}
	check(t, m.objects.ClockOffset.Set(int64(clockOffset)))
	check(t, m.objects.Drops.Set([5]uint64{}))
}

func writeAll[T any](t testing.TB, m *ebpf.Map, entries []T) {
	t.Helper()
	memory, err := m.Memory()
	check(t, err)
	raw := unsafe.Slice((*byte)(unsafe.Pointer(&entries[0])), len(entries)*int(unsafe.Sizeof(entries[0])))
	_, err = memory.WriteAt(raw, 0)
	check(t, err)
}

// run hands one packet of the first connection to a program, with the packet's time stamp as the monotonic clock.
func (m *machine) run(t testing.TB, p *ebpf.Program, data []byte, now time.Duration) {
	t.Helper()
	m.runAt(t, p, data, now, 0, 0)
}

// runAt does the same for any connection; the station is where it takes its place.
func (m *machine) runAt(t testing.TB, p *ebpf.Program, data []byte, now time.Duration, connection, station uint32) {
	t.Helper()
	if err := m.tryAt(p, data, now, connection, station); err != nil {
		t.Fatalf("test run of %d bytes at %v: %v", len(data), now, err)
	}
}

func (m *machine) tryAt(p *ebpf.Program, data []byte, now time.Duration, connection, station uint32) error {
	const mark, priority, tstamp = 8, 32, 152 // of struct __sk_buff
	ctx := make([]byte, 192)
	binary.NativeEndian.PutUint32(ctx[mark:], connection)
	binary.NativeEndian.PutUint32(ctx[priority:], station)
	binary.NativeEndian.PutUint64(ctx[tstamp:], uint64(epoch+now))
	_, err := p.Run(&ebpf.RunOptions{Data: data, Context: ctx})
	return err
}

// connection reads the first connection's state.
func (m *machine) connection(t testing.TB) TurntestConn {
	t.Helper()
	var c TurntestConn
	check(t, m.objects.Connections.Lookup(uint32(0), &c))
	return c
}

// piped reports whether the first connection has had several requests under way.
func (m *machine) piped(t testing.TB) bool {
	t.Helper()
	var p TurntestPipe
	check(t, m.objects.Pipes.Lookup(uint32(0), &p))
	var s TurntestStreams
	check(t, m.objects.StreamTables.Lookup(uint32(0), &s))
	return p != TurntestPipe{} || s != TurntestStreams{}
}

// sums are the kernel side's sums of one window, added up over the CPUs.
type sums struct {
	TurntestSlot
	Reopened uint64
}

// windows reads the sums of the windows 0 to n-1 after the script's time 0.
func (m *machine) windows(t testing.TB, station, n int, clockOffset time.Duration) []sums {
	t.Helper()
	if n > ring {
		t.Fatalf("a script of %d windows is longer than the ring of %d", n, ring)
	}
	var err error
	m.slots, err = mapped[TurntestSlot](m.objects.Slots)
	check(t, err)
	rare := m.rare(t, station)
	all := make([]sums, n)
	first := int((epoch + clockOffset) / width)
	for w := range all {
		position := (first + w) % ring
		for row := range m.rows {
			s := m.slots[(row*stations+station)*ring+position]
			all[w].Arrivals += s.Arrivals
			all[w].Completions += s.Completions
			all[w].Aborts += s.Aborts
			all[w].Net += s.Net
			all[w].Area += s.Area
			all[w].Residence += s.Residence
		}
		all[w].Reopened = rare[position].Reopened
	}
	return all
}

// rare reads the rare events of a station, by the window's position in the ring.
func (m *machine) rare(t testing.TB, station int) []TurntestRare {
	t.Helper()
	all := make([]TurntestRare, ring)
	if station == 0 {
		slots, err := mapped[TurntestTierSlot](m.objects.TierSlots)
		check(t, err)
		for i := range all {
			all[i] = slots[i].Rare
		}
		return all
	}
	slots, err := mapped[TurntestEdgeSlot](m.objects.EdgeSlots)
	check(t, err)
	for i := range all {
		all[i] = slots[(station-1)*ring+i].Rare
	}
	return all
}

// buckets reads the histogram of residence times.
func (m *machine) buckets(t testing.TB) map[int]int {
	t.Helper()
	var err error
	m.residences, err = mapped[TurntestResidence](m.objects.Residences)
	check(t, err)
	counts := map[int]int{}
	for row := range m.rows {
		for b, n := range m.residences[row].Buckets {
			if n != 0 {
				counts[b] += int(n)
			}
		}
	}
	return counts
}

// waits reads how many requests were left out because they wait on purpose.
func (m *machine) waits(t testing.TB) (n int) {
	t.Helper()
	var err error
	m.residences, err = mapped[TurntestResidence](m.objects.Residences)
	check(t, err)
	for row := range m.rows {
		n += int(m.residences[row].Waits)
	}
	return n
}

// multiplexed reads how many connections were given up because they speak HTTP/2.
func (m *machine) multiplexed(t testing.TB) int {
	t.Helper()
	var drops [5]uint64
	check(t, m.objects.Drops.Get(&drops))
	return int(drops[2])
}

func check(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
