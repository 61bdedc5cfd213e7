// SPDX-License-Identifier: Apache-2.0

// Package monitor runs the exporter's loop: it discovers tiers, tells the kernel side about them, and turns settled
// windows into the cumulative totals of /metrics and the samples of /windows.
//
// It connects the packages below it, none of which knows another. What a scan found goes through stations, which gives
// it numbers, mix, which distinguishes kinds of requests, and gc and load, which follow the processes. A window goes
// through reading, which takes it when it has settled, why, which adds causes to it, judging, which judges it, and
// beside, which compares it with those of other applications.
package monitor

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"github.com/nstar-project/nstar/exporters/nstar/clock"
	"github.com/nstar-project/nstar/exporters/nstar/config"
	"github.com/nstar-project/nstar/exporters/nstar/discovery"
	"github.com/nstar-project/nstar/exporters/nstar/monitor/applications"
	"github.com/nstar-project/nstar/exporters/nstar/monitor/beside"
	"github.com/nstar-project/nstar/exporters/nstar/monitor/gc"
	"github.com/nstar-project/nstar/exporters/nstar/monitor/judging"
	"github.com/nstar-project/nstar/exporters/nstar/monitor/load"
	"github.com/nstar-project/nstar/exporters/nstar/monitor/mix"
	"github.com/nstar-project/nstar/exporters/nstar/monitor/reading"
	"github.com/nstar-project/nstar/exporters/nstar/monitor/recording"
	"github.com/nstar-project/nstar/exporters/nstar/monitor/stations"
	"github.com/nstar-project/nstar/exporters/nstar/monitor/why"
	"github.com/nstar-project/nstar/exporters/nstar/peers"
	"github.com/nstar-project/nstar/exporters/nstar/samples"
)

// Options are the settings of the loop.
type Options struct {
	Window, Settle time.Duration
	MaxTiers       int
	MaxEdges       int
	ProcRoot       string
	Causes         Causes              // nil: none are measured
	NoCollections  bool                // garbage collections are not measured
	StateDirectory string              // where what was learned is kept over a restart; empty: it is not kept
	Recorder       *recording.Recorder // records what the judges are told; nil: nothing is recorded
	Peers          *peers.Peers        // other exporters, which are asked for names; nil: none is asked
	Boot           string              // identifies this kernel to them
	Log            *slog.Logger
}

const (
	// scanInterval is how often the exporter looks for listening sockets, besides when the kernel side has seen a
	// new one.
	scanInterval = 5 * time.Second
	// driftInterval is how often the carried counts are compared with the connections.
	driftInterval = 15 * time.Second
	// readInterval is how often settled windows are read: several at a time, so that the exporter rarely wakes up.
	readInterval = 250 * time.Millisecond
	// loadInterval is how often the processor time of the tiers is read, because the kernel counts it in hundredths
	// of a second.
	loadInterval = time.Second
	// keepInterval is how often what was learned is written to disk. At most so much is lost if the exporter is
	// killed.
	keepInterval = time.Minute
)

// Monitor is the loop and all that it knows.
type Monitor struct {
	options Options
	probe   Probe
	scanner Scanner
	buffer  *samples.Buffer
	reload  chan *config.Config
	now     func() time.Duration // monotonic

	// mu lets collectors read; all fields below belong to the loop
	mu          sync.Mutex
	config      *config.Config
	stations    *stations.Stations
	mixes       *mix.Mixes
	collections *gc.Machines
	loads       *load.Loads
	causes      Causes
	reader      *reading.Reader
	why         *why.Tiers
	beside      *beside.Pairs
	judges      *judging.Judges
	recorder    *recording.Recorder
	divided     applications.Division
	found       map[discovery.TierName]discovery.Tier // by the last scan
	tells       peers.Answer                          // what other exporters are told
	takers      map[discovery.TierName]bool           // tiers that take their work from others
	hidden      map[discovery.TierName][]hiddenTier   // behind each tier
	settled     uint64                                // windows handed out
	listens     uint32                                // sockets that had begun to listen before the last scan
	pace        pace
	beat        beat
	warned      bool // a warning about listeners without a visible owner was logged
}

// New makes a monitor for an open probe whose window clock has the given offset.
func New(o Options, p Probe, offset *clock.Offset, scanner Scanner, cfg *config.Config,
	buffer *samples.Buffer) *Monitor {
	reader := reading.New(o.Window, o.Settle, p, offset, clock.Monotonic(), o.Log)
	return &Monitor{
		options: o, probe: p, scanner: scanner, buffer: buffer, config: cfg,
		reload:      make(chan *config.Config),
		now:         clock.Monotonic,
		stations:    stations.New(o.MaxTiers, o.MaxEdges, p, reader.Begin, o.Log),
		mixes:       mix.New(p, o.Log),
		collections: gc.NewMachines(o.ProcRoot, o.Log),
		loads:       load.New(o.ProcRoot),
		causes:      o.Causes,
		reader:      reader,
		why:         why.New(o.Window, o.Settle, o.Causes),
		beside:      beside.New(o.Window),
		judges:      judging.New(o.Window),
		recorder:    o.Recorder,
	}
}

// Reload makes the loop use another configuration from its next scan on, which follows at once.
func (m *Monitor) Reload(ctx context.Context, cfg *config.Config) {
	select {
	case m.reload <- cfg:
	case <-ctx.Done():
	}
}

// Run loops until the context ends. An error ends it early, because without discovery the exporter would be blind.
func (m *Monitor) Run(ctx context.Context) error {
	defer m.collections.Close()
	defer m.endRecording()
	if err := m.scan(); err != nil {
		return err
	}
	m.beat = newBeat(max(min(readInterval, m.options.Settle/2), m.options.Window), m.now())
	tick := time.NewTicker(m.beat.every)
	scan := time.NewTicker(scanInterval)
	drift := time.NewTicker(driftInterval)
	keep := time.NewTicker(keepInterval)
	defer tick.Stop()
	defer scan.Stop()
	defer drift.Stop()
	defer keep.Stop()
	m.recall()
	defer m.keep()
	for {
		if m.beat.set(m.now(), m.collections.Any() || m.causes != nil) {
			tick.Reset(m.beat.every)
		}
		var err error
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C: // a single ticker for all that is read often, to wake up rarely
			err = m.tick()
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
		}
		if err != nil {
			return err
		}
	}
}

// tick reads what is due.
func (m *Monitor) tick() error {
	now := m.now()
	if m.collections.Poll(now) {
		m.beat.hurry(now)
	}
	if m.causes != nil && m.causes.Poll(now, m.beat.calm()) {
		m.beat.hurry(now)
	}
	if m.beat.load.due(now, loadInterval) {
		m.sweepUnix()
		m.readLoads()
		m.readAnswers()
		m.readMixes()
	}
	if !m.beat.read.due(now, m.beat.reads) {
		return nil
	}
	if m.read(); m.wantsScan() {
		return m.look()
	}
	return nil
}

// sweepUnix ends connections over Unix sockets that are gone.
func (m *Monitor) sweepUnix() {
	if err := m.probe.SweepUnix(); err != nil {
		m.options.Log.Warn("Requests over Unix sockets whose connections are gone stay in their queues", "err", err)
	}
}
