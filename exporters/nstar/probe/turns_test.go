// SPDX-License-Identifier: Apache-2.0

package probe

import (
	"io"
	"net"
	"net/http"
	"os"
	"testing"
	"time"
)

func TestAddressFamilies(t *testing.T) {
	b := newBench(t, Options{})
	places := []struct{ network, listen, connect string }{
		{"tcp4", "127.0.0.1:0", "127.0.0.1"},
		{"tcp6", "[::1]:0", "::1"},
		{"tcp", "[::]:0", "127.0.0.1"},
		{"tcp", "[::]:0", "::1"},
		{"tcp4", "0.0.0.0:0", "127.0.0.1"},
	}
	var listeners []net.Listener
	for _, p := range places {
		l := listen(t, p.network, p.listen)
		serve(t, l, hello)
		listeners = append(listeners, l)
	}
	b.set(b.tables(listeners...))
	for i, p := range places {
		_, port, _ := net.SplitHostPort(listeners[i].Addr().String())
		dial(t, net.JoinHostPort(p.connect, port)).turns(100 + i) // keep-alive
		for range 10 {
			c := dial(t, net.JoinHostPort(p.connect, port))
			c.turns(1)
			c.Close()
		}
	}
	b.settle()
	for i := range places {
		n := uint64(110 + i)
		b.expect(b.known[i], counts{Arrivals: n, Completions: n})
	}
	if costs, err := b.Costs(); err != nil || len(costs) != 4 {
		t.Errorf("costs %v %v", costs, err)
	}
}

// A request waits from its first byte on, accepted or not, until its client goes. Programs whose connections are all in
// use may never accept it.
func TestNeverAccepted(t *testing.T) {
	b := newBench(t, Options{})
	l := listen(t, "tcp", "127.0.0.1:0")
	b.set(b.tables(l))
	c := dial(t, l.Addr().String())
	start := b.now()
	c.ask()
	time.Sleep(10 * width)
	b.expect(0, counts{Arrivals: 1, Carried: 1})
	b.expectOneSince(start)
	c.Close()
	b.expect(0, counts{Arrivals: 1, Aborts: 1})
	l.Close()
	b.expect(0, counts{Arrivals: 1, Aborts: 1})
}

// A client that closes its half of a connection still gets its answer. If that was before the connection was accepted,
// the request counts as one whose client has gone.
func TestHalfClosed(t *testing.T) {
	for _, tt := range []struct {
		name           string
		early          bool
		waits, answers counts
	}{
		{"accepted", false, counts{Arrivals: 1, Carried: 1}, counts{Arrivals: 1, Completions: 1}},
		{"not accepted", true, counts{Arrivals: 1, Aborts: 1}, counts{Arrivals: 1, Aborts: 1}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			b := newBench(t, Options{})
			l := listen(t, "tcp", "127.0.0.1:0")
			b.set(b.tables(l))
			c := dial(t, l.Addr().String())
			leave := func() {
				c.ask()
				if err := c.Conn.(*net.TCPConn).CloseWrite(); err != nil {
					t.Fatal(err)
				}
				b.expect(0, tt.waits)
			}
			if tt.early {
				leave()
			}
			s, err := l.Accept()
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			if !tt.early {
				leave()
			}
			if _, err := s.Write([]byte("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")); err != nil {
				t.Fatal(err)
			}
			b.expect(0, tt.answers)
		})
	}
}

func TestSlowAnswer(t *testing.T) {
	const pause = 120 * time.Millisecond
	b := newBench(t, Options{})
	l := listen(t, "tcp", "127.0.0.1:0")
	serve(t, l, func(w http.ResponseWriter, r *http.Request) {
		time.Sleep(pause)
		hello(w, r)
	})
	b.set(b.tables(l))
	c := dial(t, l.Addr().String())
	start := time.Now()
	c.turns(1)
	took := time.Since(start)
	b.expect(0, counts{Arrivals: 1, Completions: 1})
	residence, queued := b.residence(0)
	b.near("residence", residence, pause, took)
	b.near("the queue's integral", queued, residence, residence)
	full := 0
	for _, w := range b.windows[0] {
		if w.Queue(width) == 1 {
			full++
		}
	}
	if most := int(took / width); full < int(pause/width)-1 || full > most {
		t.Errorf("%d windows with a queue of 1, want 5 to %d", full, most)
	}
}

// A large file by sendfile(2) to a client that pauses: the request stays until the last byte.
func TestSendfile(t *testing.T) {
	const size, pause = 32 << 20, 150 * time.Millisecond
	b := newBench(t, Options{Settle: time.Second})
	file, err := os.CreateTemp(t.TempDir(), "large")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if err := file.Truncate(size); err != nil {
		t.Fatal(err)
	}
	l := listen(t, "tcp", "127.0.0.1:0")
	serve(t, l, func(w http.ResponseWriter, r *http.Request) {
		http.ServeFile(w, r, file.Name())
	})
	b.set(b.tables(l))
	c := dial(t, l.Addr().String())
	start := time.Now()
	c.ask()
	if _, err := io.CopyN(io.Discard, c.Conn, 1000); err != nil {
		t.Fatal(err)
	}
	time.Sleep(pause)
	if _, err := io.CopyN(io.Discard, c.Conn, size-1000); err != nil {
		t.Fatal(err)
	}
	took := time.Since(start)
	b.expect(0, counts{Arrivals: 1, Completions: 1})
	residence, queued := b.residence(0)
	b.near("residence", residence, pause, took)
	b.near("the queue's integral", queued, residence, residence)
}

func TestUpload(t *testing.T) {
	b := newBench(t, Options{})
	l := listen(t, "tcp", "127.0.0.1:0")
	serve(t, l, func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		hello(w, r)
	})
	b.set(b.tables(l))
	c := dial(t, l.Addr().String())
	c.post(5 << 20)
	c.post(8 << 20)
	c.turns(3)
	b.expect(0, counts{Arrivals: 5, Completions: 5})
}

// The request itself completes the handshake; it counts from then on, once.
func TestDeferAccept(t *testing.T) {
	b := newBench(t, Options{})
	var listeners []net.Listener
	for _, address := range []string{"127.0.0.1:0", "[::1]:0"} {
		l := listenDeferred(t, address, 5)
		serve(t, l, hello)
		listeners = append(listeners, l)
	}
	b.set(b.tables(listeners...))
	for _, l := range listeners {
		for range 20 {
			c := dial(t, l.Addr().String())
			c.turns(3)
			c.Close()
		}
	}
	b.settle()
	for i := range listeners {
		b.expect(b.known[i], counts{Arrivals: 60, Completions: 60})
	}
}

func TestAborts(t *testing.T) {
	for _, tt := range []struct {
		name string
		end  func(client *client, server net.Conn)
	}{
		{"client resets", func(c *client, _ net.Conn) { c.Conn.(*net.TCPConn).SetLinger(0); c.Close() }},
		{"server resets", func(_ *client, s net.Conn) { s.(*net.TCPConn).SetLinger(0); s.Close() }},
		{"server closes", func(_ *client, s net.Conn) { s.Close() }},
		{"both close", func(c *client, s net.Conn) { c.Close(); s.Close() }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			b := newBench(t, Options{})
			l := listen(t, "tcp", "127.0.0.1:0")
			b.set(b.tables(l))
			c := dial(t, l.Addr().String())
			s, err := l.Accept()
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			c.ask()
			b.expect(0, counts{Arrivals: 1, Carried: 1})
			tt.end(c, s)
			b.expect(0, counts{Arrivals: 1, Aborts: 1})
		})
	}
}

func TestResidenceBuckets(t *testing.T) {
	b := newBench(t, Options{})
	l := listen(t, "tcp", "127.0.0.1:0")
	serve(t, l, func(w http.ResponseWriter, r *http.Request) {
		time.Sleep(10 * time.Millisecond)
		hello(w, r)
	})
	b.set(b.tables(l))
	c := dial(t, l.Addr().String())
	c.turns(5)
	c.Close() // the last answer has ended then, too
	b.expect(0, counts{Arrivals: 5, Completions: 5})
	var total uint64
	residences := b.Residences(0)
	for i, n := range residences.Counts {
		if total += n; n > 0 && i < 93 { // 10 ms are above 2^(92/4-30) s
			t.Errorf("%d answers in bucket %d: too short", n, i)
		}
	}
	if total != 5 {
		t.Errorf("%d answers in buckets, want 5", total)
	}
	if sum, _ := b.residence(0); residences.Sum != sum {
		t.Errorf("the buckets' sum is %s, the windows' %s", residences.Sum, sum)
	}
}
