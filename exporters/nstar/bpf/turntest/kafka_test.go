// SPDX-License-Identifier: Apache-2.0

package turntest

import (
	"encoding/binary"
	"testing"
)

// kafkaAsk is a request: length, key, version, number, the client's name, then the rest.
func kafkaAsk(key, version uint16, id uint32, rest ...[]byte) []byte {
	return kafkaAskAs("rdkafka", key, version, id, rest...)
}

func kafkaAskAs(name string, key, version uint16, id uint32, rest ...[]byte) []byte {
	b := binary.BigEndian.AppendUint16(nil, key)
	b = binary.BigEndian.AppendUint16(b, version)
	b = binary.BigEndian.AppendUint32(b, id)
	b = binary.BigEndian.AppendUint16(b, uint16(len(name)))
	b = append(append(b, name...), concat(rest...)...)
	return append(binary.BigEndian.AppendUint32(nil, uint32(len(b))), b...)
}

func kafkaAnswer(id uint32, n int) []byte {
	b := binary.BigEndian.AppendUint32(nil, uint32(4+n))
	return concat(binary.BigEndian.AppendUint32(b, id), body(n))
}

// kafkaProduce has no transaction; acks are the acknowledgements that it asks for.
func kafkaProduce(version uint16, id uint32, acks int16, n int) []byte {
	none := []byte{0xff, 0xff}
	switch {
	case version >= 9:
		none = []byte{0, 0}
	case version < 3:
		none = nil
	}
	return kafkaAsk(0, version, id, none, binary.BigEndian.AppendUint16(nil, uint16(acks)), body(n))
}

func TestKafka(t *testing.T) {
	versions := kafkaAsk(18, 3, 1, body(20))
	metadata := func(id uint32) []byte { return kafkaAsk(3, 12, id, body(30)) }
	fetch := func(id uint32) []byte { return kafkaAsk(1, 11, id, body(60)) }
	open := func(more ...step) []step {
		return append([]step{at(1 * ms).request(versions), at(2 * ms).answer(kafkaAnswer(1, 300))}, more...)
	}
	first := served(1*ms, 2*ms)
	rows := []scenario{
		{
			name:  "one request at a time",
			steps: open(at(9*ms).request(metadata(2)), at(60*ms).answer(kafkaAnswer(2, 400))),
			want:  []turn{first, served(9*ms, 60*ms)}, protocol: kafka, turn: idle,
		},
		{
			name: "several under way, requests and answers cut and joined",
			steps: open(
				at(9*ms).request(kafkaProduce(9, 2, -1, 3000)[:1000]),
				at(10*ms).request(kafkaProduce(9, 2, -1, 3000)[1000:],
					metadata(3), metadata(4)[:5]),
				at(20*ms).request(metadata(4)[5:]), at(30*ms).answer(kafkaAnswer(2, 40), kafkaAnswer(3, 4000)[:900]),
				at(60*ms).answer(kafkaAnswer(3, 4000)[900:], kafkaAnswer(4, 40)[:6]),
				at(70*ms).answer(kafkaAnswer(4, 40)[6:]),
			),
			want: []turn{first, served(9*ms, 30*ms), served(10*ms, 60*ms), served(20*ms, 70*ms)}, protocol: kafka,
			turn: idle,
		},
		{
			name: "a fetch waits for records, and is left out whatever comes beside it",
			steps: open(
				at(9*ms).request(fetch(2)), at(12*ms).request(metadata(3)), at(400*ms).answer(kafkaAnswer(2, 3000)),
				at(410*ms).answer(kafkaAnswer(3, 40)),
				at(500*ms).request(fetch(4)), at(900*ms).close(),
			),
			want: []turn{first, served(12*ms, 410*ms)}, protocol: kafka, turn: idle, waits: 2,
		},
		{
			name: "joining a group waits for its members",
			steps: open(at(9*ms).request(kafkaAsk(11, 5, 2, body(90))), at(900*ms).answer(kafkaAnswer(2, 50)),
				at(901*ms).request(kafkaAsk(14, 3, 3, body(90))),
				at(1900*ms).answer(kafkaAnswer(3, 50)), at(1901*ms).request(kafkaAsk(12, 3, 4, body(40))),
				at(1902*ms).answer(kafkaAnswer(4, 6))),
			want: []turn{first, served(1901*ms, 1902*ms)}, protocol: kafka, turn: idle, waits: 2,
		},
		{
			name: "the smallest answer, and the connection's end with a request under way",
			steps: open(at(9*ms).request(metadata(2), metadata(3)), at(60*ms).answer(kafkaAnswer(2, 0)),
				at(70*ms).close()),
			want: []turn{first, served(9*ms, 60*ms), aborted(9*ms, 70*ms)}, protocol: kafka, turn: idle,
		},
		{
			name: "acks that the next segment bears are those of the producer's last request",
			steps: open(
				at(9*ms).request(kafkaProduce(7, 2, 0, 500)), at(12*ms).request(kafkaProduce(7, 3, 0, 500)[:20]),
				at(13*ms).request(kafkaProduce(7, 3, 0, 500)[20:]),
				at(20*ms).request(metadata(4)), at(60*ms).answer(kafkaAnswer(4, 40)),
			),
			want: []turn{first, served(20*ms, 60*ms)}, protocol: kafka, turn: idle,
		},
		{
			name: "joined in the middle of a fetch and of a produce",
			steps: []step{
				at(1 * ms).answer(body(3000)), at(2 * ms).request(kafkaProduce(9, 7, -1, 2000)[1500:]),
				at(9 * ms).request(metadata(8)),
				at(20 * ms).answer(kafkaAnswer(8, 3000)[:2000]), at(60 * ms).answer(kafkaAnswer(8, 3000)[2000:]),
				at(70 * ms).request(metadata(9)), at(80 * ms).answer(kafkaAnswer(9, 10)),
			},
			// a turn, until the next request begins a segment while none is under way
			want: []turn{served(2*ms, 60*ms), served(70*ms, 80*ms)}, protocol: kafka, turn: idle,
		},
		{
			name: "configured, a client without a name", hint: kafka,
			steps: []step{at(1 * ms).request(kafkaAskAs("", 3, 1, 1, body(10))),
				at(60 * ms).answer(kafkaAnswer(1, 10))},
			want: []turn{served(1*ms, 60*ms)}, protocol: kafka, turn: idle,
		},
		{
			name: "ZooKeeper's session looks alike and is none",
			steps: []step{
				at(1 * ms).request(concat([]byte{0, 0, 0, 45}, make([]byte, 45))), at(60 * ms).answer(body(41)),
			},
			want: []turn{{from: 1 * ms, to: 60 * ms}}, protocol: auto, turn: answered,
		},
	}
	for _, version := range []uint16{2, 3, 8, 9, 11} {
		for _, acks := range []int16{0, 1, -1} {
			s := scenario{
				name:     "produce",
				steps:    open(at(9*ms).request(kafkaProduce(version, 2, acks, 500)), at(60*ms).request(metadata(3))),
				want:     []turn{first},
				protocol: kafka, turn: idle,
			}
			if acks != 0 {
				s.steps = append(s.steps, at(61*ms).answer(kafkaAnswer(2, 40)))
				s.want = append(s.want, served(9*ms, 61*ms))
			}
			s.steps = append(s.steps, at(62*ms).answer(kafkaAnswer(3, 40)))
			s.want = append(s.want, served(60*ms, 62*ms))
			rows = append(rows, s)
		}
	}
	playAll(t, rows)
}
