// SPDX-License-Identifier: Apache-2.0

package answer

import (
	"context"
	"errors"
	"io"
	"net"
	"os"
	"sync/atomic"
	"syscall"

	"golang.org/x/sys/unix"
)

// Conn is a connection that remembers whether it failed. Data that are written to a connection are in the kernel's
// buffer, not at the client; what happens to the connection afterwards shows whether they arrived.
type Conn struct {
	net.Conn
	written        atomic.Int64
	failed, closed atomic.Bool
}

// Written is how many bytes were written so far.
func (c *Conn) Written() int64 { return c.written.Load() }

// Delivered reports whether an answer that ended after so many bytes arrived, as far as HTTP/1.1 and TCP know. Either
// the client asked again on the connection, which it does when it has read the answer. Or nothing waits for an
// acknowledgement and the connection was not reset (it is reset if a client gives up and leaves data unread).
func (c *Conn) Delivered(end int64) bool {
	return c.written.Load() > end || c.Settled() && !c.failed.Load()
}

// Settled reports whether it is known what happened to all written data: the connection failed or was closed, or all
// data are acknowledged.
func (c *Conn) Settled() bool {
	if c.failed.Load() || c.closed.Load() {
		return true
	}
	unacknowledged, reset := c.kernel()
	if reset {
		c.failed.Store(true)
	}
	return reset || unacknowledged == 0
}

// Read notes a reset.
func (c *Conn) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	if err != nil && err != io.EOF && !errors.Is(err, os.ErrDeadlineExceeded) && !errors.Is(err, net.ErrClosed) {
		c.failed.Store(true)
	}
	return n, err
}

// Write notes a failure.
func (c *Conn) Write(b []byte) (int, error) {
	n, err := c.Conn.Write(b)
	c.written.Add(int64(n))
	if err != nil {
		c.failed.Store(true)
	}
	return n, err
}

// Close ends the connection. Data that are not acknowledged by then may still arrive: a client that asked for the end
// of the connection gets its answer that way.
func (c *Conn) Close() error {
	c.closed.Store(true)
	return c.Conn.Close()
}

// kernel is what TCP knows: how many bytes the other end has not acknowledged (tcp(7), SIOCOUTQ), and whether it reset
// the connection, which Read may not know yet.
func (c *Conn) kernel() (unacknowledged int, reset bool) {
	raw, ok := c.Conn.(syscall.Conn)
	if !ok {
		return 0, false
	}
	control, err := raw.SyscallConn()
	if err != nil {
		return 0, false
	}
	_ = control.Control(func(fd uintptr) {
		unacknowledged, _ = unix.IoctlGetInt(int(fd), unix.TIOCOUTQ)
		info, err := unix.GetsockoptTCPInfo(int(fd), unix.IPPROTO_TCP, unix.TCP_INFO)
		reset = err == nil && info.State == unix.BPF_TCP_CLOSE
	})
	return unacknowledged, reset
}

// listener gives out such connections.
type listener struct{ net.Listener }

// Listen makes the connections of a listener remember whether they failed.
func Listen(l net.Listener) net.Listener { return listener{l} }

func (l listener) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return &Conn{Conn: c}, nil
}

type connKey struct{}

// Context is for http.Server's ConnContext: requests then know their connection.
func Context(ctx context.Context, c net.Conn) context.Context {
	if tls, ok := c.(interface{ NetConn() net.Conn }); ok {
		c = tls.NetConn()
	}
	if conn, ok := c.(*Conn); ok {
		return context.WithValue(ctx, connKey{}, conn)
	}
	return ctx
}

// Of is the connection of a request; nil if it is not known.
func Of(ctx context.Context) *Conn {
	c, _ := ctx.Value(connKey{}).(*Conn)
	return c
}
