// SPDX-License-Identifier: Apache-2.0

package why

import (
	"math"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/nstar-project/nstar/exporters/nstar/causes"
	"github.com/nstar-project/nstar/exporters/nstar/causes/topology"
	"github.com/nstar-project/nstar/exporters/nstar/window"
)

// placed knows where tiers ran: on processor 1 in one window, on 0 in the next, and so on, with 3 moves every second.
type placed struct {
	fakeCauses
	took int
}

func (p *placed) Host() causes.Host {
	t, err := topology.Read(fstest.MapFS{"online": {Data: []byte("0-2")}})
	if err != nil {
		panic(err)
	}
	return causes.Host{Topology: t, Up: map[string]bool{"cores": true}, ByCore: true, Migrations: true}
}

func (p *placed) Cores(_ window.Station, index int64) []causes.Core {
	cpu := int(index % 2)
	return []causes.Core{{CPU: cpu, Ran: 20 * time.Millisecond, Disk: time.Duration(cpu) * time.Millisecond}}
}

func (p *placed) TakeMoves(causes.Tier) causes.Moves {
	p.took++
	return causes.Moves{Within: 2, Across: 1, Misses: 10}
}

func TestPlacement(t *testing.T) {
	f := &placed{}
	a := New(width, settle, f)
	const windows = int64(2 * time.Second / width)
	for i := range int64(causes.Lag/width) + windows {
		follow(a.Of(web), i, 1, false)
	}
	if seconds := a.Reasons(webName).Seconds; len(seconds) != 1 {
		t.Errorf("counters of what is no cause: %v", seconds)
	}
	got, half := a.Reasons(webName).Placement, float64(windows)/2
	want := map[int]OnCore{0: {half * 0.02, 0}, 1: {half * 0.02, half * 0.001}, 2: {}}
	if diff := cmp.Diff(want, got.Cores, cmpopts.EquateApprox(0, 1e-9)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if want := (causes.Moves{Within: 4, Across: 2, Misses: 20}); got.Moves != want || f.took != 2 {
		t.Errorf("moves %+v in %d readings, want %+v in 2", got.Moves, f.took, want)
	}
}

// Processor and disk take turns every 200 ms. With windows of 50 ms, each turn contains a window without either.
func TestTurnsOfProcessorAndDisk(t *testing.T) {
	for name, c := range map[string]struct {
		cores func(index int64) (ran, disk time.Duration)
		want  float64
	}{
		"turns": {func(i int64) (time.Duration, time.Duration) {
			busy := time.Duration(i%2) * 40 * time.Millisecond // every second window
			if i/4%2 == 0 {
				return busy, 0
			}
			return 0, busy
		}, -1},
		"together": {func(i int64) (time.Duration, time.Duration) {
			v := time.Duration(i/2%7) * time.Millisecond
			return v, 3 * v
		}, 1},
		"no disk": {func(i int64) (time.Duration, time.Duration) { return time.Duration(i%7) * time.Millisecond, 0 },
			math.NaN()},
	} {
		p := newPlacement(width, causes.Host{})
		for i := range int64(13 * time.Second / width) {
			ran, disk := c.cores(i)
			p.add(i, []causes.Core{{Ran: ran, Disk: disk}})
		}
		if got := p.state().WithDisk; math.Abs(got-c.want) > 1e-9 || math.IsNaN(got) != math.IsNaN(c.want) {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}

// The names of causes are stored once for all windows, and again if they change.
func TestKindsAreShared(t *testing.T) {
	w := newTier(width, settle, &fakeCauses{}, web)
	one := []causes.Share{{Cause: "cpu", Ratio: 0.5}}
	a, b := w.sample(1, one), w.sample(2, one)
	if &a.Kinds[0] != &b.Kinds[0] || b.Ratios[0] != 0.5 {
		t.Errorf("%+v %+v", a, b)
	}
	c := w.sample(3, []causes.Share{{Cause: "disk", Ratio: 0.25}})
	if c.Kinds[0].Name != "disk" || a.Kinds[0].Name != "cpu" {
		t.Errorf("%+v after %+v", c, a)
	}
}
