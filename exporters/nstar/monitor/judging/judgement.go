// SPDX-License-Identifier: Apache-2.0

package judging

import (
	"maps"
	"math"
	"time"

	"github.com/nstar-project/nstar/exporters/nstar/judgement"
	"github.com/nstar-project/nstar/exporters/nstar/window"
)

// Judgement adds up the judgements of a tier's windows.
type Judgement struct {
	OwnSeconds     float64 // integral of the own queue
	ClippedSeconds float64 // integral of the calls outstanding beyond the requests present
	PatientSeconds float64 // integral of the requests that wait on purpose
	FullSeconds    float64 // seconds in which the tier had all the processor time that it can get
	// Collections is for how many seconds garbage collection stopped the tier; NaN while no window has told that.
	Collections float64
	// Active is the time in which the tier's threads ran or were ready to.
	Active  active
	OwnLoad window.Loads
	Waiting map[string]float64 // seconds of the tier's places, by what they waited for
	States  [len(judgement.States)]uint64
	Stops   map[judgement.Cause]uint64 // how often it stood still
	Excess  map[ExcessKey]Excess
	Left    map[LeftKey]float64 // seconds of what the tier's stops left behind in other tiers
}

// ExcessKey is what an excess queue is charged to; To is empty or the tier behind.
type ExcessKey struct {
	Cause judgement.Cause
	To    string
}

// Excess is the integral of an excess queue over time, and the integral of its square, in which the worst windows count
// more.
type Excess struct{ Seconds, Squares float64 }

// LeftKey is where a stop left something behind.
type LeftKey struct {
	To    string
	Cause judgement.Cause
}

func newJudgement() Judgement {
	s := Judgement{
		Excess: make(map[ExcessKey]Excess), Left: make(map[LeftKey]float64),
		Waiting: map[string]float64{OnClients: 0, OnSelf: 0}, Active: make(active),
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
		judgement.Disk, judgement.Slow, judgement.Demand, judgement.SoftResource, judgement.UnknownCause, Throttled,
	}
	behindCauses = []judgement.Cause{judgement.Behind, judgement.Stalled, judgement.SoftResource, judgement.Place}
	leftCauses   = []judgement.Cause{
		judgement.GarbageCollection, judgement.Stopped, judgement.Disk, judgement.NoisyNeighbour, Throttled,
		judgement.Stalled, judgement.Behind, judgement.UnknownCause,
	}
)

// expect starts the counters of new destinations at zero, because rate() does not see the first increment of a counter
// that appears with it.
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

// add adds a judged window.
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

// collect adds the time of a window in collections; NaN if that is not known.
func (s *Judgement) collect(gc float64, width time.Duration) {
	switch {
	case math.IsNaN(gc):
	case math.IsNaN(s.Collections):
		s.Collections = gc * width.Seconds()
	default:
		s.Collections += gc * width.Seconds()
	}
}

// Free is the label for time in which nothing keeps a thread from its work.
const Free = judgement.Cause("nothing")

// active is time in seconds in which some thread of a tier ran or was ready to, by what kept it from its work.
type active map[judgement.Cause]float64

// act adds the time in which threads did something or were ready to, which is at most the whole window. A collection
// stops the other threads for its share of that time. A quota, whose periods are longer than a window, has its share of
// the rest.
func (a active) act(w judgement.Work, gc, quota float64, width time.Duration) {
	all := min(1, w.Ran+w.Waited)
	if math.IsNaN(gc) {
		gc = 0
	}
	gc = min(gc, all)
	seconds := width.Seconds()
	a[judgement.GarbageCollection] += gc * seconds
	a[Throttled] += quota * (all - gc) * seconds
	a[Free] += (1 - quota) * (all - gc) * seconds
}

func (s Judgement) copied() Judgement {
	s.Active = maps.Clone(s.Active)
	s.OwnLoad, s.Excess, s.Left = maps.Clone(s.OwnLoad), maps.Clone(s.Excess), maps.Clone(s.Left)
	s.Waiting = maps.Clone(s.Waiting)
	return s
}
