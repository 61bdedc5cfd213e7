// SPDX-License-Identifier: Apache-2.0

// Package window turns the cumulative slots that the kernel side fills into settled windows: for each station
// the time average of the queue length, arrivals, completions and residence time in every window, as defined in
// RAB, section 3.2. It is pure: slots come in through a function, windows go out as values.
package window

import "time"

// Station numbers a tier or an edge in the kernel's tables.
type Station int

// Sums are the values of one slot, added up over CPUs. All fields only grow, from one round of the ring to the next.
// Only differences have a meaning, for short fields modulo 2^32.
type Sums struct {
	Arrivals, Completions, Aborts uint32
	Net                           int32 // requests that entered the queue less those that left it
	Area                          int64 // ns x requests: entries add the rest of the window, departures subtract it
	Residence                     int64 // ns in the queue of the requests completed
	Reopened                      uint64
	Opaque                        uint64 // connections that can't be measured any more

	Opened int64 // connections opened less those closed

	OpenArea int64 // of tiers: ns x connections, as Area is of requests

	Lost uint64 // segments of calls, or of answers, that were sent again

	Errors uint64 // of tiers: requests that fail, as in Window

	Edge    bool // the station is an edge: the following fields are valid
	Used    uint64
	Gaps    uint64
	GapTime int64 // ns
	Peak    Peak

	Patient  uint64
	Patience int64 // ns
	Commits  uint64
	Failed   uint64 // connections that could not be opened
	Told     uint64 // segments of the server on connections that can't be measured
}

// Peak is the largest number of calls outstanding at once in a window, and the low half of that window's index: a slot
// keeps the peak of an older window until something happens in a new one.
type Peak struct {
	Window uint32
	Calls  int32
}

// Add returns s + o, field by field, modulo the size of the field: a CPU may hold a negative part. The peak is no sum
// and stays that of s.
func (s Sums) Add(o Sums) Sums {
	return Sums{
		Arrivals:    s.Arrivals + o.Arrivals,
		Completions: s.Completions + o.Completions,
		Aborts:      s.Aborts + o.Aborts,
		Net:         s.Net + o.Net,
		Area:        s.Area + o.Area,
		Residence:   s.Residence + o.Residence,
		Reopened:    s.Reopened + o.Reopened,
		Opaque:      s.Opaque + o.Opaque,
		Opened:      s.Opened + o.Opened,
		OpenArea:    s.OpenArea + o.OpenArea,
		Lost:        s.Lost + o.Lost,
		Errors:      s.Errors + o.Errors,
		Edge:        s.Edge || o.Edge,
		Used:        s.Used + o.Used,
		Gaps:        s.Gaps + o.Gaps,
		GapTime:     s.GapTime + o.GapTime,
		Peak:        s.Peak,
		Patient:     s.Patient + o.Patient,
		Patience:    s.Patience + o.Patience,
		Commits:     s.Commits + o.Commits,
		Failed:      s.Failed + o.Failed,
		Told:        s.Told + o.Told,
	}
}

// Sub returns s - o, field by field, with the peak of s.
func (s Sums) Sub(o Sums) Sums {
	return Sums{
		Arrivals:    s.Arrivals - o.Arrivals,
		Completions: s.Completions - o.Completions,
		Aborts:      s.Aborts - o.Aborts,
		Net:         s.Net - o.Net,
		Area:        s.Area - o.Area,
		Residence:   s.Residence - o.Residence,
		Reopened:    s.Reopened - o.Reopened,
		Opaque:      s.Opaque - o.Opaque,
		Opened:      s.Opened - o.Opened,
		OpenArea:    s.OpenArea - o.OpenArea,
		Lost:        s.Lost - o.Lost,
		Errors:      s.Errors - o.Errors,
		Edge:        s.Edge || o.Edge,
		Used:        s.Used - o.Used,
		Gaps:        s.Gaps - o.Gaps,
		GapTime:     s.GapTime - o.GapTime,
		Peak:        s.Peak,
		Patient:     s.Patient - o.Patient,
		Patience:    s.Patience - o.Patience,
		Commits:     s.Commits - o.Commits,
		Failed:      s.Failed - o.Failed,
		Told:        s.Told - o.Told,
	}
}

// Window is one station's settled window. Its JSON is the form in recordings: the window and the station are stored
// beside it there.
type Window struct {
	Station Station `json:"-"`
	// windows since the epoch of the window clock: the window is [Index, Index+1) x width
	Index       int64  `json:"-"`
	QueueTime   int64  `json:"queue_ns,omitempty"` // ns x requests: the integral of the queue length over the window
	Arrivals    uint64 `json:"arrivals,omitempty"`
	Completions uint64 `json:"completions,omitempty"`
	Aborts      uint64 `json:"aborts,omitempty"`
	Reopened    uint64 `json:"reopened,omitempty"`
	Opaque      uint64 `json:"opaque,omitempty"`
	// Residence is in ns, summed over the requests completed in the window.
	Residence int64 `json:"residence_ns,omitempty"`
	// Merged is 0, or how many windows this one stands for because user space came too late to read them apart.
	Merged int `json:"-"`

	// ConnectionTime is ns x connections: the integral of the clients' open connections over the window. Only for
	// tiers; 0 for edges and if windows were merged.
	ConnectionTime int64 `json:"connections_ns,omitempty"`

	// Lost are the segments that were sent again because they were not acknowledged: of calls at an edge, of
	// answers at a tier.
	Lost uint64 `json:"lost,omitempty"`

	// Errors are the completions of a tier that report an error, HTTP status 500 or above, if that can be read, and the
	// aborts of which the server closed the connection.
	Errors uint64 `json:"errors,omitempty"`

	// Only for edges; 0 for tiers.

	// PeakCalls is the largest number of calls outstanding at once, at least the number at the window's start.
	PeakCalls uint64 `json:"peak,omitempty"`
	// Connections are open at the window's end, those that are being opened or closed included.
	Connections uint64 `json:"open,omitempty"`
	// ConnectionsUsed are those that carried a call at some time in the window.
	ConnectionsUsed uint64 `json:"used,omitempty"`
	// GapTime is the time in ns from the end of an answer to the next call on its connection, summed over the calls
	// begun.
	GapTime int64 `json:"gap_ns,omitempty"`
	// Gaps are the calls begun that followed an answer on their connection.
	Gaps uint64 `json:"gaps,omitempty"`
	// Patient are the requests begun that wait on purpose, for more work (Kafka's Fetch, BLPOP): they are no calls.
	Patient uint64 `json:"patient,omitempty"`
	// Patience is the time in ns of those that were answered in the window.
	Patience int64 `json:"patience_ns,omitempty"`
	// Commits are the requests begun that report work received by patient requests as done (Kafka's
	// OffsetCommit).
	Commits uint64 `json:"commits,omitempty"`
	// Failed are the connections that could not be opened: refused, or never answered.
	Failed uint64 `json:"failed,omitempty"`

	// Told are the segments that the server of an edge sent on connections that can't be measured.
	Told uint64 `json:"told,omitempty"`
}

// End is the moment when the window ends, on the window clock.
func (w Window) End(width time.Duration) time.Duration {
	return time.Duration(w.Index+1) * width
}

// Queue is the time average of the number of requests that have arrived and not departed.
func (w Window) Queue(width time.Duration) float64 {
	return float64(w.QueueTime) / float64(width)
}

// ClientConnections is the time average of the clients' open connections.
func (w Window) ClientConnections(width time.Duration) float64 {
	return float64(w.ConnectionTime) / float64(width)
}

// Throughput is the rate of completions, per second.
func (w Window) Throughput(width time.Duration) float64 {
	return float64(w.Completions) / width.Seconds()
}
