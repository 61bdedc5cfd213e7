// SPDX-License-Identifier: Apache-2.0

package rules

// truths is the truth table, as far as counters tell it: what the exporters count in each case is what they count on
// real stacks of this kind.
var truths = []truth{
	{
		name:  "healthy at 70 %, from the first scrape",
		stack: calm3([]int{240}, calmHTTPD, calmTomcat, calmMariaDB),
		say:   map[int]string{0: "learning", 15: "learning", 20: "healthy", 60: "healthy", 240: "healthy"},
		more: []query{
			{`round(nstar:app_response_time:seconds, 1e-6)`, 240, map[string]float64{
				`{app="shop",tier="httpd"}`: 0.0005, `{app="shop",tier="tomcat"}`: 0.0041,
				`{app="shop",tier="mariadb"}`: 0.0024}},
			{`round(nstar:app_base_time:seconds, 1e-6)`, 240, map[string]float64{
				`{app="shop",tier="httpd"}`: 0.0004, `{app="shop",tier="tomcat"}`: 0.003,
				`{app="shop",tier="mariadb"}`: 0.0016}},
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
		name: "Tomcat stands still for a sixth of the response time while its threads wait for a processor: not its " +
			"stop",
		stack: with(calm3([]int{240}, calmHTTPD, load{400, 3, x{"stopped": 0.7, "demand": 0.4},
			x{"stopped": 8, "demand": 2}}, calmMariaDB),
			func(s *stack) { s.servers[1].starved = 0.02 }),
		say: map[int]string{120: "learning", 240: "learning"},
		more: []query{{`nstar:tier_starved:bool`, 240,
			map[string]float64{`nstar:tier_starved:bool{app="shop",tier="tomcat"}`: 1}},
			{`round(nstar:app_starved:ratio, 0.01)`, 240,
				map[string]float64{`{app="shop",tier="tomcat",cause="stopped"}`: 0.17}}},
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
		name: "a limit is a fifth of the response time by now",
		stack: calm3([]int{240}, calmHTTPD, load{400, 2.4, x{"soft_resource>mariadb": 0.8, "demand": 0.3},
			nil}, calmMariaDB),
		say: map[int]string{20: "learning", 25: "learning", 35: "healthy", 240: "healthy"},
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
			{`round(nstar:network_queue_length:mean15s, 1e-6)`, 240,
				map[string]float64{`{app="shop",tier="mariadb"}`: 1.2}},
			{`round(nstar:network_lost:segments_per_second15s, 1e-6)`, 240,
				map[string]float64{`{app="shop",tier="mariadb"}`: 4}},
			{`round(nstar:network_excess:mean15s, 1e-6)`, 240, map[string]float64{`{app="shop",tier="mariadb"}`: 1.2}},
			{`round(nstar:app_response_time:seconds, 1e-6)`, 240, map[string]float64{
				`{app="shop",tier="httpd"}`: 0.0005, `{app="shop",tier="tomcat"}`: 0.0041,
				`{app="shop",tier="mariadb"}`: 0.0054}},
		},
	},
	{
		name: "MariaDB is far away: that is a part of the response time, and nothing is wrong; a packet in " +
			"thousands gets lost",
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
			{`round(nstar:network_queue_length:mean15s, 1e-6)`, 240,
				map[string]float64{`{app="shop",tier="mariadb"}`: 1.2}}},
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
		say: map[int]string{20: "learning", 40: "learning", 45: "single mariadb demand",
			240: "single mariadb demand"},
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
				`nstar:tier_pressed:bool15s{app="shop",tier="httpd"}`:   0,
				`nstar:tier_pressed:bool15s{app="shop",tier="tomcat"}`:  0,
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
		stack: with(tiers3([]int{240}, []load{{9, 0.1, nil, nil}},
			[]load{{9, 33, x{"demand": 29, "noisy_neighbour": 4}, nil}},
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
		say: map[int]string{20: "learning", 40: "learning", 45: "single mariadb demand",
			240: "single mariadb demand"},
		alert: 130,
	},
	{
		name: "one of two servers of a tier has no processor time left",
		stack: with(tiers3([]int{240}, []load{calmHTTPD}, []load{calmTomcat},
			[]load{{800, 20, x{"demand": 19.36}, nil}}),
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
		stack: with(tiers3([]int{240}, []load{calmHTTPD},
			[]load{{400, 9, x{"garbage_collection": 7, "demand": 0.4}, nil}},
			[]load{calmMariaDB}), func(s *stack) {
			s.servers[2].full = []float64{0.2}
		}),
		say: map[int]string{15: "learning", 20: "single tomcat garbage_collection",
			240: "single tomcat garbage_collection"},
		alert: 110,
	},
	{
		name: "the same, on three hosts: Tomcat's exporter cannot tell whether MariaDB is slow",
		stack: onHosts(tiers3([]int{240}, []load{{1200, 0.6, x{"demand": 0.12}, nil}},
			[]load{{1200, 56, x{"place>mariadb": 52, "demand": 0.4}, nil}},
			[]load{{2400, 31, x{"demand": 29.08}, nil}})),
		say: map[int]string{20: "learning", 40: "learning", 45: "single mariadb demand",
			240: "single mariadb demand"},
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
		name: "the same, and its status is learning for a moment",
		stack: with(tiers3([]int{240}, []load{{1200, 0.6, x{"demand": 0.12}, nil}},
			[]load{{1200, 5, x{"demand": 1.4}, nil}}, []load{{2400, 80, x{"demand": 80}, nil}}), func(s *stack) {
			s.servers[2].r0, s.servers[2].status, s.servers[2].relearns = 0, "always_at_limit", 120
		}),
		say:   map[int]string{120: "single mariadb demand", 240: "single mariadb demand"},
		alert: 130,
		more: []query{{`nstar:tier_always_at_limit:bool`, 120,
			map[string]float64{`nstar:tier_always_at_limit:bool{app="shop",tier="mariadb"}`: 1}}},
	},
	{
		name: "the same of a Tomcat, R0 not known: eight wait",
		stack: with(tiers3([]int{240}, []load{calmHTTPD}, []load{{400, 9.1, x{"demand": 8.1}, nil}},
			[]load{calmMariaDB}),
			neverCalm),
		say:   map[int]string{20: "single tomcat demand", 75: "single tomcat demand", 240: "single tomcat demand"},
		alert: 110,
	},
	{
		// A service whose only processor is busy for nine tenths of the time, and whose requests get cheaper with more
		// load.
		name: "always at its limit, as it seems, R0 not known: what waits may be at work",
		stack: with(tiers3([]int{240}, []load{fastHTTPD}, []load{{1600, 5.4, x{"demand": 4.4}, nil}},
			[]load{fastMariaDB}),
			neverCalm),
		say: map[int]string{20: "learning", 75: "learning", 240: "learning"},
		more: []query{{`nstar:tier_pressed:bool15s{tier="tomcat"}`, 240, nil},
			{`round(nstar:app_excess_share:ratio{tier="tomcat"}, 0.01)`, 240, map[string]float64{
				`{app="shop",tier="tomcat",cause="demand"}`: 0.44}}},
	},
	{
		name: "processors full, R0 not known: six wait, for 20 ms of a page",
		stack: with(tiers3([]int{240}, []load{{280, 0.3, nil, nil}}, []load{{280, 8, x{"demand": 6.2}, nil}},
			[]load{{560, 0.6, nil, nil}}),
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
		name: "always at its limit, as it seems, R0 known from calmer times: two wait for each that is at work, " +
			"three in all",
		stack: with(tiers3([]int{240}, []load{calmHTTPD}, []load{{400, 4.6, x{"demand": 3.4}, nil}},
			[]load{calmMariaDB}),
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
			load{400, 2, x{"garbage_collection": 0.2, "demand": 0.5}, x{"garbage_collection": 16, "demand": 0.6}},
			calmMariaDB),
		say:   map[int]string{360: "single tomcat garbage_collection"},
		alert: 270,
	},
	{
		name: "collections half of the time from the first second, and why more wait between them is not known",
		stack: with(tiers3([]int{240}, []load{calmHTTPD},
			[]load{{20, 40, x{"garbage_collection": 15, "unknown": 21}, x{"garbage_collection": 600, "unknown": 500}}},
			[]load{calmMariaDB}), func(s *stack) { s.servers[1].r0, s.servers[1].status = 0, "learning" }),
		say: map[int]string{15: "learning", 20: "single tomcat garbage_collection",
			240: "single tomcat garbage_collection"},
		alert: 110,
		more:  []query{{`nstar:app_untold:ratio`, 240, nil}},
	},
	{
		name: "the same of a tier behind: whether that one is the slower one is not known",
		stack: with(tiers3([]int{240}, []load{calmHTTPD},
			[]load{{20, 20, x{"garbage_collection": 15, "demand": 1}, x{"garbage_collection": 600, "demand": 1}}},
			[]load{{40, 22, x{"unknown": 21}, x{"unknown": 500}}}),
			func(s *stack) { s.servers[2].r0, s.servers[2].status = 0, "learning" }),
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
		// As was said of a Redis that no one stopped.
		name: "stops are an eighth of the mean and a tenth of the tail: the worst windows have other reasons",
		stack: calm3([]int{120, 240}, calmHTTPD,
			load{400, 3, x{"stopped": 0.55, "demand": 0.8}, x{"stopped": 1.5, "demand": 14.5}}, calmMariaDB),
		say: map[int]string{110: "healthy", 360: "healthy"},
	},
	{
		name: "G1: collections too short to matter, most of the tail as they are",
		stack: calm3([]int{120, 240}, calmHTTPD,
			load{400, 2, x{"garbage_collection": 0.2, "demand": 0.5}, x{"garbage_collection": 1.6, "demand": 0.6}},
			calmMariaDB),
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
			`{app="shop",tier="httpd",cause="soft_resource"}`: 0.14}},
			{`round(nstar:app_costly_limit:ratio, 0.01)`, 360, map[string]float64{
				`{app="shop",tier="httpd",cause="soft_resource"}`: 0.14}}},
	},
	{
		name: "a pool whose connections are seen to be all in use: a seventh of the mean, two thirds of the tail",
		stack: tiers3([]int{240}, []load{{400, 0.9, x{"soft_resource>tomcat": 0.68, "demand": 0.04},
			x{"soft_resource>tomcat": 5, "demand": 0.1}}}, []load{{400, 3, x{"demand": 0.5}, x{"demand": 2}}},
			[]load{calmMariaDB}),
		say:   map[int]string{60: "single httpd soft_resource", 240: "single httpd soft_resource"},
		alert: 130,
	},
	{
		name: "the same, but requests sleep in a line, and nobody knows for what",
		stack: tiers3([]int{240}, []load{{400, 0.9, x{"soft_resource": 0.68, "demand": 0.04},
			x{"soft_resource": 5, "demand": 0.1}}}, []load{{400, 3, x{"demand": 0.5}, x{"demand": 2}}},
			[]load{calmMariaDB}),
		say: map[int]string{60: "healthy", 240: "healthy"},
	},
	{
		name: "a single worker that is taken for three quarters of the time, and then less often: it has not ended",
		stack: tiers3([]int{120, 150}, []load{
			{400, 0.9, x{"soft_resource>tomcat": 0.68, "demand": 0.04}, x{"soft_resource>tomcat": 9, "demand": 0.1}},
			{400, 0.7, x{"soft_resource>tomcat": 0.46, "demand": 0.04}, x{"soft_resource>tomcat": 3.4, "demand": 0.1}}},
			[]load{{400, 3, x{"demand": 0.5}, x{"demand": 2}}, {400, 3, x{"demand": 0.5}, x{"demand": 2}}},
			[]load{calmMariaDB, calmMariaDB}),
		say:   map[int]string{110: "single httpd soft_resource", 260: "single httpd soft_resource"},
		alert: 140,
		more: []query{{`round(nstar:app_excess_share:ratio{cause="soft_resource"}, 0.001)`, 260, map[string]float64{
			`{app="shop",tier="httpd",cause="soft_resource"}`: 0.099}}},
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
		name: "the same, and a fifth of the response time nobody can tell: the workers may wait for that",
		stack: calm3([]int{120, 240}, calmHTTPD, load{400, 3.4, x{"soft_resource": 1.3, "demand": 1.2},
			x{"soft_resource": 9, "demand": 5}}, load{800, 2, x{"unknown": 1.2}, x{"unknown": 3}}),
		say: map[int]string{110: "healthy", 360: "learning"},
	},
	{
		name: "the same, and half of the tail is another tier's: no bottleneck",
		stack: calm3([]int{120, 240}, calmHTTPD, load{400, 3.4, x{"soft_resource": 1.3, "demand": 1.2},
			x{"soft_resource": 9, "demand": 5}}, load{800, 2, x{"demand": 0.5}, x{"demand": 14}}),
		say: map[int]string{110: "healthy", 360: "learning"},
	},
	{
		name: "a single worker that is taken now and then, a twelfth of the mean: no bottleneck",
		stack: calm3([]int{120, 240}, load{400, 0.6, x{"soft_resource>tomcat": 0.38, "demand": 0.04},
			x{"soft_resource>tomcat": 9, "demand": 0.1}}, load{400, 3, x{"demand": 0.5}, x{"demand": 2}}, calmMariaDB),
		say: map[int]string{110: "healthy", 360: "learning"},
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
		name: "Tomcat's accept queue is full: httpd waits until what was refused is sent again, and nobody knows why " +
			"it waits",
		stack: with(tiers3([]int{240}, []load{{400, 40, x{"unknown": 29, "stalled>tomcat": 10}, nil}},
			[]load{{400, 60, x{"soft_resource": 50, "demand": 1}, nil}}, []load{calmMariaDB}), func(s *stack) {
			s.servers[1].refused = 80
		}),
		say:   map[int]string{20: "learning", 35: "single tomcat soft_resource", 240: "single tomcat soft_resource"},
		alert: 130,
		more: []query{{`round(nstar:app_excess_share:ratio{tier="tomcat",cause="soft_resource"}, 0.01)`, 240,
			map[string]float64{`{app="shop",tier="tomcat",cause="soft_resource"}`: 0.88}},
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
		// As seen of Bun, which gives calls up after 80 ms and tries again, in front of a server with a single thread.
		name: "Tomcat's accept queue is full: httpd looks slow, its requests sleep for many times as long as usual",
		stack: with(tiers3([]int{240}, []load{{80, 14, x{"slow": 10}, nil}},
			[]load{{80, 3, x{"soft_resource": 1.8}, nil}}, []load{calmMariaDB}), func(s *stack) {
			s.servers[1].refused = 110
		}),
		say:   map[int]string{35: "single tomcat soft_resource", 240: "single tomcat soft_resource"},
		alert: 130,
	},
	{
		// As seen of Ktor, whose threads all waited for a connection, while those that should give theirs back waited
		// for a thread: httpd answers with errors after its time-out.
		name: "Tomcat's accept queue is full, and it answers nothing at all: it hangs",
		stack: with(tiers3([]int{240}, []load{{70, 230, x{"unknown": 200}, nil}},
			[]load{{0, 110, x{"unknown": 40, "stopped": 69}, nil}}, []load{{0, 0, nil, nil}}), func(s *stack) {
			s.servers[1].refused = 80
		}),
		say: map[int]string{20: "single tomcat soft_resource", 45: "single tomcat stopped",
			240: "single tomcat stopped"},
		alert: 130,
		more: []query{{`nstar:tier_hangs:bool`, 100, map[string]float64{
			`nstar:tier_hangs:bool{app="shop",to="tomcat"}`: 1}}},
	},
	{
		// As seen of pgpool with two children: its requests come only from clients that were let in.
		name: "MariaDB has two workers and refuses others: what little its requests wait for says nothing",
		stack: with(tiers3([]int{240}, []load{calmHTTPD}, []load{{300, 9, x{"unknown": 8}, nil}},
			[]load{{300, 0.5, x{"noisy_neighbour": 0.3}, nil}}), func(s *stack) {
			s.servers[2].refused = 9
		}),
		say:   map[int]string{35: "single mariadb soft_resource", 240: "single mariadb soft_resource"},
		alert: 130,
		more: []query{{`nstar:tier_lacks_workers:bool`, 240, map[string]float64{
			`nstar:tier_lacks_workers:bool{app="shop",to="mariadb"}`: 1}}},
	},
	{
		name: "workers of the front server all in Tomcat, which waits for a place at a throttled MariaDB",
		stack: calm3([]int{120, 240}, load{100, 60, x{"behind>tomcat": 59}, nil},
			load{100, 40, x{"behind>mariadb": 39}, nil}, load{200, 6, x{"demand": 5.84}, nil}),
		say:   map[int]string{360: "single mariadb demand"},
		alert: 270,
		more: []query{{`round(nstar:app_excess_share:ratio, 0.001)`, 360, map[string]float64{
			`{app="shop",tier="mariadb",cause="demand"}`: 0.980}},
			{`round(nstar:app_costly_demand:ratio, 0.001)`, 360, map[string]float64{
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
		more: []query{{`nstar:app_costly_pauses:ratio{cause="disk"} > bool 0.25`, 360, map[string]float64{
			`{app="shop",tier="mariadb",cause="disk"}`: 1}},
			{`round(nstar:app_excess_share:ratio{cause="disk"}, 0.001)`, 360, map[string]float64{
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
		name: "commits have always waited for the disk, a fifth of the time: no bottleneck",
		stack: calm3([]int{240}, calmHTTPD, calmTomcat,
			load{800, 3, x{"disk": 1.2, "demand": 0.36}, x{"disk": 2, "demand": 3}}),
		say: map[int]string{60: "healthy", 240: "healthy"},
	},
	{
		name: "commits come to wait for the disk, a fifth of the time, and requests take 70 % longer for that",
		stack: calm3([]int{120, 240}, calmHTTPD, calmTomcat,
			load{800, 3, x{"disk": 1.2, "demand": 0.36}, x{"disk": 2, "demand": 3}}),
		say:   map[int]string{110: "healthy", 150: "single mariadb disk", 360: "single mariadb disk"},
		alert: 250,
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
		name: "MariaDB stands still, and Tomcat with it, which only waits for it: what waits in front of Tomcat is " +
			"MariaDB's, too",
		stack: with(tiers3([]int{120, 240}, []load{calmHTTPD, {110, 14, x{"stalled>tomcat": 13.4}, nil}},
			[]load{calmTomcat, {110, 0.2, nil, nil}}, []load{calmMariaDB, {220, 6, x{"stopped": 5}, nil}}),
			func(s *stack) { s.servers[0].queue, s.servers[1].queue, s.servers[2].queue = 20, 6.2, 6 }),
		say:   map[int]string{110: "healthy", 180: "single mariadb stopped", 360: "single mariadb stopped"},
		alert: 270,
		more: []query{{`round(1e6 * nstar:tier_passes_stall:mean15s, 0.1)`, 360, map[string]float64{
			`{app="shop",at="tomcat",to="mariadb"}`: 5}}},
	},
	{
		name: "a service with one worker: all threads of Tomcat wait for it, and httpd gets no answers of Tomcat, " +
			"which nothing stops",
		stack: with(tiers3([]int{120, 240}, []load{calmHTTPD, {7, 350, x{"stalled>tomcat": 344}, nil}},
			[]load{calmTomcat, {7, 20, x{"place>mariadb": 20}, nil}},
			[]load{calmMariaDB, {7, 58, x{"soft_resource": 57}, nil}}),
			func(s *stack) {
				s.servers[0].queue, s.servers[1].queue, s.servers[2].queue = 430, 80, 60
				s.edges[1].outstanding = 60
			}),
		say:   map[int]string{110: "healthy", 180: "single mariadb soft_resource", 360: "single mariadb soft_resource"},
		alert: 270,
		more: []query{{`round(nstar:tier_held_behind:ratio15s, 0.01)`, 360, map[string]float64{
			`{app="shop",to="tomcat"}`: 0.75, `{app="shop",to="mariadb"}`: 0.98}}},
	},
	{
		// As seen of Node.js, whose pool gave no connection back: all of nginx's connections to it were taken then.
		name: "Tomcat's pool has lost all connections, and httpd gets no answers of Tomcat, which nothing stops",
		stack: with(tiers3([]int{120, 240}, []load{calmHTTPD, {1, 1400, x{"stalled>tomcat": 1398}, nil}},
			[]load{calmTomcat, {1, 1024, x{"soft_resource>mariadb": 1023}, nil}},
			[]load{calmMariaDB, {0, 0, nil, nil}}),
			func(s *stack) { s.servers[0].queue, s.servers[1].queue = 2424, 1024 }),
		say:   map[int]string{110: "healthy", 180: "single tomcat soft_resource", 360: "single tomcat soft_resource"},
		alert: 270,
	},
	{
		name: "MariaDB is stopped for the first time after 45 s, and again every 2 s: a few stops suffice",
		stack: with(calm3([]int{45, 135}, calmHTTPD, calmTomcat, load{800, 3, x{"stopped": 2}, x{"stopped": 30}}),
			func(s *stack) { stopsFrom(s, "mariadb", 45, 0.5) }),
		say: map[int]string{40: "healthy", 55: "single mariadb stopped", 60: "single mariadb stopped",
			120: "single mariadb stopped"},
		alert: 180,
		more: []query{{`nstar:tier_stops:count15s`, 60, map[string]float64{
			`nstar:tier_stops:count15s{app="shop",tier="mariadb",cause="stopped"}`: 7.5}}},
	},
	{
		name: "the same, of one stop: it may never come again",
		stack: with(calm3([]int{45, 135}, calmHTTPD, calmTomcat, load{800, 3, x{"stopped": 2}, x{"stopped": 30}}),
			func(s *stack) { stopsFrom(s, "mariadb", 45, 0.05) }),
		say:   map[int]string{40: "healthy", 55: "healthy", 60: "learning", 120: "single mariadb stopped"},
		alert: 180,
	},
	{
		// As seen of Node.js beside builds: after that it was said to be stopped for a minute.
		name: "Tomcat stands still once in the first minute, for long: nobody knows whether that comes again",
		stack: with(tiers3([]int{15, 10, 30, 125}, []load{calmHTTPD}, []load{calmTomcat,
			{400, 40, x{"stopped": 35}, nil}, {400, 1.66, x{"stopped": 0.02, "demand": 0.44}, nil}, calmTomcat},
			[]load{calmMariaDB}), func(s *stack) {
			stops, frozen := make([]float64, s.seconds()/5+1), make([]float64, s.seconds()/5+1)
			for i := range stops {
				if i >= 5 {
					stops[i], frozen[i] = 1, 20
				}
			}
			of := `{job="nstar",instance="h:9965",app="shop",tier="tomcat",`
			s.more = append(s.more, series{`nstar_tier_stops_total` + of + `cause="stopped"}`, stops},
				series{`nstar_tier_state_windows_total` + of + `state="frozen"}`, frozen})
		}),
		say: map[int]string{40: "learning", 55: "healthy", 90: "healthy", 180: "healthy"},
		more: []query{{`nstar:tier_stops:count1m`, 55, map[string]float64{
			`nstar:tier_stops:count1m{app="shop",tier="tomcat",cause="stopped"}`: 1}}},
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
		name: "stops for a minute: over 10 s after the last one, though the minute still has them",
		stack: tiers3([]int{120, 60, 120}, []load{calmHTTPD}, []load{calmTomcat},
			[]load{calmMariaDB, {800, 6, x{"stopped": 5}, nil}, calmMariaDB}),
		say: map[int]string{110: "healthy", 180: "single mariadb stopped", 185: "single mariadb stopped",
			190: "healthy", 205: "healthy", 220: "healthy"},
		more: []query{{`nstar:app_over:bool`, 190, nil},
			{`nstar:app_over:bool == bool 1`, 220,
				map[string]float64{`{app="shop",tier="mariadb",cause="stopped"}`: 1}},
			{`nstar:app_costly:ratio > bool 0.1`, 220,
				map[string]float64{`{app="shop",tier="mariadb",cause="stopped"}`: 1}},
			{`nstar:app_costly_stops:ratio > bool 0.1`, 220,
				map[string]float64{`{app="shop",tier="mariadb",cause="stopped"}`: 1}},
			{`nstar:app_excess_there:bool15s{cause="stopped"} == bool 0`, 220,
				map[string]float64{`{app="shop",tier="mariadb",cause="stopped"}`: 1}},
			{`nstar:app_candidate:ratio`, 220, nil}},
	},
	{
		name: "stops for a quarter of each minute: not over when they go",
		stack: tiers3([]int{120, 15, 45, 15, 45, 60}, []load{calmHTTPD}, []load{calmTomcat},
			[]load{calmMariaDB, {800, 16, x{"stopped": 15}, nil}, calmMariaDB,
				{800, 16, x{"stopped": 15}, nil}, calmMariaDB}),
		say: map[int]string{150: "single mariadb stopped", 178: "single mariadb stopped",
			235: "single mariadb stopped"},
		alert: 285,
	},
	{
		name: "more work than a tier can do, for a minute and a half: over, and no burst",
		stack: tiers3([]int{120, 90, 120}, []load{calmHTTPD}, []load{calmTomcat},
			[]load{calmMariaDB, {800, 30, x{"demand": 29}, nil}, calmMariaDB}),
		say: map[int]string{110: "healthy", 200: "single mariadb demand", 215: "single mariadb demand", 220: "healthy",
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
		say: map[int]string{30: "learning", 60: "learning", 75: "learning", 85: "healthy", 180: "healthy"},
	},
	{
		name: "a cold server that becomes faster, R0 known from before: not at its limit for long",
		stack: tiers3([]int{20, 20, 20, 180}, []load{calmHTTPD}, []load{{200, 60, x{"demand": 59}, nil},
			{260, 60, x{"demand": 59}, nil}, {340, 60, x{"demand": 59}, nil}, calmTomcat}, []load{calmMariaDB}),
		say: map[int]string{20: "learning", 45: "learning", 55: "learning", 240: "healthy"},
	},
	{
		name: "a stop that came once in the first minute may be of the start, and is over when that is known",
		stack: tiers3([]int{20, 5, 215}, []load{calmHTTPD, calmHTTPD, calmHTTPD},
			[]load{calmTomcat, {400, 12, x{"stopped": 10}, nil}, calmTomcat},
			[]load{calmMariaDB, calmMariaDB, calmMariaDB}),
		say: map[int]string{20: "healthy", 35: "learning", 45: "learning", 75: "healthy", 240: "healthy"},
	},
	{
		// Less than half of the one above: an eighth of a minute's response time.
		name: "a short stop that came once in a minute",
		stack: tiers3([]int{90, 5, 145}, []load{calmHTTPD, calmHTTPD, calmHTTPD},
			[]load{calmTomcat, {400, 6, x{"stopped": 4.4, "demand": 0.4}, x{"stopped": 60}}, calmTomcat},
			[]load{calmMariaDB, calmMariaDB, calmMariaDB}),
		say: map[int]string{90: "healthy", 110: "healthy", 130: "healthy", 240: "healthy"},
		more: []query{{`round(nstar:app_excess_share:ratio{cause="stopped"}, 1e-2)`, 120, map[string]float64{
			`{app="shop",tier="tomcat",cause="stopped"}`: 0.12}},
			{`round(1e5 * nstar:app_once:seconds)`, 120, map[string]float64{
				`{app="shop",tier="tomcat",cause="stopped"}`: 92}}},
	},
	{
		// A server in Java collects garbage now and then, most of its collections are short, and some are not.
		name: "a collection that came once in a minute and costs a sixteenth of its response time",
		stack: tiers3([]int{90, 5, 145}, []load{calmHTTPD, calmHTTPD, calmHTTPD},
			[]load{calmTomcat, {400, 4, x{"garbage_collection": 2.2, "demand": 0.4}, x{"garbage_collection": 60}},
				calmTomcat},
			[]load{calmMariaDB, calmMariaDB, calmMariaDB}),
		say: map[int]string{90: "healthy", 100: "healthy", 110: "healthy", 120: "healthy", 130: "healthy",
			140: "healthy", 240: "healthy"},
		more: []query{{`round(nstar:app_excess_share:ratio{cause="garbage_collection"}, 1e-2)`, 120,
			map[string]float64{`{app="shop",tier="tomcat",cause="garbage_collection"}`: 0.06}}},
	},
	{
		name: "stops that cost an eighth of the time, and then a twelfth: they have not ended",
		stack: tiers3([]int{90, 150}, []load{calmHTTPD, calmHTTPD},
			[]load{{400, 2.04, x{"stopped": 0.4, "demand": 0.44}, nil},
				{400, 1.89, x{"stopped": 0.25, "demand": 0.44}, nil}},
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
		name: "an event loop that a request blocks now and then: a twelfth of the time as stops, and more as its work",
		stack: tiers3([]int{240}, []load{calmHTTPD},
			[]load{{400, 1.89, x{"stopped": 0.25, "demand": 0.35}, x{"stopped": 4, "demand": 3}}}, []load{calmMariaDB}),
		say:   map[int]string{60: "single tomcat stopped", 240: "single tomcat stopped"},
		alert: 130,
	},
	{
		name: "one of Tomcat's processes stands still again and again from the 20th second on: it is no single stop",
		stack: with(tiers3([]int{20, 220}, []load{calmHTTPD},
			[]load{calmTomcat, {400, 2.3, x{"stopped": 0.6, "demand": 0.44}, x{"stopped": 3, "demand": 1}}},
			[]load{calmMariaDB}), func(s *stack) { standsStillOnce(s, "tomcat", 20) }),
		say:   map[int]string{40: "healthy", 45: "learning", 55: "single tomcat stopped", 240: "single tomcat stopped"},
		alert: 160,
	},
	{
		name:  "MariaDB hangs in the first minute, and Tomcat gets no answer",
		stack: hangs(),
		say: map[int]string{25: "healthy", 40: "learning", 55: "single mariadb stopped",
			80: "single mariadb stopped"},
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
		name: "requests take six times as long, then four and a half times: what nobody knows is not healthy in " +
			"between",
		stack: tiers3([]int{120, 120, 120}, []load{calmHTTPD, calmHTTPD, calmHTTPD},
			[]load{{400, 7.2, x{"demand": 2.9, "noisy_neighbour": 1.6, "unknown": 1.5}, nil},
				{400, 5.3, x{"demand": 2, "noisy_neighbour": 1.2, "unknown": 1}, nil},
				{400, 2.4, x{"demand": 0.8}, nil}},
			[]load{{800, 4.7, x{"demand": 2.9, "noisy_neighbour": 1.16}, nil},
				{800, 3.4, x{"demand": 2, "noisy_neighbour": 0.76}, nil}, calmMariaDB}),
		say: map[int]string{100: "learning", 130: "learning", 180: "learning", 240: "learning", 360: "healthy"},
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
			[]load{{400, 11.64, x{"behind>mariadb": 4, "place>mariadb": 5, "soft_resource>mariadb": 1, "demand": 0.44},
				nil}},
			[]load{{800, 1.9, x{"demand": 0.02}, nil}}),
		say:   map[int]string{60: "single tomcat soft_resource", 240: "single tomcat soft_resource"},
		alert: 160,
	},
}
