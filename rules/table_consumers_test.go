// SPDX-License-Identifier: Apache-2.0

package rules

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// truthsOfConsumers are those of calls that no user waits for: consumers of a log, jobs, and what is asked out of
// sight.
var truthsOfConsumers = []truth{
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
				`{app="shop",tier="httpd"}`: 1, `{app="shop",tier="tomcat"}`: 1,
				`{app="shop",tier="mariadb"}`: 0.331852}},
		},
	},
	{
		// Joined in mid-life, in a protocol that was not recognized: each report of four replicas was a call, which
		// the primary's log answered.
		name: "a database is stopped, and the log that its replica follows looks like calls that never end",
		stack: with(calm3([]int{120, 120}, calmHTTPD, load{400, 1.64, x{"demand": 0.44}, nil},
			load{800, 4, x{"stopped": 3.2}, nil}), func(s *stack) {
			s.servers[0].queue, s.servers[1].queue, s.servers[2].queue = 5.84, 5.64, 4
			s.servers = append(s.servers, server{tier: "replica", r0: 0.0002, queue: 0.08,
				loads: []load{{400, 0.08, nil, nil}, {400, 0.08, nil, nil}}})
			s.edges[0].outstanding, s.edges[1].outstanding = 5.64, 4
			s.edges = append(s.edges, edge{from: "tomcat", to: "replica", calls: 400, outstanding: 0.08},
				edge{from: "replica", to: "mariadb", calls: 50, outstanding: 4})
		}),
		say:   map[int]string{240: "single mariadb stopped"},
		alert: 240,
		more: []query{{`round(nstar:tier_called:mean15s{tier="mariadb"}, 0.01)`, 240, map[string]float64{
			`{app="shop",tier="mariadb",of="all"}`: 8, `{app="shop",tier="mariadb",of="unasked"}`: 4}}},
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
			[]load{calmTomcat, {0, 0, nil, nil}, calmTomcat}, []load{calmMariaDB, {0, 0, nil, nil}, calmMariaDB}),
			func(s *stack) {
				s.edges = s.edges[1:]
				calls, failed := make([]float64, 49), make([]float64, 49)
				for i := range 48 {
					calls[i+1], failed[i+1] = calls[i]+2000, failed[i]
					if i >= 18 && i < 24 {
						calls[i+1], failed[i+1] = calls[i], failed[i]+100
					}
				}
				edge := `{job="nstar",instance="h:9965",app="shop",from="httpd",to="tomcat"}`
				s.more = []series{{"nstar_edge_calls_total" + edge, calls},
					{"nstar_edge_failed_connections_total" + edge, failed}}
			}),
		say: map[int]string{60: "healthy", 110: "learning", 120: "learning", 160: "healthy", 240: "healthy"},
		more: []query{{`nstar:tier_unreachable:bool`, 60, nil},
			{`nstar:tier_unreachable:bool`, 120,
				map[string]float64{`nstar:tier_unreachable:bool{app="shop",tier="tomcat"}`: 1}}},
	},
	{
		name: "MariaDB is gone for half a minute, and every second page an error, while Tomcat goes on asking others",
		stack: with(tiers3([]int{90, 30, 120}, []load{calmHTTPD}, []load{calmTomcat},
			[]load{calmMariaDB, {0, 0, nil, nil}, calmMariaDB}),
			func(s *stack) {
				s.servers = append(s.servers, server{tier: "cache", r0: 0.0001, loads: []load{{400, 0.04, nil, nil}}})
				s.edges[1] = edge{from: "tomcat", to: "cache", calls: 400, outstanding: 0.04}
				s.more = whileGone("mariadb", 200)
			}),
		say: map[int]string{85: "healthy", 105: "single mariadb stopped", 120: "single mariadb stopped",
			125: "learning", 130: "healthy", 145: "healthy", 240: "healthy"},
		more: []query{{`nstar:edge_failed:connections15s`, 110, map[string]float64{
			`nstar:edge_failed:connections15s{app="shop",from="tomcat",to="mariadb"}`: 300}},
			{`nstar:edge_gone:bool`, 110, map[string]float64{
				`nstar:edge_gone:bool{app="shop",from="tomcat",to="mariadb"}`: 1}},
			{`round(nstar:tier_errors:ratio15s, 0.01)`, 110, map[string]float64{
				`{app="shop",tier="httpd"}`: 0.5}},
			{`round(nstar:tier_gone:ratio, 0.01)`, 110, map[string]float64{
				`{app="shop",tier="mariadb"}`: 0.5}}},
	},
	{
		name: "the same for a minute and a half, and Tomcat waits longer and longer until it tries to connect again",
		stack: with(tiers3([]int{90, 90, 60}, []load{calmHTTPD}, []load{calmTomcat},
			[]load{calmMariaDB, {0, 0, nil, nil}, calmMariaDB}),
			func(s *stack) {
				s.servers = append(s.servers, server{tier: "cache", r0: 0.0001, loads: []load{{400, 0.04, nil, nil}}})
				s.edges[1] = edge{from: "tomcat", to: "cache", calls: 400, outstanding: 0.04}
				attempts := map[int]float64{18: 5, 19: 2, 22: 1, 27: 1, 35: 1}
				s.more = untilBack("mariadb", 36, 200, func(scrape int) float64 { return attempts[scrape] })
			}),
		say: map[int]string{85: "healthy", 105: "single mariadb stopped", 130: "single mariadb stopped",
			175: "single mariadb stopped", 240: "healthy"},
	},
	{
		name: "the same, and two tiers that call Tomcat answer with errors",
		stack: with(tiers3([]int{90, 30, 120}, []load{calmHTTPD}, []load{calmTomcat},
			[]load{calmMariaDB, {0, 0, nil, nil}, calmMariaDB}),
			func(s *stack) {
				s.servers = append(s.servers, server{tier: "proxy", r0: 0.0004, loads: []load{{400, 0.2, nil, nil}}})
				s.edges[1] = edge{from: "proxy", to: "tomcat", calls: 400, outstanding: 0.1}
				s.more = whileGone("mariadb", 200)
				errors := s.more[2]
				s.more = append(s.more, series{strings.ReplaceAll(errors.selector, "httpd", "proxy"), errors.values})
			}),
		say: map[int]string{85: "healthy", 105: "single mariadb stopped", 120: "single mariadb stopped"},
	},
	{
		name: "the same, but Tomcat hardly tries to connect: its processes have ended",
		stack: with(tiers3([]int{90, 60, 90}, []load{calmHTTPD}, []load{calmTomcat},
			[]load{calmMariaDB, {0, 0, nil, nil}, calmMariaDB}), func(s *stack) {
			s.edges = s.edges[:1]
			s.more = append(slices.Delete(whileGone("mariadb", 200), 1, 2),
				series{`nstar_tier_start_time_seconds{job="nstar",instance="h:9965",app="shop",tier="mariadb"}`,
					slices.Concat(slices.Repeat([]float64{1e9}, 18), []float64{ended},
						slices.Repeat([]float64{math.NaN()}, 9), slices.Repeat([]float64{2e9}, 21))},
				series{`nstar_build_info{job="nstar",instance="h:9965"}`, slices.Repeat([]float64{1}, 49)})
		}),
		say: map[int]string{85: "healthy", 95: "single mariadb stopped", 120: "single mariadb stopped", 145: "healthy",
			240: "healthy"},
		more: []query{{`nstar:tier_ended:bool`, 110, map[string]float64{
			`nstar:tier_ended:bool{app="shop",tier="mariadb"}`: 1}}},
	},
	{
		name: "MariaDB has ended, and nothing is missing for 40 s: errors that begin then are not for that",
		stack: with(tiers3([]int{90, 90, 60}, []load{calmHTTPD}, []load{calmTomcat},
			[]load{calmMariaDB, {0, 0, nil, nil}}), func(s *stack) {
			s.edges = s.edges[:1]
			wrong := make([]float64, 49)
			for i := range 48 {
				if wrong[i+1] = wrong[i]; i >= 26 {
					wrong[i+1] += 1000
				}
			}
			s.more = []series{whileGone("mariadb", 0)[0],
				{`nstar_tier_errors_total{job="nstar",instance="h:9965",app="shop",tier="httpd"}`, wrong},
				{`nstar_tier_start_time_seconds{job="nstar",instance="h:9965",app="shop",tier="mariadb"}`,
					slices.Concat(slices.Repeat([]float64{1e9}, 18), []float64{ended},
						slices.Repeat([]float64{math.NaN()}, 30))},
				{`nstar_build_info{job="nstar",instance="h:9965"}`, slices.Repeat([]float64{1}, 49)}}
		}),
		say: map[int]string{85: "healthy", 120: "healthy", 135: "learning", 150: "single httpd errors",
			180: "single httpd errors"},
		alert: 235,
		more:  []query{{`nstar:tier_unneeded:bool ^ 0`, 150, map[string]float64{`{app="shop",tier="mariadb"}`: 1}}},
	},
	{
		name: "a server that another application uses is gone for half a minute, and every second page an error",
		stack: with(tiers3([]int{240}, []load{calmHTTPD}, []load{calmTomcat}, []load{calmMariaDB}), func(s *stack) {
			s.more = whileGone("mariadb", 200)
			for i := range s.more[:2] {
				of := &s.more[i].selector
				*of = strings.NewReplacer("tomcat", "grid", "mariadb", "member").Replace(*of)
			}
		}),
		say:  map[int]string{85: "healthy", 95: "learning", 120: "single httpd errors"},
		more: []query{{`nstar:tier_gone:ratio`, 110, nil}},
	},
	{
		name: "a broker is gone for half a minute, and pages that wait for it hold all connections of MariaDB",
		stack: with(tiers3([]int{90, 30, 120}, []load{calmHTTPD, {40, 0.1, nil, nil}, calmHTTPD},
			[]load{calmTomcat, {40, 60, x{"stopped": 50}, nil}, calmTomcat},
			[]load{calmMariaDB, {80, 0.1, nil, nil}, calmMariaDB}), func(s *stack) {
			s.more = whileGone("broker", 0)
		}),
		say: map[int]string{85: "healthy", 105: "single broker stopped", 115: "single broker stopped",
			240: "healthy"},
	},
	{
		name: "programs that call themselves and each other end, as tests do, while others have Tomcat's processors",
		stack: with(tiers3([]int{90, 60, 90}, []load{calmHTTPD, {40, 0.1, nil, nil}, calmHTTPD},
			[]load{calmTomcat, {40, 60, x{"noisy_neighbour": 58}, nil}, calmTomcat},
			[]load{calmMariaDB, {80, 0.1, nil, nil}, calmMariaDB}), func(s *stack) {
			gone := func(before float64) []float64 {
				return slices.Concat(slices.Repeat([]float64{before}, 18), []float64{ended},
					slices.Repeat([]float64{math.NaN()}, 30))
			}
			calls := gone(0)
			for i := range 18 {
				calls[i] = float64(50 * i)
			}
			for _, tier := range []string{"job", "helper"} {
				s.more = append(s.more, series{`nstar_tier_start_time_seconds{job="nstar",instance="h:9965",app="shop",tier="` +
					tier + `"}`, gone(1e9)})
			}
			for _, edge := range []string{`from="job",to="job"`, `from="job",to="helper"`, `from="runner",to="helper"`} {
				s.more = append(s.more, series{`nstar_edge_calls_total{job="nstar",instance="h:9965",app="shop",` + edge + `}`,
					calls})
			}
			s.more = append(s.more, series{`nstar_build_info{job="nstar",instance="h:9965"}`,
				slices.Repeat([]float64{1}, 49)})
		}),
		say: map[int]string{85: "healthy", 110: "single tomcat noisy_neighbour", 120: "single tomcat noisy_neighbour",
			145: "single tomcat noisy_neighbour"},
	},
	{
		name: "a cache is gone for half a minute, and pages are made without it",
		stack: with(tiers3([]int{240}, []load{calmHTTPD}, []load{calmTomcat}, []load{calmMariaDB}), func(s *stack) {
			s.more = whileGone("cache", 0)
		}),
		say: map[int]string{85: "healthy", 105: "healthy", 125: "healthy", 160: "healthy"},
	},
	{
		name: "four of five pages are errors, which take no time",
		stack: with(tiers3([]int{240}, []load{calmHTTPD}, []load{calmTomcat}, []load{calmMariaDB}),
			func(s *stack) { s.servers[1].errors = 320 }),
		say: map[int]string{60: "learning", 240: "learning"},
		more: []query{{`round(nstar:tier_errors:ratio1m, 0.01)`, 240, map[string]float64{
			`{app="shop",tier="tomcat"}`: 0.8}}},
	},
	{
		name: "seven of ten pages were errors for ten seconds: over when none comes any more",
		stack: with(tiers3([]int{240}, []load{calmHTTPD}, []load{calmTomcat}, []load{calmMariaDB}),
			func(s *stack) {
				failed := make([]float64, 49)
				for i := range 48 {
					failed[i+1] = failed[i]
					if i >= 24 && i < 26 {
						failed[i+1] += 1400
					}
				}
				s.more = []series{
					{`nstar_tier_errors_total{job="nstar",instance="h:9965",app="shop",tier="tomcat"}`, failed}}
			}),
		say: map[int]string{60: "healthy", 130: "learning", 135: "learning", 145: "healthy", 240: "healthy"},
	},
	{
		name:  "Tomcat asks MariaDB four times as often, and Redis as before: it does not find there what it looks for",
		stack: with(cached(), func(s *stack) { runs(s, "redis", "redis") }),
		say: map[int]string{75: "healthy", 125: "single tomcat cache_lost", 175: "single tomcat cache_lost",
			240: "healthy"},
		alert: 205,
		more: []query{
			{`round(nstar:tier_asked:ratio{tier="mariadb"}, 0.1)`, 150, map[string]float64{`{app="shop",tier="mariadb"}`: 4}},
			{`round(nstar:tier_asked_anew:ratio, 0.1)`, 150, map[string]float64{`{app="shop",tier="mariadb"}`: 4}},
			{`round(nstar:edge_asked_anew:ratio, 0.01)`, 150, map[string]float64{
				`{app="shop",from="tomcat",to="mariadb"}`: 0.75}},
			{`round(nstar:app_cache_lost:ratio, 0.1)`, 150, map[string]float64{
				`{app="shop",tier="tomcat",cause="cache_lost"}`: 0.5}},
			{`nstar:app_other_mix:seconds >= 0.001`, 150, nil},
		},
	},
	{
		name:  "the same, and no tier is known to be a cache: they may be other pages, and no question takes longer",
		stack: cached(),
		say:   map[int]string{75: "healthy", 125: "healthy", 175: "healthy", 240: "healthy"},
	},
	{
		name:  "Tomcat asks MariaDB instead of Redis, which nobody asks any more, and that is dearer",
		stack: with(uncached(), func(s *stack) { runs(s, "redis", "redis") }),
		say:   map[int]string{75: "healthy", 110: "single tomcat cache_lost", 175: "single tomcat cache_lost"},
		alert: 180,
		more: []query{
			{`nstar:tier_uncached:bool`, 150, map[string]float64{
				`nstar:tier_uncached:bool{app="shop",tier="tomcat"}`: 1}},
			{`round(nstar:edge_asked_anew:ratio, 0.01)`, 150, map[string]float64{
				`{app="shop",from="tomcat",to="mariadb"}`: 0.89}},
		},
	},
	{
		name:  "the same, and no tier is known to be a cache: the requests of MariaDB have become dearer",
		stack: uncached(),
		say:   map[int]string{75: "healthy", 115: "single mariadb demand", 175: "single mariadb demand"},
		alert: 180,
	},
	{
		name:  "Tomcat sleeps, and no request of MariaDB is seen any more, which works as before: it may wait for that",
		stack: unseenMariaDB(1.6),
		say:   map[int]string{75: "healthy", 115: "learning", 175: "learning"},
		more: []query{{`nstar:tier_waits_unseen:bool`, 150, map[string]float64{
			`nstar:tier_waits_unseen:bool{app="shop",tier="tomcat"}`: 1}}},
	},
	{
		name:  "the same, and MariaDB hardly works: Tomcat sleeps by itself",
		stack: unseenMariaDB(0.01),
		say:   map[int]string{75: "healthy", 125: "single tomcat slow", 175: "single tomcat slow"},
		alert: 180,
	},
	{
		name: "half of the pages are errors of Tomcat for a minute, which httpd passes on",
		stack: with(tiers3([]int{240}, []load{calmHTTPD}, []load{calmTomcat}, []load{calmMariaDB}),
			func(s *stack) { s.more = []series{fails("tomcat", 90, 150, 200), fails("httpd", 90, 150, 200)} }),
		say: map[int]string{85: "healthy", 95: "learning", 105: "single tomcat errors", 120: "single tomcat errors",
			150: "single tomcat errors", 165: "healthy", 240: "healthy"},
		more: []query{
			{`round(nstar:tier_failing:ratio, 0.01)`, 120, map[string]float64{`{app="shop",tier="tomcat"}`: 0.5}},
			{`round(nstar:app_errors:ratio5s, 0.01)`, 120, map[string]float64{`{app="shop"}`: 0.5}},
			{`round(nstar:app_errors:ratio5s, 0.01)`, 80, map[string]float64{`{app="shop"}`: 0}},
			{`round(nstar:tier_errors:requests_per_second5s, 0.1)`, 120, map[string]float64{
				`{app="shop",tier="httpd"}`: 200, `{app="shop",tier="tomcat"}`: 200}},
			{`nstar:app_errors_late:bool`, 120, nil},
		},
	},
	{
		name: "half of the pages are errors of MariaDB, which Tomcat passes on where it can't be read, and then httpd",
		stack: with(tiers3([]int{240}, []load{calmHTTPD}, []load{calmTomcat}, []load{calmMariaDB}),
			func(s *stack) { s.more = []series{fails("mariadb", 90, 150, 200), fails("httpd", 90, 150, 220)} }),
		say: map[int]string{85: "healthy", 105: "single mariadb errors", 120: "single mariadb errors", 175: "healthy"},
		more: []query{{`nstar:tier_errors_behind:requests_per_second5s`, 120, map[string]float64{
			`nstar:tier_errors_behind:requests_per_second5s{app="shop",tier="tomcat"}`: 200}}},
	},
	{
		name: "half of the pages are errors of Tomcat, which took a little longer for five seconds at first",
		stack: with(tiers3([]int{90, 5, 145}, []load{calmHTTPD},
			[]load{calmTomcat, {400, 4.6, x{"demand": 3.2}, nil}, calmTomcat}, []load{calmMariaDB}),
			func(s *stack) { s.more = []series{fails("tomcat", 90, 150, 200), fails("httpd", 90, 150, 200)} }),
		say: map[int]string{85: "healthy", 95: "learning", 105: "learning", 120: "single tomcat errors",
			150: "single tomcat errors", 170: "healthy", 240: "healthy"},
		more: []query{{`nstar:app_errors_late:bool`, 100, map[string]float64{
			`nstar:app_errors_late:bool{app="shop"}`: 1}}, {`nstar:app_errors_late:bool`, 120, nil}},
	},
	{
		name: "half of the pages are errors of MariaDB, while other programs make requests take longer in httpd",
		stack: with(tiers3([]int{90, 150}, []load{calmHTTPD, {400, 1.9, x{"noisy_neighbour": 1.7}, nil}},
			[]load{calmTomcat}, []load{calmMariaDB}),
			func(s *stack) { s.more = []series{fails("mariadb", 90, 150, 200), fails("httpd", 90, 150, 220)} }),
		say: map[int]string{85: "healthy", 115: "single mariadb errors", 145: "single mariadb errors"},
		more: []query{{`nstar:app_errors_late:bool`, 120, map[string]float64{
			`nstar:app_errors_late:bool{app="shop"}`: 1}}},
	},
	{
		name: "half of the pages are errors of Tomcat for longer than there were none before",
		stack: with(tiers3([]int{240}, []load{calmHTTPD}, []load{calmTomcat}, []load{calmMariaDB}),
			func(s *stack) { s.more = []series{fails("tomcat", 45, 130, 200), fails("httpd", 45, 130, 200)} }),
		say: map[int]string{40: "healthy", 65: "single tomcat errors", 110: "single tomcat errors",
			125: "single tomcat errors", 160: "healthy"},
	},
	{
		name: "half of the pages are errors of Tomcat, and come for ten seconds only, as when a server starts anew",
		stack: with(tiers3([]int{240}, []load{calmHTTPD}, []load{calmTomcat}, []load{calmMariaDB}),
			func(s *stack) { s.more = []series{fails("tomcat", 90, 100, 200), fails("httpd", 90, 100, 200)} }),
		say: map[int]string{85: "healthy", 95: "learning", 105: "learning", 115: "healthy", 130: "healthy"},
	},
	{
		name: "the same, but httpd answers with errors for MariaDB, which keeps requests waiting first",
		stack: with(tiers3([]int{90, 20, 130}, []load{calmHTTPD}, []load{calmTomcat},
			[]load{calmMariaDB, {800, 60, x{"unknown": 59}, nil}, calmMariaDB}),
			func(s *stack) { s.more = []series{fails("tomcat", 100, 220, 200), fails("httpd", 100, 220, 200)} }),
		say: map[int]string{85: "healthy", 105: "learning", 140: "learning", 180: "learning", 220: "learning"},
		more: []query{
			{`nstar:app_slower_first:bool`, 100, map[string]float64{`nstar:app_slower_first:bool{app="shop"}`: 1}},
			{`nstar:app_slower_first:bool`, 120, nil},
			{`nstar:app_errors_late:bool ^ 0`, 180, map[string]float64{`{app="shop"}`: 1}},
		},
	},
	{
		name: "the same, but only httpd says so: Tomcat closes its connections without an answer",
		stack: with(tiers3([]int{240}, []load{calmHTTPD}, []load{calmTomcat}, []load{calmMariaDB}),
			func(s *stack) {
				s.more = []series{aborts("tomcat", 90, 150, 200), fails("httpd", 90, 150, 200)}
			}),
		say: map[int]string{85: "healthy", 105: "learning", 110: "learning", 120: "learning", 150: "learning"},
	},
	{
		name: "the same, and the exporter knows that it was Tomcat that closed them",
		stack: with(tiers3([]int{240}, []load{calmHTTPD}, []load{calmTomcat}, []load{calmMariaDB}),
			func(s *stack) {
				s.more = []series{aborts("tomcat", 90, 150, 200), fails("tomcat", 90, 150, 200),
					fails("httpd", 90, 150, 200)}
			}),
		say: map[int]string{85: "healthy", 105: "single tomcat errors", 120: "single tomcat errors", 175: "healthy"},
	},
	{
		name: "a third of the users get no answer from httpd, which closes their connections",
		stack: with(tiers3([]int{240}, []load{calmHTTPD}, []load{calmTomcat}, []load{calmMariaDB}),
			func(s *stack) { s.more = []series{aborts("httpd", 90, 180, 200), fails("httpd", 90, 180, 200)} }),
		say: map[int]string{85: "healthy", 110: "single httpd errors", 150: "single httpd errors"},
		more: []query{
			{`round(nstar:app_ending:requests_per_second15s, 1)`, 150, map[string]float64{`{app="shop"}`: 600}},
			{`round(nstar:tier_failing:ratio, 0.01)`, 150, map[string]float64{`{app="shop",tier="httpd"}`: 0.33}}},
	},
	{
		name: "all pages are errors of Tomcat, which closes connections to MariaDB on which its statements failed",
		stack: with(tiers3([]int{240}, []load{calmHTTPD}, []load{calmTomcat}, []load{calmMariaDB}),
			func(s *stack) {
				runs(s, "mariadb", "mariadb")
				s.more = append(s.more, aborts("mariadb", 90, 150, 400), fails("tomcat", 90, 150, 400),
					fails("httpd", 90, 150, 400))
			}),
		say: map[int]string{85: "healthy", 105: "single tomcat errors", 120: "single tomcat errors",
			145: "single tomcat errors"},
	},
	{
		name: "the same, but httpd is a proxy that may pass on what Tomcat says in TLS",
		stack: with(tiers3([]int{240}, []load{calmHTTPD}, []load{calmTomcat}, []load{calmMariaDB}),
			func(s *stack) {
				runs(s, "httpd", "httpd")
				s.more = append(s.more, fails("httpd", 90, 150, 200))
			}),
		say: map[int]string{85: "healthy", 120: "learning", 150: "learning"},
	},
	{
		name: "the same, but Tomcat can't connect to what it calls besides",
		stack: with(tiers3([]int{240}, []load{calmHTTPD}, []load{calmTomcat}, []load{calmMariaDB}),
			func(s *stack) {
				s.more = []series{whileGone("127.0.0.1:7", 0)[1], fails("tomcat", 90, 150, 200),
					fails("httpd", 90, 150, 200)}
			}),
		say: map[int]string{85: "healthy", 105: "single 127.0.0.1:7 stopped", 115: "single 127.0.0.1:7 stopped"},
	},
	{
		name: "more than half of the pages have been errors for as long as anyone knows",
		stack: with(tiers3([]int{240}, []load{calmHTTPD}, []load{calmTomcat}, []load{calmMariaDB}),
			func(s *stack) { s.more = []series{fails("tomcat", 0, 240, 220), fails("httpd", 0, 240, 220)} }),
		say: map[int]string{60: "learning", 240: "learning"},
	},
	{
		name: "one page of a hundred is an error",
		stack: with(tiers3([]int{240}, []load{calmHTTPD}, []load{calmTomcat}, []load{calmMariaDB}),
			func(s *stack) { s.servers[1].errors = 4 }),
		say: map[int]string{60: "healthy", 240: "healthy"},
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
		say:   map[int]string{15: "learning", 60: "single consumer demand", 240: "single consumer demand"},
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
			s.more = []series{{"nstar_edge_patient_calls_total" + fromKafka, taken},
				{"nstar_edge_commits_total" + fromKafka, slices.Repeat([]float64{0}, 97)},
				{"nstar_edge_patient_seconds_total" + fromKafka, slices.Repeat([]float64{0.1}, 97)}}
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
		say: map[int]string{60: "healthy", 75: "healthy", 90: "learning", 110: "single consumer soft_resource",
			240: "single consumer soft_resource", 900: "single consumer soft_resource"},
		alert: 210,
		more: []query{
			{`nstar:consumer_restless:requests`, 60, nil},
			{`round(nstar:consumer_restless:requests, 1e-3)`, 240,
				map[string]float64{`{app="shop",from="consumer"}`: 3.8}},
			{`round(nstar:consumer_asleep:ratio, 1e-3)`, 240, map[string]float64{`{app="shop",from="consumer"}`: 0.65}},
		},
	},
	{
		// As seen of BullMQ, which takes the next job with the command that says that one is done.
		name: "a consumer that had time takes job after job and asks for none in a way that waits; each job sleeps",
		stack: with(pipeline(0, 0, 53, 0.02, load{53, 0.02, nil, nil}), func(s *stack) {
			s.servers[2].used, s.servers[2].busy, s.servers[2].active = 0.03, 0.4, x{"nothing": 0.1}
			s.edges[1].calls = 10
			waitsNoMore(s, 20, 0.85)
		}),
		say: map[int]string{60: "healthy", 75: "healthy", 90: "learning", 120: "single consumer soft_resource",
			240: "single consumer soft_resource"},
		alert: 210,
	},
	{
		name: "the same, but what it still calls are no jobs: it is long at one",
		stack: with(pipeline(0, 0, 53, 0.02, load{53, 0.02, nil, nil}), func(s *stack) {
			s.servers[2].used, s.servers[2].busy, s.servers[2].active = 0.03, 0.4, x{"nothing": 0.1}
			s.edges[1].calls = 2
			waitsNoMore(s, 20, 0.85)
		}),
		say: map[int]string{60: "healthy", 120: "healthy", 240: "healthy"},
	},
	{
		// As seen of Flink, whose records became older from the first second on.
		name: "a consumer that had time has none any more: a quota holds its threads, which shows after half a minute",
		stack: with(pipeline(0, 0, 65, 0.02, load{65, 0.02, nil, nil}), func(s *stack) {
			s.servers[2].used, s.servers[2].busy = 0.1, 0.6
			noLongerIdle(s, 1.4)
			throttledFrom(s, "consumer", 60)
		}),
		say: map[int]string{60: "healthy", 75: "healthy", 100: "single consumer throttled",
			240: "single consumer throttled"},
		alert: 190,
	},
	{
		name: "the same, but it reads ahead, so that it waits for more now and then",
		stack: with(pipeline(0, 0, 65, 0.02, load{65, 0.02, nil, nil}), func(s *stack) {
			s.servers[2].used, s.servers[2].busy = 0.1, 0.6
			noLongerIdle(s, 1.4)
			for i := range s.more[1].values {
				s.more[1].values[i] += 5 * 0.3 * float64(max(0, i-12))
			}
			throttledFrom(s, "consumer", 60)
		}),
		say: map[int]string{60: "healthy", 75: "healthy", 90: "learning", 110: "single consumer throttled",
			240: "single consumer throttled"},
		alert: 190,
		more: []query{{`round(nstar:consumer_idle:ratio30s, 0.01)`, 240, map[string]float64{
			`{app="shop",from="consumer"}`: 0.3}}},
	},
	{
		name: "a consumer that had time has none any more, and what it asks can't be seen",
		stack: with(pipeline(0, 0, 65, 0.2, load{65, 0.2, nil, nil}), func(s *stack) {
			s.servers[2].used, s.servers[2].busy, s.servers[2].active = 0.15, 0.5, x{"nothing": 0.3}
			noLongerIdle(s, 3.8)
			s.more = append(s.more,
				series{
					`nstar_tier_unix_socket_info{job="nstar",instance="h:9965",app="shop",tier="consumer",path="/run/x"}`,
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
		say: map[int]string{75: "learning", 85: "learning", 110: "single postgres demand",
			240: "single postgres demand"},
		alert: 210,
	},
	{
		name: "a consumer never waits for work and never rests, though its threads have time: it may be behind",
		stack: with(pipeline(0.3, 0.015, 65, 0.2, load{65, 0.2, nil, nil}), func(s *stack) {
			s.servers[2].used, s.servers[2].busy, s.servers[2].thread, s.servers[2].active = 0.9, 0.8, 0.8,
				x{"nothing": 0.99}
		}),
		say: map[int]string{60: "learning", 240: "learning"},
	},
	{
		// As seen of Flink, which reads ahead: others of its threads ask for records, and wait for them.
		name: "a consumer reads ahead, and the thread that does the work never rests: it may be behind",
		stack: with(pipeline(130, 1.7, 19, 0.05, load{19, 0.05, nil, nil}), func(s *stack) {
			s.servers[2].used, s.servers[2].busy, s.servers[2].thread, s.servers[2].active = 1.1, 0.8, 1,
				x{"nothing": 1}
		}),
		say: map[int]string{60: "learning", 240: "learning"},
		more: []query{{`nstar:consumer_strained:bool == bool 1`, 240,
			map[string]float64{`{app="shop",from="consumer"}`: 1}}},
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
			s.servers[2] = server{tier: "consumer", r0: 0.01, queue: 0.5, used: 1, busy: 0.6, thread: 1,
				loads: []load{{50, 0.5, nil, nil}}}
		}),
		say: map[int]string{240: "healthy"},
		more: []query{{`nstar:consumer_asked:bool{from="consumer"}`, 240, map[string]float64{
			`nstar:consumer_asked:bool{app="shop",from="consumer"}`: 1}}},
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
		// BLPOP with a time limit of two seconds, by which any of them gets the next job.
		name:  "one of five workers is long at a batch of work, and the others wait for jobs",
		stack: pipeline(2, 4, 400, 0.97, load{400, 0.97, nil, nil}),
		say:   map[int]string{60: "healthy", 240: "healthy"},
		more: []query{{`nstar:consumer_spare:bool`, 240,
			map[string]float64{`nstar:consumer_spare:bool{app="shop",from="consumer"}`: 1}}},
	},
	{
		name: "one of five workers computes for long, and the others wait for jobs",
		stack: with(pipeline(2, 4, 4, 0.01, load{4, 0.01, nil, nil}), func(s *stack) {
			s.servers[2].used, s.servers[2].busy, s.servers[2].thread = 0.97, 0.6, 0.97
		}),
		say: map[int]string{60: "healthy", 240: "healthy"},
	},
	{
		name: "one of five consumers of a log can't follow, and the others, who have partitions of their own, wait " +
			"for records",
		stack: with(pipeline(2, 4, 400, 0.97, load{400, 0.97, nil, nil}), func(s *stack) {
			s.edges[1].commits = 1
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
		// Spark takes what came in a second, is done after a tenth of that, and had 35 rows under way on average
		// meanwhile.
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
			`{app="shop",tier="postgres",cause="throttled"}`: 0.40404}},
			{`round(nstar:tier_counted_excess:mean1m, 1e-6)`, 240, map[string]float64{
				`{app="shop",tier="postgres",cause="throttled"}`: 0.4, `{app="shop",tier="postgres",cause="demand"}`: 0.1}},
			{`round(nstar:edge_calls:per_second1m{from="consumer"}, 1e-6)`, 240, map[string]float64{
				`{app="shop",from="consumer",to="kafka"}`: 0.2, `{app="shop",from="consumer",to="postgres"}`: 200}}},
	},
	{
		name: "a consumer can't follow, and asks its database through a pooler of connections",
		stack: with(pipeline(0.04, 1e-4, 200, 0.99, load{200, 0.99, x{"demand": 0.1}, nil}), func(s *stack) {
			s.edges[2].to = "pgbouncer"
			s.servers = append(s.servers, server{tier: "pgbouncer", r0: 1e-5, queue: 0.99,
				loads: []load{{200, 0.01, nil, nil}}})
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
			s.more = []series{
				{`nstar_tier_unmeasured_connections_total{job="nstar",instance="h:9965",app="shop",tier="kafka"}`,
					slices.Repeat([]float64{7}, 49)}}
			s.servers[1].loads = []load{{0, 0, nil, nil}}
		}),
		say:   map[int]string{240: "single postgres demand"},
		alert: 160,
		more: []query{{`nstar:tier_unasked_calls:ratio15s`, 240, nil},
			{`round(nstar:tier_asked_over_broker:bool, 1e-6)`, 240, map[string]float64{`{app="shop",tier="consumer"}`: 1,
				`{app="shop",tier="ingest"}`: 1}}},
	},
	{
		// Devices send over MQTT what a consumer writes to PostgreSQL, many rows at once. No page waits for that.
		name: "a consumer of a broker that nobody else calls, and that never had a request: its calls are nobody's",
		stack: with(pipeline(0, 0, 200, 80, load{200, 80, x{"demand": 79}, nil}), func(s *stack) {
			s.more = []series{
				{`nstar_tier_unmeasured_connections_total{job="nstar",instance="h:9965",app="shop",tier="kafka"}`,
					slices.Repeat([]float64{7}, 49)}}
			s.servers[1].loads, s.servers[2].unseen = []load{{0, 0, nil, nil}}, true
			s.edges = s.edges[1:]
		}),
		say: map[int]string{240: "healthy"},
		more: []query{
			{`round(nstar:edge_to_broker:bool, 1e-6)`, 240, map[string]float64{`{app="shop",from="consumer",to="kafka"}`: 1}},
			{`nstar:tier_asked_over_broker:bool`, 240, nil},
			{`round(nstar:tier_unasked_calls:ratio15s, 1e-6)`, 240,
				map[string]float64{`{app="shop",tier="consumer"}`: 1}}},
	},
	{
		// As seen of Zope and ZEO, whose clients send a sign of life now and then: in a protocol that is not known it
		// is a request without an answer. Another program of the host had its own pages meanwhile.
		name:  "a program that was never asked holds calls at a server of its own: no page waits for them",
		stack: with(calm3([]int{240}, calmHTTPD, calmTomcat, calmMariaDB), idleZope),
		say:   map[int]string{240: "healthy"},
		more: []query{
			{`round(nstar:tier_unasked_calls:ratio15s, 1e-6)`, 240, map[string]float64{`{app="shop",tier="zope"}`: 1}},
			{`round(1e5 * nstar:app_response_time:seconds{tier="zeo"})`, 240, map[string]float64{
				`{app="shop",tier="zeo"}`: 0}}},
	},
	{
		name: "the same, if the program may be asked in a way that is not measured: its calls may be a page's",
		stack: with(calm3([]int{240}, calmHTTPD, calmTomcat, calmMariaDB), func(s *stack) {
			idleZope(s)
			s.more = []series{{`nstar_tier_unmeasured_connections_total{job="nstar",instance="h:9965",app="shop",tier="zope"}`,
				slices.Repeat([]float64{7}, 49)}}
		}),
		more: []query{
			{`nstar:tier_unasked_calls:ratio15s`, 240, nil},
			{`round(1e5 * nstar:app_response_time:seconds{tier="zeo"})`, 240, map[string]float64{
				`{app="shop",tier="zeo"}`: 500}}},
	},
	{
		name: "the same, if a tier calls a Unix socket that is not measured: it may be the program's",
		stack: with(calm3([]int{240}, calmHTTPD, calmTomcat, calmMariaDB), func(s *stack) {
			idleZope(s)
			s.more = []series{{`nstar_tier_unix_socket_info{job="nstar",instance="h:9965",app="shop",tier="httpd",path="/run/zope"}`,
				slices.Repeat([]float64{1}, 49)}}
		}),
		more: []query{{`nstar:tier_unasked_calls:ratio15s`, 240, nil}},
	},
	{
		// As seen of gearmand and of beanstalkd: five workers ask for the next job, and wait until there is one.
		name: "workers that are no tiers wait for jobs in a server that a page asks, too: no page waits for them",
		stack: with(jobs(0.3, 4.6), func(s *stack) {
			s.servers[2].asleep = 4.3
		}),
		say: map[int]string{240: "healthy"},
		more: []query{
			{`round(nstar:tier_idle_clients:mean15s, 0.01)`, 240, map[string]float64{`{app="shop",tier="gearmand"}`: 4.3}},
			{`round(nstar:tier_asleep:mean15s, 0.01)`, 240, map[string]float64{`{app="shop",tier="gearmand"}`: 0}},
			{`round(1e5 * nstar:app_response_time:seconds{tier="gearmand"})`, 240, map[string]float64{
				`{app="shop",tier="gearmand"}`: 75}}},
	},
	{
		name: "the same, and then no page asks for a job any more: the workers wait as before",
		stack: with(jobs(0.3, 4.6), func(s *stack) {
			s.phases, s.servers[2].asleep = []int{120, 120}, 4.6
			s.servers[2].loads = []load{{1200, 4.6, nil, nil}, {0, 4.6, nil, nil}}
			s.edges[1].outstanding = 0
			waits := make([]float64, s.seconds()/5+1)
			for i := range waits {
				waits[i] = 0.3 * 5 * float64(min(i, 120/5))
			}
			s.more = append(s.more, series{`nstar_edge_wait_seconds_total` +
				`{job="nstar",instance="h:9965",app="shop",from="tomcat",to="gearmand"}`, waits})
		}),
		say: map[int]string{120: "healthy", 240: "healthy"},
		more: []query{{`round(nstar:tier_idle_clients:mean15s, 0.1)`, 240, map[string]float64{
			`{app="shop",tier="gearmand"}`: 4.6}}},
	},
	{
		name: "workers that are no tiers waited for jobs, and none has for half a minute: they can't follow",
		stack: with(jobs(0.3, 0.4), func(s *stack) {
			s.phases, s.servers[2].workers = []int{120, 600}, []float64{1.9, 0}
			s.servers[2].loads[0].excess = nil
		}),
		say: map[int]string{120: "healthy", 150: "healthy", 170: "learning", 240: "learning", 720: "learning"},
		more: []query{{`round(nstar:tier_workers_restless:requests, 0.01)`, 720, map[string]float64{
			`{app="shop",tier="gearmand"}`: 2}}},
	},
	{
		name: "requests wait in a tier for a moment that their clients gave up, as at the end of a hang: no workers",
		stack: with(jobs(0.3, 0.4), func(s *stack) {
			s.phases, s.servers[2].workers = []int{120, 10, 110}, []float64{0, 57, 0}
			s.servers[2].loads[0].excess = nil
		}),
		say:  map[int]string{120: "healthy", 175: "healthy", 240: "healthy"},
		more: []query{{`nstar:tier_idle_workers:max1h`, 240, nil}},
	},
	{
		name: "the same, and jobs wait in line for them: that is no limit of the server of jobs",
		stack: with(jobs(0.3, 0.4), func(s *stack) {
			s.phases, s.servers[2].workers = []int{120, 120}, []float64{1.9, 0}
			s.servers[2].loads = []load{{400, 0.3, nil, nil}, {400, 8, x{"soft_resource": 7}, nil}}
		}),
		say: map[int]string{120: "healthy", 170: "learning", 240: "learning"},
		more: []query{{`round(nstar:tier_idle_workers:max1h, 0.01)`, 240, map[string]float64{
			`{app="shop",tier="gearmand"}`: 2}},
			{`round(nstar:app_excess_share:ratio{tier="gearmand"}, 0.1)`, 240, map[string]float64{
				`{app="shop",tier="gearmand",cause="unknown"}`: 0.7}}},
	},
	{
		name: "an index is lost in a database that these workers ask, too: jobs wait for them, and they for it",
		stack: with(jobs(0.3, 0.4), func(s *stack) {
			s.phases, s.servers[2].workers = []int{120, 120}, []float64{1.9, 0}
			s.servers[2].loads = []load{{400, 0.3, nil, nil}, {400, 7, x{"soft_resource": 6}, nil}}
			s.servers = append(s.servers, server{tier: "mariadb", r0: 0.001, queue: 0.2,
				loads: []load{{400, 1, nil, nil}, {400, 7.5, x{"demand": 5}, nil}}})
			s.edges = append(s.edges, edge{from: "tomcat", to: "mariadb", calls: 300, outstanding: 0.2})
			usesProcessors(s, "mariadb", 0.8, 120, 5.6)
		}),
		say:   map[int]string{120: "healthy", 160: "single mariadb demand", 240: "single mariadb demand"},
		alert: 240,
	},
	{
		name: "jobs do not wait, but the workers had no time for a minute, until they wait again",
		stack: with(jobs(0.3, 0.4), func(s *stack) {
			s.phases, s.servers[2].workers = []int{120, 60, 120}, []float64{1.9, 0, 1.9}
			s.servers[2].loads[0].excess = nil
		}),
		say: map[int]string{170: "learning", 200: "healthy", 300: "healthy"},
	},
	{
		name: "workers that are no tiers wait no more, but a connection was found to be to a broker",
		stack: with(jobs(0.3, 0.4), func(s *stack) {
			s.phases, s.servers[2].workers = []int{120, 120}, []float64{1.9, 0}
			s.servers[2].loads[0].excess = nil
			s.more = append(s.more, series{
				`nstar_tier_unmeasured_connections_total{job="nstar",instance="h:9965",app="shop",tier="gearmand"}`,
				slices.Concat(slices.Repeat([]float64{0}, 24), slices.Repeat([]float64{1}, 25))})
		}),
		say: map[int]string{120: "healthy", 170: "healthy", 240: "healthy"},
	},
	{
		name: "clients that are no tiers waited there for a minute, while pages took longer than usual: not for jobs",
		stack: with(jobs(0.3, 0.4), func(s *stack) {
			s.phases, s.servers[2].workers = []int{120, 60, 120}, []float64{0, 1.9, 0}
			s.servers[2].loads[0].excess = nil
			s.servers[1].loads = []load{calmTomcat, {400, 8, x{"unknown": 5}, nil}, calmTomcat}
			s.servers[0].behind = []float64{0, 8 - calmTomcat.own, 0}
		}),
		say: map[int]string{120: "healthy", 170: "learning", 240: "healthy", 300: "healthy"},
		more: []query{{`nstar:tier_workers_restless:requests`, 240, nil},
			{`round(max_over_time(nstar:tier_idle_clients:mean15s[2m]), 0.01)`, 240, map[string]float64{
				`{app="shop",tier="gearmand"}`: 2}},
			{`sum_over_time(nstar:tier_idle_workers:mean15s[2m]) >= 6`, 240, nil}},
	},
	{
		name: "one client waited for something for twenty seconds, and is gone",
		stack: with(jobs(0.3, 0.4), func(s *stack) {
			s.phases, s.servers[2].workers = []int{100, 20, 180}, []float64{0, 1, 0}
			s.servers[2].loads[0].excess = nil
		}),
		say: map[int]string{170: "healthy", 300: "healthy"},
	},
	{
		name:  "programs that are no tiers make all processors of a database work, and no page takes longer for that",
		stack: with(reports([]int{60, 90, 60}, 0, 5, 0), func(s *stack) { s.servers[2].full = []float64{0, 1, 0} }),
		say:   map[int]string{55: "healthy", 85: "healthy", 120: "healthy", 150: "healthy", 180: "healthy"},
		more: []query{
			{`round(nstar:tier_foreign:mean15s, 0.1)`, 120, map[string]float64{`{app="shop",tier="mariadb"}`: 5}},
			{`round(nstar:app_foreign_excess:mean15s, 0.1)`, 120, map[string]float64{`{app="shop"}`: 4.7}},
			{`nstar:app_unfelt:bool ^ 0`, 120, map[string]float64{`{app="shop"}`: 1}},
		},
	},
	{
		name: "the same, and pages wait for the processors, too",
		stack: with(reports([]int{60, 150}, 0, 5), func(s *stack) {
			s.servers[2].full = []float64{0, 1}
			s.servers[1].loads = []load{calmTomcat, {400, 4, x{"demand": 2.8}, nil}}
			s.servers[0].behind = []float64{0, 4 - calmTomcat.own}
		}),
		say:   map[int]string{55: "healthy", 120: "single mariadb demand", 200: "single mariadb demand"},
		more:  []query{{`nstar:app_unfelt:bool`, 120, nil}},
		alert: 200,
	},
	{
		name: "workers wait for jobs in a server that nobody asks: it has answered nothing, and nothing comes",
		stack: with(jobs(0.3, 4.6), func(s *stack) {
			s.servers[2].asleep, s.servers[2].loads[0].completions = 4.3, 0
			s.edges = s.edges[:1]
			s.servers[1].queue, s.servers[0].queue = calmTomcat.own, calmHTTPD.own+calmTomcat.own
			s.edges[0].outstanding = calmTomcat.own
			s.more = append(s.more, series{`nstar_tier_arrivals_total{job="nstar",instance="h:9965",app="shop",tier="gearmand"}`,
				make([]float64, 49)})
		}),
		say: map[int]string{240: "healthy"},
	},
	{
		name:  "the same, and most of those that sleep are jobs that a page waits for",
		stack: with(jobs(40, 44), func(s *stack) { s.servers[2].asleep = 44 }),
		say:   map[int]string{240: "learning"},
	},
	{
		name:  "clients that are no tiers wait for what a server computes: it may be pages, too",
		stack: with(jobs(0.3, 4.6), func(s *stack) { s.servers[2].asleep = 0.3 }),
		say:   map[int]string{240: "learning"},
	},
	{
		// HTTP/2 inside TLS: nothing is known of what nginx is asked, but all that Tomcat does is done for that.
		name: "what the front tier is asked can't be measured: its calls are not taken for nobody's",
		stack: with(tiers3([]int{240}, nil, []load{{400, 2.4, x{"soft_resource": 1.6}, nil}}, []load{calmMariaDB}),
			func(s *stack) {
				s.servers[0].unseen = true
				s.servers = append(s.servers, server{tier: "api", r0: 0.001, queue: 0.1,
					loads: []load{{100, 0.1, nil, nil}}})
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
		more: []query{{`round(nstar:app_throughput:requests_per_second, 1e-6)`, 240,
			map[string]float64{`{app="shop"}`: 300}},
			{`round(nstar:app_throughput:requests_per_second15s, 1e-6)`, 240, map[string]float64{`{app="shop"}`: 300}},
			{`round(nstar:tier_self_calls:per_second15s, 1e-6)`, 240,
				map[string]float64{`{app="shop",tier="httpd"}`: 100}}},
	},
	{
		name: "no traffic, and traffic now and then",
		stack: with(calm3([]int{300}, calmHTTPD, calmTomcat, calmMariaDB), func(s *stack) {
			s.servers = append(s.servers, server{app: "ssh", tier: "sshd", loads: []load{{}}},
				server{app: "cron", tier: "job", r0: 0.01, loads: []load{{}}})
		}),
		say: map[int]string{300: "healthy"},
		more: []query{{`nstar:app_verdict{app!="shop"}`, 300, map[string]float64{
			`nstar:app_verdict{app="ssh",verdict="learning"}`:  1,
			`nstar:app_verdict{app="cron",verdict="learning"}`: 1}}},
	},
}

// fails are the answers of a tier that are errors, so many a second between two scrapes, in seconds.
func fails(tier string, from, to int, errors float64) series {
	wrong := make([]float64, 49)
	for i := range 48 {
		if wrong[i+1] = wrong[i]; i >= from/5 && i < to/5 {
			wrong[i+1] += 5 * errors
		}
	}
	return series{`nstar_tier_errors_total{job="nstar",instance="h:9965",app="shop",tier="` + tier + `"}`, wrong}
}

// aborts are the same for requests that get no answer.
func aborts(tier string, from, to int, each float64) series {
	s := fails(tier, from, to, each)
	s.selector = strings.ReplaceAll(s.selector, "errors", "aborts")
	return s
}

// whileGone is what Tomcat counts if a server that it calls is gone from the 90th to the 120th second: calls before and
// after, connections that fail meanwhile, and so many answers of httpd a second that are errors.
func whileGone(to string, errors float64) []series {
	return untilBack(to, 24, errors, func(int) float64 { return 100 })
}

// untilBack is the same until a scrape, with the connections that fail between one scrape and the next.
func untilBack(to string, back int, errors float64, fail func(scrape int) float64) []series {
	calls, failed, wrong := make([]float64, 49), make([]float64, 49), make([]float64, 49)
	for i := range 48 {
		calls[i+1], failed[i+1], wrong[i+1] = calls[i]+2000, failed[i], wrong[i]
		if i >= 18 && i < back {
			calls[i+1], failed[i+1], wrong[i+1] = calls[i], failed[i]+fail(i), wrong[i]+5*errors
		}
	}
	edge := fmt.Sprintf(`{job="nstar",instance="h:9965",app="shop",from="tomcat",to=%q}`, to)
	return []series{{"nstar_edge_calls_total" + edge, calls}, {"nstar_edge_failed_connections_total" + edge, failed},
		{`nstar_tier_errors_total{job="nstar",instance="h:9965",app="shop",tier="httpd"}`, wrong}}
}
