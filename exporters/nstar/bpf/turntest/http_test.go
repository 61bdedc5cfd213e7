// SPDX-License-Identifier: Apache-2.0

package turntest

import (
	"fmt"
	"strings"
	"testing"
)

func text(format string, args ...any) []byte { return fmt.Appendf(nil, format, args...) }

// body is n bytes of the middle of a message, where no message can begin.
func body(n int) []byte { return []byte(strings.Repeat("x", n)) }

var (
	get         = text("GET /index.html HTTP/1.1\r\nHost: a\r\n\r\n")
	post        = text("POST /upload HTTP/1.1\r\nHost: a\r\nContent-Length: 9000\r\n\r\n")
	expect      = text("PUT /upload HTTP/1.1\r\nHost: a\r\nContent-Length: 90\r\nExpect: 100-continue\r\n\r\n")
	ok          = text("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
	goOn        = text("HTTP/1.1 100 Continue\r\n\r\n")
	earlyHints  = text("HTTP/1.1 103 Early Hints\r\nLink: </style.css>; rel=preload; as=style\r\n\r\n")
	switching   = text("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n")
	tooLarge    = text("HTTP/1.1 413 Content Too Large\r\nContent-Length: 0\r\n\r\n")
	established = text("HTTP/1.1 200 Connection established\r\n\r\n")
	needsLogin  = text("HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n")
)

func TestHTTP(t *testing.T) {
	playAll(t, []scenario{
		{
			name: "keep-alive: two requests, two answers",
			steps: []step{
				at(1 * ms).request(get), at(3 * ms).answer(ok), at(70 * ms).request(get), at(120 * ms).answer(ok),
				at(130 * ms).close(),
			},
			want: []turn{served(1*ms, 3*ms), served(70*ms, 120*ms)}, protocol: http, turn: idle,
		},
		{
			name: "upload of several segments is one request that arrives with its first byte",
			steps: []step{
				at(1 * ms).request(post), at(20 * ms).request(body(3000)), at(55 * ms).request(body(3000)),
				at(60 * ms).request(body(3000)), at(70 * ms).answer(ok),
			},
			want: []turn{open(1*ms, 70*ms)}, protocol: http, turn: answered,
		},
		{
			name: "100 Continue is no answer, and what follows is waited for",
			steps: []step{
				at(1 * ms).request(expect), at(2 * ms).answer(goOn), at(60 * ms).request(body(90)),
				at(70 * ms).answer(ok),
				at(80 * ms).request(get),
			},
			want: []turn{served(1*ms, 70*ms).kept(2*ms, 60*ms), waiting(80 * ms)}, protocol: http, turn: inFlight,
		},
		{
			name: "100 Continue glued to the final answer",
			steps: []step{
				at(1 * ms).request(expect), at(2 * ms).request(body(90)), at(70*ms).answer(goOn, ok),
				at(80 * ms).request(get),
			},
			want: []turn{served(1*ms, 70*ms), waiting(80 * ms)}, protocol: http, turn: inFlight,
		},
		{
			name: "100 Continue glued to a final answer without a body",
			steps: []step{at(1*ms).request(expect, body(90)),
				at(70*ms).answer(goOn, text("HTTP/1.1 204 No Content\r\n\r\n")),
				at(80 * ms).close()},
			want: []turn{served(1*ms, 70*ms)}, protocol: http, turn: idle,
		},
		{
			name: "103 Early Hints leaves the request in the queue",
			steps: []step{
				at(1 * ms).request(get), at(2 * ms).answer(earlyHints), at(70 * ms).answer(ok),
				at(80 * ms).request(get),
			},
			want: []turn{served(1*ms, 70*ms), waiting(80 * ms)}, protocol: http, turn: inFlight,
		},
		{
			name:  "103 Early Hints glued to an answer with a body",
			steps: []step{at(1 * ms).request(get), at(70*ms).answer(earlyHints, ok), at(80 * ms).close()},
			want:  []turn{served(1*ms, 70*ms)}, protocol: http, turn: idle,
		},
		{
			name: "101 upgrade ends the turns",
			steps: []step{
				at(1 * ms).request(get), at(3 * ms).answer(switching), at(60 * ms).request(get), at(65 * ms).answer(ok),
				at(70 * ms).close(),
			},
			want: []turn{served(1*ms, 3*ms)}, protocol: opaque, turn: idle,
		},
		{
			name: "CONNECT granted ends the turns",
			steps: []step{
				at(1 * ms).request(text("CONNECT a.example:443 HTTP/1.1\r\n\r\n")), at(3 * ms).answer(established),
				at(60 * ms).request(get), at(65 * ms).answer(ok), at(70 * ms).close(),
			},
			want: []turn{served(1*ms, 3*ms)}, protocol: opaque, turn: idle,
		},
		{
			name: "CONNECT refused is a turn like any other",
			steps: []step{
				at(1 * ms).request(text("CONNECT a.example:443 HTTP/1.1\r\n\r\n")), at(3 * ms).answer(needsLogin),
				at(60 * ms).request(get), at(65 * ms).answer(ok), at(70 * ms).close(),
			},
			want: []turn{served(1*ms, 3*ms), served(60*ms, 65*ms)}, protocol: http, turn: idle,
		},
		{
			name: "early answer to an upload that goes on is one request",
			steps: []step{
				at(1 * ms).request(post), at(2 * ms).request(body(3000)), at(5 * ms).answer(tooLarge),
				at(6 * ms).request(body(3000)), at(60 * ms).request(body(3000)), at(70 * ms).request(get),
				at(75 * ms).answer(ok),
			},
			want: []turn{served(1*ms, 5*ms), open(70*ms, 75*ms)}, protocol: http, turn: answered,
		},
		{
			name: "first line is no request line: turns all the same, answered by 400",
			steps: []step{
				at(1 * ms).request(text("get / http/1.1\r\n\r\n")),
				at(2 * ms).answer(text("HTTP/1.1 400 Bad Request\r\n\r\n")),
				at(3 * ms).close(),
			},
			want: []turn{served(1*ms, 2*ms)}, protocol: auto, turn: idle,
		},
		{
			name: "lower-case garbage between requests is not a request",
			steps: []step{
				at(1 * ms).request(get), at(2 * ms).answer(ok), at(9 * ms).request(text("garbage\r\n")),
				at(60 * ms).request(get),
				at(62 * ms).answer(ok),
			},
			want: []turn{served(1*ms, 2*ms), open(60*ms, 62*ms)}, protocol: http, turn: answered,
		},
		{
			name: "connection joined in the middle of an answer begins with its next request",
			steps: []step{
				at(1 * ms).answer(body(3000)), at(2 * ms).answer(body(500)), at(70 * ms).request(get),
				at(71 * ms).answer(ok),
			},
			want: []turn{open(70*ms, 71*ms)}, protocol: http, turn: answered,
		},
		{
			name: "connection of a tier configured as HTTP, joined in the middle of an upload",
			hint: http,
			steps: []step{
				at(1 * ms).request(body(3000)), at(2 * ms).answer(ok), at(70 * ms).request(get), at(71 * ms).answer(ok),
			},
			want: []turn{open(70*ms, 71*ms)}, protocol: http, turn: answered,
		},
	})
}

// TestNotHTTP: bytes that only begin like a request line take turns like any other protocol.
func TestNotHTTP(t *testing.T) {
	long := text("GET /%s HTTP/1.1\r\nHost: a\r\n\r\n", body(200))
	playAll(t, []scenario{
		{
			name: "FTP",
			steps: []step{
				at(1 * ms).answer(text("220 ready\r\n")), at(2 * ms).request(text("LIST /x\r\n")),
				at(3 * ms).answer(text("150 Here it comes\r\n")),
				at(4 * ms).answer(text("226 Done\r\n")), at(5 * ms).request(text("quit\r\n")),
				at(6 * ms).answer(text("221 Bye\r\n")),
			},
			want: []turn{served(2*ms, 4*ms), open(5*ms, 6*ms)}, protocol: auto, turn: answered,
		},
		{
			name: "a line whose end is far shows in the answer what it is, an interim one also",
			steps: []step{
				at(1 * ms).request(long), at(2 * ms).answer(goOn), at(3 * ms).answer(ok), at(4 * ms).request(body(10)),
				at(5 * ms).request(long), at(6 * ms).answer(ok),
			},
			want: []turn{served(1*ms, 3*ms), open(5*ms, 6*ms)}, protocol: http, turn: answered,
		},
		{
			name: "a line whose end is in the next segment",
			steps: []step{
				at(1 * ms).request(get[:9]), at(2 * ms).request(get[9:]), at(3 * ms).answer(ok),
				at(4 * ms).request(body(10)),
			},
			want: []turn{open(1*ms, 3*ms)}, protocol: http, turn: answered,
		},
		{
			name: "a long path in another protocol",
			steps: []step{
				at(1 * ms).request(text("CWD /%s\r\n", body(200))), at(2 * ms).answer(text("250 Yes\r\n")),
				at(3 * ms).request(text("pwd\r\n")), at(4 * ms).answer(text("257 /\r\n")),
			},
			want: []turn{served(1*ms, 2*ms), open(3*ms, 4*ms)}, protocol: auto, turn: answered,
		},
	})
}

// TestHTTPMethods: every registered kind of method begins a request, with any form of target.
func TestHTTPMethods(t *testing.T) {
	var rows []scenario
	for _, line := range []string{
		"GET /", "HEAD /a", "OPTIONS *", "POST /", "PUT /", "DELETE /a", "TRACE /", "PATCH /a", "PROPFIND /dav/",
		"REPORT /",
		"M-SEARCH *", "VERSION-CONTROL /dav", "BASELINE-CONTROL /dav", "UPDATEREDIRECTREF /", "MKREDIRECTREF /",
		"GET http://a.example/",
	} {
		request := text("%s HTTP/1.1\r\nHost: a\r\n\r\n", line)
		rows = append(rows, scenario{
			name: line,
			steps: []step{at(1 * ms).request(request), at(2 * ms).answer(ok), at(5 * ms).request(request),
				at(60 * ms).answer(ok)},
			want: []turn{served(1*ms, 2*ms), open(5*ms, 60*ms)}, protocol: http, turn: answered,
		})
	}
	playAll(t, rows)
}
