// SPDX-License-Identifier: Apache-2.0

package rules

import (
	"fmt"
	"slices"
)

// x is an excess by cause, or "cause>to".
type x = map[string]float64

// calm loads: 400 requests/s, 7 ms each: 0.5 in httpd, 4.1 in Tomcat, 2.4 in MariaDB.
var (
	calmHTTPD   = load{400, 0.2, x{"demand": 0.04}, nil}
	calmTomcat  = load{400, 1.64, x{"demand": 0.44}, nil}
	calmMariaDB = load{800, 0.96, x{"demand": 0.32}, nil}

	// without any excess
	quietMariaDB = load{800, 0.64, nil, nil}

	// the same of four times as many requests
	fastHTTPD   = load{1600, 0.8, x{"demand": 0.16}, nil}
	fastMariaDB = load{3200, 3.84, x{"demand": 1.28}, nil}
)

// tiers3 is httpd before Tomcat before MariaDB, which gets two queries for each request; more are the loads after the
// calm ones. R0 is 0.4, 3 and 0.8 ms.
func tiers3(phases []int, httpd, tomcat, mariadb []load) stack {
	return stack{
		phases: phases,
		servers: []server{
			{tier: "httpd", r0: 0.0004, loads: httpd},
			{tier: "tomcat", r0: 0.003, loads: tomcat},
			{tier: "mariadb", r0: 0.0008, loads: mariadb},
		},
		edges: []edge{{from: "httpd", to: "tomcat", calls: 400}, {from: "tomcat", to: "mariadb", calls: 800}},
	}
}

// calm3 are the calm loads for each phase but the last, which has these.
func calm3(phases []int, httpd, tomcat, mariadb load) stack {
	before := func(calm, last load) []load {
		var all []load
		for range len(phases) - 1 {
			all = append(all, calm)
		}
		return append(all, last)
	}
	return tiers3(phases, before(calmHTTPD, httpd), before(calmTomcat, tomcat), before(calmMariaDB, mariadb))
}

// onHosts puts each tier of a stack on a host of its own.
func onHosts(s stack) stack {
	s.servers, s.edges = append([]server(nil), s.servers...), append([]edge(nil), s.edges...)
	for i := range s.servers {
		s.servers[i].instance = s.servers[i].tier + ":9965"
	}
	for i := range s.edges {
		s.edges[i].instance = s.edges[i].from + ":9965"
	}
	return s
}

// with changes a stack.
func with(s stack, change func(*stack)) stack {
	change(&s)
	return s
}

// runs tells which program a tier is.
func runs(s *stack, tier, program string) {
	s.more = append(s.more, series{
		fmt.Sprintf(`nstar_tier_program_info{job="nstar",instance=%q,app="shop",tier=%q,program=%q}`, host, tier, program),
		slices.Repeat([]float64{1}, s.seconds()/5+1),
	})
}

// cached is the same with a fourth server, which Tomcat asks as often as MariaDB, but for 125 s MariaDB four times as
// often.
func cached() stack {
	s := tiers3([]int{80, 125, 35}, []load{calmHTTPD}, []load{calmTomcat},
		[]load{calmMariaDB, {3200, 3.84, x{"demand": 1.28}, nil}, calmMariaDB})
	s.servers = append(s.servers, server{tier: "redis", r0: 0.0001, loads: []load{{800, 0.08, nil, nil}}})
	s.edges[1] = edge{from: "tomcat", to: "redis", calls: 800}
	calls := grows(&s, func(second int) float64 {
		if second >= 80 && second < 205 {
			return 5 * 3200
		}
		return 5 * 800
	})
	s.more = []series{
		{`nstar_edge_calls_total{job="nstar",instance="h:9965",app="shop",from="tomcat",to="mariadb"}`, calls}}
	return s
}

// uncached is Tomcat that asks Redis, and hardly ever MariaDB, which PHP asks. From the 80th second on it asks MariaDB
// instead of Redis, and its questions are dearer than those of PHP.
func uncached() stack {
	s := tiers3([]int{80, 100}, []load{calmHTTPD}, []load{calmTomcat},
		[]load{calmMariaDB, {1120, 4, x{"demand": 2.4}, nil}})
	s.servers = append(s.servers, server{tier: "php", r0: 0.002, loads: []load{{200, 0.4, nil, nil}}},
		server{tier: "redis", r0: 0.0001, loads: []load{{400, 0.04, nil, nil}, {0, 0, nil, nil}}})
	s.edges[1] = edge{from: "httpd", to: "php", calls: 200}
	s.edges = append(s.edges, edge{from: "php", to: "mariadb", calls: 760})
	from := func(to string, before, then float64) series {
		labels := fmt.Sprintf(`{job="nstar",instance="h:9965",app="shop",from="tomcat",to=%q}`, to)
		return series{"nstar_edge_calls_total" + labels,
			grows(&s, func(second int) float64 {
				if second >= 80 {
					return 5 * then
				}
				return 5 * before
			})}
	}
	s.more = []series{from("mariadb", 40, 360), from("redis", 400, 0)}
	usesProcessors(&s, "mariadb", 0.8, 80, 2.8)
	return s
}

// unseenMariaDB is Tomcat whose requests sleep from the 80th second on, when no request of MariaDB is seen any more,
// which uses so much processor time then, in seconds every 5 s.
func unseenMariaDB(used float64) stack {
	s := tiers3([]int{80, 100}, []load{calmHTTPD}, []load{calmTomcat, {400, 8, x{"unknown": 5}, nil}},
		[]load{calmMariaDB, {0, 0, nil, nil}})
	s.servers[1].asleep = 7
	usesProcessors(&s, "mariadb", 0.8, 80, used)
	return s
}

// neverCalm is Tomcat with full processors from the first second on, so that nobody has seen its R0.
func neverCalm(s *stack) {
	s.servers[1].r0, s.servers[1].status, s.servers[1].full = 0, "always_at_limit", []float64{1}
}

// alike is httpd before several Tomcats that share its requests, all with the same load, before MariaDB.
func alike(n int, phases []int, tomcat load) stack {
	s := tiers3(phases, []load{calmHTTPD}, nil, []load{calmMariaDB})
	mariadb := s.servers[2]
	s.servers, s.edges = s.servers[:1], nil
	for i := range n {
		name := fmt.Sprintf("tomcat-%d", i+1)
		s.servers = append(s.servers, server{tier: name, r0: 0.003, loads: []load{tomcat}})
		s.edges = append(s.edges, edge{from: "httpd", to: name, calls: 400 / float64(n)},
			edge{from: name, to: "mariadb", calls: 800 / float64(n)})
	}
	s.servers = append(s.servers, mariadb)
	return s
}

// pipeline is ingest before Kafka, and a consumer of these records before PostgreSQL, which nobody asks: how many
// requests for records it makes that wait, for how long in all, and what it calls.
func pipeline(patient, patience, calls, outstanding float64, postgres load) stack {
	return stack{
		phases: []int{240},
		servers: []server{
			{tier: "ingest", r0: 0.0002, queue: 0.4, loads: []load{{400, 0.1, nil, nil}}},
			{tier: "kafka", r0: 0.0007, queue: 0.3, loads: []load{{400, 0.3, nil, nil}}},
			{tier: "consumer", loads: []load{{0, 0, nil, nil}}},
			{tier: "postgres", r0: 0.0008, queue: outstanding, loads: []load{postgres}},
		},
		edges: []edge{
			{from: "ingest", to: "kafka", calls: 400, outstanding: 0.3},
			{from: "consumer", to: "kafka", calls: 0.2, patient: patient, patience: patience},
			{from: "consumer", to: "postgres", calls: calls, outstanding: outstanding},
		},
	}
}

// jobs is the calm three tiers with a server of jobs in place of MariaDB: how many requests Tomcat has there on
// average, and how many are there in all. Why they wait is unknown.
func jobs(asked, all float64) stack {
	gearmand := load{1200, all, x{"unknown": all - 0.1}, nil}
	return with(calm3([]int{240}, calmHTTPD, calmTomcat, gearmand), func(s *stack) {
		s.servers[1].queue = calmTomcat.own + asked
		s.servers[0].queue = calmHTTPD.own + s.servers[1].queue
		s.servers[2] = server{tier: "gearmand", queue: all, loads: s.servers[2].loads}
		s.edges[0].outstanding = s.servers[1].queue
		s.edges[1] = edge{from: "tomcat", to: "gearmand", calls: 400, outstanding: asked}
	})
}

// reports is the calm three tiers, and programs that are no tiers ask MariaDB for so much, by phase.
func reports(phases []int, strangers ...float64) stack {
	database := load{800, 0.96, nil, nil}
	return with(calm3(phases, calmHTTPD, calmTomcat, database), func(s *stack) {
		s.servers[2].loads, s.servers[2].strangers = []load{database}, strangers
		s.servers[2].queue = database.own
		s.servers[1].queue = calmTomcat.own + s.servers[2].queue
		s.servers[0].queue = calmHTTPD.own + s.servers[1].queue
		s.edges[0].outstanding, s.edges[1].outstanding = s.servers[1].queue, s.servers[2].queue
	})
}

// noLongerIdle is a consumer of a pipeline that asked for records a hundred times a second for a minute, with so many
// of these requests waiting, and not at all from then on, while it goes on saying that work is done.
func noLongerIdle(s *stack, waiting float64) {
	waitsNoMore(s, 100, waiting)
	commits := make([]float64, s.seconds()/5+1)
	for i := range commits {
		commits[i] = 8 * float64(i)
	}
	s.more = append(s.more, series{"nstar_edge_commits_total" + fromKafka, commits})
}

// waitsNoMore is a consumer of a pipeline that asked for work so many times a second for a minute, and waited for it
// for so much of its time, and does not ask in that way from then on.
func waitsNoMore(s *stack, calls, waiting float64) {
	scrapes := s.seconds()/5 + 1
	asked, seconds := make([]float64, scrapes), make([]float64, scrapes)
	for i := range asked {
		asked[i], seconds[i] = 5*calls*float64(min(i, 12)), 5*waiting*float64(min(i, 12))
	}
	s.more = []series{{"nstar_edge_patient_calls_total" + fromKafka, asked},
		{"nstar_edge_patient_seconds_total" + fromKafka, seconds}}
}

// hangs is MariaDB, which gives no answers from the 30th second on. The requests in it sleep, as those of a server do
// that waits for something out of sight, so that the exporter takes only their first second for a stop. More and more
// of Tomcat's wait for a connection to it.
func hangs() stack {
	s := tiers3([]int{30}, []load{calmHTTPD}, []load{calmTomcat}, []load{calmMariaDB})
	for n := range 12 {
		waits := 8 * float64(n+1)
		s.phases = append(s.phases, 5)
		s.servers[1].loads = append(s.servers[1].loads,
			load{100, 1.64 + waits, x{"demand": 0.44, "stalled>mariadb": waits}, nil})
		s.servers[2].loads = append(s.servers[2].loads, load{10, 6, x{"unknown": 5}, nil})
	}
	standsStillOnce(&s, "mariadb", 30)
	return s
}

// standsStillOnce is what an exporter counts that takes a tier for stopped once, for a second, at a time.
func standsStillOnce(s *stack, tier string, at int) {
	stops, frozen := make([]float64, s.seconds()/5+1), make([]float64, s.seconds()/5+1)
	for i := range stops {
		if 5*i > at {
			stops[i], frozen[i] = 1, 20
		}
	}
	of := fmt.Sprintf(`{job="nstar",instance="h:9965",app="shop",tier=%q,`, tier)
	s.more = append(s.more, series{"nstar_tier_stops_total" + of + `cause="stopped"}`, stops},
		series{"nstar_tier_state_windows_total" + of + `state="frozen"}`, frozen})
}

// stopsFrom tells how often a second something stops a tier from a time on.
func stopsFrom(s *stack, tier string, from int, perSecond float64) {
	number := make([]float64, s.seconds()/5+1)
	for i := range number {
		number[i] = 5 * perSecond * float64(max(0, i-from/5))
	}
	s.more = append(s.more, series{fmt.Sprintf(
		`nstar_tier_stops_total{job="nstar",instance="h:9965",app="shop",tier=%q,cause="stopped"}`, tier), number})
}

// throttledFrom lets a quota hold a tier's threads from a time on, one of which wants to run all the time then.
func throttledFrom(s *stack, tier string, from int) {
	free, held, thread := make([]float64, s.seconds()/5+1), make([]float64, s.seconds()/5+1), []float64(nil)
	for i := range free {
		after := max(0, i-from/5)
		free[i], held[i] = 0.5*float64(i-after)+0.1*float64(after), 4.9*float64(after)
		thread = append(thread, min(1, 0.1+float64(after)))
	}
	of := fmt.Sprintf(`job="nstar",instance="h:9965",app="shop",tier=%q`, tier)
	s.more = append(s.more, series{"nstar_tier_active_seconds_total{" + of + `,held="nothing"}`, free},
		series{"nstar_tier_active_seconds_total{" + of + `,held="throttled"}`, held},
		series{"nstar_tier_busiest_thread_ratio{" + of + "}", thread})
}

// fromKafka are the labels of a pipeline's edge on which records are taken.
const fromKafka = `{job="nstar",instance="h:9965",app="shop",from="consumer",to="kafka"}`

// overNetwork is the calm three tiers, with so many calls to MariaDB, or answers, that are on the way on average, and
// so many segments a second that get lost there.
func overNetwork(onTheWay, calls, answers float64) stack {
	return with(calm3([]int{240}, calmHTTPD, calmTomcat, calmMariaDB), func(s *stack) {
		toMariaDB := calmMariaDB.own + onTheWay
		toTomcat := calmTomcat.own + toMariaDB
		s.servers[0].queue, s.servers[1].queue, s.servers[2].queue = calmHTTPD.own+toTomcat, toTomcat, calmMariaDB.own
		s.servers[2].lost = answers
		s.edges[0].outstanding, s.edges[1].outstanding, s.edges[1].lost = toTomcat, toMariaDB, calls
	})
}

// grows is a counter of a stack that grows by so much in the 5 s from a second on.
func grows(s *stack, by func(second int) float64) []float64 {
	values := make([]float64, s.seconds()/5+1)
	for i := range len(values) - 1 {
		values[i+1] = values[i] + by(5*i)
	}
	return values
}

// usesProcessors lets a tier use so much processor time, in seconds every 5 s, before a time, and so much from then on.
func usesProcessors(s *stack, tier string, before float64, from int, then float64) {
	used := grows(s, func(second int) float64 {
		if second >= from {
			return then
		}
		return before
	})
	of := fmt.Sprintf(`{job="nstar",instance="h:9965",app="shop",tier=%q}`, tier)
	s.more = append(s.more, series{"nstar_tier_cpu_seconds_total" + of, used})
}

// sleepyMariaDB is a calm stack in which 7 requests instead of 1 are in MariaDB from the 60th second on, and so many of
// them sleep.
func sleepyMariaDB(asleep float64) stack {
	return with(calm3([]int{60, 120}, calmHTTPD, calmTomcat, load{800, 7, x{"demand": 0.4, "unknown": 0.1}, nil}),
		func(s *stack) { s.servers[2].asleep = asleep })
}

// dearerPage is a stack in which Tomcat takes most of the time. So many requests are in MariaDB, and use so much
// processor time, in seconds every 5 s: before the 60th second, and then.
func dearerPage(ownBefore, usedBefore, own, used float64) stack {
	return with(tiers3([]int{60, 120}, []load{calmHTTPD}, []load{{400, 2.3, x{"demand": 0.5}, nil}},
		[]load{{800, ownBefore, nil, nil}, {800, own, nil, nil}}), func(s *stack) {
		s.servers[1].r0, s.servers[2].r0 = 0.0045, 0.0002
		usesProcessors(s, "mariadb", usedBefore, 60, used)
	})
}

// sleepyTwo is a calm stack in which so many requests are in Tomcat and in MariaDB from the 60th second on, and so many
// of them sleep.
func sleepyTwo(tomcat, asleepTomcat, mariadb, asleepMariaDB float64) stack {
	return with(tiers3([]int{60, 120}, []load{calmHTTPD}, []load{calmTomcat, {400, tomcat, x{"unknown": 0.1}, nil}},
		[]load{calmMariaDB, {800, mariadb, x{"demand": 0.4, "unknown": 0.1}, nil}}), func(s *stack) {
		s.servers[1].asleep, s.servers[2].asleep = asleepTomcat, asleepMariaDB
	})
}

// asksMore is the calm three tiers; from the 60th second on each request of Tomcat takes six times the processor time,
// and MariaDB has so many requests a second, and so many at a time.
func asksMore(completions, own float64) stack {
	return with(tiers3([]int{60, 120}, []load{calmHTTPD}, []load{calmTomcat, {400, 5, x{"demand": 1.6}, nil}},
		[]load{calmMariaDB, {completions, own, x{"demand": 0.4}, nil}}), func(s *stack) {
		usesProcessors(s, "tomcat", 0.4, 60, 2.4)
	})
}

// diskMariaDB is the calm three tiers, and after a minute requests take two thirds longer, which is all in MariaDB: for
// these causes.
func diskMariaDB(causes x) stack {
	return calm3([]int{60, 120}, calmHTTPD, calmTomcat, load{800, 2.8, causes, nil})
}

// sleepBehindWork is the calm three tiers, and after a minute each request of MariaDB takes six times the processor
// time and three times as long, while most of them sleep: it uses so many processors.
func sleepBehindWork(used float64) stack {
	return with(calm3([]int{60, 120}, calmHTTPD, calmTomcat, load{800, 3.2, x{"demand": 1.4}, nil}), func(s *stack) {
		usesProcessors(s, "mariadb", 0.4, 60, 2.4)
		s.servers[2].asleep, s.servers[2].used = 2, used
	})
}

// takesProcessors is the calm three tiers, and after a minute each request of MariaDB takes twelve times the processor
// time, and the other tiers wait for processors; so many requests are in MariaDB then.
func takesProcessors(own float64) stack {
	return with(calm3([]int{60, 120}, load{400, 1, x{"noisy_neighbour": 0.3}, nil},
		load{400, 3, x{"demand": 0.44, "noisy_neighbour": 0.7}, nil},
		load{800, own, x{"demand": 0.7}, nil}), func(s *stack) {
		usesProcessors(s, "mariadb", 0.4, 60, 4.8)
	})
}

// idleZope adds a program that was never asked, and whose two calls at a server of its own are not answered.
func idleZope(s *stack) {
	s.servers = append(s.servers, server{tier: "zope", r0: 1e-3, loads: []load{{0, 0, nil, nil}}, unseen: true},
		server{tier: "zeo", r0: 1e-3, queue: 2, loads: []load{{0, 2, nil, nil}}})
	s.edges = append(s.edges, edge{from: "zope", to: "zeo", outstanding: 2})
}

// sleepsLonger is httpd before Tomcat, which asks a supplier four times a second, whose requests sleep for 40 ms; from
// the 90th second on so many times a second, and for so many seconds. The supplier's base residence follows at once.
func sleepsLonger(calls, seconds float64) stack {
	s := tiers3([]int{90, 120}, []load{{20, 0.02, nil, nil}}, []load{{20, 0.4, nil, nil}},
		[]load{{4, 0.16, nil, nil}, {calls, calls * seconds, nil, nil}})
	s.servers[2].tier, s.servers[2].r0, s.servers[2].status, s.servers[2].asleep = "supplier", 0, "known", calls*seconds
	s.edges[1] = edge{from: "tomcat", to: "supplier", calls: 4}
	base := make([]float64, s.seconds()/5+1)
	for i := range base {
		if base[i] = 0.04; 5*i >= 90 {
			base[i] = seconds
		}
	}
	s.more = append(s.more, series{
		`nstar_tier_base_residence_seconds{job="nstar",instance="h:9965",app="shop",tier="supplier"}`, base})
	return s
}
