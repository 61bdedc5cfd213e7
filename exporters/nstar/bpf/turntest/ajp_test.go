// SPDX-License-Identifier: Apache-2.0

package turntest

import (
	"encoding/binary"
	"testing"
)

// fromWeb frames what the web server sends to the container, fromContainer the other way.
func fromWeb(data []byte) []byte { return ajpPacket([]byte{0x12, 0x34}, data) }

func fromContainer(data []byte) []byte { return ajpPacket([]byte("AB"), data) }

func ajpPacket(magic, data []byte) []byte {
	return concat(binary.BigEndian.AppendUint16(magic, uint16(len(data))), data)
}

// bodyChunk is part of an upload: its length, then its bytes.
func bodyChunk(n int) []byte {
	return fromWeb(concat(binary.BigEndian.AppendUint16(nil, uint16(n)), body(n)))
}

var (
	forward = fromWeb(concat([]byte{2, 2, 0, 8}, []byte("HTTP/1.1"), []byte{0, 0, 1}, []byte("/"),
		make([]byte, 40)))
	forwardPost = fromWeb(concat([]byte{2, 4, 0, 8}, []byte("HTTP/1.1"), []byte{0, 0, 1}, []byte("/"),
		make([]byte, 40)))
	endOfBody    = fromWeb(nil)
	cping        = fromWeb([]byte{10})
	cpong        = fromContainer([]byte{9})
	getBodyChunk = fromContainer([]byte{6, 0x1f, 0xfa})
	sendHeaders  = fromContainer(concat([]byte{4, 0, 200, 0, 2}, []byte("OK"), make([]byte, 20)))
	sendBody     = fromContainer(concat([]byte{3, 3, 232}, body(1000), []byte{0}))
	endResponse  = fromContainer([]byte{5, 1})
)

func TestAJP(t *testing.T) {
	playAll(t, []scenario{
		{
			name: "two requests on one connection, found by their first bytes",
			steps: []step{
				at(1 * ms).request(forward), at(3*ms).answer(sendHeaders, sendBody, endResponse),
				at(60 * ms).request(forward), at(62 * ms).answer(sendHeaders), at(110*ms).answer(sendBody, endResponse),
			},
			want: []turn{served(1*ms, 3*ms), open(60*ms, 110*ms)}, protocol: ajp, turn: answered,
		},
		{
			name: "upload: the first body chunk comes unasked, the others are called for",
			steps: []step{
				at(1 * ms).request(forwardPost), at(2 * ms).request(bodyChunk(3000)), at(55 * ms).answer(getBodyChunk),
				at(60 * ms).request(bodyChunk(3000)), at(65 * ms).answer(getBodyChunk), at(66 * ms).request(endOfBody),
				at(70*ms).answer(sendHeaders, endResponse),
			},
			want: []turn{open(1*ms, 70*ms).kept(55*ms, 60*ms).kept(65*ms, 66*ms)}, protocol: ajp, turn: answered,
		},
		{
			name: "body chunk called for while the answer is under way is no request",
			steps: []step{
				at(1*ms).request(forwardPost, bodyChunk(100)), at(2 * ms).answer(sendHeaders),
				at(3 * ms).answer(getBodyChunk),
				at(60 * ms).request(bodyChunk(3000)), at(70 * ms).answer(endResponse), at(80 * ms).close(),
			},
			want: []turn{served(1*ms, 70*ms)}, protocol: ajp, turn: idle,
		},
		{
			name: "call for the body and the answer's head in one segment: answered",
			steps: []step{
				at(1 * ms).request(forwardPost), at(55*ms).answer(getBodyChunk, sendHeaders), at(60 * ms).close(),
			},
			want: []turn{served(1*ms, 55*ms)}, protocol: ajp, turn: idle,
		},
		{
			name: "chunks whose length imitates the type of a request, after an early answer",
			steps: []step{
				at(1 * ms).request(forwardPost), at(2*ms).answer(sendHeaders, endResponse),
				at(3 * ms).request(bodyChunk(0x200)), at(4 * ms).request(bodyChunk(0x2ff)),
				at(60 * ms).request(forward),
			},
			want: []turn{served(1*ms, 2*ms), waiting(60 * ms)}, protocol: ajp, turn: inFlight,
		},
		{
			name: "CPING before the first request is no request",
			steps: []step{
				at(1 * ms).request(cping), at(2 * ms).answer(cpong), at(60 * ms).request(forward),
				at(70*ms).answer(sendHeaders, endResponse),
			},
			want: []turn{open(60*ms, 70*ms)}, protocol: ajp, turn: answered,
		},
		{
			name: "CPING before the first request of a tier configured as AJP",
			hint: ajp,
			steps: []step{
				at(1 * ms).request(cping), at(2 * ms).answer(cpong), at(60 * ms).request(forward),
				at(70*ms).answer(sendHeaders, endResponse),
			},
			want: []turn{open(60*ms, 70*ms)}, protocol: ajp, turn: answered,
		},
		{
			name: "CPING shortly after an answer neither asks nor moves the departure",
			steps: []step{
				at(1 * ms).request(forward), at(2*ms).answer(sendHeaders, endResponse),
				at(55 * ms).request(cping), at(56 * ms).answer(cpong), at(57 * ms).request(forward),
				at(60*ms).answer(sendHeaders, endResponse),
			},
			want: []turn{served(1*ms, 2*ms), open(57*ms, 60*ms)}, protocol: ajp, turn: answered,
		},
		{
			name: "answers in many segments whose middles look like anything",
			steps: []step{
				at(1 * ms).request(forward), at(2*ms).answer(sendHeaders, sendBody[:500]),
				at(60 * ms).answer(sendBody[500:]),
				at(101 * ms).answer(endResponse), at(102 * ms).request(forward),
			},
			want: []turn{served(1*ms, 101*ms), waiting(102 * ms)}, protocol: ajp, turn: inFlight,
		},
		{
			name: "connection joined in the middle of an answer",
			hint: ajp,
			steps: []step{
				at(1 * ms).answer(sendBody[500:]), at(2 * ms).answer(endResponse), at(60 * ms).request(forward),
				at(61*ms).answer(sendHeaders, endResponse),
			},
			want: []turn{open(60*ms, 61*ms)}, protocol: ajp, turn: answered,
		},
	})
}
