// SPDX-License-Identifier: Apache-2.0

package main

// desk is django-helpdesk, as it is published, in the most usual stack of Python: nginx, uWSGI (forked processes, each
// with a page at a time; its protocol is unknown to exporters, with a new connection for every page), PgBouncer (one
// thread; a connection of the application's for every page, and one to the database for as long as a transaction
// takes) and PostgreSQL. The tiers have the names that an exporter finds by itself.
var desk = application{
	name: "desk",
	tiers: []tier{
		{name: "nginx", protocol: "http", port: 28099, calls: []string{"uwsgi"}},
		{name: "uwsgi", protocol: "auto", port: 28100, calls: []string{"pgbouncer"}},
		{name: "pgbouncer", protocol: "postgres", port: 26432, calls: []string{"postgres"}},
		{name: "postgres", protocol: "postgres", port: 25439},
	},
	ports: map[string]int{"NGINX_PORT": 28099, "UWSGI_PORT": 28100, "PGBOUNCER_PORT": 26432, "POSTGRESQL_PORT": 25439},
	// As many processes as have a processor to share, and connections for all of them.
	params:  params{"PROCESSES": "6", "POOL": "10"},
	pages:   answering(),
	prepare: installed("postgresql", "pgbouncer", "uwsgi", "nginx", "log"),
	start:   startDesk,
}

func startDesk(s *stack) error {
	if err := s.postgresql("postgres", others()); err != nil {
		return err
	}
	start := s.script("start.sh")
	if err := s.part("pgbouncer", others(), s.listens("PGBOUNCER_PORT"), start, "pgbouncer"); err != nil {
		return err
	}
	if err := s.part("uwsgi", middle(), s.listens("UWSGI_PORT"), start, "uwsgi"); err != nil {
		return err
	}
	return s.part("nginx", others(), func() error { return s.answers(request(1)) }, start, "nginx")
}
