// SPDX-License-Identifier: Apache-2.0

package probe

import (
	"io"
	"net"
	"net/http"
	"syscall"
	"testing"
	"time"

	"github.com/nstar-project/nstar/exporters/nstar/window"
)

// narrow is a connection of a client that has little room for answers, in packets of a usual size.
func narrow(t *testing.T, address string) *client {
	t.Helper()
	d := net.Dialer{Control: func(_, _ string, raw syscall.RawConn) error {
		return raw.Control(func(fd uintptr) {
			_ = syscall.SetsockoptInt(int(fd), syscall.IPPROTO_TCP, syscall.TCP_MAXSEG, 1448)
			_ = syscall.SetsockoptInt(int(fd), syscall.SOL_SOCKET, syscall.SO_RCVBUF, 32<<10)
		})
	}}
	c, err := d.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return &client{Conn: c, t: t}
}

// trickle reads an answer of this many bytes, or writes such a body, a part every 20 ms.
func (c *client) trickle(what func([]byte) (int, error), size int) {
	c.t.Helper()
	for b := make([]byte, 10_000); size > 0; time.Sleep(20 * time.Millisecond) {
		n, err := what(b[:min(size, len(b))])
		if err != nil {
			c.t.Fatal(err)
		}
		size -= n
	}
}

// TestSlowClients: the time that a client takes to read an answer, or to send a request, is not the server's time,
// and at the edge of a caller it is not the time of the server that it calls.
func TestSlowClients(t *testing.T) {
	const size = 400_000 // 0.8 s
	for name, use := range map[string]func(*client){
		"reads": func(c *client) {
			c.ask()
			c.trickle(c.Conn.Read, size)
		},
		"sends": func(c *client) {
			_, _ = io.WriteString(c.Conn, "POST / HTTP/1.1\r\nHost: test\r\nContent-Length: 400000\r\n\r\n")
			c.trickle(c.Conn.Write, size)
			_, _ = c.Conn.Read(make([]byte, size))
		},
	} {
		for role, called := range map[string]bool{"tier": false, "edge": true} {
			t.Run(name+" "+role, func(t *testing.T) {
				b := newLonelyBench(t, Options{})
				l := listen(t, "tcp", "127.0.0.1:0")
				serve(t, l, func(w http.ResponseWriter, r *http.Request) {
					_, _ = io.Copy(io.Discard, r.Body)
					_, _ = w.Write(make([]byte, size))
				})
				station := window.Station(0)
				if called {
					b.set(b.fromHere(Tables{}))
				} else {
					b.set(b.tables(l))
				}
				use(narrow(t, l.Addr().String()))
				if called {
					station = b.edgeTo(l)
				}
				b.settle()
				_, queued := b.residence(station)
				// A caller that has just read all that had come looks as if it waited for more.
				most := 150 * time.Millisecond
				if called && name == "reads" {
					most = 700 * time.Millisecond
				}
				b.near("the time in the queue", queued, 0, most)
			})
		}
	}
}
