// SPDX-License-Identifier: Apache-2.0

package main

import (
	"path/filepath"
	"time"
)

// pipeline is that of the thesis's section 3.7: producers, Kafka, Spark Streaming, Cassandra. Its throughput are the
// rows that Cassandra has acknowledged, one for each record; a client is a producer that sends at most a fixed
// number of records per second. Clients wait only for Kafka, so that their load does not fall when Spark or
// Cassandra fall behind.
var pipeline = application{
	name: "pipeline", unit: "records/s", answer: "delay",
	tiers: []tier{
		{name: "kafka", protocol: "kafka", port: 29292, pools: []string{"NETWORK_THREADS", "IO_THREADS",
			"QUOTA_BYTES"}},
		{name: "spark", pools: []string{"CORES", "WRITES_AT_ONCE"}},
		{name: "cassandra", protocol: "cassandra", port: 29294, pools: []string{"WRITE_THREADS"}},
	},
	calls:   [][2]string{{"spark", "kafka"}, {"spark", "cassandra"}},
	clients: "producer",
	setups:  pipelineSetups,
	usual: map[string]string{"NETWORK_THREADS": "3", "IO_THREADS": "8", "FLUSH_MESSAGES": "1000000", "ACKS": "1",
		"BATCH_BYTES": "16384", "LINGER_MS": "200", "QUOTA_BYTES": "0", "CORES": "4", "WORK": "1", "LOOKUP_MS": "0",
		"WRITES_AT_ONCE": "32",
		"ROW_BYTES":      "0", "WRITE_THREADS": "32", "COMMITLOG": "periodic", "TOPIC": "messages", "PARTITIONS": "4"},
	rules: []string{"indicators.yaml", "indicators_systems.yaml", "indicators_pipeline.yaml"},
	think: 10 * time.Millisecond, warm: 8 * time.Second, measure: 15 * time.Second,
	flood:      flood{40, 5 * time.Millisecond},
	saturating: func(most, _ float64, think time.Duration) float64 { return most * think.Seconds() },
	programs: func(o options) map[string][]string {
		jars := filepath.Join(o.root, ".cache/check/jars")
		return map[string][]string{"java": {"java", "--version"},
			"kafka":     {"sh", "-c", "cd '" + jars + "/kafka' && ls kafka_*.jar"},
			"spark":     {"sh", "-c", "cd '" + jars + "/pipeline' && ls spark-streaming_*.jar"},
			"cassandra": {"sh", "-c", "cd '" + jars + "/cassandra' && ls cassandra-all-*.jar"},
		}
	},
	disposable: true,
	stack:      func(r *servers) stack { return &pipelineStack{servers: r, dir: filepath.Join(r.output, "site")} },
}

// pipelineSetups: in each another component limits, or the same one for another reason.
var pipelineSetups = []setup{
	{name: "usual", what: "Spark has less than it needs to keep up with Cassandra, and limits",
		shares: kafkaSparkCassandra(0.20, 0.22, 0.38)},
	{name: "kafka-share", what: "Kafka has little share, and small batches",
		shares: kafkaSparkCassandra(0.10, 0.40, 0.30), params: map[string]string{"BATCH_BYTES": "1000"}},
	{name: "kafka-flush", what: "Kafka has one thread, which waits for the disk with each batch before it acknowledges",
		shares: kafkaSparkCassandra(0.20, 0.35, 0.25),
		params: map[string]string{"FLUSH_MESSAGES": "1", "ACKS": "all", "IO_THREADS": "1", "NETWORK_THREADS": "1",
			"BATCH_BYTES": "1000"}},
	{name: "kafka-quota", what: "Kafka takes 100 kB per second from all producers together",
		shares: kafkaSparkCassandra(0.20, 0.35, 0.25), params: map[string]string{"QUOTA_BYTES": "100000"}},
	{name: "spark-share", what: "Spark has little share", shares: kafkaSparkCassandra(0.20, 0.12, 0.35)},
	{name: "spark-heavy", what: "each message is scored 50 times", shares: kafkaSparkCassandra(0.20, 0.30, 0.30),
		params: map[string]string{"WORK": "50"}},
	{name: "spark-tasks", what: "two tasks at once, which ask somebody outside about each message",
		shares: kafkaSparkCassandra(0.20, 0.30, 0.30), params: map[string]string{"CORES": "2", "LOOKUP_MS": "2"}},
	{name: "spark-writes", what: "two rows under way per task, and Cassandra waits for the disk every 10 ms",
		shares: kafkaSparkCassandra(0.20, 0.30, 0.30),
		params: map[string]string{"WRITES_AT_ONCE": "2", "COMMITLOG": "group"}},
	{name: "cassandra-share", what: "Cassandra has little share", shares: kafkaSparkCassandra(0.20, 0.40, 0.12)},
	{name: "cassandra-writes", what: "eight writes at once in Cassandra, which waits for the disk every 10 ms",
		shares: kafkaSparkCassandra(0.20, 0.35, 0.25),
		params: map[string]string{"WRITE_THREADS": "8", "COMMITLOG": "group"}},
	{name: "cassandra-disk", what: "Cassandra waits for a slow disk with each row",
		shares: kafkaSparkCassandra(0.20, 0.35, 0.25), params: map[string]string{"COMMITLOG": "batch"},
		slow: map[string]disk{"cassandra": {writes: 100}}},
	{name: "cassandra-rows", what: "rows of 10 kB", shares: kafkaSparkCassandra(0.20, 0.40, 0.20),
		params: map[string]string{"ROW_BYTES": "10000"}},
	{name: "balanced", what: "Spark and Cassandra near their limits at the same load",
		shares: kafkaSparkCassandra(0.20, 0.30, 0.30)},
}

func kafkaSparkCassandra(kafka, spark, cassandra float64) map[string]float64 {
	return map[string]float64{"kafka": kafka, "spark": spark, "cassandra": cassandra}
}
