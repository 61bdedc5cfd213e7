// SPDX-License-Identifier: Apache-2.0

// Package diagnose says from the series that the rules record whether anything
// is wrong with an application, where its requests waited, why, since when,
// and what to do. It judges nothing itself: verdict, cause and milliseconds
// are recorded by the rules, and each has one definition there.
//
// Reader fetches Observations from Prometheus. Decide is pure: it takes the
// verdict that held longest in the range and puts it into sentences. Report
// writes itself as text or JSON.
package diagnose

import (
	"time"
)

// Verdict is the finding in one word, for programs.
type Verdict string

// The verdicts; all but the last are recorded in nstar:app_verdict. RAB is
// "Rapidly Alternating Bottlenecks", the paper whose method Nstar follows.
const (
	// AlternatingBottleneck: short saturations of two tiers take turns (RAB 2.3).
	AlternatingBottleneck Verdict = "alternating_bottleneck"
	// SingleBottleneck: one tier costs the requests their time (RAB 2.1).
	SingleBottleneck Verdict = "single_bottleneck"
	// Healthy: the response time is what the tiers need, or nearly so.
	Healthy Verdict = "healthy"
	// Learning: what is normal for the tiers is not known yet.
	Learning Verdict = "learning"
	// NotEnoughData: nothing was recorded in the range, or there were no requests.
	NotEnoughData Verdict = "not_enough_data"
)

// Report is the diagnosis of a time range. Its JSON form is an interface to
// other programs: fields are added, never renamed.
type Report struct {
	From time.Time `json:"from"`
	To   time.Time `json:"to"`
	// Tiers, Alternations and Causes are those of all applications, the worst
	// application first.
	Tiers        []Tier        `json:"tiers"`
	Alternations []Alternation `json:"alternations"`
	Causes       []Cause       `json:"causes"`
	// Answer is the one for the worst application.
	Answer
	// Apps has one answer per application, the worst first.
	Apps []Answer `json:"apps"`
}

// Answer is the diagnosis of one application.
type Answer struct {
	App     string  `json:"app"`
	Verdict Verdict `json:"verdict"`
	// Bottleneck is the tier and cause to blame; nil without a bottleneck.
	Bottleneck *Bottleneck `json:"bottleneck"`
	// ResponseTime is nil if it was not recorded.
	ResponseTime *ResponseTime `json:"response_time"`
	// Code is what the interpreters and Java virtual machines of tiers run (a script, jar, class, or module), by tier.
	Code map[string]string `json:"code,omitempty"`
	// Waiting says what each tier waited for, as the tier itself sees it.
	Waiting []Waiting `json:"waiting"`
	// Neighbours are the programs that had the processors that the bottleneck waited for, if that is its
	// cause and the programs are measured.
	Neighbours []Neighbour `json:"neighbours"`
	// DiskNeighbours are the programs that used the disks that the bottleneck waited for (the bottleneck
	// itself among them), if it waited for one and the programs are measured.
	DiskNeighbours []DiskNeighbour `json:"disk_neighbours"`
	// Starts are the tiers that were started in the range.
	Starts []Start `json:"starts"`
	// Ends are the tiers that have ended in the range, and were not started again.
	Ends []End `json:"ends,omitempty"`
	// Failed are connections that tiers could not open.
	Failed []Failed `json:"failed_connections"`
	// Errors are the tiers that answered with errors.
	Errors []Errors `json:"errors"`
	// Since is when the verdict began to hold; nil if it never did.
	Since *time.Time `json:"since"`
	// Named are the spans of the range in which something wrong was named, this or another cause.
	Named []Named `json:"named,omitempty"`
	// Summary is the verdict in sentences.
	Summary string `json:"summary"`
	// Advice says what to do first, and what would not help.
	Advice string `json:"advice"`
	// Notes are restrictions and further findings, a sentence each.
	Notes []string `json:"notes"`
	// Capacity is how near the application is to the most that it can serve; nil if many answers are errors,
	// requests take longer than usual for another reason, or the rules record none.
	Capacity *Capacity `json:"capacity"`
	// Gain is what changes are predicted to gain; nil if no prediction was asked for.
	Gain []Gain `json:"gain"`
	// GainMissing says why there is no prediction if one was asked for and the cause makes it impossible;
	// empty otherwise.
	GainMissing string `json:"gain_missing"`

	// folded are the tiers without influence; the tables leave them out.
	folded map[string]bool
}

// Bottleneck is what costs the requests of an application their time.
type Bottleneck struct {
	App   string `json:"app"`
	Tier  string `json:"tier"`
	Cause string `json:"cause"`
	// Share of the mean response time, 0 to 1.
	Share float64 `json:"share"`
	// Milliseconds of the mean response time.
	Milliseconds float64 `json:"milliseconds"`
	// Consumer is the consumer that can't follow because of the bottleneck while no answer waits for it;
	// nil if answers wait.
	Consumer *Consumer `json:"consumer,omitempty"`
	// CallsTo is the tier behind, for calls to which requests wait for a place; empty if it is none, or not known.
	CallsTo string `json:"calls_to,omitempty"`
	// Keeps is the tier to which connections may be kept during these calls, so that there are no more of them than of
	// those; empty if that is not so.
	Keeps string `json:"keeps,omitempty"`
	// lost says that the places are not given back.
	lost bool
}

// Pauses reports whether what is to blame stops the tier for a while.
func (b Bottleneck) Pauses() bool { return b.Cause == causeCollection || b.Cause == causeStopped }

// Places reports whether requests wait for a place, in a pool or at a worker.
func (b Bottleneck) Places() bool { return b.Cause == causePlace }

// Unseen reports whether requests wait for something that Nstar does not see.
func (b Bottleneck) Unseen() bool { return b.Cause == causeSlow }

// Fails reports whether the tier answers with errors, for which no request waits.
func (b Bottleneck) Fails() bool { return b.Cause == causeErrors }

// AtDisk reports whether requests wait for the disk.
func (b Bottleneck) AtDisk() bool { return b.Cause == causeDisk }

// ResponseTime says where the requests of an application spent their time, by
// Little's law: own queue of a tier over the throughput of the front tier.
type ResponseTime struct {
	// Throughput of the application in requests/s.
	Throughput float64 `json:"throughput"`
	// Mean is over the evaluations that had the verdict.
	Mean Split `json:"mean"`
	// Worst is over the 5 % of the windows in which most requests were in the application; nil if the
	// windows could not be read.
	Worst *Split `json:"worst"`
}

// Split is a response time by tier and cause.
type Split struct {
	// Total in milliseconds is the sum of the tiers.
	Total float64     `json:"total"`
	Tiers []SplitTier `json:"tiers"`
}

// SplitTier is the part of one tier.
type SplitTier struct {
	Tier string `json:"tier"`
	// Milliseconds that a request spends in this tier, waiting for no tier behind it.
	Milliseconds float64 `json:"milliseconds"`
	// Base is the part that it would need without waiting.
	Base float64 `json:"base"`
	// Causes are the milliseconds that this tier is to blame for, wherever they were spent. Over all
	// tiers, base and causes add up to the total, as the milliseconds do, but not in each single tier. In
	// the worst windows nothing is charged to another tier, so that they add up in each tier.
	Causes map[string]float64 `json:"causes"`
}

// Tier is one server of a tier as one exporter saw it.
type Tier struct {
	App  string `json:"app"`
	Tier string `json:"tier"`
	// Instance is the exporter; empty if the tier has one server.
	Instance string `json:"instance,omitempty"`
	// NStar is the saturation point N*, a queue length; nil while unknown.
	NStar *float64 `json:"n_star"`
	// TPMax is the best throughput in requests/s; nil while unknown.
	TPMax *float64 `json:"tp_max"`
	// Share is the share of windows per state, 0 to 1, over the range. All six
	// states are there and add up to 1.
	Share map[string]float64 `json:"share"`
}

// The states of a window, as the exporter names them.
const (
	stateIdle      = "idle"
	stateNormal    = "normal"
	stateSaturated = "saturated"
	stateFrozen    = "frozen"
	stateWaiting   = "waiting"
	stateUnknown   = "unknown"
)

var states = []string{stateIdle, stateNormal, stateSaturated, stateFrozen, stateWaiting, stateUnknown}

// Alternation is a pair of tiers that take turns.
type Alternation struct {
	App  string `json:"app"`
	From string `json:"from"`
	To   string `json:"to"`
	// Pearson is the median over the range of the coefficients over 12 s each
	// of the two own queues (RAB Fig. 6a).
	Pearson float64 `json:"pearson"`
	// TurnsPerMinute is how often the longer queue changed sides, over the range.
	TurnsPerMinute float64 `json:"turns_per_minute"`
}

// Cause is a reason why requests waited.
type Cause struct {
	App  string `json:"app"`
	Tier string `json:"tier"`
	// Cause is the rules' name for it, such as garbage_collection.
	Cause string `json:"cause"`
	// Correlation is the mean over the range of the coefficients of the tier's own queue and the cause
	// over 12 s each (RAB Fig. 6b); nil if there is none.
	Correlation *float64 `json:"correlation"`
	// Share of the mean response time, 0 to 1.
	Share float64 `json:"share"`
	// Milliseconds of the mean response time.
	Milliseconds float64 `json:"milliseconds"`
	// TailShare is the share of the longest waits, 0 to 1.
	TailShare float64 `json:"tail_share"`
	Evidence  string  `json:"evidence"`
}

// Gain is what a change is predicted to gain.
type Gain struct {
	// Change in words, such as "tomcat without freezes".
	Change string `json:"change"`
	// ThroughputRatio and ResponseTimeRatio are after over before.
	ThroughputRatio   float64 `json:"throughput_ratio"`
	ResponseTimeRatio float64 `json:"response_time_ratio"`
}

// SetGain adds the prediction to the answer for an application. The gain from removing pauses or places can't
// be more than what these cost: a prediction of more is withheld.
func (r *Report) SetGain(app string, gain Gain) {
	r.each(app, func(a *Answer) {
		b := a.Bottleneck
		if b != nil && b.lost {
			a.GainMissing = "connections are not given back, so that no number of them suffices"
			return
		}
		if saved := 1 - gain.ResponseTimeRatio; b != nil && (b.Pauses() || b.Places()) && saved > b.Share+withinError {
			a.GainMissing = "a replay of the recorded windows promises more than this bottleneck costs"
			return
		}
		a.Gain = []Gain{gain}
	})
}

// withinError is what a prediction may be wrong by.
const withinError = 0.1

// WithoutGain says why nothing can be predicted for an application, if the cause makes it impossible.
func (r *Report) WithoutGain(app string) {
	r.each(app, func(a *Answer) {
		if a.Bottleneck != nil && a.Bottleneck.Places() {
			a.GainMissing = "requests sleep while they have a place, and Nstar has not seen how much more the tiers " +
				"behind can do at a time"
		}
	})
}

// each finds the answers for an application: its own, and, if it is the worst application, also the answer
// for the worst one.
func (r *Report) each(app string, set func(*Answer)) {
	for i := range r.Apps {
		if r.Apps[i].App == app {
			set(&r.Apps[i])
		}
	}
	if r.App == app {
		set(&r.Answer)
	}
}
