// SPDX-License-Identifier: Apache-2.0

package cores

import (
	"encoding/binary"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/cilium/ebpf"

	"github.com/nstar-project/nstar/exporters/nstar/bpf/bpftest"
	coresbpf "github.com/nstar-project/nstar/exporters/nstar/bpf/cores"
	"github.com/nstar-project/nstar/exporters/nstar/window"
)

// perfMap is the content of the program's table and of the counters at one moment.
type perfMap struct {
	TierMisses []struct {
		Key    uint32
		Values []struct {
			CPU   int
			Value coresbpf.MissesMisses
		}
	} `json:"tier_misses"`
	Counters [][3]uint64
}

// recorded writes the figures of one moment into a table like the kernel's, and into files in place of the counters.
func recorded(t *testing.T, of perfMap) *Misses {
	t.Helper()
	spec, err := coresbpf.LoadMisses()
	if err != nil {
		t.Fatal(err)
	}
	table := spec.Maps[coresbpf.MissesMapTierMisses].Copy()
	table.MaxEntries = 4
	m := &Misses{counters: make(map[int]*os.File)}
	if m.objects.TierMisses, err = ebpf.NewMap(table); err != nil {
		bpftest.Skip(t, err)
	}
	t.Cleanup(func() { m.objects.TierMisses.Close() })
	processors := ebpf.MustPossibleCPU()
	for _, tier := range of.TierMisses {
		each := make([]coresbpf.MissesMisses, processors)
		for _, v := range tier.Values {
			if v.CPU >= processors {
				t.Skip("one processor")
			}
			each[v.CPU] = v.Value
		}
		if err := m.objects.TierMisses.Put(tier.Key, each); err != nil {
			t.Fatal(err)
		}
	}
	dir := t.TempDir()
	for cpu, counter := range of.Counters {
		name := filepath.Join(dir, strconv.Itoa(cpu))
		var b []byte
		for _, v := range counter {
			b = binary.NativeEndian.AppendUint64(b, v)
		}
		if err := os.WriteFile(name, b, 0o600); err != nil {
			t.Fatal(err)
		}
		if m.counters[cpu], err = os.Open(name); err != nil {
			t.Fatal(err)
		}
	}
	t.Cleanup(func() { _ = m.closeCounters() })
	return m
}

// A table and counters of a machine that counts cache misses, at two moments: 2,000 requests missed 3,000 times each,
// and a tier without a turn in between missed none.
func TestRecordedMisses(t *testing.T) {
	text, err := os.ReadFile("testdata/perf_map.json")
	if err != nil {
		t.Fatal(err)
	}
	var of struct{ Before, After perfMap }
	if err := json.Unmarshal(text, &of); err != nil {
		t.Fatal(err)
	}
	before, after := recorded(t, of.Before), recorded(t, of.After)
	for tier, want := range map[window.Station]float64{1: 2000 * 3000, 2: 0, 3: 0} {
		was, errBefore := before.Of(tier)
		is, errAfter := after.Of(tier)
		if math.Abs(is-was-want) > 1e-3 || errBefore != nil || errAfter != nil {
			t.Errorf("tier %d missed %g times, want %g (%v, %v)", tier, is-was, want, errBefore, errAfter)
		}
	}
	if was, err := before.Of(2); was != 100_000 || err != nil {
		t.Errorf("tier 2 had %g before, want 100000 (%v)", was, err)
	}
	was, errBefore := before.ByCore()
	is, errAfter := after.ByCore()
	for cpu, want := range map[int]float64{0: 20_000_000, 1: 10_000_000} {
		if got := is[cpu] - was[cpu]; math.Abs(got-want) > 1e-3 || errBefore != nil || errAfter != nil {
			t.Errorf("processor %d missed %g times, want %g (%v, %v)", cpu, got, want, errBefore, errAfter)
		}
	}
}
