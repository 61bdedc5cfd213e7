// SPDX-License-Identifier: Apache-2.0

package turntest

import "testing"

// fcgi is one record: version, type, request, length, padding.
func fcgi(kind byte, n int) []byte {
	return concat([]byte{1, kind, 0, 1, byte(n >> 8), byte(n), 0, 0}, body(n))
}

var (
	fcgiBegin  = []byte{1, 1, 0, 1, 0, 8, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0}
	fcgiGet    = concat(fcgiBegin, fcgi(4, 400), fcgi(4, 0), fcgi(5, 0))
	fcgiPost   = concat(fcgiBegin, fcgi(4, 400), fcgi(4, 0), fcgi(5, 1000))
	fcgiAnswer = concat(fcgi(6, 200), fcgi(6, 0), fcgi(3, 8))
)

func TestFastCGI(t *testing.T) {
	playAll(t, []scenario{
		{
			name: "a connection for each request, and one kept for two",
			steps: []step{
				at(1 * ms).request(fcgiGet), at(5 * ms).answer(fcgiAnswer), at(9 * ms).request(fcgiGet),
				at(60 * ms).answer(fcgi(6, 900)),
				at(70 * ms).answer(fcgiAnswer), at(80 * ms).close(),
			},
			want: []turn{served(1*ms, 5*ms), served(9*ms, 70*ms)}, protocol: fastcgi, turn: idle,
		},
		{
			name: "an upload of many segments is one request",
			steps: []step{
				at(1 * ms).request(fcgiPost), at(5 * ms).request(body(1000)),
				at(9*ms).request(fcgi(5, 500), fcgi(5, 0)),
				at(60 * ms).answer(fcgiAnswer),
			},
			want: []turn{open(1*ms, 60*ms)}, protocol: fastcgi, turn: answered,
		},
		{
			name: "an upload that goes on behind its answer asks nothing",
			steps: []step{
				at(1 * ms).request(fcgiPost), at(5 * ms).answer(fcgiAnswer), at(9*ms).request(fcgi(5, 500), fcgi(5, 0)),
				at(60 * ms).request(fcgiGet), at(70 * ms).answer(fcgiAnswer),
			},
			want: []turn{served(1*ms, 5*ms), open(60*ms, 70*ms)}, protocol: fastcgi, turn: answered,
		},
		{
			name: "joined in the middle of an upload, configured", hint: fastcgi,
			steps: []step{at(1 * ms).request(fcgi(5, 500)), at(5 * ms).answer(fcgiAnswer), at(9 * ms).request(fcgiGet),
				at(60 * ms).answer(fcgiAnswer)},
			want: []turn{open(9*ms, 60*ms)}, protocol: fastcgi, turn: answered,
		},
	})
}
