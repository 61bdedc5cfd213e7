// SPDX-License-Identifier: Apache-2.0

// Package judgement decides for every window of one tier what the tier did: it was at work, saturated, stopped, or
// waiting for others. The package charges the queue that should not be there (the excess queue) to a cause.
//
// It judges by the own queue: the requests in the tier that wait for no tier behind it. A tier's whole queue also
// contains its outstanding calls (RAB section 4 reads whole queues). So the whole queues of the tiers in front repeat
// what happens in the tier behind.
//
// Everything here is local: the package needs the tier's own windows and its outgoing calls, and nothing from other
// hosts. What needs several tiers (who pays for waiting, turns, the verdict) is in rules/, where the data of all hosts
// meet. The package is pure: windows go in, and judged windows come out two seconds later, because a stop is known by
// its length.
package judgement

import "time"

// Window is one settled window of a tier and of its calls to the tiers behind.
type Window struct {
	Index       int64   // returned unchanged with the judgement
	Queue       float64 // time average of the requests in the tier
	Completions float64 // requests answered
	Connections float64 // time average of the clients' open connections
	// share of the window in which garbage collection stopped the tier, 0 to 1; NaN if the tier has no garbage
	// collection
	GC    float64
	Calls []Calls // calls to each destination; a destination that is missing here was not called
}

// Calls are a tier's calls to one destination in a window.
type Calls struct {
	To          string
	Itself      bool    // the tier calls itself, as httpd calls daemons of its own over a Unix socket
	Outstanding float64 // time average of the calls that wait for an answer
	Begun       float64 // calls begun
	Answered    float64 // calls answered
	Peak        float64 // largest number of calls outstanding at once
	Connections float64 // connections open
	Used        float64 // connections that carried a call in the window
	Idle        float64 // connections between an answer and the next call, counted when that call begins
	Unmeasured  float64 // connections that turned out to be of a kind on which calls can't be told apart
	Told        float64 // segments that came from the server on such connections
}

// State is what the tier did in a window.
type State int

// The states; the numbers are exported as nstar_window_state.
const (
	Idle      State = iota // no request was there
	Normal                 // at work, below the saturation point
	Saturated              // own queue beyond the saturation point N*
	Frozen                 // requests waited for no other tier, and nothing departed: stopped
	Waiting                // a long queue, but it waits for a tier behind, or for a place in a pool
	Unknown                // there is a queue, but the saturation point is not known
)

// States are the names of the states, by number.
var States = [...]string{"idle", "normal", "saturated", "frozen", "waiting", "unknown"}

func (s State) String() string { return States[s] }

// Cause is why a request waited longer than its work takes.
type Cause string

// The causes that a tier can tell by itself.
const (
	GarbageCollection Cause = "garbage_collection"
	Stopped           Cause = "stopped"         // nothing departed though requests waited; reason not measured
	NoisyNeighbour    Cause = "noisy_neighbour" // its threads wait for processors that other programs have
	Starved           Cause = "starved"         // nothing departed, for the same reason
	Slow              Cause = "slow"            // sleeps several times as long as before, for a reason out of sight
	Disk              Cause = "disk"            // waits for the disk, or for a request that does, or a stop then
	Demand            Cause = "demand"          // more work than the tier can do
	SoftResource      Cause = "soft_resource"   // waits for a place though the tier behind is quick
	Behind            Cause = "behind"          // waits for a place, because the tier behind is slow
	// the tier behind gave no answer at all, for longer than chance explains; or this tier catches up after that
	Stalled      Cause = "stalled"
	Place        Cause = "place"   // waits for a place; whether the tier behind is slow is not known
	UnknownCause Cause = "unknown" // the time of the tier's own work is not known: never seen with little to do
)

// Charge is a part of a window's excess queue with its cause. It is a number of requests, as a time average over the
// window.
type Charge struct {
	Cause Cause
	To    string // the tier behind, for SoftResource, Behind, Stalled and Place; empty for places in the tier
	Queue float64
}

// EdgeCharge is the number of calls, as a time average, that are outstanding at another tier and should not be. Either
// a stop of this tier left them behind there, or they wait for answers that come late.
type EdgeCharge struct {
	To    string
	Cause Cause // cause of the stop; for late answers Stalled, Behind or UnknownCause
	Queue float64
}

// Judged is a window with its judgement.
type Judged struct {
	Index       int64
	Own         float64 // requests that wait for no tier behind, as a time average
	Clipped     float64 // calls outstanding beyond the requests present: parallel calls, or outside of requests
	Patient     float64 // requests that wait on purpose; they are neither in Own nor at a tier behind
	Completions float64
	State       State
	Full        bool     // the tier has all the processor time that it can get, and more requests than processors
	Charges     []Charge // their sum is the excess queue
	Waiting     Split    // what the tier's places waited for
	Edges       []EdgeCharge
}

// lag is how long a window is held back before it is judged. A stop of a tier that does five things a second per window
// is certain after two seconds.
const lag = 2 * time.Second

// chance is -ln of the probability that what is called a stop is an accident: 1 in 10,000.
const chance = 9.2
