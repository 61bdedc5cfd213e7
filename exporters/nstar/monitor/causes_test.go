// SPDX-License-Identifier: Apache-2.0

package monitor

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/nstar-project/nstar/exporters/nstar/causes"
	"github.com/nstar-project/nstar/exporters/nstar/discovery"
	"github.com/nstar-project/nstar/exporters/nstar/monitor/judging"
	"github.com/nstar-project/nstar/exporters/nstar/monitor/load"
	"github.com/nstar-project/nstar/exporters/nstar/probe"
	"github.com/nstar-project/nstar/exporters/nstar/window"
)

// fakeCauses knows one cause of two, and one accept queue.
type fakeCauses struct {
	tiers []causes.Tier
	err   error
	moves bool
	polls int
	work  *causes.Work // of every window
	// share of every window for which these tiers were stopped
	stopped map[window.Station]float64
}

func (f *fakeCauses) Up() map[string]bool           { return map[string]bool{"runqueue": true, "cpu": false} }
func (f *fakeCauses) SetClock(time.Duration) error  { return f.err }
func (f *fakeCauses) Poll(time.Duration, bool) bool { f.polls++; return f.moves }
func (f *fakeCauses) Look(causes.Tier, int64)       {}
func (f *fakeCauses) Total(tier window.Station) (ran, waited time.Duration, ok bool) {
	return 7 * time.Second, time.Second, tier == 0
}

func (f *fakeCauses) Dropped() map[string]uint64       { return map[string]uint64{"late_cause": 3} }
func (f *fakeCauses) Follow(tiers []causes.Tier) error { f.tiers = tiers; return f.err }

func (f *fakeCauses) Account(causes.Tier, causes.Window) causes.Account {
	return causes.Account{Work: f.work}
}
func (f *fakeCauses) Cores(window.Station, int64) []causes.Core { return nil }
func (f *fakeCauses) TakeMoves(causes.Tier) causes.Moves        { return causes.Moves{} }

func (f *fakeCauses) Host() causes.Host {
	return causes.Host{Up: map[string]bool{"cores": true}, Costs: []probe.Cost{{Program: "nstar_switch", Runs: 5}}}
}

func (f *fakeCauses) Accept(tier window.Station) (causes.Accept, bool) {
	return causes.Accept{Waiting: 37, Limit: 128, Refused: 2}, tier == 0
}

func (f *fakeCauses) Stopped(tier window.Station, _ causes.Window) float64 { return f.stopped[tier] }

func (f *fakeCauses) MajorFaults(tier window.Station) (uint64, bool) { return 12, tier == 0 }

// The collectors are told of the tiers. What they know of the host, of accept queues and of faults is in the state, and
// so is the account of a tier, from its first request on.
func TestCauses(t *testing.T) {
	f := &fakeCauses{}
	b := newBench(t, chain, nil, t.Output(), f)
	if err := b.scan(); err != nil {
		t.Fatal(err)
	}
	if len(f.tiers) != 3 || f.tiers[0].App != "shop" || f.tiers[0].Name != "web" || len(f.tiers[0].PIDs) == 0 {
		t.Errorf("tiers %+v", f.tiers)
	}
	if why := b.state(t).Tiers[0].Reasons; why.Seconds != nil {
		t.Errorf("%+v before the first request", why)
	}
	b.probe.book(0, b.probe.current()+1, window.Sums{Arrivals: 1, Completions: 1})
	b.settled()
	s := b.state(t)
	if _, ok := s.Tiers[0].Reasons.Seconds["runqueue"]; !ok || s.Tiers[1].Reasons.Seconds != nil {
		t.Errorf("%+v and %+v", s.Tiers[0].Reasons, s.Tiers[1].Reasons)
	}
	if a := s.Tiers[0].Accept; a == nil || a.Waiting != 37 || s.Tiers[1].Accept != nil {
		t.Errorf("accept queues %+v and %+v", a, s.Tiers[1].Accept)
	}
	if n := s.Tiers[0].Faults; n == nil || *n != 12 || s.Tiers[1].Faults != nil {
		t.Errorf("faults %v and %v", n, s.Tiers[1].Faults)
	}
	shop := func(tier string) discovery.TierName { return discovery.TierName{App: "shop", Tier: tier} }
	if w, ok := b.scheduled(shop("web")); !ok ||
		w != (load.Work{Station: 0, Ran: 7 * time.Second, Waited: time.Second}) {
		t.Errorf("the scheduler says %+v, %v", w, ok)
	}
	for _, name := range []string{"db", "of nobody"} {
		if w, ok := b.scheduled(shop(name)); ok {
			t.Errorf("%s: the scheduler says %+v", name, w)
		}
	}
	if s.Dropped["late_cause"] != 3 || s.Up["cpu"] || !s.Up["runqueue"] || !s.Up["cores"] ||
		s.Costs[len(s.Costs)-1].Runs != 5 {
		t.Errorf("state %+v", s)
	}
}

// If garbage collection is switched off, no counters of a machine are opened, and no collections are reported.
func TestNoCollections(t *testing.T) {
	found := discovery.Snapshot{Tiers: []discovery.Tier{{App: "shop", Name: "web", JVM: true, PIDs: []int32{999999}}}}
	for _, off := range []bool{false, true} {
		var log strings.Builder
		b := newBench(t, found, nil, &log, nil)
		b.options.NoCollections = off
		if err := b.scan(); err != nil {
			t.Fatal(err)
		}
		up, wanted := b.state(t).Up[causes.GarbageCollection]
		if tried := strings.Contains(log.String(), "No garbage collection counters"); tried == off || up ||
			wanted == off {
			t.Errorf("off %v: tried %v, up %v, wanted %v", off, tried, up, wanted)
		}
	}
}

// What can't be passed to the kernel is logged, and measuring goes on.
func TestCausesFail(t *testing.T) {
	log := &strings.Builder{}
	b := newBench(t, chain, nil, log, &fakeCauses{err: errors.New("table full")})
	if err := b.scan(); err != nil {
		t.Fatal(err)
	}
	b.read()
	for _, want := range []string{"The causes of some processes are not measured",
		"The window clock of the causes can't be set"} {
		if !strings.Contains(log.String(), want) {
			t.Errorf("%q is not in the log:\n%s", want, log)
		}
	}
}

// mirrored is a processor that two tiers share: in each window tier 1 has the part of 7 ms that the other one leaves.
type mirrored struct{ fakeCauses }

func (*mirrored) Host() causes.Host { return causes.Host{ByCore: true} }

func (*mirrored) Cores(tier window.Station, index int64) []causes.Core {
	ran := time.Duration(index*index/10%7) * time.Millisecond
	if tier == 1 {
		ran = 7*time.Millisecond - ran
	}
	return []causes.Core{{CPU: 0, Ran: ran}}
}

// Tiers of two applications that use the same processor are compared, with the queue and the time of the windows in
// which they ran, though causes are known later than these.
func TestBeside(t *testing.T) {
	found := discovery.Snapshot{Tiers: []discovery.Tier{
		{App: "a", Name: "db", Listeners: []discovery.Listener{listener(1, "0.0.0.0:80")}, PIDs: []int32{10}},
		{App: "b", Name: "db", Listeners: []discovery.Listener{listener(1, "0.0.0.0:81")}, PIDs: []int32{20}},
	}}
	f := &mirrored{}
	b := newBench(t, found, nil, t.Output(), f)
	if err := b.scan(); err != nil {
		t.Fatal(err)
	}
	for s := range window.Station(2) {
		b.probe.book(s, b.probe.current()+1, window.Sums{Arrivals: 1, Completions: 1})
	}
	b.settled()
	for i := int64(1000); i < 1000+2000; i++ {
		theirs := int64(f.Cores(1, i)[0].Ran)
		b.take([]window.Window{
			{Station: 0, Index: i, QueueTime: theirs, Completions: 1, Residence: theirs},
			{Station: 1, Index: i, QueueTime: one, Completions: 1},
		})
	}
	got := make(map[string]float64)
	for _, c := range b.state(t).Beside {
		if c.Tier.App == "a" && c.Lag == 0 {
			got[c.Neighbour+" "+c.Of] = c.Value
		}
	}
	for what, want := range map[string]float64{"b processor": -1, "b queue": 1, "b time": 1, "a queue": -1} {
		if d := got[what] - want; d > 1e-6 || d < -1e-6 {
			t.Errorf("%s: %g, want %g", what, got[what], want)
		}
	}
}

// A worker that nobody asks for anything is followed: its threads may be kept from their work. Other tiers without any
// request are not.
func TestWorkersAreFollowed(t *testing.T) {
	f := &fakeCauses{work: &causes.Work{Ran: width}}
	found := discovery.Snapshot{Tiers: []discovery.Tier{
		{App: "shop", Name: "idle", PIDs: []int32{1}, Listeners: []discovery.Listener{{Port: 80}}},
		{App: "shop", Name: "worker", PIDs: []int32{2}},
	}}
	b := newBench(t, found, nil, t.Output(), f)
	if err := b.scan(); err != nil {
		t.Fatal(err)
	}
	for range 200 {
		b.settled()
		if b.state(t).Tiers[1].Active[judging.Free] > 0 {
			break
		}
		time.Sleep(width)
	}
	s := b.state(t)
	idle, worker := s.Tiers[0], s.Tiers[1]
	if worker.Active[judging.Free] == 0 || worker.HasJudged || idle.Active != nil {
		t.Errorf("the worker was active for %v (judged: %v), the idle tier for %v", worker.Active, worker.HasJudged,
			idle.Active)
	}
}
