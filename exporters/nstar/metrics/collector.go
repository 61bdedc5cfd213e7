// SPDX-License-Identifier: Apache-2.0

// Package metrics exports the monitor's state on /metrics: cumulative series that are right at any scrape interval.
package metrics

import (
	"math"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/nstar-project/nstar/exporters/nstar/discovery"
	"github.com/nstar-project/nstar/exporters/nstar/monitor"
	"github.com/nstar-project/nstar/exporters/nstar/window"
)

var (
	tier = []string{"app", "tier"}
	bin  = []string{"app", "tier", "bin"}
	edge = []string{"app", "from", "to"}

	arrivalsDesc = desc("tier_arrivals_total", "Requests that reached the tier's sockets.", tier)
	completions  = desc("tier_completions_total", "Requests that the tier answered.", tier)
	aborts       = desc("tier_aborts_total",
		"Requests that left the queue without an answer because their connection ended.", tier)
	reopened = desc("tier_reopened_total",
		"Answers that went on after their window was handed out: the pause counts as time outside the queue.", tier)
	unmeasured = desc("tier_unmeasured_connections_total", "Connections that can't be measured from here on: "+
		"tunnels, brokers of messages, and several requests at once or no turns inside TLS.", tier)
	tierLost = desc("tier_lost_segments_total", "Segments of answers that TCP sent again because they were not "+
		"acknowledged.", tier)
	tierErrors = desc("tier_errors_total", "Requests in which the server failed: it answered with a status of 500 or "+
		"above, or closed the connection without an answer. HTTP, gRPC, FastCGI, AJP, SCGI and uWSGI in clear.", tier)
	waits = desc("tier_waits_total", "Requests that wait on purpose (BLPOP, Kafka's Fetch), which are not counted "+
		"anywhere else and stand in no queue.", tier)
	negative = desc("tier_negative_queue_seconds_total",
		"Integral of the queue length that windows had below zero: proof of a wrong count; 0 when all is well.", tier)
	queueSeconds = desc("tier_queue_seconds_total",
		"Integral of the queue length over time; its rate is the mean queue length.", tier)
	residence = desc("tier_residence_seconds_total", "Time that completed requests spent in the tier.", tier)
	drift     = desc("drift_requests",
		"Carried queue length less the requests in flight counted over the connections; 0 when all is well.", tier)

	loadWindows = desc("tier_load_windows_total",
		"Windows by load bin: bin is the upper bound of their mean queue length.", bin)
	loadCompletions = desc("tier_load_completions_total", "Completions in the windows of the load bin.", bin)
	loadQueue       = desc("tier_load_queue_seconds_total",
		"Integral of the queue length over the windows of the load bin.", bin)

	calls       = desc("edge_calls_total", "Calls from one tier to another.", edge)
	waitSeconds = desc("edge_wait_seconds_total",
		"Integral of the calls waiting for an answer over time; its rate is the mean number outstanding.", edge)
	edgeLost = desc("edge_lost_segments_total", "Segments of calls that TCP sent again because they were not "+
		"acknowledged.", edge)
	edgeFailed = desc("edge_failed_connections_total",
		"Connections that could not be opened: refused, or never answered.", edge)
	busySeconds = desc("edge_busy_seconds_total",
		"Time in which one or more calls waited for an answer: for each window at most their mean number.", edge)
	peakSeconds = desc("edge_peak_seconds_total",
		"Integral over time of the most calls that waited at once in each window; its rate is their mean.", edge)
	outstanding = desc("edge_outstanding", "Calls that wait for an answer now.", edge)
	patient     = desc("edge_patient_calls_total", "Requests to the other tier that wait on purpose, for more work "+
		"(BLPOP, Kafka's Fetch); they are not among the calls. Absent while nothing was seen to be taken there.", edge)
	commits = desc("edge_commits_total", "Calls by which the caller says that it has done what it took (Kafka's "+
		"OffsetCommit). Absent while nothing was seen to be taken there.", edge)
	patience = desc("edge_patient_seconds_total", "Time that the answered requests of nstar_edge_patient_calls_total "+
		"took: for so long the caller had a request for more work under way. Absent while nothing was seen to be "+
		"taken there.", edge)

	bpfRuns    = desc("bpf_runs_total", "Runs of the kernel program.", []string{"program"})
	bpfSeconds = desc("bpf_run_seconds_total", "Time spent in the kernel program, by the kernel's own clock.",
		[]string{"program"})
	peers   = desc("peers", "Other exporters whose names of tiers are used.", nil)
	settled = desc("windows_settled_total", "Windows handed out.", nil)
	dropped = desc("dropped_total", "What was not measured or not handed out, by reason.", []string{"reason"})
	causeUp = desc("cause_up", "1 if the cause is measured, 0 if the kernel or the rights lack something; absent "+
		"if it is switched off.", []string{"cause"})
	width = desc("window_width_seconds", "Width of the windows.", nil)
)

func desc(name, help string, labels []string) *prometheus.Desc {
	return prometheus.NewDesc("nstar_"+name, help, labels, nil)
}

// Collector gives the monitor's state at each scrape.
type Collector struct {
	Monitor interface{ State() (monitor.State, error) }
	Window  time.Duration
	Limits  func() map[string]uint64 // hit elsewhere, by reason; nil for none
}

// Describe sends nothing: which tiers there are is not known in advance.
func (c Collector) Describe(chan<- *prometheus.Desc) {}

// Collect reads the state once and sends all of it.
func (c Collector) Collect(ch chan<- prometheus.Metric) {
	state, err := c.Monitor.State()
	if err != nil {
		ch <- prometheus.NewInvalidMetric(settled, err)
		return
	}
	sender(ch).state(state, c.Window)
	if c.Limits == nil {
		return
	}
	for reason, n := range c.Limits() {
		sender(ch).counter(dropped, float64(n), reason)
	}
}

type sender chan<- prometheus.Metric

func (s sender) counter(d *prometheus.Desc, v float64, labels ...string) {
	s <- prometheus.MustNewConstMetric(d, prometheus.CounterValue, v, labels...)
}

func (s sender) gauge(d *prometheus.Desc, v float64, labels ...string) {
	s <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, v, labels...)
}

// known sends a gauge if there is a value.
func (s sender) known(d *prometheus.Desc, v float64, labels ...string) {
	if !math.IsNaN(v) {
		s.gauge(d, v, labels...)
	}
}

func (s sender) state(state monitor.State, windowWidth time.Duration) {
	takers := takers(state.Edges)
	for _, t := range state.Tiers {
		s.tier(t, windowWidth)
		s.runsOn(t, state.Machine)
		switch {
		case t.HasJudged:
			s.cores(t, state.Host)
		case t.Works || takers[t.TierName]: // no request ever came, so that none waits in it
			s.counter(ownSeconds, 0, t.App, t.Tier)
			s.active(t)
		}
	}
	s.host(state.Host)
	s.beside(state.Beside)
	for _, e := range state.Edges {
		s.counter(calls, float64(e.Totals.Arrivals), e.App, e.From, e.To)
		s.counter(waitSeconds, seconds(e.Totals.QueueTime), e.App, e.From, e.To)
		s.counter(edgeLost, float64(e.Totals.Lost), e.App, e.From, e.To)
		s.counter(edgeFailed, float64(e.Totals.Failed), e.App, e.From, e.To)
		s.counter(busySeconds, seconds(e.Totals.Busy), e.App, e.From, e.To)
		s.counter(peakSeconds, seconds(e.Totals.Peak), e.App, e.From, e.To)
		s.gauge(outstanding, float64(e.Outstanding), e.App, e.From, e.To)
		s.known(edgeLimit, e.Limit, e.App, e.From, e.To)
		s.known(withCalls, e.WithCalls, e.App, e.From, e.To)
		s.counter(edgeTurns, float64(e.Turns), e.App, e.From, e.To)
		if e.Totals.Takes() {
			s.counter(commits, float64(e.Totals.Commits), e.App, e.From, e.To)
			s.counter(patient, float64(e.Totals.Patient), e.App, e.From, e.To)
			s.counter(patience, seconds(e.Totals.Patience), e.App, e.From, e.To)
		}
	}
	for _, c := range state.Costs {
		if c.Runs == 0 { // statistics are off
			continue
		}
		s.counter(bpfRuns, float64(c.Runs), c.Program)
		s.counter(bpfSeconds, c.Time.Seconds(), c.Program)
	}
	for reason, n := range state.Dropped {
		s.counter(dropped, float64(n), reason)
	}
	for cause, ok := range state.Up {
		up := 0.0
		if ok {
			up = 1
		}
		s.gauge(causeUp, up, cause)
	}
	s.gauge(peers, float64(state.Peers))
	s.counter(settled, float64(state.Settled))
	s.gauge(width, windowWidth.Seconds())
}

// takers are the tiers that take their work from others. Such a tier may listen as well, for its status or its metrics.
func takers(edges []monitor.Edge) map[discovery.TierName]bool {
	takers := make(map[discovery.TierName]bool)
	for _, e := range edges {
		if e.Totals.Takes() {
			takers[discovery.TierName{App: e.App, Tier: e.From}] = true
		}
	}
	return takers
}

func (s sender) tier(t monitor.Tier, windowWidth time.Duration) {
	s.counter(arrivalsDesc, float64(t.Totals.Arrivals), t.App, t.Tier)
	s.counter(completions, float64(t.Totals.Completions), t.App, t.Tier)
	s.counter(aborts, float64(t.Totals.Aborts), t.App, t.Tier)
	s.counter(reopened, float64(t.Totals.Reopened), t.App, t.Tier)
	s.counter(unmeasured, float64(t.Totals.Opaque), t.App, t.Tier)
	s.counter(tierLost, float64(t.Totals.Lost), t.App, t.Tier)
	s.counter(tierErrors, float64(t.Totals.Errors), t.App, t.Tier)
	s.counter(waits, float64(t.Residences.Waits), t.App, t.Tier)
	s.counter(negative, seconds(t.Totals.Negative), t.App, t.Tier)
	s.counter(queueSeconds, seconds(t.Totals.QueueTime), t.App, t.Tier)
	s.counter(residence, seconds(t.Totals.Residence), t.App, t.Tier)
	s.gauge(drift, float64(t.Drift), t.App, t.Tier)
	for b, l := range t.Totals.Load {
		label := window.BinLabel(b)
		s.counter(loadWindows, float64(l.Windows), t.App, t.Tier, label)
		s.counter(loadCompletions, float64(l.Completions), t.App, t.Tier, label)
		s.counter(loadQueue, seconds(l.QueueTime), t.App, t.Tier, label)
	}
	s.kinds(t)
	s.accept(t)
	s.program(t)
	s.load(t)
	if t.HasJudged {
		s.judgement(t)
	}
	s <- queueHistogram(t, windowWidth)
	s <- residenceHistogram(t)
}

func seconds(ns int64) float64 { return time.Duration(ns).Seconds() }
