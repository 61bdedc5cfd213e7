// SPDX-License-Identifier: Apache-2.0

package rules

import "slices"

// truths is the truth table, as far as counters tell it: what the exporters count in each case is what they count on
// real stacks of this kind.
var truths = []truth{
	{
		name:  "healthy at 70 %, from the first scrape",
		stack: calm3([]int{240}, calmHTTPD, calmTomcat, calmMariaDB),
		say:   map[int]string{0: "learning", 15: "learning", 20: "healthy", 60: "healthy", 240: "healthy"},
		more: []query{
			{`round(nstar:app_response_time:seconds, 1e-6)`, 240, map[string]float64{
				`{app="shop",tier="httpd"}`: 0.0005, `{app="shop",tier="tomcat"}`: 0.0041, `{app="shop",tier="mariadb"}`: 0.0024}},
			{`round(nstar:app_base_time:seconds, 1e-6)`, 240, map[string]float64{
				`{app="shop",tier="httpd"}`: 0.0004, `{app="shop",tier="tomcat"}`: 0.003, `{app="shop",tier="mariadb"}`: 0.0016}},
			{`round(nstar:app_throughput:requests_per_second, 1e-6)`, 240, map[string]float64{`{app="shop"}`: 400}},
			{`nstar:app_verdict`, 240, map[string]float64{`nstar:app_verdict{app="shop",verdict="healthy"}`: 1}},
		},
	},
	{
		name:  "requests are hardly ever two in a tier, and half of their time is no base: nobody waits",
		stack: calm3([]int{240}, calmHTTPD, load{400, 2.6, x{"demand": 1.4}, nil}, calmMariaDB),
		say:   map[int]string{15: "learning", 20: "healthy", 240: "healthy"},
	},
	{
		name:  "stops may be a twentieth by now and a tenth later",
		stack: calm3([]int{240}, calmHTTPD, load{400, 1.8, x{"demand": 0.4, "stopped": 0.15}, nil}, calmMariaDB),
		say:   map[int]string{20: "learning", 25: "learning", 35: "healthy", 240: "healthy"},
	},
	{
		name: "some of it is not known yet",
		stack: with(calm3([]int{240}, calmHTTPD, load{400, 1.8, x{"unknown": 0.5}, nil}, calmMariaDB), func(s *stack) {
			s.servers[1].r0 = 0
		}),
		say: map[int]string{20: "learning", 25: "learning", 35: "healthy", 240: "healthy"},
	},
	{
		name:  "a limit is a fifth of the response time by now",
		stack: calm3([]int{240}, calmHTTPD, load{400, 2.4, x{"soft_resource>mariadb": 0.8, "demand": 0.3}, nil}, calmMariaDB),
		say:   map[int]string{20: "learning", 25: "learning", 35: "healthy", 240: "healthy"},
	},
	{
		name:  "others have a fifth by now",
		stack: calm3([]int{240}, calmHTTPD, load{400, 2.4, x{"noisy_neighbour": 0.8, "demand": 0.3}, nil}, calmMariaDB),
		say:   map[int]string{20: "learning", 25: "learning", 35: "healthy", 240: "healthy"},
	},
	{
		name:  "the network loses a packet in two hundred on the way to MariaDB and back",
		stack: overNetwork(1.2, 2, 2),
		say:   map[int]string{20: "learning", 35: "single mariadb network", 240: "single mariadb network"},
		alert: 130,
		more: []query{
			{`round(nstar:network_queue_length:mean15s, 1e-6)`, 240, map[string]float64{`{app="shop",tier="mariadb"}`: 1.2}},
			{`round(nstar:network_lost:segments_per_second15s, 1e-6)`, 240, map[string]float64{`{app="shop",tier="mariadb"}`: 4}},
			{`round(nstar:network_excess:mean15s, 1e-6)`, 240, map[string]float64{`{app="shop",tier="mariadb"}`: 1.2}},
			{`round(nstar:app_response_time:seconds, 1e-6)`, 240, map[string]float64{
				`{app="shop",tier="httpd"}`: 0.0005, `{app="shop",tier="tomcat"}`: 0.0041, `{app="shop",tier="mariadb"}`: 0.0054}},
		},
	},
	{
		name:  "MariaDB is far away: that is a part of the response time, and nothing is wrong; a packet in thousands gets lost",
		stack: overNetwork(8, 0.1, 0.1),
		say:   map[int]string{20: "healthy", 35: "healthy", 240: "healthy"},
		more: []query{
			{`round(nstar:network_excess:mean15s, 1e-6)`, 240, map[string]float64{`{app="shop",tier="mariadb"}`: 0.06}},
			{`round(nstar:app_response_time:seconds{tier="mariadb"}, 1e-6)`, 240, map[string]float64{
				`{app="shop",tier="mariadb"}`: 0.0224}},
		},
	},
	{
		name: "what MariaDB's host refuses, since its accept queue is full, is not lost on the way",
		stack: with(overNetwork(1.2, 2, 2), func(s *stack) {
			s.servers[2].refused = 2
		}),
		say: map[int]string{240: "healthy"},
		more: []query{{`nstar:network_excess:mean15s`, 240, nil},
			{`round(nstar:network_queue_length:mean15s, 1e-6)`, 240, map[string]float64{`{app="shop",tier="mariadb"}`: 1.2}}},
	},
	{
		name: "what MariaDB's exporter does not count is not on the way",
		stack: with(overNetwork(8, 4, 4), func(s *stack) {
			s.servers[2].loads[0].completions = 100
		}),
		say:  map[int]string{240: "healthy"},
		more: []query{{`nstar:network_queue_length:mean15s`, 240, nil}},
	},
	{
		name: "MariaDB at its limit from the first second, with a pool of 32 full before it",
		stack: tiers3([]int{240}, []load{{1200, 0.6, x{"demand": 0.12}, nil}},
			[]load{{1200, 56, x{"behind>mariadb": 52, "demand": 0.4}, nil}},
			[]load{{2400, 31, x{"demand": 29.08}, nil}}),
		say:   map[int]string{20: "learning", 40: "learning", 45: "single mariadb demand", 240: "single mariadb demand"},
		alert: 130,
		more: []query{{`round(nstar:app_excess_share:ratio{tier="mariadb"}, 0.001)`, 240,
			map[string]float64{`{app="shop",tier="mariadb",cause="demand"}`: 0.926}}},
	},
	{
		name: "the same, and the scheduler proves it",
		stack: with(tiers3([]int{240}, []load{{1200, 0.6, x{"demand": 0.12}, nil}},
			[]load{{1200, 56, x{"behind>mariadb": 52, "demand": 0.4}, nil}},
			[]load{{2400, 31, x{"demand": 29.08}, nil}}), func(s *stack) {
			s.servers[0].full, s.servers[1].full, s.servers[2].full = []float64{0}, []float64{0}, []float64{0.95}
		}),
		say: map[int]string{15: "learning", 20: "single mariadb demand", 60: "single mariadb demand",
			240: "single mariadb demand"},
		alert: 110,
		more: []query{{`round(nstar:tier_processors_full:ratio15s, 0.001)`, 20, map[string]float64{
			`{app="shop",tier="httpd"}`: 0, `{app="shop",tier="tomcat"}`: 0, `{app="shop",tier="mariadb"}`: 0.95}},
			{`nstar:tier_pressed:bool15s`, 20, map[string]float64{
				`nstar:tier_pressed:bool15s{app="shop",tier="httpd"}`: 0, `nstar:tier_pressed:bool15s{app="shop",tier="tomcat"}`: 0,
				`nstar:tier_pressed:bool15s{app="shop",tier="mariadb"}`: 1}},
			{`round(nstar:tier_demand:mean15s{tier="mariadb"}, 0.01)`, 20, map[string]float64{
				`{app="shop",tier="mariadb"}`: 81.08}},
			{`nstar:tier_proven_limit:bool15s`, 20, map[string]float64{
				`nstar:tier_proven_limit:bool15s{app="shop",tier="mariadb"}`: 1}},
			{`nstar:app_early:bool`, 15, nil},
			{`nstar:app_early:bool`, 20, map[string]float64{`nstar:app_early:bool{app="shop"}`: 1}}},
	},
	{
		name: "processors full, R0 not known",
		stack: with(tiers3([]int{240}, []load{{9, 0.1, nil, nil}}, []load{{9, 33, x{"demand": 29, "noisy_neighbour": 4}, nil}},
			[]load{{800, 0.6, nil, nil}}), func(s *stack) {
			s.servers[1].r0, s.servers[1].status, s.servers[1].full = 0, "always_at_limit", []float64{1}
		}),
		say:   map[int]string{15: "learning", 20: "single tomcat demand", 240: "single tomcat demand"},
		alert: 110,
	},
	{
		name: "processors full for two thirds of the time prove nothing yet",
		stack: with(tiers3([]int{240}, []load{{1200, 0.6, x{"demand": 0.12}, nil}}, []load{calmTomcat},
			[]load{{2400, 31, x{"demand": 29.08}, nil}}), func(s *stack) { s.servers[2].full = []float64{0.66} }),
		say:   map[int]string{20: "learning", 40: "learning", 45: "single mariadb demand", 240: "single mariadb demand"},
		alert: 130,
	},
	{
		name: "one of two servers of a tier has no processor time left",
		stack: with(tiers3([]int{240}, []load{calmHTTPD}, []load{calmTomcat}, []load{{800, 20, x{"demand": 19.36}, nil}}),
			func(s *stack) {
				other := s.servers[2]
				other.instance, other.loads, other.full = "i:9965", []load{calmMariaDB}, []float64{0}
				s.servers[2].full = []float64{1}
				s.servers = append(s.servers, other)
			}),
		say: map[int]string{20: "learning", 40: "learning", 240: "single mariadb demand"},
		more: []query{{`nstar:tier_processors_full:ratio15s`, 240, map[string]float64{
			`nstar:tier_processors_full:ratio15s{app="shop",tier="mariadb"}`: 0.5}}},
		alert: 130,
	},
	{
		name: "processors full, and hardly anybody waits: a batch of work at a low priority",
		stack: with(calm3([]int{240}, calmHTTPD, calmTomcat, calmMariaDB), func(s *stack) {
			s.servers[2].full = []float64{1}
		}),
		say: map[int]string{25: "learning", 40: "healthy", 240: "healthy"},
	},
	{
		name: "more work at a tier than it can do, while others stop a third of it: not named for what comes second",
		stack: with(tiers3([]int{240}, []load{calmHTTPD}, []load{{400, 9, x{"garbage_collection": 7, "demand": 0.4}, nil}},
			[]load{calmMariaDB}), func(s *stack) {
			s.servers[2].full = []float64{0.2}
		}),
		say:   map[int]string{15: "learning", 20: "single tomcat garbage_collection", 240: "single tomcat garbage_collection"},
		alert: 110,
	},
	{
		name: "the same, on three hosts: Tomcat's exporter cannot tell whether MariaDB is slow",
		stack: onHosts(tiers3([]int{240}, []load{{1200, 0.6, x{"demand": 0.12}, nil}},
			[]load{{1200, 56, x{"place>mariadb": 52, "demand": 0.4}, nil}},
			[]load{{2400, 31, x{"demand": 29.08}, nil}})),
		say:   map[int]string{20: "learning", 40: "learning", 45: "single mariadb demand", 240: "single mariadb demand"},
		alert: 130,
	},
	{
		name: "MariaDB always at its limit, R0 not known",
		stack: with(tiers3([]int{240}, []load{{1200, 0.6, x{"demand": 0.12}, nil}},
			[]load{{1200, 5, x{"demand": 1.4}, nil}}, []load{{2400, 80, x{"demand": 80}, nil}}), func(s *stack) {
			s.servers[2].r0, s.servers[2].status = 0, "always_at_limit"
		}),
		say:   map[int]string{20: "learning", 45: "single mariadb demand", 240: "single mariadb demand"},
		alert: 130,
	},
	{
		name: "the same of a Tomcat, R0 not known: eight wait",
		stack: with(tiers3([]int{240}, []load{calmHTTPD}, []load{{400, 9.1, x{"demand": 8.1}, nil}}, []load{calmMariaDB}),
			neverCalm),
		say:   map[int]string{20: "single tomcat demand", 75: "single tomcat demand", 240: "single tomcat demand"},
		alert: 110,
	},
	{
		// A service whose only processor is busy for nine tenths of the time, and whose requests get cheaper with more load.
		name: "always at its limit, as it seems, R0 not known: what waits may be at work",
		stack: with(tiers3([]int{240}, []load{fastHTTPD}, []load{{1600, 5.4, x{"demand": 4.4}, nil}}, []load{fastMariaDB}),
			neverCalm),
		say: map[int]string{20: "learning", 75: "learning", 240: "learning"},
		more: []query{{`nstar:tier_pressed:bool15s{tier="tomcat"}`, 240, nil},
			{`round(nstar:app_excess_share:ratio{tier="tomcat"}, 0.01)`, 240, map[string]float64{
				`{app="shop",tier="tomcat",cause="demand"}`: 0.44}}},
	},
	{
		name: "processors full, R0 not known: six wait, for 20 ms of a page",
		stack: with(tiers3([]int{240}, []load{{280, 0.3, nil, nil}}, []load{{280, 8, x{"demand": 6.2}, nil}}, []load{{560, 0.6, nil, nil}}),
			neverCalm),
		say:   map[int]string{20: "learning", 45: "single tomcat demand", 240: "single tomcat demand"},
		alert: 130,
	},
	{
		name: "always at its limit, as it seems, R0 not known: now and then fewer are there than wait at a limit",
		stack: with(tiers3([]int{100, 20, 120}, []load{fastHTTPD}, []load{{1600, 5.4, x{"demand": 4.4}, nil},
			{1600, 4.8, x{"demand": 3.8}, nil}, {1600, 5.4, x{"demand": 4.4}, nil}}, []load{fastMariaDB}), neverCalm),
		say: map[int]string{75: "learning", 150: "healthy", 240: "learning"},
		more: []query{{`nstar:tier_pressed:bool15s{tier="tomcat"}`, 120, map[string]float64{
			`nstar:tier_pressed:bool15s{app="shop",tier="tomcat"}`: 0}}},
	},
	{
		name: "always at its limit, as it seems, R0 known from calmer times: two wait for each that is at work, three in all",
		stack: with(tiers3([]int{240}, []load{calmHTTPD}, []load{{400, 4.6, x{"demand": 3.4}, nil}}, []load{calmMariaDB}),
			func(s *stack) { s.servers[1].status, s.servers[1].full = "always_at_limit", []float64{1} }),
		say: map[int]string{75: "healthy", 240: "healthy"},
	},
	{
		name: "a small pool before a MariaDB at its limit: its own queue is short, the demand on it is not",
		stack: calm3([]int{120, 240}, load{1200, 0.6, x{"demand": 0.12}, nil},
			load{1200, 80, x{"behind>mariadb": 76, "demand": 0.4}, nil}, load{2400, 6, x{"demand": 4.08}, nil}),
		say:   map[int]string{110: "healthy", 360: "single mariadb demand"},
		alert: 270,
	},
	{
		name: "collections 15 % of the time: httpd waits, the backlog reaches MariaDB",
		stack: with(calm3([]int{120, 240}, load{400, 1.2, x{"behind>tomcat": 1, "demand": 0.04}, nil},
			load{400, 9, x{"garbage_collection": 7, "demand": 0.8}, x{"garbage_collection": 90, "demand": 1}},
			load{800, 3, x{"demand": 2.36}, nil}), func(s *stack) {
			s.edges[1].stops = x{"garbage_collection": 2}
		}),
		say:   map[int]string{110: "healthy", 360: "single tomcat garbage_collection"},
		alert: 270,
		more: []query{{`round(nstar:app_excess_time:seconds, 1e-6)`, 360, map[string]float64{
			// 7 + 2 of MariaDB's 2.36 + 7/7.8 of what httpd waits for Tomcat, over 400/s.
			`{app="shop",tier="tomcat",cause="garbage_collection"}`: 0.024744,
			`{app="shop",tier="tomcat",cause="demand"}`:             0.002256,
			`{app="shop",tier="mariadb",cause="demand"}`:            0.0009,
			`{app="shop",tier="httpd",cause="demand"}`:              0.0001,
		}}},
	},
	{
		name: "collections 0.5 % of the time, 250 ms each: little of the mean, all of the tail",
		stack: calm3([]int{120, 240}, calmHTTPD,
			load{400, 2.2, x{"garbage_collection": 0.5, "demand": 0.5}, x{"garbage_collection": 40, "demand": 0.6}},
			calmMariaDB),
		say:   map[int]string{110: "healthy", 360: "single tomcat garbage_collection"},
		alert: 270,
	},
	{
		name: "the same, a twentieth of the mean in long pauses",
		stack: calm3([]int{120, 240}, calmHTTPD,
			load{400, 2, x{"garbage_collection": 0.2, "demand": 0.5}, x{"garbage_collection": 16, "demand": 0.6}}, calmMariaDB),
		say:   map[int]string{360: "single tomcat garbage_collection"},
		alert: 270,
	},
	{
		name: "collections half of the time from the first second, and why more wait between them is not known",
		stack: with(tiers3([]int{240}, []load{calmHTTPD},
			[]load{{20, 40, x{"garbage_collection": 15, "unknown": 21}, x{"garbage_collection": 600, "unknown": 500}}},
			[]load{calmMariaDB}), func(s *stack) { s.servers[1].r0, s.servers[1].status = 0, "learning" }),
		say:   map[int]string{15: "learning", 20: "single tomcat garbage_collection", 240: "single tomcat garbage_collection"},
		alert: 110,
		more:  []query{{`nstar:app_untold:ratio`, 240, nil}},
	},
	{
		name: "the same of a tier behind: whether that one is the slower one is not known",
		stack: with(tiers3([]int{240}, []load{calmHTTPD},
			[]load{{20, 20, x{"garbage_collection": 15, "demand": 1}, x{"garbage_collection": 600, "demand": 1}}},
			[]load{{40, 22, x{"unknown": 21}, x{"unknown": 500}}}), func(s *stack) { s.servers[2].r0, s.servers[2].status = 0, "learning" }),
		say: map[int]string{240: "learning"},
		more: []query{{`round(nstar:app_untold:ratio, 0.01)`, 240, map[string]float64{
			`{app="shop",cause="unknown",tier="mariadb"}`: 0.5}}},
	},
	{
		name: "long pauses from the beginning, a twentieth of the mean: nobody knows yet how often such come",
		stack: tiers3([]int{240}, []load{calmHTTPD},
			[]load{{400, 2, x{"garbage_collection": 0.2, "demand": 0.5}, x{"garbage_collection": 16, "demand": 0.6}}},
			[]load{calmMariaDB}),
		say:   map[int]string{20: "learning", 25: "learning", 60: "single tomcat garbage_collection"},
		alert: 120,
	},
	{
		name: "a few pages a second, stops are a seventh of the mean and four tenths of the tail",
		stack: calm3([]int{120, 240}, calmHTTPD,
			load{400, 3, x{"stopped": 0.6, "demand": 0.8}, x{"stopped": 8, "demand": 9.5}}, calmMariaDB),
		say:   map[int]string{110: "healthy", 360: "single tomcat stopped"},
		alert: 270,
		// 1.5 x 8/0.6 requests more, beside 0.2 + 3 + 0.96.
		more: []query{{`round(nstar:app_pause:responses, 0.01)`, 360, map[string]float64{
			`{app="shop",tier="tomcat",cause="stopped"}`: 4.81}}},
	},
	{
		name: "pages that differ much, stops are an eighth of the mean and a quarter of the tail",
		stack: calm3([]int{120, 240}, calmHTTPD,
			load{400, 3, x{"stopped": 0.55, "demand": 0.8}, x{"stopped": 4, "demand": 12}}, calmMariaDB),
		say:   map[int]string{110: "healthy", 360: "single tomcat stopped"},
		alert: 270,
	},
	{
		name: "G1: collections too short to matter, most of the tail as they are",
		stack: calm3([]int{120, 240}, calmHTTPD,
			load{400, 2, x{"garbage_collection": 0.2, "demand": 0.5}, x{"garbage_collection": 1.6, "demand": 0.6}}, calmMariaDB),
		say: map[int]string{360: "healthy"},
	},
	{
		name: "a pool of 1, the database idle",
		stack: calm3([]int{120, 240}, calmHTTPD,
			load{400, 26, x{"soft_resource>mariadb": 24, "demand": 0.4}, nil}, load{800, 0.9, x{"demand": 0.26}, nil}),
		say:   map[int]string{360: "single tomcat soft_resource"},
		alert: 270,
	},
	{
		name: "a pool of 1, the database idle on another host",
		stack: onHosts(calm3([]int{120, 240}, calmHTTPD,
			load{400, 26, x{"place>mariadb": 24, "demand": 0.4}, nil}, load{800, 0.9, x{"demand": 0.26}, nil})),
		say:   map[int]string{360: "single tomcat soft_resource"},
		alert: 270,
	},
	{
		name: "workers of the front server too few, the tiers behind have time",
		stack: calm3([]int{120, 240}, load{400, 60, x{"soft_resource>tomcat": 58, "demand": 0.04}, nil}, calmTomcat,
			calmMariaDB),
		say:   map[int]string{360: "single httpd soft_resource"},
		alert: 270,
	},
	{
		name: "a single worker that is taken for three quarters of the time: a seventh of the mean, most of the tail",
		stack: calm3([]int{120, 240}, load{400, 0.9, x{"soft_resource>tomcat": 0.68, "demand": 0.04},
			x{"soft_resource>tomcat": 9, "demand": 0.1}}, load{400, 3, x{"demand": 0.5}, x{"demand": 2}}, calmMariaDB),
		say:   map[int]string{110: "healthy", 360: "single httpd soft_resource"},
		alert: 270,
		more: []query{{`round(nstar:app_excess_share:ratio{cause="soft_resource"}, 0.001)`, 360, map[string]float64{
			`{app="shop",tier="httpd",cause="soft_resource"}`: 0.14}}},
	},
	{
		name: "a single worker, part of whose work shows as demand",
		stack: calm3([]int{120, 240}, calmHTTPD, load{400, 3.4, x{"soft_resource": 1.3, "demand": 1.2},
			x{"soft_resource": 9, "demand": 5}}, load{800, 2, x{"demand": 0.5}, x{"demand": 4}}),
		say:   map[int]string{110: "healthy", 360: "single tomcat soft_resource"},
		alert: 270,
		more: []query{{`round(nstar:app_excess_share:ratio{cause="soft_resource"}, 0.001)`, 360, map[string]float64{
			`{app="shop",tier="tomcat",cause="soft_resource"}`: 0.232}}},
	},
	{
		name: "the same, and half of the tail is another tier's: no bottleneck",
		stack: calm3([]int{120, 240}, calmHTTPD, load{400, 3.4, x{"soft_resource": 1.3, "demand": 1.2},
			x{"soft_resource": 9, "demand": 5}}, load{800, 2, x{"demand": 0.5}, x{"demand": 14}}),
		say: map[int]string{110: "healthy", 360: "healthy"},
	},
	{
		name: "a single worker that is taken now and then, a twelfth of the mean: no bottleneck",
		stack: calm3([]int{120, 240}, load{400, 0.6, x{"soft_resource>tomcat": 0.38, "demand": 0.04},
			x{"soft_resource>tomcat": 9, "demand": 0.1}}, load{400, 3, x{"demand": 0.5}, x{"demand": 2}}, calmMariaDB),
		say: map[int]string{110: "healthy", 360: "healthy"},
	},
	{
		name: "four workers, all of them at a MariaDB whose processors are full: no more than four are there",
		stack: with(tiers3([]int{240}, []load{calmHTTPD}, []load{{16, 24, x{"place>mariadb": 23.5}, nil}},
			[]load{{16, 3.5, x{"demand": 1.5}, nil}}), func(s *stack) {
			s.servers[2].r0, s.servers[2].status, s.servers[2].full = 0, "always_at_limit", []float64{1}
			s.servers[0].full, s.servers[1].full = []float64{0}, []float64{0}
		}),
		say:   map[int]string{15: "learning", 20: "single mariadb demand", 240: "single mariadb demand"},
		alert: 110,
	},
	{
		name: "Tomcat's accept queue is full: httpd waits until what was refused is sent again, and nobody knows why it waits",
		stack: with(tiers3([]int{240}, []load{{400, 40, x{"unknown": 29, "stalled>tomcat": 10}, nil}},
			[]load{{400, 60, x{"soft_resource": 50, "demand": 1}, nil}}, []load{calmMariaDB}), func(s *stack) {
			s.servers[1].refused = 80
		}),
		say:   map[int]string{20: "learning", 35: "single tomcat soft_resource", 240: "single tomcat soft_resource"},
		alert: 130,
		more: []query{{`round(nstar:app_excess_share:ratio{tier="tomcat",cause="soft_resource"}, 0.01)`, 240,
			map[string]float64{`{app="shop",tier="tomcat",cause="soft_resource"}`: 0.87}},
			{`nstar:tier_refused_by:bool`, 240, map[string]float64{
				`nstar:tier_refused_by:bool{app="shop",tier="httpd",to="tomcat"}`: 1}},
			{`round(nstar:tier_told_excess:mean15s{tier="httpd",of="mean"})`, 240, map[string]float64{
				`{app="shop",tier="httpd",cause="unknown",of="mean"}`:             29,
				`{app="shop",tier="httpd",cause="stalled",to="tomcat",of="mean"}`: 10}},
			{`round(nstar:tier_excess:mean15s{tier="httpd",of="mean"})`, 240, map[string]float64{
				`{app="shop",tier="httpd",cause="behind",to="tomcat",part="refused",of="mean"}`:    29,
				`{app="shop",tier="httpd",cause="behind",to="tomcat",part="unanswered",of="mean"}`: 10}},
			{`nstar:tier_refuses:packets_per_second15s`, 240, map[string]float64{
				`nstar:tier_refuses:packets_per_second15s{app="shop",tier="tomcat"}`: 80}}},
	},
	{
		name: "workers of the front server all in Tomcat, which waits for a place at a throttled MariaDB",
		stack: calm3([]int{120, 240}, load{100, 60, x{"behind>tomcat": 59}, nil},
			load{100, 40, x{"behind>mariadb": 39}, nil}, load{200, 6, x{"demand": 5.84}, nil}),
		say:   map[int]string{360: "single mariadb demand"},
		alert: 270,
		more: []query{{`round(nstar:app_excess_share:ratio, 0.001)`, 360, map[string]float64{
			`{app="shop",tier="mariadb",cause="demand"}`: 0.980}}},
	},
	{
		name: "the disk of MariaDB too slow, what its requests take unknown",
		stack: with(calm3([]int{120, 240}, calmHTTPD, load{400, 12, x{"behind>mariadb": 9, "demand": 0.4}, nil},
			load{800, 28, x{"disk": 18, "unknown": 9, "noisy_neighbour": 1}, nil}), func(s *stack) {
			s.servers[2].r0, s.servers[2].status = 0, "learning"
		}),
		say:   map[int]string{110: "healthy", 360: "single mariadb disk"},
		alert: 270,
		more: []query{{`round(nstar:app_excess_share:ratio{cause="disk"}, 0.001)`, 360, map[string]float64{
			`{app="shop",tier="mariadb",cause="disk"}`: 0.592}}},
	},
	{
		name: "the disk of MariaDB too slow from the first second",
		stack: with(tiers3([]int{240}, []load{calmHTTPD}, []load{calmTomcat},
			[]load{{800, 28, x{"disk": 16, "demand": 11}, nil}}), func(s *stack) {
			s.servers[2].r0, s.servers[2].status, s.servers[2].full = 0, "always_at_limit", []float64{0}
		}),
		say:   map[int]string{20: "learning", 40: "single mariadb disk", 240: "single mariadb disk"},
		alert: 130,
	},
	{
		name: "commits wait for the disk, a fifth of the time: no bottleneck",
		stack: calm3([]int{120, 240}, calmHTTPD, calmTomcat,
			load{800, 3, x{"disk": 1.2, "demand": 0.36}, x{"disk": 2, "demand": 3}}),
		say: map[int]string{110: "healthy", 360: "healthy"},
	},
	{
		name: "the disk stops MariaDB for 200 ms now and then",
		stack: calm3([]int{120, 240}, calmHTTPD,
			load{400, 3, x{"behind>mariadb": 1.6, "demand": 0.2}, x{"behind>mariadb": 20, "demand": 0.2}},
			load{800, 5, x{"disk": 2, "demand": 1}, x{"disk": 80, "demand": 2}}),
		say:   map[int]string{110: "healthy", 360: "single mariadb disk"},
		alert: 270,
	},
	{
		name: "MariaDB stopped 200 ms every 2 s, Tomcat waiting for a place",
		stack: calm3([]int{120, 240}, calmHTTPD,
			load{400, 3, x{"behind>mariadb": 1.6, "demand": 0.2}, x{"behind>mariadb": 20, "demand": 0.2}},
			load{800, 5, x{"stopped": 4, "demand": 0.3}, x{"stopped": 80, "demand": 0.5}}),
		say:   map[int]string{110: "healthy", 360: "single mariadb stopped"},
		alert: 270,
	},
	{
		name: "MariaDB stopped where one query waits: only PHP can tell",
		stack: calm3([]int{120, 240}, load{11, 0.01, nil, nil},
			load{11, 0.6, x{"demand": 0.12, "stalled>mariadb": 0.11}, x{"demand": 0.1, "stalled>mariadb": 0.4}},
			load{440, 0.2, x{"demand": 0.08}, x{"demand": 0.05}}),
		say:   map[int]string{110: "healthy", 360: "single mariadb stopped"},
		alert: 270,
	},
	{
		name:  "stopped for good: nothing completes, and there is no response time",
		stack: calm3([]int{120, 240}, load{0, 0, nil, nil}, load{0, 0, nil, nil}, load{0, 40, x{"stopped": 40}, nil}),
		say:   map[int]string{110: "healthy", 360: "single mariadb stopped"},
		alert: 270,
		more:  []query{{`nstar:app_response_time:seconds`, 360, nil}},
	},
	{
		name: "stops for a minute: over half a minute after the last one, though the minute still has them",
		stack: tiers3([]int{120, 60, 120}, []load{calmHTTPD}, []load{calmTomcat},
			[]load{calmMariaDB, {800, 6, x{"stopped": 5}, nil}, calmMariaDB}),
		say: map[int]string{110: "healthy", 180: "single mariadb stopped", 200: "single mariadb stopped", 220: "healthy"},
		more: []query{{`nstar:app_over:bool`, 200, nil},
			{`nstar:app_over:bool == bool 1`, 220, map[string]float64{`{app="shop",tier="mariadb",cause="stopped"}`: 1}},
			{`nstar:app_costly:ratio > bool 0.1`, 220, map[string]float64{`{app="shop",tier="mariadb",cause="stopped"}`: 1}},
			{`nstar:app_excess_there:bool15s{cause="stopped"} == bool 0`, 220,
				map[string]float64{`{app="shop",tier="mariadb",cause="stopped"}`: 1}},
			{`nstar:app_candidate:ratio`, 220, nil}},
	},
	{
		name: "stops for a quarter of each minute: not over when they go",
		stack: tiers3([]int{120, 15, 45, 15, 45, 60}, []load{calmHTTPD}, []load{calmTomcat},
			[]load{calmMariaDB, {800, 16, x{"stopped": 15}, nil}, calmMariaDB, {800, 16, x{"stopped": 15}, nil}, calmMariaDB}),
		say:   map[int]string{150: "single mariadb stopped", 178: "single mariadb stopped", 235: "single mariadb stopped"},
		alert: 285,
	},
	{
		name: "more work than a tier can do, for a minute and a half: over, and no burst",
		stack: tiers3([]int{120, 90, 120}, []load{calmHTTPD}, []load{calmTomcat},
			[]load{calmMariaDB, {800, 30, x{"demand": 29}, nil}, calmMariaDB}),
		say: map[int]string{110: "healthy", 200: "single mariadb demand", 230: "single mariadb demand", 250: "healthy",
			270: "healthy"},
		alert: 270,
	},
	{
		name: "a cold start: R0 not known, then known",
		stack: with(tiers3([]int{60, 120}, []load{calmHTTPD}, []load{{300, 20, x{"unknown": 20}, nil}, calmTomcat},
			[]load{{800, 3, x{"unknown": 3}, nil}, calmMariaDB}), func(s *stack) {
			s.servers[1].r0 = 0
			s.servers[2].r0 = 0
		}),
		say: map[int]string{30: "learning", 60: "learning", 90: "learning", 180: "healthy"},
	},
	{
		name: "a cold server that becomes faster, R0 known from before: not at its limit for long",
		stack: tiers3([]int{20, 20, 20, 180}, []load{calmHTTPD}, []load{{200, 60, x{"demand": 59}, nil},
			{260, 60, x{"demand": 59}, nil}, {340, 60, x{"demand": 59}, nil}, calmTomcat}, []load{calmMariaDB}),
		say: map[int]string{20: "learning", 45: "learning", 55: "learning", 240: "healthy"},
	},
	{
		name: "a stop that came once in the first minute may be of the start",
		stack: tiers3([]int{20, 5, 215}, []load{calmHTTPD, calmHTTPD, calmHTTPD},
			[]load{calmTomcat, {400, 12, x{"stopped": 10}, nil}, calmTomcat}, []load{calmMariaDB, calmMariaDB, calmMariaDB}),
		say: map[int]string{20: "healthy", 35: "learning", 45: "learning", 75: "single tomcat stopped", 240: "healthy"},
	},
	{
		// Less than half of the one above: an eighth of a minute's response time.
		name: "a short stop that came once in a minute",
		stack: tiers3([]int{90, 5, 145}, []load{calmHTTPD, calmHTTPD, calmHTTPD},
			[]load{calmTomcat, {400, 6, x{"stopped": 4.4, "demand": 0.4}, x{"stopped": 60}}, calmTomcat},
			[]load{calmMariaDB, calmMariaDB, calmMariaDB}),
		say: map[int]string{90: "healthy", 110: "healthy", 130: "healthy", 240: "healthy"},
		more: []query{{`round(nstar:app_excess_share:ratio{cause="stopped"}, 1e-2)`, 120, map[string]float64{
			`{app="shop",tier="tomcat",cause="stopped"}`: 0.12}}, {`round(1e5 * nstar:app_once:seconds)`, 120, map[string]float64{
			`{app="shop",tier="tomcat",cause="stopped"}`: 92}}},
	},
	{
		name: "stops that cost an eighth of the time, and then a twelfth: they have not ended",
		stack: tiers3([]int{90, 150}, []load{calmHTTPD, calmHTTPD},
			[]load{{400, 2.04, x{"stopped": 0.4, "demand": 0.44}, nil}, {400, 1.89, x{"stopped": 0.25, "demand": 0.44}, nil}},
			[]load{calmMariaDB, calmMariaDB}),
		say:   map[int]string{60: "single tomcat stopped", 240: "single tomcat stopped"},
		alert: 130,
	},
	{
		name: "stops that never cost a tenth of the time",
		stack: tiers3([]int{240}, []load{calmHTTPD}, []load{{400, 1.89, x{"stopped": 0.25, "demand": 0.44}, nil}},
			[]load{calmMariaDB}),
		say: map[int]string{60: "healthy", 240: "healthy"},
	},
	{
		name: "demand of a tier that is pressed now is not healthy in the first minute",
		stack: tiers3([]int{30, 210}, []load{calmHTTPD, calmHTTPD},
			[]load{calmTomcat, {400, 20, x{"demand": 17}, nil}}, []load{calmMariaDB, calmMariaDB}),
		say:   map[int]string{20: "healthy", 45: "learning", 60: "learning", 240: "single tomcat demand"},
		alert: 180,
		more: []query{{`round(nstar:app_passing:ratio, 1e-3)`, 45, map[string]float64{
			`{app="shop",tier="tomcat",cause="demand"}`: 0.643}}},
	},
	{
		name: "requests take six times as long as they would without waiting, and no cause has enough of it",
		stack: tiers3([]int{240}, []load{calmHTTPD},
			[]load{{400, 7.2, x{"demand": 2.9, "noisy_neighbour": 1.6, "unknown": 1.5}, nil}},
			[]load{{800, 4.7, x{"demand": 2.9, "noisy_neighbour": 1.16}, nil}}),
		say: map[int]string{45: "learning", 240: "learning"},
	},
	{
		name: "the same with less than five requests: these may be chance",
		stack: tiers3([]int{240}, []load{{200, 0.1, nil, nil}},
			[]load{{200, 2.6, x{"demand": 1.1, "noisy_neighbour": 0.5, "unknown": 0.6}, nil}},
			[]load{{200, 1.6, x{"demand": 1.2, "noisy_neighbour": 0.4}, nil}}),
		say: map[int]string{45: "healthy", 240: "healthy"},
	},
	{
		name: "all that is seen of MariaDB's calls says that it is slow, but it knows better: its long queries sleep",
		stack: tiers3([]int{240}, []load{calmHTTPD}, []load{{400, 7.64, x{"behind>mariadb": 6, "demand": 0.44}, nil}},
			[]load{{800, 1.9, x{"demand": 0.02}, nil}}),
		say:   map[int]string{60: "single tomcat soft_resource", 240: "single tomcat soft_resource"},
		alert: 160,
		more: []query{{`round(nstar:tier_at_ease:ratio15s{to="mariadb"}, 1e-3)`, 240, map[string]float64{
			`{app="shop",to="mariadb"}`: 0.011}}},
	},
	{
		name: "the same behind a pool that is too small: what waits for its connections waits for nothing else",
		stack: tiers3([]int{240}, []load{calmHTTPD},
			[]load{{400, 11.64, x{"behind>mariadb": 4, "place>mariadb": 5, "soft_resource>mariadb": 1, "demand": 0.44}, nil}},
			[]load{{800, 1.9, x{"demand": 0.02}, nil}}),
		say:   map[int]string{60: "single tomcat soft_resource", 240: "single tomcat soft_resource"},
		alert: 160,
	},
	{
		name: "MariaDB at its limit behind two poolers of connections",
		stack: with(tiers3([]int{240}, []load{calmHTTPD},
			[]load{{400, 31.6, x{"place>bouncer-1": 15, "place>bouncer-2": 15, "demand": 0.4}, nil}},
			[]load{{800, 32, x{"demand": 30}, nil}}), func(s *stack) {
			s.edges = s.edges[:1]
			for _, bouncer := range []string{"bouncer-1", "bouncer-2"} {
				s.servers = append(s.servers, server{tier: bouncer, r0: 1e-5, queue: 16, loads: []load{{400, 0.01, nil, nil}}})
				s.edges = append(s.edges, edge{from: "tomcat", to: bouncer, calls: 400, outstanding: 16},
					edge{from: bouncer, to: "mariadb", calls: 400, outstanding: 16})
			}
		}),
		say:   map[int]string{60: "single mariadb demand", 240: "single mariadb demand"},
		alert: 130,
	},
	{
		name: "few workers before MariaDB, whose statements always sleep, so that nobody knows what they usually take",
		stack: with(tiers3([]int{240}, []load{calmHTTPD},
			[]load{{30, 17, x{"behind>mariadb": 4, "place>mariadb": 11, "demand": 0.2}, nil}},
			[]load{{30, 5.5, x{"unknown": 5}, nil}}), func(s *stack) {
			s.servers[2].r0, s.servers[2].asleep = 0, 5.3
		}),
		say:   map[int]string{60: "single tomcat soft_resource", 240: "single tomcat soft_resource"},
		alert: 160,
		more: []query{{`round(nstar:tier_sleeps:ratio15s, 0.01)`, 240, map[string]float64{
			`{app="shop",to="mariadb"}`: 0.96}}},
	},
	{
		name: "the same, and these wait for a lock: it is theirs, whatever it is",
		stack: with(tiers3([]int{240}, []load{calmHTTPD},
			[]load{{30, 17, x{"behind>mariadb": 4, "place>mariadb": 11, "demand": 0.2}, nil}},
			[]load{{30, 5.5, x{"unknown": 5}, nil}}), func(s *stack) {
			s.servers[2].r0, s.servers[2].asleep, s.servers[2].locked = 0, 5.3, 2
		}),
		say: map[int]string{60: "learning", 240: "learning"},
	},
	{
		name: "httpd can't connect to Tomcat, which is started again and again, and waits to try again",
		stack: with(tiers3([]int{240}, []load{{100, 8, x{"stopped": 6}, nil}}, []load{{100, 0.4, nil, nil}},
			[]load{{200, 0.2, nil, nil}}), func(s *stack) {
			s.edges[0].failed = 2
		}),
		say:   map[int]string{60: "single tomcat stopped", 240: "single tomcat stopped"},
		alert: 110,
		more: []query{{`nstar:tier_kept_from:bool`, 240, map[string]float64{
			`nstar:tier_kept_from:bool{app="shop",tier="httpd",to="tomcat"}`: 1}}},
	},
	{
		name: "the same, but it is a signal that stops httpd",
		stack: with(tiers3([]int{240}, []load{{100, 8, x{"stopped": 6}, nil}}, []load{{100, 0.4, nil, nil}},
			[]load{{200, 0.2, nil, nil}}), func(s *stack) {
			s.edges[0].failed, s.servers[0].stopped = 2, 0.1
		}),
		say:   map[int]string{60: "single httpd stopped", 240: "single httpd stopped"},
		alert: 110,
	},
	{
		name: "a herd at the start, R0 known from before",
		stack: tiers3([]int{30, 150}, []load{calmHTTPD}, []load{{400, 60, x{"demand": 58.8}, nil}, calmTomcat},
			[]load{calmMariaDB}),
		say: map[int]string{20: "learning", 50: "healthy", 90: "healthy", 180: "healthy"},
	},
	{
		name: "a herd that keeps the processors of Tomcat full is more than it can do, until it is gone",
		stack: with(tiers3([]int{30, 150}, []load{calmHTTPD}, []load{{400, 60, x{"demand": 58.8}, nil}, calmTomcat},
			[]load{calmMariaDB}), func(s *stack) {
			s.servers[1].full = []float64{1, 0}
		}),
		say: map[int]string{15: "learning", 25: "single tomcat demand", 60: "healthy", 180: "healthy"},
	},
	{
		name: "a burst in the second half of the first minute",
		stack: tiers3([]int{40, 12, 188}, []load{calmHTTPD, {1200, 0.6, x{"demand": 0.12}, nil}, calmHTTPD},
			[]load{calmTomcat, {1200, 104, x{"demand": 100}, nil}, calmTomcat},
			[]load{calmMariaDB, {2400, 3, x{"demand": 1}, nil}, calmMariaDB}),
		say: map[int]string{35: "healthy", 55: "learning", 75: "single tomcat burst", 240: "healthy"},
	},
	{
		name: "a burst of 12 s",
		stack: tiers3([]int{120, 12, 108}, []load{calmHTTPD, {700, 0.2, x{"demand": 0.04}, nil}, calmHTTPD},
			[]load{calmTomcat, {700, 60, x{"demand": 58}, nil}, calmTomcat}, []load{calmMariaDB}),
		say: map[int]string{110: "healthy", 150: "single tomcat burst", 240: "healthy"},
		more: []query{
			{`round(nstar:app_arrivals:requests_per_second15s, 0.1)`, 135, map[string]float64{`{app="shop"}`: 643.1}},
			{`round(nstar:app_spell:ratio, 0.01)`, 150, map[string]float64{`{app="shop",tier="tomcat",cause="demand"}`: 0.83}},
			{`nstar:app_surge:bool`, 150, map[string]float64{`nstar:app_surge:bool{app="shop"}`: 1}},
		},
	},
	{
		name: "a burst that is not answered faster: it waits, and more are there",
		stack: tiers3([]int{120, 15, 105}, []load{calmHTTPD},
			[]load{calmTomcat, {400, 1500, x{"demand": 1498.8}, nil}, calmTomcat}, []load{calmMariaDB}),
		say: map[int]string{110: "healthy", 150: "single tomcat burst", 240: "healthy"},
	},
	{
		name: "no more requests than otherwise, which wait for a while",
		stack: tiers3([]int{120, 12, 108}, []load{calmHTTPD},
			[]load{calmTomcat, {400, 60, x{"demand": 58.8}, nil}, calmTomcat}, []load{calmMariaDB}),
		say: map[int]string{110: "healthy", 150: "single tomcat demand", 240: "healthy"},
	},
	{
		// As seen of 69 users and a database that is 87 % busy.
		name: "a steady load near the limit of a tier: queues come and go, and no more come for that",
		stack: tiers3([]int{60, 10, 40, 10, 40, 10, 70}, []load{{214, 0.2, x{"demand": 0.02}, nil}}, []load{{214, 1, nil, nil}},
			[]load{
				{428, 3, x{"demand": 1}, nil}, {428, 30, x{"demand": 28}, nil}, {428, 3, x{"demand": 1}, nil}, {428, 34, x{"demand": 32}, nil},
				{428, 3, x{"demand": 1}, nil}, {428, 32, x{"demand": 30}, nil}, {428, 3, x{"demand": 1}, nil},
			}),
		say:   map[int]string{50: "healthy", 100: "single mariadb demand", 150: "single mariadb demand", 240: "healthy"},
		alert: 190,
	},
	{
		name: "a destination that nobody measures is slow",
		stack: with(calm3([]int{120, 240}, calmHTTPD, load{400, 30, x{"behind>10.0.0.9:5432": 28, "demand": 0.4}, nil},
			calmMariaDB),
			func(s *stack) { s.edges = append(s.edges, edge{from: "tomcat", to: "10.0.0.9:5432", calls: 400}) }),
		say:   map[int]string{360: "single 10.0.0.9:5432 slow"},
		alert: 270,
	},
	{
		name: "a destination that nobody measures gives no answer now and then",
		stack: with(calm3([]int{240}, calmHTTPD, calmTomcat, calmMariaDB), func(s *stack) {
			s.edges = append(s.edges, edge{from: "tomcat", to: "10.0.0.9:5432", calls: 400, waits: 2, stops: x{"stalled": 1.2}})
		}),
		say:   map[int]string{240: "single 10.0.0.9:5432 slow"},
		alert: 160,
		more: []query{
			{`round(nstar:app_response_time:seconds{tier="10.0.0.9:5432"}, 1e-6)`, 240, map[string]float64{
				`{app="shop",tier="10.0.0.9:5432"}`: 0.005}},
			{`round(nstar:app_base_time:seconds{tier="10.0.0.9:5432"}, 1e-6)`, 240, map[string]float64{
				`{app="shop",tier="10.0.0.9:5432"}`: 0.002}},
			{`round(nstar:unmeasured_queue_length:mean15s, 1e-6)`, 240, map[string]float64{
				`{app="shop",tier="10.0.0.9:5432"}`: 2}},
			{`round(nstar:unmeasured_excess:mean15s, 1e-6)`, 240, map[string]float64{
				`{app="shop",tier="10.0.0.9:5432",cause="stalled"}`: 1.2}},
			{`round(nstar:app_excess_share:ratio{cause="slow"}, 0.001)`, 240, map[string]float64{
				`{app="shop",tier="10.0.0.9:5432",cause="slow"}`: 0.25}},
		},
	},
	{
		name: "a destination that nobody measures is a part of the response time, and well",
		stack: with(calm3([]int{240}, calmHTTPD, calmTomcat, calmMariaDB), func(s *stack) {
			s.edges = append(s.edges, edge{from: "tomcat", to: "10.0.0.9:5432", calls: 400, waits: 17.2})
		}),
		say:  map[int]string{20: "healthy", 240: "healthy"},
		more: []query{{`round(sum(nstar:app_response_time:seconds), 1e-6)`, 240, map[string]float64{`{}`: 0.05}}},
	},
	{
		name: "a destination that nobody measures may be slow, as far as anybody knows",
		stack: with(calm3([]int{240}, calmHTTPD, calmTomcat, calmMariaDB), func(s *stack) {
			s.edges = append(s.edges, edge{from: "tomcat", to: "10.0.0.9:5432", calls: 400, waits: 17.2,
				stops: x{"unknown": 17.2}})
		}),
		say: map[int]string{20: "learning", 240: "learning"},
	},
	{
		name: "two servers ask the same destination that nobody measures",
		stack: with(alike(2, []int{240}, load{200, 0.82, x{"demand": 0.22}, nil}), func(s *stack) {
			for _, from := range []string{"tomcat-1", "tomcat-2"} {
				s.edges = append(s.edges, edge{from: from, to: "10.0.0.9:5432", calls: 200, waits: 5,
					stops: x{"behind": 4.5, "stalled": 0.1}})
			}
		}),
		say:   map[int]string{240: "single 10.0.0.9:5432 slow"},
		alert: 160,
	},
	{
		name: "what is asked over a Unix socket may stand still",
		stack: with(calm3([]int{240}, load{400, 3, x{"unknown": 0.9}, nil}, calmTomcat, calmMariaDB), func(s *stack) {
			s.more = []series{{`nstar_tier_unix_socket_info{job="nstar",instance="h:9965",app="shop",tier="httpd",path="/run/a"}`,
				slices.Repeat([]float64{1}, 49)}}
		}),
		say: map[int]string{240: "learning"},
	},
	{
		name:  "the same where none is asked",
		stack: calm3([]int{240}, load{400, 3, x{"unknown": 0.9}, nil}, calmTomcat, calmMariaDB),
		say:   map[int]string{240: "healthy"},
	},
	{
		name: "a database that is asked by who is asked over a Unix socket is no entrance",
		stack: with(tiers3([]int{240}, []load{{100, 5, x{"unknown": 3}, nil}}, nil, []load{{4000, 0.8, x{"demand": 0.1}, nil}}),
			func(s *stack) {
				s.servers, s.edges = []server{s.servers[0], s.servers[2]}, nil
				s.servers[0].r0 = 0
				s.more = []series{
					{`nstar_tier_unix_socket_info{job="nstar",instance="h:9965",app="shop",tier="httpd",path="/run/app.sock"}`, slices.Repeat([]float64{1}, 49)},
					{`nstar_tier_program_info{job="nstar",instance="h:9965",app="shop",tier="mariadb",program="mariadb"}`, slices.Repeat([]float64{1}, 49)},
				}
			}),
		say:  map[int]string{240: "learning"},
		more: []query{{`round(nstar:app_throughput:requests_per_second, 1e-6)`, 240, map[string]float64{`{app="shop"}`: 100}}},
	},
	{
		name: "what callers say of a destination that is measured counts nothing",
		stack: with(calm3([]int{240}, calmHTTPD, calmTomcat, calmMariaDB), func(s *stack) {
			s.edges[1].waits, s.edges[1].stops = 5, x{"stalled": 2, "unknown": 3}
		}),
		say:  map[int]string{20: "healthy", 240: "healthy"},
		more: []query{{`round(sum(nstar:app_response_time:seconds), 1e-6)`, 240, map[string]float64{`{}`: 0.007}}},
	},
	{
		name: "waiting for a place at a destination that nobody measures cannot be told",
		stack: with(calm3([]int{120, 240}, calmHTTPD, load{400, 30, x{"place>10.0.0.9:5432": 28, "demand": 0.4}, nil},
			calmMariaDB),
			func(s *stack) { s.edges = append(s.edges, edge{from: "tomcat", to: "10.0.0.9:5432", calls: 400}) }),
		say: map[int]string{360: "learning"},
	},
	{
		name: "a limit costs a third of the response time, and of a fifth nobody knows why",
		stack: calm3([]int{120, 240}, load{400, 15, x{"soft_resource>tomcat": 14}, nil}, load{400, 26, x{"unknown": 9}, nil},
			calmMariaDB),
		say: map[int]string{110: "healthy", 360: "learning"},
	},
	{
		name: "a limit costs a quarter of the response time, and the rest is known",
		stack: calm3([]int{120, 240}, load{400, 15, x{"soft_resource>tomcat": 12}, nil},
			load{400, 26, x{"unknown": 2}, x{"unknown": 20}}, calmMariaDB),
		say: map[int]string{360: "healthy"},
	},
	{
		name: "a tier beyond its limit that costs 1 ms of 50",
		stack: calm3([]int{120, 240}, calmHTTPD, load{400, 19.2, x{"demand": 0.4}, nil},
			load{800, 1, x{"demand": 0.84}, nil}),
		say: map[int]string{360: "healthy"},
	},
	{
		name: "more demand than a tier can do, whose limit is not known yet",
		stack: with(calm3([]int{120, 240}, calmHTTPD, calmTomcat, load{800, 20, x{"demand": 19.36}, nil}),
			func(s *stack) { s.servers[2].status = "learning" }),
		say: map[int]string{110: "healthy", 360: "learning"},
		more: []query{
			{`nstar:tier_learning:bool`, 360, map[string]float64{`nstar:tier_learning:bool{app="shop",tier="mariadb"}`: 1}},
			{`round(nstar:app_undecided:ratio, 0.001)`, 360,
				map[string]float64{`{app="shop",tier="mariadb",cause="demand"}`: 0.886}},
		},
	},
	{
		name: "others on the processors of two tiers",
		stack: calm3([]int{120, 240}, calmHTTPD, load{400, 9, x{"noisy_neighbour": 5.5, "demand": 0.4}, nil},
			load{800, 8, x{"noisy_neighbour": 5, "demand": 0.4}, nil}),
		say:   map[int]string{110: "healthy", 360: "single tomcat noisy_neighbour"},
		alert: 270,
		more: []query{{`round(nstar:app_verdict, 0.001)`, 360, map[string]float64{
			`{app="shop",cause="noisy_neighbour",tier="tomcat",verdict="single_bottleneck"}`: 0.61}}},
	},
	{
		name: "others on the processors of a tier that has little to do: two milliseconds are nobody's fault",
		stack: calm3([]int{240}, load{6, 0.001, nil, nil}, load{6, 0.024, x{"noisy_neighbour": 0.014}, nil},
			load{12, 0.004, nil, nil}),
		say: map[int]string{60: "healthy", 240: "healthy"},
	},
	{
		name: "others on the processors of a tier that has little to do, and it is slow",
		stack: with(calm3([]int{240}, load{6, 0.001, nil, nil}, load{6, 0.7, x{"noisy_neighbour": 0.4}, nil},
			load{12, 0.004, nil, nil}),
			func(s *stack) { s.servers[1].r0 = 0.05 }),
		say:   map[int]string{60: "single tomcat noisy_neighbour", 240: "single tomcat noisy_neighbour"},
		alert: 150,
	},
	{
		name: "others on the processors of two tiers, who leave enough",
		stack: calm3([]int{120, 240}, calmHTTPD, load{400, 9, x{"noisy_neighbour": 3, "demand": 0.4}, nil},
			load{800, 8, x{"noisy_neighbour": 2, "demand": 0.4}, nil}),
		say: map[int]string{360: "healthy"},
	},
	{
		name: "a real alternation: collections in Tomcat, demand on MariaDB",
		stack: with(calm3([]int{120, 240}, calmHTTPD,
			load{400, 9, x{"garbage_collection": 7, "demand": 0.4}, nil}, load{800, 8, x{"demand": 7.36}, nil}), func(s *stack) {
			s.edges[1].pearson = -0.6
		}),
		say:   map[int]string{110: "healthy", 360: "alternating tomcat garbage_collection"},
		alert: 270,
		more: []query{
			{`round(nstar:app_alternating:ratio, 0.001)`, 360, map[string]float64{
				`{app="shop",tier="tomcat"}`: 0.430, `{app="shop",tier="mariadb"}`: 0.428}},
			{`round(nstar:app_held:ratio, 0.001)`, 360, map[string]float64{
				`{app="shop",tier="httpd"}`: 0.003, `{app="shop",tier="tomcat"}`: 0.5, `{app="shop",tier="mariadb"}`: 0.497}},
			{`round(nstar:app_candidate:ratio, 0.001)`, 360, map[string]float64{
				`{app="shop",tier="tomcat",cause="garbage_collection"}`: 0.407,
				`{app="shop",tier="mariadb",cause="demand"}`:            0.428}},
		},
	},
	{
		name: "turns where the one end has only what the other left behind",
		stack: with(calm3([]int{120, 240}, calmHTTPD,
			load{400, 9, x{"garbage_collection": 7, "demand": 0.4}, nil}, load{800, 8, x{"demand": 7.36}, nil}), func(s *stack) {
			s.edges[1].pearson = -0.6
			s.edges[1].stops = x{"garbage_collection": 7}
		}),
		say:   map[int]string{360: "alternating tomcat garbage_collection"},
		alert: 270,
	},
	{
		name: "four servers behind a balancer, all at their limit: each has a fifth of the response time",
		stack: with(alike(4, []int{240}, load{100, 8.3, x{"demand": 8}, nil}), func(s *stack) {
			s.servers[1].loads = []load{{100, 8.8, x{"demand": 8.5}, nil}}
		}),
		say:   map[int]string{20: "learning", 75: "single tomcat-1 demand", 240: "single tomcat-1 demand"},
		alert: 160,
		more: []query{{`round(nstar:app_alike_share:ratio{cause="demand"}, 0.01) > 0.01`, 240, map[string]float64{
			`{app="shop",cause="demand",tier="tomcat-1"}`: 0.93, `{app="shop",cause="demand",tier="tomcat-2"}`: 0.93,
			`{app="shop",cause="demand",tier="tomcat-3"}`: 0.93, `{app="shop",cause="demand",tier="tomcat-4"}`: 0.93}},
			{`count by (app, from) (nstar:edge_alike:bool{from="httpd"})`, 240, map[string]float64{
				`{app="shop",from="httpd"}`: 4}}},
	},
	{
		name: "tiers that share two processors, which are full with their work: the one that has most of them",
		stack: with(tiers3([]int{240}, []load{{60, 30, x{"demand": 9, "noisy_neighbour": 4}, nil}},
			[]load{{60, 40, x{"demand": 12, "noisy_neighbour": 4}, nil}}, []load{{60, 30, x{"demand": 12.5, "noisy_neighbour": 4}, nil}}),
			shareProcessors(0.1)),
		say:   map[int]string{20: "single tomcat demand", 240: "single tomcat demand"},
		alert: 110,
		more: []query{{`round(nstar:app_alike_share:ratio{cause="demand"}, 0.001)`, 240, map[string]float64{
			`{app="shop",cause="demand",tier="httpd"}`: 0.09, `{app="shop",cause="demand",tier="tomcat"}`: 0.335,
			`{app="shop",cause="demand",tier="mariadb"}`: 0.125}}, {`nstar:tier_crowded:bool{tier="tomcat"}`, 240, map[string]float64{
			`nstar:tier_crowded:bool{app="shop",instance="h:9965",tier="tomcat"}`: 1}}},
	},
	{
		name: "the same, and others have half of the processors",
		stack: with(tiers3([]int{240}, []load{{60, 30, x{"demand": 9, "noisy_neighbour": 4}, nil}},
			[]load{{60, 40, x{"demand": 12, "noisy_neighbour": 4}, nil}}, []load{{60, 30, x{"demand": 12.5, "noisy_neighbour": 4}, nil}}),
			shareProcessors(0.5)),
		say:  map[int]string{240: "healthy"},
		more: []query{{`nstar:tier_crowded:bool`, 240, nil}},
	},
	{
		name: "tiers that share two processors, which are full with their work, and none has half: the one that has most",
		stack: with(tiers3([]int{240}, []load{{60, 30, x{"demand": 9, "unknown": 4}, nil}},
			[]load{{60, 40, x{"demand": 6, "unknown": 16}, nil}}, []load{{60, 30, x{"demand": 12, "unknown": 8}, nil}}),
			crowdProcessors(3)),
		say:   map[int]string{20: "learning", 60: "single tomcat demand", 240: "single tomcat demand"},
		alert: 125,
		more: []query{{`nstar:app_crowded:bool15s`, 240, map[string]float64{
			`nstar:app_crowded:bool15s{app="shop",instance="h:9965"}`: 1}}, {`round(nstar:app_crowding:ratio, 0.01)`, 240, map[string]float64{
			`{app="shop",tier="tomcat"}`: 0.55}}},
	},
	{
		name: "the same, and few threads wait for the processors: what requests wait for is not known",
		stack: with(tiers3([]int{240}, []load{{60, 30, x{"demand": 9, "unknown": 4}, nil}},
			[]load{{60, 40, x{"demand": 6, "unknown": 16}, nil}}, []load{{60, 30, x{"demand": 12, "unknown": 8}, nil}}),
			crowdProcessors(0.5)),
		say: map[int]string{60: "learning", 240: "learning"},
		more: []query{{`nstar:app_crowded:bool15s`, 240, map[string]float64{
			`nstar:app_crowded:bool15s{app="shop",instance="h:9965"}`: 0}}, {`nstar:app_crowding:ratio`, 240, nil}},
	},
	{
		name: "a signal stops MariaDB for a tenth of the time, and what Tomcat usually takes is not known yet",
		stack: with(tiers3([]int{240}, []load{{100, 0.1, nil, nil}}, []load{{100, 5, x{"unknown": 3}, nil}},
			[]load{{200, 4, x{"stopped": 1.2}, nil}}), func(s *stack) {
			s.servers[1].r0, s.servers[2].stopped = 0, 0.1
		}),
		say:   map[int]string{20: "single mariadb stopped", 60: "single mariadb stopped", 240: "single mariadb stopped"},
		alert: 110,
	},
	{
		name: "the same, and nothing proves it",
		stack: with(tiers3([]int{240}, []load{{100, 0.1, nil, nil}}, []load{{100, 5, x{"unknown": 3}, nil}},
			[]load{{200, 4, x{"stopped": 1.2}, nil}}), func(s *stack) {
			s.servers[1].r0, s.servers[2].stopped = 0, 0.001
		}),
		say:  map[int]string{60: "learning", 240: "learning"},
		more: []query{{`nstar:tier_halted:bool`, 60, nil}},
	},
	{
		// 200 ms every 2 s, of a database that has a quarter of a page's time.
		name: "stops that cost a fourteenth of the time, and a signal makes them",
		stack: with(tiers3([]int{240}, []load{calmHTTPD}, []load{calmTomcat}, []load{{800, 1.2, x{"stopped": 0.22, "demand": 0.32}, nil}}),
			func(s *stack) { s.servers[2].stopped = 0.1 }),
		say:   map[int]string{60: "single mariadb stopped", 240: "single mariadb stopped"},
		more:  []query{{`nstar:tier_halted:bool`, 60, map[string]float64{`nstar:tier_halted:bool{app="shop",tier="mariadb"}`: 1}}},
		alert: 160,
	},
	{
		name: "stops that begin a little later: named when it is known that they come again, and from then on",
		stack: tiers3([]int{20, 220}, []load{calmHTTPD}, []load{calmTomcat},
			[]load{calmMariaDB, {800, 7, x{"stopped": 6, "demand": 0.32}, nil}}),
		say:   map[int]string{20: "healthy", 30: "learning", 35: "learning", 40: "learning", 45: "single mariadb stopped", 240: "single mariadb stopped"},
		alert: 160,
	},
	{
		name: "two servers behind a balancer, both stopped by collections: each has a fourteenth of the response time",
		stack: with(alike(2, []int{240}, load{100, 3, x{"garbage_collection": 0.5, "demand": 1}, x{"garbage_collection": 4, "demand": 5}}), func(s *stack) {
			s.servers[1].loads = []load{{100, 3, x{"garbage_collection": 0.51, "demand": 1}, x{"garbage_collection": 4, "demand": 5}}}
		}),
		say:   map[int]string{20: "learning", 75: "single tomcat-1 garbage_collection", 240: "single tomcat-1 garbage_collection"},
		alert: 160,
		more: []query{{`round(nstar:app_alike_share:ratio{cause="garbage_collection"}, 0.001) > 0`, 240, map[string]float64{
			`{app="shop",cause="garbage_collection",tier="tomcat-1"}`: 0.141, `{app="shop",cause="garbage_collection",tier="tomcat-2"}`: 0.141}},
			{`round(nstar:app_alike_tail:ratio{cause="garbage_collection"}, 0.001) > 0`, 240, map[string]float64{
				`{app="shop",cause="garbage_collection",tier="tomcat-1"}`: 0.436, `{app="shop",cause="garbage_collection",tier="tomcat-2"}`: 0.436}}},
	},
	{
		name: "one of two servers behind a balancer, and so little of it is no matter",
		stack: with(alike(2, []int{240}, load{100, 3, x{"demand": 1}, x{"demand": 5}}), func(s *stack) {
			s.servers[1].loads = []load{{100, 3, x{"garbage_collection": 0.5, "demand": 1}, x{"garbage_collection": 4, "demand": 5}}}
		}),
		say: map[int]string{240: "healthy"},
	},
	{
		name: "three servers behind a balancer, each with a pool that is too small",
		stack: with(alike(3, []int{240}, load{133, 8.3, x{"soft_resource>mariadb": 8}, nil}), func(s *stack) {
			s.servers[1].loads = []load{{133, 8.8, x{"soft_resource>mariadb": 8.5}, nil}}
		}),
		say:   map[int]string{20: "learning", 75: "single tomcat-1 soft_resource", 240: "single tomcat-1 soft_resource"},
		alert: 160,
		more: []query{{`round(nstar:app_alike_share:ratio{cause="soft_resource"}, 0.01)`, 240, map[string]float64{
			`{app="shop",cause="soft_resource",tier="tomcat-1"}`: 0.92,
			`{app="shop",cause="soft_resource",tier="tomcat-2"}`: 0.92,
			`{app="shop",cause="soft_resource",tier="tomcat-3"}`: 0.92}}},
	},
	{
		name: "four servers behind a balancer, of which one has a quarter of the response time: none is at its limit",
		stack: with(alike(4, []int{240}, load{100, 0.41, x{"demand": 0.11}, nil}), func(s *stack) {
			s.servers[1].loads = []load{{100, 1.4, x{"demand": 1.1}, nil}}
		}),
		say: map[int]string{20: "healthy", 240: "healthy"},
	},
	{
		name: "two tiers equally to blame: one verdict",
		stack: with(calm3([]int{120, 240}, calmHTTPD,
			load{400, 12.2, x{"demand": 11}, nil}, load{800, 11.64, x{"demand": 11}, nil}), func(s *stack) {
			s.edges[1].pearson = -0.6
		}),
		say:   map[int]string{110: "healthy"},
		alert: 270,
	},
	{
		name: "users wait for their answers: what is not in MariaDB is in Tomcat, which has a third of it",
		stack: with(calm3([]int{120, 240}, calmHTTPD,
			load{400, 9.2, x{"demand": 8}, nil}, load{800, 24.64, x{"demand": 24}, nil}), func(s *stack) {
			s.edges[1].pearson = -0.6
		}),
		say:   map[int]string{110: "healthy", 360: "single mariadb demand"},
		alert: 270,
	},
	{
		name: "others on the processors of two tiers, and whether one of these has too much to do is not known",
		stack: with(calm3([]int{240}, calmHTTPD,
			load{400, 16, x{"noisy_neighbour": 6.2, "demand": 7}, nil}, load{800, 4, x{"noisy_neighbour": 3, "demand": 0.4}, nil}),
			func(s *stack) { s.servers[1].status = "learning" }),
		say:   map[int]string{240: "single tomcat noisy_neighbour"},
		alert: 170,
	},
	{
		name: "others leave two tiers so little that the threads of one wait for each other, too",
		stack: calm3([]int{120, 240}, calmHTTPD, load{400, 18, x{"noisy_neighbour": 7.3, "demand": 8.5}, nil},
			load{800, 3, x{"noisy_neighbour": 2, "demand": 0.2}, nil}),
		say:   map[int]string{110: "healthy", 360: "single tomcat noisy_neighbour"},
		alert: 270,
		more: []query{
			{`round(nstar:app_neighbours:ratio, 0.001)`, 360, map[string]float64{
				`{app="shop",tier="tomcat",cause="noisy_neighbour"}`: 0.344}},
			{`round(nstar:app_crowded_out:ratio, 0.001)`, 360, map[string]float64{
				`{app="shop",tier="tomcat",cause="demand"}`: 0.401}},
		},
	},
	{
		name: "others have a third, and half of the demand beside them, which their keeping the processors makes",
		stack: with(calm3([]int{120, 240}, calmHTTPD, load{400, 18, x{"noisy_neighbour": 7.3, "demand": 8.5}, nil}, calmMariaDB),
			shareProcessors(0.3)),
		say:   map[int]string{110: "healthy", 360: "single tomcat noisy_neighbour"},
		alert: 270,
		more: []query{{`round(nstar:app_neighbours:ratio, 0.001)`, 360, map[string]float64{
			`{app="shop",tier="tomcat",cause="noisy_neighbour"}`: 0.381}}},
	},
	{
		name: "the same, and others have a sixth of the processors: the application keeps them full itself",
		stack: with(calm3([]int{120, 240}, calmHTTPD, load{400, 18, x{"noisy_neighbour": 7.3, "demand": 8.5}, nil}, calmMariaDB),
			shareProcessors(0.16)),
		say:   map[int]string{110: "healthy", 360: "single tomcat demand"},
		alert: 270,
	},
	{
		name:  "others have a sixth, and half of the demand beside them",
		stack: calm3([]int{120, 240}, calmHTTPD, load{400, 4, x{"noisy_neighbour": 0.9, "demand": 1.6}, nil}, calmMariaDB),
		say:   map[int]string{110: "healthy", 360: "healthy"},
	},
	{
		name:  "others have a quarter of what demand has",
		stack: calm3([]int{120, 240}, calmHTTPD, load{400, 40, x{"noisy_neighbour": 8, "demand": 30}, nil}, calmMariaDB),
		say:   map[int]string{110: "healthy", 360: "single tomcat demand"},
		alert: 270,
	},
	{
		// As seen of Gitea, which reads all issues by itself after its start: the load measured 41 ms.
		name: "a tier reads ahead in the background: nobody waits for these calls",
		stack: with(calm3([]int{240}, load{14, 0.005, nil, nil}, load{14, 0.367, x{"demand": 0.05}, nil},
			load{6050, 0.644, x{"demand": 0.5}, nil}), func(s *stack) {
			s.servers[0].queue, s.servers[1].queue, s.servers[2].queue = 0.636, 0.631, 0.675
			s.edges[0].calls, s.edges[1].calls = 14, 6050
			s.edges[0].outstanding, s.edges[1].outstanding = 0.631, 0.715
		}),
		say: map[int]string{240: "healthy"},
		more: []query{{`round(1e5 * nstar:app_response_time:seconds)`, 240, map[string]float64{
			// 1 - 0.451/0.675 of MariaDB's 0.644, over 14/s
			`{app="shop",tier="httpd"}`: 36, `{app="shop",tier="tomcat"}`: 2621, `{app="shop",tier="mariadb"}`: 1527}},
			{`round(nstar:tier_requests:mean15s{tier="mariadb"}, 1e-6)`, 240, map[string]float64{
				`{app="shop",tier="mariadb",of="all"}`: 0.675, `{app="shop",tier="mariadb",of="own"}`: 0.644}},
			{`round(nstar:edge_outstanding:mean15s{from="tomcat"}, 1e-6)`, 240, map[string]float64{
				`{app="shop",from="tomcat",to="mariadb"}`: 0.715}},
			{`round(nstar:tier_unasked_calls:ratio15s, 1e-6)`, 240, map[string]float64{
				`{app="shop",tier="tomcat"}`: 0.630769}},
			{`round(nstar:tier_asked:ratio15s, 1e-6)`, 240, map[string]float64{
				`{app="shop",tier="httpd"}`: 1, `{app="shop",tier="tomcat"}`: 1, `{app="shop",tier="mariadb"}`: 0.331852}},
		},
	},
	{
		name: "a consumer works on its own account behind: no answer waits for its database",
		stack: with(tiers3([]int{240}, []load{{400, 2, x{"stopped": 0.5}, nil}}, []load{{0, 0, nil, nil}},
			[]load{{800, 1, x{"demand": 0.7}, nil}}), func(s *stack) {
			s.servers[0].queue, s.servers[2].queue = 2, 1
			s.edges[0].calls, s.edges[1].outstanding = 0, 1
		}),
		say:   map[int]string{240: "single httpd stopped"},
		alert: 160,
		more:  []query{{`round(1e5 * sum(nstar:app_response_time:seconds))`, 240, map[string]float64{`{}`: 500}}},
	},
	{
		name: "Tomcat is gone for half a minute: what httpd answers meanwhile are errors, which take no time",
		stack: with(tiers3([]int{90, 30, 120}, []load{calmHTTPD, {400, 0.04, nil, nil}, calmHTTPD},
			[]load{calmTomcat, {0, 0, nil, nil}, calmTomcat}, []load{calmMariaDB, {0, 0, nil, nil}, calmMariaDB}), func(s *stack) {
			s.edges = s.edges[1:]
			calls, failed := make([]float64, 49), make([]float64, 49)
			for i := range 48 {
				calls[i+1], failed[i+1] = calls[i]+2000, failed[i]
				if i >= 18 && i < 24 {
					calls[i+1], failed[i+1] = calls[i], failed[i]+100
				}
			}
			edge := `{job="nstar",instance="h:9965",app="shop",from="httpd",to="tomcat"}`
			s.more = []series{{"nstar_edge_calls_total" + edge, calls}, {"nstar_edge_failed_connections_total" + edge, failed}}
		}),
		say: map[int]string{60: "healthy", 110: "learning", 120: "learning", 160: "healthy", 240: "healthy"},
		more: []query{{`nstar:tier_unreachable:bool`, 60, nil},
			{`nstar:tier_unreachable:bool`, 120, map[string]float64{`nstar:tier_unreachable:bool{app="shop",tier="tomcat"}`: 1}}},
	},
	{
		name:  "four of five pages are errors, which take no time",
		stack: with(tiers3([]int{240}, []load{calmHTTPD}, []load{calmTomcat}, []load{calmMariaDB}), func(s *stack) { s.servers[1].errors = 320 }),
		say:   map[int]string{60: "learning", 240: "learning"},
		more: []query{{`round(nstar:tier_errors:ratio1m, 0.01)`, 240, map[string]float64{
			`{app="shop",tier="tomcat"}`: 0.8}}},
	},
	{
		name:  "one page of a hundred is an error",
		stack: with(tiers3([]int{240}, []load{calmHTTPD}, []load{calmTomcat}, []load{calmMariaDB}), func(s *stack) { s.servers[1].errors = 4 }),
		say:   map[int]string{60: "healthy", 240: "healthy"},
	},
	{
		// As seen of the stream: 870 records a second come, 200 are written.
		name:  "a consumer can't follow: it waits for its database all the time, and never for records",
		stack: pipeline(0.04, 1e-4, 200, 0.99, load{200, 0.99, x{"demand": 0.1}, nil}),
		say:   map[int]string{20: "learning", 60: "single postgres demand", 240: "single postgres demand"},
		alert: 160,
		more: []query{
			{`round(nstar:consumer_bottleneck:ratio, 1e-6)`, 240, map[string]float64{
				`{app="shop",from="consumer",tier="postgres",cause="demand"}`: 0.99}},
			{`round(nstar:consumer_waits_for:ratio, 1e-6)`, 240, map[string]float64{
				`{app="shop",from="consumer",tier="postgres"}`: 0.99}},
			{`round(nstar:consumer_behind:ratio, 1e-6)`, 240, map[string]float64{
				`{app="shop",from="consumer",to="postgres"}`: 0.99}},
			{`round(nstar:consumer_full:ratio, 1e-6)`, 240, map[string]float64{
				`{app="shop",from="consumer",to="postgres"}`: 0.99}},
			{`round(nstar:consumer_awaits:per_second, 1e-6)`, 240, map[string]float64{
				`{app="shop",from="consumer"}`: 0.04}},
		},
	},
	{
		name: "a consumer can't follow: it computes all the time, as one thread does",
		stack: with(pipeline(0.2, 1e-4, 50, 0.04, load{50, 0.04, nil, nil}), func(s *stack) {
			s.servers[2].used, s.servers[2].busy, s.servers[2].thread = 1.2, 0.6, 0.96
		}),
		say:   map[int]string{20: "learning", 60: "single consumer demand", 240: "single consumer demand"},
		alert: 160,
		more: []query{
			{`round(nstar:consumer_busy:ratio, 1e-6)`, 240, map[string]float64{`{app="shop",from="consumer"}`: 0.96}},
			{`round(nstar:consumer_idle:ratio, 1e-6)`, 240, map[string]float64{`{app="shop",from="consumer"}`: 0.0001}},
			{`round(nstar:consumer_bottleneck:ratio, 1e-6)`, 240, map[string]float64{
				`{app="shop",from="consumer",tier="consumer",cause="demand"}`: 0.96}},
		},
	},
	{
		name: "a consumer can't follow: it computes on all processors, and its threads wait for them",
		stack: with(pipeline(2, 0.01, 50, 0.04, load{50, 0.04, nil, nil}), func(s *stack) {
			s.servers[2].used, s.servers[2].busy, s.servers[2].wanted = 1.8, 0.99, 2.5
		}),
		say:   map[int]string{240: "single consumer demand"},
		alert: 160,
	},
	{
		name: "a consumer can't follow, since others have its processors",
		stack: with(pipeline(2, 0.01, 50, 0.04, load{50, 0.04, nil, nil}), func(s *stack) {
			s.servers[2].used, s.servers[2].busy, s.servers[2].others, s.servers[2].wanted = 0.9, 1, 0.5, 0.9
		}),
		say:   map[int]string{240: "single consumer noisy_neighbour"},
		alert: 160,
	},
	{
		name: "a consumer can't follow: its one thread computes, beside others on other processors",
		stack: with(pipeline(2, 0.01, 50, 0.04, load{50, 0.04, nil, nil}), func(s *stack) {
			s.servers[2].used, s.servers[2].busy, s.servers[2].others, s.servers[2].thread = 0.97, 0.99, 0.5, 0.98
		}),
		say:   map[int]string{240: "single consumer demand"},
		alert: 160,
	},
	{
		name: "a consumer that takes its work in batches waits for no more, but rests between them",
		stack: with(pipeline(8, 0.01, 50, 0.04, load{50, 0.04, nil, nil}), func(s *stack) {
			s.servers[2].used, s.servers[2].busy, s.servers[2].wanted = 0.5, 0.97, 0.3
		}),
		say: map[int]string{60: "healthy", 240: "healthy"},
	},
	{
		name: "a consumer computes nearly all the time, but has nothing to do now and then",
		stack: with(pipeline(40, 0.06, 50, 0.04, load{50, 0.04, nil, nil}), func(s *stack) {
			s.servers[2].used, s.servers[2].busy, s.servers[2].thread = 0.94, 0.6, 0.94
		}),
		say: map[int]string{60: "healthy", 240: "healthy"},
	},
	{
		name: "a consumer takes its work in batches, for which several threads compute as much as one processor can",
		stack: with(pipeline(40, 0.01, 50, 0.04, load{50, 0.04, nil, nil}), func(s *stack) {
			s.servers[2].used, s.servers[2].busy, s.servers[2].thread = 1, 0.6, 0.3
		}),
		say: map[int]string{60: "healthy", 240: "healthy"},
	},
	{
		name: "a consumer is at one piece of work for a long time",
		stack: with(pipeline(0.002, 1e-5, 50, 0.04, load{50, 0.04, nil, nil}), func(s *stack) {
			s.servers[2].used, s.servers[2].busy, s.servers[2].thread = 1, 0.6, 1
		}),
		say: map[int]string{60: "healthy", 240: "healthy"},
	},
	{
		name: "a consumer can't follow, and has taken work for a long time ahead",
		stack: with(pipeline(0, 0, 50, 0.04, load{50, 0.04, nil, nil}), func(s *stack) {
			s.servers[2].used, s.servers[2].busy, s.servers[2].thread = 1.2, 0.6, 0.96
			s.phases = []int{480}
			taken := slices.Repeat([]float64{15}, 97)
			for i := range 15 {
				taken[i] = float64(i)
			}
			edge := `{job="nstar",instance="h:9965",app="shop",from="consumer",to="kafka"}`
			s.more = []series{{"nstar_edge_patient_calls_total" + edge, taken},
				{"nstar_edge_commits_total" + edge, slices.Repeat([]float64{0}, 97)},
				{"nstar_edge_patient_seconds_total" + edge, slices.Repeat([]float64{0.1}, 97)}}
		}),
		say:   map[int]string{60: "single consumer demand", 480: "single consumer demand"},
		alert: 160,
	},
	{
		name: "a consumer can't follow, and was only seen to say that work is done",
		stack: with(pipeline(0, 0, 50, 0.04, load{50, 0.04, nil, nil}), func(s *stack) {
			s.servers[2].used, s.servers[2].busy, s.servers[2].thread = 0.96, 0.6, 0.96
			s.edges[1].commits = 0.2
		}),
		say:   map[int]string{60: "single consumer demand", 240: "single consumer demand"},
		alert: 160,
	},
	{
		name: "a consumer that had time has none any more, and sleeps: a pool of its own",
		stack: with(pipeline(0, 0, 65, 0.2, load{65, 0.2, nil, nil}), func(s *stack) {
			s.servers[2].used, s.servers[2].busy, s.servers[2].active = 0.15, 0.5, x{"nothing": 0.3}
			s.phases = []int{900}
			noLongerIdle(s, 3.8)
		}),
		say: map[int]string{60: "healthy", 80: "healthy", 90: "learning", 110: "single consumer soft_resource",
			240: "single consumer soft_resource", 900: "single consumer soft_resource"},
		alert: 210,
		more: []query{
			{`nstar:consumer_restless:requests`, 60, nil},
			{`round(nstar:consumer_restless:requests, 1e-3)`, 240, map[string]float64{`{app="shop",from="consumer"}`: 3.8}},
			{`round(nstar:consumer_asleep:ratio, 1e-3)`, 240, map[string]float64{`{app="shop",from="consumer"}`: 0.65}},
		},
	},
	{
		name: "a consumer that had time has none any more, and what it asks can't be seen",
		stack: with(pipeline(0, 0, 65, 0.2, load{65, 0.2, nil, nil}), func(s *stack) {
			s.servers[2].used, s.servers[2].busy, s.servers[2].active = 0.15, 0.5, x{"nothing": 0.3}
			noLongerIdle(s, 3.8)
			s.more = append(s.more, series{`nstar_tier_unix_socket_info{job="nstar",instance="h:9965",app="shop",tier="consumer",path="/run/x"}`,
				slices.Repeat([]float64{1}, 49)})
		}),
		say: map[int]string{60: "healthy", 120: "learning", 240: "learning"},
	},
	{
		// Two threads ask a service, and do a little for each answer.
		name: "a consumer that had time has none any more: it waits for a service, but for a sixth of the time",
		stack: with(pipeline(0, 0, 63, 1.65, load{63, 1.65, nil, nil}), func(s *stack) {
			s.servers[2].used, s.servers[2].busy = 0.15, 0.5
			s.edges[2].bursts, s.edges[2].peak = 0.97, 2
			noLongerIdle(s, 1.9)
		}),
		say:   map[int]string{75: "learning", 85: "learning", 110: "single postgres demand", 240: "single postgres demand"},
		alert: 210,
	},
	{
		name: "a consumer never waits for work and never rests, though its threads have time: it may be behind",
		stack: with(pipeline(0.3, 0.015, 65, 0.2, load{65, 0.2, nil, nil}), func(s *stack) {
			s.servers[2].used, s.servers[2].busy, s.servers[2].thread, s.servers[2].active = 0.9, 0.8, 0.8, x{"nothing": 0.99}
		}),
		say: map[int]string{60: "learning", 240: "learning"},
	},
	{
		// As seen of Flink, which reads ahead: others of its threads ask for records, and wait for them.
		name: "a consumer reads ahead, and the thread that does the work never rests: it may be behind",
		stack: with(pipeline(130, 1.7, 19, 0.05, load{19, 0.05, nil, nil}), func(s *stack) {
			s.servers[2].used, s.servers[2].busy, s.servers[2].thread, s.servers[2].active = 1.1, 0.8, 1, x{"nothing": 1}
		}),
		say:  map[int]string{60: "learning", 240: "learning"},
		more: []query{{`nstar:consumer_strained:bool == bool 1`, 240, map[string]float64{`{app="shop",from="consumer"}`: 1}}},
	},
	{
		name: "a consumer reads ahead, and a quota holds the thread that does the work",
		stack: with(pipeline(130, 1.7, 19, 0.05, load{19, 0.05, nil, nil}), func(s *stack) {
			s.servers[2].used, s.servers[2].busy, s.servers[2].thread = 0.2, 0.4, 0.99
			s.servers[2].active = x{"nothing": 0.3, "throttled": 0.7}
		}),
		say:   map[int]string{240: "single consumer throttled"},
		alert: 160,
	},
	{
		name: "a consumer reads ahead, and waits for its database all the time: it may be behind",
		stack: with(pipeline(130, 1.7, 19, 0.99, load{19, 0.99, nil, nil}), func(s *stack) {
			s.servers[2].used, s.servers[2].busy, s.servers[2].thread = 0.2, 0.9, 0.4
		}),
		say: map[int]string{240: "learning"},
	},
	{
		name: "a consumer that had time has taken no work since: nobody knows whether there is any",
		stack: with(pipeline(0, 0, 0, 0, load{0, 0, nil, nil}), func(s *stack) {
			noLongerIdle(s, 0.9)
			s.more[1].values = slices.Repeat([]float64{0}, 49)
		}),
		say: map[int]string{60: "healthy", 240: "healthy"},
	},
	{
		name: "a consumer that is asked as well computes all the time: requests tell",
		stack: with(pipeline(0.04, 1e-4, 50, 0.04, load{50, 0.04, nil, nil}), func(s *stack) {
			s.servers[2] = server{tier: "consumer", r0: 0.01, queue: 0.5, used: 1, busy: 0.6, thread: 1, loads: []load{{50, 0.5, nil, nil}}}
		}),
		say: map[int]string{240: "healthy"},
	},
	{
		name: "a consumer can't follow, though another of the same log waits for records",
		stack: with(pipeline(0.04, 1e-4, 200, 0.99, load{200, 0.99, x{"demand": 0.1}, nil}), func(s *stack) {
			s.servers = append(s.servers, server{tier: "audit", loads: []load{{0, 0, nil, nil}}})
			s.edges = append(s.edges, edge{from: "audit", to: "kafka", calls: 0.2, patient: 300, patience: 0.8})
		}),
		say:   map[int]string{240: "single postgres demand"},
		alert: 160,
	},
	{
		name:  "a consumer can follow: it waits for records now and then",
		stack: pipeline(375, 0.7, 400, 0.3, load{400, 0.3, nil, nil}),
		say:   map[int]string{60: "healthy", 240: "healthy"},
	},
	{
		name:  "a consumer can just follow: its database is busy all the time but for a moment",
		stack: pipeline(50, 0.03, 400, 0.96, load{400, 0.96, nil, nil}),
		say:   map[int]string{60: "learning", 75: "healthy", 240: "healthy"},
	},
	{
		// Spark takes what came in a second, is done after a tenth of that, and had 35 rows under way on average meanwhile.
		name: "a consumer takes its work in batches, with many calls at once, and rests most of the time",
		stack: with(pipeline(9, 0.15, 1240, 3.8, load{1240, 3.8, nil, nil}), func(s *stack) {
			s.edges[2].bursts, s.edges[2].peak = 0.11, 13
		}),
		say: map[int]string{20: "healthy", 60: "healthy", 240: "healthy"},
		more: []query{
			{`round(nstar:edge_busy:ratio15s{from="consumer"}, 1e-6)`, 240, map[string]float64{
				`{app="shop",from="consumer",to="postgres"}`: 0.11}},
			{`round(nstar:edge_peak:mean15s{from="consumer"}, 1e-6)`, 240, map[string]float64{
				`{app="shop",from="consumer",to="postgres"}`: 13}},
		},
	},
	{
		// Spark's four threads write rows without waiting for each: four are under way, and now and then many more.
		name: "a consumer can't follow: it computes on all processors, and writes as it goes",
		stack: with(pipeline(0.3, 0.15, 2100, 3.96, load{2100, 3.96, x{"garbage_collection": 1}, nil}), func(s *stack) {
			s.edges[2].peak = 26
			s.servers[2].used, s.servers[2].busy, s.servers[2].wanted, s.servers[2].thread = 1.2, 0.98, 2.8, 0.93
		}),
		say:   map[int]string{60: "single consumer demand", 240: "single consumer demand"},
		alert: 160,
	},
	{
		// It has read ahead, and asks for more at the log's end while it works on that.
		name: "a consumer can't follow: a quota keeps its threads from processors that have time",
		stack: with(pipeline(0.3, 0.15, 380, 0.6, load{380, 0.6, nil, nil}), func(s *stack) {
			v := &s.servers[2]
			v.used, v.busy, v.thread, v.active = 0.15, 0.2, 0.9, x{"throttled": 0.98, "nothing": 0.02}
		}),
		say:   map[int]string{60: "single consumer throttled", 240: "single consumer throttled"},
		alert: 160,
		more: []query{
			{`round(nstar:tier_active:ratio15s, 1e-6)`, 240, map[string]float64{`{app="shop",tier="consumer"}`: 1}},
			{`round(nstar:tier_threads_held:ratio, 1e-6)`, 240, map[string]float64{
				`{app="shop",tier="consumer",cause="throttled"}`: 0.98}},
		},
	},
	{
		name: "a consumer can't follow: its heap is too small",
		stack: with(pipeline(0.3, 0.15, 380, 0.6, load{380, 0.6, nil, nil}), func(s *stack) {
			v := &s.servers[2]
			v.used, v.busy, v.thread, v.active = 1.3, 0.7, 0.6, x{"garbage_collection": 0.6, "nothing": 0.39}
		}),
		say:   map[int]string{60: "single consumer garbage_collection", 240: "single consumer garbage_collection"},
		alert: 160,
	},
	{
		name: "a consumer takes its work in batches under a quota, and rests between them",
		stack: with(pipeline(8, 0.04, 380, 0.6, load{380, 0.6, nil, nil}), func(s *stack) {
			v := &s.servers[2]
			v.used, v.busy, v.thread, v.active = 0.15, 0.2, 0.8, x{"throttled": 0.78, "nothing": 0.02}
		}),
		say: map[int]string{60: "healthy", 240: "healthy"},
	},
	{
		name: "a consumer takes its work in batches, and rests between them, though others keep its processors busy",
		stack: with(pipeline(8, 0.04, 1200, 3.6, load{1200, 3.6, nil, nil}), func(s *stack) {
			v := &s.servers[2]
			v.used, v.busy, v.wanted, v.active = 0.4, 1, 2.4, x{"nothing": 0.7}
			s.edges[2].bursts = 0.7
		}),
		say: map[int]string{60: "healthy", 240: "healthy"},
	},
	{
		// Spark's four tasks have 32 rows under way each; who is done first waits for the others, so that fewer are.
		name: "a consumer can't follow: its database is at its limit by batches, of which the last calls are fewer",
		stack: with(pipeline(0.3, 0.15, 1400, 63, load{1400, 63, x{"demand": 45}, nil}), func(s *stack) {
			s.edges[2].peak, s.edges[2].bursts = 104, 0.97
			v := &s.servers[2]
			v.used, v.busy, v.wanted, v.active = 0.12, 0.99, 1.9, x{"nothing": 0.92}
		}),
		say:   map[int]string{60: "single postgres demand", 240: "single postgres demand"},
		alert: 160,
	},
	{
		name:  "a consumer has calls that wait on purpose",
		stack: pipeline(0.001, 0.9, 0.03, 1, load{0.03, 1, nil, nil}),
		say:   map[int]string{60: "healthy", 240: "healthy"},
	},
	{
		name:  "a consumer can't follow since a quota holds its database",
		stack: pipeline(0.04, 1e-4, 200, 0.99, load{200, 0.99, x{"demand": 0.1, "throttled": 0.4}, nil}),
		say:   map[int]string{60: "single postgres throttled", 240: "single postgres throttled"},
		alert: 160,
		more: []query{{`round(nstar:tier_held:ratio, 1e-6)`, 240, map[string]float64{
			`{app="shop",tier="postgres",cause="throttled"}`: 0.40404}}},
	},
	{
		name: "a consumer can't follow, and asks its database through a pooler of connections",
		stack: with(pipeline(0.04, 1e-4, 200, 0.99, load{200, 0.99, x{"demand": 0.1}, nil}), func(s *stack) {
			s.edges[2].to = "pgbouncer"
			s.servers = append(s.servers, server{tier: "pgbouncer", r0: 1e-5, queue: 0.99, loads: []load{{200, 0.01, nil, nil}}})
			s.edges = append(s.edges, edge{from: "pgbouncer", to: "postgres", calls: 200, outstanding: 0.98})
		}),
		say:   map[int]string{240: "single postgres demand"},
		alert: 160,
		more: []query{{`round(nstar:tier_hands_on:ratio15s{to="pgbouncer"}, 1e-6)`, 240, map[string]float64{
			`{app="shop",to="pgbouncer",behind="postgres"}`: 0.989899}}},
	},
	{
		// PostgreSQL is no entrance where only its callers are asked over the broker; its queue is the application's.
		name: "a worker may be asked over a broker: its calls are not taken for nobody's",
		stack: with(pipeline(0, 0, 200, 80, load{200, 80, x{"demand": 79}, nil}), func(s *stack) {
			s.more = []series{{`nstar_tier_unmeasured_connections_total{job="nstar",instance="h:9965",app="shop",tier="kafka"}`,
				slices.Repeat([]float64{7}, 49)}}
			s.servers[1].loads = []load{{0, 0, nil, nil}}
		}),
		say:   map[int]string{240: "single postgres demand"},
		alert: 160,
		more:  []query{{`nstar:tier_unasked_calls:ratio15s`, 240, nil}},
	},
	{
		// HTTP/2 inside TLS: nothing is known of what nginx is asked, but all that Tomcat does is done for that.
		name: "what the front tier is asked can't be measured: its calls are not taken for nobody's",
		stack: with(tiers3([]int{240}, nil, []load{{400, 2.4, x{"soft_resource": 1.6}, nil}}, []load{calmMariaDB}), func(s *stack) {
			s.servers[0].unseen = true
			s.servers = append(s.servers, server{tier: "api", r0: 0.001, queue: 0.1, loads: []load{{100, 0.1, nil, nil}}})
			s.servers[1].queue, s.servers[2].queue = 4, 1
			s.edges[0].outstanding, s.edges[1].outstanding = 4, 1
		}),
		say:   map[int]string{240: "single tomcat soft_resource"},
		alert: 160,
	},
	{
		name: "no entrance is seen: calls are not taken for nobody's",
		stack: with(tiers3([]int{240}, []load{{0, 0, nil, nil}}, []load{{0, 0, nil, nil}},
			[]load{{800, 80, x{"demand": 79}, nil}}), func(s *stack) {
			s.servers[2].queue = 80
			s.edges[1].outstanding = 80
		}),
		say:   map[int]string{240: "single mariadb demand"},
		alert: 160,
	},
	{
		name: "httpd wakes its children by requests of its own",
		stack: with(calm3([]int{240}, calmHTTPD, load{300, 1.64, x{"demand": 0.44}, nil}, calmMariaDB), func(s *stack) {
			s.edges[0].calls = 300
			s.edges = append(s.edges, edge{from: "httpd", to: "httpd", calls: 100})
		}),
		say: map[int]string{240: "healthy"},
		more: []query{{`round(nstar:app_throughput:requests_per_second, 1e-6)`, 240, map[string]float64{`{app="shop"}`: 300}},
			{`round(nstar:app_throughput:requests_per_second15s, 1e-6)`, 240, map[string]float64{`{app="shop"}`: 300}},
			{`round(nstar:tier_self_calls:per_second15s, 1e-6)`, 240, map[string]float64{`{app="shop",tier="httpd"}`: 100}}},
	},
	{
		name: "no traffic, and traffic now and then",
		stack: with(calm3([]int{300}, calmHTTPD, calmTomcat, calmMariaDB), func(s *stack) {
			s.servers = append(s.servers, server{app: "ssh", tier: "sshd", loads: []load{{}}},
				server{app: "cron", tier: "job", r0: 0.01, loads: []load{{}}})
		}),
		say: map[int]string{300: "healthy"},
		more: []query{{`nstar:app_verdict{app!="shop"}`, 300, map[string]float64{
			`nstar:app_verdict{app="ssh",verdict="learning"}`: 1, `nstar:app_verdict{app="cron",verdict="learning"}`: 1}}},
	},
}

// shareProcessors gives all tiers of a stack the same processors, which are busy all the time, and of which others have a
// part: Tomcat has most of the rest.
func shareProcessors(others float64) func(*stack) {
	return func(s *stack) {
		for i := range s.servers {
			s.servers[i].used, s.servers[i].busy, s.servers[i].others = 0.4, 1, others
			s.servers[i].full = []float64{0}
		}
		s.servers[1].full = []float64{1}
	}
}

// crowdProcessors gives all tiers of a stack the same two processors, which are full: Tomcat has two fifths of them, and of
// each tier so many threads wait.
func crowdProcessors(wanted float64) func(*stack) {
	return func(s *stack) {
		for i := range s.servers {
			s.servers[i].used, s.servers[i].busy, s.servers[i].others, s.servers[i].wanted = 0.5, 1, 0.1, wanted
		}
		s.servers[1].used = 0.8
	}
}
