// SPDX-License-Identifier: Apache-2.0

package probe

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
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

// helloAnswer is what hello answers, for servers that end their connections themselves.
const helloAnswer = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello"

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
				io.WriteString(c, helloAnswer)
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
						io.WriteString(c, helloAnswer)
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

// The same over a Unix socket. A server that closes before it has read everything resets the connection.
func TestUnixHangUps(t *testing.T) {
	for name, tt := range map[string]struct {
		server func(c net.Conn)
		client func(c *net.UnixConn)
		counts counts
		errors uint64
	}{
		"the server closes": {
			server: func(c net.Conn) { c.Read(make([]byte, 4096)) },
			counts: counts{Arrivals: 2, Completions: 1, Aborts: 1}, errors: 1},
		"the server closes, and has not read": {
			server: func(c net.Conn) { c.Read(make([]byte, 1)) },
			counts: counts{Arrivals: 2, Completions: 1, Aborts: 1}, errors: 1},
		"the server answers and closes": {
			server: func(c net.Conn) {
				c.Read(make([]byte, 4096))
				io.WriteString(c, helloAnswer)
			},
			counts: counts{Arrivals: 2, Completions: 2}},
		"the client closes": {
			client: func(c *net.UnixConn) { c.Close() },
			counts: counts{Arrivals: 2, Completions: 1, Aborts: 1}},
		"the client shuts both halves down": {
			client: func(c *net.UnixConn) {
				raw, err := c.SyscallConn()
				if err == nil {
					err = raw.Control(func(fd uintptr) { unix.Shutdown(int(fd), unix.SHUT_RDWR) })
				}
				if err != nil {
					panic(err)
				}
				c.Read(make([]byte, 1))
			},
			counts: counts{Arrivals: 2, Completions: 1, Aborts: 1}},
	} {
		t.Run(name, func(t *testing.T) {
			b := newUnixBench(t)
			l := listenUnix(t)
			go func() {
				c, err := l.Accept()
				if err != nil {
					return
				}
				defer c.Close()
				c.Read(make([]byte, 4096))
				io.WriteString(c, helloAnswer)
				if tt.server == nil {
					io.Copy(io.Discard, c)
					return
				}
				tt.server(c)
			}()
			b.set(unixTables(t, l))
			c := dialUnix(t, l)
			c.turns(1)
			c.ask()
			if tt.client != nil {
				tt.client(c.Conn.(*net.UnixConn))
			} else {
				io.Copy(io.Discard, c)
				c.Close()
			}
			b.expect(0, tt.counts)
			b.expectErrors(tt.errors)
		})
	}
}

// In HTTP/2 the status of each stream is read from compressed headers, and a stream fails that the server resets, or
// ends with the connection.
func TestErrorsOfHTTP2(t *testing.T) {
	b := newLonelyBench(t, Options{})
	l := listen(t, "tcp", "127.0.0.1:0")
	begun, wait := make(chan struct{}), make(chan struct{})
	statuses := map[string]int{"/unavailable": 503, "/failed": 500, "/missing": 404, "/": 200}
	server := h2cServer(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/panic":
			panic(http.ErrAbortHandler)
		case "/never":
			close(begun)
			<-wait
		default:
			w.Header().Set("X-Much", strings.Repeat(r.URL.Path, 20))
			w.WriteHeader(statuses[r.URL.Path])
			io.WriteString(w, r.URL.Path)
		}
	})
	go server.Serve(l)
	t.Cleanup(func() { server.Close(); close(wait) })
	b.set(b.tables(l))
	client, url := h2c(t), "http://"+l.Addr().String()
	for range 20 {
		for path := range statuses {
			get(t, client, url+path, nil)
		}
	}
	b.expect(0, counts{Arrivals: 80, Completions: 80})
	b.expectErrors(40)
	for range 3 {
		if _, err := client.Get(url + "/panic"); err == nil {
			t.Error("a handler that panics has answered")
		}
	}
	b.expect(0, counts{Arrivals: 83, Completions: 83})
	b.expectErrors(43)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		client.Get(url + "/never")
	}()
	<-begun
	server.Close()
	<-ended
	b.expect(0, counts{Arrivals: 84, Completions: 83, Aborts: 1})
	b.expectErrors(44)
}
