// SPDX-License-Identifier: Apache-2.0

package probe

import (
	"errors"
	"net"
	"testing"

	"github.com/cilium/ebpf"

	"github.com/nstar-project/nstar/exporters/nstar/window"
)

// The sockets of programs that are no tiers are left alone: nothing is kept for them.
func TestForeignSockets(t *testing.T) {
	b := newBench(t, Options{})
	tier, foreign := listen(t, "tcp4", "127.0.0.1:0"), listen(t, "tcp6", "[::1]:0")
	accepted := make(chan net.Conn, 2)
	for _, l := range []net.Listener{tier, foreign} {
		go func() {
			c, err := l.Accept()
			if err != nil {
				return
			}
			defer c.Close()
			if _, err := c.Read(make([]byte, 100)); err == nil {
				c.Write([]byte("HTTP/1.1 204 No Content\r\n\r\n"))
			}
			accepted <- c
			<-t.Context().Done()
		}()
	}
	b.set(b.tables(tier))
	for _, row := range []struct {
		name string
		l    net.Listener
		kept bool
	}{{"tier", tier, true}, {"foreign", foreign, false}} {
		c := dial(t, row.l.Addr().String())
		c.turns(1)
		if b.keeps(<-accepted) != row.kept {
			t.Errorf("%s: state kept for the server's socket: %v, want %v", row.name, !row.kept, row.kept)
		}
		if b.keeps(c.Conn) {
			t.Errorf("%s: state kept for a client that is no tier", row.name)
		}
	}
	b.expect(0, counts{Arrivals: 1, Completions: 1})
}

// A program does not become a tier because it listens at a port where a tier listened in the past.
func TestMarksOutliveTiers(t *testing.T) {
	b := newBench(t, Options{})
	l := listen(t, "tcp4", "127.0.0.1:0")
	serve(t, l, hello)
	b.set(b.tables(l))
	dial(t, l.Addr().String()).turns(2)
	b.set(Tables{})
	dial(t, l.Addr().String()).turns(3)
	tables := b.tables(l)
	tables.Listeners[0].Station = window.Station(1)
	b.set(tables)
	dial(t, l.Addr().String()).turns(4)
	b.expect(0, counts{Arrivals: 2, Completions: 2})
	b.expect(1, counts{Arrivals: 4, Completions: 4})
}

// keeps reports whether the kernel side has state for a socket.
func (b *bench) keeps(c net.Conn) (kept bool) {
	b.t.Helper()
	raw, err := c.(*net.TCPConn).SyscallConn()
	if err != nil {
		b.t.Fatal(err)
	}
	err = raw.Control(func(fd uintptr) {
		value := make([]byte, b.objects.Conns.ValueSize())
		err := b.objects.Conns.Lookup(int32(fd), value)
		if err != nil && !errors.Is(err, ebpf.ErrKeyNotExist) {
			b.t.Error(err)
		}
		kept = err == nil
	})
	if err != nil {
		b.t.Fatal(err)
	}
	return kept
}
