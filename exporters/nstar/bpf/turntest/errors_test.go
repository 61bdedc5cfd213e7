// SPDX-License-Identifier: Apache-2.0

package turntest

import (
	"encoding/binary"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// errors reads how many errors the tier's windows 0 to n-1 after the script's time 0 have.
func (c *crew) errors(n int) (errors []int) {
	c.t.Helper()
	slots, err := mapped[TurntestTierSlot](c.objects.TierSlots)
	check(c.t, err)
	for w := range n {
		errors = append(errors, int(slots[(int(epoch/width)+w)%ring].Errors))
	}
	return errors
}

// An answer of HTTP with a status of 500 or above counts as an error, once, in the window in which it began.
func TestErrors(t *testing.T) {
	c := newCrew(t)
	answer := func(at, connection int, parts ...[]byte) {
		for _, p := range parts {
			c.send(c.objects.TestAnswer, towardsClient, time.Duration(at)*ms, uint32(connection), p)
		}
	}
	failed := text("HTTP/1.1 503 Service Unavailable\r\nContent-Length: 20\r\n\r\n")
	page := body(20)
	for i := range uint32(2) {
		c.place(ms, i, 0)
	}
	c.request(10*ms, 0) // the first: its protocol is a guess until it is answered
	answer(20, 0, failed, page)
	c.request(55*ms, 0)
	answer(60, 0, failed, page)
	c.request(65*ms, 1)
	answer(70, 1, text("HTTP/1.0 502 Bad Gateway\r\n\r\n"))
	c.request(110*ms, 0)
	answer(120, 0, ok)
	c.request(130*ms, 1)
	answer(140, 1, text("HTTP/1.1 404 Not Found\r\nContent-Length: 3\r\n\r\n500"))
	c.request(160*ms, 0)
	answer(170, 0, text("HTTP/1.1 200 OK\r\nContent-Length: 40\r\n\r\n"), failed[:40]) // a body that looks like one
	if diff := cmp.Diff([]int{1, 2, 0, 0}, c.errors(4)); diff != "" {
		t.Errorf("errors (-want +got):\n%s", diff)
	}
}

// A page that failed says so in FastCGI, behind what PHP writes into the log of the web server, in AJP, and in what
// uWSGI and SCGI answer.
func TestErrorsBehindWebServers(t *testing.T) {
	words := func(kind byte, text string) []byte {
		return concat([]byte{1, kind, 0, 1, 0, byte(len(text)), byte(8 - len(text)%8), 0}, []byte(text),
			make([]byte, 8-len(text)%8))
	}
	end := fcgi(3, 8)
	failed, logged := words(6, "Status: 500 Internal Server Error\r\n\r\n"), words(7, "PHP message: PHP Fatal error")
	page := words(6, "Content-type: text/html\r\n\r\nStatus: 500")
	status := func(code uint16) []byte {
		return fromContainer(concat([]byte{4}, binary.BigEndian.AppendUint16(nil, code), make([]byte, 20)))
	}
	for name, test := range map[string]struct {
		request []byte
		answers [][]byte
		errors  int
	}{
		"FastCGI": {fcgiGet, [][]byte{
			concat(failed, end), concat(logged, failed, end), concat(page, end), concat(logged, page, end),
			concat(words(6, "Status: 404 Not Found\r\n\r\n"), end), logged}, 2},
		"AJP": {forward, [][]byte{
			concat(status(500), endResponse), concat(status(404), endResponse), concat(status(503), endResponse),
			concat(status(200), endResponse)}, 2},
		"uWSGI, SCGI": {[]byte("\x00\x08\x00\x00\x04\x00PATH\x00\x00"), [][]byte{
			[]byte("HTTP/1.1 502 Bad Gateway\r\n\r\n"), []byte("HTTP/1.1 200 OK\r\n\r\n"),
			[]byte("Status: 500 Internal Server Error\r\n\r\n"), []byte("Status: 200 OK\r\n\r\n")}, 2},
	} {
		t.Run(name, func(t *testing.T) {
			c := newCrew(t)
			c.place(ms, 0, 0)
			for i, answer := range test.answers {
				at := time.Duration(4*i+2) * ms
				c.send(c.objects.TestRequest, towardsServer, at, 0, test.request)
				c.send(c.objects.TestAnswer, towardsClient, at+2*ms, 0, answer)
			}
			if diff := cmp.Diff([]int{test.errors}, c.errors(1)); diff != "" {
				t.Errorf("errors (-want +got):\n%s", diff)
			}
		})
	}
}

// Errors of a called server count at that server, not at its caller.
func TestErrorsOfEdges(t *testing.T) {
	c := newCrew(t)
	c.place(ms, 0, 1)
	c.request(10*ms, 0)
	c.send(c.objects.TestAnswer, towardsClient, 20*ms, 0, text("HTTP/1.1 500 Internal Server Error\r\n\r\n"))
	if diff := cmp.Diff([]int{0}, c.errors(1)); diff != "" {
		t.Errorf("errors (-want +got):\n%s", diff)
	}
}
