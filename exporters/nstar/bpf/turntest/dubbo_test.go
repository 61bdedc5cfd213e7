// SPDX-License-Identifier: Apache-2.0

package turntest

import (
	"encoding/binary"
	"testing"
)

const (
	dubboRequest = 0x80
	dubboWanted  = 0x40
	dubboEvent   = 0x20
	dubboHessian = 2
)

// dubbo is a message: its flags, its number, of which the upper half is what a client may begin with, and its body.
func dubbo(flags byte, id uint32, body []byte) []byte {
	b := []byte{0xda, 0xbb, flags | dubboHessian, 0}
	if flags&dubboRequest == 0 {
		b[3] = 20 // status: all is well
	}
	b = binary.BigEndian.AppendUint64(b, 0x1234<<32|uint64(id))
	return concat(binary.BigEndian.AppendUint32(b, uint32(len(body))), body)
}

func dubboAsk(id uint32, n int) []byte { return dubbo(dubboRequest|dubboWanted, id, body(n)) }

func dubboAnswer(id uint32, n int) []byte { return dubbo(0, id, body(n)) }

func TestDubbo(t *testing.T) {
	beat := func(id uint32) []byte { return dubbo(dubboRequest|dubboWanted|dubboEvent, id, []byte{'N'}) }
	beaten := func(id uint32) []byte { return dubbo(dubboEvent, id, []byte{'N'}) }
	playAll(t, []scenario{
		{
			name: "threads share a connection, and the second is answered before the first",
			steps: []step{
				at(1 * ms).request(dubboAsk(7, 200)), at(3 * ms).request(dubboAsk(8, 200)),
				at(5 * ms).answer(dubboAnswer(8, 90)), at(30 * ms).answer(dubboAnswer(7, 90)),
			},
			want: []turn{served(1*ms, 30*ms), served(3*ms, 5*ms)}, protocol: dubbos, turn: idle,
		},
		{
			name: "joined: an answer to a request that was not seen, one-way calls, and heartbeats of both sides",
			steps: []step{
				at(1 * ms).answer(dubboAnswer(3, 50)),
				at(2 * ms).request(beat(4)), at(3 * ms).answer(beaten(4)),
				at(4 * ms).request(dubbo(dubboRequest, 5, body(70))),
				at(6 * ms).answer(beat(90)), at(7 * ms).request(beaten(90)),
				at(8*ms).request(dubboAsk(6, 70), dubboAsk(9, 9)),
				at(20 * ms).answer(dubboAnswer(6, 4000)[:1000]),
				at(24*ms).answer(dubboAnswer(6, 4000)[1000:], dubboAnswer(9, 0)),
			},
			want: []turn{served(8*ms, 24*ms), served(8*ms, 24*ms)}, protocol: dubbos, turn: idle,
		},
		{
			name: "cut in the middle of the header",
			steps: []step{
				at(1 * ms).request(dubboAsk(7, 20)), at(3 * ms).answer(dubboAnswer(7, 20)),
				at(4 * ms).request(dubboAsk(8, 20)[:9]), at(5 * ms).request(dubboAsk(8, 20)[9:]),
				at(7 * ms).answer(dubboAnswer(8, 20)[:5]), at(9 * ms).answer(dubboAnswer(8, 20)[5:]),
			},
			want: []turn{served(1*ms, 3*ms), served(5*ms, 9*ms)}, protocol: dubbos, turn: idle,
		},
	})
}
