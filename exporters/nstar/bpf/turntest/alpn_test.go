// SPDX-License-Identifier: Apache-2.0

package turntest

import (
	"encoding/binary"
	"testing"
)

// extension is one of a hello's.
func extension(kind uint16, content ...[]byte) []byte {
	c := concat(content...)
	return concat(binary.BigEndian.AppendUint16(binary.BigEndian.AppendUint16(nil, kind), uint16(len(c))), c)
}

// alpn is the extension that offers or chooses protocols.
func alpn(names ...string) []byte {
	var list []byte
	for _, n := range names {
		list = append(append(list, byte(len(n))), n...)
	}
	return extension(16, binary.BigEndian.AppendUint16(nil, uint16(len(list))), list)
}

// helloWith is a ClientHello (1) or a ServerHello (2) with extensions.
func helloWith(kind byte, extensions ...[]byte) []byte {
	session := append([]byte{32}, make([]byte, 32)...)
	chosen := []byte{0x13, 1, 0} // a cipher suite, a compression method
	if kind == 1 {
		chosen = []byte{0, 4, 0x13, 1, 0x13, 2, 1, 0}
	}
	all := concat(extensions...)
	content := concat([]byte{3, 3}, make([]byte, 32), session, chosen,
		binary.BigEndian.AppendUint16(nil, uint16(len(all))), all)
	return recordOf(tlsHandshake, concat([]byte{kind, 0, byte(len(content) >> 8), byte(len(content))}, content))
}

var (
	serverName   = extension(0, make([]byte, 12))
	version13    = extension(43, []byte{3, 4})
	offersBoth   = helloWith(1, serverName, alpn("h2", "http/1.1"), extension(10, make([]byte, 8)))
	offersH2     = helloWith(1, alpn("h2"), serverName)
	offersHTTP   = helloWith(1, serverName, alpn("http/1.1"))
	settingsAck  = record(tlsData, 26)
	pong         = record(tlsData, 23) // of WebSocket: 6 bytes
	rest         = concat(record(tlsData, 800), record(tlsData, 96), record(tlsData, 53))
	serverHello3 = concat(helloWith(2, version13), cipherChange)
)

// TestALPN: if several requests are under way at once, or if none take turns, nothing is counted, and so nothing
// wrong.
func TestALPN(t *testing.T) {
	twice := []turn{served(10*ms, 60*ms), served(70*ms, 75*ms)}
	playAll(t, []scenario{
		{
			name: "only HTTP/2 is offered, by a client of gRPC for instance",
			steps: append([]step{at(1 * ms).request(offersH2), at(2 * ms).answer(serverFlight13),
				at(4 * ms).request(clientFinished13)}, twoTurns()...),
			protocol: opaque, turn: idle, multiplexed: 1,
		},
		{
			name: "TLS 1.3: the server chooses HTTP/2, which the length of its first encrypted record tells",
			steps: append([]step{
				at(1 * ms).request(offersBoth), at(2*ms).answer(serverHello3, record(tlsData, 32), rest),
				at(4 * ms).request(clientFinished13),
			}, twoTurns()...),
			protocol: opaque, turn: idle, multiplexed: 1,
		},
		{
			name: "TLS 1.3: the same, the name acknowledged, in a second segment",
			steps: append([]step{
				at(1 * ms).request(offersBoth), at(2 * ms).answer(serverHello3),
				at(3*ms).answer(record(tlsData, 36), rest),
				at(4 * ms).request(clientFinished13),
			}, twoTurns()...),
			protocol: opaque, turn: idle, multiplexed: 1,
		},
		{
			name: "TLS 1.3: the server chooses HTTP/1.1",
			steps: append([]step{
				at(1 * ms).request(offersBoth), at(2*ms).answer(serverHello3, record(tlsData, 38), rest),
				at(4 * ms).request(clientFinished13),
			}, twoTurns()...),
			want: twice, protocol: tls, turn: idle,
		},
		{
			name: "TLS 1.3: the choice is hidden in a long record; the client acknowledges SETTINGS",
			steps: []step{
				at(1 * ms).request(offersBoth), at(2*ms).answer(serverHello3, record(tlsData, 900)),
				at(4 * ms).request(clientFinished13),
				at(10 * ms).request(data), at(11 * ms).answer(data), at(20 * ms).request(settingsAck),
				at(21 * ms).request(data),
				at(60 * ms).close(),
			},
			want: []turn{served(10*ms, 11*ms)}, protocol: opaque, turn: idle, multiplexed: 1,
		},
		{
			name: "TLS 1.3: the server acknowledges first; what waits leaves the queue",
			steps: []step{
				at(1 * ms).request(offersBoth), at(2*ms).answer(serverHello3, record(tlsData, 900)),
				at(4 * ms).request(clientFinished13),
				at(10 * ms).request(data), at(20 * ms).answer(settingsAck), at(21 * ms).answer(data),
				at(60 * ms).close(),
			},
			want: []turn{aborted(10*ms, 20*ms)}, protocol: opaque, turn: idle, multiplexed: 1,
		},
		{
			name: "TLS 1.2: the server chooses HTTP/2",
			steps: append([]step{
				at(1 * ms).request(offersBoth), at(2*ms).answer(helloWith(2, serverName, alpn("h2")),
					certificate, hello(14, 0)),
				at(3 * ms).request(clientKeys12), at(4 * ms).answer(serverFinished12),
			}, twoTurns()...),
			protocol: opaque, turn: idle, multiplexed: 1,
		},
		{
			name: "TLS 1.2: the server chooses nothing",
			steps: append([]step{
				at(1 * ms).request(offersBoth), at(2*ms).answer(helloWith(2, serverName), certificate, hello(14, 0)),
				at(3 * ms).request(clientKeys12), at(4 * ms).answer(serverFinished12),
			}, twoTurns()...),
			want: twice, protocol: tls, turn: idle,
		},
		{
			name: "an offer of HTTP/1.1 alone: frames of WebSocket are no requests",
			steps: []step{
				at(1 * ms).request(offersHTTP), at(2 * ms).answer(serverFlight13), at(4 * ms).request(clientFinished13),
				at(10 * ms).request(data), at(20 * ms).answer(data), at(60 * ms).request(pong),
				at(70 * ms).request(data),
				at(80 * ms).close(),
			},
			want: []turn{served(10*ms, 20*ms)}, protocol: opaque, turn: idle, multiplexed: 1,
		},
		{
			name: "a hello of which the first half tells nothing",
			steps: append([]step{
				at(1 * ms).request(offersBoth[:80]), at(1 * ms).request(offersBoth[80:]),
				at(2*ms).answer(serverHello3, record(tlsData, 32), rest),
				at(4 * ms).request(clientFinished13),
			}, twoTurns()...),
			protocol: opaque, turn: idle, multiplexed: 1,
		},
		{
			name: "nothing offered",
			steps: append([]step{
				at(1 * ms).request(helloWith(1, serverName)), at(2*ms).answer(serverHello3, record(tlsData, 32), rest),
				at(4 * ms).request(clientFinished13),
			}, twoTurns()...),
			want: twice, protocol: tls, turn: idle,
		},
	})
}
