// SPDX-License-Identifier: Apache-2.0

package main

// news is a service in JavaScript, one thread of which answers all requests: nginx, Node.js with Express, and behind it
// Memcached (one connection) and PostgreSQL (a pool).
var news = application{
	name: "news",
	tiers: []tier{
		{name: "nginx", protocol: "http", port: 28084, calls: []string{"node"}},
		{name: "node", protocol: "http", port: 28085, calls: []string{"memcached", "postgres"}},
		{name: "memcached", protocol: "memcached", port: 21211},
		{name: "postgres", protocol: "postgres", port: 25433},
	},
	ports:   map[string]int{"NGINX_PORT": 28084, "NODE_PORT": 28085, "MEMCACHED_PORT": 21211, "POSTGRESQL_PORT": 25433},
	params:  map[string]string{"POOL": "10", "HOLD": "0", "OUTSIDE": "0", "BLOCK": "0"},
	pages:   readers(),
	prepare: installed("nginx", "node", "memcached", "postgresql", "log"),
	start:   startNews,
}

func startNews(s *stack) error {
	if err := s.postgresql("postgres", others()); err != nil {
		return err
	}
	start := s.script("start.sh")
	if err := s.part("memcached", others(), s.listens("MEMCACHED_PORT"), start, "memcached"); err != nil {
		return err
	}
	if err := s.part("node", middle(), s.listens("NODE_PORT"), start, "node"); err != nil {
		return err
	}
	return s.part("nginx", others(), func() error { return s.answers("/") }, start, "nginx")
}
