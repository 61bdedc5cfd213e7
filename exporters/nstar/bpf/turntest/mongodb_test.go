// SPDX-License-Identifier: Apache-2.0

package turntest

import (
	"encoding/binary"
	"testing"
)

const (
	mongoReply      = 1
	mongoQuery      = 2004
	mongoCompressed = 2012
	mongoMsg        = 2013
)

// mongo is a message: length, number, the number that it answers, kind, then its content.
func mongo(id, to, kind uint32, content ...[]byte) []byte {
	all := concat(content...)
	b := binary.LittleEndian.AppendUint32(nil, uint32(16+len(all)))
	for _, u := range []uint32{id, to, kind} {
		b = binary.LittleEndian.AppendUint32(b, u)
	}
	return concat(b, all)
}

// mongoCommand is an OP_MSG with flags and one document, whose first element is the command's name.
func mongoCommand(id, flags uint32, name string, rest ...[]byte) []byte {
	document := concat([]byte{0x12}, text("%s\x00", name), make([]byte, 8), concat(rest...), []byte{0})
	b := binary.LittleEndian.AppendUint32(nil, flags)
	b = binary.LittleEndian.AppendUint32(append(b, 0), uint32(4+len(document)))
	return mongo(id, 0, mongoMsg, b, document)
}

func mongoAnswer(id uint32, n int) []byte { return mongo(9000+id, id, mongoMsg, body(n)) }

func TestMongoDB(t *testing.T) {
	find := func(id uint32) []byte { return mongoCommand(id, 0, "find", body(40)) }
	collection := concat([]byte{2}, text("collection\x00"), []byte{5, 0, 0, 0}, text("rows\x00"))
	batch := concat([]byte{0x10}, text("batchSize\x00"), []byte{10, 0, 0, 0})
	within := concat([]byte{0x10}, text("maxTimeMS\x00"), []byte{232, 3, 0, 0})
	legacyHello := mongo(1, 0, mongoQuery, make([]byte, 4), text("admin.$cmd\x00"), make([]byte, 8),
		[]byte{60, 0, 0, 0, 0x10}, text("isMaster\x00"), body(40))
	rows := []scenario{
		{
			name: "the greeting is left out, commands take turns",
			steps: []step{
				at(1 * ms).request(legacyHello), at(2 * ms).answer(mongo(9001, 1, mongoReply, body(200))),
				at(9 * ms).request(find(2)),
				at(20 * ms).answer(mongoAnswer(2, 2000)[:900]), at(60 * ms).answer(mongoAnswer(2, 2000)[900:]),
			},
			want: []turn{served(9*ms, 60*ms)}, protocol: mongodb, turn: idle, waits: 1,
		},
		{
			name: "unacknowledged writes in front of a command, in segments cut anywhere",
			steps: []step{
				at(1*ms).request(mongoCommand(1, 2, "insert", body(900)),
					mongoCommand(2, 2, "insert", body(900))[:300]),
				at(2*ms).request(mongoCommand(2, 2, "insert", body(900))[300:], find(3)),
				at(60 * ms).answer(mongoAnswer(3, 30)),
			},
			want: []turn{served(2*ms, 60*ms)}, protocol: mongodb, turn: idle,
		},
		{
			name: "several under way, answered in any order",
			steps: []step{
				at(1*ms).request(find(1), find(2)), at(2 * ms).request(find(3)),
				at(20*ms).answer(mongoAnswer(3, 30), mongoAnswer(1, 30)),
				at(60 * ms).answer(mongoAnswer(2, 30)),
			},
			want: []turn{served(1*ms, 20*ms), served(1*ms, 60*ms), served(2*ms, 20*ms)}, protocol: mongodb, turn: idle,
		},
		{
			name: "hello waits for news, over and over",
			steps: []step{
				at(1 * ms).request(mongoCommand(1, 1<<16, "hello", body(60))), at(900 * ms).answer(mongoAnswer(1, 200)),
				at(1800 * ms).answer(mongo(9002, 9001, mongoMsg, body(200))), at(1900 * ms).close(),
			},
			protocol: mongodb, turn: idle, waits: 1,
		},
		{
			name: "a cursor that awaits data, and one that does not",
			steps: []step{
				at(1 * ms).request(mongoCommand(1, 0, "getMore", collection, batch, within)),
				at(900 * ms).answer(mongoAnswer(1, 50)),
				at(901 * ms).request(mongoCommand(2, 0, "getMore", collection, batch, body(20))),
				at(910 * ms).answer(mongoAnswer(2, 50)),
			},
			want: []turn{served(901*ms, 910*ms)}, protocol: mongodb, turn: idle, waits: 1,
		},
		{
			name: "compressed: what gets no answer is aborted by the next",
			steps: []step{
				at(1 * ms).request(mongo(1, 0, mongoCompressed, body(90))),
				at(9 * ms).answer(mongo(9001, 1, mongoCompressed, body(90))),
				at(20 * ms).request(mongo(2, 0, mongoCompressed, body(90))),
				at(30 * ms).request(mongo(3, 0, mongoCompressed, body(90))),
				at(60 * ms).answer(mongo(9003, 3, mongoCompressed, body(90))),
			},
			want: []turn{served(1*ms, 9*ms), aborted(20*ms, 30*ms), served(30*ms, 60*ms)}, protocol: mongodb,
			turn: idle,
		},
		{
			name: "joined in the middle of an answer",
			steps: []step{at(1 * ms).answer(body(900)), at(9 * ms).request(find(7)),
				at(20 * ms).answer(mongoAnswer(7, 2000)[:900]), at(60 * ms).answer(mongoAnswer(7, 2000)[900:])},
			want: []turn{served(9*ms, 60*ms)}, protocol: mongodb, turn: idle,
		},
	}
	playAll(t, rows)
}
