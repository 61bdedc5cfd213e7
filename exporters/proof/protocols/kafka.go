// SPDX-License-Identifier: Apache-2.0

package main

import (
	_ "embed"
	"fmt"
	"strconv"
	"strings"

	"github.com/nstar-project/nstar/exporters/proof/bed"
)

//go:embed kafka.py
var kafkaClient string

const kafkaConfig = `process.roles=broker,controller
node.id=1
controller.quorum.voters=1@127.0.0.1:%[2]d
controller.listener.names=CONTROLLER
inter.broker.listener.name=PLAINTEXT
listener.security.protocol.map=PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT
listeners=PLAINTEXT://127.0.0.1:%[1]d,CONTROLLER://127.0.0.1:%[2]d
log.dirs=%[3]s/kafka
offsets.topic.replication.factor=1
offsets.topic.num.partitions=1
group.initial.rebalance.delay.ms=100
`

// kafkaWaits are the requests that wait on purpose.
var kafkaWaits = map[string]bool{"Fetch": true, "JoinGroup": true, "SyncGroup": true}

// fromClients leaves out the broker's requests to its own controller, on another port, and requests that are
// counted twice.
func fromClients(kind string) bool {
	for _, own := range []string{"FetchConsumer", "FetchFollower", "Broker", "Controller", "Vote", "Envelope",
		"AllocateProducerIds", "AlterPartition"} {
		if strings.HasPrefix(kind, own) {
			return false
		}
	}
	return true
}

// startKafka is one broker under librdkafka; its own counters show the requests by kind. Both run on one processor: on
// two, segments of one connection overtake each other on loopback, as they don't from another machine.
func startKafka(b *bed.Bed, _, python string) (*subject, error) {
	port, err := bed.FreePort()
	if err != nil {
		return nil, err
	}
	s := &subject{name: "kafka", port: port}
	class, agent := java("kafka")
	if python == "" || class == "" {
		return s, nil
	}
	controller, err := bed.FreePort()
	if err != nil {
		return nil, err
	}
	script, err := b.Write("kafka.py", kafkaClient)
	if err != nil {
		return nil, err
	}
	config, err := b.Write("kafka.properties", fmt.Sprintf(kafkaConfig, port, controller, b.Dir))
	if err != nil {
		return nil, err
	}
	counter, err := countBeans(b, agent,
		`kafka\.network<type=RequestMetrics, name=TotalTimeMs, request=(\w+)><>Count: `)
	if err != nil {
		return nil, err
	}
	virtual := []string{"taskset", "-c", "0", "java", "-Xmx384m", "-XX:+UseSerialGC", "-cp", class}
	if _, err := bed.Run(append(virtual, "kafka.tools.StorageTool", "format", "-t", "4L6g3nShT-eMCtK--X86sw", "-c",
		config)...); err != nil {
		return nil, err
	}
	if _, err := b.Start("kafka", append(append(virtual[:6:6], counter.option),
		append(virtual[6:], "kafka.Kafka", config)...)...); err != nil {
		return nil, err
	}
	run := func(load string) func() error {
		return func() error {
			_, err := bed.Run("taskset", "-c", "0", python, script, load, strconv.Itoa(port))
			return err
		}
	}
	if err := bed.WaitFor(javaStart, run("topic")); err != nil {
		return nil, err
	}
	waits := func() (int64, error) { return counter.sum(func(k string) bool { return kafkaWaits[k] }) }
	answered := func(but string) func() (int64, error) {
		return func() (int64, error) {
			return counter.sum(func(k string) bool { return fromClients(k) && !kafkaWaits[k] && k != but })
		}
	}
	for _, l := range []struct{ name, load, but string }{
		{"producers with acks of all and of one", "producers", ""},
		{"producers with acks=0, which get no answer", "unanswered", "Produce"},
		{"two groups of consumers beside a producer", "readers", ""},
	} {
		s.loads = append(s.loads, load{
			name: "librdkafka, " + l.name, run: run(l.load), answered: answered(l.but), source: "its requests by kind",
			waits: waits,
		})
	}
	s.mixed, s.byKind = 2, counter.byKind
	s.kinds = []string{"Kafka Produce", "Kafka OffsetCommit", "Kafka FindCoordinator", "Kafka Metadata"}
	return s, nil
}
