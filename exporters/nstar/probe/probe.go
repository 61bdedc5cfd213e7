// SPDX-License-Identifier: Apache-2.0

// Package probe loads the kernel side, attaches it, fills its tables and reads its measurements. It knows stations
// only by number; package monitor knows what they are.
package probe

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"maps"
	"time"

	"github.com/cilium/ebpf"
	"github.com/cilium/ebpf/link"
	"github.com/cilium/ebpf/rlimit"

	"github.com/nstar-project/nstar/exporters/nstar/bpf"
)

// Options are the settings that are fixed while the probe runs.
type Options struct {
	Window     time.Duration
	Settle     time.Duration
	MaxTiers   int
	MaxEdges   int
	ProcRoot   string        // where procfs is mounted; empty: /proc
	Stats      bool          // count runs and run time of the programs
	Unix       bool          // measure at Unix sockets, too, if the kernel can: UnixErr
	Kinds      bool          // distinguish kinds of requests: SetKinds
	Later      bool          // without Kinds: prepare for the first kinds, because rights may be given up meanwhile
	Clock      time.Duration // offset of the window clock to CLOCK_MONOTONIC when the first packet is seen
	Processors int           // the number of first processors with tables of their own; 0: all of the machine
}

// Probe is the loaded and attached kernel side.
type Probe struct {
	options   Options
	numbers   bool // processes have the numbers here that the kernel's programs see
	ring      int
	rows      bpf.Rows
	objects   bpf.NstarObjects
	later     *bpf.NstarObjects // on the same tables, with those of kinds; nil if they are not kept ready
	laterErr  error             // why they are not
	slots     *ebpf.Memory
	edgeSlots *ebpf.Memory
	tierSlots *ebpf.Memory
	residence *ebpf.Memory
	counts    *ebpf.Memory
	kinds     *ebpf.Memory // nil without kinds
	seed      uint64       // of the words of kinds
	ports     ports
	unix      unixSockets
	stats     io.Closer // nil if run time is not counted
	statsErr  error
	state     bpf.Links
	lost      bpf.Links
	ingress   link.Link
	egress    link.Link
}

// lateness is how long user space may be delayed before windows can't be told apart.
const lateness = 4 * time.Second

// Open loads and attaches the programs. The error says what the machine lacks, in one line.
func Open(o Options) (*Probe, error) {
	if err := rlimit.RemoveMemlock(); err != nil {
		return nil, Explain(fmt.Errorf("raising RLIMIT_MEMLOCK: %w", err))
	}
	rows, err := bpf.RowsOf(o.Processors)
	if err != nil {
		return nil, err
	}
	ring, shift := bpf.Ring(o.Settle+lateness, o.Window)
	p := &Probe{options: o, numbers: KernelNumbers(o.ProcRoot), ring: ring, rows: rows}
	if err := p.load(shift); err != nil {
		p.Close()
		return nil, Explain(err)
	}
	if err := p.attach(); err != nil {
		p.Close()
		return nil, Explain(err)
	}
	return p, nil
}

// spec are the programs and tables to load, with tables of the size that the options ask for.
func (p *Probe) spec(shift int) (*ebpf.CollectionSpec, error) {
	spec, err := bpf.LoadNstar()
	if err != nil {
		return nil, err
	}
	stations := p.options.MaxTiers + p.options.MaxEdges
	spec.Maps["slots"].MaxEntries = uint32(p.rows.All * stations * p.ring)
	spec.Maps["residences"].MaxEntries = uint32(p.rows.All * p.options.MaxTiers)
	spec.Maps["edge_slots"].MaxEntries = uint32(max(p.options.MaxEdges*p.ring, 1))
	spec.Maps["tier_slots"].MaxEntries = uint32(p.options.MaxTiers * p.ring)
	spec.Maps["edge_states"].MaxEntries = uint32(max(p.options.MaxEdges, 1))
	spec.Maps["free_edges"].MaxEntries = uint32(max(p.options.MaxEdges, 1))
	spec.Maps["counts"].MaxEntries = uint32(stations)
	spec.Maps["pausing"].MaxEntries = uint32(stations)
	return spec, bpf.SetConstants(spec, p.constants(shift))
}

// constants are the options in the form that all objects need.
func (p *Probe) constants(shift int) map[string]any {
	return map[string]any{
		"max_tiers":  uint32(p.options.MaxTiers),
		"max_edges":  uint32(p.options.MaxEdges),
		"own_rows":   uint32(p.rows.Own),
		"ring_shift": uint32(shift),
		"width_ns":   uint64(p.options.Window),
		"settle_ns":  uint64(p.options.Settle),
	}
}

func (p *Probe) load(shift int) error {
	spec, err := p.spec(shift)
	if err != nil {
		return err
	}
	if p.options.Kinds {
		if err := p.sizeKinds(spec); err != nil {
			return err
		}
	}
	loaded, err := ebpf.NewCollection(spec)
	if err != nil {
		return err
	}
	defer loaded.Close() // what is not assigned
	tables := maps.Clone(loaded.Maps)
	if err := loaded.Assign(&p.objects); err != nil {
		return err
	}
	if p.options.Unix {
		p.loadUnix(shift, tables)
	}
	if p.options.Later && !p.options.Kinds {
		p.laterErr = p.loadLater(shift, tables)
	}
	if p.slots, err = p.objects.Slots.Memory(); err != nil {
		return fmt.Errorf("mapping the window slots: %w", err)
	}
	if p.edgeSlots, err = p.objects.EdgeSlots.Memory(); err != nil {
		return fmt.Errorf("mapping the window slots of edges: %w", err)
	}
	if p.tierSlots, err = p.objects.TierSlots.Memory(); err != nil {
		return fmt.Errorf("mapping the window slots of tiers: %w", err)
	}
	if p.residence, err = p.objects.Residences.Memory(); err != nil {
		return fmt.Errorf("mapping the residence times: %w", err)
	}
	if p.counts, err = p.objects.Counts.Memory(); err != nil {
		return fmt.Errorf("mapping the counts over connections: %w", err)
	}
	if p.options.Kinds {
		if p.kinds, err = p.objects.KindTable.Memory(); err != nil {
			return fmt.Errorf("mapping the kinds of requests: %w", err)
		}
	}
	if p.ports.memory, err = p.objects.StationPorts.Memory(); err != nil {
		return fmt.Errorf("mapping the marks of ports: %w", err)
	}
	return p.SetClock(p.options.Clock)
}

func (p *Probe) attach() error {
	root, err := cgroupRoot(cmp.Or(p.options.ProcRoot, "/proc"))
	if err != nil {
		return err
	}
	defer root.Close()
	if p.options.Stats {
		stats, err := ebpf.EnableStats(statsRunTime)
		if err == nil {
			p.stats = stats
		}
		p.statsErr = err // needs CAP_SYS_ADMIN; measuring goes on without
	}
	if p.state, err = bpf.Trace(p.objects.NstarState); err != nil {
		return err
	}
	if p.lost, err = bpf.Trace(p.objects.NstarLost); err != nil {
		return err
	}
	for _, a := range []struct {
		link    *link.Link
		to      ebpf.AttachType
		program *ebpf.Program
	}{
		{&p.ingress, ebpf.AttachCGroupInetIngress, p.objects.NstarIngress},
		{&p.egress, ebpf.AttachCGroupInetEgress, p.objects.NstarEgress},
	} {
		*a.link, err = link.AttachCgroup(link.CgroupOptions{Path: root.path(), Attach: a.to, Program: a.program})
		if err != nil {
			return fmt.Errorf("attaching to the cgroup %s: %w", root, err)
		}
	}
	return nil
}

// Close detaches the programs and frees their maps.
func (p *Probe) Close() error {
	var errs []error
	for _, c := range []io.Closer{p.stats, p.state, p.lost, p.ingress, p.egress} {
		if c != nil {
			errs = append(errs, c.Close())
		}
	}
	if p.later != nil {
		errs = append(errs, p.later.Close())
	}
	errs = append(errs, p.unix.close(), p.objects.Close())
	return errors.Join(errs...)
}

// StatsErr says why the programs' run time is not counted though it was asked for; nil if it is.
func (p *Probe) StatsErr() error { return p.statsErr }

// Ring is the number of slots per station.
func (p *Probe) Ring() int { return p.ring }
