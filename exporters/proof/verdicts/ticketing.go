// SPDX-License-Identifier: Apache-2.0

package main

// ticketing is a back office in Python, on one event loop at the very front: uvicorn with FastAPI, behind it Redis,
// PostgreSQL (a pool) and RabbitMQ (one connection), which hands every eighth page to a worker that has no port and
// asks PostgreSQL, too. In RabbitMQ's protocol, requests and answers can't be matched. The tiers have the names
// that an exporter finds by itself.
var ticketing = application{
	name: "ticketing",
	tiers: []tier{
		{name: "uvicorn", protocol: "http", port: 28111, calls: []string{"redis-server", "postgres", "beam.smp"}},
		{name: "redis-server", protocol: "redis", port: 26380},
		{name: "postgres", protocol: "postgres", port: 25441},
		{name: "beam.smp", protocol: "auto", port: 25672},
	},
	workers: []string{"worker"},
	ports: map[string]int{"SERVICE_PORT": 28111, "REDIS_PORT": 26380, "POSTGRESQL_PORT": 25441, "AMQP_PORT": 25672,
		"EPMD_PORT": 24369, "CLUSTER_PORT": 25673},
	params:  params{"POOL": "10", "HOLD": "0", "OUTSIDE": "0", "BLOCK": "0", "PREFETCH": "20", "WORK": "0"},
	pages:   handling(),
	prepare: installed("postgresql", "redis", "rabbitmq", "service", "log"),
	start:   startTicketing,
}

func startTicketing(s *stack) error {
	if err := s.postgresql("postgres", others()); err != nil {
		return err
	}
	start := s.script("start.sh")
	if err := s.part("redis-server", others(), s.listens("REDIS_PORT"), start, "redis"); err != nil {
		return err
	}
	if err := s.part("epmd", others(), s.listens("EPMD_PORT"), start, "epmd"); err != nil {
		return err
	}
	if err := s.part("beam.smp", others(), s.listens("AMQP_PORT"), start, "rabbitmq"); err != nil {
		return err
	}
	if err := s.part("uvicorn", middle(), s.listens("SERVICE_PORT"), start, "uvicorn"); err != nil {
		return err
	}
	// Either declares the queue; the worker is there when it has answered.
	return s.part("worker", others(), func() error { return s.answers("/triage?id=1") }, start, "worker")
}
