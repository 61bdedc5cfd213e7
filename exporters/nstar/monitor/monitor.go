// SPDX-License-Identifier: Apache-2.0

// Package monitor runs the exporter's loop: it discovers tiers, tells the kernel side about them, and turns settled
// windows into the cumulative totals of /metrics and the samples of /windows.
package monitor

import (
	"context"
	"fmt"
	"log/slog"
	"net/netip"
	"sync"
	"time"

	"github.com/nstar-project/nstar/exporters/nstar/clock"
	"github.com/nstar-project/nstar/exporters/nstar/config"
	"github.com/nstar-project/nstar/exporters/nstar/discovery"
	"github.com/nstar-project/nstar/exporters/nstar/monitor/gc"
	"github.com/nstar-project/nstar/exporters/nstar/monitor/judging"
	"github.com/nstar-project/nstar/exporters/nstar/monitor/load"
	"github.com/nstar-project/nstar/exporters/nstar/monitor/mix"
	"github.com/nstar-project/nstar/exporters/nstar/monitor/reading"
	"github.com/nstar-project/nstar/exporters/nstar/monitor/why"
	"github.com/nstar-project/nstar/exporters/nstar/probe"
	"github.com/nstar-project/nstar/exporters/nstar/samples"
	"github.com/nstar-project/nstar/exporters/nstar/window"
)

// Options are the settings of the loop.
type Options struct {
	Window, Settle time.Duration
	MaxTiers       int
	MaxEdges       int
	ProcRoot       string
	Causes         Causes // nil: none are measured
	StateDirectory string // where what was learned is kept over a restart; empty: nowhere
	Log            *slog.Logger
}

const (
	// scanInterval is how often listening sockets are looked for, besides when the kernel side saw a new one.
	scanInterval = 5 * time.Second
	// driftInterval is how often the carried counts are compared with the connections.
	driftInterval = 15 * time.Second
	// readInterval is how often settled windows are read: several at a time, to wake up rarely.
	readInterval = 250 * time.Millisecond
	// pollInterval is how often the counters of Java virtual machines and those of the causes are read.
	pollInterval = 25 * time.Millisecond
)

// loadInterval is how often the processor time of the tiers is read: the kernel counts it in hundredths of a second.
const loadInterval = time.Second

// keepInterval is how often what was learned is written down: so much is lost when the exporter is killed.
const keepInterval = time.Minute

// Monitor owns the probe's reading side.
type Monitor struct {
	options Options
	probe   Probe
	scanner Scanner
	buffer  *samples.Buffer
	reload  chan *config.Config
	now     func() time.Duration // monotonic

	// all below belong to the loop; mu lets collectors read
	mu           sync.Mutex
	config       *config.Config
	reader       *reading.Reader
	stations     *stations
	directory    *directory
	collections  *gc.Machines
	judges       *judging.Judges
	why          *why.Tiers
	loads        *load.Loads
	causes       Causes
	edges        []probe.Edge
	edgesChanged uint32
	edgeNames    map[window.Station]namedEdge
	edgeUsed     map[window.Station]time.Duration // monotonic: when an edge had a connection last
	held         map[window.Station]probe.Edge    // forgotten, their numbers are held back
	mixes        *mix.Mixes
	settled      uint64
	tablesFull   uint64
	leftOut      int // sockets and processes that found no room in the last scan
	listens      uint32
	pace         pace
	warned       bool // of listeners without a visible owner
}

// New makes a monitor for an open probe whose window clock is the given one.
func New(o Options, p Probe, offset *clock.Offset, scanner Scanner, cfg *config.Config,
	buffer *samples.Buffer) *Monitor {
	return &Monitor{
		options: o, probe: p, scanner: scanner, buffer: buffer, config: cfg,
		reload:      make(chan *config.Config),
		now:         clock.Monotonic,
		reader:      reading.New(o.Window, o.Settle, p, offset, clock.Monotonic(), o.Log),
		stations:    newStations(o.MaxTiers),
		directory:   newDirectory(discovery.Snapshot{}, nil),
		collections: gc.NewMachines(o.ProcRoot, o.Log),
		judges:      judging.New(o.Window),
		why:         why.New(o.Window, o.Settle, o.Causes),
		loads:       load.New(o.ProcRoot),
		causes:      o.Causes,
		edgeNames:   make(map[window.Station]namedEdge),
		edgeUsed:    make(map[window.Station]time.Duration),
		held:        make(map[window.Station]probe.Edge),
		mixes:       mix.New(p, o.Log),
	}
}

// Reload makes the loop use another configuration from its next scan, which follows at once.
func (m *Monitor) Reload(ctx context.Context, cfg *config.Config) {
	select {
	case m.reload <- cfg:
	case <-ctx.Done():
	}
}

// Run loops until the context ends. An error ends it early: without discovery the exporter would be blind.
func (m *Monitor) Run(ctx context.Context) error {
	defer m.collections.Close()
	if err := m.scan(); err != nil {
		return err
	}
	read := time.NewTicker(max(min(readInterval, m.options.Settle/2), m.options.Window))
	scan := time.NewTicker(scanInterval)
	drift := time.NewTicker(driftInterval)
	poll := time.NewTicker(pollInterval)
	pollCauses := time.NewTicker(pollInterval)
	keep := time.NewTicker(keepInterval)
	load := time.NewTicker(loadInterval)
	defer read.Stop()
	defer scan.Stop()
	defer drift.Stop()
	defer poll.Stop()
	defer pollCauses.Stop()
	defer keep.Stop()
	defer load.Stop()
	m.recall()
	defer m.keep()
	polling := true
	for {
		if m.collections.Any() != polling {
			if polling = !polling; polling {
				poll.Reset(pollInterval)
			} else {
				poll.Stop()
			}
		}
		var err error
		select {
		case <-ctx.Done():
			return nil
		case <-poll.C:
			m.collections.Poll(clock.Monotonic())
		case <-pollCauses.C:
			m.pollCauses()
		case <-read.C:
			if m.read(); m.wantsScan() {
				err = m.look()
			}
		case <-scan.C:
			err = m.look()
		case cfg := <-m.reload:
			m.mu.Lock()
			m.config = cfg
			m.mu.Unlock()
			err = m.look()
		case <-drift.C:
			m.checkDrift()
		case <-keep.C:
			m.keep()
		case <-load.C:
			m.readLoads()
			m.readMixes()
		}
		if err != nil {
			return err
		}
	}
}

// scan looks for tiers and refreshes the kernel's tables.
func (m *Monitor) scan() error {
	m.listens = m.probe.Listens()
	found, err := m.scanner.Scan(m.config)
	if err != nil {
		return fmt.Errorf("looking for listening sockets: %w", err)
	}
	if problem := found.Problem(); problem != nil && !m.warned {
		m.warned = true
		m.options.Log.Warn("Some tiers may be missing", "err", problem)
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	now := m.now()
	m.stations.see(found.Tiers, now)
	m.retire(now)
	m.admit(found, now)
	m.mixes.Follow(m.rules(), m.stations.number)
	m.fillTables(found)
	m.directory = newDirectory(found, m.remotes())
	m.nameEdges()
	m.collections.Follow(found, now)
	m.judges.Tell(found, load.Processors, m.config)
	m.loads.Follow(found)
	m.followCauses(found)
	return nil
}

// admit gives numbers to new tiers, and begins to count for them.
func (m *Monitor) admit(found discovery.Snapshot, now time.Duration) {
	for _, n := range m.stations.admit(found.Tiers, len(m.rules()), now) {
		m.reader.BeginTier(n)
		m.mixes.Begin(n)
		name := m.stations.places[n].name
		m.options.Log.Info("New tier", "app", name.App, "tier", name.Tier)
	}
}

// fillTables tells the kernel side what was found.
func (m *Monitor) fillTables(found discovery.Snapshot) {
	var remotes []probe.Remote
	for _, r := range m.remotes() {
		remotes = append(remotes, probe.Remote{Address: r.Address, Protocol: r.Protocol.Number()})
	}
	named := make(map[netip.AddrPort]bool)
	for _, r := range remotes {
		named[r.Address] = true
	}
	for _, r := range outside(found) {
		if !named[r.Address] {
			remotes = append(remotes, r)
		}
	}
	tables, left := m.stations.tables(found, remotes, m.probe.Room())
	err := m.probe.SetTables(tables)
	if err == nil && left > 0 {
		err = fmt.Errorf("%w: %d sockets and processes left out", probe.ErrTableFull, left)
	}
	if left > m.leftOut {
		m.tablesFull += uint64(left - m.leftOut)
	} else if err != nil && left == 0 {
		m.tablesFull++
	}
	m.leftOut = left
	if err != nil {
		m.options.Log.Warn("Some sockets are not measured", "err", err)
	}
}

// rules are those of the file.
func (m *Monitor) rules() []config.TierRule {
	if m.config == nil {
		return nil
	}
	return m.config.Tiers
}

// remotes are those that the file names.
func (m *Monitor) remotes() []config.Remote {
	if m.config == nil {
		return nil
	}
	return m.config.Remotes
}

// readLoads tells the judges how busy the tiers' processors were since the last time.
func (m *Monitor) readLoads() {
	m.mu.Lock()
	defer m.mu.Unlock()
	now := m.now()
	from := m.loads.Read(now, func(name discovery.TierName) bool { return m.judges.Find(name) != nil })
	index := func(at time.Duration) int64 { return int64((at + m.reader.Offset()) / m.options.Window) }
	for name, t := range m.judges.All() {
		load := m.loads.Of(name)
		load.From, load.To = index(from), index(now)
		t.SetLoad(load)
	}
}

// readMixes learns what kinds of requests take.
func (m *Monitor) readMixes() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.mixes.Read()
}
