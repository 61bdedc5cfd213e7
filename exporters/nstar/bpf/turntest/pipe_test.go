// SPDX-License-Identifier: Apache-2.0

package turntest

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// language are the messages of random pipelines in one protocol.
type language struct {
	name     string
	protocol uint8
	opening  []step
	requests [][]byte // each one request
	silent   [][]byte // asks nothing
	answers  [][]byte // each one answer
	asides   [][]byte // answers nothing
}

func languages() []language {
	return []language{
		{
			name: "postgres", protocol: postgres, opening: pgLogin(),
			requests: [][]byte{pgQuery("select 1"), pgBatch, pgQuery(string(body(2000)))},
			silent:   [][]byte{pgFlush}, answers: [][]byte{pgRows, pgReady, concat(pgRow, pgRow, pgComplete, pgReady)},
			asides: [][]byte{pgNotice, pgNotify},
		},
		{
			name: "redis", protocol: redis, requests: [][]byte{ping2, get3, command3("SET", "k", string(body(700)))},
			answers: [][]byte{pong2, value3, null3, list3, map3, err3, text("$700\r\n%s\r\n", body(700)),
				text(":7\r\n")},
			asides: [][]byte{push3},
		},
		{
			name: "memcached", protocol: memcached,
			requests: [][]byte{text("get key\r\n"), store("set", "key", 600, ""), text("mg key v t\r\n"),
				text("incr key 1\r\n")},
			silent: [][]byte{store("set", "key", 30, " noreply"), text("incr key 1 noreply\r\n")},
			answers: [][]byte{
				text("END\r\n"), mcValue("key", 700), text("STORED\r\n"), text("VA 30 t0\r\n%s\r\n", body(30)),
				text("7\r\n"),
				concat(text("VALUE a 0 9\r\nEND\r\nEND\r\r\n"), mcValue("b", 12)),
				text("CLIENT_ERROR bad command line format\r\n"),
			},
		},
		{
			name: "http", protocol: http, requests: [][]byte{get, upload(700), chunked("POST /c HTTP/1.1", 5, 300),
				concat(get, text("\r\n"))},
			answers: [][]byte{
				ok, text("HTTP/1.1 304 Not Modified\r\nContent-Length: 700\r\n\r\n"),
				text("HTTP/1.1 204 No Content\r\n\r\n"),
				tooLarge,
				chunked("HTTP/1.1 200 OK", 400, 1, 70),
				text("HTTP/1.1 200 OK\r\nSERVER: x\r\ncontent-length:   700  \r\n\r\n%s",
					body(700)),
			},
			asides: [][]byte{goOn, earlyHints},
		},
	}
}

// randomPipeline writes a script of requests sent ahead and their answers, cut anywhere, and when each must be counted:
// a request when its first message is known as one, an answer when its last byte is there. The first segment has two
// requests, so that the answers are followed from the beginning.
func randomPipeline(r *rand.Rand, l language) scenario {
	s := scenario{
		name: l.name, protocol: l.protocol, steps: l.opening, network: network(r.IntN(int(ipv6WithRouting) + 1)),
		sequence:    r.Uint32(),
		clockOffset: time.Duration(r.Int64N(int64(time.Second))),
	}
	now := 10 * ms
	later := func(most time.Duration) time.Duration { now += time.Duration(r.Int64N(int64(most))); return now }
	pick := func(of [][]byte) []byte { return of[r.IntN(len(of))] }
	for now < 4*time.Second {
		// A burst of requests, whole segments of several; then its answers, cut anywhere.
		var waiting []time.Duration
		for i := range 1 + r.IntN(4) {
			var segment []byte
			n := 1 + r.IntN(3)
			if i == 0 {
				n++
			}
			later(20 * ms)
			for range n {
				if l.silent != nil && r.IntN(3) == 0 {
					segment = append(segment, pick(l.silent)...)
				}
				segment = append(segment, pick(l.requests)...)
				waiting = append(waiting, now)
			}
			if len(segment) > 3000 { // a test run takes a page
				waiting = waiting[:len(waiting)-n]
				continue
			}
			s.steps = append(s.steps, at(now).request(segment))
			if r.IntN(4) == 0 {
				s.steps = append(s.steps, at(later(3*ms)).request(segment).again())
			}
		}
		var stream []byte
		ends := make([]int, len(waiting))
		for i := range waiting {
			if l.asides != nil && r.IntN(4) == 0 {
				stream = append(stream, pick(l.asides)...)
			}
			stream = append(stream, pick(l.answers)...)
			ends[i] = len(stream)
		}
		sent, answered := 0, 0
		for sent < len(stream) {
			n := min(1+r.IntN(400), len(stream)-sent)
			s.steps = append(s.steps, at(later(30*ms)).answer(stream[sent:sent+n]))
			sent += n
			for answered < len(ends) && ends[answered] <= sent {
				s.want = append(s.want, served(waiting[answered], now))
				answered++
			}
		}
	}
	return s
}

// inOneBucket adds the residence times up: of tens of thousands some are so near to a bound that the kernel's 16 bits
// of fraction and floating point fall on different sides.
func (o outcome) inOneBucket() outcome {
	n := 0
	for _, count := range o.Buckets {
		n += count
	}
	o.Buckets = map[int]int{0: n}
	return o
}

// TestRandomPipelines compares requests sent ahead with the model, exactly, window by window.
func TestRandomPipelines(t *testing.T) {
	m := loadMachine(t)
	for _, l := range languages() {
		t.Run(l.name, func(t *testing.T) {
			for seed := range uint64(40) {
				s := randomPipeline(rand.New(rand.NewPCG(seed, 4)), l)
				m.play(t, s)
				if diff := cmp.Diff(s.wanted().inOneBucket(), m.outcome(t, s).inOneBucket()); diff != "" {
					t.Fatalf("seed %d counted otherwise (-want +got):\n%s\nscript:\n%s", seed, diff, s.transcript())
				}
			}
		})
	}
}
