// SPDX-License-Identifier: Apache-2.0

package turntest

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/nstar-project/nstar/exporters/nstar/kinds"
)

const kindSeed = 0x9e3779b97f4a7c15

// tellKinds gives the first tier kinds.
func (m *machine) tellKinds(t testing.TB, requests ...string) {
	t.Helper()
	var all []kinds.Kind
	for i, r := range requests {
		p, err := kinds.Parse(r)
		check(t, err)
		all = append(all, kinds.Kind{Tier: 0, Number: i + 1, Pattern: p})
	}
	a, err := kinds.Build(all, kindSeed)
	check(t, err)
	for s, next := range a.Steps {
		check(t, m.objects.KindSteps.Put(TurntestKindStep{Word: s.Word, Node: s.Node}, next))
	}
	for e, kind := range a.Ends {
		check(t, m.objects.KindEnds.Put(TurntestKindEnd{Station: e.Tier, Node: e.Node}, kind))
	}
}

// ofKind are the counts of a kind: requests, the integral of its queue up to a moment of the script, and residence
// times.
type ofKind struct {
	Arrivals, Completions, Aborts int
	Queue, Residence              time.Duration
}

// kindSums adds the kinds up over the CPUs; kinds without a request are left out.
func (m *machine) kindSums(t testing.TB, now time.Duration) map[int]ofKind {
	t.Helper()
	table := m.kindTable(t)
	out := make(map[int]ofKind)
	for i := range kinds.Max {
		var s TurntestKindSums
		for row := range m.rows {
			k := table[row*kinds.Max+i]
			s.Arrivals += k.Arrivals
			s.Completions += k.Completions
			s.Aborts += k.Aborts
			s.Stamps += k.Stamps
			s.Residence += k.Residence
			if k.Begun != k.Ended {
				t.Errorf("kind %d: %d writes begun, %d ended", i, k.Begun, k.Ended)
			}
		}
		there := s.Arrivals - s.Completions - s.Aborts
		k := ofKind{int(s.Arrivals), int(s.Completions), int(s.Aborts),
			time.Duration(there*uint64(epoch+now) - s.Stamps),
			time.Duration(s.Residence)}
		if k != (ofKind{}) {
			out[i] = k
		}
	}
	return out
}

// balanceKinds checks that every request is of one kind.
func (m *machine) balanceKinds(t *testing.T, all window, left int) {
	t.Helper()
	var sum ofKind
	for i, k := range m.kindSums(t, 0) {
		if there := k.Arrivals - k.Completions - k.Aborts; there < 0 {
			t.Errorf("kind %d: %d in the queue", i, there)
		}
		sum.Arrivals += k.Arrivals
		sum.Completions += k.Completions
		sum.Aborts += k.Aborts
		sum.Residence += k.Residence
	}
	if sum.Arrivals != all.Arrivals || sum.Completions != all.Completions || sum.Aborts != all.Aborts {
		t.Errorf("%+v of all kinds, %+v in all", sum, all)
	}
	if sum.Arrivals-sum.Completions-sum.Aborts != left {
		t.Errorf("%+v of all kinds, %d in flight", sum, left)
	}
}

// kindsRow is a connection of a tier that asks for kinds, and the counts that each kind must have at the end.
type kindsRow struct {
	name  string
	hint  uint8
	kinds []string
	steps []step
	want  map[int]ofKind
}

// end is when the queues of kinds are looked at.
const end = 400 * ms

func tellsAll(t *testing.T, rows []kindsRow) {
	t.Helper()
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			m := loadWith(t, variant{kinds: true})
			m.tellKinds(t, row.kinds...)
			m.play(t, scenario{hint: row.hint, steps: row.steps})
			if diff := cmp.Diff(row.want, m.kindSums(t, end)); diff != "" {
				t.Errorf("counted otherwise (-want +got):\n%s", diff)
			}
		})
	}
}

func TestKinds(t *testing.T) {
	request := func(line string) []byte { return text("%s HTTP/1.1\r\nHost: a\r\n\r\n", line) }
	longPath := "/static/" + string(body(300))
	tellsAll(t, []kindsRow{
		{
			name: "paths of HTTP", kinds: []string{"GET /users/{id}", "POST /orders", "/static/**"},
			steps: []step{
				at(10 * ms).request(request("GET /users/77?full=1")), at(30 * ms).answer(ok),
				at(40 * ms).answer(body(9)),
				at(50 * ms).request(request("POST /orders")), at(90 * ms).answer(ok),
				at(100 * ms).request(request("GET /users/77/orders")), at(101 * ms).answer(ok),
				at(110 * ms).request(request("GET " + longPath)), at(120 * ms).answer(ok),
				at(130 * ms).request(request("GET /orders")), at(132 * ms).answer(ok),
				at(140 * ms).request(request("GET //users/5")), at(300 * ms).close(),
			},
			want: map[int]ofKind{
				0: {Arrivals: 2, Completions: 2, Queue: 3 * ms, Residence: 3 * ms},
				1: {Arrivals: 2, Completions: 1, Aborts: 1, Queue: 190 * ms, Residence: 30 * ms},
				2: {Arrivals: 1, Completions: 1, Queue: 40 * ms, Residence: 40 * ms},
				3: {Arrivals: 1, Completions: 1, Queue: 10 * ms, Residence: 10 * ms},
			},
		},
		{
			name: "alone again behind several that were sent ahead", kinds: []string{"/a", "/b"},
			steps: []step{
				at(10*ms).request(request("GET /a"), request("GET /a")), at(20*ms).answer(ok, ok),
				at(30 * ms).request(request("GET /b")), at(40 * ms).answer(ok), at(50 * ms).request(request("GET /a")),
				at(60 * ms).request(request("GET /b")), at(70*ms).answer(ok, ok),
				at(80 * ms).request(request("GET /a")),
				at(90 * ms).close(),
			},
			want: map[int]ofKind{
				0: {Arrivals: 4, Completions: 4, Queue: 50 * ms, Residence: 50 * ms},
				1: {Arrivals: 1, Aborts: 1, Queue: 10 * ms},
				2: {Arrivals: 1, Completions: 1, Queue: 10 * ms, Residence: 10 * ms},
			},
		},
		{
			name: "one that waits counts up to now", kinds: []string{"/a"},
			steps: []step{at(10 * ms).request(request("GET /a"))},
			want:  map[int]ofKind{1: {Arrivals: 1, Queue: end - 10*ms}},
		},
		{
			name: "sent ahead they are others, also the one that was alone", kinds: []string{"/a"},
			steps: []step{
				at(10 * ms).request(request("GET /a")), at(20 * ms).request(request("GET /a")),
				at(30*ms).answer(ok, ok),
				at(50*ms).request(request("GET /a"), request("GET /a")), at(60 * ms).answer(ok), at(100 * ms).close(),
			},
			want: map[int]ofKind{0: {Arrivals: 4, Completions: 3, Aborts: 1, Queue: 90 * ms, Residence: 40 * ms}},
		},
		{
			name: "verbs of MySQL", hint: mysql, kinds: []string{"SELECT", "insert", "EXECUTE"},
			steps: []step{
				at(10 * ms).request(query("/* app */ (select 1)")), at(30 * ms).answer(columns),
				at(40 * ms).request(query(" Insert into t values (1)")),
				at(50 * ms).answer(columns), at(60 * ms).request(packetOf(0, []byte{0x17, 1, 0, 0, 0, 0, 1, 0, 0, 0})),
				at(61 * ms).answer(columns),
				at(70 * ms).request(query("delete from t")), at(75 * ms).answer(columns),
				at(80 * ms).request(query("inserted")),
				at(81 * ms).answer(columns),
			},
			want: map[int]ofKind{
				0: {Arrivals: 2, Completions: 2, Queue: 6 * ms, Residence: 6 * ms},
				1: {Arrivals: 1, Completions: 1, Queue: 20 * ms, Residence: 20 * ms},
				2: {Arrivals: 1, Completions: 1, Queue: 10 * ms, Residence: 10 * ms},
				3: {Arrivals: 1, Completions: 1, Queue: 1 * ms, Residence: 1 * ms},
			},
		},
		{
			name: "verbs of PostgreSQL", hint: postgres, kinds: []string{"SELECT", "PREPARE", "EXECUTE"},
			steps: []step{
				at(10 * ms).request(pgQuery("select 1")), at(30 * ms).answer(pgRows),
				at(40*ms).request(pgMessage('P', []byte("\x00select $1\x00\x00\x00")), pgSync),
				at(50 * ms).answer(pgReady),
				at(60*ms).request(pgMessage('P', []byte("name\x00select $1\x00\x00\x00")), pgSync),
				at(65 * ms).answer(pgReady),
				at(70*ms).request(pgMessage('B', make([]byte, 10)), pgSync), at(71 * ms).answer(pgReady),
			},
			want: map[int]ofKind{
				1: {Arrivals: 2, Completions: 2, Queue: 30 * ms, Residence: 30 * ms},
				2: {Arrivals: 1, Completions: 1, Queue: 5 * ms, Residence: 5 * ms},
				3: {Arrivals: 1, Completions: 1, Queue: 1 * ms, Residence: 1 * ms},
			},
		},
	})
}
