// SPDX-License-Identifier: Apache-2.0

package rules

import "slices"

// truthsOfMany are those of more than one suspect: destinations that nobody measures, tiers in turns, several servers
// of a tier, others on the processors, starts and bursts.
var truthsOfMany = []truth{
	{
		name: "MariaDB at its limit behind two poolers of connections",
		stack: with(tiers3([]int{240}, []load{calmHTTPD},
			[]load{{400, 31.6, x{"place>bouncer-1": 15, "place>bouncer-2": 15, "demand": 0.4}, nil}},
			[]load{{800, 32, x{"demand": 30}, nil}}), func(s *stack) {
			s.edges = s.edges[:1]
			for _, bouncer := range []string{"bouncer-1", "bouncer-2"} {
				s.servers = append(s.servers, server{tier: bouncer, r0: 1e-5, queue: 16,
					loads: []load{{400, 0.01, nil, nil}}})
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
			`{app="shop",to="mariadb"}`: 0.96}}, {`round(nstar:tier_seems_asleep:ratio15s, 0.01)`, 240, map[string]float64{
			`{app="shop",to="mariadb"}`: 0.96}}, {`round(nstar:tier_asleep:mean15s, 0.01)`, 240, map[string]float64{
			`{app="shop",tier="mariadb"}`: 5.3}}},
	},
	{
		name: "a database of which the statements sleep for several times as long as they did",
		stack: with(tiers3([]int{240}, []load{calmHTTPD}, []load{{60, 0.4, x{"demand": 0.1}, nil}},
			[]load{{60, 18, x{"slow": 16.5, "stopped": 0.2}, nil}}), func(s *stack) {
			s.servers[2].asleep = 17.6
		}),
		say:   map[int]string{60: "single mariadb slow", 240: "single mariadb slow"},
		alert: 130,
	},
	{
		name: "the same, and few threads in front of it are all in use then",
		stack: with(tiers3([]int{240}, []load{calmHTTPD},
			[]load{{30, 17, x{"behind>mariadb": 4, "place>mariadb": 11, "demand": 0.2}, nil}},
			[]load{{30, 5.5, x{"slow": 5}, nil}}), func(s *stack) {
			s.servers[2].asleep = 5.3
		}),
		say:   map[int]string{60: "single mariadb slow", 240: "single mariadb slow"},
		alert: 130,
	},
	{
		name: "a tier sleeps longer than it did, and after a while more of the longer time is in the one that calls it",
		stack: tiers3([]int{120, 25, 20}, []load{calmHTTPD, calmHTTPD, {400, 4.5, x{"demand": 1}, nil}},
			[]load{calmTomcat, {400, 5, x{"slow": 3}, nil}, {400, 5, x{"slow": 3}, nil}},
			[]load{calmMariaDB, calmMariaDB, calmMariaDB}),
		say: map[int]string{145: "single tomcat slow", 160: "single tomcat slow", 165: "single tomcat slow"},
	},
	{
		name: "a tier hardly computes, and requests wait in it, partly for its work and partly for nobody knows what",
		stack: with(calm3([]int{120, 240}, calmHTTPD, load{400, 9, x{"demand": 3.4, "unknown": 2.2}, nil}, calmMariaDB),
			hardlyComputes(0)),
		say:  map[int]string{110: "healthy", 200: "learning", 360: "learning"},
		more: []query{{"round(nstar:tier_held_up:bool15s)", 360, map[string]float64{`{app="shop",tier="tomcat"}`: 1}}},
	},
	{
		name: "two requests wait and sleep in a tier that hardly computes, three times as many as are at work",
		stack: with(calm3([]int{120, 240}, calmHTTPD, load{100, 2.6, x{"demand": 1.5, "unknown": 0.4}, nil},
			calmMariaDB),
			hardlyComputes(2)),
		say: map[int]string{110: "healthy", 200: "learning", 360: "learning"},
	},
	{
		name: "the same, and they do not sleep",
		stack: with(calm3([]int{120, 240}, calmHTTPD, load{100, 2.6, x{"demand": 1.5, "unknown": 0.4}, nil},
			calmMariaDB),
			hardlyComputes(0.5)),
		say: map[int]string{110: "healthy", 200: "healthy", 360: "healthy"},
	},
	{
		name: "a tier hardly computes, and fewer requests wait in it than are at work",
		stack: with(calm3([]int{120, 240}, calmHTTPD, load{400, 4, x{"demand": 1.2, "unknown": 0.6}, nil}, calmMariaDB),
			hardlyComputes(0)),
		say: map[int]string{110: "healthy", 200: "learning", 360: "learning"},
	},
	{
		// Apache as it was restarted with two workers
		name: "a restart stops a tier for seconds, and from then on it has too few workers",
		stack: tiers3([]int{120, 10, 170}, []load{calmHTTPD},
			[]load{calmTomcat, {60, 9, x{"stopped": 8}, nil}, {65, 4, x{"soft_resource": 2.4, "demand": 0.2}, nil}},
			[]load{calmMariaDB}),
		say:   map[int]string{110: "healthy", 185: "single tomcat soft_resource", 240: "single tomcat soft_resource"},
		alert: 290,
		more:  []query{{"round(nstar:app_gone:ratio, 0.01)", 185, map[string]float64{`{app="shop"}`: 0.19}}},
	},
	{
		name: "a restart stops a tier for seconds, and afterwards all is well",
		stack: tiers3([]int{120, 10, 170}, []load{calmHTTPD},
			[]load{calmTomcat, {60, 9, x{"stopped": 8}, nil}, calmTomcat}, []load{calmMariaDB}),
		say: map[int]string{110: "healthy", 150: "single tomcat stopped", 240: "healthy"},
	},
	{
		name: "four threads before statements that sleep: most of it is how they work by now, and hardly any is excess",
		stack: with(tiers3([]int{240}, []load{calmHTTPD},
			[]load{{30, 17, x{"behind>mariadb": 4, "place>mariadb": 11, "demand": 0.2}, nil}},
			[]load{{30, 3.6, x{"unknown": 0.4, "demand": 0.3}, nil}}), func(s *stack) {
			s.servers[2].r0, s.servers[2].asleep = 0.0017, 3.4
		}),
		say:   map[int]string{60: "single tomcat soft_resource", 240: "single tomcat soft_resource"},
		alert: 160,
	},
	{
		name: "few workers before a tier that takes longer than it did, has no excess any more, and was never near " +
			"its limit",
		stack: with(tiers3([]int{240}, []load{calmHTTPD},
			[]load{{30, 17, x{"behind>mariadb": 15, "demand": 0.2}, nil}}, []load{{30, 4, nil, nil}}), func(s *stack) {
			s.servers[2].r0, s.servers[2].status = 0, "never_near_limit"
		}),
		say:   map[int]string{60: "single tomcat soft_resource", 240: "single tomcat soft_resource"},
		alert: 160,
	},
	{
		name: "the same, and these wait for a lock: it is theirs, whatever it is",
		stack: with(tiers3([]int{240}, []load{calmHTTPD},
			[]load{{30, 17, x{"behind>mariadb": 4, "place>mariadb": 11, "demand": 0.2}, nil}},
			[]load{{30, 5.5, x{"unknown": 5}, nil}}), func(s *stack) {
			s.servers[2].r0, s.servers[2].asleep, s.servers[2].locked = 0, 5.3, 4.5
		}),
		say: map[int]string{60: "learning", 240: "learning"},
		more: []query{{`round(nstar:tier_locked:mean15s, 0.01)`, 240, map[string]float64{
			`{app="shop",tier="mariadb"}`: 4.5}}},
	},
	{
		name: "the same, and a few threads without work look like such that wait for a lock",
		stack: with(tiers3([]int{240}, []load{calmHTTPD},
			[]load{{30, 17, x{"behind>mariadb": 4, "place>mariadb": 11, "demand": 0.2}, nil}},
			[]load{{30, 5.5, x{"unknown": 5}, nil}}), func(s *stack) {
			s.servers[2].r0, s.servers[2].asleep, s.servers[2].locked = 0, 5.3, 3.2
		}),
		say:   map[int]string{60: "single tomcat soft_resource", 240: "single tomcat soft_resource"},
		alert: 160,
	},
	{
		name: "workers that are taken, since their threads wait for processors which others have: more of them would " +
			"wait, too",
		stack: with(tiers3([]int{240}, []load{calmHTTPD}, []load{{60, 40, x{"soft_resource": 36}, nil}},
			[]load{{60, 3, x{"demand": 2}, nil}}), func(s *stack) {
			s.servers[1].used, s.servers[1].busy, s.servers[1].others, s.servers[1].wanted = 0.23, 1, 0.5, 3.2
		}),
		say: map[int]string{60: "learning", 240: "learning"},
		more: []query{{`nstar:tier_lacks_processors:bool`, 240, map[string]float64{
			`nstar:tier_lacks_processors:bool{app="shop",tier="tomcat"}`: 1}}},
	},
	{
		name: "what looks like demand of a tier that hardly computes, and none of its threads wants to: nobody knows",
		stack: with(tiers3([]int{240}, []load{calmHTTPD}, []load{{60, 40, x{"demand": 36}, nil}},
			[]load{{60, 3, x{"demand": 2}, nil}}), func(s *stack) {
			s.servers[1].used, s.servers[1].busy, s.servers[1].others, s.servers[1].wanted = 0.3, 0.9, 0.2, 0.5
			s.servers[1].thread = 0.2
		}),
		say: map[int]string{60: "learning", 240: "learning"},
		more: []query{{`nstar:tier_idles:bool`, 240, map[string]float64{
			`nstar:tier_idles:bool{app="shop",tier="tomcat"}`: 1}}},
	},
	{
		name: "the same, and one of its threads wants to run for most of the time",
		stack: with(tiers3([]int{240}, []load{calmHTTPD}, []load{{60, 40, x{"demand": 36}, nil}},
			[]load{{60, 3, x{"demand": 2}, nil}}), func(s *stack) {
			s.servers[1].used, s.servers[1].busy, s.servers[1].others, s.servers[1].wanted = 0.3, 0.9, 0.2, 0.5
			s.servers[1].thread = 0.8
		}),
		say:   map[int]string{60: "single tomcat demand", 240: "single tomcat demand"},
		alert: 160,
	},
	{
		name: "the same of two event loops",
		stack: with(tiers3([]int{240}, []load{calmHTTPD}, []load{{60, 40, x{"soft_resource": 36}, nil}},
			[]load{{60, 3, x{"demand": 2}, nil}}), func(s *stack) {
			s.servers[1].used, s.servers[1].busy, s.servers[1].others, s.servers[1].wanted = 0.09, 1, 0.5, 1.9
		}),
		say: map[int]string{60: "learning", 240: "learning"},
	},
	{
		name: "the same on full processors, but its threads sleep",
		stack: with(tiers3([]int{240}, []load{calmHTTPD}, []load{{60, 40, x{"soft_resource": 36}, nil}},
			[]load{{60, 3, x{"demand": 2}, nil}}), func(s *stack) {
			s.servers[1].used, s.servers[1].busy, s.servers[1].others, s.servers[1].wanted = 0.23, 1, 0.5, 0.3
		}),
		say:   map[int]string{60: "single tomcat soft_resource", 240: "single tomcat soft_resource"},
		alert: 130,
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
			`nstar:tier_kept_from:bool{app="shop",tier="httpd",to="tomcat"}`: 1}},
			{`nstar:edge_failed:connections35s >= bool 3`, 240, map[string]float64{
				`{app="shop",from="httpd",to="tomcat"}`: 1}}},
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
		name: "httpd can't connect to Tomcat, which is gone, and all its workers wait for that",
		stack: with(tiers3([]int{120, 40, 140},
			[]load{{100, 0.4, nil, nil}, {1, 80, x{"soft_resource": 79}, nil}, {100, 0.4, nil, nil}},
			[]load{{100, 0.4, nil, nil}}, []load{{200, 0.2, nil, nil}}), func(s *stack) {
			s.edges[0].failed = 2
		}),
		say: map[int]string{110: "healthy", 160: "single tomcat stopped", 240: "healthy"},
		more: []query{{`nstar:tier_waits_for_gone:bool`, 160, map[string]float64{
			`nstar:tier_waits_for_gone:bool{app="shop",tier="httpd",to="tomcat"}`: 1}}},
	},
	{
		name: "httpd stands still, and tries ::1 before each connection to Tomcat at localhost",
		stack: with(tiers3([]int{240}, []load{{100, 8, x{"stopped": 6}, nil}}, []load{{100, 0.4, nil, nil}},
			[]load{{200, 0.2, nil, nil}}), func(s *stack) {
			s.edges = append(s.edges, edge{from: "httpd", to: "[::1]:8080", failed: 2})
		}),
		say:   map[int]string{60: "single httpd stopped", 240: "single httpd stopped"},
		alert: 110,
		more:  []query{{`nstar:tier_kept_from:bool`, 240, nil}},
	},
	{
		name: "httpd can't connect to Tomcat now and then, and its workers are few: it gives answers all the time",
		stack: with(tiers3([]int{240}, []load{{100, 8, x{"soft_resource": 7}, nil}}, []load{{100, 0.4, nil, nil}},
			[]load{{200, 0.2, nil, nil}}), func(s *stack) {
			s.edges[0].failed = 2
		}),
		say:   map[int]string{60: "single httpd soft_resource", 240: "single httpd soft_resource"},
		alert: 160,
		more:  []query{{`nstar:tier_waits_for_gone:bool`, 240, nil}},
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
		name: "a burst of 5 s, whose waiting nobody can tell: well again when it is gone for half a minute",
		stack: tiers3([]int{60, 5, 115}, []load{calmHTTPD},
			[]load{calmTomcat, {900, 60, x{"unknown": 55}, nil}, calmTomcat},
			[]load{calmMariaDB}),
		say: map[int]string{60: "healthy", 70: "learning", 85: "learning", 105: "healthy", 180: "healthy"},
		more: []query{{`nstar:app_gone:bool{cause="unknown"}`, 105, map[string]float64{
			`nstar:app_gone:bool{app="shop",tier="tomcat",cause="unknown"}`: 1}}},
	},
	{
		name: "waiting that nobody can tell, for 5 s in each half minute: it is not well when it goes",
		stack: tiers3([]int{60, 5, 25, 5, 25, 5, 25}, []load{calmHTTPD},
			[]load{calmTomcat, {900, 60, x{"unknown": 55}, nil},
				calmTomcat, {900, 60, x{"unknown": 55}, nil}, calmTomcat, {900, 60, x{"unknown": 55}, nil}, calmTomcat},
			[]load{calmMariaDB}),
		say: map[int]string{70: "learning", 115: "learning", 145: "learning"},
	},
	{
		name: "two requests a second, some of which take ten times as long for a while, as others have the processors",
		stack: tiers3([]int{120, 30, 90}, []load{{2, 0.001, nil, nil}},
			[]load{{2, 0.008, nil, nil}, {2, 0.14, x{"demand": 0.12, "noisy_neighbour": 0.01}, nil},
				{2, 0.008, nil, nil}}, []load{{4, 0.001, nil, nil}}),
		say: map[int]string{110: "healthy", 150: "healthy", 240: "healthy"},
	},
	{
		name: "a burst of 12 s",
		stack: tiers3([]int{120, 12, 108}, []load{calmHTTPD, {700, 0.2, x{"demand": 0.04}, nil}, calmHTTPD},
			[]load{calmTomcat, {700, 60, x{"demand": 58}, nil}, calmTomcat}, []load{calmMariaDB}),
		say: map[int]string{110: "healthy", 150: "single tomcat burst", 180: "healthy", 240: "healthy"},
		more: []query{
			{`round(nstar:app_arrivals:requests_per_second15s, 0.1)`, 135, map[string]float64{`{app="shop"}`: 643.1}},
			{`round(nstar:app_spell:ratio, 0.01)`, 150,
				map[string]float64{`{app="shop",tier="tomcat",cause="demand"}`: 0.83}},
			{`round(nstar:app_much_demand:ratio, 0.01)`, 150,
				map[string]float64{`{app="shop",tier="tomcat",cause="demand"}`: 0.83}},
			{`nstar:app_surge:bool`, 150, map[string]float64{`nstar:app_surge:bool{app="shop"}`: 1}},
			{`round(nstar:app_burst:ratio, 0.01)`, 150,
				map[string]float64{`{app="shop",tier="tomcat",cause="demand"}`: 0.83}},
		},
	},
	{
		name: "collections for 50 s, and then the tier in front works off what has piled up: it is no limit of its own",
		stack: tiers3([]int{120, 50, 10, 80},
			[]load{calmHTTPD, calmHTTPD, {400, 12, x{"demand": 11}, nil}, {400, 0.8, x{"demand": 0.6}, nil}},
			[]load{calmTomcat, {400, 3.5, x{"garbage_collection": 1.8}, nil}, calmTomcat, calmTomcat},
			[]load{calmMariaDB}),
		say: map[int]string{165: "single tomcat garbage_collection", 200: "healthy", 230: "healthy"},
		more: []query{{`round(nstar:app_spell:ratio, 0.01)`, 230,
			map[string]float64{`{app="shop",tier="httpd",cause="demand"}`: 0.43}}},
	},
	{
		name: "collections for 50 s, then the tier in front works off for 15 s: no limit a minute later",
		stack: tiers3([]int{120, 50, 15, 95},
			[]load{calmHTTPD, calmHTTPD, {400, 12, x{"demand": 11}, nil}, {400, 0.8, x{"demand": 0.6}, nil}},
			[]load{calmTomcat, {400, 8, x{"garbage_collection": 6}, nil}, calmTomcat, calmTomcat},
			[]load{calmMariaDB}),
		say: map[int]string{165: "single tomcat garbage_collection", 200: "healthy", 245: "healthy", 250: "healthy",
			255: "healthy", 260: "healthy"},
	},
	{
		name: "a quota that costs nearly all, then the tier in front has 20 s of work that has piled up",
		stack: tiers3([]int{120, 50, 10, 5, 5, 90},
			[]load{calmHTTPD, calmHTTPD, {400, 101, x{"demand": 100}, nil}, {400, 61, x{"demand": 60}, nil},
				{400, 21, x{"demand": 20}, nil}, {400, 0.8, x{"demand": 0.6}, nil}},
			[]load{calmTomcat, {100, 180, x{"throttled": 179}, nil}, calmTomcat, calmTomcat, calmTomcat, calmTomcat},
			[]load{calmMariaDB}),
		say: map[int]string{165: "single tomcat throttled", 185: "single tomcat throttled", 205: "healthy",
			220: "healthy", 240: "healthy"},
	},
	{
		name: "a disk that costs next to nothing now and then, and for 45 s a half: that is over 20 s after its end",
		stack: tiers3([]int{90, 15, 20, 15, 20, 45, 75}, []load{calmHTTPD}, []load{calmTomcat},
			[]load{calmMariaDB, {800, 1, x{"disk": 0.0005}, nil}, calmMariaDB, {800, 1, x{"disk": 0.0005}, nil},
				calmMariaDB, {800, 6, x{"disk": 5}, nil}, calmMariaDB}),
		say: map[int]string{150: "healthy", 195: "single mariadb disk", 205: "single mariadb disk", 230: "healthy"},
	},
	{
		name: "four times as many requests for 10 s: a server that gives no answer meanwhile is not stopped",
		stack: tiers3([]int{120, 10, 20, 90}, []load{calmHTTPD, fastHTTPD, calmHTTPD},
			[]load{calmTomcat, {1600, 60, x{"stopped": 20, "demand": 16, "unknown": 20}, nil},
				{600, 60, x{"stopped": 20, "demand": 16, "unknown": 20}, nil}, calmTomcat},
			[]load{calmMariaDB, fastMariaDB, calmMariaDB}),
		say: map[int]string{110: "healthy", 135: "learning", 150: "single tomcat burst", 200: "healthy",
			240: "healthy"},
	},
	{
		name: "a server gives no answer for half of the time, beside the usual load: that is a stop",
		stack: tiers3([]int{120, 60}, []load{calmHTTPD},
			[]load{calmTomcat, {400, 60, x{"stopped": 30, "demand": 12, "unknown": 10}, nil}}, []load{calmMariaDB}),
		say: map[int]string{110: "healthy", 140: "single tomcat stopped", 180: "single tomcat stopped"},
	},
	{
		name: "a burst of 10 s that is worked off in 18 s: it is a burst until it is forgotten",
		stack: tiers3([]int{120, 10, 18, 82},
			[]load{calmHTTPD, {700, 0.2, x{"demand": 0.04}, nil}, calmHTTPD, calmHTTPD},
			[]load{calmTomcat, {700, 60, x{"demand": 58}, nil}, {450, 40, x{"demand": 38}, nil}, calmTomcat},
			[]load{calmMariaDB}),
		say: map[int]string{110: "healthy", 145: "single tomcat burst", 155: "single tomcat burst",
			160: "single tomcat burst", 165: "single tomcat burst", 170: "single tomcat burst", 230: "healthy"},
	},
	{
		name: "more requests come for 12 s, and each takes six times the processor time: it is no burst",
		stack: with(tiers3([]int{120, 12, 108}, []load{calmHTTPD, {700, 0.2, x{"demand": 0.04}, nil}, calmHTTPD},
			[]load{calmTomcat, {700, 60, x{"demand": 58}, nil}, calmTomcat}, []load{calmMariaDB}), func(s *stack) {
			usesProcessors(s, "tomcat", 0.8, 120, 8.4)
		}),
		say:  map[int]string{110: "healthy", 140: "single tomcat demand", 240: "healthy"},
		more: []query{{`nstar:app_surge:bool`, 140, map[string]float64{`nstar:app_surge:bool{app="shop"}`: 1}}},
	},
	{
		name: "a burst that is not answered faster: it waits, and more are there",
		stack: tiers3([]int{120, 15, 105}, []load{calmHTTPD},
			[]load{calmTomcat, {400, 1500, x{"demand": 1498.8}, nil}, calmTomcat}, []load{calmMariaDB}),
		say: map[int]string{110: "healthy", 150: "single tomcat burst", 180: "healthy", 240: "healthy"},
	},
	{
		name: "no more requests than otherwise, which wait for a while",
		stack: tiers3([]int{120, 12, 108}, []load{calmHTTPD},
			[]load{calmTomcat, {400, 60, x{"demand": 58.8}, nil}, calmTomcat}, []load{calmMariaDB}),
		say: map[int]string{110: "healthy", 140: "single tomcat demand", 150: "healthy", 240: "healthy"},
	},
	{
		// As seen of 69 users and a database that is 87 % busy.
		name: "a steady load near the limit of a tier: queues come and go, and no more come for that",
		stack: tiers3([]int{60, 10, 40, 10, 40, 10, 70}, []load{{214, 0.2, x{"demand": 0.02}, nil}},
			[]load{{214, 1, nil, nil}},
			[]load{
				{428, 3, x{"demand": 1}, nil}, {428, 30, x{"demand": 28}, nil}, {428, 3, x{"demand": 1}, nil},
				{428, 34, x{"demand": 32}, nil},
				{428, 3, x{"demand": 1}, nil}, {428, 32, x{"demand": 30}, nil}, {428, 3, x{"demand": 1}, nil},
			}),
		say: map[int]string{50: "healthy", 100: "single mariadb demand", 150: "single mariadb demand",
			240: "healthy"},
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
		name: "all workers wait for a tier that waits for a destination which nobody measures, and which is slow",
		stack: with(tiers3([]int{240}, []load{{100, 14, x{"behind>tomcat": 13}, nil}},
			[]load{{100, 0.2, x{"noisy_neighbour": 0.06, "demand": 0.04}, nil}}, []load{calmMariaDB}), func(s *stack) {
			s.edges[0].calls, s.edges[0].outstanding = 100, 5.2
			s.edges = append(s.edges, edge{from: "tomcat", to: "10.0.0.9:80", calls: 14, outstanding: 5, waits: 5,
				stops: x{"behind": 4.7}})
		}),
		say:   map[int]string{60: "single 10.0.0.9:80 slow", 240: "single 10.0.0.9:80 slow"},
		alert: 130,
	},
	{
		name: "the same, but that one is measured and sleeps: it has time for more than these workers",
		stack: with(tiers3([]int{240}, []load{{100, 14, x{"behind>tomcat": 13}, nil}},
			[]load{{100, 0.2, x{"noisy_neighbour": 0.06, "demand": 0.04}, nil}}, []load{calmMariaDB}), func(s *stack) {
			s.edges[0].calls, s.edges[0].outstanding = 100, 5.2
			s.servers = append(s.servers, server{tier: "pricing", r0: 0.03,
				loads: []load{{14, 5, x{"unknown": 4.6}, nil}}, asleep: 4.9})
			s.edges = append(s.edges, edge{from: "tomcat", to: "pricing", calls: 14, outstanding: 5})
		}),
		say:   map[int]string{60: "single httpd soft_resource", 240: "single httpd soft_resource"},
		alert: 130,
	},
	{
		name: "a destination that nobody measures gives no answer now and then",
		stack: with(calm3([]int{240}, calmHTTPD, calmTomcat, calmMariaDB), func(s *stack) {
			s.edges = append(s.edges, edge{from: "tomcat", to: "10.0.0.9:5432", calls: 400, waits: 2,
				stops: x{"stalled": 1.2}})
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
			s.more = []series{
				{`nstar_tier_unix_socket_info{job="nstar",instance="h:9965",app="shop",tier="httpd",path="/run/a"}`,
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
		stack: with(tiers3([]int{240}, []load{{100, 5, x{"unknown": 3}, nil}}, nil,
			[]load{{4000, 0.8, x{"demand": 0.1}, nil}}),
			func(s *stack) {
				s.servers, s.edges = []server{s.servers[0], s.servers[2]}, nil
				s.servers[0].r0 = 0
				s.more = []series{{
					`nstar_tier_unix_socket_info{job="nstar",instance="h:9965",app="shop",tier="httpd",path="/run/app.sock"}`, slices.Repeat([]float64{1}, 49)}}
				runs(s, "mariadb", "mariadb")
			}),
		say: map[int]string{240: "learning"},
		more: []query{{`round(nstar:app_throughput:requests_per_second, 1e-6)`, 240,
			map[string]float64{`{app="shop"}`: 100}}},
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
		stack: calm3([]int{120, 240}, load{400, 15, x{"soft_resource>tomcat": 14}, nil},
			load{400, 26, x{"unknown": 9}, nil},
			calmMariaDB),
		say: map[int]string{110: "healthy", 360: "learning"},
	},
	{
		name: "a limit costs a quarter of the response time, and the rest is known",
		stack: calm3([]int{120, 240}, load{400, 15, x{"soft_resource>tomcat": 12}, nil},
			load{400, 26, x{"unknown": 2}, x{"unknown": 20}}, calmMariaDB),
		say: map[int]string{360: "learning"},
	},
	{
		name: "two limits from the first second on, each of which costs less than a third of the response time",
		stack: tiers3([]int{240}, []load{{400, 9.5, x{"soft_resource": 6}, nil}},
			[]load{{400, 10, x{"soft_resource": 6.4}, nil}}, []load{calmMariaDB}),
		say: map[int]string{60: "learning", 240: "learning"},
	},
	{
		name: "two limits, each of which costs a seventh of it",
		stack: tiers3([]int{240}, []load{{400, 9.5, x{"soft_resource": 3}, nil}},
			[]load{{400, 10, x{"soft_resource": 3.2}, nil}}, []load{calmMariaDB}),
		say: map[int]string{60: "healthy", 240: "healthy"},
	},
	{
		name: "a tier beyond its limit that costs 1 ms of 50",
		stack: calm3([]int{120, 240}, calmHTTPD, load{400, 19.2, x{"demand": 0.4}, nil},
			load{800, 1, x{"demand": 0.84}, nil}),
		say: map[int]string{360: "learning"},
	},
	{
		name: "more demand than a tier can do, whose limit is not known yet",
		stack: with(calm3([]int{120, 240}, calmHTTPD, calmTomcat, load{800, 20, x{"demand": 19.36}, nil}),
			func(s *stack) { s.servers[2].status = "learning" }),
		say: map[int]string{110: "healthy", 360: "learning"},
		more: []query{
			{`nstar:tier_learning:bool`, 360,
				map[string]float64{`nstar:tier_learning:bool{app="shop",tier="mariadb"}`: 1}},
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
		name: "others on the processors, who are hardly there when requests take longer for another reason",
		stack: tiers3([]int{120, 40, 20, 60}, []load{calmHTTPD},
			[]load{calmTomcat, {400, 30, x{"noisy_neighbour": 26}, nil}, {400, 1.9, x{"noisy_neighbour": 0.5}, nil},
				{400, 8, x{"noisy_neighbour": 1.4}, nil}},
			[]load{calmMariaDB}),
		say: map[int]string{155: "single tomcat noisy_neighbour", 180: "healthy", 195: "learning", 200: "learning",
			205: "learning", 215: "learning"},
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
		name: "rows of MariaDB are locked again and again: a fifth of the response time now, and little of the minute",
		stack: tiers3([]int{60, 120}, []load{calmHTTPD}, []load{calmTomcat},
			[]load{{800, 0.96, x{"stopped": 0.002}, nil}, {800, 2.9, x{"stopped": 0.98}, x{"stopped": 4}}}),
		say:   map[int]string{55: "healthy", 80: "single mariadb stopped", 150: "single mariadb stopped"},
		alert: 175,
	},
	{
		name: "requests of MariaDB take six times the processor time, far below its limit: an index was lost",
		stack: with(tiers3([]int{60, 120}, []load{calmHTTPD}, []load{calmTomcat},
			[]load{calmMariaDB, {800, 8, x{"demand": 3.5}, nil}}), func(s *stack) {
			usesProcessors(s, "mariadb", 0.8, 60, 4.8)
		}),
		say:   map[int]string{55: "healthy", 85: "single mariadb demand", 150: "single mariadb demand"},
		alert: 170,
		more: []query{
			{`round(nstar:app_slower:ratio, 0.1)`, 100, map[string]float64{`{app="shop"}`: 3.5}},
			{`round(nstar:tier_slower:ratio{tier="mariadb"}, 0.1)`, 100, map[string]float64{
				`{app="shop",tier="mariadb"}`: 1}},
			{`round(nstar:tier_dearer:ratio, 0.1)`, 100, map[string]float64{`{app="shop",tier="mariadb"}`: 6}},
			{`round(nstar:app_dearer_slower:ratio, 0.1)`, 100, map[string]float64{`{app="shop"}`: 1}},
			{`round(nstar:tier_own_time:mean15s{tier="mariadb"}, 0.001)`, 100, map[string]float64{
				`{app="shop",tier="mariadb"}`: 0.02}},
			{`round(1e5 * nstar:tier_cost:seconds15s)`, 100, map[string]float64{`{app="shop",tier="mariadb"}`: 120}},
			{`round(nstar:app_response_time:mean15s, 0.001)`, 100, map[string]float64{`{app="shop"}`: 0.025}},
			// what is usual is not learned from these
			{`nstar:tier_normal_cost:seconds15s or nstar:tier_normal_own_time:mean15s or nstar:app_normal_response_time:mean15s`,
				100, nil},
			{`round(1e5 * nstar:tier_usual_cost:seconds)`, 100, map[string]float64{`{app="shop",tier="mariadb"}`: 20}},
			{`round(1e5 * nstar:tier_usual_own_time:seconds{tier="mariadb"})`, 100, map[string]float64{
				`{app="shop",tier="mariadb"}`: 240}},
			{`round(nstar:app_usual_throughput:requests_per_second)`, 100, map[string]float64{`{app="shop"}`: 400}},
			{`round(nstar:app_usual_response_time:seconds, 0.001)`, 100, map[string]float64{`{app="shop"}`: 0.007}},
		},
	},
	{
		name: "the same, and Tomcat keeps them waiting, too, which nobody can tell why",
		stack: with(tiers3([]int{60, 120}, []load{calmHTTPD},
			[]load{calmTomcat, {400, 12, x{"demand": 0.44, "unknown": 8}, nil}},
			[]load{calmMariaDB, {800, 8, x{"demand": 5.5}, nil}}), func(s *stack) {
			usesProcessors(s, "mariadb", 0.8, 60, 4.8)
		}),
		say:   map[int]string{55: "healthy", 95: "single mariadb demand", 150: "single mariadb demand"},
		alert: 180,
	},
	{
		name: "the same beside programs that had most of the processors before: it waits for these, too",
		stack: with(tiers3([]int{60, 120}, []load{calmHTTPD}, []load{calmTomcat},
			[]load{calmMariaDB, {800, 8, x{"demand": 1, "noisy_neighbour": 5}, nil}}), func(s *stack) {
			usesProcessors(s, "mariadb", 0.8, 60, 4.8)
		}),
		say:   map[int]string{55: "healthy", 95: "single mariadb demand", 150: "single mariadb demand"},
		alert: 175,
		more: []query{
			{`round(nstar:app_excess:mean15s{of="mean",tier="mariadb"}, 0.01)`, 150, map[string]float64{
				`{app="shop",cause="demand",of="mean",tier="mariadb"}`:          5.17,
				`{app="shop",cause="noisy_neighbour",of="mean",tier="mariadb"}`: 0.83}},
		},
	},
	{
		name: "the same, and after a minute more than half of the longer time is in the tier that calls it",
		stack: with(tiers3([]int{60, 60, 60}, []load{calmHTTPD}, []load{calmTomcat, calmTomcat, {400, 10, nil, nil}},
			[]load{calmMariaDB, {800, 8, x{"demand": 3.5}, nil}, {800, 8, x{"demand": 3.5}, nil}}), func(s *stack) {
			usesProcessors(s, "mariadb", 0.8, 60, 4.8)
		}),
		say:   map[int]string{85: "single mariadb demand", 150: "single mariadb demand", 175: "single mariadb demand"},
		alert: 170,
		more: []query{{`round(nstar:tier_slower:ratio{tier="mariadb"}, 0.01)`, 175, map[string]float64{
			`{app="shop",tier="mariadb"}`: 0.46}}},
	},
	{
		name: "the same, while workers of the tier that calls it wait for it, beside other programs",
		stack: with(tiers3([]int{60, 60, 60}, []load{calmHTTPD},
			[]load{calmTomcat, calmTomcat, {400, 24, x{"behind>mariadb": 20}, nil}},
			[]load{calmMariaDB, {800, 8, x{"demand": 3.5}, nil},
				{800, 8, x{"demand": 3.5, "noisy_neighbour": 2.8}, nil}}), func(s *stack) {
			s.servers[2].used, s.servers[2].busy, s.servers[2].others = 0.4, 0.95, 0.4
			usesProcessors(s, "mariadb", 0.8, 60, 4.8)
		}),
		say:   map[int]string{85: "single mariadb demand", 150: "single mariadb demand", 175: "single mariadb demand"},
		alert: 170,
	},
	{
		name: "the same, and it has less than half a processor",
		stack: with(tiers3([]int{60, 120}, []load{calmHTTPD}, []load{calmTomcat},
			[]load{calmMariaDB, {800, 8, x{"demand": 5.5}, nil}}), func(s *stack) {
			s.servers[2].used, s.servers[2].busy = 0.2, 0.3
			usesProcessors(s, "mariadb", 0.8, 60, 4.8)
		}),
		say:   map[int]string{55: "healthy", 85: "single mariadb demand", 150: "single mariadb demand"},
		alert: 170,
	},
	{
		name: "the same of MariaDB and its replica, neither of which has half of it, beside other programs",
		stack: with(tiers3([]int{60, 120}, []load{calmHTTPD}, []load{calmTomcat},
			[]load{calmMariaDB, {800, 4.6, x{"demand": 1.7, "noisy_neighbour": 0.6}, nil}}), func(s *stack) {
			s.servers = append(s.servers, server{tier: "replica", r0: 0.0008, used: 0.4, busy: 0.95, others: 0.3,
				loads: []load{calmMariaDB, {800, 3.9, x{"demand": 1.5, "noisy_neighbour": 0.5}, nil}}})
			s.servers[2].used, s.servers[2].busy, s.servers[2].others = 0.4, 0.95, 0.3
			s.edges = append(s.edges, edge{from: "tomcat", to: "replica", calls: 800})
			usesProcessors(s, "mariadb", 0.8, 60, 4.8)
			usesProcessors(s, "replica", 0.8, 60, 3.6)
		}),
		say:   map[int]string{55: "healthy", 85: "single mariadb demand", 150: "single mariadb demand"},
		alert: 170,
	},
	{
		name: "the same, but most of them sleep: a table is written anew, and locked meanwhile",
		stack: with(tiers3([]int{60, 120}, []load{calmHTTPD}, []load{calmTomcat},
			[]load{calmMariaDB, {800, 8, x{"demand": 3.5}, nil}}), func(s *stack) {
			s.servers[2].asleep = 6
			usesProcessors(s, "mariadb", 0.8, 60, 4.8)
		}),
		say: map[int]string{85: "learning", 150: "learning"},
	},
	{
		name: "the same of a program that computes in one thread: those that wait for it sleep",
		stack: with(tiers3([]int{60, 120}, []load{calmHTTPD}, []load{calmTomcat},
			[]load{calmMariaDB, {800, 8, x{"demand": 3.5}, nil}}), func(s *stack) {
			s.servers[2].asleep, s.servers[2].used, s.servers[2].busy, s.servers[2].thread = 6, 0.65, 0.4, 0.7
			usesProcessors(s, "mariadb", 0.8, 60, 4.8)
			runs(s, "mariadb", "node")
		}),
		say:   map[int]string{55: "healthy", 85: "single mariadb demand", 150: "single mariadb demand"},
		alert: 170,
		more:  []query{{`nstar:tier_interprets:bool ^ 0`, 100, map[string]float64{`{app="shop",tier="mariadb"}`: 1}}},
	},
	{
		name: "the same from the 15th second after the first scrape on: the first ten seconds tell what is usual",
		stack: with(tiers3([]int{15, 165}, []load{calmHTTPD}, []load{calmTomcat},
			[]load{calmMariaDB, {800, 8, x{"demand": 3.5}, nil}}), func(s *stack) {
			usesProcessors(s, "mariadb", 0.8, 15, 4.8)
		}),
		say:   map[int]string{45: "single mariadb demand", 60: "single mariadb demand", 150: "single mariadb demand"},
		alert: 150,
		more: []query{
			{`round(nstar:app_first:requests)`, 20, map[string]float64{`{app="shop"}`: 4000}},
			{`round(nstar:tier_first:requests{tier="mariadb"})`, 20, map[string]float64{`{app="shop",tier="mariadb"}`: 8000}},
			{`round(nstar:tier_first_queue:seconds{tier="mariadb"}, 0.1)`, 20, map[string]float64{
				`{app="shop",tier="mariadb"}`: 9.6}},
			{`round(nstar:tier_first_time:seconds{tier="mariadb"}, 0.0001)`, 20, map[string]float64{
				`{app="shop",tier="mariadb"}`: 0.0024}},
			{`round(nstar:app_normal_response_time:mean15s, 0.001)`, 20, map[string]float64{`{app="shop"}`: 0.007}},
			{`round(nstar:tier_entered:requests_per_second15s)`, 20, map[string]float64{`{app="shop",tier="httpd"}`: 400}},
			// and nothing else tells of the first seconds
			{`nstar:app_first:requests or nstar:tier_first:requests or nstar:tier_first_queue:seconds`, 25, nil},
			{`round(nstar:app_usual_response_time:seconds, 0.001)`, 60, map[string]float64{`{app="shop"}`: 0.007}},
		},
	},
	{
		name: "as on three hosts, scraped one after the other: no part of a request is missing in what is usual",
		stack: with(tiers3([]int{120, 60}, []load{calmHTTPD}, []load{calmTomcat},
			[]load{calmMariaDB, {800, 8, x{"demand": 3.5}, nil}}), func(s *stack) {
			s.servers[1].instance, s.servers[2].instance = "tomcat:9965", "mariadb:9965"
			s.begins = map[string]int{"tomcat:9965": 10, "mariadb:9965": 10}
			usesProcessors(s, "mariadb", 0.8, 120, 4.8)
		}),
		say: map[int]string{60: "healthy", 100: "healthy", 150: "single mariadb demand"},
		more: []query{
			{`nstar:app_normal_response_time:mean15s`, 20, nil},
			{`round(nstar:app_normal_response_time:mean15s, 0.001)`, 25, map[string]float64{`{app="shop"}`: 0.007}},
			{`round(nstar:app_usual_response_time:seconds, 0.001)`, 40, map[string]float64{`{app="shop"}`: 0.007}},
			{`nstar:app_incomplete:bool`, 20, map[string]float64{`nstar:app_incomplete:bool{app="shop"}`: 1}},
			{`nstar:app_incomplete:bool`, 25, nil},
		},
	},
	{
		name: "the load rises in the first ten seconds, in which requests take half as long: these tell nothing",
		stack: tiers3([]int{10, 170}, []load{{150, 0.04, nil, nil}, calmHTTPD},
			[]load{{150, 0.3, nil, nil}, calmTomcat}, []load{{300, 0.18, nil, nil}, calmMariaDB}),
		say:  map[int]string{60: "healthy", 100: "healthy", 150: "healthy"},
		more: []query{{`nstar:app_first:requests`, 20, nil}},
	},
	{
		name: "the same from the 15th second on, but fewer than a hundred requests came before it: these tell nothing",
		stack: with(tiers3([]int{15, 165}, []load{{8, 0.004, nil, nil}}, []load{{8, 0.032, nil, nil}},
			[]load{{16, 0.02, nil, nil}, {16, 0.16, x{"demand": 0.07}, nil}}), func(s *stack) {
			usesProcessors(s, "mariadb", 0.016, 15, 0.096)
		}),
		more: []query{{`nstar:app_first:requests`, 20, nil}},
	},
	{
		name: "requests of MariaDB take six times the processor time: a third of all now, and little of the minute",
		stack: with(tiers3([]int{60, 120}, []load{calmHTTPD}, []load{calmTomcat},
			[]load{calmMariaDB, {800, 3.2, x{"demand": 1.4}, nil}}), func(s *stack) {
			usesProcessors(s, "mariadb", 0.4, 60, 2.4)
		}),
		say:   map[int]string{55: "healthy", 85: "single mariadb demand", 150: "single mariadb demand"},
		alert: 170,
	},
	{
		name: "the same, and most of it is that Tomcat's workers are in use for so much longer",
		stack: with(calm3([]int{60, 120}, calmHTTPD,
			load{400, 4.6, x{"demand": 0.44, "unknown": 0.9, "noisy_neighbour": 0.5}, nil},
			load{800, 2.2, x{"demand": 1.4}, nil}), func(s *stack) {
			usesProcessors(s, "mariadb", 0.4, 60, 2.4)
		}),
		say:   map[int]string{55: "healthy", 90: "single mariadb demand", 150: "single mariadb demand"},
		alert: 180,
	},
	{
		name: "the same, but httpd's requests take longer, which does not ask MariaDB",
		stack: with(calm3([]int{60, 120}, load{400, 3.2, x{"demand": 0.1, "unknown": 0.9}, nil}, calmTomcat,
			load{800, 2.2, x{"demand": 1.4}, nil}), func(s *stack) {
			usesProcessors(s, "mariadb", 0.4, 60, 2.4)
		}),
		say: map[int]string{55: "healthy", 90: "learning", 150: "learning"},
	},
	{
		name:  "requests of MariaDB take six times the processor time, and most of them sleep behind those that do",
		stack: sleepBehindWork(0.8),
		say:   map[int]string{55: "healthy", 90: "single mariadb demand", 150: "single mariadb demand"},
		alert: 175,
	},
	{
		name:  "the same, but hardly any work is done meanwhile: they wait for a lock",
		stack: sleepBehindWork(0.3),
		say:   map[int]string{55: "healthy", 90: "learning", 150: "learning"},
	},
	{
		name:  "requests of MariaDB take twelve times the processor time, which all tiers lack therefore",
		stack: takesProcessors(2.6),
		say:   map[int]string{55: "healthy", 95: "single mariadb demand", 150: "single mariadb demand"},
		alert: 180,
	},
	{
		name:  "the same, but Tomcat's requests take longer for it than MariaDB's",
		stack: takesProcessors(2.2),
		say:   map[int]string{55: "healthy", 95: "learning"},
	},
	{
		name: "jobs ask a database for thirty times as much as its tier does: it is no entrance for that",
		stack: with(calm3([]int{240}, calmHTTPD, calmTomcat, load{25000, 2, nil, nil}), func(s *stack) {
			s.servers[2].r0 = 0.00008
			runs(s, "mariadb", "mariadb")
		}),
		say: map[int]string{60: "healthy", 240: "healthy"},
		more: []query{
			{`round(nstar:app_throughput:requests_per_second)`, 240, map[string]float64{`{app="shop"}`: 400}},
			{`round(nstar:tier_called_part:ratio1m, 0.001) < 0.1 > 0`, 240, map[string]float64{
				`{app="shop",tier="mariadb"}`: 0.032}},
		},
	},
	{
		name: "a pool is a little too small for three quarters of a minute: it is not named as it goes",
		stack: tiers3([]int{60, 46, 60}, []load{calmHTTPD}, []load{calmTomcat,
			{400, 2.2, x{"soft_resource>mariadb": 0.54, "demand": 0.44},
				x{"soft_resource>mariadb": 12, "demand": 0.44}}, calmTomcat},
			[]load{calmMariaDB}),
		say: map[int]string{55: "healthy", 100: "healthy", 110: "healthy", 115: "healthy", 120: "healthy",
			160: "healthy"},
	},
	{
		name: "requests take twice as long after a hang for another reason, which nobody can tell: not healthy",
		stack: tiers3([]int{60, 30, 70}, []load{calmHTTPD},
			[]load{calmTomcat, calmTomcat, {400, 5.4, x{"demand": 0.44, "unknown": 0.6}, nil}},
			[]load{calmMariaDB, {800, 60, x{"stopped": 59}, nil}, calmMariaDB}),
		say: map[int]string{85: "single mariadb stopped", 115: "learning", 130: "learning", 155: "learning"},
	},
	{
		name: "requests of MariaDB take 2.4 times the processor time and twice as long, and all requests 40 % longer",
		stack: with(tiers3([]int{60, 120}, []load{calmHTTPD}, []load{calmTomcat},
			[]load{calmMariaDB, {800, 2.14, x{"demand": 0.95}, nil}}), func(s *stack) {
			usesProcessors(s, "mariadb", 0.4, 60, 0.96)
		}),
		say:   map[int]string{55: "healthy", 95: "single mariadb demand", 150: "single mariadb demand"},
		alert: 180,
		more: []query{{`nstar:app_costly_dearer:ratio > bool 0.1`, 150, map[string]float64{
			`{app="shop",tier="mariadb",cause="demand"}`: 1}}},
	},
	{
		name: "requests of MariaDB sleep, and take a third of the time longer: a base that is learned anew hides that",
		stack: with(tiers3([]int{60, 120}, []load{calmHTTPD}, []load{calmTomcat},
			[]load{calmMariaDB, {800, 3.2, x{"demand": 0.4, "unknown": 0.1}, nil}}), func(s *stack) {
			s.servers[2].asleep = 2.5
		}),
		say:   map[int]string{55: "healthy", 75: "learning", 85: "single mariadb slow", 150: "single mariadb slow"},
		alert: 180,
		more: []query{{`round(nstar:app_dozing:ratio, 0.1)`, 150, map[string]float64{
			`{app="shop",tier="mariadb",cause="slow"}`: 0.4}}},
	},
	{
		name: "the same, and once it is named a third of it looks like stops, because few requests come",
		stack: with(tiers3([]int{60, 40, 80}, []load{calmHTTPD}, []load{calmTomcat},
			[]load{calmMariaDB, {800, 3.2, x{"demand": 0.4, "unknown": 0.1}, nil},
				{800, 3.2, x{"demand": 0.4, "unknown": 0.1, "stopped": 1.1}, nil}}), func(s *stack) {
			s.servers[2].asleep = 2.5
		}),
		say:   map[int]string{55: "healthy", 90: "single mariadb slow", 120: "single mariadb slow"},
		alert: 180,
		more: []query{{`round(nstar:tier_otherwise:mean15s{tier="mariadb"}, 0.1)`, 120, map[string]float64{
			`{app="shop",tier="mariadb"}`: 1.6}}},
	},
	{
		name:  "the same, and requests take three times as long: that is enough after 10 s",
		stack: sleepyMariaDB(6),
		say:   map[int]string{55: "healthy", 85: "single mariadb slow", 150: "single mariadb slow"},
		alert: 175,
	},
	{
		name:  "the same, and two thirds of MariaDB's requests sleep",
		stack: sleepyMariaDB(4.7),
		say:   map[int]string{55: "healthy", 85: "single mariadb slow", 150: "single mariadb slow"},
		alert: 175,
	},
	{
		name:  "the same, but half of them do: all that is longer is there, for 15 s",
		stack: sleepyMariaDB(3.5),
		say:   map[int]string{55: "healthy", 90: "single mariadb slow", 150: "single mariadb slow"},
		alert: 180,
		more: []query{
			{`round(nstar:app_slow_there:ratio, 0.1)`, 150, map[string]float64{
				`{app="shop",tier="mariadb",cause="slow"}`: 0.7}},
			{`nstar:tier_dozes:ratio`, 150, nil},
			{`nstar:tier_slower_each:bool ^ 0`, 150, map[string]float64{`{app="shop",tier="mariadb"}`: 1}}},
	},
	{
		name:  "the same, but three in ten do",
		stack: sleepyMariaDB(2.1),
		say:   map[int]string{55: "healthy", 85: "learning", 150: "learning"},
	},
	{
		name:  "requests of MariaDB take four times the processor time, and all a sixth longer: one page of several",
		stack: dearerPage(0.4, 0.2, 0.9, 0.8),
		say:   map[int]string{55: "healthy", 90: "single mariadb demand", 150: "single mariadb demand"},
		alert: 180,
		more: []query{
			{`round(nstar:app_dearer_page:ratio, 0.01)`, 100, map[string]float64{
				`{app="shop",tier="mariadb",cause="demand"}`: 0.15}},
			{`nstar:app_slower:ratio`, 100, nil}},
	},
	{
		name:  "the same, and MariaDB is asked half as often again: they may be other pages",
		stack: with(dearerPage(0.4, 0.2, 0.9, 0.8), func(s *stack) { s.servers[2].loads[1].completions = 1200 }),
		say:   map[int]string{55: "healthy", 90: "healthy", 150: "healthy"},
	},
	{
		name:  "requests of MariaDB take six times the processor time, five times as long, and all hardly any longer",
		stack: dearerPage(0.1, 0.1, 0.5, 0.6),
		say:   map[int]string{55: "healthy", 90: "single mariadb demand", 150: "single mariadb demand"},
		alert: 180,
	},
	{
		name: "MariaDB stands still again and again, and requests sleep in a tier beside it: both are wrong",
		stack: with(tiers3([]int{60, 120}, []load{calmHTTPD}, []load{calmTomcat},
			[]load{calmMariaDB, {800, 3, x{"stopped": 1.9}, x{"stopped": 9}}}), func(s *stack) {
			s.servers = append(s.servers, server{tier: "quotes", r0: 0.002, asleep: 3.2,
				loads: []load{{400, 0.8, nil, nil}, {400, 3.4, x{"unknown": 2.6}, nil}}})
			s.edges = append(s.edges, edge{from: "tomcat", to: "quotes", calls: 400})
		}),
		say:   map[int]string{55: "healthy", 90: "single quotes slow", 150: "single quotes slow"},
		alert: 175,
		more: []query{
			{`round(nstar:tier_pauses:ratio, 0.1)`, 150, map[string]float64{`{app="shop",tier="mariadb"}`: 0.4}},
			{`round(nstar:app_costly_known:ratio, 0.1)`, 150, map[string]float64{
				`{app="shop",tier="mariadb",cause="stopped"}`: 0.2}}},
	},
	{
		name: "httpd can't connect to Tomcat at times, while its requests sleep: they wait until it tries again",
		stack: with(calm3([]int{60, 120}, load{400, 9, x{"unknown": 8.8}, nil}, calmTomcat,
			calmMariaDB), func(s *stack) {
			s.servers[0].asleep = 8.8
			failed := grows(s, func(second int) float64 {
				if second >= 60 {
					return 150
				}
				return 0
			})
			s.more = append(s.more, series{
				`nstar_edge_failed_connections_total{job="nstar",instance="h:9965",app="shop",from="httpd",to="tomcat"}`,
				failed})
		}),
		say:   map[int]string{55: "healthy", 90: "single tomcat stopped", 150: "single tomcat stopped"},
		alert: 175,
		more: []query{{`nstar:tier_held_out:bool`, 150, map[string]float64{
			`nstar:tier_held_out:bool{app="shop",tier="httpd",to="tomcat"}`: 1}}},
	},
	{
		name: "dear requests of MariaDB, and a few before: over 20 s after the last, if requests take no longer",
		stack: with(tiers3([]int{60, 10, 20, 35, 85}, []load{calmHTTPD}, []load{calmTomcat},
			[]load{quietMariaDB, {800, 2.2, x{"demand": 1.5}, nil}, quietMariaDB, {800, 9, x{"demand": 8}, nil},
				quietMariaDB}), func(s *stack) {
			usesProcessors(s, "mariadb", 0.4, 90, 4)
		}),
		say: map[int]string{85: "healthy", 120: "single mariadb demand", 135: "single mariadb demand",
			150: "healthy", 155: "healthy", 170: "healthy", 200: "healthy"},
	},
	{
		name:  "Tomcat asks MariaDB ten times as often, for six times the processor time; each takes no longer there",
		stack: asksMore(8000, 5),
		say:   map[int]string{55: "healthy", 85: "single tomcat demand", 150: "single tomcat demand"},
		alert: 170,
	},
	{
		name:  "the same, and MariaDB takes twice as long for each",
		stack: asksMore(4000, 10),
		say:   map[int]string{55: "healthy", 85: "learning", 150: "learning"},
	},
	{
		name: "neighbours come 45 s after dear requests: they have ended when it has been calm for 10 s",
		stack: with(tiers3([]int{60, 60, 45, 45, 75}, []load{calmHTTPD},
			[]load{calmTomcat, calmTomcat, calmTomcat, {400, 40, x{"noisy_neighbour": 38}, nil}, calmTomcat},
			[]load{calmMariaDB, {800, 9, x{"demand": 8}, nil}, {800, 1.66, x{"demand": 0.32}, nil}}), func(s *stack) {
			usesProcessors(s, "mariadb", 0.4, 60, 4)
			cpu := s.more[len(s.more)-1].values
			for i := range cpu {
				if 5*i >= 120 {
					cpu[i] = cpu[120/5] + 0.4*float64(i-120/5)
				}
			}
		}),
		say: map[int]string{115: "single mariadb demand", 155: "healthy", 205: "single tomcat noisy_neighbour",
			215: "single tomcat noisy_neighbour", 225: "healthy", 235: "healthy", 250: "healthy", 270: "healthy"},
	},
	{
		name: "requests come to sleep for four times as long in one tier, and take somewhat longer in all others",
		stack: with(calm3([]int{60, 120}, load{400, 1.05, x{"demand": 0.04}, nil},
			load{400, 2.5, x{"demand": 0.44}, nil}, load{800, 3.9, x{"demand": 0.4, "unknown": 0.1}, nil}),
			func(s *stack) { s.servers[2].asleep = 3.5 }),
		say:   map[int]string{55: "healthy", 90: "single mariadb slow", 150: "single mariadb slow"},
		alert: 175,
	},
	{
		name: "the same, but in another one nearly as much",
		stack: with(calm3([]int{60, 120}, load{400, 0.4, x{"demand": 0.04}, nil},
			load{400, 3.3, x{"demand": 0.44}, nil}, load{800, 3.9, x{"demand": 0.4, "unknown": 0.1}, nil}),
			func(s *stack) { s.servers[2].asleep = 3.5 }),
		say: map[int]string{55: "healthy", 90: "learning", 150: "learning"},
	},
	{
		name: "one page of several: requests sleep for six times as long in one tier, and all take a third longer",
		stack: with(calm3([]int{60, 120}, load{400, 1.2, x{"demand": 0.04, "unknown": 0.1}, nil},
			calmTomcat, calmMariaDB), func(s *stack) { s.servers[0].asleep = 1.1 }),
		say:   map[int]string{55: "healthy", 85: "single httpd slow", 150: "single httpd slow"},
		alert: 170,
	},
	{
		name:  "requests come to sleep in two tiers at once: the one in which they sleep longer is named",
		stack: sleepyTwo(4.9, 4, 5, 4.5),
		say:   map[int]string{55: "healthy", 85: "single mariadb slow", 150: "single mariadb slow"},
		alert: 175,
		more: []query{{`round(nstar:tier_dozes:ratio, 0.1)`, 150, map[string]float64{
			`{app="shop",tier="tomcat"}`: 0.4, `{app="shop",tier="mariadb"}`: 0.6}}},
	},
	{
		name: "neighbours come, and three quarters of what requests take longer are theirs",
		stack: with(calm3([]int{60, 120}, calmHTTPD, load{400, 3.64, x{"demand": 0.44, "noisy_neighbour": 1.5}, nil},
			calmMariaDB), func(s *stack) {
			s.servers[1].used, s.servers[1].busy, s.servers[1].others = 0.3, 0.95, 0.6
		}),
		say: map[int]string{55: "healthy", 105: "single tomcat noisy_neighbour", 150: "single tomcat noisy_neighbour"},
	},
	{
		name: "they sleep in MariaDB and take five times the processor time in Tomcat, which is the smaller part",
		stack: with(tiers3([]int{60, 120}, []load{calmHTTPD}, []load{calmTomcat, {400, 3.3, x{"demand": 0.3}, nil}},
			[]load{calmMariaDB, {800, 3.2, x{"demand": 0.1, "unknown": 0.1}, nil}}), func(s *stack) {
			s.servers[2].asleep = 2.5
			usesProcessors(s, "tomcat", 0.2, 60, 1)
		}),
		say:   map[int]string{55: "healthy", 90: "single mariadb slow", 150: "single mariadb slow"},
		alert: 180,
	},
	{
		name:  "the same, and each of the two is less than 30 % of the response time",
		stack: sleepyTwo(2.7, 2.4, 1.75, 1.5),
		say:   map[int]string{55: "healthy", 90: "single tomcat slow", 150: "single tomcat slow"},
		alert: 180,
	},
	{
		name: "requests come to sleep in MariaDB, but the disk explains it",
		stack: with(tiers3([]int{60, 120}, []load{calmHTTPD}, []load{calmTomcat},
			[]load{calmMariaDB, {800, 3.2, x{"disk": 0.9, "unknown": 0.1}, nil}}), func(s *stack) {
			s.servers[2].asleep = 2.5
		}),
		say: map[int]string{55: "healthy", 105: "learning", 150: "single mariadb disk"},
	},
	{
		name: "Tomcat stands still again and again after a hang of MariaDB, which fills the minute",
		stack: tiers3([]int{60, 30, 70}, []load{calmHTTPD}, []load{calmTomcat, calmTomcat,
			{400, 2.6, x{"demand": 0.44, "stopped": 1}, nil}},
			[]load{calmMariaDB, {800, 200, x{"stopped": 199}, nil}, calmMariaDB}),
		say: map[int]string{85: "single mariadb stopped", 135: "single tomcat stopped", 160: "single tomcat stopped"},
		more: []query{{`nstar:app_receded:bool`, 100, nil},
			{`nstar:app_unusual:bool`, 85, map[string]float64{`nstar:app_unusual:bool{app="shop"}`: 1}},
			{`nstar:app_normal_throughput:requests_per_second15s`, 85, nil},
			{`round(nstar:app_normal_throughput:requests_per_second15s)`, 50, map[string]float64{`{app="shop"}`: 400}},
			{`round(nstar:app_usual_response_time:seconds, 0.001)`, 100, map[string]float64{`{app="shop"}`: 0.007}},
			{`nstar:app_receded:bool ^ 0`, 140, map[string]float64{`{app="shop"}`: 1}},
			{`round(nstar:app_excess_share:ratio{cause="stopped"}, 0.01)`, 140, map[string]float64{
				`{app="shop",tier="tomcat",cause="stopped"}`: 0.27}}},
	},
	{
		name:  "requests wait for the disk now, for a quarter of the response time, in the tier that makes them longer",
		stack: diskMariaDB(x{"disk": 1, "noisy_neighbour": 0.4, "demand": 0.3}),
		say:   map[int]string{55: "healthy", 85: "single mariadb disk", 150: "single mariadb disk"},
		alert: 175,
		more: []query{
			{`round(nstar:tier_slower_by:ratio, 0.1)`, 85, map[string]float64{
				`{app="shop",tier="mariadb",cause="disk"}`: 1}},
			{`round(nstar:app_slower_by:ratio, 0.1)`, 85, map[string]float64{
				`{app="shop",tier="mariadb",cause="disk"}`: 0.2}},
		},
	},
	{
		name:  "the same, but more of them wait for processors that other programs have",
		stack: diskMariaDB(x{"disk": 0.9, "noisy_neighbour": 1, "demand": 0.3}),
		say:   map[int]string{55: "healthy", 85: "learning"},
		more:  []query{{`nstar:tier_slower_by:ratio`, 85, nil}},
	},
	{
		name:  "the same, but the disk explains less than half of it",
		stack: diskMariaDB(x{"disk": 0.7, "noisy_neighbour": 0.4, "demand": 0.3}),
		say:   map[int]string{55: "healthy", 85: "learning"},
		more:  []query{{`nstar:tier_slower_by:ratio`, 85, nil}},
	},
	{
		name: "requests take longer than usual, most of that is in MariaDB, and a part of that sleeps",
		stack: tiers3([]int{60, 120}, []load{calmHTTPD}, []load{calmTomcat},
			[]load{calmMariaDB, {800, 8, x{"slow": 2.8}, nil}}),
		say:   map[int]string{55: "healthy", 120: "single mariadb slow", 175: "single mariadb slow"},
		alert: 180,
	},
	{
		name: "the same, and more of that is in Tomcat",
		stack: tiers3([]int{60, 120}, []load{calmHTTPD}, []load{calmTomcat, {400, 14, x{"demand": 1}, nil}},
			[]load{calmMariaDB, {800, 8, x{"slow": 5}, nil}}),
		say: map[int]string{55: "healthy", 120: "learning", 175: "learning"},
	},
	{
		name: "requests take longer than usual, most of that is in Tomcat, and a part of that waits for a place",
		stack: tiers3([]int{60, 120}, []load{calmHTTPD}, []load{calmTomcat, {400, 8, x{"soft_resource": 2.8}, nil}},
			[]load{calmMariaDB}),
		say:   map[int]string{55: "healthy", 120: "single tomcat soft_resource", 175: "single tomcat soft_resource"},
		alert: 180,
	},
	{
		name: "the same, and beside that a sixth is what nobody can tell: it may hold the places",
		stack: tiers3([]int{60, 120}, []load{calmHTTPD}, []load{calmTomcat, {400, 8, x{"soft_resource": 2.8}, nil}},
			[]load{calmMariaDB, {800, 4, x{"unknown": 2.2}, nil}}),
		say: map[int]string{55: "healthy", 120: "learning", 175: "learning"},
	},
	{
		name: "twice as much is asked: so much work takes longer, and a request takes as much processor time as before",
		stack: with(tiers3([]int{60, 120}, []load{calmHTTPD, {800, 0.2, nil, nil}},
			[]load{calmTomcat, {800, 5, x{"demand": 1}, nil}},
			[]load{calmMariaDB, {1600, 5, x{"demand": 1.5}, nil}}), func(s *stack) {
			usesProcessors(s, "mariadb", 0.8, 60, 1.6)
		}),
		say: map[int]string{55: "healthy", 85: "healthy", 130: "healthy", 175: "healthy"},
	},
	{
		name: "clients ask for other pages, which ask MariaDB three times as much, and no question takes longer",
		stack: tiers3([]int{60, 120}, []load{calmHTTPD}, []load{calmTomcat},
			[]load{calmMariaDB, {2400, 2.88, x{"demand": 0.4}, nil}}),
		say: map[int]string{55: "healthy", 85: "healthy", 130: "healthy", 175: "healthy"},
		more: []query{
			{`round(nstar:app_response_time:mean15s, 0.0001)`, 100, map[string]float64{`{app="shop"}`: 0.0118}},
			{`round(nstar:app_other_mix:seconds, 0.0001)`, 100, map[string]float64{`{app="shop"}`: 0.0048}},
			{`round(nstar:tier_normal_own_residence:mean15s{tier="mariadb"}, 0.0001)`, 100, map[string]float64{
				`{app="shop",tier="mariadb"}`: 0.0012}},
			{`round(nstar:tier_usual_own_residence:seconds{tier="mariadb"}, 0.0001)`, 100, map[string]float64{
				`{app="shop",tier="mariadb"}`: 0.0012}},
			// what is usual is learned from these, too
			{`count(nstar:tier_normal_own_residence:mean15s)`, 100, map[string]float64{`{}`: 3}},
		},
	},
	{
		name: "each asks it twice as much, and each question takes twice as long",
		stack: tiers3([]int{60, 120}, []load{calmHTTPD}, []load{calmTomcat},
			[]load{calmMariaDB, {1600, 3.84, x{"demand": 0.4}, nil}}),
		say: map[int]string{55: "healthy", 130: "learning", 175: "learning"},
	},
	{
		name: "each asks it twice as much, while Tomcat takes three times as long",
		stack: tiers3([]int{60, 120}, []load{calmHTTPD}, []load{calmTomcat, {400, 4.92, x{"demand": 0.4}, nil}},
			[]load{calmMariaDB, {1600, 1.92, x{"demand": 0.4}, nil}}),
		say: map[int]string{55: "healthy", 130: "learning", 175: "learning"},
	},
	{
		name: "an index was lost while a third more is asked, and requests take less than twice as long",
		stack: with(tiers3([]int{60, 120}, []load{calmHTTPD, {530, 0.05, nil, nil}},
			[]load{calmTomcat, {530, 2.6, x{"demand": 0.4}, nil}},
			[]load{calmMariaDB, {1060, 4.2, x{"demand": 1.6}, nil}}), func(s *stack) {
			usesProcessors(s, "mariadb", 0.8, 60, 6.4)
		}),
		say:   map[int]string{55: "healthy", 90: "single mariadb demand", 150: "single mariadb demand"},
		alert: 170,
		more:  []query{{`round(nstar:app_slower:ratio, 0.1)`, 100, map[string]float64{`{app="shop"}`: 1.8}}},
	},
	{
		name: "an index was lost, and after a minute requests take less than half as long again: it keeps its name",
		stack: with(tiers3([]int{60, 60, 60}, []load{calmHTTPD}, []load{calmTomcat},
			[]load{calmMariaDB, {800, 2.96, x{"demand": 2.2}, nil}, {800, 2.06, x{"demand": 1.5}, nil}}),
			func(s *stack) {
				usesProcessors(s, "mariadb", 0.8, 60, 6.4)
			}),
		say: map[int]string{55: "healthy", 90: "single mariadb demand", 150: "single mariadb demand",
			175: "single mariadb demand"},
		alert: 170,
		more:  []query{{`round(nstar:app_slower:ratio, 0.1)`, 160, map[string]float64{`{app="shop"}`: 1.4}}},
	},
	{
		name: "two servers of a kind, whose requests take 2.5 times the processor time, have most of a longer time",
		stack: with(alike(2, []int{60, 120}, load{}), func(s *stack) {
			for i := range 2 {
				name := s.servers[i+1].tier
				more := []float64{1.1, 0.9}[i]
				s.servers[i+1].loads = []load{{200, 0.8, x{"demand": 0.2}, nil},
					{200, 0.8 + more, x{"demand": more}, nil}}
				usesProcessors(s, name, 0.4, 60, 1)
			}
		}),
		say:   map[int]string{55: "healthy", 90: "single tomcat-1 demand", 150: "single tomcat-1 demand"},
		alert: 170,
		more:  []query{{`round(nstar:app_slower:ratio, 0.1)`, 100, map[string]float64{`{app="shop"}`: 1.7}}},
	},
	{
		name: "other programs have a third of the processors: more than half of a longer time, spread over all tiers",
		stack: with(tiers3([]int{60, 120}, []load{calmHTTPD, {400, 0.7, x{"demand": 0.1, "noisy_neighbour": 0.4}, nil}},
			[]load{calmTomcat, {400, 2.5, x{"demand": 0.3, "noisy_neighbour": 0.47}, nil}},
			[]load{calmMariaDB, {800, 1.6, x{"demand": 0.2, "noisy_neighbour": 0.45}, nil}}), func(s *stack) {
			s.servers[1].used, s.servers[1].busy, s.servers[1].others = 0.6, 0.9, 0.35
		}),
		say: map[int]string{55: "healthy", 130: "single tomcat noisy_neighbour", 150: "single tomcat noisy_neighbour",
			175: "single tomcat noisy_neighbour"},
		more: []query{{`round(nstar:app_neighbours:ratio{tier="httpd"}, 0.01)`, 150, map[string]float64{
			`{app="shop",tier="httpd",cause="noisy_neighbour"}`: 0.08}}},
	},
	{
		name: "other programs have a third of the processors, at a low rate: 15 ms are three quarters of a longer time",
		stack: with(tiers3([]int{60, 120}, []load{{20, 0.02, nil, nil}, {20, 0.04, nil, nil}},
			[]load{{20, 0.4, x{"demand": 0.1}, nil}, {20, 0.62, x{"demand": 0.15, "noisy_neighbour": 0.17}, nil}},
			[]load{{40, 0.2, x{"demand": 0.05}, nil}, {40, 0.36, x{"demand": 0.1, "noisy_neighbour": 0.13}, nil}}),
			func(s *stack) {
				s.servers[1].used, s.servers[1].busy, s.servers[1].others = 0.6, 0.9, 0.35
			}),
		say: map[int]string{55: "healthy", 115: "single tomcat noisy_neighbour",
			175: "single tomcat noisy_neighbour"},
		alert: 180,
	},
	{
		name:  "a supplier sleeps for eight times as long, and that is its base residence by now: nothing is in excess",
		stack: sleepsLonger(4, 0.34),
		say:   map[int]string{85: "healthy", 150: "single supplier slow", 205: "single supplier slow"},
		alert: 210,
	},
	{
		name: "the same, but it is stopped for most of that time",
		stack: with(sleepsLonger(4, 0.34), func(s *stack) {
			last := &s.servers[len(s.servers)-1].loads
			(*last)[len(*last)-1].excess = x{"stopped": 0.9}
		}),
		say:   map[int]string{85: "healthy", 150: "single supplier stopped", 205: "single supplier stopped"},
		alert: 200,
	},
	{
		name:  "a supplier is asked eight times as often, by pages that take longer for it",
		stack: sleepsLonger(34, 0.04),
		say:   map[int]string{85: "healthy", 150: "healthy", 205: "healthy"},
	},
	{
		name: "requests sleep in Tomcat, nobody knows why, and that is 40 % of the response time: 10 s are enough",
		stack: with(calm3([]int{60, 60}, calmHTTPD, load{400, 20, x{"unknown": 18}, nil}, calmMariaDB),
			func(s *stack) { s.servers[1].asleep = 19 }),
		say: map[int]string{55: "healthy", 70: "learning", 80: "single tomcat slow", 115: "single tomcat slow"},
	},
	{
		name: "requests that sleep in Tomcat: a third of them for long enough to tell, the others for the same reason",
		stack: with(calm3([]int{60, 180}, calmHTTPD, load{400, 6.4, x{"slow": 1.7, "unknown": 3}, nil}, calmMariaDB),
			func(s *stack) { s.servers[1].asleep = 6.2 }),
		say:   map[int]string{55: "healthy", 130: "single tomcat slow", 235: "single tomcat slow"},
		alert: 200,
	},
	{
		name: "the same, and half of them are at work",
		stack: with(calm3([]int{60, 180}, calmHTTPD, load{400, 6.4, x{"slow": 1.7, "unknown": 3}, nil}, calmMariaDB),
			func(s *stack) { s.servers[1].asleep = 3.2 }),
		say: map[int]string{55: "healthy", 130: "learning", 235: "learning"},
	},
	{
		name: "a third more is asked, and requests take twice as long: that is more than the load explains",
		stack: tiers3([]int{60, 60, 60}, []load{calmHTTPD, {530, 0.05, nil, nil}, calmHTTPD},
			[]load{calmTomcat, {530, 5.5, x{"unknown": 2}, nil}, calmTomcat},
			[]load{calmMariaDB, {1060, 2, nil, nil}, calmMariaDB}),
		say: map[int]string{55: "healthy", 85: "learning", 115: "learning", 150: "healthy"},
	},
	{
		name: "requests take twice as long in Tomcat, and nobody knows why, until they take no longer",
		stack: tiers3([]int{60, 60, 60}, []load{calmHTTPD},
			[]load{calmTomcat, {400, 6, x{"unknown": 1}, nil}, calmTomcat}, []load{calmMariaDB}),
		say: map[int]string{55: "healthy", 80: "learning", 120: "learning", 150: "healthy"},
	},
	{
		name: "a quota of MariaDB for a minute, which hardly throttles it in between: it is over soon after its end",
		stack: tiers3([]int{60, 35, 15, 15, 75}, []load{calmHTTPD}, []load{calmTomcat},
			[]load{calmMariaDB, {800, 21, x{"throttled": 20}, nil}, {800, 1.4, x{"throttled": 0.4}, nil},
				{800, 9, x{"throttled": 8}, nil}, calmMariaDB}),
		say: map[int]string{55: "healthy", 85: "single mariadb throttled", 120: "single mariadb throttled",
			155: "healthy", 180: "healthy"},
	},
	{
		name: "Tomcat's requests sleep from the start on, until it is known that they always do",
		stack: with(tiers3([]int{35, 80}, []load{calmHTTPD},
			[]load{{400, 12, x{"unknown": 10}, nil}, {400, 12, nil, nil}}, []load{calmMariaDB}), func(s *stack) {
			s.servers[1].r0, s.servers[1].learned, s.servers[1].asleep = 0, 35, 12
		}),
		say: map[int]string{35: "learning", 45: "learning", 60: "healthy", 90: "healthy"},
	},
	{
		name: "a thread of Tomcat computes all the time, from the start on, and requests wait for it and as it does",
		stack: with(calm3([]int{120}, calmHTTPD,
			load{400, 4, x{"demand": 1.1, "noisy_neighbour": 0.8}, nil}, calmMariaDB),
			func(s *stack) {
				s.servers[1].used, s.servers[1].thread, s.servers[1].wanted = 0.7, 0.98, 0.4
			}),
		say:   map[int]string{40: "single tomcat demand", 110: "single tomcat demand"},
		more:  []query{{`nstar:tier_one_thread:bool ^ 0`, 60, map[string]float64{`{app="shop",tier="tomcat"}`: 1}}},
		alert: 118,
	},
	{
		name: "the same, but others take more of its processors than it does",
		stack: with(calm3([]int{120}, calmHTTPD,
			load{400, 4, x{"demand": 0.8, "noisy_neighbour": 1.1}, nil}, calmMariaDB),
			func(s *stack) {
				s.servers[1].used, s.servers[1].thread, s.servers[1].wanted = 0.7, 0.98, 0.4
			}),
		say: map[int]string{110: "healthy"},
	},
	{
		name: "the same of a whole processor, of which only the program is known",
		stack: with(calm3([]int{120}, calmHTTPD, load{400, 4, x{"demand": 1.7}, nil}, calmMariaDB), func(s *stack) {
			s.servers[1].used = 1
			runs(s, "tomcat", "puma")
		}),
		say:   map[int]string{40: "single tomcat demand", 110: "single tomcat demand"},
		alert: 118,
	},
	{
		name: "a burst of requests for 10 s reaches the limit of a pool, which is as before then",
		stack: tiers3([]int{60, 10, 80}, []load{calmHTTPD, {2000, 1, x{"demand": 0.2}, nil}, calmHTTPD},
			[]load{calmTomcat, {2000, 24, x{"soft_resource": 16}, nil}, calmTomcat},
			[]load{calmMariaDB, {4000, 4.8, x{"demand": 1.6}, nil}, calmMariaDB}),
		say: map[int]string{55: "healthy", 95: "healthy", 100: "healthy", 110: "healthy", 125: "healthy"},
	},
	{
		name: "five times as many requests for 10 s wait for a pool, and take fifty times as long: no limit is named",
		stack: tiers3([]int{60, 10, 80}, []load{calmHTTPD, {2000, 1, x{"demand": 0.2}, nil}, calmHTTPD},
			[]load{calmTomcat, {2000, 240, x{"soft_resource": 200, "demand": 20}, nil}, calmTomcat},
			[]load{calmMariaDB, {4000, 4.8, x{"demand": 1.6}, nil}, calmMariaDB}),
		say: map[int]string{55: "healthy", 70: "learning", 75: "learning", 80: "learning"},
	},
	{
		name: "a pool of Tomcat is too small for a minute: 10 s after its end it is named no more",
		stack: tiers3([]int{60, 60, 60}, []load{calmHTTPD},
			[]load{calmTomcat, {400, 14, x{"soft_resource": 12}, nil}, calmTomcat}, []load{calmMariaDB}),
		say: map[int]string{55: "healthy", 85: "single tomcat soft_resource", 120: "single tomcat soft_resource",
			130: "healthy", 140: "healthy", 150: "healthy", 175: "healthy"},
		more: []query{
			{`nstar:app_calm:bool`, 120, map[string]float64{`nstar:app_calm:bool{app="shop"}`: 0}},
			{`round(1e4 * nstar:app_response_time:mean5s)`, 115, map[string]float64{`{app="shop"}`: 379}},
			{`nstar:app_calm:bool`, 125, map[string]float64{`nstar:app_calm:bool{app="shop"}`: 1}},
			{`nstar:app_ended:bool ^ 0`, 130, map[string]float64{`{app="shop"}`: 1}},
		},
	},
	{
		name: "collections of Tomcat cost little, and more than a fifth of that is left when they end, as usual",
		stack: tiers3([]int{60, 60, 60}, []load{calmHTTPD},
			[]load{calmTomcat, {400, 6, x{"garbage_collection": 2}, nil}, {400, 3, x{"demand": 0.6}, nil}},
			[]load{calmMariaDB}),
		say: map[int]string{55: "healthy", 100: "single tomcat garbage_collection",
			120: "single tomcat garbage_collection",
			130: "healthy", 140: "healthy", 150: "healthy"},
	},
	{
		name: "a pool of Tomcat is too small for a minute, and half of the pages are errors: both are over soon",
		stack: with(tiers3([]int{60, 60, 60}, []load{calmHTTPD},
			[]load{calmTomcat, {400, 14, x{"soft_resource": 12}, nil}, calmTomcat}, []load{calmMariaDB}),
			func(s *stack) { s.more = []series{fails("httpd", 70, 120, 200)} }),
		say: map[int]string{55: "healthy", 95: "single tomcat soft_resource", 120: "single tomcat soft_resource",
			135: "healthy", 145: "healthy", 155: "healthy"},
		more: []query{{`nstar:app_calm:bool`, 115, map[string]float64{`nstar:app_calm:bool{app="shop"}`: 0}},
			{`nstar:app_calm:bool`, 130, map[string]float64{`nstar:app_calm:bool{app="shop"}`: 1}}},
	},
	{
		name: "a small pool of Tomcat for 50 s, and 45 s later a quota of MariaDB: each is over 10 s after its end",
		stack: tiers3([]int{60, 50, 45, 45, 40}, []load{calmHTTPD},
			[]load{calmTomcat, {400, 14, x{"soft_resource": 12}, nil}, calmTomcat},
			[]load{calmMariaDB, calmMariaDB, calmMariaDB, {800, 21, x{"throttled": 20}, nil}, calmMariaDB}),
		say: map[int]string{55: "healthy", 85: "single tomcat soft_resource", 110: "single tomcat soft_resource",
			120: "healthy", 150: "healthy", 180: "single mariadb throttled", 200: "single mariadb throttled",
			210: "healthy", 220: "healthy", 235: "healthy"},
	},
	{
		name: "the same, which comes back for a minute 15 s later, and then 15 s later again: it has not ended",
		stack: tiers3([]int{60, 60, 15, 60, 15, 30}, []load{calmHTTPD},
			[]load{calmTomcat, {400, 14, x{"soft_resource": 12}, nil}, calmTomcat,
				{400, 14, x{"soft_resource": 12}, nil}, calmTomcat, {400, 14, x{"soft_resource": 12}, nil}},
			[]load{calmMariaDB}),
		say: map[int]string{120: "single tomcat soft_resource", 130: "healthy", 150: "single tomcat soft_resource",
			195: "single tomcat soft_resource", 205: "single tomcat soft_resource", 210: "single tomcat soft_resource",
			235: "single tomcat soft_resource"},
		alert: 240,
	},
	{
		name: "a pool is too small twice, the second time for half a minute, and requests take a little longer then",
		stack: tiers3([]int{60, 5, 40, 10, 15, 5, 70}, []load{calmHTTPD},
			[]load{calmTomcat, {400, 2.4, x{"soft_resource": 0.7}, nil}, calmTomcat,
				{400, 5, x{"soft_resource": 3}, nil}, {400, 14, x{"soft_resource": 12}, nil},
				{400, 5, x{"soft_resource": 3}, nil}, {400, 2.8, x{"demand": 0.9}, nil}},
			[]load{calmMariaDB}),
		say: map[int]string{130: "single tomcat soft_resource", 140: "single tomcat soft_resource", 175: "learning",
			195: "learning"},
	},
	{
		name: "a pool is too small, with a break, and a minute later again: the second time has ended as soon",
		stack: tiers3([]int{60, 40, 5, 20, 60, 40, 40}, []load{calmHTTPD},
			[]load{calmTomcat, {400, 14, x{"soft_resource": 12}, nil}, calmTomcat,
				{400, 14, x{"soft_resource": 12}, nil}, calmTomcat, {400, 14, x{"soft_resource": 12}, nil}, calmTomcat},
			[]load{calmMariaDB}),
		say: map[int]string{95: "single tomcat soft_resource", 125: "single tomcat soft_resource", 180: "healthy",
			215: "single tomcat soft_resource", 225: "single tomcat soft_resource", 240: "healthy", 260: "healthy"},
	},
	{
		name: "a burst of three times as many requests, whose waiting is in all tiers, some of it for unknown reasons",
		stack: tiers3([]int{120, 10, 5, 105},
			[]load{calmHTTPD, {1300, 12, x{"demand": 8}, nil}, {600, 12, x{"demand": 8}, nil}, calmHTTPD},
			[]load{calmTomcat, {1300, 50, x{"demand": 20, "unknown": 28}, nil},
				{600, 50, x{"demand": 20, "unknown": 28}, nil}, calmTomcat},
			[]load{calmMariaDB, {2600, 20, x{"demand": 12, "soft_resource": 4}, nil},
				{1200, 20, x{"demand": 12, "soft_resource": 4}, nil}, calmMariaDB}),
		say: map[int]string{115: "healthy", 130: "learning", 150: "single tomcat burst", 160: "single tomcat burst",
			180: "healthy", 230: "healthy"},
		more: []query{{`round(nstar:app_flood:ratio, 0.01)`, 150, map[string]float64{
			`{app="shop",tier="tomcat",cause="demand"}`: 0.82}}},
	},
	{
		name: "the same, first in a pool that is too small for so many requests",
		stack: tiers3([]int{120, 10, 10, 5, 95},
			[]load{calmHTTPD, calmHTTPD, {1300, 12, x{"demand": 8}, nil}, {600, 12, x{"demand": 8}, nil}, calmHTTPD},
			[]load{calmTomcat, {1000, 70, x{"soft_resource": 66}, nil}, {1300, 50, x{"demand": 20, "unknown": 28}, nil},
				{600, 50, x{"demand": 20, "unknown": 28}, nil}, calmTomcat},
			[]load{calmMariaDB, {2000, 4, nil, nil}, {2600, 20, x{"demand": 12, "soft_resource": 4}, nil},
				{1200, 20, x{"demand": 12, "soft_resource": 4}, nil}, calmMariaDB}),
		say: map[int]string{115: "healthy", 130: "single tomcat soft_resource", 155: "single tomcat burst",
			165: "single tomcat burst", 190: "healthy"},
	},
	{
		name: "requests of Tomcat come to wait for a lock that Nstar does not see, and sleep",
		stack: with(tiers3([]int{90, 90, 60}, []load{calmHTTPD}, []load{calmTomcat, {400, 5.5, x{"unknown": 3}, nil},
			calmTomcat}, []load{calmMariaDB}), func(s *stack) { s.servers[1].asleep = 5 }),
		say: map[int]string{85: "healthy", 100: "learning", 130: "single tomcat slow", 180: "single tomcat slow",
			220: "healthy"},
		more: []query{{`round(nstar:app_asleep:ratio, 0.01)`, 180, map[string]float64{
			`{app="shop",tier="tomcat",cause="slow"}`: 0.45}}},
	},
	{
		name: "Tomcat's requests waited for nobody knows what, from the start on, and far fewer wait for a place now",
		stack: tiers3([]int{60, 60}, []load{calmHTTPD},
			[]load{{400, 12, x{"unknown": 10}, nil}, {400, 3.5, x{"soft_resource": 1.7}, nil}}, []load{calmMariaDB}),
		say: map[int]string{55: "learning", 85: "learning", 90: "learning", 95: "learning"},
	},
	{
		name: "the same, and its idle threads look as if they waited for a lock",
		stack: with(tiers3([]int{90, 90, 60}, []load{calmHTTPD}, []load{calmTomcat, {400, 5.5, x{"unknown": 3}, nil},
			calmTomcat}, []load{calmMariaDB}), func(s *stack) { s.servers[1].asleep, s.servers[1].locked = 5, 5 }),
		say: map[int]string{85: "healthy", 100: "learning", 130: "single tomcat slow", 180: "single tomcat slow",
			220: "healthy"},
	},
	{
		name: "Tomcat's event loop is blocked twelve times a minute, and most of what waits then counts as its work",
		stack: with(tiers3([]int{120, 90, 60}, []load{calmHTTPD},
			[]load{calmTomcat, {400, 4.4, x{"stopped": 0.4, "demand": 1.5}, x{"stopped": 4, "demand": 6}}, calmTomcat},
			[]load{calmMariaDB}), func(s *stack) { stopsFrom(s, "tomcat", 120, 0.2) }),
		say: map[int]string{115: "healthy", 170: "single tomcat stopped", 210: "single tomcat stopped", 260: "healthy"},
	},
	{
		name: "the same, but it is blocked three times a minute",
		stack: with(tiers3([]int{120, 90}, []load{calmHTTPD},
			[]load{calmTomcat, {400, 4.4, x{"stopped": 0.4, "demand": 1.5}, x{"stopped": 4, "demand": 6}}},
			[]load{calmMariaDB}), func(s *stack) { stopsFrom(s, "tomcat", 120, 0.05) }),
		say: map[int]string{115: "healthy", 170: "learning", 210: "learning"},
	},
	{
		name: "requests take six times as long in httpd, which is 1.4 times as long in all, and nobody knows why",
		stack: tiers3([]int{60, 60, 60}, []load{calmHTTPD, {400, 1.3, nil, nil}, calmHTTPD}, []load{calmTomcat},
			[]load{calmMariaDB}),
		say: map[int]string{55: "healthy", 70: "healthy", 95: "learning", 120: "learning", 145: "healthy"},
	},
	{
		name: "more requests for half a minute, which take longer, then fewer again, of which httpd's are dearer",
		stack: with(tiers3([]int{120, 30, 60}, []load{calmHTTPD, {680, 0.4, nil, nil}, calmHTTPD},
			[]load{calmTomcat, {680, 6.1, nil, nil}, calmTomcat},
			[]load{calmMariaDB, {1360, 4, nil, nil}, calmMariaDB}),
			func(s *stack) { usesProcessors(s, "httpd", 0.02, 140, 0.1) }),
		say: map[int]string{115: "healthy", 145: "healthy", 150: "healthy", 155: "healthy", 160: "healthy",
			165: "healthy"},
	},
	{
		name: "others on the processors of a tier, who have just come",
		stack: tiers3([]int{60, 60}, []load{calmHTTPD}, []load{calmTomcat, {400, 5.4, x{"noisy_neighbour": 3.6}, nil}},
			[]load{calmMariaDB}),
		say: map[int]string{60: "healthy", 75: "learning", 85: "single tomcat noisy_neighbour",
			120: "single tomcat noisy_neighbour"},
		more: []query{{`round(nstar:app_noise:mean20s, 1e-6)`, 120, map[string]float64{`{app="shop"}`: 3.6}},
			{`round(nstar:app_noise_share:ratio, 0.01)`, 120, map[string]float64{`{app="shop"}`: 0.53}}},
	},
	{
		name: "others on the processors of two tiers, who leave enough",
		stack: calm3([]int{120, 240}, calmHTTPD, load{400, 9, x{"noisy_neighbour": 3, "demand": 0.4}, nil},
			load{800, 8, x{"noisy_neighbour": 2, "demand": 0.4}, nil}),
		say: map[int]string{360: "learning"},
	},
	{
		name: "a real alternation: collections in Tomcat, demand on MariaDB",
		stack: with(calm3([]int{120, 240}, calmHTTPD,
			load{400, 9, x{"garbage_collection": 7, "demand": 0.4}, nil}, load{800, 8, x{"demand": 7.36}, nil}),
			func(s *stack) {
				s.edges[1].pearson = -0.6
			}),
		say:   map[int]string{110: "healthy", 360: "alternating tomcat garbage_collection"},
		alert: 270,
		more: []query{
			{`round(nstar:app_alternating:ratio, 0.001)`, 360, map[string]float64{
				`{app="shop",tier="tomcat"}`: 0.430, `{app="shop",tier="mariadb"}`: 0.428}},
			{`round(nstar:app_held:ratio, 0.001)`, 360, map[string]float64{
				`{app="shop",tier="httpd"}`: 0.003, `{app="shop",tier="tomcat"}`: 0.5,
				`{app="shop",tier="mariadb"}`: 0.497}},
			{`round(nstar:app_candidate:ratio, 0.001)`, 360, map[string]float64{
				`{app="shop",tier="tomcat",cause="garbage_collection"}`: 0.407,
				`{app="shop",tier="mariadb",cause="demand"}`:            0.428}},
		},
	},
	{
		name: "turns where the one end has only what the other left behind",
		stack: with(calm3([]int{120, 240}, calmHTTPD,
			load{400, 9, x{"garbage_collection": 7, "demand": 0.4}, nil}, load{800, 8, x{"demand": 7.36}, nil}),
			func(s *stack) {
				s.edges[1].pearson = -0.6
				s.edges[1].stops = x{"garbage_collection": 7}
			}),
		say:   map[int]string{360: "alternating tomcat garbage_collection"},
		alert: 270,
	},
	{
		name:  "two neighbours that are stopped in turns at a low rate, where their queues hardly move together",
		stack: stoppedBoth(0.05),
		say:   map[int]string{110: "healthy", 360: "alternating tomcat stopped"},
		alert: 240,
		more: []query{{`count by (app, from, to) (nstar:edge_alternating:bool)`, 360, map[string]float64{
			`{app="shop",from="tomcat",to="mariadb"}`: 1}}, {`round(nstar:app_pauses:ratio, 0.01)`, 360,
			map[string]float64{`{app="shop",tier="tomcat"}`: 0.24, `{app="shop",tier="mariadb"}`: 0.19}}},
	},
	{
		name:  "two neighbours that are stopped at the same time: both queues grow together",
		stack: stoppedBoth(0.6),
		say:   map[int]string{360: "single tomcat stopped"},
		alert: 240,
	},
	{
		name: "two neighbours, of which one is stopped a third as much as the other",
		stack: with(stoppedBoth(0.05), func(s *stack) {
			s.servers[2].loads[1] = load{800, 4.4, x{"stopped": 0.7}, nil}
		}),
		say:   map[int]string{360: "single tomcat stopped"},
		alert: 240,
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
			[]load{{60, 40, x{"demand": 12, "noisy_neighbour": 4}, nil}},
			[]load{{60, 30, x{"demand": 12.5, "noisy_neighbour": 4}, nil}}),
			shareProcessors(0.1)),
		say:   map[int]string{20: "single tomcat demand", 240: "single tomcat demand"},
		alert: 110,
		more: []query{{`round(nstar:app_alike_share:ratio{cause="demand"}, 0.001)`, 240, map[string]float64{
			`{app="shop",cause="demand",tier="httpd"}`: 0.09, `{app="shop",cause="demand",tier="tomcat"}`: 0.335,
			`{app="shop",cause="demand",tier="mariadb"}`: 0.125}}, {`nstar:tier_crowded:bool{tier="tomcat"}`, 240,
			map[string]float64{
				`nstar:tier_crowded:bool{app="shop",instance="h:9965",processors="h:9965",tier="tomcat"}`: 1}}},
	},
	{
		name: "the same, and others have half of the processors",
		stack: with(tiers3([]int{240}, []load{{60, 30, x{"demand": 9, "noisy_neighbour": 4}, nil}},
			[]load{{60, 40, x{"demand": 12, "noisy_neighbour": 4}, nil}},
			[]load{{60, 30, x{"demand": 12.5, "noisy_neighbour": 4}, nil}}),
			shareProcessors(0.5)),
		say:  map[int]string{240: "healthy"},
		more: []query{{`nstar:tier_crowded:bool`, 240, nil}},
	},
	{
		name: "six times as many requests come to tiers that share two processors: it is enough for fifteen seconds",
		stack: with(tiers3([]int{60, 120}, []load{{60, 0.03, nil, nil}, {360, 30, x{"demand": 9, "unknown": 4}, nil}},
			[]load{{60, 0.25, nil, nil}, {360, 40, x{"demand": 6, "unknown": 16}, nil}},
			[]load{{60, 0.1, nil, nil}, {360, 30, x{"demand": 12, "unknown": 8}, nil}}), crowdProcessors(3)),
		say:   map[int]string{55: "healthy", 70: "learning", 80: "single tomcat demand", 180: "single tomcat demand"},
		alert: 175,
	},
	{
		name: "the same, but after ten seconds fewer come again: a burst is worked off",
		stack: with(tiers3([]int{60, 10, 60},
			[]load{{60, 0.03, nil, nil}, {360, 30, x{"demand": 9, "unknown": 4}, nil}},
			[]load{{60, 0.25, nil, nil}, {360, 40, x{"demand": 6, "unknown": 16}, nil},
				{100, 40, x{"demand": 6, "unknown": 16}, nil}},
			[]load{{60, 0.1, nil, nil}, {360, 30, x{"demand": 12, "unknown": 8}, nil}}), crowdProcessors(3)),
		say: map[int]string{55: "healthy", 75: "learning"},
	},
	{
		name: "tiers that share two processors, which are full with their work, and none has half: the one that has " +
			"most",
		stack: with(tiers3([]int{240}, []load{{60, 30, x{"demand": 9, "unknown": 4}, nil}},
			[]load{{60, 40, x{"demand": 6, "unknown": 16}, nil}}, []load{{60, 30, x{"demand": 12, "unknown": 8}, nil}}),
			crowdProcessors(3)),
		say:   map[int]string{20: "learning", 60: "single tomcat demand", 240: "single tomcat demand"},
		alert: 125,
		more: []query{{`nstar:app_crowded:bool15s`, 240, map[string]float64{
			`nstar:app_crowded:bool15s{app="shop",processors="h:9965"}`: 1}},
			{`round(nstar:app_crowding:ratio, 0.01)`, 240, map[string]float64{
				`{app="shop",tier="tomcat"}`: 0.55}}},
	},
	{
		name: "a tier on full processors that has a tenth of them, the rest another exporter's tier of the same " +
			"application: nobody knows",
		stack: with(tiers3([]int{240}, []load{{60, 3, nil, nil}}, []load{{60, 40, x{"unknown": 36}, nil}},
			[]load{{60, 3, x{"demand": 2}, nil}}), func(s *stack) {
			s.servers[1].used, s.servers[1].busy, s.servers[1].others, s.servers[1].wanted = 0.2, 1, 0.1, 8
		}),
		say:  map[int]string{60: "learning", 240: "learning"},
		more: []query{{`nstar:app_crowding:ratio`, 240, nil}},
	},
	{
		name: "a statement that computes for long, on a machine where each tier has an exporter: named, too",
		stack: onHosts(with(longStatement(), func(s *stack) {
			for i := range s.servers {
				s.servers[i].cpus = "0-1"
			}
		})),
		say:   map[int]string{30: "single mariadb demand", 60: "single mariadb demand", 240: "single mariadb demand"},
		alert: 115,
		more: []query{{`nstar:tier_processors:info{tier="tomcat"}`, 240, map[string]float64{
			`nstar:tier_processors:info{app="shop",instance="tomcat:9965",processors="m 0-1",tier="tomcat"}`: 1}},
			{`nstar:tier_squeezed_by:bool`, 240, map[string]float64{
				`nstar:tier_squeezed_by:bool{app="shop",by="mariadb",tier="httpd"}`:  1,
				`nstar:tier_squeezed_by:bool{app="shop",by="mariadb",tier="tomcat"}`: 1}}},
	},
	{
		name: "a statement that computes for long, on other processors than those that lack some: nobody knows",
		stack: with(longStatement(), func(s *stack) {
			s.servers[0].cpus, s.servers[1].cpus, s.servers[2].cpus = "0", "0", "1"
		}),
		say:  map[int]string{60: "learning", 240: "learning"},
		more: []query{{`nstar:tier_squeezed_by:bool`, 240, nil}},
	},
	{
		name: "a statement that computes for long has most of the processors, for which the tier that calls it then " +
			"waits, too",
		stack: longStatement(),
		say:   map[int]string{30: "single mariadb demand", 60: "single mariadb demand", 240: "single mariadb demand"},
		alert: 115,
		more: []query{{`nstar:tier_squeezed:bool`, 240, map[string]float64{
			`nstar:tier_squeezed:bool{app="shop",instance="h:9965",processors="h:9965",tier="httpd"}`:  1,
			`nstar:tier_squeezed:bool{app="shop",instance="h:9965",processors="h:9965",tier="tomcat"}`: 1}},
			{`nstar:tier_squeezed_by:bool`, 240, map[string]float64{
				`nstar:tier_squeezed_by:bool{app="shop",by="mariadb",tier="httpd"}`:  1,
				`nstar:tier_squeezed_by:bool{app="shop",by="mariadb",tier="tomcat"}`: 1}},
			{`nstar:app_charged:mean15s{of="mean"}`, 240, map[string]float64{
				`nstar:app_charged:mean15s{app="shop",cause="demand",of="mean",tier="tomcat"}`:  58,
				`nstar:app_charged:mean15s{app="shop",cause="demand",of="mean",tier="mariadb"}`: 6}},
			{`nstar:app_excess:mean15s{of="mean"}`, 240, map[string]float64{
				`nstar:app_excess:mean15s{app="shop",cause="demand",of="mean",tier="mariadb"}`: 64}}},
	},
	{
		name: "the same, and the database is another exporter's: the caller is not named for what it waits for",
		stack: with(tiers3([]int{240}, []load{{60, 0.3, nil, nil}}, []load{{60, 60, x{"demand": 58}, nil}},
			[]load{{60, 8, x{"demand": 6}, nil}}), func(s *stack) {
			s.servers[1].used, s.servers[1].busy, s.servers[1].others, s.servers[1].wanted = 0.34, 1, 0.1, 11
		}),
		say: map[int]string{30: "learning", 60: "learning", 240: "learning"},
	},
	{
		name: "the same, where fewer of its threads wait now and then",
		stack: with(tiers3([]int{70, 20, 20, 20, 110}, []load{{60, 0.3, nil, nil}},
			[]load{{60, 20, x{"demand": 18}, nil}, {60, 3, x{"demand": 1}, nil}, {60, 20, x{"demand": 18}, nil},
				{60, 3, x{"demand": 1}, nil}},
			[]load{{60, 8, x{"demand": 6}, nil}}), func(s *stack) {
			s.servers[1].used, s.servers[1].busy, s.servers[1].others, s.servers[1].wants = 0.34, 1, 0.1,
				[]float64{11, 0.3, 11, 0.3}
		}),
		say: map[int]string{60: "learning", 85: "learning", 95: "learning", 115: "learning",
			135: "single mariadb demand"},
		alert: 235,
	},
	{
		name: "the same, of a tier that takes twice as long as without waiting",
		stack: with(tiers3([]int{240}, []load{{60, 0.3, nil, nil}}, []load{{60, 30, x{"demand": 18}, nil}},
			[]load{{60, 6, x{"demand": 3}, nil}}), func(s *stack) {
			s.servers[1].used, s.servers[1].busy, s.servers[1].others, s.servers[1].wanted = 0.34, 1, 0.1, 11
		}),
		say: map[int]string{60: "learning", 240: "learning"},
	},
	{
		name: "the same, and few threads wait for the processors: what requests wait for is not known",
		stack: with(tiers3([]int{240}, []load{{60, 30, x{"demand": 9, "unknown": 4}, nil}},
			[]load{{60, 40, x{"demand": 6, "unknown": 16}, nil}}, []load{{60, 30, x{"demand": 12, "unknown": 8}, nil}}),
			crowdProcessors(0.5)),
		say: map[int]string{60: "learning", 240: "learning"},
		more: []query{{`nstar:app_crowded:bool15s`, 240, map[string]float64{
			`nstar:app_crowded:bool15s{app="shop",processors="h:9965"}`: 0}}, {`nstar:app_crowding:ratio`, 240, nil}},
	},
	{
		name: "a signal stops MariaDB for a tenth of the time, and what Tomcat usually takes is not known yet",
		stack: with(tiers3([]int{240}, []load{{100, 0.1, nil, nil}}, []load{{100, 5, x{"unknown": 3}, nil}},
			[]load{{200, 4, x{"stopped": 1.2}, nil}}), func(s *stack) {
			s.servers[1].r0, s.servers[2].stopped = 0, 0.1
		}),
		say: map[int]string{20: "single mariadb stopped", 60: "single mariadb stopped",
			240: "single mariadb stopped"},
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
		stack: with(tiers3([]int{240}, []load{calmHTTPD}, []load{calmTomcat},
			[]load{{800, 1.2, x{"stopped": 0.22, "demand": 0.32}, nil}}),
			func(s *stack) { s.servers[2].stopped = 0.1 }),
		say: map[int]string{60: "single mariadb stopped", 240: "single mariadb stopped"},
		more: []query{{`nstar:tier_halted:bool`, 60,
			map[string]float64{`nstar:tier_halted:bool{app="shop",tier="mariadb"}`: 1}}},
		alert: 160,
	},
	{
		name: "stops that begin a little later: named when it is known that they come again, and from then on",
		stack: tiers3([]int{20, 220}, []load{calmHTTPD}, []load{calmTomcat},
			[]load{calmMariaDB, {800, 7, x{"stopped": 6, "demand": 0.32}, nil}}),
		say: map[int]string{20: "healthy", 30: "learning", 35: "learning", 40: "learning",
			45: "single mariadb stopped", 240: "single mariadb stopped"},
		alert: 160,
	},
	{
		name: "two servers behind a balancer, both stopped by collections: each has a fourteenth of the response time",
		stack: with(alike(2, []int{240}, load{100, 3, x{"garbage_collection": 0.5, "demand": 1},
			x{"garbage_collection": 4, "demand": 5}}), func(s *stack) {
			s.servers[1].loads = []load{{100, 3, x{"garbage_collection": 0.51, "demand": 1},
				x{"garbage_collection": 4, "demand": 5}}}
		}),
		say: map[int]string{20: "learning", 75: "single tomcat-1 garbage_collection",
			240: "single tomcat-1 garbage_collection"},
		alert: 160,
		more: []query{{`round(nstar:app_alike_share:ratio{cause="garbage_collection"}, 0.001) > 0`, 240,
			map[string]float64{
				`{app="shop",cause="garbage_collection",tier="tomcat-1"}`: 0.141,
				`{app="shop",cause="garbage_collection",tier="tomcat-2"}`: 0.141}},
			{`round(nstar:app_alike_tail:ratio{cause="garbage_collection"}, 0.001) > 0`, 240, map[string]float64{
				`{app="shop",cause="garbage_collection",tier="tomcat-1"}`: 0.436,
				`{app="shop",cause="garbage_collection",tier="tomcat-2"}`: 0.436}}},
	},
	{
		name:  "two Tomcats have the same limit, and the rest of their waiting is unknown: it may be one",
		stack: alike(2, []int{240}, load{200, 1.5, x{"soft_resource": 0.65, "unknown": 0.3}, nil}),
		say:   map[int]string{240: "learning"},
	},
	{
		name: "two Tomcats have the same limit, found after requests had waited for it",
		stack: with(alike(2, []int{120, 25, 155}, load{}), func(s *stack) {
			for i := range 2 {
				s.servers[1+i].loads = []load{{200, 0.64, x{"demand": 0.04}, nil},
					{200, 2.5, x{"unknown": 1.9}, nil},
					{200, 2.5 - 0.1*float64(i), x{"soft_resource": 1.9 - 0.1*float64(i)}, nil}}
			}
		}),
		say: map[int]string{110: "healthy", 145: "learning", 170: "single tomcat-1 soft_resource",
			300: "single tomcat-1 soft_resource"},
		alert: 260,
		more: []query{{"round(nstar:app_recognized:ratio, 0.01)", 170, map[string]float64{
			`{app="shop",tier="tomcat-1",cause="soft_resource"}`: 0.27,
			`{app="shop",tier="tomcat-2",cause="soft_resource"}`: 0.27}},
			{"round(nstar:app_limit_share:ratio, 0.01) > 0", 170, map[string]float64{
				`{app="shop",tier="tomcat-1"}`: 0.27, `{app="shop",tier="tomcat-2"}`: 0.27}}},
	},
	{
		name: "statements sleep for several times as long as they did, found after requests had waited for that",
		stack: with(tiers3([]int{120, 15, 165}, []load{calmHTTPD}, []load{calmTomcat}, []load{
			{400, 0.5, x{"demand": 0.1}, nil}, {400, 4, x{"unknown": 3.4}, nil}, {400, 4, x{"slow": 3.4}, nil},
		}), func(s *stack) {
			s.servers[2].asleep = 3.8
		}),
		say: map[int]string{110: "healthy", 145: "single mariadb slow", 160: "single mariadb slow",
			300: "single mariadb slow"},
		alert: 260,
	},
	{
		name: "two Tomcats have the same small limit, after more had waited for an unknown reason",
		stack: with(alike(2, []int{120, 20, 160}, load{}), func(s *stack) {
			for i := range 2 {
				s.servers[1+i].loads = []load{{200, 0.64, x{"demand": 0.04}, nil},
					{200, 4, x{"unknown": 3.4}, nil}, {200, 1.1, x{"soft_resource": 0.5}, nil}}
			}
		}),
		say: map[int]string{110: "healthy", 165: "learning"},
	},
	{
		name: "a line in a tier was longer before it was found to be one",
		stack: tiers3([]int{120, 20, 120}, []load{calmHTTPD}, []load{{200, 0.64, x{"demand": 0.04}, nil},
			{200, 5, x{"unknown": 4.4}, nil}, {200, 2.4, x{"soft_resource": 1.8}, nil}}, []load{calmMariaDB}),
		say: map[int]string{110: "healthy", 165: "learning", 175: "single tomcat soft_resource",
			240: "single tomcat soft_resource"},
		alert: 260,
		more: []query{{`round(nstar:app_clear_excess:mean15s, 0.1)`, 145, nil},
			{`round(nstar:app_clear_excess:mean15s, 0.1)`, 175, map[string]float64{
				`{app="shop",tier="tomcat",cause="soft_resource",of="mean"}`: 1.8}}},
	},
	{
		name: "one of two servers behind a balancer, and so little of it is no matter",
		stack: with(alike(2, []int{240}, load{100, 3, x{"demand": 1}, x{"demand": 5}}), func(s *stack) {
			s.servers[1].loads = []load{{100, 3, x{"garbage_collection": 0.5, "demand": 1},
				x{"garbage_collection": 4, "demand": 5}}}
		}),
		say: map[int]string{240: "healthy"},
	},
	{
		name: "three servers behind a balancer, each with a pool that is too small",
		stack: with(alike(3, []int{240}, load{133, 8.3, x{"soft_resource>mariadb": 8}, nil}), func(s *stack) {
			s.servers[1].loads = []load{{133, 8.8, x{"soft_resource>mariadb": 8.5}, nil}}
		}),
		say: map[int]string{20: "learning", 75: "single tomcat-1 soft_resource",
			240: "single tomcat-1 soft_resource"},
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
			load{400, 16, x{"noisy_neighbour": 6.2, "demand": 7}, nil},
			load{800, 4, x{"noisy_neighbour": 3, "demand": 0.4}, nil}),
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
				`{app="shop",tier="tomcat",cause="noisy_neighbour"}`:  0.344,
				`{app="shop",tier="mariadb",cause="noisy_neighbour"}`: 0.094}},
			{`round(nstar:app_crowded_out:ratio, 0.001)`, 360, map[string]float64{
				`{app="shop",tier="tomcat",cause="demand"}`: 0.401}},
			{`round(nstar:app_excess_share:ratio{cause="demand"}, 0.001)`, 360, map[string]float64{
				`{app="shop",tier="httpd",cause="demand"}`:   0.002,
				`{app="shop",tier="tomcat",cause="demand"}`:  0.401,
				`{app="shop",tier="mariadb",cause="demand"}`: 0.009}},
			{`round(nstar:app_notable_share:ratio{cause="demand"}, 0.001)`, 360, map[string]float64{
				`{app="shop",tier="tomcat",cause="demand"}`: 0.401}},
		},
	},
	{
		name: "others have a third, and half of the demand beside them, which their keeping the processors makes",
		stack: with(calm3([]int{120, 240}, calmHTTPD, load{400, 18, x{"noisy_neighbour": 7.3, "demand": 8.5},
			nil}, calmMariaDB),
			shareProcessors(0.3)),
		say:   map[int]string{110: "healthy", 360: "single tomcat noisy_neighbour"},
		alert: 270,
		more: []query{{`round(nstar:app_neighbours:ratio, 0.001)`, 360, map[string]float64{
			`{app="shop",tier="tomcat",cause="noisy_neighbour"}`: 0.381}}},
	},
	{
		name: "the same, and others have a sixth of the processors: the application keeps them full itself",
		stack: with(calm3([]int{120, 240}, calmHTTPD, load{400, 18, x{"noisy_neighbour": 7.3, "demand": 8.5},
			nil}, calmMariaDB),
			shareProcessors(0.16)),
		say:   map[int]string{110: "healthy", 360: "single tomcat demand"},
		alert: 270,
	},
	{
		name: "others have a quarter of the processors, and a third of the demand in a tier that uses half of them",
		stack: with(calm3([]int{120, 240}, calmHTTPD, load{400, 11, x{"noisy_neighbour": 2.3, "demand": 6.8},
			nil}, calmMariaDB),
			besideOthers(1.1, 0.25)),
		say: map[int]string{110: "healthy", 360: "learning"},
		more: []query{{`round(nstar:app_disturbed:ratio, 0.01)`, 360, map[string]float64{
			`{app="shop",tier="tomcat",cause="demand"}`: 0.56}}},
	},
	{
		name: "the same, and only two requests wait for the work",
		stack: with(calm3([]int{120, 240}, calmHTTPD, load{400, 4, x{"noisy_neighbour": 0.7, "demand": 2},
			nil}, calmMariaDB),
			besideOthers(1.1, 0.25)),
		say: map[int]string{110: "healthy", 360: "learning"},
	},
	{
		name: "others have a quarter, a third of the demand waits for them, and the tier has most of its processors",
		stack: with(calm3([]int{120, 240}, calmHTTPD, load{400, 11, x{"noisy_neighbour": 2.3, "demand": 6.8},
			nil}, calmMariaDB),
			besideOthers(1.5, 0.25)),
		say:   map[int]string{110: "healthy", 360: "single tomcat demand"},
		alert: 270,
	},
	{
		name: "others have a quarter of the processors, and hardly anything waits for them",
		stack: with(calm3([]int{120, 240}, calmHTTPD, load{400, 11, x{"noisy_neighbour": 1, "demand": 8.1},
			nil}, calmMariaDB),
			besideOthers(1.1, 0.25)),
		say:   map[int]string{110: "healthy", 360: "single tomcat demand"},
		alert: 270,
	},
	{
		name: "others have a sixth, and half of the demand beside them",
		stack: calm3([]int{120, 240}, calmHTTPD, load{400, 4, x{"noisy_neighbour": 0.9, "demand": 1.6},
			nil}, calmMariaDB),
		say: map[int]string{110: "healthy", 360: "learning"},
	},
	{
		name: "others have a quarter of what demand has",
		stack: calm3([]int{120, 240}, calmHTTPD, load{400, 40, x{"noisy_neighbour": 8, "demand": 30},
			nil}, calmMariaDB),
		say:   map[int]string{110: "healthy", 360: "single tomcat demand"},
		alert: 270,
	},
}

// shareProcessors gives all tiers of a stack the same processors, which are busy all the time, and of which others have
// a part: Tomcat has most of the rest.
func shareProcessors(others float64) func(*stack) {
	return func(s *stack) {
		for i := range s.servers {
			s.servers[i].used, s.servers[i].busy, s.servers[i].others = 0.4, 1, others
			s.servers[i].full = []float64{0}
		}
		s.servers[1].full = []float64{1}
	}
}

// hardlyComputes lets Tomcat use a third of a processor, while so many of its requests sleep; not told if 0.
func hardlyComputes(asleep float64) func(*stack) {
	return func(s *stack) {
		s.servers[1].used, s.servers[1].busy, s.servers[1].thread = 0.35, 0.5, 0.3
		s.servers[1].asleep = asleep
	}
}

// besideOthers lets Tomcat use so many of its two processors, of which others have a part.
func besideOthers(used, others float64) func(*stack) {
	return func(s *stack) {
		s.servers[1].used, s.servers[1].busy, s.servers[1].others = used, used/2+others, others
		s.servers[1].thread = 0.4
	}
}

// longStatement is a statement of MariaDB that computes for long and has most of two processors, which Tomcat, which
// waits for it, lacks.
func longStatement() stack {
	return with(tiers3([]int{240}, []load{{60, 0.3, nil, nil}}, []load{{60, 60, x{"demand": 58}, nil}},
		[]load{{60, 8, x{"demand": 6}, nil}}), func(s *stack) {
		crowdProcessors(11)(s)
		s.servers[0].used, s.servers[1].used, s.servers[2].used = 0.01, 0.34, 1.4
	})
}

// crowdProcessors gives all tiers of a stack the same two processors, which are full: Tomcat has two fifths of them,
// and of each tier so many threads wait.
func crowdProcessors(wanted float64) func(*stack) {
	return func(s *stack) {
		for i := range s.servers {
			s.servers[i].used, s.servers[i].busy, s.servers[i].others, s.servers[i].wanted = 0.5, 1, 0.1, wanted
		}
		s.servers[1].used = 0.8
	}
}

// stoppedBoth are three tiers of which the second and the third are stopped again and again; their queues have this
// correlation.
func stoppedBoth(pearson float64) stack {
	return with(calm3([]int{120, 240}, calmHTTPD, load{400, 4.5, x{"stopped": 2.4}, nil},
		load{800, 5.5, x{"stopped": 1.9}, nil}), func(s *stack) { s.edges[1].pearson = pearson })
}
