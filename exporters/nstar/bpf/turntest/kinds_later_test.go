// SPDX-License-Identifier: Apache-2.0

package turntest

import "testing"

// forgetKinds leaves the first connection as programs without kinds do, with nothing counted.
func (m *machine) forgetKinds(t testing.TB) {
	t.Helper()
	c := m.connection(t)
	c.Kind = 0
	check(t, m.objects.Connections.Put(uint32(0), c))
	var s TurntestStreams
	check(t, m.objects.StreamTables.Lookup(uint32(0), &s))
	const kindShift = 59 // STREAM_KIND_SHIFT in stream_table.h
	for i := range s.At {
		s.At[i].Arrived &= 1<<kindShift - 1
	}
	check(t, m.objects.StreamTables.Put(uint32(0), s))
	writeAll(t, m.objects.KindTable, make([]TurntestKindSums, len(m.kindTable(t))))
}

func (m *machine) kindTable(t testing.TB) []TurntestKindSums {
	t.Helper()
	table, err := mapped[TurntestKindSums](m.objects.KindTable)
	check(t, err)
	return table
}

// A request that began before kinds were distinguished has no kind, wherever it ends: otherwise more would leave
// than came.
func TestKindsToldLater(t *testing.T) {
	ask := text("GET /a HTTP/1.1\r\nHost: a\r\n\r\n")
	metadata := func(id uint32) []byte { return kafkaAsk(3, 12, id, body(30)) }
	tellsAll(t, []kindsRow{
		{
			name: "a request, and an answer that goes on", kinds: []string{"/a"},
			steps: []step{
				at(10 * ms).request(ask), at(15 * ms).tell(), at(20 * ms).answer(ok), at(30 * ms).answer(body(9)),
				at(40 * ms).request(ask), at(60 * ms).answer(ok), at(70 * ms).answer(body(9)),
			},
			want: map[int]ofKind{1: {Arrivals: 1, Completions: 1, Queue: 30 * ms, Residence: 30 * ms}},
		},
		{
			name: "one that is aborted", kinds: []string{"/a"},
			steps: []step{at(10 * ms).request(ask), at(15 * ms).tell(), at(30 * ms).close()},
			want:  map[int]ofKind{},
		},
		{
			name: "those that join it, until all have left", kinds: []string{"/a"},
			steps: []step{
				at(10 * ms).request(ask), at(15 * ms).tell(), at(20 * ms).request(ask), at(30 * ms).answer(ok),
				at(31*ms).request(ask, ask), at(40*ms).answer(ok, ok), at(41 * ms).answer(ok),
				at(50*ms).request(ask, ask), at(60*ms).answer(ok, ok),
			},
			want: map[int]ofKind{0: {Arrivals: 2, Completions: 2, Queue: 20 * ms, Residence: 20 * ms}},
		},
		{
			name: "several that were sent ahead before", hint: redis, kinds: []string{"/a"},
			steps: []step{
				at(10*ms).request(ping2, ping2), at(15 * ms).tell(), at(20 * ms).answer(text("+PONG\r\n")),
				at(30 * ms).close(), at(40 * ms).request(ping2),
			},
			want: map[int]ofKind{0: {Arrivals: 1, Queue: end - 40*ms}},
		},
		{
			name: "messages with numbers, each by its own", kinds: []string{"Kafka Metadata"},
			steps: []step{
				at(10 * ms).request(metadata(1)), at(11 * ms).request(metadata(2)), at(15 * ms).tell(),
				at(20 * ms).request(metadata(3)), at(30 * ms).answer(kafkaAnswer(1, 9)),
				at(40 * ms).request(metadata(4)),
				at(50*ms).answer(kafkaAnswer(2, 9), kafkaAnswer(3, 9)), at(70 * ms).close(),
			},
			want: map[int]ofKind{1: {Arrivals: 2, Completions: 1, Aborts: 1, Queue: 60 * ms, Residence: 30 * ms}},
		},
	})
}
