// SPDX-License-Identifier: Apache-2.0

package probe

import (
	"net"
	"testing"
)

// A server that is gone refuses connections: each is counted at the edge to its former address, and none is a call.
func TestFailedConnections(t *testing.T) {
	b, listeners := callers(t, 1, 1, 1)
	c := dial(t, listeners[0].Addr().String())
	c.turns(2)
	at := b.edgeTo(listeners[0])
	b.expect(at, counts{Arrivals: 2, Completions: 2})
	if err := listeners[0].Close(); err != nil {
		t.Fatal(err)
	}
	for range 3 {
		if c, err := net.Dial("tcp", listeners[0].Addr().String()); err == nil {
			c.Close()
			t.Fatal("it still listens")
		}
	}
	b.expect(at, counts{Arrivals: 2, Completions: 2})
	failed := uint64(0)
	for _, w := range b.windows[at] {
		failed += w.Failed
	}
	if failed != 3 {
		t.Errorf("%d connections failed, want 3", failed)
	}
}
