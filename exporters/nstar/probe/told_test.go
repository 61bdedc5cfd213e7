// SPDX-License-Identifier: Apache-2.0

package probe

import (
	"io"
	"net"
	"testing"
	"time"
)

// A tier publishes messages over a broker (MQTT). What comes back on that connection is counted at the edge, and what
// goes there is not. Neither is a call.
func TestToldByBroker(t *testing.T) {
	b, _ := callers(t, 2, 1, 1)
	l := listen(t, "tcp", "127.0.0.1:0")
	accepted := make(chan net.Conn)
	go func() {
		if c, err := l.Accept(); err == nil {
			accepted <- c
		}
	}()
	client, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	broker := <-accepted
	defer broker.Close()
	send := func(from, to net.Conn, times int) {
		message := []byte("\x30\x0b\x00\x04jobshello")
		for range times {
			if _, err := from.Write(message); err != nil {
				t.Fatal(err)
			}
			if _, err := io.ReadFull(to, make([]byte, len(message))); err != nil {
				t.Fatal(err)
			}
			time.Sleep(2 * time.Millisecond)
		}
	}
	send(client, broker, 5)
	at := b.edgeTo(l)
	send(broker, client, 3)
	send(client, broker, 5)
	b.expect(at, counts{})
	told, opaque := uint64(0), uint64(0)
	for _, w := range b.windows[at] {
		told, opaque = told+w.Told, opaque+w.Opaque
	}
	if told != 3 || opaque != 1 {
		t.Errorf("%d segments came back, want 3; %d connections can't be measured, want 1", told, opaque)
	}
}
