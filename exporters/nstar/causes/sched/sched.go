// SPDX-License-Identifier: Apache-2.0

// Package sched loads the kernel program that follows who has the processors and reads what it wrote down: for each
// tier and window, how long its threads ran, waited for a processor and for a disk, and who ran while they waited. It
// knows tiers by number only.
package sched

import (
	"errors"
	"fmt"
	"io"
	"math/bits"
	"time"

	"github.com/cilium/ebpf"
	"github.com/cilium/ebpf/link"
	"github.com/cilium/ebpf/rlimit"

	"github.com/nstar-project/nstar/exporters/nstar/bpf"
	schedbpf "github.com/nstar-project/nstar/exporters/nstar/bpf/sched"
	"github.com/nstar-project/nstar/exporters/nstar/window"
)

// Options are the settings that are fixed while the program runs.
type Options struct {
	Window   time.Duration
	Kept     time.Duration // windows can be read for so long after their end, at least
	MaxTiers int
	Locks    bool          // whether sleeping for locks is followed
	Clock    time.Duration // offset of the window clock to CLOCK_MONOTONIC
}

// Probe is the loaded and attached program.
type Probe struct {
	options Options
	ring    int
	cpus    int
	objects schedbpf.SchedObjects
	slots   *ebpf.Memory
	states  *ebpf.Memory
	link    io.Closer
	marks   [marks]byte
	tiers   map[uint32]uint32
}

// Open loads and attaches the program.
func Open(o Options) (*Probe, error) {
	if err := rlimit.RemoveMemlock(); err != nil {
		return nil, fmt.Errorf("raising RLIMIT_MEMLOCK: %w", err)
	}
	cpus, err := ebpf.PossibleCPU()
	if err != nil {
		return nil, err
	}
	shift := bits.Len(uint(o.Kept / o.Window))
	p := &Probe{options: o, ring: 1 << shift, cpus: cpus, tiers: make(map[uint32]uint32)}
	if err := p.load(shift); err != nil {
		return nil, errors.Join(err, p.objects.Close())
	}
	if p.link, err = link.AttachTracing(link.TracingOptions{Program: p.objects.NstarSwitch}); err != nil {
		return nil, errors.Join(fmt.Errorf("attaching to sched_switch: %w", err), p.objects.Close())
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
	if err := bpf.SetConstants(spec, map[string]any{
		"max_tiers":  uint32(p.options.MaxTiers),
		"ring_shift": uint32(shift),
		"width_ns":   uint64(p.options.Window),
		"locks":      p.options.Locks,
	}); err != nil {
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
	return p.SetClock(p.options.Clock)
}

// Close detaches the program and frees its maps.
func (p *Probe) Close() error { return errors.Join(p.link.Close(), p.objects.Close()) }

// SetClock sets the offset of the window clock to CLOCK_MONOTONIC.
func (p *Probe) SetClock(offset time.Duration) error {
	p.options.Clock = offset
	return p.objects.ClockOffset.Set(int64(offset))
}

// marks is HINTS in maps.h.
const marks = 1 << 16

// SetProcesses tells which processes, by thread-group id, belong to which tier.
func (p *Probe) SetProcesses(processes map[uint32]window.Station) error {
	want := make(map[uint32]uint32, len(processes))
	var now [marks]byte
	for pid, tier := range processes {
		want[pid] = uint32(tier)
		now[pid%marks] = 1
	}
	var errs []error
	for pid := range p.tiers {
		if _, ok := want[pid]; !ok {
			if err := p.objects.TierProcesses.Delete(pid); err != nil && !errors.Is(err, ebpf.ErrKeyNotExist) {
				errs = append(errs, fmt.Errorf("forgetting a process: %w", err))
			}
		}
	}
	for pid, tier := range want {
		if old, ok := p.tiers[pid]; ok && old == tier {
			continue
		}
		if err := p.objects.TierProcesses.Put(pid, tier); err != nil {
			errs = append(errs, fmt.Errorf("adding a process: %w", err))
			delete(want, pid) // it is tried again by the next scan
		}
	}
	p.tiers = want
	if now != p.marks {
		p.marks = now
		errs = append(errs, p.objects.Hints.Set(now[:]))
	}
	if len(errs) > 0 {
		return errs[0] // a full table says the same of each
	}
	return nil
}

// Late counts spans of time that ended too long after their windows to be in them.
func (p *Probe) Late() (n uint64) {
	_ = p.objects.Late.Get(&n) // mapped memory: reading can only fail if its type is not uint64
	return n
}

// Cost is what the program cost so far: runs and their time; 0 where the kernel's statistics are off.
func (p *Probe) Cost() (runs uint64, took time.Duration, err error) {
	s, err := p.objects.NstarSwitch.Stats()
	if err != nil {
		return 0, 0, fmt.Errorf("statistics of nstar_switch: %w", err)
	}
	return s.RunCount, s.Runtime, nil
}
