// SPDX-License-Identifier: Apache-2.0

package rules

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
)

// host is the exporter that sees a tier, where a stack does not say otherwise.
const host = "h:9965"

// stack is an application as its exporters show it on /metrics.
type stack struct {
	scrape  int   // seconds between scrapes; 5 if 0
	phases  []int // length of each phase in seconds
	servers []server
	edges   []edge
	more    []series       // anything else
	missed  []int          // scrapes that fail, counted from 0
	begins  map[string]int // second of an instance's first scrape, if it is not 0
}

// server is one server of a tier. In each phase it is under one load; the last one goes on.
type server struct {
	app, tier, instance string  // shop, _, host by default
	r0                  float64 // base residence in seconds; 0: not known
	status              string  // known, if it has R0, else learning, by default
	relearns            int     // second at which the status is learning, for one scrape
	learned             int     // second from which the status is never_near_limit; learning before; 0: not at all
	// all requests in it; where no server of the stack has any, only the first one tells them: its own and those behind
	queue float64
	// behind are so many requests more, by phase, that wait for tiers behind
	behind []float64
	// share of the time, by phase, in which it has all the processor time that it can have
	full                               []float64
	used, busy, others, wanted, thread float64   // see nstar_tier_processors_used and the like; not told if 0
	cpus                               string    // that it may run on; not told if empty
	wants                              []float64 // wanted by phase, where it is not the same in all
	// segments of answers a second that are sent again; not told if 0
	lost           float64
	asleep, locked float64 // of its requests, on which nobody works, and of these for a lock; not told if 0
	// requests of programs that are no tiers and wait for a job, by phase, besides those of queue, own and asleep
	workers []float64
	// requests of programs that are no tiers and wait for its work, by phase, besides those of queue and own
	strangers []float64
	stopped   float64 // share of the time for which a signal stops its processes; not told if 0
	// share of the time in which it stands still, and its threads wait for a processor; not told if 0
	starved float64
	refused float64            // connections a second that its accept queue has no room for; not told if 0
	errors  float64            // answers a second that are errors; not told if 0
	active  map[string]float64 // seconds in which threads of it run or want to, by what holds them
	unseen  bool               // what it is asked can't be measured: it has no own queue
	loads   []load
}

// load is what happens in a server per second.
type load struct {
	completions float64
	own         float64            // requests that wait for no tier behind
	excess      map[string]float64 // by "cause" or "cause>to", part of own
	tail        map[string]float64 // the squares; the excess if nil
}

// edge is the calls from one tier to another, as the exporter of from sees them.
type edge struct {
	app, from, to, instance string
	calls                   float64
	outstanding             float64 // 0: not told
	lost                    float64 // segments of calls a second that are sent again; not told if 0
	failed                  float64 // connections a second that can't be opened; not told if 0
	// most outstanding at once, of a window; by default as few as there can be
	peak float64
	// share of the time in which they all are, so that no scrape sees any; 0: evenly
	bursts float64
	waits  float64 // requests of from that wait for to; 0: not told
	// requests a second that wait on purpose, seconds that they take, and commits; not told if both counts are 0
	patient, patience, commits float64
	stops                      map[string]float64 // calls that should not be outstanding, by cause
	pearson                    float64            // 0: none
}

func or(s, otherwise string) string {
	if s == "" {
		return otherwise
	}
	return s
}

// in is the value of a phase: the last one goes on, and without any it is zero.
func in[T any](phase int, values []T) (value T) {
	if len(values) > 0 {
		value = values[min(phase, len(values)-1)]
	}
	return value
}

// own is how many requests are in the servers of the first one's application. Those in front of the others contain them
// all.
func (s *stack) own(phase int) float64 {
	sum := 0.0
	for _, v := range s.servers {
		if v.app == s.servers[0].app {
			sum += in(phase, v.loads).own
		}
	}
	return sum
}

// series are the exporters' counters and gauges at each scrape.
func (s *stack) series() []series {
	scrape := s.scrape
	if scrape == 0 {
		scrape = 5
	}
	total := 0
	for _, seconds := range s.phases {
		total += seconds
	}
	n := total/scrape + 1
	phase := func(second int) int {
		for i, seconds := range s.phases {
			if second -= seconds; second < 0 {
				return i
			}
		}
		return len(s.phases) - 1
	}
	sample := func(value func(second int) float64) []float64 {
		values := make([]float64, n)
		for i := range values {
			if values[i] = value(i * scrape); slices.Contains(s.missed, i) {
				values[i] = math.NaN()
			}
		}
		return values
	}
	var all []series
	counter := func(selector string, rate func(phase int) float64) {
		all = append(all, series{selector, sample(func(second int) float64 {
			sum := 0.0
			for t := range second {
				sum += rate(phase(t))
			}
			return sum
		})})
	}
	gauge := func(selector string, value float64) {
		all = append(all, series{selector, sample(func(int) float64 { return value })})
	}
	told := slices.ContainsFunc(s.servers, func(v server) bool { return v.queue > 0 })
	for i, v := range s.servers {
		labels := fmt.Sprintf(`job="nstar",instance=%q,app=%q,tier=%q`, or(v.instance, host), or(v.app, "shop"), v.tier)
		if v.unseen {
			counter("nstar_tier_completions_total{"+labels+"}", func(int) float64 { return 0 })
			counter("nstar_tier_queue_seconds_total{"+labels+"}", func(int) float64 { return 0 })
			continue
		}
		at := func(p int) load { return in(p, v.loads) }
		counter("nstar_tier_completions_total{"+labels+"}", func(p int) float64 { return at(p).completions })
		waiting := func(p int) float64 { return in(p, v.workers) }
		strangers := func(p int) float64 { return in(p, v.strangers) }
		counter("nstar_tier_own_queue_seconds_total{"+labels+"}",
			func(p int) float64 { return at(p).own + waiting(p) + strangers(p) })
		if told {
			counter("nstar_tier_queue_seconds_total{"+labels+"}",
				func(p int) float64 { return v.queue + waiting(p) + strangers(p) + in(p, v.behind) })
		} else if i == 0 {
			counter("nstar_tier_queue_seconds_total{"+labels+"}", func(p int) float64 { return s.own(p) })
		}
		if v.lost > 0 {
			counter("nstar_tier_lost_segments_total{"+labels+"}", func(int) float64 { return v.lost })
		}
		if v.errors > 0 {
			counter("nstar_tier_errors_total{"+labels+"}", func(int) float64 { return v.errors })
		}
		if v.refused > 0 {
			counter("nstar_tier_accept_overflows_total{"+labels+"}", func(int) float64 { return v.refused })
		}
		if v.asleep > 0 || len(v.workers) > 0 {
			counter("nstar_tier_asleep_seconds_total{"+labels+"}",
				func(p int) float64 { return v.asleep + waiting(p) })
			counter("nstar_tier_lock_seconds_total{"+labels+"}", func(int) float64 { return v.locked })
		}
		if v.starved > 0 {
			counter("nstar_tier_standstill_seconds_total{"+labels+"}", func(int) float64 { return v.starved })
			counter(`nstar_tier_standstill_cause_seconds_total{`+labels+`,cause="runqueue"}`,
				func(int) float64 { return v.starved })
		}
		if v.stopped > 0 {
			counter("nstar_tier_stopped_seconds_total{"+labels+"}", func(int) float64 { return v.stopped })
		}
		if v.cpus != "" {
			gauge(fmt.Sprintf(`nstar_tier_processors_info{%s,machine="m",cpus=%q}`, labels, v.cpus), 1)
		}
		if v.used > 0 {
			gauge("nstar_tier_processors_used{"+labels+"}", v.used)
			gauge("nstar_tier_processors_used_ratio{"+labels+"}", v.used/2) // of two
			gauge("nstar_tier_processors_busy_ratio{"+labels+"}", v.busy)
			gauge("nstar_tier_processors_others_ratio{"+labels+"}", v.others)
			gauge("nstar_tier_busiest_thread_ratio{"+labels+"}", v.thread)
			all = append(all, series{"nstar_tier_processors_wanted_threads{" + labels + "}",
				sample(func(second int) float64 {
					if len(v.wants) > 0 {
						return in(phase(second), v.wants)
					}
					return v.wanted
				})})
		}
		for _, held := range slices.Sorted(maps.Keys(v.active)) {
			counter(fmt.Sprintf("nstar_tier_active_seconds_total{%s,held=%q}", labels, held),
				func(int) float64 { return v.active[held] })
		}
		if len(v.full) > 0 {
			counter("nstar_tier_processors_full_seconds_total{"+labels+"}",
				func(p int) float64 { return in(p, v.full) })
		}
		if len(v.workers) > 0 {
			counter("nstar_tier_excess_queue_seconds_total{"+labels+`,cause="unknown",to=""}`, waiting)
		}
		for _, key := range v.causes() {
			cause, to, _ := strings.Cut(key, ">")
			labels := fmt.Sprintf(`%s,cause=%q,to=%q`, labels, cause, to)
			theirs := func(p int) float64 {
				if key != "demand" {
					return 0
				}
				return strangers(p)
			}
			counter("nstar_tier_excess_queue_seconds_total{"+labels+"}",
				func(p int) float64 { return at(p).excess[key] + theirs(p) })
			counter("nstar_tier_excess_queue_square_seconds_total{"+labels+"}", func(p int) float64 {
				if at(p).tail == nil {
					return at(p).excess[key] + theirs(p)
				}
				return at(p).tail[key] + theirs(p)
			})
		}
		status := v.status
		if v.r0 > 0 {
			gauge("nstar_tier_base_residence_seconds{"+labels+"}", v.r0)
			status = or(status, "known")
		}
		is := func(status string, when func(second int) bool) {
			all = append(all, series{fmt.Sprintf("nstar_tier_saturation_status{%s,status=%q}", labels, status),
				sample(func(second int) float64 {
					if when(second) {
						return 1
					}
					return 0
				})})
		}
		learns := func(second int) bool { return v.relearns > 0 && second == v.relearns }
		if v.learned > 0 {
			is("learning", func(second int) bool { return second < v.learned })
			is("never_near_limit", func(second int) bool { return second >= v.learned })
			continue
		}
		is(or(status, "learning"), func(second int) bool { return !learns(second) })
		if v.relearns > 0 {
			is("learning", learns)
		}
	}
	for _, e := range s.edges {
		labels := fmt.Sprintf(`job="nstar",instance=%q,app=%q,from=%q,to=%q`, or(e.instance, host), or(e.app, "shop"),
			e.from, e.to)
		counter("nstar_edge_calls_total{"+labels+"}", func(int) float64 { return e.calls })
		if e.outstanding > 0 {
			counter("nstar_edge_wait_seconds_total{"+labels+"}", func(int) float64 { return e.outstanding })
			busy, now := min(1, e.outstanding), math.Ceil(e.outstanding)
			if e.bursts > 0 {
				busy, now = e.bursts, 0
			}
			peak := max(e.peak, math.Ceil(e.outstanding))
			counter("nstar_edge_busy_seconds_total{"+labels+"}", func(int) float64 { return busy })
			counter("nstar_edge_peak_seconds_total{"+labels+"}", func(int) float64 { return peak })
			gauge("nstar_edge_outstanding{"+labels+"}", now)
		}
		if e.failed > 0 {
			counter("nstar_edge_failed_connections_total{"+labels+"}", func(int) float64 { return e.failed })
		}
		if e.lost > 0 {
			counter("nstar_edge_lost_segments_total{"+labels+"}", func(int) float64 { return e.lost })
		}
		if e.waits > 0 {
			counter(fmt.Sprintf(`nstar_tier_waiting_seconds_total{job="nstar",instance=%q,app=%q,tier=%q,on=%q}`,
				or(e.instance, host), or(e.app, "shop"), e.from, e.to), func(int) float64 { return e.waits })
		}
		if e.patient+e.commits > 0 {
			counter("nstar_edge_patient_calls_total{"+labels+"}", func(int) float64 { return e.patient })
			counter("nstar_edge_patient_seconds_total{"+labels+"}", func(int) float64 { return e.patience })
			counter("nstar_edge_commits_total{"+labels+"}", func(int) float64 { return e.commits })
		}
		for _, cause := range slices.Sorted(maps.Keys(e.stops)) {
			counter(fmt.Sprintf("nstar_edge_excess_seconds_total{%s,cause=%q}", labels, cause),
				func(int) float64 { return e.stops[cause] })
		}
		if e.pearson != 0 {
			gauge("nstar_edge_correlation_pearson{"+labels+"}", e.pearson)
		}
	}
	for _, one := range all {
		for instance, second := range s.begins {
			if strings.Contains(one.selector, `instance="`+instance+`"`) {
				for i := range min((second+scrape-1)/scrape, n) {
					one.values[i] = math.NaN()
				}
			}
		}
	}
	return append(all, s.more...)
}

// causes are all that a server ever has an excess by; an exporter shows demand from the start.
func (v *server) causes() []string {
	all := map[string]bool{"demand": true}
	for _, l := range v.loads {
		for key := range l.excess {
			all[key] = true
		}
	}
	return slices.Sorted(maps.Keys(all))
}

// seconds is how long a stack is watched.
func (s *stack) seconds() int {
	total := 0
	for _, seconds := range s.phases {
		total += seconds
	}
	return total
}
