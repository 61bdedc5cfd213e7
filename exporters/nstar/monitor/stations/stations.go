// SPDX-License-Identifier: Apache-2.0

// Package stations keeps the numbers under which the kernel side counts in step with what discovery finds. Every tier
// and every edge has a number, with a name. When it has been gone for long enough, the number is given to another one.
package stations

import (
	"fmt"
	"log/slog"
	"net/netip"
	"slices"
	"time"

	"github.com/nstar-project/nstar/exporters/nstar/config"
	"github.com/nstar-project/nstar/exporters/nstar/discovery"
	"github.com/nstar-project/nstar/exporters/nstar/peers"
	"github.com/nstar-project/nstar/exporters/nstar/probe"
	"github.com/nstar-project/nstar/exporters/nstar/window"
)

// Probe is the kernel side. It is implemented by *probe.Probe, which documents the methods.
type Probe interface {
	SetTables(probe.Tables) error
	Count() (probe.Counts, error)
	Edges() ([]probe.Edge, error)
	EdgesChanged() uint32
	ForgetEdge(probe.Edge) error
	KeepEdge(probe.Edge) bool
	FreeEdge(probe.Edge) error
	Room() probe.Room
}

// Stations manages the numbers. It is not safe for concurrent use.
type Stations struct {
	probe      Probe
	log        *slog.Logger
	begin      func(window.Station)
	tiers      *tiers
	edges      *edges
	directory  *directory
	tablesFull uint64
	leftOut    int // sockets and processes that found no room in the last scan
}

// New makes room for so many tiers and edges. It calls begin before a number is given to another edge.
func New(maxTiers, maxEdges int, p Probe, begin func(window.Station), log *slog.Logger) *Stations {
	return &Stations{
		probe: p, log: log, begin: begin, tiers: newTiers(maxTiers), edges: newEdges(maxEdges, p),
		directory: newDirectory(discovery.Snapshot{}, nil, nil, peers.Names{}),
	}
}

// Gone lists what was given up.
type Gone struct {
	Tiers   []discovery.TierName
	Numbers []window.Station // numbers that belong to no tier and no edge any more
	Edges   []EdgeName       // names that belong to no edge any more
}

// Retire notes which tiers a scan found. It gives up the numbers of tiers that are away and of edges that are not used,
// and frees numbers that no connection carries any more. It must be called before Admit gives out numbers. Times are
// monotonic.
func (s *Stations) Retire(found discovery.Snapshot, now time.Duration) (gone Gone) {
	s.tiers.see(found.Tiers, now)
	for _, n := range s.tiers.leaving(now) {
		name := s.tiers.places[n].last.FullName()
		s.log.Info("A tier is gone, its number is free for others", "app", name.App, "tier", name.Tier)
		s.tiers.holdBack(n, now)
		gone.Tiers, gone.Numbers = append(gone.Tiers, name), append(gone.Numbers, n)
		gone.Edges = append(gone.Edges, s.forgetEdges(func(e probe.Edge) bool { return e.From == n })...)
	}
	after := s.edges.patience()
	unused := s.forgetEdges(func(e probe.Edge) bool { return now-s.edges.used[e.Station] >= after })
	gone.Edges = append(gone.Edges, unused...)
	gone.Numbers = append(gone.Numbers, s.release(now)...)
	return gone
}

func (s *Stations) forgetEdges(unwanted func(probe.Edge) bool) (lost []EdgeName) {
	before := s.edges.names
	fewer := s.edges.forget(unwanted, func(err error) {
		s.log.Warn("An edge that is not used can't be given up", "err", err)
	})
	if !fewer {
		return nil
	}
	s.nameEdges()
	return s.edges.lost(before)
}

// release frees the numbers that are held back and that no connection carries. It returns those of edges; those of
// tiers were given up before.
func (s *Stations) release(now time.Duration) (freed []window.Station) {
	waiting := s.tiers.waiting()
	if len(waiting)+len(s.edges.held) == 0 {
		return nil
	}
	counts, err := s.probe.Count()
	if err != nil {
		s.log.Warn("Numbers of tiers and edges that are gone can't be used again", "err", err)
		return nil
	}
	inUse := func(n window.Station) bool { return counts.InFlight[n] > 0 || counts.Connections[n] > 0 }
	for _, n := range waiting {
		if !inUse(n) {
			s.tiers.release(n)
		}
	}
	for n, e := range s.edges.held {
		if s.releaseEdge(e, inUse(n), now) {
			freed = append(freed, n)
		}
	}
	return freed
}

// releaseEdge frees the number of an edge, or gives it back if a connection took it at the last moment.
func (s *Stations) releaseEdge(e probe.Edge, used bool, now time.Duration) (freed bool) {
	if used {
		if _, ok := s.tiers.name(e.From); ok && s.probe.KeepEdge(e) {
			s.edges.keep(e, now)
			s.nameEdges()
		}
		return false
	}
	s.begin(e.Station) // before the next edge counts under it
	if err := s.edges.free(e); err != nil {
		s.log.Warn("The number of an edge that is gone can't be used again", "err", err)
		return false
	}
	return true
}

// Admit gives numbers to tiers that were found and have none, and returns these numbers. rules is how many rules of the
// configuration may want numbers.
func (s *Stations) Admit(found discovery.Snapshot, rules int, now time.Duration) []window.Station {
	return s.tiers.admit(found.Tiers, rules, now)
}

// Tell tells the kernel side what was found, and names the edges accordingly. It returns the names that no edge has any
// more.
func (s *Stations) Tell(found discovery.Snapshot, remotes []config.Remote, others peers.Names) []EdgeName {
	s.directory = newDirectory(found, s.tiers.away(found.Tiers), remotes, others)
	s.fillTables(found, remotes, others)
	before := s.edges.names
	s.nameEdges()
	return s.edges.lost(before)
}

func (s *Stations) fillTables(found discovery.Snapshot, named []config.Remote, others peers.Names) {
	var remotes []probe.Remote
	known := make(map[netip.AddrPort]bool)
	for _, r := range named {
		remotes = append(remotes, probe.Remote{Address: r.Address, Protocol: r.Protocol.Number()})
		known[r.Address] = true
	}
	for _, r := range slices.Concat(outside(found), s.elsewhere(others)) {
		if !known[r.Address] {
			remotes = append(remotes, r)
			known[r.Address] = true
		}
	}
	tables, left := s.tiers.tables(found, remotes, s.probe.Room())
	err := s.probe.SetTables(tables)
	if err == nil && left > 0 {
		err = fmt.Errorf("%w: %d sockets and processes left out", probe.ErrTableFull, left)
	}
	if left > s.leftOut {
		s.tablesFull += uint64(left - s.leftOut)
	} else if err != nil && left == 0 {
		s.tablesFull++
	}
	s.leftOut = left
	if err != nil {
		s.log.Warn("Some sockets are not measured", "err", err)
	}
}

// Refresh learns which edges the kernel side has numbered since the last call.
func (s *Stations) Refresh(now time.Duration) {
	fresh, err := s.edges.refresh(now)
	if err != nil {
		s.log.Warn("New edges can't be read", "err", err)
	}
	if fresh {
		s.nameEdges()
	}
}

func (s *Stations) nameEdges() { s.edges.name(s.tiers, s.directory) }

// Use notes, from their windows, which edges are in use.
func (s *Stations) Use(windows []window.Window, now time.Duration) {
	for _, w := range windows {
		if !s.IsTier(w.Station) && (w.Connections > 0 || w.Arrivals > 0) {
			s.edges.used[w.Station] = now
		}
	}
}
