// SPDX-License-Identifier: Apache-2.0

package monitor

import (
	"maps"
	"math"
	"slices"
	"time"

	"github.com/nstar-project/nstar/exporters/nstar/config"
	"github.com/nstar-project/nstar/exporters/nstar/discovery"
	"github.com/nstar-project/nstar/exporters/nstar/judgement"
	"github.com/nstar-project/nstar/exporters/nstar/monitor/load"
	"github.com/nstar-project/nstar/exporters/nstar/window"
)

// judges has a judge for every tier that was ever asked.
type judges struct {
	width time.Duration
	tiers map[discovery.TierName]*judged
	known map[discovery.TierName]known // of an earlier run and of tiers that are away, for tiers that come
}

// judged is a tier's judge and what it has said so far.
type judged struct {
	*judgement.Tier
	sums Judgement
	why  *whys // nil where no causes are measured
}

// Judgement adds up what was said of a tier's windows.
type Judgement struct {
	OwnSeconds     float64 // integral of the own queue
	ClippedSeconds float64 // integral of the calls outstanding beyond the requests present
	OwnLoad        window.Loads
	Waiting        map[string]float64 // seconds of the tier's places, by whom they waited for
	States         [len(judgement.States)]uint64
	Excess         map[ExcessKey]Excess
	Left           map[LeftKey]float64 // seconds, of what the tier's stops left behind in others
}

// ExcessKey is what an excess queue is charged to; To is empty or the tier behind.
type ExcessKey struct {
	Cause judgement.Cause
	To    string
}

// Excess is the integral of an excess queue over time, and that of its square, which weighs the worst windows.
type Excess struct{ Seconds, Squares float64 }

// LeftKey is where a stop left something behind.
type LeftKey struct {
	To    string
	Cause judgement.Cause
}

func newJudges(width time.Duration) *judges {
	return &judges{width: width, tiers: make(map[discovery.TierName]*judged)}
}

// of finds or makes a tier's judge. It is made at the tier's first request, after so many windows without one.
func (j *judges) of(name discovery.TierName, idle uint64) *judged {
	t := j.tiers[name]
	if t == nil {
		t = &judged{Tier: judgement.NewTier(j.width)}
		t.sums.Excess = make(map[ExcessKey]Excess)
		t.sums.Left = make(map[LeftKey]float64)
		t.sums.Waiting = map[string]float64{OnClients: 0, OnSelf: 0}
		for _, cause := range startCauses {
			t.sums.Excess[ExcessKey{Cause: cause}] = Excess{}
		}
		if k, ok := j.known[name]; ok {
			t.Remember(k.Knowledge)
		}
		if time.Duration(idle)*j.width >= time.Second {
			t.Rested()
		}
		j.tiers[name] = t
	}
	return t
}

// tell passes on what is known of tiers from elsewhere: their processors, and what the configuration file says.
func (j *judges) tell(found discovery.Snapshot, cfg *config.Config) {
	for _, tier := range found.Tiers {
		if t := j.tiers[tier.FullName()]; t != nil {
			t.SetProcessors(load.Processors(tier.PIDs))
		}
	}
	if cfg == nil {
		return
	}
	for _, rule := range cfg.Tiers {
		if t := j.tiers[discovery.TierName{App: rule.App, Tier: rule.Name}]; t != nil {
			t.Give(given(rule.BaseResidence.Seconds()), given(rule.SaturationPoint))
		}
	}
}

// given is a value of the configuration file; NaN where it says nothing.
func given(v float64) float64 {
	if v == 0 {
		return math.NaN()
	}
	return v
}

// skip says that windows are missing.
func (j *judges) skip() {
	for _, t := range j.tiers {
		t.Skip()
	}
}

// Causes whose counters begin at zero: of a tier, and of what it leaves behind.
var (
	startCauses = []judgement.Cause{
		judgement.GarbageCollection, judgement.Stopped, judgement.NoisyNeighbour, judgement.Starved,
		judgement.Demand, judgement.SoftResource, judgement.Untold, Throttled,
	}
	behindCauses = []judgement.Cause{judgement.Behind, judgement.Stalled, judgement.SoftResource, judgement.Place}
	leftCauses   = []judgement.Cause{judgement.GarbageCollection, judgement.Stopped, judgement.NoisyNeighbour, Throttled}
)

// expect begins the counters of new destinations at zero: a counter that appears with its first increment hides it from
// rate().
func (s *Judgement) expect(calls []judgement.Calls) {
	for _, c := range calls {
		if _, known := s.Excess[ExcessKey{judgement.Behind, c.To}]; known {
			continue
		}
		s.Waiting[onTier(c.To)] = 0
		for _, cause := range behindCauses {
			s.Excess[ExcessKey{cause, c.To}] = Excess{}
		}
		for _, cause := range leftCauses {
			s.Left[LeftKey{c.To, cause}] = 0
		}
	}
}

// add counts a judged window in.
func (s *Judgement) add(w judgement.Judged, width time.Duration) {
	seconds := width.Seconds()
	s.OwnSeconds += w.Own * seconds
	s.ClippedSeconds += w.Clipped * seconds
	s.OwnLoad.Add(w.Own, uint64(w.Completions), int64(w.Own*float64(width)))
	s.States[w.State]++
	s.wait(w.Waiting, seconds)
	for _, c := range w.Charges {
		key := ExcessKey{c.Cause, c.To}
		e := s.Excess[key]
		e.Seconds += c.Queue * seconds
		e.Squares += c.Queue * c.Queue * seconds
		s.Excess[key] = e
	}
	for _, e := range w.Edges {
		s.Left[LeftKey{e.To, e.Cause}] += e.Queue * seconds
	}
}

func (s Judgement) copied() Judgement {
	s.OwnLoad, s.Excess, s.Left = maps.Clone(s.OwnLoad), maps.Clone(s.Excess), maps.Clone(s.Left)
	s.Waiting = maps.Clone(s.Waiting)
	return s
}

// calls sorts what the edges did in a window by the tier that calls and the destination: several addresses of one
// destination are added up.
func (m *Monitor) calls(edges []window.Window) map[window.Station][]judgement.Calls {
	out := make(map[window.Station][]judgement.Calls)
	for _, w := range edges {
		edge, ok := m.edgeNames[w.Station]
		if !ok {
			continue
		}
		c := judgement.Calls{
			To: edge.To, Outstanding: max(0, w.Queue(m.options.Window)),
			Begun: float64(w.Arrivals), Answered: float64(w.Completions),
			Peak: float64(w.PeakCalls), Connections: float64(w.Connections), Used: float64(w.ConnectionsUsed),
			Idle: float64(w.GapTime) / float64(m.options.Window),
		}
		of := out[edge.from]
		i := slices.IndexFunc(of, func(o judgement.Calls) bool { return o.To == c.To })
		if i < 0 {
			out[edge.from] = append(of, c)
			continue
		}
		of[i].Outstanding += c.Outstanding
		of[i].Begun += c.Begun
		of[i].Answered += c.Answered
		of[i].Peak += c.Peak
		of[i].Connections += c.Connections
		of[i].Used += c.Used
		of[i].Idle += c.Idle
	}
	return out
}

// judge gives a tier's window to its judge. It returns the own queue at once, and a state for an earlier window if one
// was judged.
func (m *Monitor) judge(t *judged, w window.Window, gc float64, calls []judgement.Calls) (own float64,
	done judgement.Judged, ok bool) {
	t.sums.expect(calls)
	own, _, done, ok = t.Add(judgement.Window{
		Index: w.Index, Queue: max(0, w.Queue(m.options.Window)), Completions: float64(w.Completions), GC: gc, Calls: calls,
		Connections: max(0, w.ClientConnections(m.options.Window)),
	})
	if ok {
		if t.why != nil {
			chargeQuota(&done, t.why.quota())
		}
		t.sums.add(done, m.options.Window)
	}
	return own, done, ok
}
