// SPDX-License-Identifier: Apache-2.0

package monitor

import (
	"github.com/nstar-project/nstar/exporters/nstar/config"
	"github.com/nstar-project/nstar/exporters/nstar/discovery"
	"github.com/nstar-project/nstar/exporters/nstar/monitor/mix"
	"github.com/nstar-project/nstar/exporters/nstar/monitor/reading"
	"github.com/nstar-project/nstar/exporters/nstar/probe"
)

// Probe is the kernel side as the loop sees it: *probe.Probe, which documents the methods.
type Probe interface {
	reading.Probe
	mix.Probe
	SetTables(probe.Tables) error
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
