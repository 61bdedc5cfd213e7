// SPDX-License-Identifier: Apache-2.0

package turntest

import (
	"encoding/binary"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

const (
	endStream  = 1
	endHeaders = 4
)

// frame is one of HTTP/2, with any content of n bytes.
func frame(kind, flags byte, stream uint32, n int) []byte {
	return h2Frame(kind, flags, stream, body(n))
}

// h2Frame is one of HTTP/2: length, type, flags, stream, content.
func h2Frame(kind, flags byte, stream uint32, content []byte) []byte {
	b := binary.BigEndian.AppendUint32(nil, uint32(len(content))<<8|uint32(kind))
	return concat(binary.BigEndian.AppendUint32(append(b, flags), stream), content)
}

var (
	h2Preface  = concat(text("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"), frame(4, 0, 0, 18), frame(8, 0, 0, 4))
	h2Settings = frame(4, 0, 0, 12)
	h2Ack      = frame(4, 1, 0, 0)
	h2Window   = concat([]byte{0, 0, 4, 8, 0, 0, 0, 0, 0}, []byte{0, 0, 255, 255})
	h2Ping     = frame(6, 0, 0, 8)
)

func h2Get(stream uint32) []byte { return frame(1, endStream|endHeaders, stream, 40) }
func h2Post(stream uint32) []byte {
	return concat(frame(1, endHeaders, stream, 60), frame(0, 0, stream, 300))
}
func h2Body(stream uint32) []byte { return frame(0, endStream, stream, 200) }
func h2OK(stream uint32) []byte {
	return concat(frame(1, endHeaders, stream, 50), frame(0, 0, stream, 300), frame(0, endStream, stream, 20))
}
func h2Large(stream uint32) []byte {
	return concat(frame(1, endHeaders, stream, 50), frame(0, 0, stream, 3000),
		frame(1, endStream|endHeaders, stream, 20))
}
func h2Empty(stream uint32) []byte { return frame(1, endStream|endHeaders, stream, 30) }
func h2Reset(stream uint32) []byte { return frame(3, 0, stream, 4) }

// h2Open is a connection's beginning, over at 4 ms.
func h2Open(more ...step) []step {
	return append([]step{at(1 * ms).request(h2Preface), at(2*ms).answer(h2Settings, h2Ack), at(4 * ms).request(h2Ack)},
		more...)
}

func TestHTTP2(t *testing.T) {
	var hundred, hundredAnswers [][]byte
	for i := range uint32(60) {
		hundred = append(hundred, h2Get(2*i+1))
		hundredAnswers = append([][]byte{h2Empty(2*i + 1)}, hundredAnswers...)
	}
	playAll(t, []scenario{
		{
			name: "one request at a time; SETTINGS, PING and WINDOW_UPDATE ask and answer nothing",
			steps: h2Open(at(9*ms).request(h2Get(1)), at(12*ms).answer(h2Ping), at(60*ms).answer(h2OK(1)),
				at(61*ms).request(h2Ping, h2Window),
				at(70*ms).request(h2Get(3)), at(72*ms).answer(h2Empty(3)), at(80*ms).request(h2Window),
				at(90*ms).close()),
			want: []turn{served(9*ms, 60*ms), served(70*ms, 72*ms)}, protocol: http2, turn: idle,
		},
		{
			name: "the first request comes with the preface",
			steps: []step{at(1*ms).request(h2Preface, h2Get(1)), at(2*ms).answer(h2Settings, h2Ack),
				at(60 * ms).answer(h2OK(1))},
			want: []turn{served(1*ms, 60*ms)}, protocol: http2, turn: idle,
		},
		{
			name: "streams end in any order",
			steps: h2Open(at(9*ms).request(h2Get(1), h2Get(3)), at(10*ms).request(h2Get(5)),
				at(20*ms).answer(h2OK(5), h2Empty(1)),
				at(60*ms).answer(h2OK(3))),
			want: []turn{served(9*ms, 20*ms), served(9*ms, 60*ms), served(10*ms, 20*ms)}, protocol: http2, turn: idle,
		},
		{
			name:  "sixty streams at once, answered from the last to the first",
			steps: h2Open(at(9*ms).request(hundred...), at(60*ms).answer(hundredAnswers...)),
			want:  repeated(served(9*ms, 60*ms), 60), protocol: http2, turn: idle,
		},
		{
			name: "uploads and trailers: a stream is one request",
			steps: h2Open(at(9*ms).request(h2Post(1)), at(20*ms).request(h2Body(1)),
				at(30*ms).answer(frame(1, endHeaders, 1, 20)),
				at(40*ms).request(h2Post(3)), at(50*ms).request(frame(1, endStream|endHeaders, 3, 20)),
				at(60*ms).answer(frame(0, 0, 1, 100), h2Empty(1)),
				at(70*ms).answer(h2OK(3))),
			want: []turn{served(9*ms, 60*ms), served(40*ms, 70*ms)}, protocol: http2, turn: idle,
		},
		{
			name: "frames cut anywhere: an answer ends with its last byte",
			steps: h2Open(at(9*ms).request(h2Get(1)[:5]), at(10*ms).request(h2Get(1)[5:], h2Get(3)[:20]),
				at(11*ms).request(h2Get(3)[20:]),
				at(20*ms).answer(h2OK(1)[:len(h2OK(1))-1]), at(60*ms).answer(h2OK(1)[len(h2OK(1))-1:], h2Empty(3)[:8]),
				at(70*ms).answer(h2Empty(3)[8:])),
			want: []turn{served(10*ms, 60*ms), served(10*ms, 70*ms)}, protocol: http2, turn: idle,
		},
		{
			name: "reset by the client is an abort, by the server an answer; one that is closed is neither",
			steps: h2Open(at(9*ms).request(h2Get(1), h2Get(3), h2Get(5)), at(20*ms).request(h2Reset(1)),
				at(30*ms).answer(h2Reset(3)),
				at(60*ms).answer(h2OK(5), h2Reset(5)), at(61*ms).request(h2Reset(5)), at(62*ms).answer(h2Empty(1))),
			want: []turn{aborted(9*ms, 20*ms), served(9*ms, 30*ms), served(9*ms, 60*ms)}, protocol: http2, turn: idle,
		},
		{
			name:  "the connection ends with streams open",
			steps: h2Open(at(9*ms).request(h2Get(1), h2Get(3)), at(20*ms).answer(h2OK(3)), at(60*ms).close()),
			want:  []turn{aborted(9*ms, 60*ms), served(9*ms, 20*ms)}, protocol: http2, turn: idle,
		},
		{
			name: "pushed answers are no answers",
			steps: h2Open(at(9*ms).request(h2Get(1)), at(20*ms).answer(frame(5, endHeaders, 1, 40), h2OK(2)),
				at(60*ms).answer(h2OK(1))),
			want: []turn{served(9*ms, 60*ms)}, protocol: http2, turn: idle,
		},
		{
			name: "joined behind the preface, with a request",
			steps: []step{
				at(1 * ms).answer(body(30)), at(9*ms).request(h2Get(77), h2Get(79)), at(20 * ms).answer(h2OK(79)),
				at(60 * ms).answer(h2OK(77)),
				at(70 * ms).request(h2Window), at(80 * ms).close(),
			},
			want: []turn{served(9*ms, 60*ms), served(9*ms, 20*ms)}, protocol: http2, turn: idle,
		},
		{
			// grpc-go's server does not wait for the client. It first sends whole frames, so that the next
			// segment begins a frame.
			name: "the server speaks before the preface; the first answers are large",
			steps: []step{
				at(1 * ms).answer(h2Settings), at(2*ms).request(h2Preface, h2Get(1), h2Get(3)),
				at(20*ms).answer(h2Ack, h2Large(1)[:2000]),
				at(30*ms).answer(h2Large(1)[2000:], h2Large(3)[:500]), at(60 * ms).answer(h2Large(3)[500:]),
			},
			want: []turn{served(2*ms, 30*ms), served(2*ms, 60*ms)}, protocol: http2, turn: idle,
		},
		{
			name: "the same, configured", hint: http2,
			steps: []step{
				at(1 * ms).answer(h2Settings), at(2*ms).request(h2Preface, h2Get(1)),
				at(20*ms).answer(h2Ack, h2Large(1)[:2000]),
				at(60 * ms).answer(h2Large(1)[2000:]),
			},
			want: []turn{served(2*ms, 60*ms)}, protocol: http2, turn: idle,
		},
		{
			name: "joined behind the preface; the beginning of an answer bears a number that is open",
			steps: []step{
				at(1 * ms).answer(body(30)), at(9*ms).request(h2Get(77), h2Get(79)),
				at(20 * ms).answer(h2Large(77)[:2000]),
				at(30*ms).answer(h2Large(77)[2000:], h2Large(79)[:500]), at(60 * ms).answer(h2Large(79)[500:]),
			},
			want: []turn{served(9*ms, 30*ms), served(9*ms, 60*ms)}, protocol: http2, turn: idle,
		},
		{
			name: "joined behind the preface, with a WINDOW_UPDATE, which asks nothing",
			steps: []step{at(1 * ms).request(h2Window), at(9 * ms).request(h2Get(77)), at(60 * ms).answer(h2OK(77)),
				at(70 * ms).close()},
			want: []turn{served(9*ms, 60*ms)}, protocol: http2, turn: idle,
		},
		{
			name: "configured, joined in the middle of an upload", hint: http2,
			steps: []step{
				at(1 * ms).request(body(3000)), at(2 * ms).answer(body(100)), at(9 * ms).request(h2Get(77)),
				at(60 * ms).answer(h2OK(77)), at(70 * ms).close(),
			},
			want: []turn{served(9*ms, 60*ms)}, protocol: http2, turn: idle,
		},
		{
			name: "configured, from the beginning", hint: http2,
			steps: h2Open(at(9*ms).request(h2Get(1)), at(60*ms).answer(h2OK(1)), at(70*ms).close()),
			want:  []turn{served(9*ms, 60*ms)}, protocol: http2, turn: idle,
		},
	})
}

// randomStreams writes a script of streams that are opened, fed, answered and reset in any order, in segments cut
// anywhere.
func randomStreams(r *rand.Rand) scenario {
	s := scenario{
		name: "http2", protocol: http2, steps: h2Open(), network: network(r.IntN(int(ipv6WithRouting) + 1)),
		sequence:    r.Uint32(),
		clockOffset: time.Duration(r.Int64N(int64(time.Second))),
	}
	now, next := 10*ms, uint32(1)
	open := map[uint32]time.Duration{}
	some := func() (uint32, bool) {
		for id := range uint32(next) {
			if _, ok := open[id]; ok && r.IntN(3) == 0 {
				return id, true
			}
		}
		return 0, false
	}
	for now < 4*time.Second {
		now += time.Duration(r.Int64N(int64(20 * ms)))
		if r.IntN(2) == 0 {
			var segment []byte
			for range 1 + r.IntN(4) {
				switch id, ok := some(); {
				case r.IntN(3) > 0 && len(open) < 40:
					segment = append(segment, [][]byte{h2Get(next), h2Post(next)}[r.IntN(2)]...)
					open[next] = now
					next += 2 * uint32(1+r.IntN(3)/2)
				case ok && r.IntN(4) == 0:
					segment = append(segment, h2Reset(id)...)
					s.want = append(s.want, aborted(open[id], now))
					delete(open, id)
				default:
					segment = append(segment, [][]byte{h2Window, h2Ping}[r.IntN(2)]...)
				}
			}
			s.steps = append(s.steps, at(now).request(segment))
			if r.IntN(4) == 0 {
				s.steps = append(s.steps, at(now).request(segment).again())
			}
			continue
		}
		var stream []byte
		ends := map[uint32]int{}
		for range 1 + r.IntN(4) {
			id, ok := some()
			if _, twice := ends[id]; !ok || twice {
				stream = append(stream, [][]byte{h2Window, h2Ping, h2OK(2)}[r.IntN(3)]...)
				continue
			}
			stream = append(stream, [][]byte{h2OK(id), h2Empty(id), h2Reset(id)}[r.IntN(3)]...)
			ends[id] = len(stream)
		}
		for sent := 0; sent < len(stream); {
			n := min(1+r.IntN(500), len(stream)-sent)
			now += time.Duration(r.Int64N(int64(10 * ms)))
			s.steps = append(s.steps, at(now).answer(stream[sent:sent+n]))
			sent += n
			for id, end := range ends {
				if end <= sent {
					s.want = append(s.want, served(open[id], now))
					delete(open, id)
					delete(ends, id)
				}
			}
		}
	}
	for _, from := range open {
		s.want = append(s.want, aborted(from, now))
	}
	s.steps = append(s.steps, at(now).close())
	return s
}

func TestRandomStreams(t *testing.T) {
	m := loadMachine(t)
	for seed := range uint64(40) {
		s := randomStreams(rand.New(rand.NewPCG(seed, 5)))
		m.play(t, s)
		if diff := cmp.Diff(s.wanted().inOneBucket(), m.outcome(t, s).inOneBucket()); diff != "" {
			t.Fatalf("seed %d counted otherwise (-want +got):\n%s\nscript:\n%s", seed, diff, s.transcript())
		}
	}
}
