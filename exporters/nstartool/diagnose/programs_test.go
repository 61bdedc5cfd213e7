// SPDX-License-Identifier: Apache-2.0

package diagnose

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestReadPrograms(t *testing.T) {
	r := server(t, "2.42.0", "nstar:app_verdict", recorded{
		"nstar:app_verdict": {`{"app":"shop","verdict":"single_bottleneck","tier":"web","cause":"soft_resource"}`: 0.5},
		"nstar_tier_program_info": {
			`{"app":"shop","tier":"web","program":"php-fpm","workers":"pm.max_children","pool":"a"}`: 1,
			`{"app":"shop","tier":"db","program":"redis","workers":"maxclients"}`:                    1,
			`{"app":"gone","tier":"db","program":"redis"}`:                                           1,
		},
	})
	o, err := r.Read(context.Background(), "", 3*time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]Program{"web": {"php-fpm", "pm.max_children", "a"}, "db": {"redis", "maxclients", ""}}
	if diff := cmp.Diff(want, o.Apps[0].Programs); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// The setting is given by the program's own name for it, and with the number that was seen; if the program is not
// known, or has no such setting, the words are general.
func TestCurePlace(t *testing.T) {
	fpm := Program{"php-fpm", "pm.max_children", "pm.max_children"}
	node := Program{"node", "", "max or connectionLimit of its pool"}
	edge := func(limit *float64) []Edge { return []Edge{{From: "web", To: "db", Limit: limit, Waited: 1}} }
	own := []OwnPlace{{"web", 2}}
	beside := edge(ptr(2))
	beside[0].Larger = &Pool{"board", "tomcat", "mariadb", 16}
	for _, tt := range []struct {
		name     string
		programs map[string]Program
		edges    []Edge
		own      []OwnPlace
		nStar    *float64
		want     string
	}{
		{"workers", map[string]Program{"web": fpm}, nil, own, ptr(2.1),
			"In web (php-fpm), raise pm.max_children (all of them, about 2, were taken), or find"},
		{"the only worker", map[string]Program{"web": fpm}, nil, own, ptr(1),
			"raise pm.max_children (there was only one), or"},
		{"threads that compute one at a time", map[string]Program{"web": {"puma", "its workers", ""}}, nil, own,
			ptr(1.1), "In web (puma), raise its workers, or"},
		{"two workers, which also wait for others", map[string]Program{"web": fpm}, nil, own, ptr(1.45),
			"raise pm.max_children (all of them, about 2, were taken), or"},
		{"a number that is not exact", map[string]Program{"web": fpm}, nil, own, ptr(4.2),
			"(all of them, about 4, were taken), or"},
		{"workers without a number", map[string]Program{"web": fpm}, nil, own, nil,
			"In web (php-fpm), raise pm.max_children, or"},
		{"no such setting", map[string]Program{"web": node}, nil, own, ptr(2),
			"Give web more processes, because each computes in one thread at a time, or find"},
		{"nothing is known", nil, nil, own, ptr(2), "Give web more workers (MaxRequestWorkers of httpd"},
		{"pool", map[string]Program{"web": node, "db": {"mariadb", "max_connections", ""}}, edge(ptr(6)), nil, nil,
			"In web (node), raise max or connectionLimit of its pool (all 6 were taken), step by step and as far as " +
				"db (mariadb) allows it (max_connections): once db is at its limit"},
		{"the only connection, and another one", map[string]Program{"web": node},
			append(edge(ptr(1)), Edge{From: "web", To: "sql", Connections: ptr(1), Peak: 1}), nil, nil,
			"(the only one was taken), step by step, or the pool of connections to sql, which has the same size and " +
				"may be kept while db is called: once db is at its limit"},
		{"the only connection", map[string]Program{"web": node}, edge(ptr(1)), nil, nil,
			"of its pool (the only one was taken), step by step: once db"},
		{"the only connection of what may have one worker",
			map[string]Program{"web": {"gunicorn", "--workers or --threads", "pool_size"}}, edge(ptr(1)), nil, nil,
			" If web takes on only one request at a time (--workers or --threads), that is the limit."},
		{"no number", map[string]Program{"web": node}, edge(nil), nil, nil,
			"Find out what keeps requests of web (node) from calling db: a pool of connections (max or " +
				"connectionLimit of its pool), a lock"},
		{"no number, all in use", map[string]Program{"web": node},
			[]Edge{{From: "web", To: "db", Waited: 1, Connections: ptr(2), Peak: 2}}, nil, nil,
			"In web (node), raise max or connectionLimit of its pool, step by step: once db"},
		{"pool of an unknown program", nil, edge(ptr(6)), nil, nil,
			"Raise that pool, or web's worker threads if their number is the same, step by step: once db"},
		{"fewer than a neighbour has", map[string]Program{"web": node}, beside, nil, nil,
			"of its pool (all 2 were taken), step by step, up to " +
				"the 16 that board/tomcat has (its mariadb is on the same host): once db is at its limit, more " +
				"connections gain nothing. With fewer than board has, too few requests are at db to make up for the " +
				"time that board takes from it."},
		{"fewer than a neighbour has, as far as it goes", map[string]Program{"db": {"mariadb", "max_connections", ""}},
			beside, nil, nil,
			"worker threads if their number is the same, step by step, up to the 16 that board/tomcat has (its " +
				"mariadb is on the same host), and as far as db (mariadb) allows it (max_connections): once db"},
		{"somewhere", map[string]Program{"web": fpm}, nil, nil, nil,
			"that web waits for (in php-fpm: pm.max_children)."},
		{"somewhere in one of two", map[string]Program{"web": {"x", "a", "b"}}, nil, nil, nil,
			"that web waits for (in x: a; b)."},
		{"somewhere with a pool", map[string]Program{"web": node}, nil, nil, nil,
			"(in node: max or connectionLimit of its pool)."},
		{"somewhere unknown", nil, nil, nil, nil, "Raise the pool or the number of workers that web waits for."},
	} {
		d := diagnosis{Application: Application{Edges: tt.edges, OwnPlaces: tt.own, Programs: tt.programs},
			finding: single("web", causePlace), servers: []Tier{{Tier: "web", NStar: tt.nStar}}}
		if got, _ := d.curePlace("web"); !strings.Contains(got, tt.want) {
			t.Errorf("%s: %q lacks %q", tt.name, got, tt.want)
		}
	}
}

// A worker that has one connection is no pool beside the workers.
func TestPoolOfItsOwn(t *testing.T) {
	for want, p := range map[string]Program{
		"": {"uwsgi", "processes or threads",
			"processes or threads (each has one connection)"},
		"a connection of its pool (max_conns), ": {"caddy", "", "max_conns"},
		"a connection of its pool (pool_size), ": {"gunicorn", "--workers", "pool_size"},
	} {
		if got := p.pool(); got != want {
			t.Errorf("%s: %q, want %q", p.Name, got, want)
		}
	}
}

// If more requests sleep for other threads than N* implies workers, N* was learned from another limit.
func TestWorkersByN(t *testing.T) {
	for locked, want := range map[float64]float64{0: 1, 0.9: 1, 15: 0} {
		d := diagnosis{Application: Application{Evidence: []Held{{"db", "lock", 20}, {"web", "lock", locked}}},
			finding: single("web", causePlace), servers: []Tier{{Tier: "web", NStar: ptr(1)}}}
		if got := d.workers(); got != want {
			t.Errorf("%g sleep for other threads: %g workers, want %g", locked, got, want)
		}
	}
}

// httpd that calls itself may do so for an application that runs in daemons of its own, which have limits of their own.
func TestDaemonsOfHTTPD(t *testing.T) {
	web := Program{"httpd", "MaxRequestWorkers", "max= of ProxyPass or ProxySet"}
	itself := []Edge{{From: "web", To: "web"}}
	for _, tt := range []struct {
		program Program
		edges   []Edge
		want    bool
	}{
		{web, itself, true},
		{web, []Edge{{From: "web", To: "db"}}, false},
		{Program{"nginx", "worker_connections", ""}, itself, false},
	} {
		d := diagnosis{finding: single("web", causePlace)}
		d.Edges, d.Programs = tt.edges, map[string]Program{"web": tt.program}
		own, _ := d.cureOwnPlace("web")
		for _, said := range []string{own, d.cureUnknownPlace("web")} {
			if strings.Contains(said, "WSGIDaemonProcess") != tt.want {
				t.Errorf("%s with %v: says %q", tt.program.Name, tt.edges, said)
			}
		}
	}
}

// If nothing shows that all workers are taken, requests may as well wait for a pool of one connection, or for a lock.
func TestWaitForEachOther(t *testing.T) {
	many, one := 10., 1.
	pool := func(connections *float64) func(*Application, *Observations) {
		return func(a *Application, o *Observations) {
			a.blame("tomcat", "tomcat", causePlace, 0.02, 0.5)
			a.OwnPlaces = []OwnPlace{{"tomcat", 5}}
			a.Edges[1].Connections, a.Edges[1].Peak, a.Edges[1].Limit = connections, 1, nil
			for i := range o.Tiers {
				o.Tiers[i].NStar = nil
			}
		}
	}
	r := Decide(scene(single("tomcat", causePlace), pool(&one)))
	if !strings.Contains(r.Summary, "requests in tomcat wait for each other, while its processors have time: ") ||
		!strings.HasPrefix(r.Advice, "Find out what requests in tomcat wait for: its only connection to db (a pool of "+
			"one), a lock inside it (") {
		t.Errorf("%s\n%s", r.Summary, r.Advice)
	}
	for what, change := range map[string]func(*Application){
		"many connections":   func(a *Application) { a.Edges[1].Connections = &many },
		"few need that pool": func(a *Application) { a.Edges[1].Calls = &Growth{0.15, 0.15} },
	} {
		r = Decide(scene(single("tomcat", causePlace), func(a *Application, o *Observations) {
			pool(&one)(a, o)
			change(a)
		}))
		if !strings.HasPrefix(r.Advice, "Find out what requests in tomcat wait for: a lock inside it (") {
			t.Errorf("%s: %s\n%s", what, r.Summary, r.Advice)
		}
	}
	r = Decide(scene(single("tomcat", causePlace), func(a *Application, o *Observations) {
		pool(&many)(a, o)
		a.Programs = map[string]Program{"tomcat": {Name: "tomcat", Workers: "maxThreads"}}
	}))
	if !strings.Contains(r.Summary, "already works on as many requests as it takes on at a time") {
		t.Errorf("many connections: %s", r.Summary)
	}
	r = Decide(scene(single("tomcat", causePlace), func(a *Application, o *Observations) {
		pool(&one)(a, o)
		a.Unread = []Unread{{"tomcat", 4}}
	}))
	if !strings.Contains(r.Summary, "already works on as many requests as it takes on at a time") ||
		!strings.HasPrefix(r.Advice, "Give tomcat more workers (") {
		t.Errorf("unread requests: %s\n%s", r.Summary, r.Advice)
	}
	r = Decide(scene(single("tomcat", causePlace), func(a *Application, o *Observations) {
		pool(&one)(a, o)
		a.Unread = []Unread{{"tomcat", 4}}
		a.Evidence = append(a.Evidence, Held{"tomcat", "lock", 4.5})
	}))
	if !strings.HasPrefix(r.Advice, "Find out what the workers of tomcat wait for: a lock inside it (") {
		t.Errorf("unread requests, and a lock: %s", r.Advice)
	}
}

// The pool of a client of HTTP is not that of a database, and a program that serves all requests in one thread has no
// workers of other servers.
func TestPoolsAndWorkersOfRuntimes(t *testing.T) {
	d := diagnosis{Application: Application{Programs: map[string]Program{
		"web": {"python", "", "pool_size of SQLAlchemy"}, "api": {"go", "", "a"},
		"db":    {"postgres", "max_connections", ""},
		"front": {"httpd", "MaxRequestWorkers", "max= of ProxyPass"}}}}
	for _, tt := range []struct{ from, to, want string }{
		{"web", "api", "limit of aiohttp's connector"}, {"web", "db", "pool_size of SQLAlchemy"},
		{"web", "unknown", "pool_size of SQLAlchemy"}, {"front", "api", "max= of ProxyPass"},
	} {
		if got := d.poolTo(tt.from, tt.to); !strings.HasPrefix(got, tt.want) {
			t.Errorf("from %s to %s: %q", tt.from, tt.to, got)
		}
	}
	for want, p := range map[string]Program{
		"its event loop, if another request blocks it (py-spy dump)": {"python", "", ""},
		"one of its workers (--workers)":                             {"gunicorn", "--workers", ""},
		"one of its threads":                                         {"go", "", ""},
		"one of its workers (" + manyWorkers + ")":                   {},
	} {
		if got := p.worker(); got != want {
			t.Errorf("%s: %q, want %q", p.Name, got, want)
		}
	}
}

// Requests that sleep may wait for a worker: the setting is told, if it is known.
func TestSlowMayLackWorkers(t *testing.T) {
	for want, program := range map[string]Program{
		": a lock, one of its workers (pm.max_children), a timer, ": {Name: "php-fpm", Workers: "pm.max_children",
			Pool: "pm.max_children (a worker has one connection)"},
		": a lock, a connection of a pool, a timer, ": {},
		": a lock, one of its workers (maxThreads), a connection of its pool (maximumPoolSize), a timer, ": {
			Name: "tomcat", Workers: "maxThreads", Pool: "maximumPoolSize"},
	} {
		d := diagnosis{finding: single("db", causeSlow)}
		d.Times, d.Programs = []TierTime{{Tier: "db", Status: "known"}}, map[string]Program{"db": program}
		if got, _ := d.cure("db", "web"); strings.Contains(got, "pool") {
			t.Errorf("it calls no other tier, but %q", got)
		}
		d.Edges = []Edge{{From: "db", To: "disk"}}
		if got, _ := d.cure("db", "web"); !strings.Contains(got, want) {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
