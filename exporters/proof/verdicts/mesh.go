// SPDX-License-Identifier: Apache-2.0

package main

// mesh are services in Go that speak gRPC in clear, many calls on one connection: a gateway that asks two services at
// the same time for each page, one of which asks PostgreSQL (a pool) and one a third service.
var mesh = application{
	name: "mesh",
	tiers: []tier{
		{name: "gateway", protocol: "http", port: 28086, calls: []string{"catalog", "pricing"}},
		{name: "catalog", protocol: "http2", port: 28087, calls: []string{"postgres"}},
		{name: "pricing", protocol: "http2", port: 28088, calls: []string{"rates"}},
		{name: "rates", protocol: "http2", port: 28089},
		{name: "postgres", protocol: "postgres", port: 25434},
	},
	ports: map[string]int{"GATEWAY_PORT": 28086, "CATALOG_PORT": 28087, "PRICING_PORT": 28088, "RATES_PORT": 28089,
		"POSTGRESQL_PORT": 25434},
	params:  map[string]string{"POOL": "20", "HOLD": "0", "OUTSIDE": "0", "STREAMS": "0"},
	pages:   browsing(),
	prepare: installed("catalog", "postgresql", "log"),
	start:   startMesh,
}

func startMesh(s *stack) error {
	if err := s.postgresql("postgres", others()); err != nil {
		return err
	}
	start := s.script("start.sh")
	if err := s.part("rates", others(), s.listens("RATES_PORT"), start, "rates"); err != nil {
		return err
	}
	if err := s.part("catalog", others(), s.listens("CATALOG_PORT"), start, "catalog"); err != nil {
		return err
	}
	if err := s.part("pricing", middle(), s.listens("PRICING_PORT"), start, "pricing"); err != nil {
		return err
	}
	return s.part("gateway", others(), func() error { return s.answers("/") }, start, "gateway")
}
