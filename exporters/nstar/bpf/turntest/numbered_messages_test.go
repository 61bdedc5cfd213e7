// SPDX-License-Identifier: Apache-2.0

package turntest

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// numbered are the messages of random scripts in a protocol whose messages carry numbers.
type numbered struct {
	name     string
	protocol uint8
	opening  []step
	header   int // bytes of a request by which it is known
	ask      func(id uint32, n int) []byte
	answer   func(id uint32, n int) []byte
	silent   []byte // gets no answer, or is left out
	waits    int    // by one of those
	aside    []byte // from the server, answers nothing
}

func allNumbered() []numbered {
	return []numbered{
		{
			name: "kafka", protocol: kafka, header: 14, ask: func(id uint32,
				n int) []byte {
				return kafkaAsk(3, 12, id, body(n))
			},
			answer: kafkaAnswer, silent: kafkaAsk(1, 11, 1<<20, body(90)), waits: 1, aside: kafkaAnswer(1<<20, 300),
		},
		{
			name: "cassandra 4", protocol: cassandra, opening: cqlLogin(4), header: 9,
			ask:    func(id uint32, n int) []byte { return cqlAsk(4, int16(id), n) },
			answer: func(id uint32, n int) []byte { return cqlAnswer(4, int16(id), n) },
			silent: cql(4, 9999, cqlOptions, nil), aside: cql(0x84, -1, cqlEvent, body(70)),
		},
		{
			name: "cassandra 5", protocol: cassandra, opening: cqlLogin(5), header: 6 + 9,
			ask:    func(id uint32, n int) []byte { return cqlFrame(true, cqlAsk(5, int16(id), n)) },
			answer: func(id uint32, n int) []byte { return cqlFrame(true, cqlAnswer(5, int16(id), n)) },
			silent: cqlFrame(true, cql(5, 9999, cqlOptions, nil)),
			aside:  cqlFrame(true, cql(0x85, -1, cqlEvent, body(70))),
		},
		{
			name: "mongodb", protocol: mongodb, header: 16, ask: func(id uint32,
				n int) []byte {
				return mongoCommand(id, 0, "find", body(n))
			},
			answer: mongoAnswer, silent: mongo(1<<20, 0, 2006, body(80)),
			aside: mongo(1<<21, 1<<20, mongoReply, body(40)),
		},
		{
			name: "openwire", protocol: openwires, header: 16, ask: openwireSend,
			answer: func(id uint32, _ int) []byte { return openwireAnswer(id) },
			silent: openwire(openwireAck, 4, false, 1<<20, openwireNames(), body(60)),
			aside:  openwire(openwireDispatch, 7, false, 0, body(90)),
		},
		{
			name: "dubbo", protocol: dubbos, header: 16, ask: dubboAsk, answer: dubboAnswer,
			silent: dubbo(dubboRequest, 1<<20, body(60)),
			aside:  dubbo(dubboRequest|dubboWanted|dubboEvent, 1<<20, body(1)),
		},
	}
}

// cuts divides a stream into segments, and says for each offset when it has come.
func cuts(r *rand.Rand, stream []byte, later func() time.Duration,
	send func(at time.Duration, b []byte)) (came func(offset int) time.Duration) {
	var ends []int
	var times []time.Duration
	for sent := 0; sent < len(stream); {
		n := min(1+r.IntN(400), len(stream)-sent)
		now := later()
		send(now, stream[sent:sent+n])
		sent += n
		ends, times = append(ends, sent), append(times, now)
	}
	return func(offset int) time.Duration {
		for i, end := range ends {
			if offset <= end {
				return times[i]
			}
		}
		return -1
	}
}

// randomNumbered writes a script of requests and their answers in any order, in segments cut anywhere. The first
// request comes whole.
func randomNumbered(r *rand.Rand, p numbered) scenario {
	s := scenario{
		name: p.name, protocol: p.protocol, network: network(r.IntN(int(ipv6WithRouting) + 1)), sequence: r.Uint32(),
		clockOffset: time.Duration(r.Int64N(int64(time.Second))),
	}
	now := 20 * ms
	later := func() time.Duration { now += time.Duration(r.Int64N(int64(8 * ms))); return now }
	s.steps = append(append(s.steps, p.opening...), at(later()).request(p.ask(1, 50)))
	begun := now
	s.steps = append(s.steps, at(later()).answer(p.answer(1, 50)))
	s.want = append(s.want, served(begun, now))
	for id := uint32(2); now < 4*time.Second; {
		var asked, answers []byte
		var known, ends []int
		first, n := id, 1+r.IntN(20)
		for range n {
			if r.IntN(4) == 0 {
				asked = append(asked, p.silent...)
				s.waits += p.waits
			}
			known = append(known, len(asked)+p.header)
			asked = append(asked, p.ask(id, r.IntN(300))...)
			id++
		}
		order := r.Perm(n)
		ends = make([]int, n)
		for _, i := range order {
			if r.IntN(4) == 0 {
				answers = append(answers, p.aside...)
			}
			answers = append(answers, p.answer(first+uint32(i), r.IntN(500))...)
			ends[i] = len(answers)
		}
		arrived := cuts(r, asked, later,
			func(t time.Duration, b []byte) { s.steps = append(s.steps, at(t).request(b)) })
		left := cuts(r, answers, later, func(t time.Duration, b []byte) { s.steps = append(s.steps, at(t).answer(b)) })
		for i := range n {
			s.want = append(s.want, served(arrived(known[i]), left(ends[i])))
		}
	}
	return s
}

// TestRandomNumbered compares requests with numbers with the model, exactly, window by window.
func TestRandomNumbered(t *testing.T) {
	m := loadMachine(t)
	for _, p := range allNumbered() {
		t.Run(p.name, func(t *testing.T) {
			for seed := range uint64(20) {
				s := randomNumbered(rand.New(rand.NewPCG(seed, 6)), p)
				m.play(t, s)
				if diff := cmp.Diff(s.wanted().inOneBucket(), m.outcome(t, s).inOneBucket()); diff != "" {
					t.Fatalf("seed %d counted otherwise (-want +got):\n%s", seed, diff)
				}
			}
		})
	}
}
