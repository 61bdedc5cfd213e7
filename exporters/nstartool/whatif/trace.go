// SPDX-License-Identifier: Apache-2.0

// Package whatif predicts throughput and response time after a change from
// what was recorded before it: the 50 ms windows of one application.
//
// From the windows it builds a network of stations and replays them without a change. It corrects the
// stations until throughput and queues agree with the recorded ones. Then it replays them with the change. A
// tier is a station whose rate of service is n/R0 for n requests of its own up to the knee N* and TPmax
// beyond (the asymptotes of operational analysis: Denning and Buzen, The Operational Analysis of Queueing
// Network Models, 1978); it stops when it was recorded to stop, and its calls to other tiers need a place if
// a cap on them was seen. If the windows can't answer a question, the package refuses it and does not guess.
//
// The package has no I/O; package recorded fills a Trace from Prometheus.
package whatif

import (
	"fmt"
	"slices"
)

// Trace is what was recorded of one application: for each tier and edge one
// value per window, over the same windows.
type Trace struct {
	App   string
	Width float64 // of a window, in seconds
	Tiers []Tier
	Edges []Edge
	// Machines are the processors that tiers share, as far as that is known.
	Machines []Machine
}

// Tier is one tier of the application. Values that the exporter didn't know are 0.
type Tier struct {
	Name        string
	Queue       []float64 // mean number of requests in the tier
	Own         []float64 // the part of it that waits for no tier behind
	Completions []float64 // requests answered in the window
	Frozen      []bool    // the tier was stopped
	Collection  []float64 // share of the window in garbage collection; nil without a JVM
	Base        float64   // R0: own residence time per request under light load, seconds
	Knee        float64   // N*: own queue length from which throughput rises no more
	KneeLow     float64   // ends of the 90 % interval of N*
	KneeHigh    float64
	Processor   float64 // processor time per completed request, seconds
	Learning    string  // why R0 or N* are not known, in the exporter's words
}

// Edge is the calls of one tier to another, or to a destination that is not measured.
type Edge struct {
	From, To       string
	Outstanding    []float64 // mean number of calls that wait for an answer
	OutstandingMax []float64 // largest number; nil if it wasn't recorded
	Calls          []float64 // calls begun in the window
	Limit          float64   // cap of the calls outstanding; 0 if none was seen
}

// Unfit is the reason why a trace or a change can't be replayed, in one line.
type Unfit string

func (u Unfit) Error() string { return string(u) }

func unfit(format string, args ...any) error { return Unfit(fmt.Sprintf(format, args...)) }

const (
	// least is how long the range must be. The gains sought are a few per cent,
	// and a minute has some tens of stops and thousands of requests.
	least = 30.0
	// leastRequests is how many requests it must have: the relative error of a
	// count of 1,000 independent ones is 3 %.
	leastRequests = 1000
)

// Windows is the number of windows of the trace.
func (t Trace) Windows() int {
	if len(t.Tiers) == 0 {
		return 0
	}
	return len(t.Tiers[0].Queue)
}

// Span is the length of the trace in seconds.
func (t Trace) Span() float64 { return float64(t.Windows()) * t.Width }

func (t Trace) tier(name string) int {
	return slices.IndexFunc(t.Tiers, func(u Tier) bool { return u.Name == name })
}

func (t Trace) edge(from, to string) int {
	return slices.IndexFunc(t.Edges, func(e Edge) bool { return e.From == from && e.To == to })
}

// check refuses anything that isn't a trace of one application with one entrance.
func (t Trace) check() (front int, err error) {
	n := t.Windows()
	if t.Width <= 0 || t.Span() < least {
		return 0, unfit("there are only %.0f s of windows: at least %.0f are needed", t.Span(), least)
	}
	for _, u := range t.Tiers {
		if len(u.Queue) != n || len(u.Own) != n || len(u.Completions) != n || len(u.Frozen) != n ||
			u.Collection != nil && len(u.Collection) != n {
			return 0, fmt.Errorf("tier %s does not have %d windows", u.Name, n)
		}
	}
	for _, e := range t.Edges {
		if len(e.Outstanding) != n || len(e.Calls) != n || e.OutstandingMax != nil && len(e.OutstandingMax) != n {
			return 0, fmt.Errorf("edge %s to %s does not have %d windows", e.From, e.To, n)
		}
		if t.tier(e.From) < 0 {
			return 0, fmt.Errorf("edge %s to %s begins at no known tier", e.From, e.To)
		}
	}
	return t.front()
}

// front finds the tier that no other tier calls: there requests enter.
func (t Trace) front() (int, error) {
	front, second := -1, -1
	for i, u := range t.Tiers {
		called := slices.ContainsFunc(t.Edges, func(e Edge) bool { return e.To == u.Name && sum(e.Calls) > 0 })
		if called || sum(u.Completions) == 0 {
			continue
		}
		switch {
		case front < 0 || sum(u.Completions) > sum(t.Tiers[front].Completions):
			front, second = i, front
		case second < 0 || sum(u.Completions) > sum(t.Tiers[second].Completions):
			second = i
		}
	}
	if front < 0 {
		return 0, unfit("no tier of %s answered a request that came from outside", t.App)
	}
	c := sum(t.Tiers[front].Completions)
	if c < leastRequests {
		return 0, unfit("%s answered only %.0f requests: at least %d are needed", t.Tiers[front].Name, c, leastRequests)
	}
	// A second entrance with a considerable share means a second kind of users, and their reaction to
	// waiting would have to be known as well.
	if second >= 0 && sum(t.Tiers[second].Completions) > c/20 {
		return 0, unfit("requests enter %s at two tiers, %s and %s", t.App, t.Tiers[front].Name, t.Tiers[second].Name)
	}
	return front, nil
}

func sum(values []float64) (s float64) {
	for _, v := range values {
		s += v
	}
	return s
}

func mean(values []float64) float64 { return sum(values) / float64(max(1, len(values))) }
