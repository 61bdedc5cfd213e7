// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"

	"github.com/nstar-project/nstar/exporters/proof/bed"
)

// chat is Matrix Synapse, as it is published: nginx, which speaks TLS to its clients (a connection to Synapse for every
// request), Synapse (one thread that does everything except for asking PostgreSQL, which other threads do, each with a
// connection) and PostgreSQL. A client with nothing new to read asks, too, and gets its answer when there is something,
// or when the time in the request is over. The tiers have the names that an exporter finds by itself.
var chat = application{
	name: "chat",
	tiers: []tier{
		{name: "nginx", protocol: "http", port: 28130, calls: []string{"python3"}},
		{name: "python3", protocol: "http", port: 28131, calls: []string{"postgres"}},
		{name: "postgres", protocol: "postgres", port: 25445},
	},
	ports:   map[string]int{"NGINX_PORT": 28130, "SYNAPSE_PORT": 28131, "POSTGRESQL_PORT": 25445},
	params:  params{"POOL": "10", "HOLD": "0"},
	pages:   chatting(),
	tls:     true,
	prepare: installed("postgresql", "synapse", "nginx", "log"),
	start:   startChat,
}

func startChat(s *stack) error {
	if err := s.run(s.script("prepare.sh"), "data"); err != nil {
		return err
	}
	start := s.script("start.sh")
	if err := s.part("postgres", others(), s.listens("POSTGRESQL_PORT"), start, "postgresql"); err != nil {
		return err
	}
	if err := s.run(s.script("prepare.sh"), "tables"); err != nil {
		return err
	}
	if err := s.part("python3", middle(), s.speaksMatrix, start, "synapse"); err != nil {
		return err
	}
	if err := s.run(s.script("prepare.sh"), "load"); err != nil {
		return err
	}
	return s.part("nginx", others(), s.listens("NGINX_PORT"), start, "nginx")
}

// speaksMatrix reports whether Synapse has its tables and answers.
func (s *stack) speaksMatrix() error {
	return bed.Shows(fmt.Sprintf("http://127.0.0.1:%d/_matrix/client/versions", s.ports["SYNAPSE_PORT"]))
}
