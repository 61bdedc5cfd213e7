// SPDX-License-Identifier: Apache-2.0

package main

// orders is an order service as most shops in Java write it today: nginx, Spring Boot (Tomcat with a virtual thread for
// each request, Spring MVC, JdbcTemplate), and behind it PostgreSQL (HikariCP's pool) and Redis (Lettuce: one
// connection for all threads). The tiers have the names that an exporter finds by itself.
var orders = application{
	name: "orders",
	tiers: []tier{
		{name: "nginx", protocol: "http", port: 28140, calls: []string{"java"}},
		{name: "java", protocol: "http", port: 28141, calls: []string{"redis-server", "postgres"}},
		{name: "redis-server", protocol: "redis", port: 26381},
		{name: "postgres", protocol: "postgres", port: 25446},
	},
	ports: map[string]int{"NGINX_PORT": 28140, "SERVICE_PORT": 28141, "REDIS_PORT": 26381, "POSTGRESQL_PORT": 25446},
	params: params{"COLLECTOR": "G1GC", "HEAP": "512m", "COMPILER": "1", "VIRTUAL": "true", "THREADS": "200",
		"POOL": "20", "HOLD": "0", "LEAK": "0", "OUTSIDE": "0", "PINNED": "false", "BLOCK": "0"},
	pages:   ordering(),
	prepare: installed("nginx", "java", "redis", "postgresql", "log"),
	start:   startOrders,
}

func startOrders(s *stack) error {
	if err := s.postgresql("postgres", others()); err != nil {
		return err
	}
	start := s.script("start.sh")
	if err := s.part("redis-server", others(), s.listens("REDIS_PORT"), start, "redis"); err != nil {
		return err
	}
	if err := s.part("java", middle(), s.listens("SERVICE_PORT"), start, "java"); err != nil {
		return err
	}
	return s.part("nginx", others(), func() error { return s.answers("/product?id=1") }, start, "nginx")
}
