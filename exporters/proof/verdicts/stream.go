// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/nstar-project/nstar/exporters/proof/bed"
)

// stream is a pipeline: ingest (Go) answers when Kafka has what a device tells it, and a consumer (Go) writes that into
// PostgreSQL, one record at a time of each of four partitions. No answer waits for the second half, and the consumer
// serves nobody: all that it does, it does by itself. It tells how old the records are that it writes.
var stream = application{
	name: "stream",
	tiers: []tier{
		{name: "ingest", protocol: "http", port: 28092, calls: []string{"kafka"}},
		{name: "kafka", protocol: "kafka", port: 29092},
		{name: "consumer", protocol: "http", port: 28093, calls: []string{"kafka", "postgres"}},
		{name: "postgres", protocol: "postgres", port: 25435},
	},
	ports: map[string]int{"INGEST_PORT": 28092, "KAFKA_PORT": 29092, "CONTROLLER_PORT": 29093, "CONSUMER_PORT": 28093,
		"POSTGRESQL_PORT": 25435},
	params:  params{"LINGER": "0", "HEAVY": "0"},
	pages:   measuring(),
	prepare: installed("consumer", "kafka", "postgresql", "log"),
	start:   startStream,
	tells:   (*stack).written,
}

// startStream gives each half a processor: what the database does must not slow the answers by the processor's way.
func startStream(s *stack) error {
	if err := s.run(s.script("prepare.sh"), "data"); err != nil {
		return err
	}
	start := s.script("start.sh")
	if err := s.part("postgres", middle(), s.listens("POSTGRESQL_PORT"), start, "postgresql"); err != nil {
		return err
	}
	if err := s.run(s.script("prepare.sh"), "load"); err != nil {
		return err
	}
	if err := s.part("kafka", others(), s.listens("KAFKA_PORT"), start, "kafka"); err != nil {
		return err
	}
	if err := s.part("ingest", others(), func() error { return s.answers("/") }, start, "ingest"); err != nil {
		return err
	}
	return s.part("consumer", middle(), s.listens("CONSUMER_PORT"), start, "consumer")
}

// written is what the consumer tells of the records that it wrote since it was asked last.
func (s *stack) written() string {
	answer, err := bed.Client.Get(fmt.Sprintf("http://127.0.0.1:%d/", s.ports["CONSUMER_PORT"]))
	if err != nil {
		return err.Error()
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		return err.Error()
	}
	return strings.TrimSpace(string(text))
}
