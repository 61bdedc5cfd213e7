// SPDX-License-Identifier: Apache-2.0

package main

// magazine is Ghost, as it is published, behind a cache: Varnish answers most requests from its memory and gives the
// others to Ghost (a thread of its own for each, and one more for the request to Ghost). It fetches old pages again
// while it still answers with the old ones, so that Ghost has requests that nobody waits for. Ghost is one thread of
// Node.js with a pool of connections to MariaDB. The tiers have the names that an exporter finds by itself.
var magazine = application{
	name: "magazine",
	tiers: []tier{
		{name: "varnishd", protocol: "http", port: 28101, calls: []string{"node"}},
		{name: "node", protocol: "http", port: 28102, calls: []string{"mariadbd"}},
		{name: "mariadbd", protocol: "mysql", port: 23309},
	},
	ports: map[string]int{"VARNISH_PORT": 28101, "NODE_PORT": 28102, "MARIADB_PORT": 23309},
	// Varnish's own limit of threads and time of grace, and the pool that Ghost has by itself.
	params:  params{"THREADS": "5000", "KEPT": "30", "GRACE": "10", "POOL": "10", "HOLD": "0"},
	pages:   subscribing(),
	prepare: installed("mariadb", "ghost", "varnish", "log"),
	start:   startMagazine,
}

func startMagazine(s *stack) error {
	if err := s.run(s.script("prepare.sh"), "data"); err != nil {
		return err
	}
	if err := s.database("mariadbd", others()); err != nil {
		return err
	}
	if err := s.run(s.script("prepare.sh"), "load"); err != nil {
		return err
	}
	start := s.script("start.sh")
	if err := s.part("node", middle(), s.listens("NODE_PORT"), start, "node"); err != nil {
		return err
	}
	return s.part("varnishd", others(), func() error { return s.answers("/") }, start, "varnish")
}
