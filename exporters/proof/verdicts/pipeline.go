// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"strconv"
	"time"
)

// pipeline is the one of the campaign (deploy/pipeline): producers, Apache Kafka, Spark Streaming, Apache Cassandra.
// Every second Spark takes the new records (a micro-batch), scores each record in four tasks at once, and stores it as
// a row. No request waits for that half. A page is a record here, and its time is that from its creation until
// Cassandra has it. Spark gets only requests about its health; that port gives it its name.
var pipeline = application{
	name: "pipeline",
	tiers: []tier{
		{name: "kafka", protocol: "kafka", port: 29192},
		{name: "spark", protocol: "http", port: 28194, calls: []string{"kafka", "cassandra"}},
		{name: "cassandra", protocol: "cassandra", port: 29194},
	},
	ports: map[string]int{"KAFKA_PORT": 29192, "CONTROLLER_PORT": 29193, "CASSANDRA_PORT": 29194, "STORAGE_PORT": 29195,
		"JMX_PORT": 29196, "STREAM_CONTROL": 28194, "PRODUCERS_CONTROL": 28195},
	outside: []int{29193, 29195, 29196, 28195},
	params: params{"NETWORK_THREADS": "3", "IO_THREADS": "8", "FLUSH_MESSAGES": "1000000", "ACKS": "1",
		"BATCH_BYTES": "16384", "LINGER_MS": "200", "QUOTA_BYTES": "0", "CORES": "4", "WORK": "300", "LOOKUP_MS": "0",
		"WRITES_AT_ONCE": "32", "ROW_BYTES": "0", "WRITE_THREADS": "32", "COMMITLOG": "periodic", "TOPIC": "messages",
		"PARTITIONS": "4", "CONDITION": ""},
	warm:    20 * time.Second,
	prepare: installed("kafka", "spark", "cassandra", "log"),
	start:   startPipeline,
	sends:   produce,
}

func startPipeline(s *stack) error {
	if err := s.run(s.script("prepare.sh")); err != nil {
		return err
	}
	for _, p := range []struct {
		name, program, port string
		core                int
	}{
		{"controller", "controller", "CONTROLLER_PORT", others()},
		{"kafka", "kafka", "KAFKA_PORT", others()},
		{"cassandra", "cassandra", "CASSANDRA_PORT", others()},
		{"producers", "producers", "PRODUCERS_CONTROL", others()}, // they make the topic
		{"spark", "stream", "STREAM_CONTROL", middle()},
	} {
		if err := s.part(p.name, p.core, s.listens(p.port), s.script("start.sh"), p.program); err != nil {
			return err
		}
	}
	return nil
}

// senders is how many producers share a load: each has threads of its own.
const senders = 20

// produce has the producers send as many records per second as a load's users would if answers took no time.
func produce(s *stack, l load, duration time.Duration, summary string) []string {
	clients := min(l.users, senders)
	gap := l.think * time.Duration(clients) / time.Duration(l.users)
	return []string{"env", fmt.Sprintf("STREAM_CONTROL=%d", s.ports["STREAM_CONTROL"]),
		fmt.Sprintf("PRODUCERS_CONTROL=%d", s.ports["PRODUCERS_CONTROL"]), s.script("load.sh"), strconv.Itoa(clients),
		strconv.FormatInt(gap.Nanoseconds(), 10), strconv.Itoa(int(duration.Seconds())), summary}
}
