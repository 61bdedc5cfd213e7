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
	cpus       int
	slots      []TurntestSlot
	residences []TurntestResidence
}

// loadMachine loads the programs or skips the test; under CI, where they must run, it fails.
func loadMachine(t testing.TB) *machine {
	t.Helper()
	return loadWith(t, false, true)
}

// loadWith tells kinds of requests apart, or follows answers that pause, or not.
func loadWith(t testing.TB, kinds, follows bool) *machine {
	t.Helper()
	m, err := newMachine(kinds, follows)
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

func newMachine(withKinds, follows bool) (*machine, error) {
	if err := rlimit.RemoveMemlock(); err != nil {
		return nil, err
	}
	cpus, err := ebpf.PossibleCPU()
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
	if !follows {
		if err := bpf.SetConstants(spec, map[string]any{"follows_on": uint8(0)}); err != nil {
			return nil, err
		}
	}
	if withKinds {
		spec.Maps["kind_steps"].MaxEntries, spec.Maps["kind_ends"].MaxEntries = kinds.MaxSteps, kinds.MaxSteps
		spec.Maps["kind_table"].MaxEntries = uint32(cpus * kinds.Max)
		constants := map[string]any{"kinds_on": uint8(1), "kind_seed": uint64(kindSeed)}
		if err := bpf.SetConstants(spec, constants); err != nil {
			return nil, err
		}
	}
	spec.Maps["slots"].MaxEntries = uint32(cpus * stations * ring)
	spec.Maps["residences"].MaxEntries = uint32(cpus)
	spec.Maps["edge_slots"].MaxEntries = edges * ring
	spec.Maps["tier_slots"].MaxEntries = ring
	spec.Maps["edge_states"].MaxEntries = edges
	spec.Maps["pausing"].MaxEntries = stations
	m := &machine{cpus: cpus, kinds: withKinds}
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
		writeAll(t, m.objects.KindTable, make([]TurntestKindSums, m.cpus*kinds.Max))
	}
	check(t, m.objects.Connections.Put(uint32(0), conn))
	for i := range uint32(stations) {
		check(t, m.objects.Pausing.Put(i, uint32(0)))
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

// windows reads the sums of the windows 0 to n-1 after the script's time 0, added up over the CPUs.
func (m *machine) windows(t testing.TB, station, n int, clockOffset time.Duration) []TurntestSlot {
	t.Helper()
	if n > ring {
		t.Fatalf("a script of %d windows is longer than the ring of %d", n, ring)
	}
	var err error
	m.slots, err = mapped[TurntestSlot](m.objects.Slots)
	check(t, err)
	sums := make([]TurntestSlot, n)
	first := int((epoch + clockOffset) / width)
	for w := range sums {
		for cpu := range m.cpus {
			s := m.slots[(cpu*stations+station)*ring+(first+w)%ring]
			sums[w].Arrivals += s.Arrivals
			sums[w].Completions += s.Completions
			sums[w].Aborts += s.Aborts
			sums[w].Net += s.Net
			sums[w].Area += s.Area
			sums[w].Residence += s.Residence
			sums[w].Reopened += s.Reopened
		}
	}
	return sums
}

// buckets reads the histogram of residence times.
func (m *machine) buckets(t testing.TB) map[int]int {
	t.Helper()
	var err error
	m.residences, err = mapped[TurntestResidence](m.objects.Residences)
	check(t, err)
	counts := map[int]int{}
	for cpu := range m.cpus {
		for b, n := range m.residences[cpu].Buckets {
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
	for cpu := range m.cpus {
		n += int(m.residences[cpu].Waits)
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
