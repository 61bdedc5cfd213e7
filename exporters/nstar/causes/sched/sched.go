// SPDX-License-Identifier: Apache-2.0

// Package sched loads the kernel programs that follow which threads have the processors, and reads their records. For
// each tier and window, these say how long its threads ran and waited for a processor and for a disk, and which
// programs ran while they waited. The programs also follow the processes that a tier's processes start. The package
// knows tiers by number only.
package sched

import (
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/cilium/ebpf"
	"github.com/cilium/ebpf/rlimit"

	"github.com/nstar-project/nstar/exporters/nstar/bpf"
	schedbpf "github.com/nstar-project/nstar/exporters/nstar/bpf/sched"
	"github.com/nstar-project/nstar/exporters/nstar/probe"
)

// Options are the settings that are fixed while the programs run.
type Options struct {
	Window     time.Duration
	Kept       time.Duration // windows can be read for at least so long after their end
	MaxTiers   int
	Locks      bool          // whether sleeping for locks is followed
	Clock      time.Duration // offset of the window clock to CLOCK_MONOTONIC
	Processors int           // only the first so many are followed; 0: all of the machine
	ProcRoot   string        // where the host's procfs is mounted
	Children   int           // how many processes that tiers have started are followed at once; 0: 12,288
}

// Probe is the loaded and attached programs.
type Probe struct {
	options Options
	ring    int
	cpus    int
	objects schedbpf.SchedObjects
	slots   *ebpf.Memory
	states  *ebpf.Memory
	totals  *ebpf.Memory
	links   bpf.Links
	marks   [marks]byte

	unreported atomic.Uint64
}

// Open loads and attaches the programs.
func Open(o Options) (*Probe, error) {
	if err := rlimit.RemoveMemlock(); err != nil {
		return nil, fmt.Errorf("raising RLIMIT_MEMLOCK: %w", err)
	}
	rows, err := bpf.RowsOf(o.Processors)
	if err != nil {
		return nil, err
	}
	ring, shift := bpf.Ring(o.Kept, o.Window)
	p := &Probe{options: o, ring: ring, cpus: rows.Own}
	if err := p.load(shift); err != nil {
		return nil, errors.Join(err, p.objects.Close())
	}
	// Each process that is entered must be removed again, so the program that enters processes is attached last.
	p.links, err = bpf.Trace(p.objects.NstarSwitch, p.objects.NstarFree, p.objects.NstarLeave, p.objects.NstarFork)
	if err != nil {
		return nil, errors.Join(err, p.objects.Close())
	}
	return p, nil
}

func (p *Probe) load(shift int) error {
	spec, err := schedbpf.LoadSched()
	if err != nil {
		return err
	}
	spec.Maps["slots"].MaxEntries = uint32(p.cpus * p.options.MaxTiers * p.ring)
	spec.Maps["cpus"].MaxEntries = uint32(p.cpus)
	spec.Maps["totals"].MaxEntries = uint32(p.cpus * p.options.MaxTiers)
	constants := map[string]any{
		"max_tiers":  uint32(p.options.MaxTiers),
		"ring_shift": uint32(shift),
		"width_ns":   uint64(p.options.Window),
		"locks":      p.options.Locks,
	}
	if p.options.Children > 0 {
		constants["max_children"] = uint32(p.options.Children)
	}
	if err := bpf.SetConstants(spec, constants); err != nil {
		return err
	}
	if err := spec.LoadAndAssign(&p.objects, nil); err != nil {
		return err
	}
	if p.slots, err = p.objects.Slots.Memory(); err != nil {
		return fmt.Errorf("mapping the slots: %w", err)
	}
	if p.states, err = p.objects.Cpus.Memory(); err != nil {
		return fmt.Errorf("mapping the processors' states: %w", err)
	}
	if p.totals, err = p.objects.Totals.Memory(); err != nil {
		return fmt.Errorf("mapping the sums: %w", err)
	}
	return p.SetClock(p.options.Clock)
}

// Close detaches the programs and frees their maps.
func (p *Probe) Close() error { return errors.Join(p.links.Close(), p.objects.Close()) }

// SetClock sets the offset of the window clock to CLOCK_MONOTONIC.
func (p *Probe) SetClock(offset time.Duration) error {
	p.options.Clock = offset
	return p.objects.ClockOffset.Set(int64(offset))
}

// Late counts spans of time that ended so long after their windows that they could not be added to them.
func (p *Probe) Late() (n uint64) {
	_ = p.objects.Late.Get(&n) // mapped memory: reading can only fail if its type is not uint64
	return n
}

// UnplacedTurns counts turns of tiers' threads on processors that were added to the machine after the start.
func (p *Probe) UnplacedTurns() (n uint64) {
	_ = p.objects.UnplacedTurns.Get(&n) // as above
	return n
}

// Unplaced counts processes that tiers started and for which the kernel's table had no room.
func (p *Probe) Unplaced() (n uint64) {
	_ = p.objects.Unplaced.Get(&n) // as above
	return n
}

// UnreportedEnds counts processes that tiers had started and whose end the kernel did not report: until the next scan
// they were in the kernel's table.
func (p *Probe) UnreportedEnds() uint64 { return p.unreported.Load() }

// Costs returns the costs of the programs so far.
func (p *Probe) Costs() []probe.Cost {
	return []probe.Cost{
		probe.CostOf("nstar_switch", p.objects.NstarSwitch), probe.CostOf("nstar_fork", p.objects.NstarFork),
		probe.CostOf("nstar_free", p.objects.NstarFree), probe.CostOf("nstar_leave", p.objects.NstarLeave),
	}
}
