// SPDX-License-Identifier: Apache-2.0

package main

// forge is Gitea, unchanged: httpd with threads (the event MPM), one process in Go, which takes as many requests as
// come, has a pool of connections to PostgreSQL and starts git for a part of its pages, and PostgreSQL. The tiers have
// the names that an exporter finds by itself.
var forge = application{
	name: "forge",
	tiers: []tier{
		{name: "apache2", protocol: "http", port: 28097, calls: []string{"gitea"}},
		{name: "gitea", protocol: "http", port: 28098, calls: []string{"postgres"}},
		{name: "postgres", protocol: "postgres", port: 25438},
	},
	ports: map[string]int{"HTTPD_PORT": 28097, "GITEA_PORT": 28098, "POSTGRESQL_PORT": 25438},
	// Debian's limits of httpd; a pool that is large enough for everybody, and the jobs of the night at night.
	params: params{"PROCESSES": "2", "THREADS": "25", "WORKERS": "150", "POOL": "60", "HOLD": "0", "INDEX": "0",
		"JOBS": "@midnight"},
	pages:   collaborating(),
	prepare: installed("httpd", "gitea", "postgresql", "log"),
	start:   startForge,
}

func startForge(s *stack) error {
	if err := s.run(s.script("prepare.sh"), "data"); err != nil {
		return err
	}
	start := s.script("start.sh")
	if err := s.part("postgres", others(), s.listens("POSTGRESQL_PORT"), start, "postgresql"); err != nil {
		return err
	}
	for _, step := range []string{"load", "hide"} {
		if err := s.run(s.script("prepare.sh"), step); err != nil {
			return err
		}
	}
	if err := s.part("gitea", middle(), s.listens("GITEA_PORT"), start, "gitea"); err != nil {
		return err
	}
	if err := s.run(s.script("prepare.sh"), "hold"); err != nil {
		return err
	}
	return s.part("apache2", others(), func() error { return s.answers(repository(1)) }, start, "httpd")
}
