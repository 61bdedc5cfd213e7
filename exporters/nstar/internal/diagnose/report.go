// SPDX-License-Identifier: Apache-2.0

// Package diagnose says from the series that the rules record which tiers were
// saturated or frozen, which took turns, why, and what to do. It computes no
// queue length, throughput or saturation point of its own: what it reads is
// defined in rules/, once.
//
// Decide is pure. Reader fetches its Observations from Prometheus, and Report
// writes itself as text or JSON.
package diagnose

import "time"

// Verdict is the finding in one word, for programs.
type Verdict string

// The verdicts. RAB is "Rapidly Alternating Bottlenecks", the paper whose
// method Nstar follows.
const (
	// AlternatingBottleneck: short saturations of two tiers take turns (RAB 2.3).
	AlternatingBottleneck Verdict = "alternating_bottleneck"
	// SingleBottleneck: one tier limits the throughput (RAB 2.1).
	SingleBottleneck Verdict = "single_bottleneck"
	// Unsaturated: no tier passed its saturation point often enough to matter.
	Unsaturated Verdict = "unsaturated"
	// NotEnoughData: too few windows, or no requests at all.
	NotEnoughData Verdict = "not_enough_data"
)

// Report is the diagnosis of a time range. Its JSON form is an interface to
// other programs: fields are added, never renamed.
type Report struct {
	From         time.Time     `json:"from"`
	To           time.Time     `json:"to"`
	Tiers        []Tier        `json:"tiers"`
	Alternations []Alternation `json:"alternations"`
	Causes       []Cause       `json:"causes"`
	Verdict      Verdict       `json:"verdict"`
	// Summary is the verdict in a sentence.
	Summary string `json:"summary"`
	// Advice says what to do, in one or more sentences.
	Advice string `json:"advice"`
}

// Tier is one server of a tier as one exporter saw it.
type Tier struct {
	App  string `json:"app"`
	Tier string `json:"tier"`
	// Instance is the exporter; empty where the tier has one server.
	Instance string `json:"instance,omitempty"`
	// NStar is the saturation point N*, a queue length; nil where the tier was
	// not seen saturated in the last 15 minutes of the range.
	NStar *float64 `json:"n_star"`
	// TPMax is the best throughput in requests/s; nil where there was too
	// little traffic to tell.
	TPMax *float64 `json:"tp_max"`
	// Share is the share of windows per state, 0 to 1, over the range. All
	// four states are there and add up to 1. As long as N* was not known,
	// windows count as idle or normal.
	Share map[string]float64 `json:"share"`
}

// The states of a window, as the rules label them.
const (
	stateIdle      = "idle"
	stateNormal    = "normal"
	stateSaturated = "saturated"
	stateFrozen    = "frozen"
)

// Beyond is the share of windows with a queue beyond N*.
func (t Tier) Beyond() float64 { return t.Share[stateSaturated] + t.Share[stateFrozen] }

// Alternation is a pair of tiers that take turns.
type Alternation struct {
	App  string `json:"app"`
	From string `json:"from"`
	To   string `json:"to"`
	// Pearson is the median over the range of the coefficients of the two queue
	// lengths over 12 s each, where one of the two was beyond N* (RAB Fig. 6a).
	Pearson float64 `json:"pearson"`
}

// Cause is a likely reason why a tier freezes.
type Cause struct {
	App      string `json:"app"`
	Tier     string `json:"tier"`
	Instance string `json:"instance,omitempty"`
	// Cause is the rules' name for it, such as garbage_collection.
	Cause string `json:"cause"`
	// Correlation is the mean over the range of the coefficients of the tier's
	// queue length and the cause over 12 s each (RAB Fig. 6b).
	Correlation float64 `json:"correlation"`
	Evidence    string  `json:"evidence"`
}

// Observations are the recorded series of a range, read but not judged.
type Observations struct {
	From, To time.Time
	Tiers    []Tier
	// Evaluations counts how often the rules recorded states in the range; one
	// a second with the rules as they come.
	Evaluations int
	Edges       []Edge
	Causes      []CauseCorrelation
}

// Edge is the relation of two tiers, of which the first calls the second.
type Edge struct {
	App, From, To string
	// Pearson is nil where neither tier was beyond N*, or the queues stood still.
	Pearson *float64
	// Saturated is the share of windows beyond N* of the tier that had fewer.
	Saturated float64
}

// CauseCorrelation is what a tier's queue moved with.
type CauseCorrelation struct {
	App, Tier, Instance, Cause string
	Correlation                float64
	// Share is the mean of the cause itself over the range, for example the
	// share of time spent in garbage collection; nil where it isn't known.
	Share *float64
	// Peak is its greatest value in one window.
	Peak *float64
}
