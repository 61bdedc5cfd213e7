// SPDX-License-Identifier: Apache-2.0

package turntest

import (
	"encoding/binary"
	"testing"
)

const (
	cqlError    = 0x00
	cqlStartup  = 0x01
	cqlReady    = 0x02
	cqlOptions  = 0x05
	cqlResult   = 0x08
	cqlQuery    = 0x07
	cqlPrepare  = 0x09
	cqlExecute  = 0x0a
	cqlRegister = 0x0b
	cqlEvent    = 0x0c
	cqlBatch    = 0x0d
)

// cql is a message: version, flags, stream, opcode, length.
func cql(version byte, stream int16, opcode byte, content []byte) []byte {
	b := binary.BigEndian.AppendUint16([]byte{version, 0}, uint16(stream))
	b = binary.BigEndian.AppendUint32(append(b, opcode), uint32(len(content)))
	return concat(b, content)
}

// cqlAsk is a query of n bytes.
func cqlAsk(version byte, stream int16, n int) []byte {
	return cql(version, stream, cqlQuery, concat(binary.BigEndian.AppendUint32(nil, uint32(n)), body(n),
		[]byte{0, 1, 0}))
}

func cqlAnswer(version byte, stream int16, n int) []byte {
	return cql(0x80|version, stream, cqlResult, body(n))
}

func cqlLogin(version byte) []step {
	return []step{
		at(1 * ms).request(cql(version, 0, cqlOptions, nil)), at(2 * ms).answer(cql(0x80|version, 0, 6, body(60))),
		at(3 * ms).request(cql(version, 0, cqlStartup, concat([]byte{0, 1, 0, 11}, text("CQL_VERSION"), []byte{0, 5},
			text("3.4.6")))),
		at(4 * ms).answer(cql(0x80|version, 0, cqlReady, nil)),
	}
}

// crc24 is the checksum of the header of a frame of version 5, as its specification has it.
func crc24(header uint64, n int) uint32 {
	crc := uint32(0x875060)
	for ; n > 0; n-- {
		crc ^= uint32(header&0xff) << 16
		header >>= 8
		for range 8 {
			crc <<= 1
			if crc&0x1000000 != 0 {
				crc ^= 0x1974f0b
			}
		}
	}
	return crc
}

// cqlFrame is a frame of version 5 around whole messages, or a part of one.
func cqlFrame(whole bool, content ...[]byte) []byte {
	all := concat(content...)
	word := uint32(len(all))
	if whole {
		word |= 1 << 17
	}
	crc := crc24(uint64(word), 3)
	header := []byte{byte(word), byte(word >> 8), byte(word >> 16), byte(crc), byte(crc >> 8), byte(crc >> 16)}
	return concat(header, all, []byte{1, 2, 3, 4})
}

// cqlPacked is a frame whose content is compressed.
func cqlPacked(n int) []byte {
	word := uint64(n) | uint64(3*n)<<17 | 1<<34
	crc := crc24(word, 5)
	b := binary.LittleEndian.AppendUint64(nil, word|uint64(crc)<<40)
	return concat(b, body(n), []byte{1, 2, 3, 4})
}

func TestCassandra(t *testing.T) {
	large := cqlAsk(5, 3, 2500)
	largeAnswer := cqlAnswer(5, 3, 2500)
	executes := func(stream int16) []byte {
		return cql(4, stream, cqlExecute, concat([]byte{0, 16}, body(16), body(30)))
	}
	playAll(t, []scenario{
		{
			name: "log-in, registering, heartbeats and events are no requests",
			steps: append(cqlLogin(4), at(9*ms).request(cql(4, 1, cqlRegister, body(20))),
				at(10*ms).answer(cql(0x84, 1, cqlReady, nil)),
				at(20*ms).answer(cql(0x84, -1, cqlEvent, body(40))), at(30*ms).request(cql(4, 2, cqlOptions, nil)),
				at(31*ms).answer(cql(0x84, 2, 6, body(60)))),
			protocol: cassandra, turn: idle,
		},
		{
			name: "versions 3 and 4: several under way, answered in any order, cut and joined",
			steps: append(cqlLogin(4), at(9*ms).request(cqlAsk(4, 0, 60), cqlAsk(4, 1, 2000)[:900]),
				at(10*ms).request(cqlAsk(4, 1, 2000)[900:], executes(2)[:4]),
				at(12*ms).request(executes(2)[4:]), at(20*ms).answer(cqlAnswer(4, 2, 30), cqlAnswer(4, 0, 900)[:500]),
				at(60*ms).answer(cqlAnswer(4, 0, 900)[500:], cqlAnswer(4, 1, 4)[:3]),
				at(70*ms).answer(cqlAnswer(4, 1, 4)[3:])),
			want: []turn{served(9*ms, 60*ms), served(9*ms, 70*ms), served(12*ms, 20*ms)}, protocol: cassandra,
			turn: idle,
		},
		{
			name: "errors answer, and streams are used again",
			steps: append(cqlLogin(3), at(9*ms).request(cqlAsk(3, 7, 20)),
				at(10*ms).answer(cql(0x83, 7, cqlError, body(50))),
				at(11*ms).request(cqlAsk(3, 7, 20)), at(60*ms).answer(cqlAnswer(3, 7, 4)),
				at(61*ms).request(cqlAsk(3, 7, 20)),
				at(70*ms).close()),
			want: []turn{served(9*ms, 10*ms), served(11*ms, 60*ms), aborted(61*ms, 70*ms)}, protocol: cassandra,
			turn: idle,
		},
		{
			name: "version 5: several messages in a frame",
			steps: append(cqlLogin(5), at(9*ms).request(cqlFrame(true, cqlAsk(5, 0, 60), cqlAsk(5, 1, 600)),
				cqlFrame(true, cqlAsk(5, 2, 40))[:20]),
				at(10*ms).request(cqlFrame(true, cqlAsk(5, 2, 40))[20:]),
				at(20*ms).answer(cqlFrame(true, cqlAnswer(5, 1, 70), cqlAnswer(5, 2, 4))),
				at(30*ms).answer(cqlFrame(true, cql(0x85, -1, cqlEvent, body(30))),
					cqlFrame(true, cqlAnswer(5, 0, 900))[:4]),
				at(60*ms).answer(cqlFrame(true, cqlAnswer(5, 0, 900))[4:])),
			want: []turn{served(9*ms, 60*ms), served(9*ms, 20*ms), served(9*ms, 20*ms)}, protocol: cassandra,
			turn: idle,
		},
		{
			name: "version 5: a message in several frames ends with the last of them",
			steps: append(cqlLogin(5), at(9*ms).request(cqlFrame(false, large[:1000]),
				cqlFrame(false, large[1000:2000])),
				at(10*ms).request(cqlFrame(false, large[2000:]), cqlFrame(true, cqlAsk(5, 4, 10))),
				at(20*ms).answer(cqlFrame(false, largeAnswer[:2000])),
				at(40*ms).answer(cqlFrame(false, largeAnswer[2000:2100]), cqlFrame(false, largeAnswer[2100:])[:50]),
				at(60*ms).answer(cqlFrame(false, largeAnswer[2100:])[50:]),
				at(70*ms).answer(cqlFrame(true, cqlAnswer(5, 4, 10)))),
			want: []turn{served(9*ms, 60*ms), served(10*ms, 70*ms)}, protocol: cassandra, turn: idle,
		},
		{
			name:  "version 5, compressed: nothing can be read",
			steps: append(cqlLogin(5), at(9*ms).request(cqlPacked(60)), at(20*ms).answer(cqlPacked(60))),
			want:  nil, protocol: opaque, turn: idle, multiplexed: 1,
		},
		{
			name: "joined in the middle, version 4",
			steps: []step{at(1 * ms).answer(body(700)), at(9 * ms).request(executes(5)),
				at(60 * ms).answer(cqlAnswer(4, 5, 900)[:300]), at(70 * ms).answer(cqlAnswer(4, 5, 900)[300:])},
			want: []turn{served(9*ms, 70*ms)}, protocol: cassandra, turn: idle,
		},
		{
			name: "joined in the middle, version 5",
			steps: []step{
				at(1 * ms).answer(body(700)), at(9 * ms).request(cqlFrame(true, cqlAsk(5, 9, 30), cqlAsk(5, 8, 30))),
				at(60 * ms).answer(cqlFrame(true, cqlAnswer(5, 8, 1000))[:800]),
				at(70*ms).answer(cqlFrame(true, cqlAnswer(5, 8, 1000))[800:], cqlFrame(true, cqlAnswer(5, 9, 10))),
			},
			want: []turn{served(9*ms, 70*ms), served(9*ms, 70*ms)}, protocol: cassandra, turn: idle,
		},
	})
}
