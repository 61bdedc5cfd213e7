// SPDX-License-Identifier: Apache-2.0

package why

import (
	"maps"
	"time"

	"github.com/nstar-project/nstar/exporters/nstar/causes"
	"github.com/nstar-project/nstar/exporters/nstar/judgement"
)

// Placement is where a tier's threads ran so far.
type Placement struct {
	Cores map[int]OnCore // by processor
	Moves causes.Moves
	// WithDisk is the correlation of the tier's processor time with its waiting for the disk, in steps of 100 ms
	// over 12 s; NaN if one of them did not change. If it is negative, processor and disk take turns, so that
	// neither looks busy (MCP, figure 6c).
	WithDisk float64
}

// OnCore is what the tier did on one processor, in seconds.
type OnCore struct{ Ran, Disk float64 }

// turnsStep is the time over which processor and disk are added up before they are compared, as in MCP.
const turnsStep = 100 * time.Millisecond

// placement follows where a tier's threads run.
type placement struct {
	width     time.Duration
	byCore    bool
	cores     map[int]OnCore
	moves     causes.Moves
	ran, disk time.Duration // of this step
	withDisk  *judgement.Correlation
}

func newPlacement(width time.Duration, h causes.Host) *placement {
	p := &placement{width: width, byCore: h.ByCore, cores: make(map[int]OnCore),
		withDisk: judgement.NewCorrelation(max(width, turnsStep))}
	for _, cpu := range h.Topology.CPUs() { // a counter that appears with its first increment hides it from rate()
		p.cores[cpu] = OnCore{}
	}
	return p
}

// add takes what the tier did on each processor in a window.
func (p *placement) add(index int64, cores []causes.Core) {
	for _, c := range cores {
		sum := p.cores[c.CPU]
		sum.Ran += c.Ran.Seconds()
		sum.Disk += c.Disk.Seconds()
		p.cores[c.CPU] = sum
		p.ran += c.Ran
		p.disk += c.Disk
	}
	if n := int64(turnsStep / p.width); n <= 1 || (index+1)%n == 0 {
		p.withDisk.Add(p.ran.Seconds(), p.disk.Seconds())
		p.ran, p.disk = 0, 0
	}
}

// state is what is exported.
func (p *placement) state() Placement {
	return Placement{Cores: maps.Clone(p.cores), Moves: p.moves, WithDisk: p.withDisk.Pearson()}
}

// movesEvery is how often a tier's moves are read.
const movesEvery = time.Second

// followPlacement adds where the tier ran in a window.
func (t *Tier) followPlacement(index int64) {
	if t.place == nil {
		t.place = newPlacement(t.width, t.causes.Host())
	}
	t.place.add(index, t.causes.Cores(t.tier.Station, index))
	if index%int64(max(1, movesEvery/t.width)) == 0 {
		took := t.causes.TakeMoves(t.tier)
		t.place.moves.Within += took.Within
		t.place.moves.Across += took.Across
		t.place.moves.Misses += took.Misses
	}
}
