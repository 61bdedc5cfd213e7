// SPDX-License-Identifier: Apache-2.0

package turntest

import (
	"encoding/binary"
	"testing"
)

const (
	openwireFormat      = 1
	openwireConnect     = 3
	openwireSession     = 4
	openwireConsumer    = 5
	openwireProducer    = 6
	openwireTransaction = 7
	openwireKeepAlive   = 10
	openwireRemove      = 12
	openwireDispatch    = 21
	openwireAck         = 22
	openwireMessage     = 28
	openwireResponse    = 30
)

// openwire is a command in the tight encoding: its length, its kind, so many bytes of flags, of which the first says
// whether a response is wanted, its number, and its content.
func openwire(kind byte, flags int, wanted bool, id uint32, content ...[]byte) []byte {
	b := append([]byte{kind, byte(flags)}, make([]byte, flags)...)
	if wanted {
		b[2] = 1
	}
	b = concat(binary.BigEndian.AppendUint32(b, id), concat(content...))
	return concat(binary.BigEndian.AppendUint32(nil, uint32(len(b))), b)
}

// openwireGreeting is the first command of each side.
func openwireGreeting() []byte {
	b := concat([]byte{openwireFormat}, text("ActiveMQ"), []byte{0, 0, 0, 12, 1}, body(300))
	return concat(binary.BigEndian.AppendUint32(nil, uint32(len(b))), b)
}

// openwireNames stand for names that were sent before.
func openwireNames() []byte { return []byte{0, 5, 0, 4, 0, 6} }

func openwireSend(id uint32, n int) []byte {
	return openwire(openwireMessage, 6, true, id, openwireNames(), body(n))
}

func openwireAnswer(id uint32) []byte {
	return openwire(openwireResponse, 1, false, 0, binary.BigEndian.AppendUint32(nil, id))
}

func TestOpenWire(t *testing.T) {
	acknowledge := func(id uint32) []byte { return openwire(openwireAck, 4, false, id, openwireNames(), body(60)) }
	deliver := func(n int) []byte { return openwire(openwireDispatch, 7, false, 0, body(n)) }
	alive := openwire(openwireKeepAlive, 1, false, 0)
	failed := func(id uint32) []byte {
		return openwire(openwireResponse+1, 5, false, 0, binary.BigEndian.AppendUint32(nil, id), body(90))
	}
	playAll(t, []scenario{
		{
			name: "a new producer",
			steps: []step{
				at(1 * ms).request(openwireGreeting()), at(2 * ms).answer(openwireGreeting()),
				at(3 * ms).request(openwire(openwireConnect, 2, true, 1, body(60))),
				at(5 * ms).answer(openwireAnswer(1)),
				at(9 * ms).request(openwireSend(2, 900)[:500]), at(10 * ms).request(openwireSend(2, 900)[500:]),
				at(20*ms).answer(alive, openwireAnswer(2)),
			},
			want: []turn{served(3*ms, 5*ms), served(9*ms, 20*ms)}, protocol: openwires, turn: idle,
		},
		{
			name: "joined: several senders on a connection, answered in any order; one fails",
			steps: []step{
				at(1 * ms).request(openwireSend(70, 60)),
				at(2*ms).request(openwireSend(71, 60), openwireSend(72, 60)),
				at(20*ms).answer(openwireAnswer(72), openwireAnswer(70)),
				at(60 * ms).answer(failed(71)),
			},
			want: []turn{served(1*ms, 20*ms), served(2*ms, 20*ms), served(2*ms, 60*ms)}, protocol: openwires,
			turn: idle,
		},
		{
			name: "joined: a consumer has no requests",
			steps: []step{
				at(1 * ms).answer(deliver(200)), at(2 * ms).request(acknowledge(30)),
				at(900 * ms).answer(deliver(200)), at(901 * ms).request(acknowledge(31)),
				at(902 * ms).request(openwire(openwireMessage, 6, false, 32, openwireNames(), body(90))),
			},
			protocol: openwires, turn: idle,
		},
		{
			name: "joined: short forms of message and acknowledgement, whose names were sent before",
			steps: []step{
				at(1 * ms).answer(deliver(200)),
				at(2 * ms).request(openwire(openwireAck, 3, false, 30, openwireNames(), body(20))),
				at(3 * ms).request(openwire(openwireMessage, 5, false, 31, openwireNames(), body(60))),
				at(4 * ms).request(openwire(openwireMessage, 5, true, 32, openwireNames(), body(60))),
				at(9 * ms).answer(openwireAnswer(32)),
			},
			want: []turn{served(4*ms, 9*ms)}, protocol: openwires, turn: idle,
		},
		{
			name: "joined: a session, a producer and a consumer begin",
			steps: []step{
				at(1 * ms).request(openwire(openwireSession, 1, false, 3, openwireNames(), body(31))),
				at(2 * ms).request(openwire(openwireProducer, 2, false, 4, openwireNames(), body(43))),
				at(3 * ms).request(openwire(openwireConsumer, 4, true, 5, openwireNames(), body(107))),
				at(9 * ms).answer(openwireAnswer(5)),
			},
			want: []turn{served(3*ms, 9*ms)}, protocol: openwires, turn: idle,
		},
		{
			name: "joined: a transaction begins",
			steps: []step{
				at(1 * ms).request(openwire(openwireTransaction, 1, false, 7, openwireNames(), body(4))),
				at(2 * ms).request(openwire(openwireTransaction, 1, true, 8, openwireNames())),
				at(9 * ms).answer(openwireAnswer(8)),
			},
			want: []turn{served(2*ms, 9*ms)}, protocol: openwires, turn: idle,
		},
		{
			name: "joined: something is removed",
			steps: []step{
				at(1 * ms).request(openwire(openwireRemove, 1, false, 300, openwireNames(), body(4))),
				at(900 * ms).request(openwire(openwireRemove, 1, false, 301, openwireNames(), body(4))),
			},
			protocol: openwires, turn: idle,
		},
		{
			name: "joined: nothing but signs of life",
			steps: []step{
				at(1 * ms).answer(alive), at(2 * ms).request(alive), at(900 * ms).answer(alive),
				at(901 * ms).request(alive),
			},
			protocol: openwires, turn: idle,
		},
		{
			name: "the loose encoding can't be read",
			steps: []step{
				at(1 * ms).request(openwireGreeting()), at(2 * ms).answer(openwireGreeting()),
				at(3 * ms).request(concat([]byte{0, 0, 0, 50, openwireConnect, 0, 0, 0, 1, 1}, body(44))),
				at(5 * ms).answer([]byte{0, 0, 0, 10, openwireResponse, 0, 0, 0, 0, 0, 0, 0, 0, 1}),
			},
			protocol: opaque, turn: idle, multiplexed: 1,
		},
	})
}
