// SPDX-License-Identifier: Apache-2.0

package monitor

import (
	"time"

	"github.com/nstar-project/nstar/exporters/nstar/config"
	"github.com/nstar-project/nstar/exporters/nstar/discovery"
	"github.com/nstar-project/nstar/exporters/nstar/kinds"
	"github.com/nstar-project/nstar/exporters/nstar/probe"
	"github.com/nstar-project/nstar/exporters/nstar/window"
)

// Probe is the kernel side as the loop sees it: *probe.Probe, which documents the methods.
type Probe interface {
	Ring() int
	SetClock(offset time.Duration) error
	SetTables(probe.Tables) error
	Sums(station window.Station, position int) window.Sums
	Residences(tier window.Station) probe.Residences
	SetKinds([]kinds.Kind) error
	KindSums(tier window.Station) []probe.KindSums
	Count() (probe.Counts, error)
	Edges() ([]probe.Edge, error)
	EdgesChanged() uint32
	ForgetEdge(probe.Edge) error
	KeepEdge(probe.Edge) bool
	FreeEdge(probe.Edge) error
	Room() probe.Room
	Listens() uint32
	Drops() ([]uint64, error)
	Costs() ([]probe.Cost, error)
}

// Scanner finds tiers and connections: *discovery.Scanner.
type Scanner interface {
	Scan(*config.Config) (discovery.Snapshot, error)
}
