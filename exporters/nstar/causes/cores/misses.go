// SPDX-License-Identifier: Apache-2.0

package cores

import (
	"errors"
	"fmt"
	"os"

	"github.com/cilium/ebpf"

	"github.com/nstar-project/nstar/exporters/nstar/bpf"
	coresbpf "github.com/nstar-project/nstar/exporters/nstar/bpf/cores"
	"github.com/nstar-project/nstar/exporters/nstar/probe"
	"github.com/nstar-project/nstar/exporters/nstar/window"
)

// ErrNoCounter says that the processors, or the hypervisor, offer no counter of cache misses.
var ErrNoCounter = errors.New("the processors offer no counter of cache misses (virtual machines seldom do)")

// Misses counts the last-level cache misses of each processor, and divides them among the tiers.
type Misses struct {
	event    Event
	counters map[int]*os.File // by processor
	objects  coresbpf.MissesObjects
	links    bpf.Links
}

// OpenMisses opens the first of the events that the processors offer, and attaches the program. processes is the table
// of the tiers' processes, by thread-group id.
func OpenMisses(processes *ebpf.Map, maxTiers int, cpus []int, events ...Event) (*Misses, error) {
	m := &Misses{counters: make(map[int]*os.File)}
	var err error
	for _, m.event = range events {
		if err = m.open(cpus); err == nil {
			break
		}
	}
	if err != nil {
		return nil, err
	}
	if err := m.attach(processes, maxTiers); err != nil {
		return nil, errors.Join(err, m.closeCounters(), m.objects.Close())
	}
	return m, nil
}

// open opens the event on each processor.
func (m *Misses) open(cpus []int) error {
	for _, cpu := range cpus {
		f, err := m.event.open(cpu)
		if err != nil {
			return errors.Join(err, m.closeCounters())
		}
		m.counters[cpu] = f
	}
	return nil
}

func (m *Misses) attach(processes *ebpf.Map, maxTiers int) error {
	spec, err := coresbpf.LoadMisses()
	if err != nil {
		return err
	}
	possible, err := ebpf.PossibleCPU()
	if err != nil {
		return err
	}
	spec.Maps[coresbpf.MissesMapTierMisses].MaxEntries = uint32(maxTiers)
	spec.Maps[coresbpf.MissesMapCounters].MaxEntries = uint32(possible)
	if err := spec.LoadAndAssign(&m.objects, sharing(coresbpf.MissesMapTierProcesses, processes)); err != nil {
		return err
	}
	for cpu, f := range m.counters {
		if err := m.objects.Counters.Put(uint32(cpu), uint32(f.Fd())); err != nil {
			return fmt.Errorf("the counter of processor %d: %w", cpu, err)
		}
	}
	m.links, err = bpf.Trace(m.objects.NstarMisses)
	return err
}

// Cost is what the program cost so far.
func (m *Misses) Cost() probe.Cost { return probe.CostOf("nstar_misses", m.objects.NstarMisses) }

// Event is the name of what is counted, as perf list writes it.
func (m *Misses) Event() string { return m.event.Name }

// Of reads how often a tier's threads missed the cache in turns that are over, for all tiers that have had the number.
func (m *Misses) Of(tier window.Station) (float64, error) {
	var each []coresbpf.MissesMisses
	if err := m.objects.TierMisses.Lookup(uint32(tier), &each); err != nil {
		return 0, fmt.Errorf("reading the cache misses: %w", err)
	}
	return sum(each), nil
}

// sum adds up the processors, each scaled to the whole time, because a counter that is shared sees only a part of it.
func sum(each []coresbpf.MissesMisses) (all float64) {
	for _, c := range each {
		all += reading{c.Counted, c.Enabled, c.Running}.scaled()
	}
	return all
}

// ByCore reads how often each processor missed the cache.
func (m *Misses) ByCore() (map[int]float64, error) {
	out := make(map[int]float64, len(m.counters))
	for cpu, f := range m.counters {
		r, err := readCounter(f)
		if err != nil {
			return nil, fmt.Errorf("the counter of processor %d: %w", cpu, err)
		}
		out[cpu] = r.scaled()
	}
	return out, nil
}

func (m *Misses) closeCounters() error {
	var errs []error
	for cpu, f := range m.counters {
		errs = append(errs, f.Close())
		delete(m.counters, cpu)
	}
	return errors.Join(errs...)
}

// Close detaches the program and gives the counters back.
func (m *Misses) Close() error {
	return errors.Join(m.links.Close(), m.objects.Close(), m.closeCounters())
}
