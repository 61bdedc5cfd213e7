// SPDX-License-Identifier: Apache-2.0

package turntest

import (
	"testing"
	"time"
)

// TestClientsPause: while a client has no room for more of its answer, or has not sent more of its request, the server
// has nothing to do with it.
func TestClientsPause(t *testing.T) {
	upload := []byte("POST /a HTTP/1.1\r\nHost: b\r\nContent-Length: 3000\r\n\r\n")
	playAll(t, []scenario{
		{
			name: "the client reads slowly: in the same window, and in others",
			steps: []step{
				at(0).request(get), at(10 * ms).answer(ok).leavingRest(), at(20 * ms).answer(body(1000)).leavingRest(),
				at(100 * ms).answer(body(1000)).leavingRest(), at(400 * ms).answer(body(1000)), at(430 * ms).close(),
			},
			want: []turn{served(0, 400*ms).kept(10*ms, 20*ms).kept(20*ms, 100*ms).kept(100*ms, 400*ms)}, protocol: http,
			turn: idle,
		},
		{
			name: "the server writes slowly, too",
			steps: []step{
				at(0).request(get), at(10 * ms).answer(ok).leavingRest(), at(130 * ms).answer(body(1000)),
				at(170 * ms).answer(body(1000)), at(260 * ms).answer(body(1000)).leavingRest(),
				at(320 * ms).answer(body(1000)), at(430 * ms).request(get),
			},
			want: []turn{served(0, 320*ms).kept(10*ms, 130*ms).kept(260*ms, 320*ms), waiting(430 * ms)}, protocol: http,
			turn: inFlight,
		},
		{
			name: "a client that makes a long pause reopens nothing",
			steps: []step{
				at(0).request(get), at(10 * ms).answer(ok).leavingRest(), at(2000 * ms).answer(body(1000)),
				at(2100 * ms).close(),
			},
			want: []turn{served(0, 10*ms)}, protocol: http, turn: idle,
		},
		{
			name: "what a caller has not read yet",
			edge: &TurntestEdgeState{},
			steps: []step{
				at(0).request(get), at(10 * ms).answer(ok), at(80 * ms).answer(body(1000)).afterPause(),
				at(95 * ms).answer(body(1000)), at(100 * ms).close(),
			},
			want: []turn{open(0, 95*ms).kept(10*ms, 80*ms)}, protocol: http, turn: idle,
		},
		{
			name: "the client sends slowly",
			steps: []step{
				at(0).request(upload), at(20 * ms).request(body(1000)).afterPause(),
				at(130 * ms).request(body(1000)).afterPause(),
				at(200 * ms).request(body(1000)), at(260 * ms).answer(ok), at(300 * ms).close(),
			},
			want: []turn{served(0, 260*ms).kept(0, 20*ms).kept(20*ms, 130*ms)}, protocol: http, turn: idle,
		},
		{
			name: "the client sends slowly again: what begins a request is not read every time",
			steps: func() (steps []step) {
				for i := range time.Duration(4) {
					steps = append(steps, at(i*200*ms).request(upload),
						at(i*200*ms+80*ms).request(body(3000)).afterPause(),
						at(i*200*ms+90*ms).answer(ok))
				}
				return append(steps, at(900*ms).close())
			}(),
			want: []turn{served(0, 90*ms).kept(0, 80*ms), served(200*ms, 290*ms).kept(200*ms, 280*ms),
				served(400*ms, 490*ms).kept(400*ms, 480*ms), served(600*ms, 690*ms).kept(600*ms, 680*ms)},
			protocol: http, turn: idle,
		},
		{
			name: "the caller has not sent the rest yet",
			edge: &TurntestEdgeState{},
			steps: []step{
				at(0).request(upload).leavingRest(), at(120 * ms).request(body(1000)),
				at(150 * ms).request(body(1000)).leavingRest(),
				at(210 * ms).request(body(1000)), at(260 * ms).answer(ok), at(300 * ms).close(),
			},
			want: []turn{open(0, 260*ms).kept(0, 120*ms).kept(150*ms, 210*ms)}, protocol: http, turn: idle,
		},
		{
			name: "a server that asks for each part is waited for until then",
			edge: &TurntestEdgeState{},
			steps: []step{
				at(0).request(forwardPost).leavingRest(), at(10 * ms).request(bodyChunk(3000)).leavingRest(),
				at(70 * ms).answer(getBodyChunk), at(190 * ms).request(bodyChunk(3000)).leavingRest(),
				at(260*ms).answer(sendHeaders, endResponse), at(300 * ms).close(),
			},
			want: []turn{open(0, 260*ms).kept(0, 10*ms).kept(70*ms, 190*ms)}, protocol: ajp, turn: idle,
		},
		{
			name: "the client pauses for longer than windows are kept: of that the last part",
			steps: []step{
				at(0).request(upload), at(1200 * ms).request(body(3000)).afterPause(), at(1210 * ms).answer(ok),
				at(1300 * ms).close(),
			},
			want: []turn{served(0, 1210*ms).kept(700*ms, 1200*ms)}, protocol: http, turn: idle,
		},
		{
			name: "a request that was being worked on goes on: of a protocol that is not known it may be anything",
			hint: turns,
			steps: []step{
				at(0).request([]byte("one")), at(100 * ms).request([]byte("two")).afterPause(),
				at(120 * ms).answer([]byte("three")),
				at(200 * ms).close(),
			},
			want: []turn{served(0, 120*ms)}, protocol: turns, turn: idle,
		},
		{
			name: "a body that comes at once",
			steps: []step{
				at(0).request(upload), at(300 * time.Microsecond).request(body(3000)).afterPause(),
				at(50 * ms).answer(ok),
				at(60 * ms).close(),
			},
			want: []turn{served(0, 50*ms)}, protocol: http, turn: idle,
		},
	})
}
