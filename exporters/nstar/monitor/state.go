// SPDX-License-Identifier: Apache-2.0

package monitor

import (
	"maps"
	"math"
	"strings"
	"time"

	"github.com/nstar-project/nstar/exporters/nstar/causes"
	"github.com/nstar-project/nstar/exporters/nstar/discovery"
	"github.com/nstar-project/nstar/exporters/nstar/judgement"
	"github.com/nstar-project/nstar/exporters/nstar/monitor/beside"
	"github.com/nstar-project/nstar/exporters/nstar/monitor/judging"
	"github.com/nstar-project/nstar/exporters/nstar/monitor/mix"
	"github.com/nstar-project/nstar/exporters/nstar/monitor/stations"
	"github.com/nstar-project/nstar/exporters/nstar/monitor/why"
	"github.com/nstar-project/nstar/exporters/nstar/peers"
	"github.com/nstar-project/nstar/exporters/nstar/probe"
	"github.com/nstar-project/nstar/exporters/nstar/saturation"
	"github.com/nstar-project/nstar/exporters/nstar/window"
)

// Tier is a tier's state for /metrics.
type Tier struct {
	discovery.TierName
	Totals     window.Totals
	Drift      int64 // carried count less the requests in flight as counted over the connections
	Residences probe.Residences
	judging.Judgement
	Estimate  saturation.Estimate
	Load      judgement.Load
	WithGC    float64        // correlation of the own queue with garbage collection, NaN without
	HasJudged bool           // it has had a request
	Works     bool           // it does not listen on any socket, so no client calls it
	Kinds     []mix.Kind     // kinds of requests; nil if they are not distinguished
	Work      float64        // seconds of service without load, of the requests completed
	Program   string         // which server or runtime it is, as in package programs; "" if unknown
	Code      string         // what its interpreter runs, as in package programs; "" if it is another program
	OverUnix  []string       // Unix sockets that it calls
	Clients   []string       // programs that are no tiers and hold connections to it
	Start     time.Duration  // Unix time when the last of its servers was started; 0 if not known
	CPUs      string         // processors that it may run on, as taskset takes them; "" if its load is not known
	Accept    *causes.Accept // nil if the accept queue is not measured
	Faults    *uint64        // pages that it had to read from a disk; nil if not known
	// Safepoints of its Java virtual machines that were no collection; nil if not known.
	Safepoints *time.Duration
	why.Reasons
}

// Edge is an edge's state for /metrics.
type Edge struct {
	stations.EdgeName
	Totals      window.Totals
	Outstanding int64   // calls waiting now
	Limit       float64 // of the calls outstanding; NaN if none was seen
	WithCalls   float64 // correlation of the caller's own queue with the calls outstanding; NaN without
	Turns       uint64  // times that the longer of the two queues changed sides
}

// State is everything that /metrics shows.
type State struct {
	Tiers   []Tier
	Edges   []Edge
	Beside  []beside.Pearson // tiers and the applications on the same processors
	Costs   []probe.Cost
	Host    causes.Host
	Machine string            // the same for all exporters on this kernel; "" if not known
	Up      map[string]bool   // causes and places that are wanted, and whether each is measured
	Peers   int               // other exporters whose names of tiers are used
	Settled uint64            // windows handed out
	Dropped map[string]uint64 // by reason
}

// Follow copies what the judge of the calling tier knows of the edge.
func (e *Edge) Follow(judges *judging.Judges) {
	e.Limit, e.WithCalls = math.NaN(), math.NaN()
	if j := judges.Find(discovery.TierName{App: e.App, Tier: e.From}); j != nil {
		e.WithCalls, e.Turns = j.MovesWithCalls(e.To), j.Turns(e.To)
		if limit, ok := j.Limit(e.To); ok {
			e.Limit = limit
		}
	}
}

// State copies the current state.
func (m *Monitor) State() (State, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	costs, err := m.probe.Costs()
	if err != nil {
		return State{}, err
	}
	dropped, err := m.dropped(costs)
	if err != nil {
		return State{}, err
	}
	s := State{Costs: costs, Settled: m.settled, Dropped: dropped, Up: make(map[string]bool), Machine: m.machine()}
	if !m.options.NoCollections {
		s.Up[causes.GarbageCollection] = m.collections.Up()
	}
	for _, station := range m.stations.Tiers() {
		name, _ := m.stations.Tier(station)
		found := m.found[name]
		t := Tier{
			TierName: name, Totals: m.reader.Totals(station), Drift: m.reader.Drift(station),
			Residences: m.reader.Residences(station), Load: m.loads.Of(name), Program: found.Program,
			OverUnix: found.OverUnix, Clients: found.Clients, Code: found.Code, Works: found.Works(),
			Start: found.Start, CPUs: m.loads.CPUs(name),
		}
		if j := m.judges.Find(name); j != nil {
			t.HasJudged = true
			t.Judgement, t.Estimate, t.WithGC = j.Sums(), j.Estimate(), j.MovesWithCollections()
		} else {
			t.Active = m.judges.Unasked(name)
		}
		t.Reasons = m.why.Reasons(name)
		t.Kinds, t.Work = m.mixes.Of(station, m.now())
		if m.causes != nil {
			if a, ok := m.causes.Accept(station); ok {
				t.Accept = &a
			}
			if n, ok := m.causes.MajorFaults(station); ok {
				t.Faults = &n
			}
		}
		if d, ok := m.collections.Safepoints(name); ok {
			t.Safepoints = &d
		}
		s.Tiers = append(s.Tiers, t)
	}
	m.recorder.Asked()
	s.Edges = m.edgeStates()
	s.Beside = m.beside.State()
	if m.causes != nil {
		maps.Copy(s.Up, m.causes.Up())
		s.Host = m.causes.Host()
		maps.Copy(s.Up, s.Host.Up)
		s.Costs = append(s.Costs, s.Host.Costs...)
		maps.Copy(s.Dropped, m.causes.Dropped())
	}
	s.Peers, s.Dropped["peer_limit"] = m.options.Peers.Count()
	return s, nil
}

// machine is the first group of the kernel's identification of its start. That is enough to distinguish machines.
func (m *Monitor) machine() string {
	first, _, _ := strings.Cut(m.options.Boot, "-")
	return first
}

// Answer is what other exporters are told.
func (m *Monitor) Answer() peers.Answer {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.tells
}

// edgeStates adds up the stations that have the same name.
func (m *Monitor) edgeStates() []Edge {
	var out []Edge
	index := make(map[stations.EdgeName]int)
	for _, n := range m.stations.Edges() {
		named, ok := m.stations.Edge(n)
		if !ok {
			continue
		}
		name := named.EdgeName
		i, seen := index[name]
		if !seen {
			i = len(out)
			index[name] = i
			e := Edge{EdgeName: name}
			e.Follow(m.judges)
			out = append(out, e)
		}
		out[i].Totals.Join(m.reader.Totals(n))
		out[i].Outstanding += m.reader.Carried(n)
	}
	return out
}

func (m *Monitor) dropped(costs []probe.Cost) (map[string]uint64, error) {
	counts, err := m.probe.Drops()
	if err != nil {
		return nil, err
	}
	out := map[string]uint64{
		"late_window":   m.reader.Lost(),
		"clock_set":     m.buffer.Refused(),
		"tier_limit":    m.stations.Refused(),
		"drift":         m.reader.Corrected(),
		"socket_tables": m.stations.TablesFull(),
		"jvm_limit":     m.collections.Refused(),
		"pair_limit":    m.beside.Refused(),
		"scan_delayed":  m.pace.delayed,
		"scan_failed":   m.pace.failed,
	}
	for _, c := range costs {
		out["program_missed"] += c.Missed
	}
	for i, reason := range probe.DropReasons {
		out[reason] = counts[i]
	}
	return out, nil
}
