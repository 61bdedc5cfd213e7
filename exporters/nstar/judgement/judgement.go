// SPDX-License-Identifier: Apache-2.0

// Package judgement says of every window of one tier what it was: at work, saturated, stopped, or waiting for others,
// and charges the queue that should not be there to a cause.
//
// It judges by the own queue: the requests in the tier that wait for no tier behind it. A tier's whole queue contains
// its calls (RAB section 4 reads whole queues); the tiers in front then echo the tier behind.
//
// Everything here is local: it needs the tier's own windows and its outgoing calls, nothing of other hosts. What needs
// several tiers (who pays for waiting, turns, the verdict) is in rules/, where all hosts meet. The package is pure:
// windows go in, judged windows come out two seconds later, since a stop is known by its length.
package judgement

import "time"

// Window is one settled window of a tier and of its calls to the tiers behind.
type Window struct {
	Index       int64   // given back with the judgement
	Queue       float64 // time average of the requests in the tier
	Completions float64 // requests answered
	Connections float64 // time average of the clients' open connections
	// share of the window in which garbage collection stopped the tier, 0 to 1; NaN where it has none
	GC    float64
	Calls []Calls // to each destination; a destination that is missing was not called
}

// Calls are a tier's calls to one destination in a window.
type Calls struct {
	To          string
	Outstanding float64 // time average of the calls that wait for an answer
	Begun       float64 // calls begun
	Answered    float64 // calls answered
	Peak        float64 // most calls outstanding at once
	Connections float64 // connections open
	Used        float64 // connections that carried a call
	Idle        float64 // connections between an answer and the next call, counted when that call begins
	Unmeasured  float64 // connections of which it turned out that calls on them can't be told
}

// State is what a window was.
type State int

// The states; the numbers are exported as nstar_window_state.
const (
	Idle      State = iota // no request was there
	Normal                 // at work, below the saturation point
	Saturated              // own queue beyond the saturation point N*
	Frozen                 // requests waited for nobody else, and nothing left: stopped
	Waiting                // a long queue, but behind this tier, or for a place in a pool
	Unknown                // a queue, but the saturation point is not known
)

// States are the names of the states, by number.
var States = [...]string{"idle", "normal", "saturated", "frozen", "waiting", "unknown"}

func (s State) String() string { return States[s] }

// Cause is why a request waited longer than its work takes.
type Cause string

// The causes that a tier can tell by itself.
const (
	GarbageCollection Cause = "garbage_collection"
	Stopped           Cause = "stopped"         // nothing left though requests waited, for a reason not measured
	NoisyNeighbour    Cause = "noisy_neighbour" // its threads wait for processors that others have
	Starved           Cause = "starved"         // nothing left for the same reason
	Slow              Cause = "slow"            // sleeps for several times as long as before, for a reason out of sight
	Disk              Cause = "disk"            // waits for the disk, or for who does, or stood still meanwhile
	Demand            Cause = "demand"          // more work than the tier can do
	SoftResource      Cause = "soft_resource"   // waits for a place while the tier behind is quick
	Behind            Cause = "behind"          // waits for a place, because the tier behind is slow
	// the tier behind gave no answer at all, beyond chance, or this one catches up
	Stalled Cause = "stalled"
	Place   Cause = "place"   // waits for a place; whether the tier behind is slow is not known
	Untold  Cause = "unknown" // the tier has not been seen with little to do, so its own work is not known
)

// Charge is a part of a window's excess queue: requests, as a time average over the window.
type Charge struct {
	Cause Cause
	To    string // the tier behind, for SoftResource, Behind, Stalled and Place; empty for places of the tier's own
	Queue float64
}

// EdgeCharge is how many calls are outstanding at another tier that should not be, as a time average: what a stop of
// this tier left behind there, or what waits for answers that come late.
type EdgeCharge struct {
	To    string
	Cause Cause // of the stop; Stalled, Behind or Untold of late answers
	Queue float64
}

// Judged is a window with its judgement.
type Judged struct {
	Index       int64
	Own         float64 // requests that wait for no tier behind, as a time average
	Clipped     float64 // calls outstanding beyond the requests present: calls in parallel or outside of requests
	Patient     float64 // requests that wait on purpose, and are neither in Own nor with a tier behind
	Completions float64
	State       State
	Full        bool     // the tier has all the processor time that it can have, and more requests than processors
	Charges     []Charge // together the excess queue
	Waiting     Split    // whom the tier's places waited for
	Edges       []EdgeCharge
}

// lag is how long a window is held back before it is judged: a stop of a tier that does five things a second per window
// is certain after two seconds.
const lag = 2 * time.Second

// chance is -ln of the probability by which a stop may be an accident: 1 in 10,000.
const chance = 9.2
