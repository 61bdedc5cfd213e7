// SPDX-License-Identifier: Apache-2.0

package turntest

import (
	"bytes"
	"testing"
)

// packetOf frames a MySQL packet: 3 bytes of length, the sequence number, the payload.
func packetOf(number byte, payload ...[]byte) []byte {
	p := concat(payload...)
	return concat([]byte{byte(len(p)), byte(len(p) >> 8), byte(len(p) >> 16), number}, p)
}

func command(code byte, rest ...byte) []byte { return packetOf(0, []byte{code}, rest) }

func query(sql string) []byte { return packetOf(0, []byte{3}, []byte(sql)) }

var (
	greeting     = packetOf(0, []byte{10}, text("5.5.5-10.11.6-MariaDB\x00"), make([]byte, 60))
	login        = packetOf(1, []byte{0x8d, 0xa2, 0xbf, 0x09}, make([]byte, 100))
	authSwitch   = packetOf(2, []byte{0xfe}, text("mysql_native_password\x00"), make([]byte, 20))
	authAnswer   = packetOf(3, make([]byte, 20))
	sslRequest   = packetOf(1, make([]byte, 32))
	okPacket     = packetOf(1, make([]byte, 7))
	okAfterLogin = packetOf(2, make([]byte, 7))
	quit         = command(1)
	ping         = command(14)
	closing7     = command(0x19, 7, 0, 0, 0)
	execute      = command(0x17, 7, 0, 0, 0, 0, 1, 0, 0, 0)
	columns      = concat(packetOf(1, []byte{1}), packetOf(2, make([]byte, 30)), packetOf(3, []byte{0xfe, 0, 0, 2, 0}))
)

// longData is COM_STMT_SEND_LONG_DATA with n bytes of binary data, many of them zero.
func longData(n int) []byte { return packetOf(0, []byte{0x18, 7, 0, 0, 0, 0, 0}, make([]byte, n)) }

// handshake is a login that ends at 5 ms; every row below goes on from there.
func handshake(more ...step) []step {
	return append([]step{at(1 * ms).answer(greeting), at(3 * ms).request(login), at(5 * ms).answer(okAfterLogin)},
		more...)
}

func TestMySQL(t *testing.T) {
	playAll(t, []scenario{
		{
			name: "greeting, login and COM_QUIT are no requests; queries are",
			steps: handshake(at(9*ms).request(query("select 1")), at(60*ms).answer(columns), at(70*ms).request(quit),
				at(71*ms).close()),
			want: []turn{served(9*ms, 60*ms)}, protocol: mysql, turn: idle,
		},
		{
			name: "login with a switch of the authentication plugin",
			steps: []step{
				at(1 * ms).answer(greeting), at(2 * ms).request(login), at(3 * ms).answer(authSwitch),
				at(4 * ms).request(authAnswer),
				at(5 * ms).answer(packetOf(4, make([]byte, 7))), at(60 * ms).request(ping),
				at(61 * ms).answer(okPacket),
			},
			want: []turn{open(60*ms, 61*ms)}, protocol: mysql, turn: answered,
		},
		{
			name: "server too busy answers the greeting's place with an error",
			hint: mysql,
			steps: []step{
				at(1 * ms).answer(packetOf(0, []byte{0xff, 0x10, 0x04}, text("Too many connections"))),
				at(2 * ms).close(),
			},
			protocol: mysql, turn: idle,
		},
		{
			name: "COM_STMT_CLOSE alone gets no answer and asks nothing",
			steps: handshake(
				at(9*ms).request(execute), at(12*ms).answer(columns), at(20*ms).request(closing7),
				at(60*ms).request(execute), at(62*ms).answer(columns)),
			want: []turn{served(9*ms, 12*ms), open(60*ms, 62*ms)}, protocol: mysql, turn: answered,
		},
		{
			name: "COM_STMT_CLOSE glued in front of a query: the query is the request",
			steps: handshake(
				at(9*ms).request(closing7, query("select 1")), at(12*ms).answer(columns),
				at(60*ms).request(closing7, closing7, closing7, execute), at(62*ms).answer(columns)),
			want: []turn{served(9*ms, 12*ms), open(60*ms, 62*ms)}, protocol: mysql, turn: answered,
		},
		{
			name: "sixty-four COM_STMT_CLOSE at once ask nothing",
			steps: handshake(
				at(9*ms).request(bytes.Repeat(closing7, 64)),
				at(60*ms).request(execute), at(62*ms).answer(columns)),
			want: []turn{open(60*ms, 62*ms)}, protocol: mysql, turn: answered,
		},
		{
			name: "two hundred COM_STMT_CLOSE and a query in one segment",
			steps: handshake(
				at(9*ms).request(bytes.Repeat(closing7, 200), query("select 1")), at(12*ms).answer(columns),
				at(60*ms).request(bytes.Repeat(closing7, 350))),
			want: []turn{open(9*ms, 12*ms)}, protocol: mysql, turn: answered,
		},
		{
			name: "COM_STMT_SEND_LONG_DATA in one segment, then the execution",
			steps: handshake(
				at(9*ms).request(longData(1000)), at(60*ms).request(execute), at(62*ms).answer(okPacket)),
			want: []turn{open(60*ms, 62*ms)}, protocol: mysql, turn: answered,
		},
		{
			name: "COM_STMT_SEND_LONG_DATA of zeros in several segments, the last glued to the execution",
			steps: handshake(
				at(9*ms).request(longData(9000)[:3000]), at(20*ms).request(longData(9000)[3000:6000]),
				at(30*ms).request(longData(9000)[6000:9000]),
				at(60*ms).request(longData(9000)[9000:], execute), at(62*ms).answer(okPacket)),
			want: []turn{open(60*ms, 62*ms)}, protocol: mysql, turn: answered,
		},
		{
			name: "execution overtakes the rest of its COM_STMT_SEND_LONG_DATA and a COM_STMT_CLOSE",
			steps: handshake(
				at(9*ms).request(longData(3000)[:1500]), at(60*ms).request(execute).ahead(3011-1500+len(closing7)),
				at(61*ms).request(longData(3000)[1500:], closing7).late(len(execute)), at(62*ms).answer(okPacket),
				at(70*ms).request(ping), at(71*ms).answer(okPacket)),
			want: []turn{served(60*ms, 62*ms), open(70*ms, 71*ms)}, protocol: mysql, turn: answered,
		},
		{
			name: "LOAD DATA LOCAL: the file goes to the server inside the request",
			steps: handshake(
				at(9*ms).request(query("load data local infile 'a' into table t")),
				at(12*ms).answer(packetOf(1, []byte{0xfb}, text("a"))),
				at(13*ms).request(packetOf(2, body(3000))), at(60*ms).request(packetOf(3, body(3000))),
				at(61*ms).request(packetOf(4)),
				at(70*ms).answer(packetOf(5, make([]byte, 7))), at(80*ms).request(ping)),
			want: []turn{served(9*ms, 70*ms), waiting(80 * ms)}, protocol: mysql, turn: inFlight,
		},
		{
			name: "result of many segments",
			steps: handshake(
				at(9*ms).request(query("select *")), at(12*ms).answer(columns), at(49*ms).answer(make([]byte, 3000)),
				at(60*ms).answer(make([]byte, 3000)),
				at(149*ms).answer(make([]byte, 10)), at(155*ms).request(ping), at(156*ms).answer(okPacket)),
			want: []turn{served(9*ms, 149*ms), open(155*ms, 156*ms)}, protocol: mysql, turn: answered,
		},
		{
			name: "statement of many segments is one request",
			steps: handshake(
				at(9*ms).request(query(string(body(6000)))[:3000]), at(30*ms).request(query(string(body(6000)))[3000:]),
				at(60*ms).answer(okPacket)),
			want: []turn{open(9*ms, 60*ms)}, protocol: mysql, turn: answered,
		},
		{
			name: "connection joined in mid-life, protocol configured",
			hint: mysql,
			steps: []step{
				at(1 * ms).answer(make([]byte, 300)), at(9 * ms).request(query("select 1")),
				at(12 * ms).answer(columns),
				at(60 * ms).request(closing7), at(70 * ms).request(quit), at(71 * ms).close(),
			},
			want: []turn{served(9*ms, 12*ms)}, protocol: mysql, turn: idle,
		},
		{
			name: "statement of 790 bytes, whose length looks like a TLS record",
			steps: handshake(
				at(9*ms).request(query(string(body(789)))), at(12*ms).answer(columns),
				at(60*ms).request(query("select 1")),
				at(61*ms).answer(columns)),
			want: []turn{served(9*ms, 12*ms), open(60*ms, 61*ms)}, protocol: mysql, turn: answered,
		},
		{
			name: "login inside TLS 1.3 is no request, the statements are",
			steps: []step{
				at(1 * ms).answer(greeting), at(2 * ms).request(sslRequest), at(3 * ms).request(clientHello),
				at(4 * ms).answer(serverFlight13),
				at(5 * ms).request(clientFinished13), at(6 * ms).request(record(tlsData, 226)),
				at(7 * ms).answer(record(tlsData, 28)),
				at(9 * ms).request(record(tlsData, 30)), at(60 * ms).answer(record(tlsData, 75)), at(70 * ms).close(),
			},
			want: []turn{served(9*ms, 60*ms)}, protocol: tls, turn: idle,
		},
		{
			name: "login inside TLS 1.3 in the same segment as Finished",
			steps: []step{
				at(1 * ms).answer(greeting), at(2 * ms).request(sslRequest), at(3 * ms).request(clientHello),
				at(4 * ms).answer(serverFlight13),
				at(5*ms).request(clientFinished13, record(tlsData, 226)), at(7 * ms).answer(record(tlsData, 28)),
				at(9 * ms).request(record(tlsData, 30)), at(60 * ms).answer(record(tlsData, 75)), at(70 * ms).close(),
			},
			want: []turn{served(9*ms, 60*ms)}, protocol: tls, turn: idle,
		},
	})
}
