// SPDX-License-Identifier: Apache-2.0

package metrics

import (
	"math"

	"github.com/nstar-project/nstar/exporters/nstar/judgement"
	"github.com/nstar-project/nstar/exporters/nstar/monitor"
	"github.com/nstar-project/nstar/exporters/nstar/window"
)

var (
	state  = []string{"app", "tier", "state"}
	charge = []string{"app", "tier", "cause", "to"}
	waitOn = []string{"app", "tier", "on"}

	ownSeconds = desc("tier_own_queue_seconds_total",
		"Integral of the own queue: requests in the tier that wait for no tier behind it.", tier)
	clippedSeconds = desc("tier_own_queue_clipped_seconds_total",
		"Integral of the calls outstanding beyond the requests present: calls in parallel, or outside of requests.",
		tier)
	patientSeconds = desc("tier_own_queue_patient_seconds_total",
		"Integral of the requests that wait on purpose, such as long polls, and are left out of the own queue.", tier)
	waiting = desc("tier_waiting_seconds_total", "Time of the tier's places, which are its clients' open "+
		"connections and at least one, by what they wait for: clients without a request, self (the own queue), or a "+
		"tier behind.", waitOn)
	ownWindows = desc("tier_own_load_windows_total",
		"Windows by load bin of the own queue: bin is the upper bound of its mean length.", bin)
	ownCompletions = desc("tier_own_load_completions_total",
		"Completions in the windows of the load bin of the own queue.", bin)
	ownQueue = desc("tier_own_load_queue_seconds_total",
		"Integral of the own queue over the windows of the load bin.", bin)
	stateWindows = desc("tier_state_windows_total", "Windows by the state that they were judged to have.", state)
	stops        = desc("tier_stops_total", "How often the tier stood still, by cause. Stops that are less than "+
		"250 ms apart are one.", []string{"app", "tier", "cause"})
	excessSeconds = desc("tier_excess_queue_seconds_total", "Integral of the own queue beyond what the completed "+
		"work explains, by cause; to is the tier behind, if the cause lies there.", charge)
	excessSquares = desc("tier_excess_queue_square_seconds_total",
		"Integral of the square of the excess queue, which weighs the worst windows.", charge)

	baseResidence = desc("tier_base_residence_seconds",
		"R0: own-queue time of a request when there is little to do; absent while unknown.", tier)
	maxThroughput = desc("tier_max_throughput_requests_per_second",
		"TPmax: best throughput; absent while unknown.", tier)
	saturationAt = desc("tier_saturation_point_queue_length",
		"N*: own queue length from which more requests bring no more throughput; absent while unknown.", tier)
	saturationLow = desc("tier_saturation_point_queue_length_low", "Lower end of the 90 % interval of N*.", tier)
	saturationTop = desc("tier_saturation_point_queue_length_high", "Upper end of the 90 % interval of N*.", tier)
	speed         = desc("tier_speed_ratio", "Present speed of the tier over the one that was learned.", tier)
	restsOn       = desc("tier_saturation_windows", "Windows that N* rests on.", tier)
	status        = desc("tier_saturation_status",
		"1 for what is known of N*: known, learning, never_near_limit, always_at_limit.",
		[]string{"app", "tier", "status"})

	processors = desc("tier_processors_used",
		"Processors' worth of time that the tier used itself in the last second, however many it may run on.", tier)
	processorsUsed = desc("tier_processors_used_ratio",
		"Share of the processors that the tier may run on that it used itself in the last second.", tier)
	processorsBusy = desc("tier_processors_busy_ratio",
		"Share of the processors that the tier may run on that any program used in the last second.", tier)

	processorsInfo = desc("tier_processors_info", "1; the processors that the tier may run on, of which machine: "+
		"tiers for which both are the same share them, whichever exporter measures them.",
		[]string{"app", "tier", "machine", "cpus"})

	active = desc("tier_active_seconds_total", "Time in which some thread of the tier ran, or was ready to, "+
		"by what kept it from its work meanwhile: garbage_collection, throttled, or nothing.",
		[]string{"app", "tier", "held"})
	processorsFull = desc("tier_processors_full_seconds_total", "Time in which the tier had all the processor time "+
		"that it can have, and more requests than processors.", tier)

	processorsOthers = desc("tier_processors_others_ratio",
		"Share of the processors that the tier may run on that programs other than the tiers of its application, and "+
			"what belongs to these tiers, used in the last second.", tier)
	busiestThread = desc("tier_busiest_thread_ratio",
		"Share of the last second that the busiest thread of the tier ran, or was ready to. Only for tiers that take "+
			"their work by requests that wait for more, and if a tier uses less than a processor and waits for "+
			"one, or requests sleep in it.", tier)
	processorsWanted = desc("tier_processors_wanted_threads", "Threads of the tier that were ready to run and waited "+
		"for a processor, mean of the last second; 0 if the processors are not busy.", tier)

	edgeExcess = desc("edge_excess_seconds_total", "Integral of the calls outstanding at a tier that should not be "+
		"there: because the calling tier had stopped and catches up, by the stop's cause; because the tier gives no "+
		"answers (stalled), takes several times as long as with little to do (behind), or may do so (unknown).",
		[]string{"app", "from", "to", "cause"})
	edgeLimit = desc("edge_limit_calls", "Cap of the calls outstanding, such as a connection pool, if one was seen.",
		edge)
	edgeTurns = desc("edge_turns_total", "Times that the longer queue changed sides between the calling tier's own "+
		"and the calls outstanding, by four requests and twice at least.", edge)
	withCalls = desc("edge_correlation_pearson",
		"Pearson's coefficient over 12 s of windows: own queue of the calling tier against the calls outstanding.",
		edge)
	withCause = desc("cause_correlation_pearson",
		"Pearson's coefficient over 12 s of windows: own queue against the share of the cause.", []string{"app", "tier",
			"cause"})
)

// load sends how busy a tier and its processors are.
func (s sender) load(t monitor.Tier) {
	if math.IsNaN(t.Load.Cores) {
		return
	}
	s.known(processors, t.Load.Cores, t.App, t.Tier)
	s.known(processorsUsed, t.Load.Used, t.App, t.Tier)
	s.known(processorsBusy, t.Load.Busy, t.App, t.Tier)
	s.known(processorsOthers, t.Load.Others, t.App, t.Tier)
	s.known(processorsWanted, t.Load.Waiting, t.App, t.Tier)
	s.known(busiestThread, t.Load.Thread, t.App, t.Tier)
}

// runsOn sends on which processors a tier may run, if it is known how busy these are.
func (s sender) runsOn(t monitor.Tier, machine string) {
	if machine != "" && t.CPUs != "" {
		s.gauge(processorsInfo, 1, t.App, t.Tier, machine, t.CPUs)
	}
}

// active sends for how long a tier's threads wanted to work, and what kept them from it.
func (s sender) active(t monitor.Tier) {
	for cause, v := range t.Active {
		s.counter(active, v, t.App, t.Tier, string(cause))
	}
}

// judgement sends the conclusions about a tier.
func (s sender) judgement(t monitor.Tier) {
	s.counter(ownSeconds, t.OwnSeconds, t.App, t.Tier)
	s.counter(clippedSeconds, t.ClippedSeconds, t.App, t.Tier)
	s.counter(patientSeconds, t.PatientSeconds, t.App, t.Tier)
	s.counter(processorsFull, t.FullSeconds, t.App, t.Tier)
	s.active(t)
	for on, v := range t.Waiting {
		s.counter(waiting, v, t.App, t.Tier, on)
	}
	for b, l := range t.OwnLoad {
		label := window.BinLabel(b)
		s.counter(ownWindows, float64(l.Windows), t.App, t.Tier, label)
		s.counter(ownCompletions, float64(l.Completions), t.App, t.Tier, label)
		s.counter(ownQueue, seconds(l.QueueTime), t.App, t.Tier, label)
	}
	for i, n := range t.States {
		s.counter(stateWindows, float64(n), t.App, t.Tier, judgement.States[i])
	}
	for cause, n := range t.Stops {
		s.counter(stops, float64(n), t.App, t.Tier, string(cause))
	}
	for key, e := range t.Excess {
		s.counter(excessSeconds, e.Seconds, t.App, t.Tier, string(key.Cause), key.To)
		s.counter(excessSquares, e.Squares, t.App, t.Tier, string(key.Cause), key.To)
	}
	for key, v := range t.Left {
		s.counter(edgeExcess, v, t.App, t.Tier, key.To, string(key.Cause))
	}
	s.known(baseResidence, t.Estimate.Base, t.App, t.Tier)
	s.known(maxThroughput, t.Estimate.MaxThroughput, t.App, t.Tier)
	s.known(saturationAt, t.Estimate.SaturationPoint, t.App, t.Tier)
	s.known(saturationLow, t.Estimate.Low, t.App, t.Tier)
	s.known(saturationTop, t.Estimate.High, t.App, t.Tier)
	s.known(speed, t.Estimate.Speed, t.App, t.Tier)
	s.gauge(restsOn, float64(t.Estimate.Windows), t.App, t.Tier)
	s.gauge(status, 1, t.App, t.Tier, t.Estimate.Status.String())
	s.why(t)
	s.known(withCause, t.WithGC, t.App, t.Tier, string(judgement.GarbageCollection))
}
