// SPDX-License-Identifier: Apache-2.0

package probe

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

// listen opens a listener that nothing accepts from.
func listen(t *testing.T, network, address string) net.Listener {
	t.Helper()
	l, err := net.Listen(network, address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	return l
}

// listenDeferred opens a listener that accepts a connection with its first request, or after so many seconds.
func listenDeferred(t *testing.T, address string, seconds int) net.Listener {
	t.Helper()
	c := net.ListenConfig{Control: func(_, _ string, c syscall.RawConn) error {
		return c.Control(func(fd uintptr) {
			if err := unix.SetsockoptInt(int(fd), unix.IPPROTO_TCP, unix.TCP_DEFER_ACCEPT, seconds); err != nil {
				t.Error(err)
			}
		})
	}}
	l, err := c.Listen(context.Background(), "tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	return l
}

// serve answers HTTP on a listener with the given handler.
func serve(t *testing.T, l net.Listener, handler http.HandlerFunc) {
	t.Helper()
	s := &http.Server{Handler: handler}
	go s.Serve(l)
	t.Cleanup(func() { s.Close() })
}

func hello(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "hello") }

// client is one connection that speaks HTTP/1.1, one request at a time.
type client struct {
	net.Conn
	*bufio.Reader
	t *testing.T
}

func dial(t *testing.T, address string) *client {
	t.Helper()
	c, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return &client{c, bufio.NewReader(c), t}
}

func (c *client) Read(p []byte) (int, error) { return c.Reader.Read(p) }

func (c *client) ask() {
	c.t.Helper()
	if _, err := io.WriteString(c.Conn, "GET / HTTP/1.1\r\nHost: test\r\n\r\n"); err != nil {
		c.t.Fatal(err)
	}
}

func (c *client) answer() int64 {
	c.t.Helper()
	r, err := http.ReadResponse(c.Reader, nil)
	if err != nil {
		c.t.Fatal(err)
	}
	n, err := io.Copy(io.Discard, r.Body)
	if err != nil {
		c.t.Fatal(err)
	}
	return n
}

// turns takes n turns of request and answer.
func (c *client) turns(n int) {
	c.t.Helper()
	for range n {
		c.ask()
		c.answer()
	}
}

func (c *client) post(size int) {
	c.t.Helper()
	fmt.Fprintf(c.Conn, "POST / HTTP/1.1\r\nHost: test\r\nContent-Length: %d\r\n\r\n", size)
	if _, err := io.Copy(c.Conn, io.LimitReader(strings.NewReader(strings.Repeat("x", size)),
		int64(size))); err != nil {
		c.t.Fatal(err)
	}
	c.answer()
}
