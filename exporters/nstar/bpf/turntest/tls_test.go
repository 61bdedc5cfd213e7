// SPDX-License-Identifier: Apache-2.0

package turntest

import (
	"encoding/binary"
	"testing"
	"time"
)

const (
	tlsCipher    byte = 20
	tlsAlert     byte = 21
	tlsHandshake byte = 22
	tlsData      byte = 23
)

// record is one TLS record of n bytes that look like nothing: encrypted.
func record(kind byte, n int) []byte { return recordOf(kind, body(n)) }

func recordOf(kind byte, content []byte) []byte {
	return concat(binary.BigEndian.AppendUint16([]byte{kind, 3, 3}, uint16(len(content))), content)
}

// hello is a handshake message in clear: its type, its length, its content.
func hello(kind byte, n int) []byte {
	return recordOf(tlsHandshake, concat([]byte{kind, 0, byte(n >> 8), byte(n)}, body(n)))
}

// Flights with the sizes that OpenSSL gives them; those of real sessions are in replay_test.go.
var (
	clientHello      = hello(1, 288)
	serverHello      = hello(2, 118)
	certificate      = hello(11, 800)
	cipherChange     = recordOf(tlsCipher, []byte{1})
	finished12       = record(tlsHandshake, 40)
	clientKeys12     = concat(hello(16, 33), cipherChange, finished12)
	serverFlight12   = concat(serverHello, certificate, hello(14, 0))
	serverFinished12 = concat(hello(4, 182), cipherChange, finished12)
	serverExtensions = concat(record(tlsData, 23), record(tlsData, 800), record(tlsData, 96), record(tlsData, 53))
	serverFlight13   = concat(serverHello, cipherChange, serverExtensions)
	clientFinished13 = concat(cipherChange, record(tlsData, 53))
	tickets          = concat(record(tlsData, 234), record(tlsData, 234))
	alert13          = record(tlsData, 19)
	alert12          = record(tlsAlert, 26)
	data             = record(tlsData, 300)
)

// session13 is a TLS 1.3 handshake that ends at 4 ms with the client's Finished; every row goes on from there.
func session13(more ...step) []step {
	return append([]step{at(1 * ms).request(clientHello), at(2 * ms).answer(serverFlight13),
		at(4 * ms).request(clientFinished13)}, more...)
}

// twoTurns are one request and its answer, another request and its answer, and the end.
func twoTurns() []step {
	return []step{at(10 * ms).request(data), at(60 * ms).answer(data), at(70 * ms).request(data),
		at(75 * ms).answer(data), at(80 * ms).close()}
}

func TestTLS12(t *testing.T) {
	both := []turn{served(10*ms, 60*ms), served(70*ms, 75*ms)}
	playAll(t, []scenario{
		{
			name: "full handshake, two turns, alerts",
			steps: append([]step{
				at(1 * ms).request(clientHello), at(2 * ms).answer(serverFlight12), at(3 * ms).request(clientKeys12),
				at(4 * ms).answer(serverFinished12),
				at(10 * ms).request(data), at(60 * ms).answer(data), at(70 * ms).request(data),
				at(75 * ms).answer(data),
			}, at(77*ms).request(alert12), at(78*ms).answer(alert12), at(80*ms).close()),
			want: both, protocol: tls, turn: idle,
		},
		{
			name: "resumed session: the server finishes first",
			steps: append([]step{
				at(1 * ms).request(clientHello), at(2*ms).answer(serverHello, cipherChange, finished12),
				at(3*ms).request(cipherChange, finished12),
			}, twoTurns()...),
			want: both, protocol: tls, turn: idle,
		},
		{
			name: "false start: the request does not wait for the server's Finished",
			steps: []step{
				at(1 * ms).request(clientHello), at(2 * ms).answer(serverFlight12),
				at(3*ms).request(clientKeys12, data),
				at(4 * ms).answer(serverFinished12), at(60 * ms).answer(data), at(70 * ms).close(),
			},
			want: []turn{served(3*ms, 60*ms)}, protocol: tls, turn: idle,
		},
		{
			name: "server speaks first (IMAP)",
			steps: append([]step{
				at(1 * ms).request(clientHello), at(2 * ms).answer(serverFlight12), at(3 * ms).request(clientKeys12),
				at(4 * ms).answer(serverFinished12),
				at(5 * ms).answer(data),
			}, twoTurns()...),
			want: both, protocol: tls, turn: idle,
		},
		{
			name: "renegotiation in the middle asks nothing",
			steps: []step{
				at(1 * ms).request(clientHello), at(2 * ms).answer(serverFlight12), at(3 * ms).request(clientKeys12),
				at(4 * ms).answer(serverFinished12),
				at(10 * ms).request(data), at(20 * ms).answer(data), at(60 * ms).answer(record(tlsHandshake, 40)),
				at(61 * ms).request(record(tlsHandshake, 300)),
				at(62 * ms).answer(record(tlsHandshake, 900)), at(70 * ms).close(),
			},
			want: []turn{served(10*ms, 20*ms)}, protocol: tls, turn: idle,
		},
	})
}

func TestTLS13(t *testing.T) {
	both := []turn{served(10*ms, 60*ms), served(70*ms, 75*ms)}
	clientCertificate := concat(cipherChange, record(tlsData, 800), record(tlsData, 96))
	playAll(t, []scenario{
		{name: "server's flight in one segment, Finished alone", steps: session13(twoTurns()...),
			want: both, protocol: tls,
			turn: idle},
		{
			name: "server's flight in two segments",
			steps: append([]step{
				at(1 * ms).request(clientHello), at(2*ms).answer(serverHello, cipherChange),
				at(3 * ms).answer(serverExtensions),
				at(4 * ms).request(clientFinished13),
			}, twoTurns()...),
			want: both, protocol: tls, turn: idle,
		},
		{
			name: "server's flight cut in the middle of a record",
			steps: append([]step{
				at(1 * ms).request(clientHello), at(2 * ms).answer(serverFlight13[:500]),
				at(3 * ms).answer(serverFlight13[500:]),
				at(4 * ms).request(clientFinished13),
			}, twoTurns()...),
			want: both, protocol: tls, turn: idle,
		},
		{
			name: "request in the same segment as Finished",
			steps: []step{
				at(1 * ms).request(clientHello), at(2 * ms).answer(serverFlight13),
				at(4*ms).request(clientFinished13, data),
				at(60*ms).answer(tickets, data), at(70 * ms).request(data), at(75 * ms).answer(data),
				at(80 * ms).close(),
			},
			want: []turn{served(4*ms, 60*ms), served(70*ms, 75*ms)}, protocol: tls, turn: idle,
		},
		{
			name: "SHA-384: Finished is longer",
			steps: append([]step{
				at(1 * ms).request(clientHello), at(2*ms).answer(serverHello, cipherChange, record(tlsData, 23),
					record(tlsData, 69)),
				at(4*ms).request(cipherChange, record(tlsData, 69)),
			}, twoTurns()...),
			want: both, protocol: tls, turn: idle,
		},
		{
			name: "without the change of cipher that pleases middle boxes",
			steps: append([]step{at(1 * ms).request(clientHello), at(2*ms).answer(serverHello, serverExtensions),
				at(4 * ms).request(record(tlsData, 53))}, twoTurns()...),
			want: both, protocol: tls, turn: idle,
		},
		{
			name: "second hello after a retry",
			steps: append([]step{
				at(1 * ms).request(clientHello), at(2*ms).answer(hello(2, 84), cipherChange),
				at(3*ms).request(cipherChange, clientHello),
				at(4*ms).answer(serverHello, serverExtensions), at(5 * ms).request(record(tlsData, 53)),
			}, twoTurns()...),
			want: both, protocol: tls, turn: idle,
		},
		{
			name: "mutual: certificate and its proof before Finished",
			steps: append([]step{
				at(1 * ms).request(clientHello), at(2 * ms).answer(serverFlight13),
				at(4*ms).request(clientCertificate, record(tlsData, 53)),
			}, twoTurns()...),
			want: both, protocol: tls, turn: idle,
		},
		{
			name: "mutual: in two segments",
			steps: append([]step{
				at(1 * ms).request(clientHello), at(2 * ms).answer(serverFlight13),
				at(4 * ms).request(clientCertificate),
				at(5 * ms).request(record(tlsData, 53)),
			}, twoTurns()...),
			want: both, protocol: tls, turn: idle,
		},
		{
			name: "mutual: Finished hidden in one large record; the server's tickets open the session",
			steps: append([]step{
				at(1 * ms).request(clientHello), at(2 * ms).answer(serverFlight13),
				at(4*ms).request(cipherChange, record(tlsData, 950)), at(5 * ms).answer(tickets),
			}, twoTurns()...),
			want: both, protocol: tls, turn: idle,
		},
		{
			name: "mutual: Finished behind the middle of a long certificate; the first request is lost, not the others",
			steps: append([]step{
				at(1 * ms).request(clientHello), at(2 * ms).answer(serverFlight13),
				at(4 * ms).request(record(tlsData, 3000)[:2000]),
				at(4*ms).request(record(tlsData, 3000)[2000:], record(tlsData, 53)),
			}, twoTurns()...),
			want: []turn{served(70*ms, 75*ms)}, protocol: tls, turn: idle,
		},
		{
			name:  "session tickets before the first request",
			steps: session13(append([]step{at(5 * ms).answer(tickets)}, twoTurns()...)...), want: both, protocol: tls,
			turn: idle,
		},
		{
			name: "session tickets while the first request waits: the answer moves the departure",
			steps: session13(
				at(10*ms).request(data), at(11*ms).answer(tickets), at(60*ms).answer(data), at(70*ms).request(data),
				at(75*ms).answer(data), at(80*ms).close()),
			want: both, protocol: tls, turn: idle,
		},
		{
			name: "close_notify from both sides is neither a request nor an answer",
			steps: session13(
				at(10*ms).request(data), at(20*ms).answer(data), at(60*ms).request(alert13), at(61*ms).answer(alert13),
				at(70*ms).close()),
			want: []turn{served(10*ms, 20*ms)}, protocol: tls, turn: idle,
		},
		{
			name: "upload of many records, cut anywhere, and an answer over three windows",
			steps: session13(
				at(10*ms).request(record(tlsData, 6000)[:3000]), at(20*ms).request(record(tlsData, 6000)[3000:]),
				at(30*ms).request(data),
				at(60*ms).answer(record(tlsData, 6000)[:3000]), at(101*ms).answer(record(tlsData, 6000)[3000:]),
				at(170*ms).answer(data), at(180*ms).close()),
			want: []turn{served(10*ms, 170*ms)}, protocol: tls, turn: idle,
		},
	})
}

// TestTLSJoined: sessions that were open before, and bytes that only look like one.
func TestTLSJoined(t *testing.T) {
	both := []turn{served(10*ms, 60*ms), served(70*ms, 75*ms)}
	playAll(t, []scenario{
		{name: "joined between two turns", steps: twoTurns(), want: both, protocol: tls, turn: idle},
		{name: "joined between two turns, protocol configured", hint: tls, steps: twoTurns(), want: both, protocol: tls,
			turn: idle},
		{
			name:  "joined in the middle of an answer",
			steps: append([]step{at(1 * ms).answer(body(700)), at(2 * ms).answer(data)}, twoTurns()...), want: both,
			protocol: tls, turn: idle,
		},
		{
			name:  "joined in the middle of an answer, protocol configured",
			hint:  tls,
			steps: append([]step{at(1 * ms).answer(body(700)), at(2 * ms).answer(data)}, twoTurns()...), want: both,
			protocol: tls, turn: idle,
		},
		{
			name: "requests as short as HTTP/2's frames: MySQL's ping, its SELECT 1, Redis's UNWATCH",
			steps: []step{
				at(10 * ms).request(record(tlsData, 5+17)), at(11 * ms).answer(record(tlsData, 11+17)),
				at(20 * ms).request(record(tlsData, 13+17)), at(21 * ms).answer(data),
				at(30 * ms).request(record(tlsData, 13+24)), at(31 * ms).answer(data),
				at(40 * ms).request(record(tlsData, 17+17)), at(41 * ms).answer(record(tlsData, 5+17)),
				at(50 * ms).request(record(tlsData, 13+17)), at(51 * ms).answer(data), at(60 * ms).close(),
			},
			want: []turn{served(10*ms, 11*ms), served(20*ms, 21*ms), served(30*ms, 31*ms), served(40*ms, 41*ms),
				served(50*ms, 51*ms)},
			protocol: tls, turn: idle,
		},
		{
			name: "binary message of 791 bytes in a protocol of turns is no record",
			steps: []step{
				at(1*ms).request([]byte{0x17, 3, 0, 0, 7, 0, 0, 0}, body(783)), at(2 * ms).answer(body(10)),
				at(60*ms).request([]byte{0x40, 0, 0, 0, 8, 0, 0, 0}, body(56)), at(61 * ms).answer(body(10)),
			},
			want: []turn{served(1*ms, 2*ms), open(60*ms, 61*ms)}, protocol: auto, turn: answered,
		},
		{
			name: "PostgreSQL asks for TLS, which is no request",
			steps: append([]step{
				at(1 * ms).request([]byte{0, 0, 0, 8, 4, 0xd2, 0x16, 0x2f}), at(2 * ms).answer([]byte("S")),
				at(3 * ms).request(clientHello), at(4 * ms).answer(serverFlight13),
				at(5 * ms).request(clientFinished13),
			}, twoTurns()...),
			want: both, protocol: tls, turn: idle,
		},
		{
			name: "slow close: the last alert comes long after the answer",
			steps: session13(at(10*ms).request(data), at(20*ms).answer(data), at(2*time.Second).answer(alert13),
				at(2010*ms).close()),
			want: []turn{served(10*ms, 20*ms)}, protocol: tls, turn: idle,
		},
	})
}
