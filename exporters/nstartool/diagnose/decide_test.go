// SPDX-License-Identifier: Apache-2.0

package diagnose

import (
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestDecide(t *testing.T) {
	type change = func(*Application, *Observations)
	nothing := func(*Application, *Observations) {}
	limit := func(more func(*Application, *Observations)) change {
		return func(a *Application, o *Observations) { atLimit(a, o); more(a, o) }
	}
	speed := func(v float64) change { return limit(func(a *Application, _ *Observations) { a.Times[2].Speed = &v }) }
	busy := func(v float64) change { return limit(func(a *Application, _ *Observations) { a.Times[2].Busy = &v }) }
	busyUnwanted := func(busy, wanted float64) change {
		return limit(func(a *Application, _ *Observations) { a.Times[2].Busy, a.Times[2].Wanted = &busy, &wanted })
	}
	cost := func(now, least, busy float64) change {
		return limit(func(a *Application, _ *Observations) {
			a.Times[2].Cost, a.Times[2].Speed, a.Times[2].Busy = &Growth{now, least}, &busy, &busy
		})
	}
	parallel := func(v float64) change { return func(a *Application, _ *Observations) { a.Times[1].Clipped = v } }
	pool := single("tomcat", causePlace)
	for _, test := range []struct {
		name        string
		finding     Finding
		change      change
		verdict     Verdict
		says, never string // in summary, advice and notes; parts are separated by |
	}{
		{"the numbers are the recorded ones", limited, atLimit, SingleBottleneck,
			"313 ms (95 %) of the mean response time of 328 ms|queue 55; beyond 7.4 (N*) a longer queue adds no " +
				"throughput|Give db more capacity",
			"speed"},
		{"slower than it was", limited, speed(0.55), SingleBottleneck, "55 % of its usual speed|nr_throttled", ""},
		{"its requests cost more than they did", limited, cost(0.012, 0.001, 0.4), SingleBottleneck,
			"each takes 12 ms of processor time, 12 times as much as usual. Is it|lost index",
			"speed|more capacity (|neighbour, a quota"},
		{"the same, on processors that are full", limited, cost(0.012, 0.005, 0.98), SingleBottleneck,
			"2.4 times as much|Until then more capacity (cores, instances) helps", "speed"},
		{"about as much as they did", limited, cost(0.012, 0.007, 0.98), SingleBottleneck, "Give db more capacity",
			"processor time"},
		{"a burst at a tier that is slower than it was", single("db", causeBurst), speed(0.55), SingleBottleneck,
			"55 % of its usual speed", ""},
		{"the same, and its requests cost more", single("db", causeBurst), func(a *Application, o *Observations) {
			speed(0.55)(a, o)
			cost(0.012, 0.005, 0.98)(a, o)
		}, SingleBottleneck, "", "speed"},
		{"as fast as it drifts", limited, speed(0.85), SingleBottleneck, "", "speed"},
		{"with busy processors", limited, busy(0.97), SingleBottleneck,
			"(queue 55; beyond 7.4 (N*) a longer queue adds no throughput; processors 97 % busy)|(cores, " +
				"instances)", ""},
		{"with idle processors", limited, busy(0.4), SingleBottleneck,
			"(its processors are only 40 % busy: look at its threads, its locks and its disk rather than its cores)",
			"instances"},
		{"with idle processors, and one thread that has no time left", limited,
			limit(func(a *Application, _ *Observations) { a.Times[2].Busy, a.Times[2].Thread = ptr(0.6), ptr(0.98) }),
			SingleBottleneck, "more threads or processes that compute, because one thread does nearly", "its locks"},
		{"with busy processors, and no thread waits for one", limited, busyUnwanted(0.8, 0.3), SingleBottleneck,
			"(its processors are only 80 % busy: look at its threads", "instances"},
		{"with busy processors, and a thread waits for one", limited, busyUnwanted(0.8, 1.2), SingleBottleneck,
			"(cores, instances)", ""},
		{"without N*", limited, limit(func(_ *Application, o *Observations) { o.Tiers[0].NStar = nil }),
			SingleBottleneck,
			"(queue 55)", "N*"},
		{"without the excess, by the recorded share", limited, nothing, SingleBottleneck,
			"7.5 ms (50 %) of the mean response time of 15 ms", ""},
		{"well, and near a limit", well, func(a *Application, _ *Observations) {
			a.blame("db", "db", causeDemand, 0.012, 0.5)
			a.Times[2].Busy = ptr(0.97)
		}, Healthy, "Nothing now. But db is the next tier to reach its limit: 12 ms of the mean response time of 27 " +
			"ms are spent waiting for its work, with processors that are 97 % busy.", ""},
		{"well, where less than one request waits", well, func(a *Application, _ *Observations) {
			a.blame("db", "db", causeDemand, 0.02, 0.5)
			a.Throughput = 45
		}, Healthy, "Nothing.", "limit: of|quicker"},
		{"well, and half of the time is for a disk", well, func(a *Application, _ *Observations) {
			a.blame("db", "db", causeDisk, 0.02, 0.5)
		}, Healthy, "Nothing. If it should be quicker: most of the waiting, 20 ms of 20 ms, is in db (cause: its " +
			"disk).", ""},
		{"well, and dearer, where less than one request waits", well, func(a *Application, _ *Observations) {
			a.blame("db", "db", causeDemand, 0.02, 0.5)
			a.Throughput = 45
			a.Times[2].Cost = &Growth{0.003, 0.001}
		}, Healthy, "is in db (cause: its own work). Each request of db takes 3.0 times the usual " +
			"processor time: is it a query plan that has changed", "limit: of"},
		{"well, where requests wait for less than half of their time", well, func(a *Application, _ *Observations) {
			a.blame("db", "db", causeDemand, 0.004, 0.5)
			a.Throughput = 80
		}, Healthy, "Nothing.", "quicker"},
		{"well, and slower than it was", well, func(a *Application, _ *Observations) {
			a.Took = &Growth{0.020, 0.008}
			a.Times[2].Cost = &Growth{0.006, 0.001}
			a.Edges[1].Calls = &Growth{61, 2}
		}, Healthy, "Nothing is at its limit. But requests take 20 ms, 2.5 times as long as in the quickest tenth " +
			"of the last hour: each request of db takes 6.0 times the usual processor time (6.0 ms); tomcat calls db " +
			"61 times for each of its requests instead of 2.0.", "Nothing now"},
		{"two tiers are stopped", single("tomcat", causeStopped), func(a *Application, _ *Observations) {
			a.blame("tomcat", "tomcat", causeStopped, 0.020, 0.5)
			a.blame("db", "db", causeStopped, 0.008, 0.3)
		}, SingleBottleneck, "Then, for db (19 % of the response time; cause: something stops it): the same.", ""},
		{"two tiers, and one of them hardly", single("tomcat", causeStopped), func(a *Application, _ *Observations) {
			a.blame("tomcat", "tomcat", causeStopped, 0.020, 0.5)
			a.blame("db", "db", causeStopped, 0.006, 0.3)
		}, SingleBottleneck, "something stops tomcat", "Then, for"},
		{"two tiers were stopped", single("tomcat", causeStopped), func(a *Application, o *Observations) {
			a.passed(o, single("tomcat", causeStopped))
			a.blame("tomcat", "tomcat", causeStopped, 0.020, 0.5)
			a.blame("db", "db", causeStopped, 0.008, 0.3)
		}, SingleBottleneck, "It is over now. If it comes again:", "Then, for"},
		{"well, and users ask for pages that ask the database more often", well, func(a *Application, _ *Observations) {
			a.Took = &Growth{0.0145, 0.008}
			a.Edges[1].Calls = &Growth{4.2, 2}
		}, Healthy, "But requests take 14 ms, 1.8 times as long as in the quickest tenth of the last hour: tomcat " +
			"calls db 4.2 times for each of its requests instead of 2.0. If this was not intended, look at what has " +
			"changed: other pages that users ask for, a cache that is lost, a query plan, the data", ""},
		{"well, and they ask for hardly longer ones", well, func(a *Application, _ *Observations) {
			a.Took = &Growth{0.0135, 0.008}
			a.Edges[1].Calls = &Growth{4.2, 2}
		}, Healthy, "Nothing.", "quickest tenth"},
		{"well, and dearer after a start", well, func(a *Application, _ *Observations) {
			a.blame("db", "db", causeDemand, 0.02, 0.5)
			a.Throughput = 45
			a.Times[2].Cost = &Growth{0.003, 0.001}
			a.Starts = []Start{{Tier: "db", At: a.Evaluations[len(a.Evaluations)-1].At.Add(-time.Minute)}}
		}, Healthy, "processor time: is it warming up (db was started at ", ""},
		{"well, and dearer long after a start", well, func(a *Application, _ *Observations) {
			a.blame("db", "db", causeDemand, 0.02, 0.5)
			a.Throughput = 45
			a.Times[2].Cost = &Growth{0.003, 0.001}
			a.Starts = []Start{{Tier: "db", At: a.Evaluations[len(a.Evaluations)-1].At.Add(-3 * time.Minute)}}
		}, Healthy, "is it a query plan that has changed", "warming"},
		{"well, and a search has lost its index", well, func(a *Application, _ *Observations) {
			a.Times[2].Cost = &Growth{0.006, 0.0001}
		}, Healthy, "Nothing is urgent. But each request of db takes 6.0 ms of processor time; 0.1 ms is usual. Is " +
			"it a query plan that has changed", "Each request"},
		{"well, and so have several short queries of a page", well, func(a *Application, _ *Observations) {
			a.Times[2].Own, a.Times[2].Cost = 0.003, &Growth{0.0007, 0.0002}
		}, Healthy, "Nothing is urgent. But each request of db takes 0.7 ms of processor time; 0.2 ms is usual. Is " +
			"it a query plan that has changed", "Each request"},
		{"well, and a page asks for each line of a list", well, func(a *Application, _ *Observations) {
			a.Edges[1].Calls = &Growth{61, 2}
		}, Healthy, "tomcat calls db 61 times for each of its requests; in a quarter of the last hour it was 2.0 " +
			"times at most.", ""},
		{"well, and hardly slower than it was", well, func(a *Application, _ *Observations) {
			a.Took = &Growth{0.006, 0.002}
			a.Times[2].Cost = &Growth{0.006, 0.001}
		}, Healthy, "Nothing is urgent. But each request of db takes 6.0 ms", "quickest tenth"},
		{"turns that are seen in the queues, more in the minute than in the range",
			Finding{AlternatingBottleneck, "tomcat", causeCollection}, func(a *Application, o *Observations) {
				collections(a, o)
				a.Edges[1].Pearson = ptr(-0.25)
			}, AlternatingBottleneck, "whose own queues take turns", "stand still again"},
		{"well, and some requests wait for a pool", well, func(a *Application, _ *Observations) {
			a.blame("tomcat", "tomcat", causePlace, 0.004, 0.3)
			a.Edges[1].Limit, a.Edges[1].Waited, a.Throughput = ptr(1), 4, 45
		}, Healthy, "Nothing is urgent. But the only connection from tomcat to db is in use while db has time: 4.0 " +
			"ms (21 %) of the mean response time of 19 ms are spent waiting in tomcat for it. Raise that", "quicker"},
		{"well, and some requests wait for a pool, too few to tell of", well, func(a *Application, _ *Observations) {
			a.blame("tomcat", "tomcat", causePlace, 0.001, 0.3)
			a.Edges[1].Limit, a.Edges[1].Waited, a.Throughput = ptr(1), 4, 45
		}, Healthy, "Nothing.", "urgent"},
		{"not all along", well, func(a *Application, _ *Observations) { a.Evaluations[300].Finding = learns }, Healthy,
			"It has been so since 02:48:00, for 12m, but not from 02:55:00 to 02:55:01 (learning).", ""},
		{"not for half a minute, for a reason that was not named", well, func(a *Application, _ *Observations) {
			for i := range 30 {
				a.Evaluations[300+i].Finding = learns
			}
		}, Healthy, "Nothing now. For what was wrong from 02:55:00 to 02:55:30, ask for that time alone: --time " +
			"2026-01-15T02:55:30Z --last 30s.", ""},
		{"not all along, again and again", well, func(a *Application, _ *Observations) {
			a.Evaluations[300].Finding, a.Evaluations[310].Finding = learns, learns
		}, Healthy, "It has been so since 02:48:00, for 12m, with breaks.", ""},
		{"not all along, for two reasons", well, func(a *Application, _ *Observations) {
			a.Evaluations[300].Finding, a.Evaluations[301].Finding = learns, single("db", causeDemand)
		}, Healthy, "It has been so since 02:48:00, for 12m, with breaks.", ""},
		{"no answer at all", stopping, func(a *Application, o *Observations) {
			for i := range a.Times {
				a.Times[i].Own, a.Times[i].Base = 0, 0
			}
			a.Throughput = 0
			o.Tiers[0].Share = shares(0, 0, 1)
		}, SingleBottleneck, "something stops db: no request was answered (db stood still, while requests waited, " +
			"for 100 % of the time)", "NaN"},
		{"a tier that is to blame as well is not said to gain nothing", limited,
			limit(func(a *Application, _ *Observations) {
				a.blame("tomcat", "tomcat", causeCollection, 0.1, 0.3)
			}), SingleBottleneck, "More capacity for httpd, and", "for httpd and tomcat"},
		{"a pool before a tier that is to blame as well", pool, func(a *Application, _ *Observations) {
			a.blame("tomcat", "tomcat", causePlace, 0.02, 0.5)
			a.blame("db", "db", causeDemand, 0.01, 0.2)
			a.Edges[1].Limit, a.Edges[1].Waited = ptr(6), 3
		}, SingleBottleneck, "all 6 connections from tomcat to db", "More capacity for db"},
		{"all workers wait for a tier that is slower than it was, and some for another one", pool,
			func(a *Application, _ *Observations) {
				a.blame("tomcat", "tomcat", causePlace, 0.02, 0.5)
				a.Edges[1].Behind = 50
				a.Edges = append(a.Edges, Edge{From: "tomcat", To: "cache", Limit: ptr(4), Waited: 2})
			}, SingleBottleneck, "tomcat already works on as many requests as it takes on at a time", "cache"},
		{"an interpreter that computes all the time", pool, func(a *Application, _ *Observations) {
			a.Blame = nil
			a.blame("tomcat", "tomcat", causePlace, 0.02, 0.5)
			a.OwnPlaces = []OwnPlace{{"tomcat", 50}}
			a.Programs = map[string]Program{"tomcat": {"puma", "its workers", "its own pool"}}
			a.Times[1].Active = ptr(0.95)
			a.Unread = []Unread{{Tier: "tomcat", Waiting: 4}}
		}, SingleBottleneck, "and one of its threads computes nearly all the time|" +
			"More processors alone would gain nothing: a process of tomcat (puma) computes in one thread at a time " +
			"(rbspy snapshot shows what", "have time"},
		{"a pool of one", pool, func(a *Application, _ *Observations) {
			a.Edges[1].Limit,
				a.Edges[1].Waited = ptr(1), 3
		},
			SingleBottleneck, "the only connection from tomcat to db is in use while db has time", "all 1"},
		{"a pool whose connections are not given back", pool, func(a *Application, _ *Observations) {
			e := &a.Edges[1]
			e.Limit, e.Connections, e.Ceased, e.Waited = ptr(6), ptr(16), true, 3
		}, SingleBottleneck, "requests of tomcat get no connection to db any more, though 16 are open and none of " +
			"them is in use|who keeps the connections from tomcat to db", "Raise|has time"},
		{"a pool whose size was not seen", pool, func(a *Application, _ *Observations) {
			a.Edges[1].Waited, a.Edges[1].Connections, a.Edges[1].Peak = 3, ptr(4), 3.6
		},
			SingleBottleneck,
			"requests wait in tomcat for a connection to db while db has time|Raise that pool, or|" +
				"More capacity for db would gain nothing",
			"before they may call"},
		{"one process makes all calls, over connections of which it has more", pool,
			func(a *Application, _ *Observations) {
				a.Edges[1].Waited, a.Edges[1].Connections, a.Edges[1].Peak = 3, ptr(2), 1.4
				a.Programs = map[string]Program{"tomcat": {"erlang", "", "its own pool"}}
			},
			SingleBottleneck,
			"requests wait in tomcat before they may call db, while db has time|" +
				"Find out what keeps requests of tomcat (erlang) from calling db: a pool of connections " +
				"(its own pool), a lock (observer, or the processes with the longest message_queue_len), " +
				"or one thread or process|" +
				"More capacity for db would gain nothing",
			"for a connection|Raise that pool"},
		{"nothing is known of its connections", pool, func(a *Application, _ *Observations) { a.Edges[1].Waited = 3 },
			SingleBottleneck,
			"before they may call db, while db has time|too few worker threads", "for a connection|Raise that pool"},
		{"a single tier", limited, func(a *Application, _ *Observations) { a.Times = a.Times[2:] }, SingleBottleneck,
			"Give db more capacity (cores, instances), or make its requests cheaper.", "More capacity for"},
		{"calls in parallel", well, parallel(0.06), Healthy,
			"tomcat also makes calls that none of its requests waits for|may be more than", ""},
		{"hardly any calls in parallel", well, parallel(0.04), Healthy, "", "For information"},
		{"healthy without requests", well, func(a *Application, _ *Observations) { a.Throughput = 0 }, NotEnoughData,
			"no requests", ""},
		{"learning without requests", learns, func(a *Application, _ *Observations) { a.Times = nil }, NotEnoughData,
			"no requests", ""},
		{"seen for some seconds only", learns, func(a *Application, _ *Observations) {
			a.Throughput, a.Evaluations = 0, a.Evaluations[:20]
		}, NotEnoughData, "too little was recorded", "no requests"},
		{"nothing recorded", well, func(a *Application, _ *Observations) { a.Evaluations = nil }, NotEnoughData,
			"nothing has been recorded", ""},
		{"learning, with processors that are full", learns, func(a *Application, _ *Observations) {
			for i := range a.Times {
				a.Times[i].Busy, a.Times[i].Wanted, a.Times[i].Asleep = ptr(0.99), ptr(3), ptr(0.95)
			}
		}, Learning, "are full, and threads wait for them. In any case add processors, or reduce the work on " +
			"them", "gain nothing"},
		{"learning, with processors that are busy for others", learns, func(a *Application, _ *Observations) {
			for i := range a.Times {
				a.Times[i].Busy, a.Times[i].Wanted = ptr(0.99), ptr(0.3)
			}
		}, Learning, "still learning", "are full"},
		{"learning is said to need time", learns, nothing, Learning, "still learning|minute or two",
			"healthy|cannot be told"},
		{"learning, and requests sleep for other threads", learns, func(a *Application, _ *Observations) {
			a.Times[1].Asleep, a.Evidence = ptr(0.98), []Held{{"tomcat", "lock", 0.9}}
			a.blame("tomcat", "tomcat", causeUnknown, 0.009, 1)
		}, Learning, "for 9.0 ms of it they sleep in tomcat, 0.9 of them on average until another thread wakes them",
			"cannot be seen"},
		{"idle threads of Go sleep in the same way", learns, func(a *Application, _ *Observations) {
			a.Times[1].Asleep, a.Evidence = ptr(0.98), []Held{{"tomcat", "lock", 0.9}}
			a.blame("tomcat", "tomcat", causeUnknown, 0.009, 1)
			a.Programs = map[string]Program{"tomcat": {Name: "go"}}
		}, Learning, "for 9.0 ms of it they sleep in tomcat, and Nstar cannot see why", "another thread"},
		{"a connection that few requests use is none that all keep", pool, func(a *Application, _ *Observations) {
			a.blame("tomcat", "tomcat", causePlace, 0.020, 0.8)
			a.Edges[1].Peak, a.Edges[1].Connections, a.Edges[1].Waited = 1, ptr(26), 4
			a.Edges[1].Calls = &Growth{1, 1}
			a.Edges = append(a.Edges, Edge{From: "tomcat", To: "broker", Peak: 0.4, Connections: ptr(1),
				Calls: &Growth{0.06, 0.06}})
		}, SingleBottleneck, "", "may keep one of them"},
		{"learning, and requests sleep beside others that work", learns, func(a *Application, _ *Observations) {
			a.Times[1].Own, a.Times[1].Asleep = 0.019, ptr(0.5)
			a.Blame = []Excess{{Tier: "tomcat", Cause: causeUnknown, Seconds: 0.009}}
		}, Learning, "for 9.0 ms of it they sleep in tomcat, and Nstar cannot see why", "work or waiting"},
		{"learning, and requests wait for a tier in which they sleep", learns, func(a *Application, _ *Observations) {
			a.Times[2].Asleep, a.Times[2].Own = ptr(0.98), 0.006
			a.blame("tomcat", "db", causeUnknown, 0.009, 1)
		}, Learning, "for 9.0 ms of it they wait for db, where they sleep for 6.0 ms, and Nstar cannot see why",
			"they sleep in"},
		{"well, and since then a tier is gone", well, func(a *Application, _ *Observations) {
			a.Evaluations = spells(spell{Finding{Verdict: Healthy}, 300}, spell{learns, 10})
			a.Held, a.Failed = a.Evaluations[0].At, []Failed{{From: "httpd", To: "tomcat", Times: 34}}
		}, Healthy, "httpd could not connect to tomcat (34 times)|Check whether tomcat runs", "Nothing"},
		{"well, but a tier is gone: errors take no time", well, func(a *Application, _ *Observations) {
			a.Failed = []Failed{{From: "httpd", To: "tomcat", Times: 6}}
		}, Healthy, "httpd could not connect to tomcat (6 times)|Check whether tomcat runs", "Nothing"},
		{"well, and nobody ever was at an address", well, func(a *Application, _ *Observations) {
			a.Failed = []Failed{{From: "httpd", To: "127.0.0.1:8125", Times: 6}}
		}, Healthy, "could not connect to 127.0.0.1:8125|Nothing.", "Check whether"},
		{"well, and no longer", well, func(a *Application, _ *Observations) {
			a.Evaluations = spells(spell{Finding{Verdict: Healthy}, 300}, spell{stopping, 5})
			a.Held = a.Evaluations[0].At
		}, Healthy, "shop: stops in db, for 4s so far, which is too short to be sure. Before that it was healthy: |" +
			"That was so from 02:54:56 to 02:59:55.|Ask again in half a minute, for that time alone (--last 30s).",
			"Nothing|since"},
		{"well, and no longer, for dear requests of a tier that has time", well, func(a *Application, _ *Observations) {
			a.Evaluations = spells(spell{Finding{Verdict: Healthy}, 300}, spell{limited, 5})
			a.Held = a.Evaluations[0].At
			a.Times[2].Cost, a.Times[2].Busy = &Growth{Now: 0.012, Before: 0.002}, ptr(0.4)
		}, Healthy, "shop: the requests of db take 6.0 times the processor time, for 4s so far, which is too short",
			"at its limit"},
		{"well, and since then a consumer can't follow", well, func(a *Application, _ *Observations) {
			a.Evaluations = spells(spell{Finding{Verdict: Healthy}, 300}, spell{learns, 25})
			a.Held, a.Restless = a.Evaluations[0].At, []string{"writer"}
		}, Healthy, "Nothing while it was healthy; writer takes its work from a log or a queue and can't follow",
			"ask again"},
		{"well, and since then no worker waits for jobs", well, func(a *Application, _ *Observations) {
			a.Evaluations = spells(spell{Finding{Verdict: Healthy}, 300}, spell{learns, 25})
			a.Held, a.JobsWait = a.Evaluations[0].At, []string{"gearmand"}
		}, Healthy, "programs that waited for jobs at gearmand have not waited there for half a minute", "ask again"},
		{"no worker waits for jobs", learns, func(a *Application, _ *Observations) {
			a.JobsWait = []string{"gearmand"}
		}, Learning, "Answers do not take long, but work that no answer waits for may be late.|" +
			"have ended, and the jobs may become older and older|Look at the programs that take jobs from gearmand",
			"Nothing|still learning"},
		{"well, and for a while nobody has known what is wrong", learns, func(a *Application, _ *Observations) {
			a.Evaluations = spells(spell{Finding{Verdict: Healthy}, 70}, spell{learns, 25})
			a.Held = a.Evaluations[70].At
			for i := range a.Times {
				a.Times[i].Own *= 30
			}
		}, Learning, "Something is wrong, and it is not known yet what it is.|It has been so since 02:59:36, for " +
			"24s. Before that: healthy.|Look at tomcat first", "Nothing|still learning"},
		{"well, and for a while it has been learned anew what is normal", learns,
			func(a *Application, _ *Observations) {
				a.Evaluations = spells(spell{Finding{Verdict: Healthy}, 70}, spell{learns, 25})
				a.Held = a.Evaluations[70].At
			}, Learning, "learns it again", "Nothing|still learning|wrong"},
		{"learning, with a consumer that can't follow", learns, func(a *Application, _ *Observations) {
			a.Restless = []string{"writer"}
		}, Learning, "writer takes its work from a log or a queue and can't follow|the reason is not known " +
			"yet", "healthy"},
		{"the end is another finding", limited, func(a *Application, _ *Observations) {
			a.Evaluations = spells(spell{limited, 300}, spell{stopping, 25})
			a.Held = a.Evaluations[0].At
		}, SingleBottleneck, "That was so from 02:54:36 to 02:59:35; since 02:59:36: stops in db.", "again"},
		{"the end is not known, and requests take longer than usual", limited, func(a *Application, _ *Observations) {
			a.Evaluations = spells(spell{limited, 300}, spell{learns, 25})
			a.Held = a.Evaluations[0].At
			a.Slower = &Slower{Times: 4, Usual: 0.008, In: []SlowerTier{{"tomcat", 0.9}}}
		}, SingleBottleneck, "since 02:59:36: learning. Requests now take 32 ms, 4.0 times as long as usual, and " +
			"the load does not explain that; of what is longer, 90 % in tomcat.", ""},
		{"on another day", limited, func(a *Application, _ *Observations) { a.Held = end.Add(-4 * time.Hour) },
			SingleBottleneck,
			"since 14 Jan 23:00, for 4h", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := Decide(scene(test.finding, test.change))
			if r.Verdict != test.verdict {
				t.Errorf("verdict %s, want %s", r.Verdict, test.verdict)
			}
			said := strings.Join(append([]string{r.Summary, r.Advice}, r.Notes...), " ")
			for _, words := range strings.Split(test.says, "|") {
				if !strings.Contains(said, words) {
					t.Errorf("%q is not in %q", words, said)
				}
			}
			for _, words := range strings.Split(test.never, "|") {
				if words != "" && strings.Contains(said, words) {
					t.Errorf("%q is in %q", words, said)
				}
			}
		})
	}
}

// TestTimesAddUp checks the sums that a reader would make: own times, and base plus charges, both give the
// total.
func TestTimesAddUp(t *testing.T) {
	for name, o := range scenes() {
		for _, a := range Decide(o).Apps {
			if a.ResponseTime == nil {
				continue
			}
			for part, split := range map[string]*Split{"mean": &a.ResponseTime.Mean, "worst": a.ResponseTime.Worst} {
				if split == nil {
					continue
				}
				own, charged := 0.0, 0.0
				for _, tier := range split.Tiers {
					own, charged = own+tier.Milliseconds, charged+tier.Base
					for _, ms := range tier.Causes {
						charged += ms
					}
				}
				if math.Abs(own-split.Total) > 1e-6 || math.Abs(charged-split.Total) > 1e-6 {
					t.Errorf("%s: %s of %s: own %v, base and causes %v, total %v", name, part, a.App, own,
						charged, split.Total)
				}
			}
		}
	}
}

func TestHealthyBlamesNobody(t *testing.T) {
	r := Decide(scene(well, func(a *Application, o *Observations) { collections(a, o) }))
	if len(r.Causes) != 0 || len(r.Alternations) != 0 || r.Bottleneck != nil {
		t.Errorf("causes %v, alternations %v, bottleneck %v", r.Causes, r.Alternations, r.Bottleneck)
	}
}

func TestTheWorstApplicationComesFirst(t *testing.T) {
	r := Decide(scenes()["several"])
	var names []string
	for _, a := range r.Apps {
		names = append(names, a.App)
	}
	diff := cmp.Diff([]string{"shop", "mail", "blog"}, names)
	if diff != "" || r.App != "shop" || r.Verdict != SingleBottleneck {
		t.Error(r.App, r.Verdict, diff)
	}
}

func TestTiersAreListedAlongTheChain(t *testing.T) {
	r := Decide(scene(well, func(a *Application, o *Observations) {
		o.Tiers = append(o.Tiers, Tier{App: "shop", Tier: "cache", Share: shares(0, 0, 0)})
		a.Edges = append(a.Edges, Edge{From: "db", To: "cache"}, Edge{From: "db", To: "db"})
	}))
	var names []string
	for _, tier := range r.Tiers {
		names = append(names, tier.Tier)
	}
	if diff := cmp.Diff([]string{"httpd", "tomcat", "db", "cache"}, names); diff != "" {
		t.Error(diff)
	}
}

func TestTiersThatCallEachOtherInACircle(t *testing.T) {
	compare := alongChain([]Edge{{From: "a", To: "b"}, {From: "b", To: "a"}})
	if compare("a", "b") >= 0 || compare("b", "a") <= 0 {
		t.Error("no order by name")
	}
}

func TestGainIsSetEverywhere(t *testing.T) {
	r := Decide(scenes()["several"])
	r.SetGain("shop", Gain{"more db", 1.5, 0.2})
	r.WithoutGain("mail")
	if len(r.Gain) != 1 || len(r.Apps[0].Gain) != 1 || r.Apps[1].Gain != nil {
		t.Errorf("%v %v %v", r.Gain, r.Apps[0].Gain, r.Apps[1].Gain)
	}
	says(t, r, "Expected with more db, by replaying the recorded windows: +50 % throughput, -80 % response time.")
	r.SetGain("shop", Gain{"more db", 0.998, 0.5})
	says(t, r, "by replaying the recorded windows: the same throughput, -50 % response time.")
}

// Values that cannot be known are not reported, and the reason is given.
func TestGainIsWithheld(t *testing.T) {
	// waiting for a place is 57 %, so that no change of places can gain 80 %
	r := Decide(scenes()["soft_resource"])
	r.SetGain("shop", Gain{"12 calls at once from tomcat to db", 1.5, 0.2})
	if r.Gain != nil {
		t.Errorf("gain %v", r.Gain)
	}
	says(t, r, "What that would gain is not known: a replay of the recorded windows promises more than this "+
		"bottleneck costs.")

	r = Decide(scenes()["soft_resource_own"])
	r.WithoutGain("shop")
	says(t, r, "What that would gain is not known: requests sleep while they have a place")

	r = Decide(scenes()["demand"])
	r.WithoutGain("shop")
	if r.GainMissing != "" {
		t.Error(r.GainMissing)
	}
}

func says(t *testing.T, r Report, said string) {
	t.Helper()
	var text strings.Builder
	if err := r.WriteText(&text); err != nil || !strings.Contains(text.String(), said) {
		t.Errorf("%v: %s does not say %s", err, text.String(), said)
	}
}

// A load balancer's checks of its server's health are many beside its own part, which is short: that is no news.
func TestHealthChecksAreNoNews(t *testing.T) {
	well := Finding{Verdict: Healthy}
	for clipped, want := range map[float64]int{0.25: 0, 0.9: 1} {
		r := Decide(scene(well, func(a *Application, _ *Observations) {
			a.Times[0].Own, a.Times[0].Base, a.Times[0].Clipped = 0.0006, 0.0006, clipped
		}))
		if len(r.Notes) != want {
			t.Errorf("calls outside of requests are %.0f %% of the own part: %q", 100*clipped, r.Notes)
		}
	}
}

// Callers that do not wait for the bottleneck's answers, and perhaps ask again, are a part of the fault.
func TestCallsThatWereGivenUp(t *testing.T) {
	for share, want := range map[float64]bool{0.3: true, 0.02: false} {
		r := Decide(scene(single("db", causeDemand), func(a *Application, _ *Observations) {
			a.blame("db", "db", causeDemand, 0.200, 1)
			a.Times[2].GivenUp = share
		}))
		const says = "30 % of the requests to db were given up before they were answered. They keep db busy for " +
			"nobody, and more so if they are made again: compare the time-out and the number of tries (retries) of " +
			"tomcat with"
		if got := strings.Contains(strings.Join(r.Apps[0].Notes, " "), says); got != want {
			t.Errorf("%g of the requests: %q", share, r.Apps[0].Notes)
		}
	}
}

// If a search has lost its index, the advice is not to do nothing, though no tier is at its limit.
func TestAdviceOnFarDearerRequests(t *testing.T) {
	for _, tt := range []struct {
		now  float64
		want bool
	}{{0.006, true}, {0.0006, false}} {
		r := Decide(scene(Finding{Verdict: Healthy}, func(a *Application, _ *Observations) {
			a.Took, a.Times[2].Cost = &Growth{0.015, 0.008}, &Growth{tt.now, 0.0001}
		}))
		if got := strings.HasPrefix(r.Advice, "Nothing is at its limit. But each request of db takes 6.0 ms of "+
			"processor time; 0.1 ms is usual. Is it a query plan that has changed"); got != tt.want {
			t.Errorf("%g s: %s", tt.now, r.Advice)
		}
	}
}

// Requests may have become dearer because files do not stay in memory any more: then they are read again and again.
func TestAdviceOnDearerRequestsThatRead(t *testing.T) {
	for _, operation := range []string{"read", "write"} {
		r := Decide(scene(single("db", causeDemand), func(a *Application, _ *Observations) {
			a.blame("db", "db", causeDemand, 0.01, 0.5)
			a.Times[2].Cost = &Growth{0.004, 0.001}
			a.Evidence = []Held{{"db", "disk", 0.1}}
			a.DiskNeighbours = []DiskNeighbour{{"db", "db", operation, true, 0.9}}
		}))
		const says = "Is it less memory than before for what it keeps of its files, so that it reads them again, " +
			"a query plan that has changed"
		if got := strings.Contains(r.Advice, says); got != (operation == "read") {
			t.Errorf("%s: %s", operation, r.Advice)
		}
	}
}

// What has a good part of the longest waits, and hardly any of the response time, is not worth a sentence.
func TestShortWaitsAreLeftOut(t *testing.T) {
	r := Decide(scene(single("db", causeStopped), func(a *Application, _ *Observations) {
		a.blame("db", "db", causeStopped, 0.1, 0.5)
		a.blame("tomcat", "tomcat", causeNeighbour, 0.0005, 0.2)
		a.blame("httpd", "httpd", causeDemand, 0.003, 0.2)
	}))
	var told []string
	for _, c := range r.Causes {
		told = append(told, c.Tier)
	}
	if want := []string{"db", "httpd"}; !slices.Equal(told, want) {
		t.Errorf("%v, want %v", told, want)
	}
}
