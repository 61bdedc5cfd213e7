// SPDX-License-Identifier: Apache-2.0

package rules

import (
	"slices"
	"strings"
)

// Shares of the mean response time, as blamed.
const blamed = `round(nstar:app_excess_share:ratio, 1e-6)`

// blames are small stacks on which every step of the blame can be followed by hand: own queues add up to 100.
var blames = []truth{
	{
		name: "three hops: a waits for b for c for d",
		stack: chain(x{"behind>b": 20}, x{"behind>c": 15, "soft_resource>c": 5},
			x{"behind>d": 10, "garbage_collection": 10},
			x{"demand": 8, "stopped": 2}),
		more: []query{{blamed, 240, map[string]float64{
			// b passes on 15/20 of a's 20 and its own 15, c half of that, d splits by 8 and 2.
			`{app="shop",tier="b",cause="soft_resource"}`:      0.10,
			`{app="shop",tier="c",cause="garbage_collection"}`: 0.25,
			`{app="shop",tier="d",cause="demand"}`:             0.28,
			`{app="shop",tier="d",cause="stopped"}`:            0.07,
		}}},
	},
	{
		name:  "a waits for b, which knows its base residence and has no excess: there are too few places in a for it",
		stack: chain(x{"behind>b": 20}, nil, nil, nil),
		more: []query{
			{blamed, 240, map[string]float64{`{app="shop",tier="a",cause="soft_resource"}`: 0.2}},
			{`nstar:tier_nowhere:mean15s`, 240, nil},
		},
	},
	{
		name: "a tier without an excess of its own, of which nobody knows the base residence: demand",
		stack: with(chain(x{"behind>b": 20}, nil, nil, nil), func(s *stack) {
			s.servers[1].r0 = 0
		}),
		more: []query{
			{blamed, 240, map[string]float64{`{app="shop",tier="b",cause="demand"}`: 0.2}},
			{`round(nstar:tier_nowhere:mean15s{of="mean"}, 1e-6)`, 240,
				map[string]float64{`{app="shop",at="b",hop="1",of="mean"}`: 20}},
		},
	},
	{
		name:  "the fourth hop ends the chain",
		stack: chain(x{"behind>b": 20}, x{"behind>c": 20}, x{"behind>d": 20}, x{"behind>a": 8, "demand": 2}),
		more: []query{{blamed, 240, map[string]float64{
			// In a ring that passes on nearly everything, what is left at the third hop
			// stays where it is. At d 2 of its own, a fifth of 40 and all of 20.
			`{app="shop",tier="a",cause="demand"}`: 0.16,
			`{app="shop",tier="b",cause="demand"}`: 0.16,
			`{app="shop",tier="c",cause="demand"}`: 0.08,
			`{app="shop",tier="d",cause="demand"}`: 0.30,
		}}},
	},
	{
		name:  "a stall is a stop of the tier that gave no answer, be it known there or not",
		stack: chain(x{"stalled>b": 20}, x{"demand": 10}, nil, nil),
		more: []query{{blamed, 240, map[string]float64{
			`{app="shop",tier="b",cause="stopped"}`: 0.20, `{app="shop",tier="b",cause="demand"}`: 0.10}}},
	},
	{
		name: "unless it is at work with all the processors that it can have: its statements are long",
		stack: with(chain(x{"stalled>b": 20}, x{"demand": 10}, nil, nil), func(s *stack) {
			s.servers[1].full = []float64{0.9}
		}),
		more: append(steps(240, map[string]map[string]float64{
			`nstar:tier_toils:ratio15s`: {`at="b",to="b"`: 0.9},
		}), query{blamed, 240, map[string]float64{`{app="shop",tier="b",cause="demand"}`: 0.30}}),
	},
	{
		name: "nor where it has had them all for ten seconds: its load has just begun",
		stack: with(chain(x{"stalled>b": 20}, x{"demand": 10}, nil, nil), func(s *stack) {
			s.phases, s.servers[1].full = []int{230, 10}, []float64{0, 1}
		}),
		more: steps(240, map[string]map[string]float64{`nstar:tier_toils:ratio15s`: {`at="b",to="b"`: 1}}),
	},
	{
		name: "unless the network has lost what it should answer",
		stack: with(chain(x{"stalled>b": 20}, x{"demand": 10}, nil, nil), func(s *stack) {
			s.servers[0].queue, s.servers[1].queue, s.servers[2].queue, s.servers[3].queue = 75, 25, 25, 25
			s.edges[0].outstanding, s.edges[0].lost = 50, 50
		}),
		more: append(steps(240, map[string]map[string]float64{
			`nstar:tier_stalled_left:ratio15s`: {`to="b",cause="stalled"`: 0.25},
		}), query{blamed, 240, map[string]float64{ // of 125 requests 15 of the 25 on the way
			`{app="shop",tier="b",cause="network"}`: 0.12, `{app="shop",tier="b",cause="stopped"}`: 0.04,
			`{app="shop",tier="b",cause="demand"}`: 0.08}}),
	},
	{
		name:  "and has that one's reason",
		stack: chain(x{"stalled>b": 20}, x{"demand": 10, "garbage_collection": 3, "stopped": 1}, nil, nil),
		more: []query{{blamed, 240, map[string]float64{
			`{app="shop",tier="b",cause="garbage_collection"}`: 0.18, `{app="shop",tier="b",cause="stopped"}`: 0.06,
			`{app="shop",tier="b",cause="demand"}`: 0.10}}},
	},
	{
		name: "a tier without processors gives no answer",
		stack: chain(x{"stalled>b": 20}, x{"starved": 4, "stopped": 1, "noisy_neighbour": 2}, x{"stalled>d": 6},
			x{"noisy_neighbour": 6}),
		more: []query{{blamed, 240, map[string]float64{
			`{app="shop",tier="b",cause="noisy_neighbour"}`: 0.22, `{app="shop",tier="b",cause="stopped"}`: 0.05,
			`{app="shop",tier="d",cause="noisy_neighbour"}`: 0.12}}},
	},
	{
		name:  "a tier that its quota stops gives no answer",
		stack: chain(x{"stalled>b": 20}, x{"throttled": 4}, nil, nil),
		more:  []query{{blamed, 240, map[string]float64{`{app="shop",tier="b",cause="throttled"}`: 0.24}}},
	},
	{
		name:  "nor does one that waits for its disk",
		stack: chain(x{"stalled>b": 20}, x{"disk": 5}, nil, nil),
		more:  []query{{blamed, 240, map[string]float64{`{app="shop",tier="b",cause="disk"}`: 0.25}}},
	},
	{
		name:  "a little waiting for the disk, or for processors, is no reason for that",
		stack: chain(x{"stalled>b": 20}, x{"disk": 4, "noisy_neighbour": 2}, nil, nil),
		more: []query{{blamed, 240, map[string]float64{
			`{app="shop",tier="b",cause="stopped"}`: 0.20, `{app="shop",tier="b",cause="disk"}`: 0.04,
			`{app="shop",tier="b",cause="noisy_neighbour"}`: 0.02}}},
	},
	{
		name:  "a little waiting for processors is no reason for that",
		stack: chain(x{"stalled>b": 20}, x{"noisy_neighbour": 8}, nil, nil),
		more: []query{{blamed, 240, map[string]float64{
			`{app="shop",tier="b",cause="stopped"}`: 0.20, `{app="shop",tier="b",cause="noisy_neighbour"}`: 0.08}}},
	},
	{
		name:  "stalls go along the chain: a waits for b, which waits for c, which stands still",
		stack: chain(x{"stalled>b": 20}, x{"stalled>c": 10}, x{"stopped": 5}, nil),
		more:  []query{{blamed, 240, map[string]float64{`{app="shop",tier="c",cause="stopped"}`: 0.35}}},
	},
	{
		name:  "stalls go along the chain, and what waits for a place goes with them",
		stack: chain(x{"behind>b": 20}, x{"stalled>c": 10, "demand": 10}, x{"stalled>d": 6, "stopped": 2}, nil),
		more: append(steps(240, map[string]map[string]float64{
			`nstar:tier_stalled:mean15s{of="mean"}`: {`at="b",to="c",of="mean"`: 10, `at="c",to="d",of="mean"`: 6},
			`nstar:tier_stall:mean15s{of="mean"}`: { // c: b's 10 and half of a's 20
				`at="c",of="mean",hop="1"`: 20, `at="d",of="mean",hop="1"`: 6, `at="d",of="mean",hop="2"`: 15},
			`nstar:tier_stop:mean15s{of="mean"}`:  {`at="c",cause="stopped",of="mean"`: 2},
			`nstar:tier_still:mean15s{of="mean"}`: {`at="c",of="mean"`: 8},
			`nstar:tier_stall_cause:mean15s{of="mean"}`: {
				`at="c",tier="c",cause="stopped",of="mean"`: 5, `at="d",tier="d",cause="stopped",of="mean"`: 21},
		}), query{blamed, 240, map[string]float64{
			`{app="shop",tier="b",cause="demand"}`: 0.20, `{app="shop",tier="c",cause="stopped"}`: 0.07,
			`{app="shop",tier="d",cause="stopped"}`: 0.21}}),
	},
	{
		name: "a stall of a destination that nobody measures",
		stack: with(chain(x{"stalled>10.0.0.9:80": 20}, nil, nil, nil), func(s *stack) {
			s.edges = append(s.edges, edge{from: "a", to: "10.0.0.9:80", calls: 100})
		}),
		more: []query{{blamed, 240, map[string]float64{`{app="shop",tier="10.0.0.9:80",cause="slow"}`: 0.2}}},
	},
	{
		name: "a broker that the kernel saw stopped while requests slept",
		stack: with(chain(x{"stalled>rabbitmq": 20}, nil, nil, nil), func(s *stack) {
			s.edges = append(s.edges, edge{from: "a", to: "rabbitmq"})
			s.more = append(s.more, series{
				`nstar_tier_unmeasured_connections_total{job="nstar",instance="h:9965",app="shop",tier="rabbitmq"}`, slices.Repeat([]float64{3}, 49)})
		}),
		more: []query{{blamed, 240, map[string]float64{`{app="shop",tier="rabbitmq",cause="stopped"}`: 0.2}}},
	},
	{
		name:  "a tier passes on to two",
		stack: chain(x{"behind>b": 16, "behind>c": 8}, x{"demand": 10}, x{"unknown": 10}, nil),
		more: []query{{blamed, 240, map[string]float64{
			`{app="shop",tier="b",cause="demand"}`: 0.26, `{app="shop",tier="c",cause="unknown"}`: 0.18}}},
	},
	{
		name:  "a place is passed on where half of the own queue behind is excess",
		stack: chain(x{"place>b": 20}, x{"demand": 12.5}, nil, nil),
		more:  []query{{blamed, 240, map[string]float64{`{app="shop",tier="b",cause="demand"}`: 0.325}}},
	},
	{
		name:  "and is the limit's where less is",
		stack: chain(x{"place>b": 20}, x{"demand": 12.4}, nil, nil),
		more: []query{{blamed, 240, map[string]float64{
			`{app="shop",tier="a",cause="soft_resource"}`: 0.2, `{app="shop",tier="b",cause="demand"}`: 0.124}}},
	},
	{
		name: "what a stop leaves behind takes the demand of the tier behind, and what is left over that of the next",
		stack: with(chain(x{"stopped": 10}, x{"demand": 6}, x{"demand": 8}, x{"demand": 1}), func(s *stack) {
			s.edges[0].stops = x{"stopped": 9}
		}),
		more: []query{{blamed, 240, map[string]float64{
			`{app="shop",tier="a",cause="stopped"}`: 0.19, // 10, all 6 of b, 3 of c
			`{app="shop",tier="c",cause="demand"}`:  0.05,
			`{app="shop",tier="d",cause="demand"}`:  0.01,
		}}},
	},
	{
		name: "step by step",
		stack: with(chain(x{"stopped": 10}, x{"demand": 6, "behind>c": 4}, x{"demand": 8}, nil), func(s *stack) {
			s.edges[0].stops = x{"stopped": 9}
		}),
		more: steps(240, map[string]map[string]float64{
			`nstar:tier_throughput:requests_per_second15s{tier="a"}`: {`tier="a"`: 100},
			`nstar:tier_own_queue_length:mean15s{tier="b"}`:          {`tier="b"`: 25},
			`nstar:tier_base_queue_length:mean15s{tier="b"}`:         {`tier="b"`: 10},
			`nstar:tier_excess:mean15s{tier="b",of="mean"}`: {
				`tier="b",cause="demand",of="mean"`: 6, `tier="b",cause="behind",to="c",of="mean"`: 4},
			`nstar:tier_excess_sum:mean15s{at="b"}`:       {`at="b",of="mean"`: 10, `at="b",of="tail"`: 10},
			`nstar:tier_demand_excess:mean15s{of="mean"}`: {`at="b",of="mean"`: 6, `at="c",of="mean"`: 8},
			`nstar:app_throughput:requests_per_second15s`: {``: 100},
			`nstar:app_queue_length:mean15s`:              {``: 100},
			`nstar:tier_stop_backlog:mean15s`: {
				`at="b",tier="a",cause="stopped",hop="1"`: 9, `at="c",tier="a",cause="stopped",hop="2"`: 3},
			`nstar:tier_recovery:mean15s`: {
				`at="b",tier="a",cause="stopped",hop="1"`: 6, `at="c",tier="a",cause="stopped",hop="2"`: 2},
			`nstar:tier_waiting:mean15s{of="mean"}`: {`at="b",to="c",of="mean"`: 4},
			`nstar:tier_waited_for:ratio15s`:        {`at="a"`: 1, `at="b"`: 1, `at="c"`: 1.5},
			`nstar:tier_direct_excess:mean15s{of="mean"}`: {
				`at="a",tier="a",cause="stopped",of="mean"`: 10, `at="b",tier="a",cause="stopped",of="mean"`: 6,
				`at="c",tier="a",cause="stopped",of="mean"`: 2, `at="c",tier="c",cause="demand",of="mean"`: 6},
			`nstar:tier_passed_on:mean15s{of="mean"}`: {`at="c",of="mean",hop="1"`: 4},
			`nstar:app_excess:mean15s{of="mean"}`: {
				`tier="a",cause="stopped",of="mean"`: 19, `tier="c",cause="demand",of="mean"`: 9}, // 10 and 9 of the stop
			`nstar:tier_slowdown:ratio15s{tier="c"}`: {`tier="c"`: 1.9},
			`nstar:tier_at_limit:bool15s{tier="c"}`:  {`tier="c"`: 0},
		}),
	},
	{
		name:  "a place in front of a tier that is slow",
		stack: chain(x{"place>b": 20}, x{"demand": 15}, nil, nil),
		more: append(steps(240, map[string]map[string]float64{
			`nstar:tier_slow:ratio15s{to="b"}`: {`at="b",to="b"`: 0.6},
		}), query{blamed, 240, map[string]float64{`{app="shop",tier="b",cause="demand"}`: 0.35}}),
	},
	{
		name:  "a place in front of a tier with hardly a queue",
		stack: chain(x{"place>b": 20}, x{"demand": 2}, nil, nil),
		more: []query{{blamed, 240, map[string]float64{
			`{app="shop",tier="a",cause="soft_resource"}`: 0.2, `{app="shop",tier="b",cause="demand"}`: 0.02}}},
	},
	{
		// As seen of PgBouncer between uWSGI and PostgreSQL.
		name: "a place in front of a tier that hands on to one that is slow",
		stack: with(chain(x{"place>b": 20}, nil, x{"demand": 20}, nil), func(s *stack) {
			s.servers[1].loads[0].own = 5
			s.edges[1].outstanding = 20
		}),
		more: append(steps(240, map[string]map[string]float64{
			`nstar:tier_handed_on:ratio15s`:         {`to="b",behind="c"`: 0.8},
			`nstar:tier_waiting:mean15s{of="mean"}`: {`at="a",to="c",of="mean"`: 20},
		}), query{blamed, 240, map[string]float64{`{app="shop",tier="c",cause="demand"}`: 0.5}}),
	},
	{
		name: "requests that wait for such a tier wait for the slow one, too",
		stack: with(chain(x{"behind>b": 20}, nil, x{"demand": 20}, nil), func(s *stack) {
			s.servers[1].loads[0].own = 5
			s.edges[1].outstanding = 20
		}),
		more: []query{{blamed, 240, map[string]float64{`{app="shop",tier="c",cause="demand"}`: 0.5}}},
	},
	{
		// As seen of Passenger before processes of Ruby, which wait for a service, which waits for PostgreSQL: a little
		// of what happens in b and c happens by other causes.
		name: "requests that wait for a tier that hands on to one that hands on to the slow one",
		stack: with(chain(x{"behind>b": 20}, x{"noisy_neighbour": 0.1}, x{"behind>d": 2}, x{"demand": 20}),
			func(s *stack) {
				s.servers[1].loads[0].own, s.servers[2].loads[0].own = 5, 5
				s.edges[1].outstanding, s.edges[2].outstanding = 40, 30
			}),
		more: append(steps(240, map[string]map[string]float64{
			`nstar:tier_handed_on:ratio15s`:         {`to="b",behind="c"`: 0.888889, `to="c",behind="d"`: 0.857143},
			`nstar:tier_waiting:mean15s{of="mean"}`: {`at="a",to="c",of="mean"`: 20, `at="c",to="d",of="mean"`: 2},
		}), query{blamed, 240, map[string]float64{`{app="shop",tier="b",cause="noisy_neighbour"}`: 0.001667,
			`{app="shop",tier="d",cause="demand"}`: 0.7}}),
	},
	{
		name: "a place in front of a tier that hands on to one with hardly a queue",
		stack: with(chain(x{"place>b": 20}, nil, x{"demand": 2}, nil), func(s *stack) {
			s.servers[1].loads[0].own = 5
			s.edges[1].outstanding = 20
		}),
		more: []query{{blamed, 240, map[string]float64{
			`{app="shop",tier="a",cause="soft_resource"}`: 0.25, `{app="shop",tier="c",cause="demand"}`: 0.025}}},
	},
	{
		name: "a place in front of a tier that keeps half of its requests, and is not slow",
		stack: with(chain(x{"place>b": 20}, nil, x{"demand": 20}, nil), func(s *stack) {
			s.servers[1].loads[0].own = 20
			s.edges[1].outstanding = 20
		}),
		more: []query{{blamed, 240, map[string]float64{
			`{app="shop",tier="a",cause="soft_resource"}`: 0.210526,
			`{app="shop",tier="c",cause="demand"}`:        0.210526}}},
	},
	{
		name: "two stops share the demand that they left",
		stack: with(chain(x{"stopped": 10}, x{"garbage_collection": 10}, x{"demand": 8}, nil), func(s *stack) {
			s.edges = append(s.edges, edge{from: "a", to: "c", calls: 100, stops: x{"stopped": 4}})
			s.edges[1].stops = x{"garbage_collection": 12}
		}),
		more: []query{{blamed, 240, map[string]float64{
			`{app="shop",tier="a",cause="stopped"}`:            0.12,
			`{app="shop",tier="b",cause="garbage_collection"}`: 0.16,
		}}},
	},
	{
		name: "no more than there is, and none where there is no demand",
		stack: with(chain(x{"stopped": 10}, x{"unknown": 6}, nil, nil), func(s *stack) {
			s.edges[0].stops = x{"stopped": 9}
		}),
		more: []query{{blamed, 240, map[string]float64{
			`{app="shop",tier="a",cause="stopped"}`: 0.1, `{app="shop",tier="b",cause="unknown"}`: 0.06}}},
	},
	{
		name: "the tail takes the same way",
		stack: with(chain(x{"behind>b": 20}, x{"demand": 20}, nil, nil), func(s *stack) {
			s.servers[0].loads[0].tail = x{"behind>b": 300}
			s.servers[1].loads[0].tail = x{"demand": 100}
			s.edges[0].stops = x{"stopped": 5}
		}),
		more: []query{{`round(nstar:app_tail_share:ratio, 1e-6)`, 240, map[string]float64{
			// 5 of the 40 that wait at b or for it
			`{app="shop",tier="b",cause="demand"}`: 0.875, `{app="shop",tier="a",cause="stopped"}`: 0.125}}},
	},
	{
		name: "a tier on three servers is one tier",
		stack: with(chain(x{"behind>b": 20}, nil, nil, nil), func(s *stack) {
			s.servers[1].loads = []load{{100, 10, x{"demand": 2}, nil}}
			s.servers = append(s.servers,
				server{tier: "b", instance: "i:9965", r0: 0.1, loads: []load{{100, 10, x{"stopped": 8}, nil}}},
				server{tier: "b", instance: "j:9965", r0: 0.1, loads: []load{{50, 5, nil, nil}}})
			s.edges[1].instance = "j:9965"
		}),
		more: []query{
			{blamed, 240, map[string]float64{
				`{app="shop",tier="b",cause="demand"}`: 0.06, `{app="shop",tier="b",cause="stopped"}`: 0.24}},
			{`round(nstar:tier_slowdown:ratio15s{tier="b"}, 1e-6)`, 240,
				map[string]float64{`{app="shop",tier="b"}`: 1.24}},
			{`round(nstar:tier_base_queue_length:mean15s{tier="b"}, 1e-6)`, 240,
				map[string]float64{`{app="shop",tier="b"}`: 25}},
		},
	},
	{
		name: "tiers that call themselves, and few calls from behind, do not make a front tier less of one",
		stack: with(chain(nil, nil, nil, nil), func(s *stack) {
			s.edges = append(s.edges, edge{from: "a", to: "a", calls: 90}, edge{from: "b", to: "a", calls: 4})
			s.servers = append(s.servers, server{tier: "admin", r0: 0.1, loads: []load{{20, 0, nil, nil}}})
		}),
		more: []query{
			{`round(nstar:app_throughput:requests_per_second, 1e-6)`, 240, map[string]float64{`{app="shop"}`: 30}},
			{`round(nstar:tier_called_share:ratio1m{tier=~"a|b|admin"}, 1e-6)`, 240, map[string]float64{
				`{app="shop",tier="a"}`: 0.04, `{app="shop",tier="b"}`: 1, `{app="shop",tier="admin"}`: 0}},
		},
	},
	{
		name: "two applications with tiers of the same name",
		stack: with(chain(x{"soft_resource>b": 5}, nil, nil, nil), func(s *stack) {
			s.servers = append(s.servers, server{app: "other", tier: "a", r0: 0.1,
				loads: []load{{100, 50, x{"demand": 49}, nil}}})
		}),
		more: []query{{blamed, 240, map[string]float64{
			`{app="shop",tier="a",cause="soft_resource"}`: 0.05, `{app="other",tier="a",cause="demand"}`: 0.98}}},
	},
	{
		name: "scrapes each 15 s",
		stack: with(calm3([]int{120, 240}, calmHTTPD,
			load{400, 12, x{"garbage_collection": 10, "demand": 0.4}, nil}, calmMariaDB),
			func(s *stack) { s.scrape = 15 }),
		say: map[int]string{0: "learning", 15: "learning", 25: "healthy", 120: "healthy",
			360: "single tomcat garbage_collection"},
		alert: 290,
	},
	{
		name: "scrapes each 15 s, a database at its limit",
		stack: with(calm3([]int{120, 240}, calmHTTPD, calmTomcat, load{800, 20, x{"demand": 19.36}, nil}),
			func(s *stack) { s.scrape = 15 }),
		say:   map[int]string{120: "healthy", 360: "single mariadb demand"},
		alert: 290,
	},
	{
		name: "scrapes that fail leave no gap in the verdict",
		stack: with(calm3([]int{120, 240}, calmHTTPD, load{400, 12, x{"garbage_collection": 10, "demand": 0.4}, nil},
			calmMariaDB),
			func(s *stack) { s.missed = []int{20, 21, 22, 40, 41, 43, 45, 46, 47, 48} }),
		say: map[int]string{115: "healthy", 235: "single tomcat garbage_collection",
			360: "single tomcat garbage_collection"},
		alert: 270,
	},
}

// chain is a before b before c before d, 100 requests/s each. Own queues are 25 each, R0 is 0.1 s.
func chain(a, b, c, d x) stack {
	s := stack{phases: []int{240}}
	for i, excess := range []x{a, b, c, d} {
		s.servers = append(s.servers, server{tier: string(rune('a' + i)), r0: 0.1,
			loads: []load{{100, 25, excess, nil}}})
	}
	s.edges = []edge{{from: "a", to: "b", calls: 100}, {from: "b", to: "c", calls: 100},
		{from: "c", to: "d", calls: 100}}
	return s
}

// steps are queries for recorded values of the application shop, rounded, by the labels that follow its own.
func steps(at int, want map[string]map[string]float64) []query {
	var all []query
	for selector, values := range want {
		labelled := map[string]float64{}
		for labels, value := range values {
			labelled[`{`+strings.TrimSuffix(`app="shop",`+labels, ",")+`}`] = value
		}
		all = append(all, query{"round(" + selector + ", 1e-6)", at, labelled})
	}
	return all
}
