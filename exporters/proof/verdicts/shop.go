// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"net"
	"time"
)

// shop is a service in Python, with two tiers behind it: HAProxy, gunicorn with Flask, Redis (a connection per thread)
// and PostgreSQL (a pool of connections per process).
var shop = application{
	name: "shop",
	tiers: []tier{
		{name: "haproxy", protocol: "http", port: 28082, calls: []string{"service"}},
		{name: "service", found: "gunicorn", protocol: "http", port: 28083, calls: []string{"redis", "postgresql"}},
		{name: "redis", found: "redis-server", protocol: "redis", port: 26379},
		{name: "postgresql", found: "postgres", protocol: "postgres", port: 25432},
	},
	ports: map[string]int{"HAPROXY_PORT": 28082, "SERVICE_PORT": 28083, "REDIS_PORT": 26379, "POSTGRESQL_PORT": 25432},
	// Room everywhere: HAProxy holds back nothing (0), and each thread finds a connection.
	params: map[string]string{"MAXCONN": "0", "WORKERS": "2", "THREADS": "16", "POOL": "16", "HOLD": "0",
		"OUTSIDE": "0"},
	pages:   shopping(),
	prepare: installed("postgresql", "redis", "service", "haproxy", "log"),
	start:   startShop,
}

func startShop(s *stack) error {
	if err := s.postgresql("postgresql", others()); err != nil {
		return err
	}
	start := s.script("start.sh")
	if err := s.part("redis", others(), s.listens("REDIS_PORT"), start, "redis"); err != nil {
		return err
	}
	if err := s.part("service", middle(), s.listens("SERVICE_PORT"), start, "service"); err != nil {
		return err
	}
	return s.part("haproxy", others(), func() error { return s.answers("/") }, start, "haproxy")
}

// listens checks whether a server accepts connections.
func (s *stack) listens(port string) func() error {
	return func() error {
		c, err := net.DialTimeout("tcp", fmt.Sprintf("127.0.0.1:%d", s.ports[port]), time.Second)
		if err == nil {
			c.Close()
		}
		return err
	}
}
