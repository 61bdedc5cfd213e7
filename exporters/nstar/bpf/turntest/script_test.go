// SPDX-License-Identifier: Apache-2.0

package turntest

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

const ms = time.Millisecond

// Mirrors of the enums in conn.h.
const (
	auto uint8 = iota
	http
	ajp
	mysql
	tls
	turns
	opaque
	postgres
	redis
	http2
	fastcgi
	kafka
	cassandra
	mongodb
	memcached
	openwires
	dubbos
)

var protocolNames = [...]string{"auto", "http", "ajp", "mysql", "tls", "turns", "opaque", "postgres", "redis", "http2",
	"fastcgi", "kafka", "cassandra", "mongodb", "memcached",
	"openwire", "dubbo"}

const (
	idle uint8 = iota
	inFlight
	answered
	reopened
)

const client uint8 = 2

type direction int

const (
	towardsServer direction = iota
	towardsClient
	closing
	telling
)

// step is one packet of a script, or the end of the connection.
type step struct {
	at        time.Duration
	direction direction
	payload   []byte
	shift     int // of the sequence number, against the next one due
	refused   bool
	keeps     uint32 // enum keeps in packet.h
}

type moment time.Duration

func at(t time.Duration) moment { return moment(t) }

func (m moment) request(payload ...[]byte) step {
	return step{at: time.Duration(m), direction: towardsServer, payload: concat(payload...)}
}

func (m moment) answer(payload ...[]byte) step {
	return step{at: time.Duration(m), direction: towardsClient, payload: concat(payload...)}
}

func (m moment) close() step { return step{at: time.Duration(m), direction: closing} }

// tell is where programs that distinguish kinds of requests take over from programs that don't.
func (m moment) tell() step { return step{at: time.Duration(m), direction: telling} }

// requestProbe is a keep-alive probe: n old bytes (0 or 1) in front of the next sequence number due.
func (m moment) requestProbe(n int) step {
	return step{at: time.Duration(m), direction: towardsServer, payload: make([]byte, n), shift: -1}
}

func (m moment) answerProbe(n int) step {
	return step{at: time.Duration(m), direction: towardsClient, payload: make([]byte, n), shift: -1}
}

// again sends the newest bytes of its direction once more: a retransmission.
func (s step) again() step { s.shift = -len(s.payload); return s }

// overlapping repeats n bytes sent before and goes on with new ones.
func (s step) overlapping(n int) step { s.shift = -n; return s }

// ahead leaves out n bytes, which are late.
func (s step) ahead(n int) step { s.shift = n; return s }

// stray is a segment this many bytes beyond the next one due, outside of the receiver's window: TCP refuses it.
func (s step) stray(n int) step { s.shift, s.refused = n, true; return s }

// afterPause follows a pause that the connection's client made; leavingRest leaves one to it.
func (s step) afterPause() step  { s.keeps |= 1; return s }
func (s step) leavingRest() step { s.keeps |= 2; return s }

// late fills the hole in front of the n bytes that overtook it.
func (s step) late(n int) step { s.shift = -len(s.payload) - n; return s }

// scenario is one connection from its first packet, and the expected counts at the end.
type scenario struct {
	name        string
	hint        uint8 // the protocol that the configuration names
	network     network
	sequence    uint32 // of the first byte in both directions
	clockOffset time.Duration
	joined      *TurntestConn      // the state to begin with, instead of a new connection
	edge        *TurntestEdgeState // the connection is one of the first edge, of which this is known
	steps       []step
	want        []turn // see model_test.go
	protocol    uint8  // at the end
	turn        uint8  // at the end
	multiplexed int
	waits       int // requests that are counted nowhere else
}

// play sends a script's packets. Sequence numbers count by themselves.
func (m *machine) play(t testing.TB, s scenario) {
	t.Helper()
	conn := TurntestConn{Protocol: s.hint}
	if s.joined != nil {
		conn = *s.joined
	}
	if s.edge != nil {
		conn.Role, conn.Station = client, uint32(s.station())
	}
	m.reset(t, conn, s.clockOffset)
	if s.edge != nil {
		check(t, m.objects.EdgeStates.Put(uint32(0), s.edge))
	}
	due := [2]uint32{s.sequence, s.sequence}
	for _, step := range s.steps {
		if step.direction == telling {
			m.forgetKinds(t)
			continue
		}
		if step.direction == closing {
			m.run(t, m.objects.TestClose, packet(ipv4, 0, nil), step.at)
			continue
		}
		next := &due[step.direction]
		seq := *next + uint32(step.shift)
		if end := seq + uint32(len(step.payload)); int32(end-*next) > 0 && !step.refused {
			*next = end
		}
		program := m.objects.TestRequest
		if step.direction == towardsClient {
			program = m.objects.TestAnswer
		}
		const beyondWindow = 99 // see turntest.bpf.c
		priority := step.keeps
		if step.refused {
			priority = beyondWindow
		}
		m.runAt(t, program, packet(s.network, seq, step.payload), step.at, 0, priority)
	}
}

func (s scenario) station() int {
	if s.edge != nil {
		return 1
	}
	return 0
}

// outcome is all that a script leaves behind.
type outcome struct {
	Windows     []window
	Buckets     map[int]int
	Protocol    string
	Turn        string
	Multiplexed int
	Waits       int
}

// horizon is the number of windows that are compared: all that the script touches and one more.
func (s scenario) horizon() int {
	last := time.Duration(0)
	for _, step := range s.steps {
		last = max(last, step.at)
	}
	return int((last+s.phase())/width) + 2
}

// phase is where in a window of the window clock the script's time 0 lies.
func (s scenario) phase() time.Duration { return (epoch + s.clockOffset) % width }

func (m *machine) outcome(t testing.TB, s scenario) outcome {
	t.Helper()
	c := m.connection(t)
	return outcome{
		Windows:     integrate(m.windows(t, s.station(), s.horizon(), s.clockOffset)),
		Buckets:     m.buckets(t),
		Protocol:    protocolNames[c.Protocol],
		Turn:        [...]string{"idle", "in flight", "answered", "reopened"}[c.Turn],
		Multiplexed: m.multiplexed(t),
		Waits:       m.waits(t),
	}
}

func (s scenario) wanted() outcome {
	return outcome{
		Windows:     model(s.want, s.horizon(), s.phase()),
		Buckets:     wantedBuckets(s.want),
		Protocol:    protocolNames[s.protocol],
		Turn:        [...]string{"idle", "in flight", "answered", "reopened"}[s.turn],
		Multiplexed: s.multiplexed,
		Waits:       s.waits,
	}
}

// playAll runs a table of scenarios, every row on a fresh connection.
func playAll(t *testing.T, rows []scenario) {
	t.Helper()
	m := loadMachine(t)
	for _, s := range rows {
		t.Run(s.name, func(t *testing.T) {
			m.play(t, s)
			if diff := cmp.Diff(s.wanted(), m.outcome(t, s)); diff != "" {
				t.Errorf("counted otherwise (-want +got):\n%s", diff)
			}
		})
	}
}
