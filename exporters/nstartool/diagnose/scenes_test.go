// SPDX-License-Identifier: Apache-2.0

package diagnose

import "time"

func ptr(v float64) *float64 { return &v }

// end of the ranges of the tests.
var end = time.Date(2026, 1, 15, 3, 0, 0, 0, time.UTC)

// scene is a range of ten minutes of a chain of three tiers; change adapts it
// to the case at hand.
func scene(f Finding, change func(a *Application, o *Observations)) Observations {
	o := Observations{From: end.Add(-10 * time.Minute), To: end, Tiers: []Tier{
		{App: "shop", Tier: "db", NStar: ptr(7.4), TPMax: ptr(640), Share: shares(0.2, 0, 0)},
		{App: "shop", Tier: "httpd", Share: shares(0, 0, 0)},
		{App: "shop", Tier: "tomcat", NStar: ptr(6.1), TPMax: ptr(1200), Share: shares(0, 0, 0)},
	}}
	a := Application{
		Name: "shop", Evaluations: evaluations(o.From, o.To, f, 0.5), Held: end.Add(-12 * time.Minute), Throughput: 400,
		Edges: []Edge{{From: "httpd", To: "tomcat"}, {From: "tomcat", To: "db"}},
		Times: []TierTime{
			{Tier: "httpd", Own: 0.001, Base: 0.001, Calls: 0.2, Status: statusNeverNear},
			{Tier: "tomcat", Own: 0.010, Base: 0.010, Calls: 0.2, Status: statusKnown},
			{Tier: "db", Own: 0.004, Base: 0.004, Calls: 0.6, Status: statusKnown},
		},
		Worst: []WorstTime{
			{Tier: "httpd", Own: 0.002, Base: 0.002},
			{Tier: "tomcat", Own: 0.012, Base: 0.012},
			{Tier: "db", Own: 0.006, Base: 0.006},
		},
	}
	change(&a, &o)
	o.Apps = []Application{a}
	return o
}

// evaluations are a finding each second from one time to another.
func evaluations(from, to time.Time, f Finding, share float64) []Evaluation {
	var list []Evaluation
	for at := from; !at.After(to); at = at.Add(time.Second) {
		list = append(list, Evaluation{at, f, share})
	}
	return list
}

func shares(idle, saturated, frozen float64) map[string]float64 {
	return map[string]float64{stateIdle: idle, stateNormal: 1 - idle - saturated - frozen,
		stateSaturated: saturated, stateFrozen: frozen, stateWaiting: 0, stateUnknown: 0}
}

func single(tier, cause string) Finding { return Finding{SingleBottleneck, tier, cause} }

// passed lets what was found begin seven minutes before the end and end a minute before it.
func (a *Application) passed(o *Observations, f Finding) {
	healthy := Finding{Verdict: Healthy}
	a.Held = end.Add(-7 * time.Minute)
	a.Evaluations = append(append(evaluations(o.From, a.Held.Add(-time.Second), healthy, 1),
		evaluations(a.Held, end.Add(-time.Minute), f, 0.9)...),
		evaluations(end.Add(-59*time.Second), end, healthy, 1)...)
}

// blame charges waiting that is spent in a tier to that or another one.
func (a *Application) blame(in, tier, cause string, seconds, tail float64) {
	for i := range a.Times {
		if a.Times[i].Tier == in {
			a.Times[i].Own += seconds
		}
	}
	for i, e := range a.Blame {
		if e.Tier == tier && e.Cause == cause {
			a.Blame[i].Seconds += seconds
			return
		}
	}
	a.Blame = append(a.Blame, Excess{tier, cause, seconds, tail})
}

// worse adds to a tier in the worst windows.
func (a *Application) worse(tier, cause string, seconds float64) {
	for i := range a.Worst {
		if w := &a.Worst[i]; w.Tier == tier {
			w.Own += seconds
			w.Causes = map[string]float64{cause: seconds}
		}
	}
}

func collections(a *Application, o *Observations) {
	a.blame("tomcat", "tomcat", causeCollection, 0.018, 0.74)
	a.blame("db", "tomcat", causeCollection, 0.004, 0)
	a.worse("tomcat", causeCollection, 0.170)
	a.Times[1].Collection = ptr(0.146)
	a.Correlations = []CauseCorrelation{{"tomcat", causeCollection, 0.84}}
	o.Tiers[2].Share = shares(0, 0.05, 0.15)
}

// atLimit is the database at its limit, with what waits for it in tomcat.
func atLimit(a *Application, o *Observations) {
	a.blame("db", "db", causeDemand, 0.133, 0.9)
	a.blame("tomcat", "db", causeDemand, 0.180, 0)
	a.worse("db", causeDemand, 0.2)
	a.worse("tomcat", causeWaiting, 0.3)
	o.Tiers[0].Share = shares(0, 0.9, 0)
	a.Waiting = []Waiting{
		{"httpd", onClients, 0.078, 1170}, {"httpd", onSelf, 0.0005, 7.5}, {"httpd", "tomcat", 0.9215, 13822.5},
		{"tomcat", onClients, 0.1075, 1397.5}, {"tomcat", onSelf, 0.0621, 807.3}, {"tomcat", "db", 0.83, 10790},
		{"tomcat", "cache", 0.0004, 5.2},
		{"db", onClients, 0.25, 3250}, {"db", onSelf, 0.75, 9750},
	}
}

// withCapacity is an application that is well, at a state of capacity.
func withCapacity(c Capacity) Observations {
	return scene(Finding{Verdict: Healthy}, func(a *Application, _ *Observations) { a.Capacity = &c })
}

// programsOf are what the tiers of the scenes run.
var programsOf = map[string]Program{
	"httpd": {"httpd", "MaxRequestWorkers", "max= of ProxyPass or ProxySet"}, "db": {"mariadb", "max_connections", ""},
	"tomcat": {"tomcat", "maxThreads of its connector", "maxTotal of its DataSource"},
}

// scenes are ranges by name, one for each verdict and cause.
func scenes() map[string]Observations {
	nothing := func(*Application, *Observations) {}
	turns := Finding{AlternatingBottleneck, "tomcat", causeCollection}
	several := scene(single("db", causeDemand), atLimit)
	other := scene(Finding{Verdict: Healthy}, func(a *Application, _ *Observations) {
		a.Name, a.Capacity = "blog", &Capacity{"gray", ptr(0.5), ptr(410), ptr(4.6), "study", "", false}
	})
	slow := scene(Finding{Verdict: Learning}, func(a *Application, _ *Observations) { a.Name = "mail" })
	several.Apps = append(several.Apps, other.Apps[0], slow.Apps[0])
	several.Tiers = append(several.Tiers, Tier{App: "blog", Tier: "tomcat", Share: shares(0.5, 0, 0)})
	return map[string]Observations{
		"healthy": scene(Finding{Verdict: Healthy}, nothing),
		"learning": scene(Finding{Verdict: Learning}, func(a *Application, o *Observations) {
			a.Held = end.Add(-2 * time.Minute)
			a.Evaluations = evaluations(a.Held, end, Finding{Verdict: Learning}, 1)
			a.Times[1].Status, a.Times[2].Status = statusLearning, statusAlways
			o.Tiers[0].NStar, o.Tiers[2].NStar = nil, nil
			o.Tiers[0].Share = shares(1, 0, 0)
			o.Tiers[0].Share[stateIdle], o.Tiers[0].Share[stateUnknown] = 0, 1
			a.blame("db", "db", causeUnknown, 0.008, 1)
		}),
		// Requests sleep in a tier, beside a broker whose protocol can't be read.
		"asleep": scene(Finding{Verdict: Learning}, func(a *Application, _ *Observations) {
			a.Times[1].Asleep, a.Unseen = ptr(0.98), []string{"beam.smp"}
			a.AsksUnseen = map[string][]string{"tomcat": a.Unseen}
			a.OverUnix = []UnixCall{{"tomcat", "/run/cache.sock"}}
			a.blame("tomcat", "tomcat", causeUnknown, 0.009, 1)
		}),
		// The same beside servers that are all measured.
		"asleep_alone": scene(Finding{Verdict: Learning}, func(a *Application, _ *Observations) {
			a.Times[1].Asleep = ptr(0.98)
			a.blame("tomcat", "tomcat", causeUnknown, 0.009, 1)
		}),
		// The same, but one thread of it is busy all the time.
		"asleep_behind_a_thread": scene(Finding{Verdict: Learning}, func(a *Application, _ *Observations) {
			a.Times[1].Asleep, a.Times[1].Active = ptr(0.98), ptr(1)
			a.blame("tomcat", "tomcat", causeUnknown, 0.009, 1)
		}),
		// A cache has gone.
		"stopped_by_what_is_gone": scene(single("tomcat", causeStopped), func(a *Application, _ *Observations) {
			a.blame("tomcat", "tomcat", causeStopped, 0.500, 1)
			a.Standstills = []Standstill{{"tomcat", map[string]float64{"lock": 1}}}
			a.Failed = []Failed{{From: "tomcat", To: "127.0.0.1:6379", Times: 941}}
		}),
		// A database has gone, and each page that needs it is an error, at once.
		"gone": scene(single("db", causeStopped), func(a *Application, _ *Observations) {
			a.Failed = []Failed{{From: "tomcat", To: "db", Times: 941}}
			a.Errors = []Errors{{Tier: "tomcat", Times: 800, Share: 0.31}}
		}),
		// A broker has ended, and requests that wait for it keep the connections to a database.
		"gone_and_missed": scene(single("broker", causeStopped), func(a *Application, o *Observations) {
			a.Failed = []Failed{{From: "tomcat", To: "broker", Times: 11}}
			a.Errors = []Errors{{Tier: "tomcat", Times: 80, Share: 0.02}}
			a.Ends = []End{{"broker", o.To.Add(-40 * time.Second)}}
			a.Times = append(a.Times, TierTime{Tier: "broker", Own: 0.0004, Base: 0.0004, Calls: 0.1})
		}),
		"demand": scene(single("db", causeDemand), func(a *Application, o *Observations) {
			a.blame("db", "db", causeDemand, 0.133, 0)
			a.Times[2].Speed = ptr(0.55)
			o.Tiers[0].Share = shares(0, 0.9, 0)
		}),
		// Two processes of Node.js share the requests, and the page is sent in parts.
		"demand_of_replicas": scene(single("node-1", causeDemand), func(a *Application, o *Observations) {
			a.Times = []TierTime{
				{Tier: "httpd", Own: 0.001, Base: 0.001, Calls: 0.2, Status: statusNeverNear},
				{Tier: "node-1", Own: 0.009, Base: 0.009, Calls: 0.1, Status: statusKnown},
				{Tier: "node-2", Own: 0.009, Base: 0.009, Calls: 0.1, Status: statusKnown},
				{Tier: "db", Own: 0.004, Base: 0.004, Calls: 0.6, Status: statusKnown},
			}
			a.Worst = nil
			a.blame("node-1", "node-1", causeDemand, 0.365, 0.5)
			a.blame("node-2", "node-2", causeDemand, 0.345, 0.4)
			a.Edges = []Edge{{From: "httpd", To: "node-1"}, {From: "httpd", To: "node-2"}, {From: "node-1", To: "db"},
				{From: "node-2", To: "db"}}
			a.Programs = map[string]Program{"node-1": {Name: "node"}, "node-2": {Name: "node"}}
			a.Code = map[string]string{"node-1": "orders/index.js", "node-2": "stock/index.js", "gone": "x.js"}
			a.Code["httpd"] = "bin/httpd"
			a.Evidence = []Held{{"node-1", "lock", 7.7}}
			a.Paused = []Paused{{"node-1", 0.12}}
			o.Tiers = nil
		}),
		"demand_on_shared_processors": scene(single("tomcat", causeDemand), func(a *Application, _ *Observations) {
			a.blame("tomcat", "tomcat", causeDemand, 0.119, 0.1)
			a.blame("tomcat", "tomcat", causeUnknown, 0.210, 0.2)
			a.blame("db", "db", causeDemand, 0.318, 0.4)
			a.Crowd = []Crowded{{"tomcat", 0.44}, {"db", 0.43}, {"httpd", 0.02}}
		}),
		// Two Tomcats share the requests, both with too small a heap.
		"collections_of_replicas": scene(single("tomcat-1", causeCollection), func(a *Application, o *Observations) {
			a.Times = []TierTime{
				{Tier: "httpd", Own: 0.001, Base: 0.001, Calls: 0.2},
				{Tier: "tomcat-1", Own: 0.009, Base: 0.009, Calls: 0.1},
				{Tier: "tomcat-2", Own: 0.009, Base: 0.009, Calls: 0.1},
				{Tier: "db", Own: 0.004, Base: 0.004, Calls: 0.6},
			}
			a.Worst, o.Tiers = nil, nil
			a.blame("tomcat-1", "tomcat-1", causeCollection, 0.006, 0.25)
			a.blame("tomcat-2", "tomcat-2", causeCollection, 0.005, 0.2)
			a.Edges = []Edge{{From: "httpd", To: "tomcat-1"}, {From: "httpd", To: "tomcat-2"},
				{From: "tomcat-1", To: "db"},
				{From: "tomcat-2", To: "db"}}
		}),
		"healthy_near_its_capacity": scene(Finding{Verdict: Healthy}, func(a *Application, _ *Observations) {
			a.blame("db", "db", causeDemand, 0.018, 0.9)
		}),
		"learning_beside_others": scene(Finding{Verdict: Learning}, func(a *Application, _ *Observations) {
			a.blame("tomcat", "tomcat", causeNeighbour, 0.005, 0.3)
			a.blame("db", "db", causeNeighbour, 0.003, 0.2)
		}),
		"learning_again": scene(Finding{Verdict: Healthy}, func(a *Application, o *Observations) {
			a.Evaluations = append(evaluations(o.From, end.Add(-31*time.Second), Finding{Verdict: Healthy}, 1),
				evaluations(end.Add(-30*time.Second), end, Finding{Verdict: Learning}, 1)...)
		}),
		"demand_behind_a_pool": scene(single("db", causeDemand), atLimit),
		// Answers are as quick as ever, but records wait for a consumer that waits for the database.
		"consumer_behind": scene(single("db", causeDemand), func(a *Application, _ *Observations) {
			a.Consumers = []Consumer{{"writer", 0.99, "db", causeDemand}}
			a.Edges = append(a.Edges, Edge{From: "writer", To: "db"})
		}),
		"consumer_computes": scene(single("scorer", causeDemand), func(a *Application, _ *Observations) {
			a.Consumers = []Consumer{{"scorer", 0.97, "scorer", causeDemand}}
			a.Edges = append(a.Edges, Edge{From: "scorer", To: "db"})
		}),
		"consumer_sleeps": scene(single("writer", causePlace), func(a *Application, _ *Observations) {
			a.Consumers = []Consumer{{"writer", 0.65, "writer", causePlace}}
			a.Edges = append(a.Edges, Edge{From: "writer", To: "db"})
		}),
		"consumer_behind_a_quota": scene(single("db", causeThrottled), func(a *Application, _ *Observations) {
			a.Consumers = []Consumer{{"reader", 0.98, "db", causeDemand}, {"writer", 0.97, "db", causeThrottled}}
		}),
		"consumer_under_a_quota": scene(single("scorer", causeThrottled), func(a *Application, _ *Observations) {
			a.Consumers = []Consumer{{"scorer", 0.98, "scorer", causeThrottled}}
		}),
		"burst": scene(single("db", causeBurst), func(a *Application, o *Observations) {
			atLimit(a, o)
			a.passed(o, single("db", causeBurst))
		}),
		"garbage_collection": scene(single("tomcat", causeCollection), collections),
		"stopped": scene(single("db", causeStopped), func(a *Application, o *Observations) {
			a.blame("db", "db", causeStopped, 0.010, 0.9)
			o.Tiers[0].Share = shares(0.2, 0, 0.1)
		}),
		"stopped_by_signal": scene(single("db", causeStopped), func(a *Application, o *Observations) {
			a.blame("db", "db", causeStopped, 0.010, 0.9)
			o.Tiers[0].Share = shares(0.2, 0, 0.1)
			a.Evidence = []Held{{"db", "stopped", 0.15}, {"db", "disk", 0.04}, {"httpd", "steal", 0.5}}
		}),
		"stopped_by_signal_some_processes": scene(single("db", causeStopped), func(a *Application, _ *Observations) {
			a.blame("db", "db", causeStopped, 0.1, 0.9)
			a.Evidence = []Held{{"db", "stopped", 0.33}}
			a.Standstills = []Standstill{{"db", map[string]float64{"cpu": 0}}}
			a.Unread = []Unread{{"db", 3}}
		}),
		"stopped_by_a_start": scene(single("db", causeStopped), func(a *Application, o *Observations) {
			a.blame("db", "db", causeStopped, 0.010, 0.9)
			o.Tiers[0].Share = shares(0.2, 0, 0.1)
			a.Standstills = []Standstill{{"db", map[string]float64{"cpu": 0.97}}}
			a.Held = end.Add(-50 * time.Second)
			o.From = end.Add(-time.Minute)
			a.Evaluations = append(evaluations(o.From, a.Held.Add(-time.Second), Finding{Verdict: Healthy}, 1),
				evaluations(a.Held, end, single("db", causeStopped), 0.4)...)
			a.Starts = []Start{{"httpd", end.Add(-59 * time.Second), 0}, {"tomcat", end.Add(-58 * time.Second), 3},
				{"db", end.Add(-55 * time.Second), 1}}
		}),
		"stopped_by_the_disk": scene(single("db", causeStopped), func(a *Application, o *Observations) {
			a.blame("db", "db", causeStopped, 0.010, 0.9)
			o.Tiers[0].Share = shares(0.2, 0, 0.1)
			a.Standstills = []Standstill{{"db", map[string]float64{"disk": 0.93, "cpu": 0.02}}}
			a.DiskNeighbours = []DiskNeighbour{
				{"db", "backup", "write", false, 0.71}, {"db", "db", "write", true, 0.15},
				{"db", "kernel", "write", false, 0.11},
				{"db", "backup", "read", false, 0.03}, {"tomcat", "sshd", "write", false, 1},
			}
		}),
		"demand_for_the_disk": scene(single("db", causeDemand), func(a *Application, o *Observations) {
			a.blame("db", "db", causeDemand, 0.133, 0)
			a.Times[2].Busy = ptr(0.3)
			o.Tiers[0].Share = shares(0, 0.9, 0)
			a.Evidence = []Held{{"db", "disk", 1.4}, {"db", "writeback", 0.8}}
			a.DiskNeighbours = []DiskNeighbour{
				{"db", "nightly", "read", false, 0.5}, {"db", "nightly", "write", false, 0.25},
				{"db", "db", "read", true, 0.25},
			}
		}),
		"stopped_by_a_computation": scene(single("db", causeStopped), func(a *Application, o *Observations) {
			a.blame("db", "db", causeStopped, 0.010, 0.9)
			o.Tiers[0].Share = shares(0.2, 0, 0.1)
			a.Standstills = []Standstill{{"tomcat", map[string]float64{"disk": 1}},
				{"db", map[string]float64{"cpu": 0.97, "runqueue": 0.02}}}
		}),
		"alternating": scene(turns, func(a *Application, o *Observations) {
			collections(a, o)
			a.Edges[0].Pearson, a.Edges[1].Pearson = ptr(-0.2), ptr(-0.42)
			a.Edges[1].Turns = 420
			a.Held = end.Add(-3 * time.Minute)
			a.Evaluations = append(evaluations(end.Add(-5*time.Minute), a.Held.Add(-time.Second),
				Finding{Verdict: Healthy}, 1),
				evaluations(a.Held, end, turns, 0.63)...)
		}),
		"alternating_pauses": scene(Finding{AlternatingBottleneck, "tomcat", causeStopped},
			func(a *Application, o *Observations) {
				a.blame("tomcat", "tomcat", causeStopped, 0.020, 0.5)
				a.blame("db", "db", causeStopped, 0.015, 0.4)
				a.Edges[1].Pearson = ptr(0.05)
			}),
		"alternating_demand": scene(Finding{AlternatingBottleneck, "db", causeDemand},
			func(a *Application, o *Observations) {
				atLimit(a, o)
				a.HeldLonger = true
			}),
		"soft_resource": scene(single("tomcat", causePlace), func(a *Application, _ *Observations) {
			a.blame("tomcat", "tomcat", causePlace, 0.020, 0.8)
			a.Edges[1].Limit, a.Edges[1].Waited = ptr(6), 4
			a.Edges = append(a.Edges, Edge{From: "tomcat", To: "cache", Limit: ptr(30), Waited: 1})
			a.Times[1].Clipped = 0.08
		}),
		"soft_resource_of_two": scene(single("tomcat", causePlace), func(a *Application, _ *Observations) {
			a.blame("tomcat", "tomcat", causePlace, 0.020, 0.8)
			a.Edges[1].Waited = 3.8
			a.Edges = append(a.Edges, Edge{From: "tomcat", To: "payments:443", Limit: ptr(4), Waited: 4})
		}),
		"soft_resource_streams": scene(single("tomcat", causePlace), func(a *Application, _ *Observations) {
			a.blame("tomcat", "tomcat", causePlace, 0.020, 0.8)
			a.Edges[1].Limit, a.Edges[1].Connections, a.Edges[1].Waited = ptr(6), ptr(1), 4
		}),
		"soft_resource_own": scene(single("tomcat", causePlace), func(a *Application, _ *Observations) {
			a.blame("tomcat", "tomcat", causePlace, 0.020, 0.8)
			a.Edges[1].Limit = ptr(30)
			a.OwnPlaces = []OwnPlace{{"tomcat", 4}}
			a.Accepts = []Accept{{"tomcat", 37, 100, 12, 0}}
		}),
		// Its only thread computes all the time, and accepts nothing meanwhile.
		"soft_resource_of_a_thread": scene(single("tomcat", causePlace), func(a *Application, _ *Observations) {
			a.blame("tomcat", "tomcat", causePlace, 0.020, 0.8)
			a.OwnPlaces = []OwnPlace{{"tomcat", 4}}
			a.Accepts = []Accept{{"tomcat", 100, 100, 1200, 100}}
			a.Times[1].Thread, a.Times[1].GivenUp = ptr(0.97), 0.4
		}),
		"soft_resource_unread": scene(single("tomcat", causePlace), func(a *Application, _ *Observations) {
			a.blame("tomcat", "tomcat", causePlace, 0.020, 0.8)
			a.OwnPlaces = []OwnPlace{{"tomcat", 4}}
			a.Unread = []Unread{{"tomcat", 8.3}}
		}),
		"soft_resource_unknown_edge": scene(single("httpd", causePlace), func(a *Application, _ *Observations) {
			a.blame("httpd", "httpd", causePlace, 0.020, 0.8)
		}),
		"soft_resource_of_programs": scene(single("tomcat", causePlace), func(a *Application, _ *Observations) {
			a.blame("tomcat", "tomcat", causePlace, 0.020, 0.8)
			a.Edges[1].Limit, a.Edges[1].Waited = ptr(6), 4
			a.Programs = programsOf
		}),
		"soft_resource_of_readers": scene(single("tomcat", causePlace), func(a *Application, _ *Observations) {
			a.blame("tomcat", "tomcat", causePlace, 0.020, 0.8)
			a.Edges[1].Limit, a.Edges[1].Waited = ptr(6), 4
			a.Programs = programsOf
			a.Unread = []Unread{{"tomcat", 10}}
		}),
		"soft_resource_idle_connections": scene(single("tomcat", causePlace), func(a *Application, _ *Observations) {
			a.blame("tomcat", "tomcat", causePlace, 0.020, 0.8)
			a.Edges[1].Limit, a.Edges[1].Connections, a.Edges[1].Waited = ptr(2), ptr(8), 4
		}),
		"soft_resource_perhaps_kept_while_another_is_called": scene(single("tomcat", causePlace),
			func(a *Application, _ *Observations) {
				a.blame("tomcat", "tomcat", causePlace, 0.020, 0.8)
				a.Edges[1].Limit, a.Edges[1].Connections, a.Edges[1].Waited = ptr(2), ptr(8), 4
				a.Edges = append(a.Edges, Edge{From: "tomcat", To: "stock", Peak: 3, Connections: ptr(5)},
					Edge{From: "tomcat", To: "mail", Peak: 1, Connections: ptr(1)})
			}),
		"soft_resource_kept_while_another_is_called": scene(single("tomcat", causePlace),
			func(a *Application, _ *Observations) {
				a.blame("tomcat", "tomcat", causePlace, 0.020, 0.8)
				a.Edges[1].Peak, a.Edges[1].Connections, a.Edges[1].Waited = 1.9, ptr(26), 4
				a.Edges = append(a.Edges, Edge{From: "tomcat", To: "stock", Peak: 0.4, Connections: ptr(2)})
			}),
		"soft_resource_own_of_a_program": scene(single("tomcat", causePlace), func(a *Application, _ *Observations) {
			a.blame("tomcat", "tomcat", causePlace, 0.020, 0.8)
			a.OwnPlaces = []OwnPlace{{"tomcat", 4}}
			a.Programs = programsOf
		}),
		"slow": scene(single("payments.example:443", causeSlow), func(a *Application, _ *Observations) {
			a.Times = append(a.Times, TierTime{Tier: "payments.example:443", Own: 0.02, Base: 0.02})
			a.blame("payments.example:443", "payments.example:443", causeSlow, 0.1, 0.8)
		}),
		"slow_though_nothing_works": scene(single("db", causeSlow), func(a *Application, _ *Observations) {
			a.blame("db", "db", causeSlow, 0.1, 0.8)
		}),
		"slow_tier_of_another_application": scene(single("billing/api", causeSlow),
			func(a *Application, _ *Observations) {
				a.Times = append(a.Times, TierTime{Tier: "billing/api", Own: 0.02, Base: 0.02})
				a.blame("billing/api", "billing/api", causeSlow, 0.1, 0.8)
			}),
		"unknown": scene(single("db", causeUnknown), func(a *Application, _ *Observations) {
			a.blame("db", "db", causeUnknown, 0.1, 0.8)
			a.Times[2].Status = statusAlways
			a.WorstMissing = "The worst windows could not be read: too many samples."
			a.Worst = nil
		}),
		"noisy_neighbour": scene(single("db", causeNeighbour), func(a *Application, _ *Observations) {
			a.blame("db", "db", causeNeighbour, 0.012, 0.8)
			a.blame("tomcat", "tomcat", causeNeighbour, 0.004, 0.1)
			a.Neighbours = []Neighbour{
				{"db", "nightly", 0.72}, {"db", "blog/php-fpm", 0.16}, {"db", otherNeighbours, 0.11},
				{"db", "cron", 0.01},
				{"tomcat", "sshd", 1},
			}
		}),
		"throttled": scene(single("tomcat", causeThrottled), func(a *Application, _ *Observations) {
			a.Evidence = []Held{{"tomcat", "throttled", 0.45}}
			a.blame("tomcat", "tomcat", causeThrottled, 0.030, 0.8)
		}),
		"throttled_before": scene(single("tomcat", causeThrottled), func(a *Application, o *Observations) {
			a.blame("tomcat", "tomcat", causeThrottled, 0.030, 0.8)
			a.passed(o, single("tomcat", causeThrottled))
		}),
		"healthy_after_several": scene(Finding{Verdict: Healthy}, func(a *Application, o *Observations) {
			healthy := Finding{Verdict: Healthy}
			a.Evaluations = nil
			for i, f := range []Finding{healthy, single("db", causeThrottled), healthy,
				single("tomcat", causeCollection), healthy} {
				begin := o.From.Add(time.Duration(2*i) * time.Minute)
				a.Evaluations = append(a.Evaluations,
					evaluations(begin, begin.Add(2*time.Minute-time.Second), f, 0.1+float64(i)/5)...)
			}
			a.Held = end.Add(-2 * time.Minute)
		}),
		"disk": scene(single("db", causeDisk), func(a *Application, o *Observations) {
			a.blame("db", "db", causeDisk, 0.1, 0.8)
			a.blame("db", "db", causeDemand, 0.03, 0.1)
			a.Times[2].Busy = ptr(0.35)
			a.Evidence = []Held{{"db", "disk", 3.4}, {"tomcat", "disk", 0.1}}
			a.DiskNeighbours = []DiskNeighbour{{"db", "db", "read", true, 0.92}, {"db", "db", "write", true, 0.08}}
			o.Tiers[2].Share = shares(0.03, 0, 0)
		}),
		"disk_of_others": scene(single("db", causeDisk), func(a *Application, _ *Observations) {
			a.blame("db", "db", causeDisk, 0.1, 0.8)
			a.Evidence = []Held{{"db", "disk", 1.4}}
			a.DiskNeighbours = []DiskNeighbour{{"db", "nightly", "write", false, 0.7}, {"db", "db", "read", true, 0.3}}
		}),
		"disk_of_writes": scene(single("db", causeDisk), func(a *Application, _ *Observations) {
			a.blame("db", "db", causeDisk, 0.1, 0.8)
			a.DiskNeighbours = []DiskNeighbour{{"db", "db", "read", true, 0.2}, {"db", "db", "write", true, 0.8}}
		}),
		"network": scene(single("db", causeNetwork), func(a *Application, _ *Observations) {
			a.blame("db", "db", causeNetwork, 0.1, 0.8)
		}),
		"a_cause_to_come": scene(single("db", "moonlight"), func(a *Application, _ *Observations) {
			a.blame("db", "db", "moonlight", 0.1, 0.8)
		}),
		"folded": scene(single("tomcat", causeCollection), func(a *Application, o *Observations) {
			collections(a, o)
			for _, tier := range []string{"cron", "mail", "sshd"} {
				a.Times = append(a.Times, TierTime{Tier: tier, Own: 0.00001, Base: 0.00001, Calls: 0.001})
				o.Tiers = append(o.Tiers, Tier{App: "shop", Tier: tier, Share: shares(1, 0, 0)})
			}
			o.Tiers = append(o.Tiers, Tier{App: "shop", Tier: "db", Instance: "b:9965", Share: shares(0.5, 0, 0)})
			o.Tiers[0].Instance = "a:9965"
		}),
		"capacity_client": withCapacity(Capacity{"client", ptr(1), ptr(640), ptr(208), "main_sequence", "",
			false}),
		"capacity_gray":    withCapacity(Capacity{"gray", ptr(0.5), ptr(410), ptr(4.6), "study", "db", false}),
		"capacity_unclear": withCapacity(Capacity{"gray", ptr(0.1), ptr(410), ptr(4.6), "study", "db", false}),
		"capacity_server": withCapacity(Capacity{"server", ptr(0.8), ptr(410), ptr(0), "main_sequence", "db",
			false}),
		"capacity_unknown":     withCapacity(Capacity{State: "unknown"}),
		"capacity_after_fault": withCapacity(Capacity{State: "unknown", Ill: true}),
		"capacity_of_one_type": withCapacity(Capacity{"unknown", nil, ptr(640), ptr(208), "study", "", false}),
		"no_requests": scene(Finding{Verdict: Healthy},
			func(a *Application, _ *Observations) { a.Throughput = 0 }),
		"nothing": {From: end.Add(-10 * time.Minute), To: end},
		"several": several,
	}
}
