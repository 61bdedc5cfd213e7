// SPDX-License-Identifier: Apache-2.0

package turntest

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
)

var (
	head    = text("HEAD /index.html HTTP/1.1\r\nHost: a\r\n\r\n")
	headed  = text("HTTP/1.1 200 OK\r\nContent-Length: 5000\r\n\r\n")
	endless = text("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n")
)

// upload is a request with a body of n bytes, of which every line looks like a request.
func upload(n int) []byte {
	lines := strings.Repeat("\r\n\r\nGET / HTTP/1.1\r\n", n/20+1)
	return text("POST /upload HTTP/1.1\r\nHost: a\r\nContent-Length: %d\r\n\r\n%s", n, lines[:n])
}

// chunked is a message in chunks of these lengths.
func chunked(line string, lengths ...int) []byte {
	out := text("%s\r\nTransfer-Encoding: chunked\r\n\r\n", line)
	for i, n := range lengths {
		extension := ""
		if i == 1 {
			extension = ";name=\"a value\""
		}
		out = fmt.Appendf(out, "%X%s\r\n%s\r\n", n, extension, body(n))
	}
	return append(out, "0\r\nTrailer: x\r\n\r\n"...)
}

// path is a request for a path of n letters.
func path(n int) []byte { return text("GET /%s HTTP/1.1\r\nHost: a\r\n\r\n", body(n)) }

func TestHTTPPipelining(t *testing.T) {
	long := text("GET / HTTP/1.1\r\nCookie: %s\r\nUser-Agent: x\r\n\r\n", body(1900))
	playAll(t, []scenario{
		{
			name: "several in the first segment, answers one by one",
			steps: []step{
				at(1*ms).request(get, get, get), at(10 * ms).answer(ok), at(20 * ms).answer(ok), at(60 * ms).answer(ok),
			},
			want: []turn{served(1*ms, 10*ms), served(1*ms, 20*ms), served(1*ms, 60*ms)}, protocol: http, turn: idle,
		},
		{
			name: "each in a segment of its own while others wait, answers glued and cut",
			steps: []step{
				at(1 * ms).request(get), at(2 * ms).request(get), at(3 * ms).request(upload(900)),
				at(4 * ms).request(get),
				at(10*ms).answer(ok, ok[:20]), at(20*ms).answer(ok[20:], ok[:39]), at(60*ms).answer(ok[39:], ok),
			},
			want:     []turn{served(1*ms, 10*ms), served(2*ms, 20*ms), served(3*ms, 60*ms), served(4*ms, 60*ms)},
			protocol: http, turn: idle,
		},
		{
			name: "sent ahead on a connection that took turns so far",
			steps: []step{
				at(1 * ms).request(get), at(2 * ms).answer(ok), at(3 * ms).request(get), at(4 * ms).answer(ok),
				at(5*ms).request(get, get), at(20 * ms).answer(ok), at(60 * ms).answer(ok),
			},
			want:     []turn{served(1*ms, 2*ms), served(3*ms, 4*ms), served(5*ms, 20*ms), served(5*ms, 60*ms)},
			protocol: http, turn: idle,
		},
		{
			name: "requests cut anywhere",
			steps: []step{
				at(1*ms).request(get, upload(900)[:30]), at(2 * ms).request(upload(900)[30:57]),
				at(3 * ms).request(upload(900)[57:400]),
				at(4*ms).request(upload(900)[400:], chunked("PUT /c HTTP/1.1", 30, 5)[:50]),
				at(5 * ms).request(chunked("PUT /c HTTP/1.1", 30, 5)[50:92]),
				at(6*ms).request(chunked("PUT /c HTTP/1.1", 30, 5)[92:], get[:2]), at(7 * ms).request(get[2:]),
				at(20*ms).answer(ok, ok), at(60*ms).answer(ok, ok),
			},
			want:     []turn{served(1*ms, 20*ms), served(1*ms, 20*ms), served(4*ms, 60*ms), served(7*ms, 60*ms)},
			protocol: http, turn: idle,
		},
		{
			name: "HEAD's answer has no body, whatever its length says",
			steps: []step{
				at(1*ms).request(head, get, head, get), at(10*ms).answer(headed, ok[:30]),
				at(20*ms).answer(ok[30:], headed),
				at(60 * ms).answer(ok),
			},
			want:     []turn{served(1*ms, 10*ms), served(1*ms, 20*ms), served(1*ms, 20*ms), served(1*ms, 60*ms)},
			protocol: http, turn: idle,
		},
		{
			name: "HEAD under way when the next comes",
			steps: []step{
				at(1 * ms).request(head), at(2 * ms).request(get), at(10 * ms).answer(headed), at(60 * ms).answer(ok),
			},
			want: []turn{served(1*ms, 10*ms), served(2*ms, 60*ms)}, protocol: http, turn: idle,
		},
		{
			name: "interim answers come before the answer",
			steps: []step{
				at(1*ms).request(expect, body(90), get), at(10 * ms).answer(goOn), at(20*ms).answer(earlyHints, ok),
				at(60*ms).answer(earlyHints, ok),
			},
			want: []turn{served(1*ms, 20*ms), served(1*ms, 60*ms)}, protocol: http, turn: idle,
		},
		{
			name: "the server refuses a body that the client then does not send",
			steps: []step{
				at(1*ms).request(get, expect), at(10*ms).answer(ok, tooLarge), at(20*ms).request(get, get),
				at(60*ms).answer(ok, ok),
			},
			want:     []turn{served(1*ms, 10*ms), served(1*ms, 10*ms), served(20*ms, 60*ms), served(20*ms, 60*ms)},
			protocol: http, turn: idle,
		},
		{
			name: "a large answer ends with its last byte",
			steps: []step{
				at(1*ms).request(get, get), at(10*ms).answer(headed, body(3000)), at(20 * ms).answer(body(1999)),
				at(60*ms).answer(body(1), ok),
			},
			want: []turn{served(1*ms, 60*ms), served(1*ms, 60*ms)}, protocol: http, turn: idle,
		},
		{
			name: "long heads",
			steps: []step{
				at(1*ms).request(long, long[:900]), at(2*ms).request(long[900:], get), at(20*ms).answer(ok, ok),
				at(60 * ms).answer(ok),
			},
			want: []turn{served(1*ms, 20*ms), served(1*ms, 20*ms), served(2*ms, 60*ms)}, protocol: http, turn: idle,
		},
		{
			name: "an answer that ends with the connection",
			steps: []step{
				at(1 * ms).request(get), at(2 * ms).request(get), at(10 * ms).answer(ok),
				at(20*ms).answer(endless, body(900)),
				at(60 * ms).answer(body(900)),
				at(70 * ms).close(),
			},
			want: []turn{served(1*ms, 10*ms), served(2*ms, 70*ms)}, protocol: http, turn: idle,
		},
		{
			name: "the connection ends with requests under way",
			steps: []step{
				at(1*ms).request(get, get, get), at(10 * ms).answer(ok), at(60 * ms).close(),
			},
			want: []turn{served(1*ms, 10*ms), aborted(1*ms, 60*ms), aborted(1*ms, 60*ms)}, protocol: http, turn: idle,
		},
		{
			name: "an upgrade behind others",
			steps: []step{at(1*ms).request(get, get), at(10*ms).answer(ok, switching), at(60 * ms).request(get),
				at(61 * ms).answer(ok)},
			want: []turn{served(1*ms, 10*ms), served(1*ms, 10*ms)}, protocol: opaque, turn: idle,
		},
		{
			name: "joined in the middle of an answer",
			steps: []step{
				at(1 * ms).answer(body(900)), at(2*ms).request(get, get), at(20 * ms).answer(ok),
				at(60 * ms).answer(ok),
			},
			want: []turn{served(2*ms, 20*ms), served(2*ms, 60*ms)}, protocol: http, turn: idle,
		},
		{
			name: "a segment that was never seen: all are answered with the next, and framing is found again",
			steps: []step{
				at(1*ms).request(get, get, get), at(5 * ms).answer(ok), at(10 * ms).answer(ok).ahead(300),
				at(20*ms).request(get, get),
				at(30 * ms).answer(ok), at(60 * ms).answer(ok),
			},
			want: []turn{served(1*ms, 5*ms), served(1*ms, 10*ms), served(1*ms, 10*ms), served(20*ms, 30*ms),
				served(20*ms, 60*ms)},
			protocol: http, turn: idle,
		},
		{
			name: "hundreds at once",
			steps: []step{
				at(1 * ms).request(bytes.Repeat(get, 70)), at(10 * ms).answer(bytes.Repeat(ok, 40)),
				at(60 * ms).answer(bytes.Repeat(ok, 30)),
			},
			want: append(repeated(served(1*ms, 10*ms), 40), repeated(served(1*ms, 60*ms), 30)...), protocol: http,
			turn: idle,
		},
		{
			name: "an upload whose segments look like requests is one",
			steps: []step{
				at(1 * ms).request(upload(2000)[:100]), at(2*ms).request(get, upload(2000)[100+len(get):1000]),
				at(3 * ms).request(upload(2000)[1000:]),
				at(60 * ms).answer(ok), at(70 * ms).request(get), at(80 * ms).answer(ok),
			},
			want: []turn{served(1*ms, 60*ms), open(70*ms, 80*ms)}, protocol: http, turn: answered,
		},
	})
}

// TestHTTPHeadsUnread: heads of lengths that were read before are not read again, but every 16th is, so that requests
// that hide between them are found.
func TestHTTPHeadsUnread(t *testing.T) {
	m := loadMachine(t)
	two := concat(path(10), path(10)) // as long as one of those that came before
	s := scenario{protocol: http, turn: idle}
	now := ms
	ask := func(request []byte, n int) {
		s.steps = append(s.steps, at(now).request(request), at(now+ms).answer(bytes.Repeat(ok, n)))
		now += 5 * ms
	}
	ask(path(100), 1)
	ask(path(len(two)-len(path(0))), 1)
	const unread, pairs = 15, 40
	for range pairs {
		ask(two, 2)
	}
	m.play(t, s)
	got := 0
	for _, w := range integrate(m.windows(t, 0, s.horizon(), 0)) {
		got += w.Completions
	}
	if want := 2 + unread + 2*(pairs-unread); got != want {
		t.Errorf("%d completions, want %d: 15 of the pairs are taken for one, then all are read", got, want)
	}
}
