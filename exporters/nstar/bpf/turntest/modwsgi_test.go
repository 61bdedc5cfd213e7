// SPDX-License-Identifier: Apache-2.0

package turntest

import "testing"

// mod_wsgi's daemon answers the head of each request at once, as soon as a thread takes it. Then httpd sends the body,
// which for a page without one is five bytes long. The page is the answer.
func TestModWSGI(t *testing.T) {
	head := body(1400)
	takes := text("Status: 200 Continue\r\n\r\n")
	noBody := text("0\r\n\r\n")
	page := text("Status: 200 OK\r\nContent-Type: text/html\r\n\r\n<p>")
	playAll(t, []scenario{
		{
			name: "the answer to the head is none",
			steps: []step{
				at(1 * ms).request(head), at(2 * ms).answer(takes), at(2 * ms).request(noBody),
				at(60 * ms).answer(page), at(70 * ms).close(),
			},
			want: []turn{served(1*ms, 60*ms)}, turn: idle,
		},
		{
			name: "a body that comes slowly begins nothing",
			steps: []step{
				at(1 * ms).request(head), at(2 * ms).answer(takes), at(60 * ms).request(body(900)),
				at(70 * ms).answer(page), at(80 * ms).close(),
			},
			want: []turn{served(1*ms, 70*ms)}, turn: idle,
		},
		{
			name: "a page that only begins like it is an answer",
			steps: []step{
				at(1 * ms).request(head), at(2 * ms).answer(text("Status: 200 Continue\r\nContent-Type: a\r\n\r\n")),
				at(9 * ms).request(head), at(10 * ms).answer(page), at(80 * ms).close(),
			},
			want: []turn{served(1*ms, 2*ms), served(9*ms, 10*ms)}, turn: idle,
		},
	})
}
