// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"math"
	"slices"
)

// perApp is how many tiers an application of the crowd has, each on another host.
const perApp = 10

// bins are the load bins that a tier has been in: a real one spreads over about as many.
var bins = []string{"0", "0.0625", "0.125", "0.25", "0.5", "0.595", "0.707", "0.841", "1", "1.19", "1.41", "1.68", "2",
	"2.38",
	"2.83", "3.36", "4", "4.76", "5.66", "6.73", "8", "9.51", "11.3", "13.5", "16", "19", "22.6", "26.9", "32", "38.1"}

// What excess is charged to, what of it belongs to a tier behind, and what a tier in trouble has of it.
var (
	causes = []string{"behind", "demand", "disk", "garbage_collection", "network", "noisy_neighbour", "place", "slow",
		"soft_resource", "stalled", "starved", "stopped", "throttled", "unknown"}
	behind   = []string{"behind", "place", "stalled"}
	troubles = []string{"garbage_collection", "stopped", "demand", "unknown", "soft_resource", "behind", "place"}
)

// crowd is exporters with tiers and edges between them, in applications of ten tiers that wait for each other in all
// ways there are. Every tier shows all that a real exporter shows of one.
func crowd(tiers, edges, hosts int) []*fake {
	all := make([]*fake, hosts)
	for i := range all {
		all[i] = &fake{}
		all[i].show("nstar_window_width_seconds", "", width.Seconds())
		all[i].show("nstar_build_info", `version="0"`, 1)
		all[i].show("process_start_time_seconds", "", 1)
		all[i].count("nstar_windows_settled_total", "", 20)
		for _, reason := range []string{"late_window", "program_missed", "edge_limit", "tier_limit"} {
			all[i].count("nstar_dropped_total", fmt.Sprintf("reason=%q", reason), 0)
		}
	}
	host := func(tier int) *fake { return all[tier%hosts] }
	next := func(tier int) string { return fmt.Sprintf("tier-%d", tier%perApp+1) }
	for tier := range tiers {
		app := fmt.Sprintf("app-%02d", tier/perApp)
		host(tier).tier(app, fmt.Sprintf("tier-%d", tier%perApp), next(tier), tier)
	}
	// A chain per application: an edge for each tier but the last ones, until there are enough.
	for tier, n := 0, 0; tier < tiers && n < edges; tier++ {
		if tier%perApp < (edges*perApp+tiers-1)/tiers {
			host(tier).edge(fmt.Sprintf("app-%02d", tier/perApp), fmt.Sprintf("tier-%d", tier%perApp), next(tier), tier)
			n++
		}
	}
	return all
}

// tier shows a tier of 200 requests/s.
func (h *fake) tier(app, tier, to string, n int) {
	labels := fmt.Sprintf("app=%q,tier=%q", app, tier)
	own := 2 + float64(n%7)
	for _, name := range []string{"arrivals", "completions"} {
		h.count("nstar_tier_"+name+"_total", labels, 200)
	}
	for _, name := range []string{"aborts", "reopened"} {
		h.count("nstar_tier_"+name+"_total", labels, 0)
	}
	h.count("nstar_tier_queue_seconds_total", labels, 2*own)
	h.count("nstar_tier_residence_seconds_total", labels, 2*own)
	h.count("nstar_tier_own_queue_seconds_total", labels, own)
	h.count("nstar_tier_own_queue_clipped_seconds_total", labels, 0)
	h.count("nstar_tier_own_queue_patient_seconds_total", labels, 0)
	for i, bin := range bins {
		labels := fmt.Sprintf("%s,bin=%q", labels, bin)
		share := 20 / float64(len(bins))
		for _, load := range []string{"load", "own_load"} {
			h.count("nstar_tier_"+load+"_windows_total", labels, share)
			h.count("nstar_tier_"+load+"_completions_total", labels, share*math.Min(float64(i), 12))
			h.count("nstar_tier_"+load+"_queue_seconds_total", labels, share*float64(i)*width.Seconds())
		}
	}
	for i, state := range []string{"idle", "normal", "saturated", "frozen", "waiting", "unknown"} {
		h.count("nstar_tier_state_windows_total", fmt.Sprintf("%s,state=%q", labels, state),
			[]float64{4, 10, 3, 1, 2, 0}[i])
	}
	// One tier in four is in all troubles at once; the others have waits for work alone, which every tier has.
	troubled := n%4 == 0
	for i, cause := range causes {
		charged := fmt.Sprintf("%s,cause=%q,to=\"\"", labels, cause)
		if slices.Contains(behind, cause) {
			charged = fmt.Sprintf("%s,cause=%q,to=%q", labels, cause, to)
		}
		excess := 0.0
		if troubled && slices.Contains(troubles, cause) || cause == "demand" {
			excess = own * float64((n+i)%4+1) / 40
		}
		h.count("nstar_tier_excess_queue_seconds_total", charged, excess)
		h.count("nstar_tier_excess_queue_square_seconds_total", charged, 5*excess)
	}
	h.processes(labels, own, troubled)
	h.show("nstar_tier_base_residence_seconds", labels, own/800)
	h.show("nstar_tier_max_throughput_requests_per_second", labels, 800)
	h.show("nstar_tier_saturation_point_queue_length", labels, own)
	h.show("nstar_tier_saturation_point_queue_length_low", labels, own*0.9)
	h.show("nstar_tier_saturation_point_queue_length_high", labels, own*1.1)
	h.show("nstar_tier_speed_ratio", labels, 1)
	h.show("nstar_tier_saturation_windows", labels, 1000)
	h.show("nstar_tier_saturation_status", labels+`,status="known"`, 1)
	h.show("nstar_drift_requests", labels, 0)
	h.show("nstar_cause_correlation_pearson", labels+`,cause="garbage_collection"`, 0.5)
	h.window("nstar_window_queue_length", labels, 2*own)
	// Only dashboards and panel read the rest of the windows, for one application at a time.
	if app == "app-00" {
		for _, name := range []string{"own_queue_length", "throughput", "residence_seconds", "gc_ratio", "state"} {
			h.window("nstar_window_"+name, labels, 1)
		}
	}
}

// processes shows what the kernel tells of a tier's processes; own is the tier's own queue.
func (h *fake) processes(labels string, own float64, troubled bool) {
	asleep, busy, wanted, full := 0.2*own, 0.5, 0.1, 0.0
	if troubled {
		asleep, busy, wanted, full = 0.1*own, 0.97, 1.5, 0.8
	}
	for name, rate := range map[string]float64{
		"accept_overflows": 0, "asleep_seconds": asleep, "cpu_seconds": 0.3, "disk_seconds": 0.01, "errors": 0,
		"lock_seconds": asleep / 3, "lost_segments": 0, "processors_full_seconds": full, "runqueue_seconds": wanted,
		"standstill_seconds": 0, "stopped_seconds": 0, "unmeasured_connections": 0,
	} {
		h.count("nstar_tier_"+name+"_total", labels, rate)
	}
	for held, rate := range map[string]float64{"garbage_collection": 0.05, "nothing": 0.4, "throttled": 0} {
		h.count("nstar_tier_active_seconds_total", fmt.Sprintf("%s,held=%q", labels, held), rate)
	}
	for _, cause := range []string{"accept_queue", "asleep", "cpu", "disk", "disk_busy", "disk_queue", "lock", "memory",
		"runqueue", "steal", "stopped", "throttled", "unread", "writeback"} {
		h.count("nstar_tier_standstill_cause_seconds_total", fmt.Sprintf("%s,cause=%q", labels, cause), 0)
	}
	for _, cause := range []string{"garbage_collection", "stopped"} {
		h.count("nstar_tier_stops_total", fmt.Sprintf("%s,cause=%q", labels, cause), full/2)
	}
	for on, rate := range map[string]float64{"self": own, "clients": 20} {
		h.count("nstar_tier_waiting_seconds_total", fmt.Sprintf("%s,on=%q", labels, on), rate)
	}
	h.show("nstar_tier_busiest_thread_ratio", labels, 0.2)
	h.show("nstar_tier_processors_info", labels+`,machine="4b1c20aa",cpus="0-3"`, 1)
	h.show("nstar_tier_processors_busy_ratio", labels, busy)
	h.show("nstar_tier_processors_others_ratio", labels, 0.1)
	h.show("nstar_tier_processors_used", labels, 0.3)
	h.show("nstar_tier_processors_used_ratio", labels, 0.15)
	h.show("nstar_tier_processors_wanted_threads", labels, wanted)
	h.show("nstar_tier_start_time_seconds", labels, 1.7e9)
	h.show("nstar_tier_program_info", labels+`,program="tomcat",pool="",workers="maxThreads"`, 1)
}

// edge shows the calls from one tier to another.
func (h *fake) edge(app, from, to string, n int) {
	labels := fmt.Sprintf("app=%q,from=%q,to=%q", app, from, to)
	h.count("nstar_edge_calls_total", labels, 200)
	h.count("nstar_edge_wait_seconds_total", labels, 3)
	h.show("nstar_edge_outstanding", labels, 3)
	for name, rate := range map[string]float64{
		"busy_seconds": 0.9, "failed_connections": 0, "lost_segments": 0, "peak_seconds": 5, "turns": 0,
	} {
		h.count("nstar_edge_"+name+"_total", labels, rate)
	}
	if n%4 == 0 { // an exporter shows it from the first stop on
		for i, cause := range []string{"garbage_collection", "stopped", "behind", "disk", "noisy_neighbour", "stalled",
			"throttled", "unknown"} {
			rate := 0.0
			if i < 2 {
				rate = 0.02 / float64(i+1)
			}
			h.count("nstar_edge_excess_seconds_total", fmt.Sprintf("%s,cause=%q", labels, cause), rate)
		}
	}
	h.show("nstar_edge_correlation_pearson", labels, -0.4)
	if app == "app-00" {
		h.window("nstar_window_edge_outstanding", labels, 3)
		h.window("nstar_window_edge_calls", labels, 200)
	}
}
