// SPDX-License-Identifier: Apache-2.0

package turntest

import (
	"encoding/binary"
	"flag"
	"math/rand/v2"
	"testing"
	"time"
)

// FuzzPackets sends anything at all: whatever it is, the books must balance.
func FuzzPackets(f *testing.F) {
	m := loadMachine(f)
	seeds := [][]byte{
		get, post, ok, goOn, switching, forward, cping, cpong, getBodyChunk, sendHeaders, greeting, login, quit,
		closing7,
		longData(50)[:30],
		query("select 1"), clientHello, serverFlight13, clientFinished13, data, tickets, alert13, clientKeys12,
		[]byte("PRI * HTTP/2.0\r\n"),
		pgStartup, pgQuery("select 1"), pgRows, concat(pgSync, pgSync), command3("SET", "k", "v"), concat(ping2, ping2),
		text("+OK\r\n:1\r\n"),
		concat(get, get, upload(30), head, get), chunked("POST /c HTTP/1.1", 5, 30),
		concat(ok, chunked("HTTP/1.1 200 OK", 9), goOn, ok, switching),
	}
	for i, payload := range seeds {
		f.Add(fuzzed(payload, ok, seeds[(i+1)%len(seeds)], payload))
	}
	f.Fuzz(func(t *testing.T, input []byte) { m.survive(t, input) })
}

// segments is how many TestRandomPackets plays.
var segments = flag.Int("segments", 24_000,
	"segments that TestRandomPackets plays, half of them with kinds of requests")

// segmentsAtOnce is how many a connection of TestRandomPackets has.
const segmentsAtOnce = 40

// TestRandomPackets is the same with random mixtures of real messages, for a plain `go test`.
func TestRandomPackets(t *testing.T) {
	for _, kinds := range []bool{false, true} {
		randomPackets(t, loadWith(t, variant{kinds: kinds}))
	}
}

func randomPackets(t *testing.T, m *machine) {
	if m.kinds {
		m.tellKinds(t, "GET /index.html", "/upload", "SELECT", "Kafka Metadata", "CQL QUERY", "Redis SET",
			"Memcached get")
	}
	messages := [][]byte{
		get, ok, goOn, switching, forward, cping, cpong, greeting, login, quit, closing7, query("select 1"),
		clientHello,
		serverFlight12,
		serverFlight13, clientFinished13, clientKeys12, data, alert13, body(30), {}, longData(200),
		pgStartup, pgQuery("select 1"), pgQuery("select 1"), pgBatch, concat(pgSync, pgSync), pgRows,
		concat(pgReady, pgReady), pgReady, pgTerminate,
		fcgiGet, fcgiPost, fcgiAnswer, h2Preface, h2Get(1), h2Get(3), h2OK(1), h2Empty(3), h2Reset(1), h2Window,
		frame(1, 5, 0x7fffffff, 9),
		command3("SET", "k", "v"), concat(ping2, ping2), ping2, text("+OK\r\n:1\r\n"),
		text("*2\r\n$3\r\nabc\r\n:7\r\n"),
		text("$9000\r\n"),
		command3("BLPOP", "k", "0"), concat(ping2, command3("WAIT", "1", "0"), ping2),
		kafkaAsk(3, 12, 1, body(30)), kafkaAsk(1, 11, 2, body(30)), kafkaProduce(9, 3, 0, 40),
		kafkaProduce(3, 4, 1, 40),
		kafkaAnswer(1, 50), kafkaAnswer(3, 9),
		cqlAsk(4, 0, 20), cqlAsk(4, 1, 20), cqlAnswer(4, 0, 30), cqlAnswer(4, 1, 3), cqlFrame(true, cqlAsk(5, 1, 9)),
		cqlFrame(false, body(20)), cqlPacked(9),
		mongoCommand(1, 0, "find"), mongoCommand(2, 2, "insert"), mongo(3, 0, mongoCompressed, body(20)),
		mongoAnswer(1, 30),
		mongoAnswer(3, 9),
		concat(get, get, upload(30)), chunked("POST /c HTTP/1.1", 5, 30),
		concat(ok, chunked("HTTP/1.1 200 OK", 9), goOn, ok), concat(head, get),
		store("set", "k", 20, ""), store("set", "k", 9, " noreply"), text("get k\r\n"), text("mg k q\r\n"),
		mcValue("k", 20),
		text("STORED\r\n"),
	}
	for seed := range uint64(*segments / 2 / segmentsAtOnce) {
		r := rand.New(rand.NewPCG(seed, 2))
		var mixture [][]byte
		for range segmentsAtOnce {
			message := messages[r.IntN(len(messages))]
			mixture = append(mixture, message[:len(message)-r.IntN(len(message)+1)/2*r.IntN(2)])
		}
		input := fuzzed(mixture...)
		for range 40 * r.IntN(2) {
			input[r.IntN(len(input))] = byte(r.Uint32())
		}
		m.survive(t, input)
		if t.Failed() {
			t.Fatalf("seed %d: %x", seed, input)
		}
	}
}

// fuzzed encodes messages as input, taking turns: a byte of kind and network, 2 bytes of time, 2 of shift, 2 of length.
func fuzzed(messages ...[]byte) []byte {
	var input []byte
	for i, message := range messages {
		input = append(input, byte(i%2), 20, byte(i), 0, 0)
		input = binary.BigEndian.AppendUint16(input, uint16(len(message)))
		input = append(input, message...)
	}
	return input
}

// survive plays input as packets and checks what holds for every connection.
func (m *machine) survive(t *testing.T, input []byte) {
	m.reset(t, TurntestConn{}, 0)
	now, due := time.Duration(0), [2]uint32{}
	const horizon = 120
	for len(input) >= 7 && now < (horizon-15)*width {
		kind, pause, shift := input[0], binary.BigEndian.Uint16(input[1:]), int16(binary.BigEndian.Uint16(input[3:]))
		n := min(int(binary.BigEndian.Uint16(input[5:]))%3000, len(input)-7)
		payload := input[7 : 7+n]
		input = input[7+n:]
		now += time.Duration(pause) * 10 * time.Microsecond
		switch {
		case kind == 0xff:
			m.run(t, m.objects.TestClose, packet(ipv4, 0, nil), now)
			continue
		case kind >= 0xf0: // headers out of nothing
			m.run(t, m.objects.TestRequest, concat(ethernet(network(kind%2)*ipv6), payload, make([]byte, 60)), now)
			continue
		}
		side := kind % 2
		seq := due[side] + uint32(int32(shift))
		due[side] = seq + uint32(n)
		program := m.objects.TestRequest
		if side == 1 {
			program = m.objects.TestAnswer
		}
		m.run(t, program, packet(network(kind>>1)%(ipv6Fragment+1), seq, payload), now)
	}
	m.balance(t, horizon)
}

// balance checks the invariants: one connection has at most one request in the queue, and every request that came is
// completed, aborted, or in the queue.
func (m *machine) balance(t *testing.T, horizon int) {
	t.Helper()
	c := m.connection(t)
	several := m.piped(t)
	var sum window
	for i, w := range integrate(m.windows(t, 0, horizon, 0)) {
		sum.Arrivals += w.Arrivals
		sum.Completions += w.Completions
		sum.Aborts += w.Aborts
		sum.Net += w.Net
		if w.Queue < 0 || w.Queue > width && !several {
			t.Errorf("window %d: %v of queue for one connection in a window of %v", i, w.Queue, width)
		}
		if sum.Net < 0 || sum.Net > 1 && !several {
			t.Errorf("window %d: %d requests in the queue of one connection", i, sum.Net)
		}
		if w.Completions < 0 || w.Residence < 0 {
			t.Errorf("window %d: %d completions with residence %v", i, w.Completions, w.Residence)
		}
	}
	left := int(c.Outstanding)
	if left == 0 && c.Turn == inFlight { // they are counted only if there are several
		left = 1
	}
	if (c.Turn == inFlight) != (left > 0) || left > 1 && !several {
		t.Errorf("turn %d with %d requests outstanding", c.Turn, left)
	}
	if sum.Net != left || sum.Arrivals-sum.Completions-sum.Aborts != left {
		t.Errorf("%d arrived, %d completed, %d aborted, net %d; the connection has %d in flight", sum.Arrivals,
			sum.Completions, sum.Aborts, sum.Net, left)
	}
	if m.kinds {
		m.balanceKinds(t, sum, left)
	}
	ended := 0
	for _, n := range m.buckets(t) {
		ended += n
	}
	if c.Turn == answered || c.Turn == reopened {
		ended++ // its answer may go on
	}
	if ended != sum.Completions {
		t.Errorf("%d residence times for %d completions", ended, sum.Completions)
	}
	if int(c.Protocol) >= len(protocolNames) || c.Turn > reopened {
		t.Errorf("connection in a state that does not exist: %+v", c)
	}
}
