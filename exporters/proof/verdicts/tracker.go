// SPDX-License-Identifier: Apache-2.0

package main

// tracker is Redmine, as Debian has it: nginx, Puma with Ruby on Rails (processes of a few threads, of which one at a
// time computes; a new connection for every page) and PostgreSQL (a connection per thread).
var tracker = application{
	name: "tracker",
	tiers: []tier{
		{name: "nginx", protocol: "http", port: 28092, calls: []string{"puma"}},
		{name: "puma", protocol: "http", port: 28093, calls: []string{"postgres"}},
		{name: "postgres", protocol: "postgres", port: 25436},
	},
	ports:   map[string]int{"NGINX_PORT": 28092, "PUMA_PORT": 28093, "POSTGRESQL_PORT": 25436},
	params:  params{"WORKERS": "2", "THREADS": "5"}, // the threads are Puma's own default
	pages:   tracking(),
	prepare: installed("postgresql", "puma", "redmine", "nginx", "log"),
	start:   startTracker,
}

func startTracker(s *stack) error {
	if err := s.postgresql("postgres", others()); err != nil {
		return err
	}
	start := s.script("start.sh")
	if err := s.part("puma", middle(), s.listens("PUMA_PORT"), start, "puma"); err != nil {
		return err
	}
	return s.part("nginx", others(), func() error { return s.answers(issue(1)) }, start, "nginx")
}
