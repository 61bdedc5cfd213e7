// SPDX-License-Identifier: Apache-2.0

// Package diskuse loads the kernel programs that follow which processes read from and write to the disks, and reads
// their counts: bytes by tier or process, disk and window.
package diskuse

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/cilium/ebpf"
	"github.com/cilium/ebpf/rlimit"

	"github.com/nstar-project/nstar/exporters/nstar/bpf"
	diskbpf "github.com/nstar-project/nstar/exporters/nstar/bpf/disk"
	"github.com/nstar-project/nstar/exporters/nstar/causes/owner"
	"github.com/nstar-project/nstar/exporters/nstar/probe"
)

// Options are the settings that are fixed while the programs run.
type Options struct {
	Window time.Duration
	Kept   time.Duration // windows can be read for at least so long after their end
	Clock  time.Duration // offset of the window clock to CLOCK_MONOTONIC
	// Processes is the table of the tiers' processes, by thread-group id: the map of package sched.
	Processes *ebpf.Map
}

// Probe is the loaded and attached programs.
type Probe struct {
	ring, cpus int
	objects    diskbpf.DiskObjects
	slots      *ebpf.Memory
	links      bpf.Links
}

// Open loads and attaches the programs.
func Open(o Options) (*Probe, error) {
	if err := rlimit.RemoveMemlock(); err != nil {
		return nil, fmt.Errorf("raising RLIMIT_MEMLOCK: %w", err)
	}
	cpus, err := ebpf.PossibleCPU()
	if err != nil {
		return nil, err
	}
	ring, shift := bpf.Ring(o.Kept, o.Window)
	p := &Probe{ring: ring, cpus: cpus}
	if err := p.load(o, shift); err != nil {
		return nil, errors.Join(err, p.objects.Close())
	}
	if p.links, err = bpf.Trace(p.objects.NstarDirty, p.objects.NstarDisk); err != nil {
		return nil, errors.Join(err, p.objects.Close())
	}
	return p, nil
}

func (p *Probe) load(o Options, shift int) error {
	spec, err := diskbpf.LoadDisk()
	if err != nil {
		return err
	}
	spec.Maps[diskbpf.DiskMapSlots].MaxEntries = uint32(p.cpus * p.ring)
	if err := bpf.SetConstants(spec, map[string]any{
		"ring_shift": uint32(shift),
		"width_ns":   uint64(o.Window),
	}); err != nil {
		return err
	}
	shared := &ebpf.CollectionOptions{MapReplacements: map[string]*ebpf.Map{diskbpf.DiskMapTierProcesses: o.Processes}}
	if err := spec.LoadAndAssign(&p.objects, shared); err != nil {
		return err
	}
	if p.slots, err = p.objects.Slots.Memory(); err != nil {
		return fmt.Errorf("mapping the slots: %w", err)
	}
	return p.SetClock(o.Clock)
}

// Close detaches the programs and frees their maps.
func (p *Probe) Close() error { return errors.Join(p.links.Close(), p.objects.Close()) }

// SetClock sets the offset of the window clock to CLOCK_MONOTONIC.
func (p *Probe) SetClock(offset time.Duration) error { return p.objects.ClockOffset.Set(int64(offset)) }

// Costs returns the costs of the programs so far.
func (p *Probe) Costs() []probe.Cost {
	return []probe.Cost{
		probe.CostOf("nstar_disk", p.objects.NstarDisk), probe.CostOf("nstar_dirty", p.objects.NstarDirty),
	}
}

// Command is the name that a process had when it used a disk, because it may have ended since. It is "" if not known.
func (p *Probe) Command(process owner.Owner) string {
	var c diskbpf.DiskCommand
	if p.objects.Commands.Lookup(uint32(process), &c) != nil {
		return ""
	}
	var name [len(c.Name)]byte
	for i, b := range c.Name {
		name[i] = byte(b)
	}
	text, _, _ := bytes.Cut(name[:], []byte{0})
	return string(text)
}

const (
	uses     = 8   // USES in maps.h
	slotSize = 216 // of struct slot
	useSize  = 24  // of struct use
)

// Use is how much a tier, or a process of no tier, had read from a disk and written to it.
type Use struct {
	Owner         owner.Owner // 0: the kernel itself
	Disk          uint32      // major and minor number; 0: several owners and disks for which there was no room
	Read, Written uint64      // bytes
}

// Window reads, by the window's index, which owner used which disk in a window: each pair of owner and disk once.
func (p *Probe) Window(index int64) (all []Use) {
	for cpu := range p.cpus {
		var b [slotSize]byte
		at := (cpu*p.ring + int(index&int64(p.ring-1))) * slotSize
		if _, err := p.slots.ReadAt(b[:], int64(at)); err != nil && err != io.EOF {
			continue
		}
		all = parse(all, b[:], index)
	}
	return all
}

// parse adds the uses of a window that one processor's slot contains.
func parse(all []Use, slot []byte, index int64) []Use {
	if binary.NativeEndian.Uint32(slot) != uint32(index) {
		return all
	}
	all = merge(all, Use{Read: binary.NativeEndian.Uint64(slot[8:]), Written: binary.NativeEndian.Uint64(slot[16:])})
	for i := range uses {
		b := slot[24+i*useSize:]
		all = merge(all, Use{
			Owner: owner.Owner(binary.NativeEndian.Uint32(b)), Disk: binary.NativeEndian.Uint32(b[4:]),
			Read: binary.NativeEndian.Uint64(b[8:]), Written: binary.NativeEndian.Uint64(b[16:]),
		})
	}
	return all
}

// Join adds up the uses of two windows.
func Join(all, more []Use) []Use {
	for _, u := range more {
		all = merge(all, u)
	}
	return all
}

// merge adds a use to the one of the same owner and disk.
func merge(all []Use, u Use) []Use {
	if u.Read == 0 && u.Written == 0 {
		return all
	}
	for i := range all {
		if all[i].Owner == u.Owner && all[i].Disk == u.Disk {
			all[i].Read += u.Read
			all[i].Written += u.Written
			return all
		}
	}
	return append(all, u)
}
