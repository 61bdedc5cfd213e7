// SPDX-License-Identifier: Apache-2.0

package turntest

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestKindsOfKafka(t *testing.T) {
	metadata := func(id uint32) []byte { return kafkaAsk(3, 12, id, body(30)) }
	produce := func(id uint32, acks int16) []byte { return kafkaProduce(9, id, acks, 500) }
	tellsAll(t, []kindsRow{
		{
			name: "each of several under way", kinds: []string{"Kafka Produce", "Kafka Metadata", "Kafka 60"},
			steps: []step{
				at(10 * ms).request(metadata(1)), at(20*ms).request(produce(2, -1), metadata(3)[:5]),
				at(22*ms).request(metadata(3)[5:], kafkaAsk(18, 3, 4, body(9))), at(30 * ms).answer(kafkaAnswer(1, 9)),
				at(40 * ms).answer(kafkaAnswer(2, 900)[:400]),
				at(50*ms).answer(kafkaAnswer(2, 900)[400:], kafkaAnswer(3, 9)),
				at(60 * ms).answer(kafkaAnswer(4, 9)), at(70 * ms).request(kafkaAsk(60, 0, 5, body(9))),
				at(90 * ms).answer(kafkaAnswer(5, 9)),
			},
			want: map[int]ofKind{
				0: {Arrivals: 1, Completions: 1, Queue: 38 * ms, Residence: 38 * ms},
				1: {Arrivals: 1, Completions: 1, Queue: 30 * ms, Residence: 30 * ms},
				2: {Arrivals: 2, Completions: 2, Queue: 48 * ms, Residence: 48 * ms},
				3: {Arrivals: 1, Completions: 1, Queue: 20 * ms, Residence: 20 * ms},
			},
		},
		{
			name: "what gets no answer, or waits on purpose, is of none", kinds: []string{"Kafka Produce"},
			steps: []step{
				at(10 * ms).request(metadata(1)), at(12 * ms).answer(kafkaAnswer(1, 9)),
				at(20 * ms).request(produce(2, 0)),
				at(30 * ms).request(kafkaAsk(1, 11, 3, body(60))), at(40 * ms).request(produce(4, 1)),
				at(70 * ms).answer(kafkaAnswer(4, 9)),
			},
			want: map[int]ofKind{
				0: {Arrivals: 1, Completions: 1, Queue: 2 * ms, Residence: 2 * ms},
				1: {Arrivals: 1, Completions: 1, Queue: 30 * ms, Residence: 30 * ms},
			},
		},
		{
			name: "those under way when the connection ends", kinds: []string{"Kafka Produce", "Kafka Metadata"},
			steps: []step{
				at(10 * ms).request(metadata(1)), at(10 * ms).request(produce(2, 1)),
				at(20*ms).request(produce(3, 1), kafkaAsk(18, 3, 4, body(9))),
				at(30 * ms).answer(kafkaAnswer(1, 9)), at(50 * ms).close(), at(60 * ms).answer(kafkaAnswer(2, 9)),
			},
			want: map[int]ofKind{
				0: {Arrivals: 1, Aborts: 1, Queue: 30 * ms},
				1: {Arrivals: 2, Aborts: 2, Queue: 70 * ms},
				2: {Arrivals: 1, Completions: 1, Queue: 20 * ms, Residence: 20 * ms},
			},
		},
		{
			name: "one that waits counts up to now", kinds: []string{"Kafka Metadata"},
			steps: []step{at(10 * ms).request(metadata(1))},
			want:  map[int]ofKind{1: {Arrivals: 1, Queue: end - 10*ms}},
		},
		{
			name: "a turn before the protocol was known is another", kinds: []string{"Kafka Metadata"},
			steps: []step{
				at(10 * ms).request(body(40)), at(20 * ms).answer(body(9)), at(30 * ms).request(metadata(1)),
				at(70 * ms).answer(kafkaAnswer(1, 9)),
			},
			want: map[int]ofKind{
				0: {Arrivals: 1, Completions: 1, Queue: 10 * ms, Residence: 10 * ms},
				1: {Arrivals: 1, Completions: 1, Queue: 40 * ms, Residence: 40 * ms},
			},
		},
		{
			name: "the kinds of other protocols don't tell them", kinds: []string{"PRODUCE", "/**", "CQL QUERY"},
			steps: []step{at(10 * ms).request(produce(1, 1)), at(30 * ms).answer(kafkaAnswer(1, 9))},
			want:  map[int]ofKind{0: {Arrivals: 1, Completions: 1, Queue: 20 * ms, Residence: 20 * ms}},
		},
	})
}

func TestKindsOfCassandra(t *testing.T) {
	ask := func(version byte, stream int16, opcode byte) []byte { return cql(version, stream, opcode, body(40)) }
	framed := func(stream int16, opcode byte) []byte { return cqlFrame(true, ask(5, stream, opcode)) }
	large := cqlAsk(5, 3, 2500)
	all := []string{"CQL QUERY", "CQL EXECUTE", "cql batch"}
	tellsAll(t, []kindsRow{
		{
			name: "answered in any order, log-in is none", kinds: all,
			steps: append(cqlLogin(4), at(10*ms).request(ask(4, 0, cqlQuery), ask(4, 1, cqlExecute)),
				at(20*ms).request(ask(4, 2, cqlBatch)[:5]),
				at(21*ms).request(ask(4, 2, cqlBatch)[5:], ask(4, 3, cqlPrepare)),
				at(30*ms).answer(cqlAnswer(4, 2, 9), cqlAnswer(4, 0, 9)),
				at(40*ms).answer(cql(0x84, 3, cqlError, body(9))),
				at(50*ms).answer(cqlAnswer(4, 1, 9)), at(60*ms).request(cql(4, 4, cqlOptions, nil))),
			want: map[int]ofKind{
				0: {Arrivals: 1, Completions: 1, Queue: 19 * ms, Residence: 19 * ms},
				1: {Arrivals: 1, Completions: 1, Queue: 20 * ms, Residence: 20 * ms},
				2: {Arrivals: 1, Completions: 1, Queue: 40 * ms, Residence: 40 * ms},
				3: {Arrivals: 1, Completions: 1, Queue: 9 * ms, Residence: 9 * ms},
			},
		},
		{
			name: "a stream that is used again ends what was on it", kinds: all,
			steps: append(cqlLogin(3), at(10*ms).request(ask(3, 7, cqlQuery)), at(30*ms).request(ask(3, 7, cqlExecute)),
				at(70*ms).answer(cqlAnswer(3, 7, 9))),
			want: map[int]ofKind{
				1: {Arrivals: 1, Aborts: 1, Queue: 20 * ms},
				2: {Arrivals: 1, Completions: 1, Queue: 40 * ms, Residence: 40 * ms},
			},
		},
		{
			name: "version 5, in frames and in parts", kinds: all,
			steps: append(cqlLogin(5), at(10*ms).request(cqlFrame(false, large[:1000]), cqlFrame(false, large[1000:])),
				at(20*ms).request(framed(4, cqlExecute), framed(5, cqlBatch)[:12]),
				at(22*ms).request(framed(5, cqlBatch)[12:]),
				at(40*ms).answer(cqlFrame(true, cqlAnswer(5, 5, 9), cqlAnswer(5, 3, 9))),
				at(50*ms).answer(cqlFrame(true, cqlAnswer(5, 4, 9)))),
			want: map[int]ofKind{
				1: {Arrivals: 1, Completions: 1, Queue: 30 * ms, Residence: 30 * ms},
				2: {Arrivals: 1, Completions: 1, Queue: 30 * ms, Residence: 30 * ms},
				3: {Arrivals: 1, Completions: 1, Queue: 18 * ms, Residence: 18 * ms},
			},
		},
		{
			name: "answers that can't be told apart end all", kinds: all,
			steps: append(cqlLogin(4), at(10*ms).request(ask(4, 0, cqlQuery), ask(4, 1, cqlExecute)),
				at(30*ms).answer(body(50)), at(40*ms).request(ask(4, 2, cqlQuery)),
				at(41*ms).answer(cqlAnswer(4, 2, 9))),
			want: map[int]ofKind{
				1: {Arrivals: 2, Completions: 1, Aborts: 1, Queue: 21 * ms, Residence: 1 * ms},
				2: {Arrivals: 1, Aborts: 1, Queue: 20 * ms},
			},
		},
		{
			name: "and so does what can't be read", kinds: all,
			steps: append(cqlLogin(5), at(10*ms).request(framed(0, cqlExecute)), at(30*ms).answer(cqlPacked(9))),
			want:  map[int]ofKind{2: {Arrivals: 1, Aborts: 1, Queue: 20 * ms}},
		},
	})
}

// Requests that are under way when the connection moves to another station leave the first one, by kind.
func TestKindsOfARegroupedConnection(t *testing.T) {
	m := loadWith(t, variant{kinds: true})
	m.tellKinds(t, "Kafka Metadata")
	m.reset(t, TurntestConn{}, 0)
	ask, answer := kafkaAsk(3, 12, 1, body(30)), kafkaAnswer(1, 9)
	const edge = 1
	m.run(t, m.objects.TestPlace, packet(ipv4, 0, nil), 1*ms)
	m.run(t, m.objects.TestRequest, packet(ipv4, 0, ask), 10*ms)
	m.runAt(t, m.objects.TestPlace, packet(ipv4, 0, nil), 30*ms, 0, edge)
	m.run(t, m.objects.TestAnswer, packet(ipv4, 0, answer), 40*ms)
	m.run(t, m.objects.TestRequest, packet(ipv4, uint32(len(ask)), kafkaAsk(3, 12, 2, body(30))), 50*ms)
	m.run(t, m.objects.TestAnswer, packet(ipv4, uint32(len(answer)), kafkaAnswer(2, 9)), 60*ms)
	want := map[int]ofKind{1: {Arrivals: 1, Aborts: 1, Queue: 20 * ms}}
	if diff := cmp.Diff(want, m.kindSums(t, end)); diff != "" {
		t.Errorf("counted otherwise (-want +got):\n%s", diff)
	}
}
