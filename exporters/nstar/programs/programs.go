// SPDX-License-Identifier: Apache-2.0

// Package programs recognizes well-known servers by what the kernel says about their processes, and knows their names
// for the limits on how much they do at a time: the operator gets the name of the setting, not a list of products.
package programs

import (
	"path"
	"strings"
)

// Program is a server that many run.
type Program struct {
	Name string
	// Workers are the settings that limit how many requests it takes on at a time; empty if there are none.
	Workers string
	// Pool are the settings that limit how many calls it makes at a time to a tier behind it; empty if the
	// application decides that.
	Pool string
}

// poolOfPython is the pool of an application in Python that decides on it itself.
const poolOfPython = "its own pool, or pool_size and max_overflow of SQLAlchemy"

// known are the programs, by name.
var known = func() map[string]Program {
	out := make(map[string]Program)
	for _, p := range []Program{
		{"httpd", "MaxRequestWorkers", "max= of ProxyPass or ProxySet"},
		{"nginx", "worker_connections", "max_conns= of its upstream servers"},
		{"haproxy", "maxconn of its frontend or process", "maxconn of its server lines"},
		{"caddy", "", "max_conns_per_host of its transport"},
		{"envoy", "max_connections of its listener",
			"max_connections and max_requests of its cluster's circuit breaker"},
		{"varnish", "thread_pool_max", ".max_connections of its backend"},
		{"lighttpd", "server.max-connections", ""},
		{"h2o", "max-connections", ""},
		{"trafficserver", "proxy.config.net.max_requests_in", "proxy.config.http.per_server.connection.max"},
		{"tomcat", "maxThreads of its connector",
			"maxTotal or maxActive of its DataSource, maximumPoolSize of HikariCP"},
		{"jetty", "maxThreads of its QueuedThreadPool", "maximumPoolSize of HikariCP, or its own pool"},
		{"wildfly", "max-threads or io-workers' task-max-threads", "max-pool-size of its datasource"},
		{"payara", "max-thread-pool-size of its http-thread-pool", "max-pool-size of its JDBC pool"},
		{"spring-boot", "server.tomcat.threads.max", "spring.datasource.hikari.maximum-pool-size"},
		{"quarkus", "quarkus.thread-pool.max-threads", "quarkus.datasource.jdbc.max-size"},
		{"openliberty", "maxThreads of its executor", "maxPoolSize of its connectionManager"},
		{"php-fpm", "pm.max_children", "pm.max_children (a worker has one connection)"},
		{"puma", "its workers (WEB_CONCURRENCY), each of which computes for one request at a time, or threads " +
			"(-t of puma, RAILS_MAX_THREADS of Rails)", "pool: of database.yml in Rails, or its own pool"},
		{"unicorn", "worker_processes", "worker_processes (a worker has one connection)"},
		{"gunicorn", "--workers or --threads", "its workers, or pool_size and max_overflow of SQLAlchemy"},
		{"uwsgi", "processes or threads", "processes or threads (each has one connection)"},
		{"uvicorn", "--workers or --limit-concurrency", poolOfPython},
		{"hypercorn", "--workers", poolOfPython},
		{"granian", "--workers or --backpressure", poolOfPython},
		{"waitress", "--threads", poolOfPython},
		{"falcon", "--count", "its own pool, or pool: of database.yml in Rails"},
		{"starman", "--workers", "--workers (a worker has one connection)"},
		{"node", "", "max or connectionLimit of its pool"},
		{"mariadb", "max_connections, or thread_pool_max_threads", ""},
		{"mysql", "max_connections, or innodb_thread_concurrency", ""},
		{"postgres", "max_connections", ""},
		{"pgbouncer", "max_client_conn", "default_pool_size or max_db_connections"},
		{"pgpool", "num_init_children", "max_pool of each of its children"},
		{"mongodb", "net.maxIncomingConnections", ""},
		{"memcached", "its threads (-t) or connections (-c)", ""},
		{"redis", "maxclients", ""},
		{"derby", "derby.drda.maxThreads", ""},
		{"h2", "", ""},
		{"hsqldb", "", ""},
		{"firebird", "", ""},
		{"cassandra", "native_transport_max_threads", ""},
		{"clickhouse", "max_concurrent_queries", ""},
		{"elasticsearch", "thread_pool.search.size or thread_pool.write.size", ""},
		{"opensearch", "thread_pool.search.size or thread_pool.write.size", ""},
		{"tarantool", "net_msg_max", ""},
		{"openldap", "olcThreads", ""},
		{"zookeeper", "maxClientCnxns", ""},
		{"kafka", "num.io.threads or num.network.threads", ""},
		// runtimes of servers that are not known
		{"go", "", "SetMaxOpenConns of database/sql, MaxConns of pgx, MaxConnsPerHost of net/http"},
		{"java", "", "maximumPoolSize of HikariCP, or its own pool"},
		{"python", "", "pool_size and max_overflow of SQLAlchemy, or its own pool"},
		{"ruby", "", "pool: of database.yml in Rails, or its own pool"},
		{"erlang", "", "pool_size of Ecto, or its own pool"},
	} {
		out[p.Name] = p
	}
	return out
}()

// apart are the programs each of whose connections has a thread or a process of its own.
var apart = map[string]bool{"mariadb": true, "mysql": true, "postgres": true}

// Apart reports whether each connection of a program has a thread or process of its own, which serves nothing else:
// the work for one request delays other requests only through processors and locks.
func Apart(name string) bool { return apart[name] }

// commands are the programs by the name of the process or of its file; a version at the end does not count.
var commands = map[string]string{
	"httpd": "httpd", "apache2": "httpd", "nginx": "nginx", "haproxy": "haproxy", "caddy": "caddy",
	"envoy": "envoy", "varnishd": "varnish",
	"cache-main": "varnish", "php-fpm": "php-fpm", "puma": "puma", "unicorn": "unicorn", "gunicorn": "gunicorn",
	"uwsgi": "uwsgi", "uwsgi-core": "uwsgi", "node": "node", "nodejs": "node", "mariadbd": "mariadb", "mysqld": "mysql",
	"postgres": "postgres", "postmaster": "postgres", "pgbouncer": "pgbouncer", "pgpool": "pgpool",
	"memcached": "memcached", "mongod": "mongodb", "uvicorn": "uvicorn",
	"redis-server": "redis", "valkey-server": "redis", "starman": "starman",
	"lighttpd": "lighttpd", "h2o": "h2o", "traffic_server": "trafficserver", "hypercorn": "hypercorn",
	"granian": "granian", "waitress-serve": "waitress", "waitress": "waitress", "falcon": "falcon",
	"firebird":          "firebird",
	"clickhouse-server": "clickhouse", "clickhouse-serv": "clickhouse", "clickhouse": "clickhouse",
	"tarantool": "tarantool", "slapd": "openldap",
}

// classes are the programs by the beginning of the class, or of the file, with which Java starts them.
var classes = []struct{ begins, program string }{
	{"org.apache.catalina.startup.", "tomcat"},
	{"org.eclipse.jetty.start.", "jetty"},
	{"org.jboss.modules.Main", "wildfly"},
	{"org.springframework.boot.loader.", "spring-boot"},
	{"com.sun.enterprise.glassfish.bootstrap.", "payara"}, {"payara-micro", "payara"},
	{"quarkus-run.jar", "quarkus"}, {"ws-server.jar", "openliberty"},
	{"org.apache.derby.drda.", "derby"}, {"derbyrun.jar", "derby"},
	{"org.h2.tools.Server", "h2"}, {"org.hsqldb.server.", "hsqldb"}, {"org.hsqldb.Server", "hsqldb"},
	{"org.apache.cassandra.service.", "cassandra"}, {"org.elasticsearch.bootstrap.", "elasticsearch"},
	{"org.opensearch.bootstrap.", "opensearch"}, {"org.apache.zookeeper.server.", "zookeeper"},
	{"kafka.Kafka", "kafka"},
}

// scripts are programs that an interpreter runs: the process has the interpreter's name, not theirs.
var scripts = map[string]bool{"gunicorn": true, "puma": true, "unicorn": true, "uwsgi": true, "starman": true,
	"uvicorn": true, "hypercorn": true, "granian": true, "waitress": true, "waitress-serve": true, "falcon": true}

// Named is the program with a name; empty if the name is unknown.
func Named(name string) Program { return known[name] }

const (
	// argumentsRead bounds the arguments that are looked at for a script.
	argumentsRead = 4
	digits        = "0123456789."
)

// Of finds the program that a process runs, by its name, its file, and its arguments; false if it is unknown.
func Of(command, file string, arguments []string) (Program, bool) {
	for _, name := range []string{command, file} {
		name, _, _ = strings.Cut(name, ":") // gunicorn: master [app]
		for _, name := range []string{name, strings.TrimRight(name, digits)} {
			if p, ok := known[commands[name]]; ok {
				return p, true
			}
		}
	}
	if p, ok := byClass(arguments); ok {
		return p, true
	}
	for _, a := range arguments[:min(len(arguments), argumentsRead)] {
		word, _, _ := strings.Cut(a, " ") // puma writes all that it has to say into the first one
		if name := strings.TrimRight(path.Base(word), ":"); scripts[name] {
			return known[commands[name]], true
		}
	}
	return Program{}, false
}

// byClass looks for the class that Java, or a launcher such as jsvc, was started with.
func byClass(arguments []string) (Program, bool) {
	for _, a := range arguments {
		for _, c := range classes {
			if strings.HasPrefix(path.Base(a), c.begins) {
				return known[c.program], true
			}
		}
	}
	return Program{}, false
}
