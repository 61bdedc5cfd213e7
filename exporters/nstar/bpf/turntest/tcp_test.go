// SPDX-License-Identifier: Apache-2.0

package turntest

import (
	"testing"
	"time"
)

// TestSequences: only new payload counts, whatever TCP does to deliver it.
func TestSequences(t *testing.T) {
	first, second := text("GET /a HTTP/1.1\r\nCookie: "), text("a=b\r\n\r\n")
	playAll(t, []scenario{
		{
			name:     "retransmitted request arrives once, at its first copy",
			steps:    []step{at(1 * ms).request(get), at(3 * ms).request(get).again(), at(7 * ms).answer(ok)},
			want:     []turn{open(1*ms, 7*ms)},
			protocol: http, turn: answered,
		},
		{
			name: "request retransmitted after its answer is not a new one",
			steps: []step{
				at(1 * ms).request(get), at(2 * ms).answer(ok), at(9 * ms).request(get).again(),
				at(60 * ms).request(get), at(61 * ms).answer(ok),
			},
			want:     []turn{served(1*ms, 2*ms), open(60*ms, 61*ms)},
			protocol: http, turn: answered,
		},
		{
			name: "retransmitted answer does not move the departure",
			steps: []step{
				at(1 * ms).request(get), at(2 * ms).answer(ok), at(70 * ms).answer(ok).again(),
			},
			want:     []turn{open(1*ms, 2*ms)},
			protocol: http, turn: answered,
		},
		{
			name: "retransmission that carries new bytes as well counts for the new ones",
			steps: []step{
				at(1 * ms).request(get), at(2 * ms).answer(ok), at(70*ms).answer(ok, body(100)).overlapping(len(ok)),
			},
			want:     []turn{open(1*ms, 70*ms)},
			protocol: http, turn: answered,
		},
		{
			name: "retransmitted answer of the turn before is not the answer to the next request",
			steps: []step{
				at(1 * ms).request(get), at(2 * ms).answer(ok), at(5 * ms).request(get),
				at(6 * ms).answer(ok).again(), at(9 * ms).answer(ok),
			},
			want:     []turn{served(1*ms, 2*ms), open(5*ms, 9*ms)},
			protocol: http, turn: answered,
		},
		{
			name: "keep-alive probes without and with one old byte, from both sides",
			steps: []step{
				at(1 * ms).request(get), at(2 * ms).answer(ok),
				at(10 * ms).requestProbe(0), at(20 * ms).requestProbe(1), at(30 * ms).answerProbe(0),
				at(40 * ms).answerProbe(1),
			},
			want:     []turn{open(1*ms, 2*ms)},
			protocol: http, turn: answered,
		},
		{
			name: "keep-alive probe of the server while a request waits",
			steps: []step{
				at(1 * ms).request(get), at(2 * ms).answer(ok), at(3 * ms).request(get), at(40 * ms).answerProbe(1),
				at(45 * ms).answer(ok),
			},
			want:     []turn{served(1*ms, 2*ms), open(3*ms, 45*ms)},
			protocol: http, turn: answered,
		},
		{
			name: "second segment of a request overtakes the first on a new connection",
			steps: []step{
				at(1 * ms).request(second).ahead(len(first)), at(4 * ms).request(first).late(len(second)),
				at(6 * ms).answer(ok),
			},
			want:     []turn{open(1*ms, 6*ms)},
			protocol: auto, turn: answered,
		},
		{
			name: "second segment of a request overtakes the first on a connection that is under way",
			steps: []step{
				at(1 * ms).request(get), at(2 * ms).answer(ok),
				at(5 * ms).request(second).ahead(len(first)), at(8 * ms).request(first).late(len(second)),
				at(9 * ms).answer(ok),
			},
			want:     []turn{served(1*ms, 2*ms), open(5*ms, 9*ms)},
			protocol: http, turn: answered,
		},
		{
			name: "segments beyond the receiver's window, which TCP refuses, are not believed",
			steps: []step{
				at(1 * ms).request(get), at(2 * ms).answer(ok),
				at(3 * ms).request(get).stray(1 << 30), at(4 * ms).answer(ok).stray(1 << 30),
				at(5 * ms).request(get).stray(2_000_000),
				at(6 * ms).request(get), at(8 * ms).answer(ok), at(9 * ms).request(get), at(10 * ms).answer(ok),
			},
			want:     []turn{served(1*ms, 2*ms), served(6*ms, 8*ms), open(9*ms, 10*ms)},
			protocol: http, turn: answered,
		},
		{
			name: "answer that TCP stamped before its request came departs when that came",
			steps: []step{
				at(51 * ms).request(get), at(49 * ms).answer(ok), at(55 * ms).request(get), at(56 * ms).answer(ok),
			},
			want:     []turn{served(51*ms, 51*ms), open(55*ms, 56*ms)},
			protocol: http, turn: answered,
		},
		{
			name: "acknowledgements without payload count nothing",
			steps: []step{
				at(1 * ms).request(), at(2 * ms).answer(), at(3 * ms).request(get), at(4 * ms).request(),
				at(5 * ms).answer(),
				at(6 * ms).answer(ok), at(7 * ms).request(), at(8 * ms).answer(),
			},
			want:     []turn{open(3*ms, 6*ms)},
			protocol: http, turn: answered,
		},
		{
			name:     "sequence numbers wrap round in the middle of a request and of an answer",
			sequence: 0xffffffff - 9,
			steps: []step{
				at(1 * ms).request(get), at(2 * ms).answer(ok), at(3 * ms).request(get).again(),
				at(4 * ms).answer(ok).again(),
				at(5 * ms).request(get), at(8 * ms).answer(ok),
			},
			want:     []turn{served(1*ms, 2*ms), open(5*ms, 8*ms)},
			protocol: http, turn: answered,
		},
	})
}

// TestNetworks: the payload is found behind every kind of header, and nothing else is taken for it.
func TestNetworks(t *testing.T) {
	steps := []step{at(1 * ms).request(get), at(3 * ms).answer(ok), at(5 * ms).request(), at(6 * ms).request(get),
		at(8 * ms).answer(ok)}
	var rows []scenario
	for name, n := range map[string]network{
		"IPv4": ipv4, "IPv4 and TCP with options": ipv4WithOptions, "IPv6": ipv6,
		"IPv6 with hop-by-hop and destination options": ipv6WithExtensions,
		"IPv6 with a routing header":                   ipv6WithRouting,
	} {
		rows = append(rows, scenario{
			name: name, network: n, steps: steps,
			want: []turn{served(1*ms, 3*ms), open(6*ms, 8*ms)}, protocol: http, turn: answered,
		})
	}
	for name, n := range map[string]network{"not TCP": ipv4UDP, "IPv6 fragment": ipv6Fragment} {
		rows = append(rows, scenario{name: name, network: n, steps: steps, protocol: auto, turn: idle})
	}
	playAll(t, rows)
}

// TestClose: requests that are still in the queue when the connection ends are aborted, and nothing else.
func TestClose(t *testing.T) {
	playAll(t, []scenario{
		{
			name:  "close in flight aborts",
			steps: []step{at(1 * ms).request(get), at(60 * ms).close()},
			want:  []turn{aborted(1*ms, 60*ms)}, protocol: http, turn: idle,
		},
		{
			name:  "half a request, then FIN",
			steps: []step{at(1 * ms).request(get[:9]), at(2 * ms).close()},
			want:  []turn{aborted(1*ms, 2*ms)}, protocol: http, turn: idle,
		},
		{
			name:  "close after the answer leaves nothing, and ends the residence time",
			steps: []step{at(1 * ms).request(get), at(2 * ms).answer(ok), at(60 * ms).close()},
			want:  []turn{served(1*ms, 2*ms)}, protocol: http, turn: idle,
		},
		{
			name:  "close before any payload",
			steps: []step{at(1 * ms).close()}, protocol: auto, turn: idle,
		},
		{
			name:  "second close counts nothing",
			steps: []step{at(1 * ms).request(get), at(2 * ms).close(), at(3 * ms).close()},
			want:  []turn{aborted(1*ms, 2*ms)}, protocol: http, turn: idle,
		},
		{
			name: "second request aborted after a good one",
			steps: []step{
				at(1 * ms).request(get), at(2 * ms).answer(ok), at(51 * ms).request(get), at(time.Second).close(),
			},
			want: []turn{served(1*ms, 2*ms), aborted(51*ms, time.Second)}, protocol: http, turn: idle,
		},
	})
}
