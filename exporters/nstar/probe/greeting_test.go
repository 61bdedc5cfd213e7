// SPDX-License-Identifier: Apache-2.0

package probe

import (
	"io"
	"net"
	"testing"
	"time"

	"github.com/nstar-project/nstar/exporters/nstar/window"
)

// greet accepts a connection, greets, and echoes all bytes until the client has gone.
func greet(t *testing.T, l net.Listener) {
	t.Helper()
	c, err := l.Accept()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(c, "* OK ready\r\n"); err != nil {
		t.Fatal(err)
	}
	go func() {
		defer c.Close()
		_, _ = io.Copy(c, c)
	}()
}

// hear reads a line of n bytes.
func (c *client) hear(n int) {
	c.t.Helper()
	if _, err := io.ReadFull(c, make([]byte, n)); err != nil {
		c.t.Fatal(err)
	}
}

const (
	greetingLength = len("* OK ready\r\n")
	command        = "a1 NOOP\r\n"
)

// A client that waits for the greeting of a server that speaks first is in the server's queue, and is an
// outstanding call, but no request.
func TestGreeting(t *testing.T) {
	b := newLonelyBench(t, Options{})
	l := listen(t, "tcp", "127.0.0.1:0")
	b.set(b.fromHere(b.tables(l)))
	b.greets(l, func() *client { return dial(t, l.Addr().String()) }, func() window.Station { return b.edgeTo(l) })
}

func TestUnixGreeting(t *testing.T) {
	b := newUnixBench(t)
	l := listenUnix(t)
	b.set(b.fromHere(unixTables(t, l)))
	b.greets(l, func() *client { return dialUnix(t, l) }, func() window.Station { return b.edgeToFile(l) })
}

func (b *bench) greets(l net.Listener, dial func() *client, edgeTo func() window.Station) {
	t := b.t
	t.Helper()
	first := dial() // not known yet
	edge := edgeTo()
	b.expectNow(edge, 0, 1)
	greet(t, l)
	first.hear(greetingLength)

	second := dial()
	start := b.now()
	b.expectNow(edge, 1, 2)
	time.Sleep(10 * width)
	b.expect(0, counts{Carried: 1})
	b.expectOneSince(start)
	greet(t, l)
	second.hear(greetingLength)
	b.expectNow(edge, 0, 2)
	for range 3 {
		if _, err := io.WriteString(second.Conn, command); err != nil {
			t.Fatal(err)
		}
		second.hear(len(command))
	}
	b.expect(0, counts{Arrivals: 3, Completions: 3})

	third := dial() // gives up before it is greeted
	b.expectNow(edge, 1, 3)
	third.Close()
	dropped, err := l.Accept()
	if err != nil {
		t.Fatal(err)
	}
	if n, err := dropped.Read(make([]byte, 1)); n > 0 || err == nil {
		t.Fatalf("%d bytes, %v", n, err)
	}
	dropped.Close()
	b.expect(0, counts{Arrivals: 3, Completions: 3})
	b.expectNow(edge, 0, 2)
}

// A client that speaks first does not wait before it has spoken, also at a port where a server spoke first.
func TestNoGreeting(t *testing.T) {
	b := newLonelyBench(t, Options{})
	l := listen(t, "tcp", "127.0.0.1:0")
	b.set(b.fromHere(b.tables(l)))
	idle := dial(t, l.Addr().String())
	edge := b.edgeTo(l)
	b.expectNow(edge, 0, 1)
	greet(t, l)
	idle.hear(greetingLength)

	eager := dial(t, l.Addr().String())
	b.expectNow(edge, 1, 2)
	if _, err := io.WriteString(eager.Conn, command); err != nil {
		t.Fatal(err)
	}
	b.expectNow(edge, 1, 2) // its request, now
	b.expect(0, counts{Arrivals: 1, Carried: 1})
	dial(t, l.Addr().String()) // the last one that spoke here was a client
	b.expectNow(edge, 1, 3)
	b.expect(0, counts{Arrivals: 1, Carried: 1})
}

// A connection that is not measured is no queue, whichever side speaks first there.
func TestGreetingOpaque(t *testing.T) {
	b := newLonelyBench(t, Options{})
	l := listen(t, "tcp", "127.0.0.1:0")
	tables := b.tables(l)
	const opaque = 6 // enum protocol
	tables.Listeners[0].Protocol = opaque
	b.set(b.fromHere(tables))
	first := dial(t, l.Addr().String()) // the caller's socket shows which side speaks first
	greet(t, l)
	first.hear(greetingLength)
	second := dial(t, l.Addr().String())
	greet(t, l)
	second.hear(greetingLength)
	b.expect(0, counts{})
}

// If a tier's connections are given to another tier, those that wait for a greeting go with them.
func TestGreetingRegrouped(t *testing.T) {
	b := newBench(t, Options{})
	l := listen(t, "tcp", "127.0.0.1:0")
	tables := b.tables(l)
	b.set(tables)
	first := dial(t, l.Addr().String())
	greet(t, l)
	first.hear(greetingLength)
	second := dial(t, l.Addr().String())
	b.expect(0, counts{Carried: 1})
	tables.Listeners[0].Station = 3
	b.set(tables)
	greet(t, l)
	second.hear(greetingLength)
	b.expect(0, counts{})
	b.expect(3, counts{})
}
