// SPDX-License-Identifier: Apache-2.0

package causes

import (
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/nstar-project/nstar/exporters/nstar/causes/cores"
	"github.com/nstar-project/nstar/exporters/nstar/causes/topology"
	"github.com/nstar-project/nstar/exporters/nstar/probe"
	"github.com/nstar-project/nstar/exporters/nstar/window"
)

// Where tiers run, after MCP: which can be switched off as causes can, by these names.
const (
	byCore      = "cores"
	migrations  = "migrations"
	cacheMisses = "cache_misses"
)

// Places returns what is measured of where tiers run, and of the other users of their disks.
func Places() []Kind {
	return []Kind{
		{byCore, "Processor time of each tier by processor and cache domain, time that it waited for a disk by " +
			"processor, and how the two take turns."},
		{migrations, "How often threads of each tier move from one processor to another, and from one last-level " +
			"cache to another."},
		{cacheMisses, "Last-level cache misses of each processor and of each tier, where the processors offer a " +
			"counter of them."},
		{diskNeighbours, "Who reads from and writes to the disks for which tiers wait."},
	}
}

// sysRoot is where the kernel shows the processors. No container has its own version of it.
const sysRoot = "/sys/devices/system/cpu"

// places follow where tiers run.
type places struct {
	topology   topology.Topology
	online     string // as it was when the topology was read
	byCore     bool
	migrations *cores.Migrations
	misses     *cores.Misses
	taken      map[window.Station]taken
	up         map[string]bool
}

// taken is how much of a tier number's counters was handed out, and for which tier, because numbers are used again.
type taken struct {
	app, tier string
	moves     cores.Moves
	misses    float64
}

// openPlaces starts what is not switched off. Each part that can't run logs that once.
func (s *Set) openPlaces() {
	p := &s.places
	p.taken, p.up = make(map[window.Station]taken), make(map[string]bool)
	for _, k := range Places() {
		if s.options.Off[k.Name] {
			continue
		}
		err := s.openPlace(k.Name)
		p.up[k.Name] = err == nil
		if errors.Is(err, cores.ErrNoCounter) { // as on nearly all virtual machines: nothing is wrong
			s.options.Log.Info("Cache misses are not counted", "missing", "nstar_tier_cache_misses_total", "err", err)
		} else if err != nil {
			s.options.Log.Warn("Where tiers run, or which programs use their disks, is not measured "+
				"completely", "missing",
				k.Name, "err", err)
		}
	}
}

func (s *Set) openPlace(name string) (err error) {
	p := &s.places
	if _, err := s.shared.scheduler(); err != nil {
		return err
	}
	if name == diskNeighbours {
		s.disks, err = openDisks(s.options, s.shared.sched.Processes())
		if err == nil && s.shared.devices != nil {
			s.shared.devices.of = s.disks.of
		}
		return err
	}
	if len(p.topology.Domains) == 0 {
		if err := p.readTopology(); err != nil {
			return err
		}
	}
	processes := s.shared.sched.Processes()
	switch name {
	case byCore:
		p.byCore = true
	case migrations:
		p.migrations, err = cores.OpenMigrations(processes, s.options.MaxTiers, p.topology)
	case cacheMisses:
		p.misses, err = cores.OpenMisses(processes, s.options.MaxTiers, p.topology.CPUs(), cores.CacheMisses...)
		if err == nil {
			s.options.Log.Info("Counting cache misses", "event", p.misses.Event())
		}
	}
	if err != nil {
		return probe.Explain(err)
	}
	return nil
}

func (p *places) readTopology() (err error) {
	sys := os.DirFS(sysRoot)
	if p.online, err = topology.Online(sys); err == nil {
		p.topology, err = topology.Read(sys)
	}
	if err != nil {
		return fmt.Errorf("which processors share a cache: %w", err)
	}
	return nil
}

// follow checks whether processors came or went, and makes sure that the next tier with a number begins at zero.
func (p *places) follow(tiers []Tier) error {
	for _, t := range tiers {
		if had, ok := p.taken[t.Station]; ok && (had.app != t.App || had.tier != t.Name) {
			p.take(t)
		}
	}
	if p.online == "" {
		return nil
	}
	if now, err := topology.Online(os.DirFS(sysRoot)); err != nil || now == p.online {
		return err
	}
	if err := p.readTopology(); err != nil || p.migrations == nil {
		return err
	}
	return p.migrations.SetDomains(p.topology)
}

// Core is what a tier's threads did on one processor.
type Core struct {
	CPU  int
	Ran  time.Duration
	Disk time.Duration // waited for a disk, and continued here
}

// Cores returns what a tier did in a window on each processor; nil if that is not measured.
func (s *Set) Cores(tier window.Station, index int64) []Core {
	if !s.places.byCore {
		return nil
	}
	s.shared.times(tier, index)
	return s.shared.last.cores
}

// Moves are how often a tier's threads moved, and how often they missed the cache.
type Moves struct {
	Within, Across uint64 // within a cache domain, and across two
	Misses         float64
}

// TakeMoves returns what was added since the last call for this tier.
func (s *Set) TakeMoves(t Tier) Moves { return s.places.take(t) }

func (p *places) take(t Tier) Moves {
	had := p.taken[t.Station]
	now := taken{app: t.App, tier: t.Name, moves: had.moves, misses: had.misses}
	if p.migrations != nil {
		if v, err := p.migrations.Of(t.Station); err == nil { // otherwise it is added next time
			now.moves = v
		}
	}
	if p.misses != nil {
		if v, err := p.misses.Of(t.Station); err == nil {
			now.misses = v
		}
	}
	return p.note(t.Station, now)
}

// note returns by how much a number's counters grew since they were last read for the same tier. It returns nothing if
// the number belonged to another tier.
func (p *places) note(number window.Station, now taken) Moves {
	had, known := p.taken[number]
	p.taken[number] = now
	if known && (had.app != now.app || had.tier != now.tier) {
		return Moves{}
	}
	return Moves{
		now.moves.Within - had.moves.Within, now.moves.Across - had.moves.Across,
		max(0, now.misses-had.misses), // a shared counter is scaled again each time
	}
}

// Host is what is known of the processors themselves.
type Host struct {
	Topology   topology.Topology
	Up         map[string]bool // for each of Places that is not switched off, whether it is measured
	ByCore     bool            // tiers are measured by processor
	Migrations bool            // their moves are counted
	Misses     map[int]float64 // cache misses so far, by processor; nil if they are not counted
	Costs      []probe.Cost    // of all kernel programs that measure causes
}

// Host returns what the machine's processors are like, and what following them costs.
func (s *Set) Host() Host {
	p := &s.places
	h := Host{Topology: p.topology, Up: p.up, ByCore: p.byCore, Migrations: p.migrations != nil}
	if s.shared.sched != nil {
		h.Costs = append(h.Costs, s.shared.sched.Costs()...)
	}
	if p.migrations != nil {
		h.Costs = append(h.Costs, p.migrations.Cost())
	}
	if p.misses != nil {
		h.Misses, _ = p.misses.ByCore() // a counter that can't be read is missing
		h.Costs = append(h.Costs, p.misses.Cost())
	}
	if s.disks != nil {
		h.Costs = append(h.Costs, s.disks.probe.Costs()...)
	}
	return h
}

func (p *places) close() error {
	var errs []error
	if p.migrations != nil {
		errs = append(errs, p.migrations.Close())
	}
	if p.misses != nil {
		errs = append(errs, p.misses.Close())
	}
	return errors.Join(errs...)
}
