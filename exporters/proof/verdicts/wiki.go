// SPDX-License-Identifier: Apache-2.0

package main

// wiki is MediaWiki, as Debian has it: httpd with a process per connection and PHP in each of them, so that web server
// and application are one tier; behind it Memcached and MariaDB (of both a new connection for every page). The tiers
// have the names that an exporter finds by itself.
var wiki = application{
	name: "wiki",
	tiers: []tier{
		{name: "apache2", protocol: "http", port: 28091, calls: []string{"memcached", "mariadbd"}},
		{name: "memcached", protocol: "memcached", port: 21212},
		{name: "mariadbd", protocol: "mysql", port: 23308},
	},
	ports:   map[string]int{"HTTPD_PORT": 28091, "MEMCACHED_PORT": 21212, "MARIADB_PORT": 23308},
	params:  map[string]string{"WORKERS": "150", "PARSER_CACHE": "1"},
	pages:   consulting(),
	prepare: installed("mariadb", "memcached", "httpd", "wiki", "log"),
	start:   startWiki,
}

func startWiki(s *stack) error {
	if err := s.run(s.script("prepare.sh"), "data"); err != nil {
		return err
	}
	if err := s.database("mariadbd", others()); err != nil {
		return err
	}
	start := s.script("start.sh")
	if err := s.part("memcached", others(), s.listens("MEMCACHED_PORT"), start, "memcached"); err != nil {
		return err
	}
	if err := s.run(s.script("prepare.sh"), "load"); err != nil {
		return err
	}
	return s.part("apache2", middle(), func() error { return s.answers(article(1)) }, start, "httpd")
}
