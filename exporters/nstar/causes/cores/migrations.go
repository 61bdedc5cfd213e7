// SPDX-License-Identifier: Apache-2.0

// Package cores loads the kernel programs that follow tiers from processor to processor and from cache to cache, and
// reads their counts. It knows tiers by number only.
package cores

import (
	"errors"
	"fmt"

	"github.com/cilium/ebpf"

	"github.com/nstar-project/nstar/exporters/nstar/bpf"
	coresbpf "github.com/nstar-project/nstar/exporters/nstar/bpf/cores"
	"github.com/nstar-project/nstar/exporters/nstar/causes/topology"
	"github.com/nstar-project/nstar/exporters/nstar/probe"
	"github.com/nstar-project/nstar/exporters/nstar/window"
)

// Moves are how often threads went from one processor to another.
type Moves struct {
	Within uint64 // within a cache domain
	Across uint64 // from one domain to another
}

// Migrations counts the moves of each tier's threads.
type Migrations struct {
	objects coresbpf.MigrateObjects
	links   bpf.Links
}

// OpenMigrations attaches the program. processes is the table of the tiers' processes, by thread-group id.
func OpenMigrations(processes *ebpf.Map, maxTiers int, domains topology.Topology) (*Migrations, error) {
	spec, err := coresbpf.LoadMigrate()
	if err != nil {
		return nil, err
	}
	spec.Maps[coresbpf.MigrateMapTierMoves].MaxEntries = uint32(maxTiers)
	m := new(Migrations)
	if err := spec.LoadAndAssign(&m.objects, sharing(coresbpf.MigrateMapTierProcesses, processes)); err != nil {
		return nil, err
	}
	if err := m.SetDomains(domains); err != nil {
		return nil, errors.Join(err, m.objects.Close())
	}
	if m.links, err = bpf.Trace(m.objects.NstarMigrate); err != nil {
		return nil, errors.Join(err, m.objects.Close())
	}
	return m, nil
}

// sharing puts an existing map in the place of a map that a program declares.
func sharing(name string, m *ebpf.Map) *ebpf.CollectionOptions {
	return &ebpf.CollectionOptions{MapReplacements: map[string]*ebpf.Map{name: m}}
}

// mostCPUs is CPUS in migrate.bpf.c.
const mostCPUs = 8192

// SetDomains tells which processors share a cache.
func (m *Migrations) SetDomains(t topology.Topology) error {
	var table [mostCPUs]uint16
	for cpu := range table {
		if d, ok := t.Of(cpu); ok {
			table[cpu] = uint16(d)
		}
	}
	return m.objects.DomainOf.Set(table[:])
}

// Of reads how often a tier's threads have moved since the program was attached, for all tiers that have had the
// number.
func (m *Migrations) Of(tier window.Station) (sum Moves, err error) {
	var each []coresbpf.MigrateMoves
	if err := m.objects.TierMoves.Lookup(uint32(tier), &each); err != nil {
		return sum, fmt.Errorf("reading the moves: %w", err)
	}
	for _, c := range each {
		sum.Within += c.Within
		sum.Across += c.Across
	}
	return sum, nil
}

// Close detaches the program.
func (m *Migrations) Close() error { return errors.Join(m.links.Close(), m.objects.Close()) }

// Cost is what the program cost so far.
func (m *Migrations) Cost() probe.Cost { return probe.CostOf("nstar_migrate", m.objects.NstarMigrate) }
