// SPDX-License-Identifier: Apache-2.0

package diagnose

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
)

// Program says which well-known server a tier is, and the settings that limit how much it does at a time; they are
// empty if it has none.
type Program struct {
	Name string
	// Workers limit how many requests it takes on, Pool how many calls it makes.
	Workers, Pool string
}

// programs reads which servers the tiers are.
func (q *querier) programs(apps map[string]*Application) {
	for _, s := range q.vector("group by (app, tier, program, workers, pool) (last_over_time(" +
		q.over("nstar_tier_program_info", "") + "))") {
		a := apps[label(s.Metric, "app")]
		if a == nil {
			continue
		}
		if a.Programs == nil {
			a.Programs = map[string]Program{}
		}
		a.Programs[label(s.Metric, "tier")] = Program{label(s.Metric, "program"), label(s.Metric, "workers"),
			label(s.Metric, "pool")}
	}
}

// computesAlone are programs of which a process computes in one thread at a time: more cores alone gain nothing.
var computesAlone = map[string]bool{"node": true, "redis": true, "tarantool": true}

// schedulesItself are runtimes that wake a sleeping request by any of their threads. Threads that have nothing to do
// sleep as if they waited for a lock.
var schedulesItself = map[string]bool{"go": true, "erlang": true}

const threadDump = "a thread dump (jstack)"

// locksOf is where programs show which thread waits for which lock.
var locksOf = map[string]string{
	"postgres": "pg_stat_activity (wait_event_type Lock) and pg_locks",
	"mariadb":  "SHOW FULL PROCESSLIST and SHOW ENGINE INNODB STATUS",
	"mysql":    "SHOW FULL PROCESSLIST, performance_schema.metadata_locks and SHOW ENGINE INNODB STATUS",
	"redis":    "SLOWLOG GET and LATENCY LATEST, because it runs one command at a time",
	"tomcat":   threadDump, "jetty": threadDump, "wildfly": threadDump, "payara": threadDump,
	"spring-boot": threadDump,
	"quarkus":     threadDump, "openliberty": threadDump,
	"gunicorn": "py-spy dump", "uwsgi": "py-spy dump", "uvicorn": "py-spy dump",
	"starman":   "strace -p of its workers, and where their databases show locks",
	"hypercorn": "py-spy dump", "granian": "py-spy dump", "waitress": "py-spy dump",
	"derby":         "SYSCS_DIAG.LOCK_TABLE and SYSCS_DIAG.TRANSACTION_TABLE",
	"h2":            "INFORMATION_SCHEMA.LOCKS and INFORMATION_SCHEMA.SESSIONS",
	"hsqldb":        "INFORMATION_SCHEMA.SYSTEM_SESSIONS",
	"firebird":      "fb_lock_print and MON$TRANSACTIONS",
	"cassandra":     "nodetool tpstats and " + threadDump,
	"clickhouse":    "system.processes and system.mutations",
	"elasticsearch": "_nodes/hot_threads and _cat/thread_pool",
	"opensearch":    "_nodes/hot_threads and _cat/thread_pool",
	"tarantool":     "fiber.info(), because it runs one request at a time until that yields",
	"zookeeper":     threadDump, "kafka": threadDump,
	"mongodb":   "db.currentOp()",
	"pgbouncer": "SHOW POOLS",
	"node":      "a CPU profile (node --cpu-prof)",
	"puma":      "rbspy snapshot", "unicorn": "rbspy snapshot", "falcon": "rbspy snapshot",
	"php-fpm": "the traces of request_slowlog_timeout",
	"go":      "the goroutines of net/http/pprof, or of a SIGQUIT, which ends it",
	"erlang":  "observer, or the processes with the longest message_queue_len",
	"java":    threadDump, "python": "py-spy dump", "ruby": "rbspy snapshot",
}

// collectionsOf shows the garbage collections of programs in which the exporter knows of no pauses for them.
var collectionsOf = map[string]string{
	"node":   "node --trace-gc",
	"go":     "GODEBUG=gctrace=1",
	"erlang": "system_monitor with long_gc",
	"puma":   "GC.stat and GC::Profiler", "unicorn": "GC.stat and GC::Profiler", "falcon": "GC.stat and GC::Profiler",
	"ruby": "GC.stat and GC::Profiler",
}

// showsLocks is where a program shows its locks; if the program is not in the list, where the most common ones do.
func (p Program) showsLocks() string {
	if words := locksOf[p.Name]; words != "" {
		return words
	}
	return "SHOW FULL PROCESSLIST of MariaDB, pg_stat_activity and pg_locks of PostgreSQL, jstack of Java, " +
		"py-spy dump of Python, the goroutines of Go's pprof, eu-stack of C, C++ and Rust"
}

// pool is the setting of its pool, as one of the things that workers may wait for: any pool if nothing is known of the
// program; empty if it has no pool of its own, or if each worker has a connection.
func (p Program) pool() string {
	if p.Pool == "" && p.Workers == "" {
		return "a connection of a pool, "
	}
	if p.Pool == "" || p.Workers != "" && strings.HasPrefix(p.Pool, p.Workers) {
		return ""
	}
	return "a connection of its pool (" + p.Pool + "), "
}

// poolTo is the setting of a tier's pool of connections to another one; empty if it is not known. Servers that are no
// databases are called by clients of HTTP, which have pools of their own.
func (d diagnosis) poolTo(from, to string) string {
	caller, called := d.Programs[from], d.Programs[to]
	if set := httpPools[caller.Name]; set != "" && called.Name != "" && !stores[called.Name] {
		return set
	}
	return caller.Pool
}

// httpPools are the settings of the most common clients of HTTP, by what runs them.
var httpPools = map[string]string{
	"python": httpOfPython, "gunicorn": httpOfPython, "uvicorn": httpOfPython, "hypercorn": httpOfPython,
	"granian": httpOfPython, "waitress": httpOfPython,
	"node": "maxSockets of its Agent, connections of undici, or its own limit",
	"go":   "MaxConnsPerHost of net/http, or its own limit",
	"java": "the largest number of connections of its HTTP client, or its own limit",
	"ruby": "the pool of its HTTP client, or its own limit",
}

const httpOfPython = "limit of aiohttp's connector, pool_maxsize of requests, max_connections of httpx, or its own"

// stores are the programs that are asked in protocols of their own.
var stores = map[string]bool{"mariadb": true, "mysql": true, "postgres": true, "pgbouncer": true, "pgpool": true,
	"mongodb": true, "memcached": true, "redis": true, "derby": true, "h2": true, "hsqldb": true, "firebird": true,
	"cassandra": true, "clickhouse": true, "tarantool": true, "openldap": true, "zookeeper": true, "kafka": true}

// plans are those of them, and others, that look for the way to the data themselves: an index that is lost makes each
// request dearer.
var plans = map[string]bool{"mariadb": true, "mysql": true, "postgres": true, "mongodb": true, "derby": true,
	"h2": true, "hsqldb": true, "firebird": true, "cassandra": true, "clickhouse": true, "elasticsearch": true,
	"opensearch": true, "tarantool": true, "openldap": true}

// in names a tier, with its program if the name does not say it.
func (p Program) in(tier string) string {
	if p.Name == "" || p.Name == tier {
		return tier
	}
	return fmt.Sprintf("%s (%s)", tier, p.Name)
}

// worker is what a request of the program may have to wait for: one of its workers, or its event loop.
func (p Program) worker() string {
	switch {
	case p.Workers != "":
		return "one of its workers (" + p.Workers + ")"
	case p.Name == "":
		return "one of its workers (" + manyWorkers + ")"
	case hasEventLoop[p.Name]:
		return "its event loop, if another request blocks it (" + p.showsLocks() + ")"
	}
	return "one of its threads"
}

// hasEventLoop are runtimes in which one thread may compute for all requests of a process.
var hasEventLoop = map[string]bool{"node": true, "python": true}

// moreWorkers is what to give a tier that has too few workers.
func (p Program) moreWorkers() string {
	switch {
	case p.Name == "":
		return "more workers (" + manyWorkers + ")"
	case hasEventLoop[p.Name]:
		return "more processes, because each computes in one thread at a time"
	}
	return "more workers"
}

// manyWorkers are the settings of the most common servers, if it is not known which one it is.
const manyWorkers = "MaxRequestWorkers of httpd, maxThreads of Tomcat, pm.max_children of PHP-FPM, threads of Puma " +
	"or gunicorn"

// computes reports whether one thread of the bottleneck does its work and has no time left.
func (d diagnosis) computes() bool {
	t, _ := d.time(d.finding.Tier)
	return t.oneThread() && d.Programs[t.Tier].Workers == ""
}

// oneComputes reports whether the bottleneck computes in one thread at a time, and does so nearly all the time.
func (d diagnosis) oneComputes() bool {
	t, _ := d.time(d.finding.Tier)
	return oneAtATime[d.Programs[t.Tier].Name] && t.Active != nil && *t.Active >= alwaysBusy
}

// cureOwnPlace is what helps if all of a tier's own workers are taken.
func (d diagnosis) cureOwnPlace(tier string) (first, useless string) {
	p := d.Programs[tier]
	useless = fmt.Sprintf("More processors for %s would gain nothing: they have time.", tier)
	if d.oneComputes() {
		useless = fmt.Sprintf("More processors alone would gain nothing: a process of %s computes in one thread at a "+
			"time (%s shows what; it may be a garbage collection).", p.in(tier), p.showsLocks())
	}
	if those := d.perhaps(); len(those) > 0 {
		return fmt.Sprintf("Find out what requests in %s wait for: %s, or %s.", tier, strings.Join(those, ", "),
			p.worker()), useless
	}
	if d.computes() {
		return fmt.Sprintf("Give %s more threads or processes that compute, or make its requests cheaper: one thread "+
			"does nearly all of its work and has no time left.", tier), ""
	}
	first = fmt.Sprintf("give %s %s", tier, p.moreWorkers())
	if p.Workers != "" {
		first = fmt.Sprintf("in %s, raise %s%s%s", p.in(tier), p.Workers, d.daemons(tier), d.taken())
	}
	others := d.pool(tier) + "or something outside that Nstar does not measure"
	if d.evident(tier, "lock") > 0 { // more workers would wait for it, too
		return fmt.Sprintf("Find out what the workers of %s wait for: a lock inside it (%s), %s. If it is none of "+
			"these, %s.", tier, p.showsLocks(), others, first), useless
	}
	return capital(first) + ", or find out what the workers wait for: a lock, " + others + ".", useless
}

// perhaps is what the bottleneck's requests may wait for rather than for its workers, if nothing shows that these are
// all taken: a pool of one connection, if at least half of them make such a call, or a lock, if the kernel saw one or
// nothing is known of the tier's workers.
func (d diagnosis) perhaps() (those []string) {
	tier := d.finding.Tier
	if d.workers() > 0 || d.unaccepted(tier) != "" || slices.ContainsFunc(d.Unread, func(u Unread) bool {
		return u.Tier == tier
	}) {
		return nil
	}
	for _, e := range d.Edges {
		few := e.Calls != nil && e.Calls.Now < 0.5
		if e.From == tier && e.To != tier && e.Connections != nil && *e.Connections == 1 && e.Peak > 0 && !few {
			those = append(those, "its only connection to "+e.To+" (a pool of one)")
		}
	}
	if d.evident(tier, "lock") > 0 || len(those) > 0 || d.Programs[tier].Workers == "" {
		those = append(those, "a lock inside it ("+d.Programs[tier].showsLocks()+")")
	}
	return those
}

// daemons are the workers that httpd asks in processes of its own, if it calls itself; empty for other tiers.
func (d diagnosis) daemons(tier string) string {
	calls := slices.ContainsFunc(d.Edges, func(e Edge) bool { return e.From == tier && e.To == tier })
	if d.Programs[tier].Name != "httpd" || !calls {
		return ""
	}
	return " (with mod_wsgi: threads= and processes= of WSGIDaemonProcess)"
}

// taken is how many of the bottleneck's workers were taken, where that is known.
func (d diagnosis) taken() string {
	switch n := d.workers(); n {
	case 0:
		return ""
	case 1:
		return " (there was only one)"
	default:
		return fmt.Sprintf(" (all of them, about %.0f, were taken)", n)
	}
}

// workers is the number of the bottleneck's workers that N* implies; 0 if that is not known. N* counts the work in the
// tier itself and not the time in which workers wait for other tiers, so that the real number is rather higher than
// lower. If more requests than that sleep for other threads, N* was learned from another limit.
func (d diagnosis) workers() float64 {
	servers := d.serversOf(d.finding.Tier)
	if len(servers) != 1 || servers[0].NStar == nil {
		return 0
	}
	n := max(math.Round(*servers[0].NStar), math.Ceil(0.9**servers[0].NStar))
	if d.evident(d.finding.Tier, "lock") >= n+1 || n == 1 && oneAtATime[d.Programs[d.finding.Tier].Name] {
		return 0
	}
	return n
}

// oneAtATime are programs whose threads compute one at a time, so that one request at a time may be all that their
// processor can do, however many workers there are.
var oneAtATime = map[string]bool{"puma": true, "gunicorn": true, "uwsgi": true, "uvicorn": true, "node": true,
	"python": true, "ruby": true, "hypercorn": true, "granian": true, "waitress": true, "falcon": true}

// cureTurns is what helps if requests wait before they call another tier, and nothing shows that connections lack.
func (d diagnosis) cureTurns(from string, edge Edge) string {
	caller := d.Programs[from]
	those := []string{"a pool of connections"}
	if set := d.poolTo(from, edge.To); set != "" {
		those[0] += " (" + set + ")"
	}
	switch {
	case caller.Workers != "":
		those = append(those, "too few workers ("+caller.Workers+")")
	case caller.Name == "":
		those = append(those, "too few worker threads")
	}
	return fmt.Sprintf("Find out what keeps requests of %s from calling %s: %s, a lock (%s), or one thread or process "+
		"of it that makes these calls one after the other. If it is a number, raise it step by step: once %s is at "+
		"its limit, more calls at a time gain nothing.", caller.in(from), edge.To, strings.Join(those, ", "),
		caller.showsLocks(), edge.To)
}

// curePool is what helps if all connections from one tier to another are in use.
func (d diagnosis) curePool(from string, edge Edge) string {
	caller, called := d.Programs[from], d.Programs[edge.To]
	threads := "worker threads"
	if edge.Limit != nil {
		threads += " if their number is the same"
	}
	first := fmt.Sprintf("Raise that pool, or %s's %s, step by step", from, threads)
	switch {
	case d.threadsTaken(from):
		workers := ""
		if caller.Workers != "" {
			workers = " (" + caller.Workers + ")"
		}
		first = fmt.Sprintf("Raise the number of worker threads of %s%s, all of which are taken, or that pool if its "+
			"size is the same, step by step", from, workers)
	case caller.Pool != "":
		first = fmt.Sprintf("In %s, raise %s%s, step by step", caller.in(from), d.poolTo(from, edge.To), edge.used())
	}
	if edge.Limit != nil {
		if pool, ok := d.poolOf(*edge.Limit, edge); ok {
			first += fmt.Sprintf(", or the pool of connections to %s, which has the same size and may be kept while "+
				"%s is called", pool.To, edge.To)
		}
	}
	first += edge.upTo()
	if called.Workers != "" {
		first += fmt.Sprintf(" and as far as %s allows it (%s)", called.in(edge.To), called.Workers)
	}
	return fmt.Sprintf("%s: once %s is at its limit, more connections gain nothing.%s",
		strings.TrimSuffix(first, ","), edge.To,
		edge.whyUpTo())
}

// unreadMost is the share of a tier's own queue from which on nearly all of it has not been read.
const unreadMost = 0.7

// threadsTaken reports whether nearly all requests that wait in a tier have not been read yet: they wait for a thread,
// and those that have one wait for nothing.
func (d diagnosis) threadsTaken(tier string) bool {
	t, _ := d.time(tier)
	return slices.ContainsFunc(d.Unread, func(u Unread) bool {
		return u.Tier == tier && u.Waiting >= unreadMost*t.Own*d.Throughput
	})
}

// used is how many calls were under way at a time, where a cap was seen.
func (e Edge) used() string {
	switch {
	case e.Limit == nil || *e.Limit < 1:
		return ""
	case *e.Limit == 1:
		return " (the only one was taken)"
	}
	return fmt.Sprintf(" (all %.0f were taken)", *e.Limit)
}

// cureUnknownPlace is what helps if it is not known for which place requests wait.
func (d diagnosis) cureUnknownPlace(tier string) string {
	p := d.Programs[tier]
	first := fmt.Sprintf("Raise the pool or the number of workers that %s waits for", tier)
	switch {
	case p.Pool != "" && p.Workers != "" && p.Pool != p.Workers:
		first += fmt.Sprintf(" (in %s: %s%s; %s)", p.Name, p.Workers, d.daemons(tier), p.Pool)
	case p.Pool != "" || p.Workers != "":
		first += fmt.Sprintf(" (in %s: %s)", p.Name, cmp.Or(p.Workers, p.Pool))
	}
	return first + "."
}
