// SPDX-License-Identifier: Apache-2.0

package turntest

import "testing"

// What the edge of a script knew about its destination before.
var (
	unknown     = &TurntestEdgeState{}
	knownMySQL  = &TurntestEdgeState{Given: mysql}
	learntMySQL = &TurntestEdgeState{Learned: mysql}
	knownTLS    = &TurntestEdgeState{Given: tls}
	manyOthers  = &TurntestEdgeState{Shared: 1}
)

// TestEdgeProtocol: connections of an edge that are joined in mid-life, after a restart of the exporter for instance.
func TestEdgeProtocol(t *testing.T) {
	closeThenQuery := []step{
		at(9 * ms).request(closing7), at(60 * ms).request(query("select 1")), at(62 * ms).answer(columns),
		at(70 * ms).request(closing7),
	}
	asked := []turn{open(60*ms, 62*ms)}
	queryThenClose := []step{
		at(9 * ms).request(query("select 1")), at(12 * ms).answer(columns), at(60 * ms).request(longData(50)),
	}
	look := packetOf(0, []byte{3}, body(16)) // what looks like a command of MySQL
	playAll(t, []scenario{
		{
			name: "configured: COM_STMT_CLOSE asks nothing", edge: knownMySQL,
			steps: closeThenQuery, want: asked, protocol: mysql, turn: answered,
		},
		{
			name: "learned: COM_STMT_CLOSE asks nothing", edge: learntMySQL,
			steps: closeThenQuery, want: asked, protocol: mysql, turn: answered,
		},
		{
			name: "unknown: COM_STMT_CLOSE shows MySQL", edge: unknown,
			steps: closeThenQuery, want: asked, protocol: mysql, turn: answered,
		},
		{
			name:  "a tier's own socket: COM_STMT_CLOSE shows MySQL",
			steps: closeThenQuery, want: asked, protocol: mysql, turn: answered,
		},
		{
			name: "unknown: a command and its answer show MySQL", edge: unknown, steps: queryThenClose,
			want: []turn{open(9*ms, 12*ms)}, protocol: mysql, turn: answered,
		},
		{
			name: "COM_STMT_CLOSE in front of a command", edge: unknown,
			steps: []step{at(9*ms).request(closing7, query("select 1")), at(12 * ms).answer(columns)},
			want:  []turn{open(9*ms, 12*ms)}, protocol: mysql, turn: answered,
		},
		{
			name: "another protocol that looks like a command, but does not answer like one", edge: unknown,
			steps: []step{
				at(9 * ms).request(look), at(12 * ms).answer(look),
				at(60 * ms).request([]byte{1, 2, 3, 4, 5}), at(61 * ms).answer(look),
			},
			want: []turn{open(9*ms, 12*ms), open(60*ms, 61*ms)}, protocol: auto, turn: answered,
		},
		{
			name: "MySQL is known, but this connection was in a TLS session", edge: learntMySQL,
			steps: []step{
				at(9 * ms).request(data), at(12 * ms).answer(data), at(60 * ms).request(data), at(61 * ms).answer(data),
			},
			want: []turn{open(9*ms, 12*ms), open(60*ms, 61*ms)}, protocol: tls, turn: answered,
		},
		{
			name: "TLS is known, joined in the middle of an answer", edge: knownTLS,
			steps: []step{at(1 * ms).answer(data), at(9 * ms).request(data), at(12 * ms).answer(data)},
			want:  []turn{open(9*ms, 12*ms)}, protocol: tls, turn: answered,
		},
		{
			name: "MySQL is known, a new connection", edge: knownMySQL,
			steps: handshake(at(9*ms).request(query("select 1")), at(60*ms).answer(columns)),
			want:  []turn{open(9*ms, 60*ms)}, protocol: mysql, turn: answered,
		},
		{
			name: "MySQL is known, a new connection with TLS", edge: learntMySQL,
			steps: []step{
				at(1 * ms).answer(greeting), at(2 * ms).request(sslRequest), at(3 * ms).request(clientHello),
				at(4 * ms).answer(serverFlight13), at(5 * ms).request(clientFinished13),
				at(6 * ms).request(record(tlsData, 226)), at(7 * ms).answer(record(tlsData, 28)),
				at(9 * ms).request(record(tlsData, 30)), at(60 * ms).answer(record(tlsData, 75)),
			},
			want: []turn{open(9*ms, 60*ms)}, protocol: tls, turn: answered,
		},
	})
}

// TestEdgeLearns: the first connection that shows MySQL counts for all, except on the edge that many destinations
// share.
func TestEdgeLearns(t *testing.T) {
	m := loadMachine(t)
	for _, tt := range []struct {
		name  string
		edge  *TurntestEdgeState
		steps []step
		want  uint8
	}{
		{"greeting", unknown, handshake(), mysql},
		{"command and answer", unknown, []step{at(9 * ms).request(ping), at(12 * ms).answer(okPacket)}, mysql},
		{"COM_STMT_CLOSE", unknown, []step{at(9 * ms).request(closing7)}, mysql},
		{"shared by many destinations", manyOthers, handshake(), auto},
		{"HTTP shows itself with every request", unknown,
			[]step{at(9 * ms).request(get), at(12 * ms).answer(ok)}, auto},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m.play(t, scenario{edge: tt.edge, steps: tt.steps})
			if got := m.edge(t, 0).Learned; got != tt.want {
				t.Errorf("learned protocol %d, want %d", got, tt.want)
			}
		})
	}
}

// edge reads what is known of an edge now.
func (m *machine) edge(t testing.TB, number uint32) (e TurntestEdgeState) {
	t.Helper()
	check(t, m.objects.EdgeStates.Lookup(number, &e))
	return e
}
