// SPDX-License-Identifier: Apache-2.0

package main

import (
	"os"
	"path/filepath"
	"strings"
)

// stream is a pipeline: ingest (Go) answers when Kafka has a device's data, and a consumer (Go) writes these into
// PostgreSQL, one record at a time of each of four partitions. No answer waits for the second half, and the consumer
// has no listener: it gets no requests. It reports the age of the records that it writes.
var stream = application{
	name: "stream",
	tiers: []tier{
		{name: "ingest", protocol: "http", port: 28092, calls: []string{"kafka"}},
		{name: "kafka", protocol: "kafka", port: 29092},
		{name: "consumer", calls: []string{"kafka", "postgres"}},
		{name: "postgres", protocol: "postgres", port: 25435},
	},
	ports: map[string]int{"INGEST_PORT": 28092, "KAFKA_PORT": 29092, "CONTROLLER_PORT": 29093,
		"POSTGRESQL_PORT": 25435},
	params:  params{"LINGER": "0", "HEAVY": "0", "CHECK": "0"},
	pages:   measuring(),
	prepare: installed("consumer", "kafka", "postgresql", "log"),
	start:   startStream,
	tells:   (*stack).lastWritten,
}

// startStream gives each half a processor: the database's work must not slow the answers through a shared
// processor.
func startStream(s *stack) error {
	if err := s.postgresql("postgres", middle()); err != nil {
		return err
	}
	start := s.script("start.sh")
	if err := s.part("kafka", others(), s.listens("KAFKA_PORT"), start, "kafka"); err != nil {
		return err
	}
	if err := s.part("ingest", others(), func() error { return s.answers("/") }, start, "ingest"); err != nil {
		return err
	}
	told := func() error { _, err := os.Stat(filepath.Join(s.dir, written)); return err }
	return s.part("consumer", middle(), told, start, "consumer")
}

// written is where the consumer reports, every ten seconds, the age of the records that it wrote.
const written = "consumer/written"

func (s *stack) lastWritten() string {
	text, err := os.ReadFile(filepath.Join(s.dir, written))
	if err != nil {
		return err.Error()
	}
	return strings.TrimSpace(string(text))
}
