// SPDX-License-Identifier: Apache-2.0

package turntest

import (
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
