// SPDX-License-Identifier: Apache-2.0

package turntest

import "testing"

// TestAnswersInParts: the head of a page is sent before the rest is computed. The first one is found by the bytes after
// its pause; from then on answers are followed to their end.
func TestAnswersInParts(t *testing.T) {
	parts := chunked("HTTP/1.1 200 OK", 300, 40)
	events := text("HTTP/1.1 200 OK\r\nCache-Control: no-store\r\nContent-Type: text/event-stream\r\n" +
		"Transfer-Encoding: chunked\r\n\r\n5\r\ndata\n\r\n")
	// paused is a request at 0 whose answer goes on at 710 ms; the next steps begin at a second.
	paused := func(more ...step) []step {
		return append([]step{
			at(0).request(get), at(10 * ms).answer(parts[:200]), at(710 * ms).answer(parts[200:]),
		}, more...)
	}
	first := served(0, 10*ms).resumed(710 * ms)
	playAll(t, []scenario{
		{
			name: "in chunks",
			steps: paused(at(1000*ms).request(get), at(1010*ms).answer(parts[:200]), at(1900*ms).answer(parts[200:]),
				at(2000*ms).request(get), at(2010*ms).answer(ok), at(2900*ms).request(get)),
			want:     []turn{first, served(1000*ms, 1900*ms), served(2000*ms, 2010*ms), waiting(2900 * ms)},
			protocol: http, turn: inFlight,
		},
		{
			name: "with a length",
			steps: paused(at(1000*ms).request(get), at(1010*ms).answer(headed), at(1900*ms).answer(body(2000)),
				at(1950*ms).answer(body(2000)), at(2600*ms).answer(body(1000)), at(2700*ms).close()),
			want: []turn{first, served(1000*ms, 2600*ms)}, protocol: http, turn: idle,
		},
		{
			name: "until the connection ends",
			steps: paused(at(1000*ms).request(get), at(1010*ms).answer(endless), at(1900*ms).answer(body(900)),
				at(2600*ms).answer(body(900)), at(2650*ms).close()),
			want: []turn{first, served(1000*ms, 2650*ms)}, protocol: http, turn: idle,
		},
		{
			name: "no end is told, and the connection stays: it was with the last part",
			steps: paused(at(1000*ms).request(get), at(1010*ms).answer(endless), at(1100*ms).answer(body(900)),
				at(1500*ms).request(get), at(1510*ms).answer(ok), at(1600*ms).close()),
			want: []turn{first, served(1000*ms, 1100*ms), served(1500*ms, 1510*ms)}, protocol: http, turn: idle,
		},
		{
			name: "HEAD, and an answer without a body",
			steps: paused(at(1000*ms).request(head), at(1010*ms).answer(headed), at(1100*ms).request(get),
				at(1150*ms).answer(text("HTTP/1.1 304 Not Modified\r\nETag: x\r\n\r\n")), at(1200*ms).close()),
			want: []turn{first, served(1000*ms, 1010*ms), served(1100*ms, 1150*ms)}, protocol: http, turn: idle,
		},
		{
			name: "events are not followed: their pauses keep nobody waiting",
			steps: paused(at(1000*ms).request(get), at(1010*ms).answer(events), at(2000*ms).answer(body(50)),
				at(3000*ms).answer(body(50)), at(3100*ms).close()),
			want: []turn{first, served(1000*ms, 1010*ms).resumed(2000 * ms).resumed(3000 * ms)}, protocol: http,
			turn: idle,
		},
		{
			name: "what the client keeps waiting is no time in the queue",
			steps: paused(at(1000*ms).request(get), at(1010*ms).answer(headed).leavingRest(),
				at(1110*ms).answer(body(2000)).leavingRest(), at(1400*ms).answer(body(2000)),
				at(1900*ms).answer(body(1000)),
				at(2000*ms).close()),
			want: []turn{first, served(1000*ms, 1900*ms).kept(1010*ms, 1110*ms).kept(1110*ms, 1400*ms)}, protocol: http,
			turn: idle,
		},
		{
			name: "FastCGI, a connection for each page",
			steps: []step{
				at(0).request(fcgiGet), at(10 * ms).answer(fcgi(6, 900)), at(710 * ms).answer(fcgiAnswer),
				at(720 * ms).request(fcgiPost), at(730*ms).request(fcgi(5, 500), fcgi(5, 0)),
				at(740 * ms).answer(fcgi(6, 900)),
				at(1500*ms).answer(fcgi(7, 30), fcgiAnswer[:230]),
				at(1600 * ms).answer(fcgiAnswer[230:]), at(1700 * ms).close(),
			},
			want: []turn{first, served(720*ms, 1600*ms)}, protocol: fastcgi, turn: idle,
		},
		{
			name: "one that goes on and on is complete after a while, as others are",
			steps: paused(at(800*ms).request(get), at(810*ms).answer(endless), at(3500*ms).answer(body(900)),
				at(6000*ms).answer(body(900)), at(6200*ms).answer(body(900)), at(6300*ms).close()),
			want: []turn{first, served(800*ms, 6000*ms)}, protocol: http, turn: idle,
		},
		{
			name: "FastCGI, whose end does not come",
			steps: []step{
				at(0).request(fcgiGet), at(10 * ms).answer(fcgi(6, 900)), at(710 * ms).answer(fcgiAnswer),
				at(1000 * ms).request(fcgiGet), at(1010 * ms).answer(fcgi(6, 900)), at(1900 * ms).close(),
			},
			want: []turn{first, aborted(1000*ms, 1900*ms)}, protocol: fastcgi, turn: idle,
		},
		{
			name: "AJP, which calls for the rest of an upload",
			steps: []step{
				at(0).request(forward), at(10 * ms).answer(sendHeaders), at(710*ms).answer(sendBody, endResponse),
				at(1000 * ms).request(forwardPost), at(1005 * ms).answer(getBodyChunk),
				at(1006 * ms).request(bodyChunk(3000)),
				at(1010*ms).answer(sendHeaders, sendBody[:3]), at(1900*ms).answer(sendBody[3:], endResponse),
				at(2000 * ms).request(cping), at(2001 * ms).answer(cpong), at(2002 * ms).request(forward),
				at(2010*ms).answer(sendHeaders, sendBody), at(2800 * ms).answer(endResponse), at(2900 * ms).close(),
			},
			want: []turn{first, served(1000*ms, 1900*ms), served(2002*ms, 2800*ms)}, protocol: ajp, turn: idle,
		},
		{
			name:  "the client gives up meanwhile",
			steps: paused(at(1000*ms).request(get), at(1010*ms).answer(parts[:200]), at(1900*ms).close()),
			want:  []turn{first, aborted(1000*ms, 1900*ms)}, protocol: http, turn: idle,
		},
	})
}
