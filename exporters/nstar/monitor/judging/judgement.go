// SPDX-License-Identifier: Apache-2.0

package judging

import (
	"maps"
	"math"
	"time"

	"github.com/nstar-project/nstar/exporters/nstar/judgement"
	"github.com/nstar-project/nstar/exporters/nstar/window"
)

// Judgement adds up what was said of a tier's windows.
type Judgement struct {
	OwnSeconds     float64 // integral of the own queue
	ClippedSeconds float64 // integral of the calls outstanding beyond the requests present
	PatientSeconds float64 // integral of the requests that wait on purpose
	FullSeconds    float64 // in which the tier had all the processor time that it can have
	// Collections is for how many seconds garbage collection stopped the tier; NaN while no window told.
	Collections float64
	// Active is the time in seconds in which some thread of the tier ran, or was ready to, by what kept it from its
	// work.
	Active  map[judgement.Cause]float64
	OwnLoad window.Loads
	Waiting map[string]float64 // seconds of the tier's places, by whom they waited for
	States  [len(judgement.States)]uint64
	Excess  map[ExcessKey]Excess
	Left    map[LeftKey]float64 // seconds, of what the tier's stops left behind in others
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

func newJudgement() Judgement {
	s := Judgement{
		Excess: make(map[ExcessKey]Excess), Left: make(map[LeftKey]float64),
		Waiting: map[string]float64{OnClients: 0, OnSelf: 0}, Active: make(map[judgement.Cause]float64),
		Collections: math.NaN(),
	}
	for _, cause := range startCauses {
		s.Excess[ExcessKey{Cause: cause}] = Excess{}
	}
	return s
}

// Causes whose counters begin at zero: of a tier, and of calls.
var (
	startCauses = []judgement.Cause{
		judgement.GarbageCollection, judgement.Stopped, judgement.NoisyNeighbour, judgement.Starved,
		judgement.Disk, judgement.Slow, judgement.Demand, judgement.SoftResource, judgement.Untold, Throttled,
	}
	behindCauses = []judgement.Cause{judgement.Behind, judgement.Stalled, judgement.SoftResource, judgement.Place}
	leftCauses   = []judgement.Cause{
		judgement.GarbageCollection, judgement.Stopped, judgement.Disk, judgement.NoisyNeighbour, Throttled,
		judgement.Stalled, judgement.Behind, judgement.Untold,
	}
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
	s.PatientSeconds += w.Patient * seconds
	if w.Full {
		s.FullSeconds += seconds
	}
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

// collect counts the time in collections of a window; NaN where that is not known.
func (s *Judgement) collect(gc float64, width time.Duration) {
	switch {
	case math.IsNaN(gc):
	case math.IsNaN(s.Collections):
		s.Collections = gc * width.Seconds()
	default:
		s.Collections += gc * width.Seconds()
	}
}

// Free is what keeps no thread from its work.
const Free = judgement.Cause("nothing")

// act counts the time in which threads did something, or were ready to: of a window no more than all of it. A
// collection stops the others for its share of that; a quota, whose periods are longer than a window, has its share of
// the rest.
func (s *Judgement) act(w judgement.Work, gc, quota float64, width time.Duration) {
	active := min(1, w.Ran+w.Waited)
	if math.IsNaN(gc) {
		gc = 0
	}
	gc = min(gc, active)
	seconds := width.Seconds()
	s.Active[judgement.GarbageCollection] += gc * seconds
	s.Active[Throttled] += quota * (active - gc) * seconds
	s.Active[Free] += (1 - quota) * (active - gc) * seconds
}

func (s Judgement) copied() Judgement {
	s.Active = maps.Clone(s.Active)
	s.OwnLoad, s.Excess, s.Left = maps.Clone(s.OwnLoad), maps.Clone(s.Excess), maps.Clone(s.Left)
	s.Waiting = maps.Clone(s.Waiting)
	return s
}
