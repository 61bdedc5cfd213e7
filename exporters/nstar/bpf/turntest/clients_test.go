// SPDX-License-Identifier: Apache-2.0

package turntest

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// clients reads of the tier's windows 0 to n-1 after the script's time 0 how the number of its clients' connections
// changed, and the integral of that over the rest of the window.
func (c *crew) clients(n int) (opened []int, area []time.Duration) {
	c.t.Helper()
	slots, err := mapped[TurntestTierSlot](c.objects.TierSlots)
	check(c.t, err)
	for w := range n {
		s := slots[(int(epoch/width)+w)%ring]
		opened, area = append(opened, int(s.Opened)), append(area, time.Duration(s.Area))
	}
	return opened, area
}

func (c *crew) expectClients(opened []int, area []time.Duration) {
	c.t.Helper()
	gotOpened, gotArea := c.clients(len(opened))
	if diff := cmp.Diff(opened, gotOpened); diff != "" {
		c.t.Errorf("connections opened less those closed (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(area, gotArea); diff != "" {
		c.t.Errorf("connection time (-want +got):\n%s", diff)
	}
}

// A client's connection counts from its beginning to its end, whatever goes over it.
func TestClients(t *testing.T) {
	c := newCrew(t)
	c.place(10*ms, 0, 0)
	c.place(20*ms, 1, 0)
	c.place(25*ms, 1, 0) // looked up again
	c.request(30*ms, 0)
	c.answer(70*ms, 0)
	c.request(80*ms, 0)
	c.close(90*ms, 0) // in flight
	c.close(91*ms, 0) // closed is closed
	c.place(110*ms, 2, 0)
	c.close(115*ms, 2) // within a window
	c.close(160*ms, 1)
	c.expectClients([]int{2, -1, 0, -1}, []time.Duration{40*ms + 30*ms, -10 * ms, 40*ms - 35*ms, -40 * ms})
}

// It leaves its tier when it becomes another station's, or can't be measured any more, and then only once.
func TestClientsLeave(t *testing.T) {
	c := newCrew(t)
	c.place(10*ms, 0, 0)
	c.place(10*ms, 1, 0)
	c.place(60*ms, 0, 1) // an edge after all
	c.close(70*ms, 0)
	c.send(c.objects.TestRequest, towardsServer, 60*ms, 1,
		[]byte("GET /chat HTTP/1.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n"))
	c.send(c.objects.TestAnswer, towardsClient, 110*ms, 1, []byte("HTTP/1.1 101 Switching Protocols\r\n\r\n"))
	c.place(160*ms, 1, 0) // looked up again
	c.close(170*ms, 1)
	c.expectClients([]int{2, -1, -1, 0}, []time.Duration{80 * ms, -40 * ms, -40 * ms, 0})
	c.expect(0, 0, []edgeWindow{{}, {}})
}
