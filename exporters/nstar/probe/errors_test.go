// SPDX-License-Identifier: Apache-2.0

package probe

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"testing"
)

// A server that fails says so: its errors are completions that count as errors, too.
func TestErrors(t *testing.T) {
	b := newBench(t, Options{})
	l := listen(t, "tcp", "127.0.0.1:0")
	n := 0
	serve(t, l, func(w http.ResponseWriter, _ *http.Request) {
		if n++; n%3 == 0 {
			http.Error(w, "no", http.StatusBadGateway)
		}
	})
	b.set(b.tables(l))
	dial(t, l.Addr().String()).turns(30)
	b.expect(0, counts{Arrivals: 30, Completions: 30})
	b.expectErrors(10)
}

func (b *bench) expectErrors(want uint64) {
	b.t.Helper()
	got := uint64(0)
	for _, w := range b.windows[0] {
		got += w.Errors
	}
	if got != want {
		b.t.Errorf("%d errors, want %d", got, want)
	}
}

// A server that closes the connection of a request without an answer fails, too. A client that does the same gives up.
func TestHangUps(t *testing.T) {
	for name, tt := range map[string]struct {
		server, client func(c *net.TCPConn) // what each does once the request is there
		idle           bool                 // the server closes before it
		counts         counts
		errors         uint64
	}{
		"the server closes": {server: func(c *net.TCPConn) { c.Close() },
			counts: counts{Arrivals: 2, Completions: 1, Aborts: 1}, errors: 1},
		"the server resets": {server: func(c *net.TCPConn) { c.SetLinger(0); c.Close() },
			counts: counts{Arrivals: 2, Completions: 1, Aborts: 1}, errors: 1},
		"the server closes an idle connection, on which a request is sent just then": {
			idle: true, counts: counts{Arrivals: 2, Completions: 1, Aborts: 1},
		},
		"the server answers and closes": {
			server: func(c *net.TCPConn) {
				io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello")
				c.Close()
			},
			counts: counts{Arrivals: 2, Completions: 2},
		},
		"the client closes": {client: func(c *net.TCPConn) { c.Close() },
			counts: counts{Arrivals: 2, Completions: 1, Aborts: 1}},
		"the client resets": {client: func(c *net.TCPConn) { c.SetLinger(0); c.Close() },
			counts: counts{Arrivals: 2, Completions: 1, Aborts: 1}},
		"the client closes its half, and the server closes": {
			client: func(c *net.TCPConn) { c.CloseWrite() },
			counts: counts{Arrivals: 2, Completions: 1, Aborts: 1},
		},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, Options{})
			l := listen(t, "tcp", "127.0.0.1:0")
			begun := make(chan struct{})
			go func() {
				accepted, err := l.Accept()
				if err != nil {
					return
				}
				c := accepted.(*net.TCPConn)
				defer c.Close()
				for r, n := bufio.NewReader(c), 1; ; n++ {
					if _, err := http.ReadRequest(r); err != nil {
						return
					}
					if n == 1 {
						io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello")
						if tt.idle {
							c.Close()
							close(begun)
							return
						}
						continue
					}
					close(begun)
					if tt.server != nil {
						tt.server(c)
						return
					}
				}
			}()
			b.set(b.tables(l))
			c := dial(t, l.Addr().String())
			c.turns(1)
			if tt.idle {
				<-begun
			}
			c.ask()
			<-begun
			if tt.client != nil {
				tt.client(c.Conn.(*net.TCPConn))
			} else {
				io.Copy(io.Discard, c)
				c.Close()
			}
			b.expect(0, tt.counts)
			b.expectErrors(tt.errors)
		})
	}
}
