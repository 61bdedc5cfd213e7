// SPDX-License-Identifier: Apache-2.0

package causes

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/nstar-project/nstar/exporters/nstar/causes/cores"
	"github.com/nstar-project/nstar/exporters/nstar/clock"
	"github.com/nstar-project/nstar/exporters/nstar/window"
)

// A number's counters continue when it is given to another tier, but that tier begins at zero.
func TestMovesOfANumberThatIsGivenAgain(t *testing.T) {
	p := places{taken: make(map[window.Station]taken)}
	at := func(tier string, across uint64, misses float64) taken {
		return taken{"shop", tier, cores.Moves{Within: 2 * across, Across: across}, misses}
	}
	for i, c := range []struct {
		now  taken
		want Moves
	}{
		{at("web", 5, 100), Moves{10, 5, 100}}, // no tier had it before
		{at("web", 7, 160), Moves{4, 2, 60}},
		{at("db", 9, 200), Moves{}},
		{at("db", 10, 190), Moves{2, 1, 0}}, // scaled again: a counter does not fall
		{at("web", 20, 300), Moves{}},
	} {
		if got := p.note(3, c.now); got != c.want {
			t.Errorf("%d: %+v, want %+v", i, got, c.want)
		}
	}
}

// opened is a set with the scheduler's program and what follows places. The other causes are off.
func opened(t *testing.T, log *bytes.Buffer, off ...string) *Set {
	t.Helper()
	with(t)
	o := Options{
		Window: 50 * time.Millisecond, Settle: 500 * time.Millisecond, MaxTiers: 4, ProcRoot: "/proc",
		Clock: clock.NewOffset(clock.Now()).Value(), Off: make(map[string]bool),
		Log: slog.New(slog.NewTextHandler(log, nil)),
	}
	for _, name := range off {
		o.Off[name] = true
	}
	s := Open(o)
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// The processors' parts of the windows add up to the windows of the tier, and the processors are those of the host.
func TestByCore(t *testing.T) {
	var log bytes.Buffer
	s := opened(t, &log)
	if !s.Host().Up[byCore] {
		t.Skip(log.String())
	}
	tier := Tier{Station: 1, App: "shop", Name: "web", PIDs: []int32{server(t)}}
	if err := s.Follow([]Tier{tier}); err != nil {
		t.Fatal(err)
	}
	now := func() int64 { return int64((clock.Monotonic() + s.options.Clock) / s.options.Window) }
	from := now()
	time.Sleep(time.Second)
	to := now()
	time.Sleep(300 * time.Millisecond)
	var ran time.Duration
	for i := from; i < to; i++ {
		var sum time.Duration
		for _, c := range s.Cores(tier.Station, i) {
			sum += c.Ran
			if _, ok := s.Host().Topology.Of(c.CPU); !ok {
				t.Errorf("processor %d is in no domain", c.CPU)
			}
		}
		if all := s.shared.times(tier.Station, i).Ran; sum != all {
			t.Errorf("window %d: %v on all processors together, the tier %v", i, sum, all)
		}
		ran += sum
	}
	if ran == 0 {
		t.Error("a process that computes never ran")
	}
	costs := make(map[string]bool)
	for _, c := range s.Host().Costs {
		costs[c.Program] = true
	}
	if h := s.Host(); !h.ByCore || !costs["nstar_switch"] || !costs["nstar_fork"] || !costs["nstar_migrate"] {
		t.Errorf("host %+v", h)
	}
	s.TakeMoves(tier)
}

// What is switched off is not measured, and it is not logged as missing. If there is no counter of cache misses, one
// line says so.
func TestPlacesOff(t *testing.T) {
	var log bytes.Buffer
	s := opened(t, &log, byCore, migrations, cacheMisses, diskNeighbours)
	if len(s.Host().Up) != 0 || log.Len() != 0 || s.Cores(0, 1) != nil || s.shared.sched != nil {
		t.Errorf("%v %s", s.Host().Up, &log)
	}
	s = opened(t, &log, byCore, migrations)
	if h := s.Host(); s.Host().Up[cacheMisses] != (h.Misses != nil) || h.Migrations || h.ByCore {
		t.Errorf("%v %+v", s.Host().Up, h)
	}
	if !s.Host().Up[cacheMisses] && strings.Count(log.String(), "\n") != 1 {
		t.Errorf("log:\n%s", &log)
	}
}
