// SPDX-License-Identifier: Apache-2.0

// Package causes measures why requests may wait in a tier, in the same windows as the queues. There is one small file
// per cause. Each cause can be switched off, and is left out if the kernel or the rights do not allow it.
package causes

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math"
	"slices"
	"time"

	"github.com/nstar-project/nstar/exporters/nstar/discovery"
	"github.com/nstar-project/nstar/exporters/nstar/window"
)

// Tier is a tier as a scan found it.
type Tier struct {
	Station   window.Station
	App, Name string
	PIDs      []int32 // discovery.Tier.Serving
	Started   []int32 // discovery.Tier has them
	Allies    []int32 // discovery.Tier has them
	Listeners []discovery.Listener
}

// Window is the time for which a cause's share is asked, by two clocks.
type Window struct {
	Index    int64         // windows since the epoch of the window clock
	From, To time.Duration // CLOCK_MONOTONIC
	Own      float64       // requests in the tier that wait for no tier behind it, on average

	// Residence is how long requests have stayed in the tier recently, without the tiers behind; 0 if not known.
	Residence time.Duration

	unbegun float64 // of Own, requests that no worker has begun, as far as measured; set by shares
}

// Collector measures one cause.
type Collector interface {
	// Share is the part of the window in which the cause kept the tier from work: seconds per second, added up over
	// threads if it can keep several at once. NaN if that is not known.
	Share(tier window.Station, w Window) float64
}

// Optional interfaces of a collector.
type (
	// follower is told which tiers there are, after each scan.
	follower interface{ Follow([]Tier) }
	// poller is asked to read what it follows, for active tiers, 10 times a second, or 40 while anything changes.
	poller interface{ Poll(now time.Duration) }
)

// kind is a cause that can be measured.
type kind struct {
	name string // as in nstar_window_NAME_ratio and --no-cause.NAME
	help string // what its share is
	open func(*shared) (Collector, error)
}

var kinds []kind

// register makes a collector known. Each file registers its own.
func register(name, help string, open func(*shared) (Collector, error)) {
	kinds = append(kinds, kind{name, help, open})
	slices.SortFunc(kinds, func(a, b kind) int { return cmp.Compare(a.name, b.name) })
}

// Kind describes a cause for code that exports it or lets the user switch it off.
type Kind struct{ Name, Help string }

// Kinds returns all causes, sorted by name.
func Kinds() (out []Kind) {
	for _, k := range kinds {
		out = append(out, Kind{k.name, k.help})
	}
	return out
}

// GarbageCollection is the cause that package monitor/gc measures, from what Java virtual machines report themselves.
// It is switched off in the same way as the causes of this package.
const GarbageCollection = "garbage_collection"

// Switches returns all that can be switched off, by their names in --no-cause.NAME and nstar_cause_up.
func Switches() []Kind {
	all := slices.Concat(Kinds(), Places(), []Kind{{GarbageCollection, "Share of the window in which garbage " +
		"collection stopped the tier's Java virtual machines."}})
	slices.SortFunc(all, func(a, b Kind) int { return cmp.Compare(a.Name, b.Name) })
	return all
}

// Options are the settings of the collectors.
type Options struct {
	Window, Settle time.Duration
	MaxTiers       int
	ProcRoot       string
	Clock          time.Duration   // offset of the window clock to CLOCK_MONOTONIC
	Off            map[string]bool // switched off, by name
	Log            *slog.Logger
}

// Lag is how much later than its queue a window's causes are read. What still goes on when the window ends (a thread
// that waits for a processor) is known only when it is over.
const Lag = 2 * time.Second

// Set is the collectors in use.
type Set struct {
	options Options
	shared  *shared
	used    []used
	up      map[string]bool
	accepts *acceptQueue // one of the collectors in use; nil if it is not in use
	takers  *takers
	disks   *disks       // nil if the users of disks are not measured
	faults  *majorFaults // nil if memory is switched off
	places  places
}

type used struct {
	kind
	collector Collector
}

// Open starts all collectors that are not switched off. A collector that can't run here logs that once, and the others
// go on.
func Open(o Options) *Set {
	s := &Set{options: o, shared: &shared{options: o, asked: make(map[window.Station]time.Duration)},
		up: make(map[string]bool), takers: newTakers(o.ProcRoot)}
	for _, k := range kinds {
		if o.Off[k.name] {
			continue
		}
		c, err := k.open(s.shared)
		s.up[k.name] = err == nil
		if err != nil {
			o.Log.Warn("A cause is not measured", "cause", k.name, "missing",
				fmt.Sprintf("nstar_window_%s_ratio", k.name),
				"err", err)
			continue
		}
		s.used = append(s.used, used{k, c})
		if a, ok := c.(*acceptQueue); ok {
			s.accepts = a
		}
	}
	if !o.Off[Memory] {
		s.faults = newMajorFaults(o.ProcRoot)
	}
	s.openPlaces()
	return s
}

// Close stops the collectors.
func (s *Set) Close() error {
	err := errors.Join(s.places.close(), s.shared.close())
	if s.disks != nil {
		err = errors.Join(err, s.disks.probe.Close())
	}
	for _, u := range s.used {
		if c, ok := u.collector.(io.Closer); ok {
			err = errors.Join(err, c.Close())
		}
	}
	return err
}

// Up returns, for each cause that is not switched off, whether it is measured.
func (s *Set) Up() map[string]bool { return s.up }

// SetClock follows the window clock.
func (s *Set) SetClock(offset time.Duration) error {
	if s.shared.sched == nil {
		return nil
	}
	err := s.shared.sched.SetClock(offset)
	if s.disks != nil {
		err = errors.Join(err, s.disks.probe.SetClock(offset))
	}
	return err
}

// Follow takes the tiers that a scan found.
func (s *Set) Follow(tiers []Tier) error {
	for _, u := range s.used {
		if f, ok := u.collector.(follower); ok {
			f.Follow(tiers)
		}
	}
	if s.faults != nil {
		s.faults.follow(tiers)
	}
	s.takers.follow(tiers)
	err := s.places.follow(tiers)
	if s.shared.sched == nil {
		return err
	}
	return errors.Join(err, s.shared.sched.SetProcesses(processes(tiers), allies(tiers)))
}

func processes(tiers []Tier) map[uint32]window.Station {
	out := make(map[uint32]window.Station)
	for _, t := range tiers {
		for _, pid := range t.all() {
			out[uint32(pid)] = t.Station
		}
	}
	return out
}

func allies(tiers []Tier) (out []uint32) {
	for _, t := range tiers {
		for _, pid := range t.Allies {
			out = append(out, uint32(pid))
		}
	}
	return out
}

// Poll reads what changes from moment to moment. It reports whether it found something that is over within moments,
// such as a stop or a quota's pause, so that Poll should be called more often. While there is nothing of the kind, the
// loop is calm, and what is expensive to read is read less often.
func (s *Set) Poll(now time.Duration, calm bool) (moved bool) {
	s.shared.calm, s.shared.moved = calm, false
	for _, u := range s.used {
		if p, ok := u.collector.(poller); ok {
			p.Poll(now)
		}
	}
	return s.shared.moved
}

// Share is one cause's part of a window.
type Share struct {
	Cause string
	Help  string
	Ratio float64 // seconds per second
}

// Work is what a tier's threads did in a window, which programs had the processors and disks for which they waited, and
// which connections had not been accepted or read.
type Work struct {
	Ran, Waited time.Duration
	OnDisk      time.Duration // waited for a disk
	Asleep      float64       // mean number of requests that wait for no tier behind and for which no thread works
	Locked      float64       // of these, requests that wait for a lock; 0 if not measured
	Neighbours  []Neighbour
	Disk        *DiskNeighbours // nil if not measured
	Unaccepted  float64         // connections, on average; 0 if not measured
	Unread      float64         // the same
	// packets a second that found no room in the accept queue; 0 if not measured
	Refused float64
	Stopped float64 // share for which the processes were stopped from outside; 0 if not measured
}

// Account is what is known of a tier's window: the causes that are known, and its work, which is nil if the scheduler
// is not followed.
type Account struct {
	Shares []Share
	Work   *Work
}

// Account reads a tier's window.
func (s *Set) Account(tier Tier, w Window) (a Account) {
	s.shared.asked[tier.Station] = w.To
	var work Work
	stolen, shares := 0.0, s.shares(tier.Station, &w)
	for i, u := range s.used {
		v := shares[i]
		if math.IsNaN(v) {
			continue
		}
		a.Shares = append(a.Shares, Share{u.name, u.help, v})
		switch c := u.collector.(type) {
		case *acceptQueue:
			work.Unaccepted, work.Refused = v, c.refused(tier.Station, w)
		case *unread:
			work.Unread = v
		case lock:
			work.Locked = v
		case *stopped:
			work.Stopped = v
		case *steal:
			stolen = v
		}
	}
	if s.shared.sched != nil {
		times := s.shared.times(tier.Station, w.Index)
		work.Ran, work.Waited, work.OnDisk = times.Ran, times.Waited, times.Disk
		work.Asleep = s.shared.asleep(tier.Station, w)
		work.Neighbours = s.takers.neighbours(tier, times)
		work.Disk = s.diskNeighbours(tier, w.Index, times.Disk)
		work.steal(stolen)
		a.Work = &work
	}
	return a
}

// Stopped is the share of a window for which a tier's processes were stopped from outside, for a tier whose requests
// can't be measured; 0 if that is not known. Such a tier is looked at from the first call on.
func (s *Set) Stopped(tier window.Station, w Window) float64 {
	s.shared.asked[tier] = w.To
	for _, u := range s.used {
		if c, ok := u.collector.(*stopped); ok {
			if v := c.Share(tier, w); v > 0 {
				return v
			}
		}
	}
	return 0
}

// shares reads the share of each collector in a window. It first reads those that count requests not begun by any
// worker, on connections that have not been accepted or read, because the others may need that number.
func (s *Set) shares(tier window.Station, w *Window) []float64 {
	all := make([]float64, len(s.used))
	for _, unbegun := range []bool{true, false} {
		for i, u := range s.used {
			if countsUnbegun(u.collector) != unbegun {
				continue
			}
			all[i] = u.collector.Share(tier, *w)
			if unbegun && !math.IsNaN(all[i]) {
				w.unbegun += all[i]
			}
		}
	}
	return all
}

func countsUnbegun(c Collector) bool {
	switch c.(type) {
	case *acceptQueue, *unread:
		return true
	}
	return false
}

// Look reads the names of the processes that have the processors and disks for which a tier waits just now, because a
// process that has ended has no name.
func (s *Set) Look(tier Tier, index int64) {
	if s.shared.sched == nil {
		return
	}
	times := s.shared.sched.Window(tier.Station, index)
	for _, taker := range times.Takers {
		s.takers.name(tier, taker.Owner)
	}
	s.diskNeighbours(tier, index, times.Disk)
}

// Accept is the accept queue of a tier now; false if that is not measured.
func (s *Set) Accept(tier window.Station) (Accept, bool) {
	if s.accepts == nil {
		return Accept{}, false
	}
	return s.accepts.Accept(tier)
}

// Total is for how long a tier's threads, and those of the processes that it started, ran and waited for a processor
// since some moment in the past, for all tiers that have had the number. It is false if the scheduler is not followed.
func (s *Set) Total(tier window.Station) (ran, waited time.Duration, ok bool) {
	return s.shared.total(tier)
}

// Dropped counts what was not measured, by reason.
func (s *Set) Dropped() map[string]uint64 {
	if s.shared.sched == nil {
		return nil
	}
	return map[string]uint64{
		"late_cause": s.shared.sched.Late(), "child_limit": s.shared.sched.Unplaced(),
		"added_processor": s.shared.sched.UnplacedTurns(), "unreported_end": s.shared.sched.UnreportedEnds(),
	}
}
