// SPDX-License-Identifier: Apache-2.0

package monitor

import (
	"time"

	"github.com/nstar-project/nstar/exporters/nstar/causes"
	"github.com/nstar-project/nstar/exporters/nstar/config"
	"github.com/nstar-project/nstar/exporters/nstar/discovery"
	"github.com/nstar-project/nstar/exporters/nstar/monitor/mix"
	"github.com/nstar-project/nstar/exporters/nstar/monitor/reading"
	"github.com/nstar-project/nstar/exporters/nstar/monitor/stations"
	"github.com/nstar-project/nstar/exporters/nstar/monitor/why"
	"github.com/nstar-project/nstar/exporters/nstar/probe"
	"github.com/nstar-project/nstar/exporters/nstar/window"
)

// Probe is the kernel side as the loop sees it. It is implemented by *probe.Probe, which documents the methods.
type Probe interface {
	stations.Probe
	reading.Probe
	mix.Probe
	Listens() uint32
	SweepUnix() error
	Drops() ([]uint64, error)
	Costs() ([]probe.Cost, error)
}

// Scanner finds tiers and connections. It is implemented by *discovery.Scanner.
type Scanner interface {
	Scan(*config.Config) (discovery.Snapshot, error)
}

// Causes measures what keeps tiers from work. It is implemented by *causes.Set, which documents the methods.
type Causes interface {
	why.Causes
	SetClock(offset time.Duration) error
	Follow([]causes.Tier) error
	Stopped(tier window.Station, w causes.Window) float64
	Poll(now time.Duration, calm bool) (moved bool)
	Accept(tier window.Station) (causes.Accept, bool)
	MajorFaults(tier window.Station) (uint64, bool)
	Total(tier window.Station) (ran, waited time.Duration, ok bool)
	Dropped() map[string]uint64
}
