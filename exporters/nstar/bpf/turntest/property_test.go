// SPDX-License-Identifier: Apache-2.0

package turntest

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// dialect are the messages of the random scripts in one protocol.
type dialect struct {
	name     string
	protocol uint8
	opening  []step   // a handshake, over by 10 ms
	request  []byte   // begins a request
	upload   []byte   // goes on with it, also behind an early answer; nil if that can't be told from a request
	interim  []byte   // from the server before the answer
	answer   []byte   // begins an answer
	more     []byte   // goes on with it
	asides   [][]byte // from the client between turns, asking nothing
	replies  [][]byte // from the server at any time after its answer, answering nothing
}

func dialects() []dialect {
	return []dialect{
		{name: "http", protocol: http, request: expect, upload: body(1500), interim: goOn, answer: ok, more: body(1500),
			asides: [][]byte{body(10)}},
		{
			name: "ajp", protocol: ajp, request: forwardPost, upload: bodyChunk(600), interim: getBodyChunk,
			answer: sendHeaders, more: sendBody,
			asides: [][]byte{cping, endOfBody, bodyChunk(0x200)}, replies: [][]byte{cpong, getBodyChunk},
		},
		{
			name: "mysql", protocol: mysql, opening: handshake(), request: query("select 1"),
			upload: packetOf(2, body(100)),
			answer: columns, more: body(1500),
			asides: [][]byte{closing7, concat(closing7, closing7), longData(50)},
		},
		{
			name: "tls", protocol: tls, opening: session13(at(5 * ms).answer(tickets)), request: data, answer: data,
			more:   body(1400),
			asides: [][]byte{alert13}, replies: [][]byte{alert13},
		},
		{
			name: "postgres", protocol: postgres, opening: pgLogin(), request: pgQuery("select 1"), answer: pgRows,
			more:   body(1500),
			asides: [][]byte{pgMessage('H'), pgTerminate}, replies: [][]byte{pgMessage('A', make([]byte, 9))},
		},
		{name: "redis", protocol: redis, request: command3("SET", "k", "v"), answer: text("+OK\r\n"), more: body(700)},
		{name: "turns", protocol: auto, request: text("stats\r\n"), answer: text("STAT pid 7\r\n"), more: body(700)},
	}
}

// randomScript writes a script of valid turns, and the turns as they must be counted.
func randomScript(r *rand.Rand, d dialect) scenario {
	s := scenario{
		name: d.name, protocol: d.protocol, turn: answered, steps: d.opening,
		network: network(r.IntN(int(ipv6WithRouting) + 1)), sequence: r.Uint32(),
		clockOffset: time.Duration(r.Int64N(int64(time.Second))),
	}
	now := 10 * ms
	later := func(most time.Duration) time.Duration { now += time.Duration(r.Int64N(int64(most))); return now }
	maybe := func(step step) {
		if r.IntN(4) == 0 {
			s.steps = append(s.steps, step)
		}
	}
	for now < 4*time.Second {
		t := turn{from: later(80 * ms), final: true}
		s.steps = append(s.steps, at(t.from).request(d.request))
		maybe(at(later(10 * ms)).request(d.request).again())
		maybe(at(later(10 * ms)).answerProbe(r.IntN(2)))
		asked := time.Duration(-1) // when the server called for the rest, and waits for it since
		if d.interim != nil {
			n := len(s.steps)
			maybe(at(later(10 * ms)).answer(d.interim))
			if len(s.steps) > n {
				asked = now
			}
		}
		for range r.IntN(3) {
			if d.upload == nil {
				continue
			}
			if len(s.want) == 0 { // a probe before the first answer looks like that answer
				later(30 * ms)
				continue
			}
			n := len(s.steps)
			maybe(at(later(30 * ms)).request(d.upload))
			if len(s.steps) > n && asked >= 0 && (d.protocol == ajp || d.protocol == http) {
				if now-asked >= ms {
					t = t.kept(asked, now)
				}
				asked = -1
			}
		}
		if r.IntN(15) == 0 && now > 3500*ms {
			t.to, t.aborted = later(80*ms), true
			s.steps = append(s.steps, at(t.to).close())
			s.want, s.turn = append(s.want, t), idle
			return s
		}
		// Most pauses in an answer are short; some outlast the settle delay.
		ends := []time.Duration{later(120 * ms)}
		s.steps = append(s.steps, at(now).answer(d.answer))
		for range r.IntN(5) {
			pause := 40 * ms
			if r.IntN(20) == 0 {
				pause = 700 * ms
			}
			ends = append(ends, later(pause))
			s.steps = append(s.steps, at(now).answer(d.more))
			maybe(at(later(5 * ms)).answer(d.more).again())
			if d.upload != nil {
				maybe(at(later(10 * ms)).request(d.upload))
			}
		}
		s.want = append(s.want, t.answeredAt(ends))
		for _, aside := range d.asides {
			maybe(at(later(10 * ms)).request(aside))
			maybe(at(later(10 * ms)).request(aside).again())
		}
		for _, reply := range d.replies {
			maybe(at(later(10 * ms)).answer(reply))
		}
		maybe(at(later(10 * ms)).requestProbe(r.IntN(2)))
	}
	last := &s.want[len(s.want)-1]
	if r.IntN(2) == 0 {
		s.steps, s.turn = append(s.steps, at(later(30*ms)).close()), idle
		return s
	}
	last.final = false
	if len(last.again) > 0 {
		s.turn = reopened
	}
	return s
}

// answeredAt places the end of a turn by the segments of its answer: each moves it, unless it comes after a pause that
// is longer than the settle delay.
func (t turn) answeredAt(segments []time.Duration) turn {
	t.to = segments[0]
	for i, now := range segments[1:] {
		last := len(t.again) - 1
		switch {
		case now-t.from > endlessAfter:
		case now-segments[i] > settle:
			t.again = append(t.again, spell{[]time.Duration{now}})
		case last >= 0:
			t.again[last].segments = append(t.again[last].segments, now)
		default:
			t.to = now
		}
	}
	return t
}

// TestRandomTurns compares random conversations with the model, exactly, window by window.
func TestRandomTurns(t *testing.T) {
	randomTurns(t, loadWith(t, variant{unfollows: true})) // the answers go on behind the end that is in their heads
}

// On processors that were added to the machine, which share a row of the tables, all is counted as on the others.
func TestRandomTurnsSharedRow(t *testing.T) {
	randomTurns(t, loadWith(t, variant{unfollows: true, shares: true}))
}

func randomTurns(t *testing.T, m *machine) {
	for _, d := range dialects() {
		t.Run(d.name, func(t *testing.T) {
			for seed := range uint64(60) {
				s := randomScript(rand.New(rand.NewPCG(seed, 1)), d)
				m.play(t, s)
				if diff := cmp.Diff(s.wanted(), m.outcome(t, s)); diff != "" {
					t.Fatalf("seed %d counted otherwise (-want +got):\n%s\nscript:\n%s", seed, diff, s.transcript())
				}
			}
		})
	}
}

// transcript lists a script's steps, to find the one that went wrong.
func (s scenario) transcript() string {
	var out []byte
	for _, step := range s.steps {
		mark := [...]string{"request", "answer", "close"}[step.direction]
		head := step.payload[:min(8, len(step.payload))]
		out = fmt.Appendf(out, "%12v %-7s %5d bytes %+5d %q\n", step.at, mark, len(step.payload), step.shift, head)
	}
	return string(out)
}
