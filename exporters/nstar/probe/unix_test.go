// SPDX-License-Identifier: Apache-2.0

package probe

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/nstar-project/nstar/exporters/nstar/bpf/bpftest"
	"github.com/nstar-project/nstar/exporters/nstar/window"
)

// newUnixBench opens a probe that measures at Unix sockets.
func newUnixBench(t *testing.T) *bench {
	t.Helper()
	b := newLonelyBench(t, Options{Unix: true})
	if err := b.UnixErr(); err != nil {
		bpftest.Skip(t, err)
	}
	return b
}

func listenUnix(t *testing.T) net.Listener {
	return listen(t, "unix", filepath.Join(t.TempDir(), "server.sock"))
}

func dialUnix(t *testing.T, l net.Listener) *client {
	t.Helper()
	c, err := net.Dial("unix", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return &client{c, bufio.NewReader(c), t}
}

// fileAt is the file of a Unix socket, as the kernel numbers devices.
func fileAt(t *testing.T, l net.Listener) File {
	t.Helper()
	var st unix.Stat_t
	if err := unix.Stat(l.Addr().String(), &st); err != nil {
		t.Fatal(err)
	}
	return File{Device: unix.Major(st.Dev)<<20 | unix.Minor(st.Dev), Inode: uint32(st.Ino)}
}

// unixTables makes listeners known as tiers, numbered from 0.
func unixTables(t *testing.T, listeners ...net.Listener) (out Tables) {
	for i, l := range listeners {
		out.Listeners = append(out.Listeners, Listener{File: fileAt(t, l), Station: window.Station(i)})
	}
	return out
}

// edgeToFile finds the edge to a Unix socket.
func (b *bench) edgeToFile(l net.Listener) window.Station {
	b.t.Helper()
	edges, err := b.Edges()
	if err != nil {
		b.t.Fatal(err)
	}
	for _, e := range edges {
		if e.File == fileAt(b.t, l) && e.From == 7 {
			return e.Station
		}
	}
	b.t.Fatalf("no edge to %s among %v", l.Addr(), edges)
	return 0
}

// Requests over a Unix socket are counted at the tier and at the edge to it, each once.
func TestUnixTurns(t *testing.T) {
	b := newUnixBench(t)
	l := listenUnix(t)
	serve(t, l, hello)
	b.set(b.fromHere(unixTables(t, l)))
	for range 3 {
		dialUnix(t, l).turns(5)
	}
	want := counts{Arrivals: 15, Completions: 15}
	b.expect(0, want)
	b.expect(b.edgeToFile(l), want)
}

// A request is in the queue from the time when it was written, even if its connection is not accepted yet.
func TestUnixBeforeAccept(t *testing.T) {
	b := newUnixBench(t)
	l := listenUnix(t)
	b.set(b.fromHere(unixTables(t, l)))
	c := dialUnix(t, l)
	start := b.now()
	c.ask()
	time.Sleep(10 * width)
	ended := b.now()
	serve(t, l, hello)
	c.answer()
	b.expect(0, counts{Arrivals: 1, Completions: 1})
	residence, queued := b.residence(0)
	b.near("the residence", residence, ended-start-width, b.now()-start)
	b.near("the queue", queued, ended-start-width, b.now()-start)
}

// A request whose client gives up leaves without an answer: when the server reads that the client is gone, or when
// no process has the connection any more.
func TestUnixAborts(t *testing.T) {
	for _, tt := range []struct {
		name     string
		accepted bool
	}{
		{"accepted", true}, {"never accepted", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			b := newUnixBench(t)
			l := listenUnix(t)
			if tt.accepted {
				gate(t, l) // lets no request through
			}
			b.set(b.fromHere(unixTables(t, l)))
			c := dialUnix(t, l)
			c.ask()
			b.settle()
			edge := b.edgeToFile(l)
			b.expectNow(edge, 1, 1)
			c.Close()
			if !tt.accepted {
				l.Close()
			}
			b.settle()
			if err := b.SweepUnix(); err != nil {
				t.Fatal(err)
			}
			want := counts{Arrivals: 1, Aborts: 1}
			b.expect(0, want)
			b.expect(edge, want)
			b.expectNow(edge, 0, 0)
		})
	}
}

// A connection that was there before its tier was known joins at its next turn. A connection that has ended is found
// when a process reads its end.
func TestUnixJoinsAndEnds(t *testing.T) {
	b := newUnixBench(t)
	l := listenUnix(t)
	serve(t, l, hello)
	c := dialUnix(t, l)
	c.turns(3)
	b.set(b.fromHere(unixTables(t, l)))
	c.turns(4)
	b.expect(0, counts{Arrivals: 4, Completions: 4})
	edge := b.edgeToFile(l)
	b.expectNow(edge, 0, 1)
	c.Close()
	b.settle()
	b.expectNow(edge, 0, 0)
}

// Socket pairs, and servers that are no tiers, are left alone.
func TestUnixStrangers(t *testing.T) {
	b := newUnixBench(t)
	known, stranger := listenUnix(t), listenUnix(t)
	serve(t, known, hello)
	serve(t, stranger, hello)
	b.set(b.fromHere(unixTables(t, known)))
	dialUnix(t, stranger).turns(3)
	pair, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM, 0)
	if err != nil {
		t.Fatal(err)
	}
	for i, fd := range pair {
		defer unix.Close(fd)
		if _, err := unix.Write(pair[1-i], []byte("GET / HTTP/1.1\r\n\r\n")); err != nil {
			t.Fatal(err)
		}
	}
	b.expect(0, counts{})
	if edges, err := b.Edges(); err != nil || len(edges) > 0 {
		t.Errorf("edges %v, %v", edges, err)
	}
}

// Large answers come in many pieces, and a body of some hundred kilobytes does, too.
func TestUnixLargeMessages(t *testing.T) {
	b := newUnixBench(t)
	l := listenUnix(t)
	serve(t, l, func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		io.WriteString(w, strings.Repeat("x", 300_000))
	})
	b.set(b.fromHere(unixTables(t, l)))
	c := dialUnix(t, l)
	c.post(300_000)
	c.turns(2)
	want := counts{Arrivals: 3, Completions: 3}
	b.expect(0, want)
	b.expect(b.edgeToFile(l), want)
}

// A reader that never sleeps often takes data before they are announced, and has answered by then: then their length is
// that of the writing call. If two processors book the same answer at the moment when a window begins, it may count
// twice, about once in 100,000.
func TestUnixFastReader(t *testing.T) {
	for _, tt := range []struct {
		name        string
		size, turns int
	}{
		{"small messages", 10, 5000}, {"large messages", 150_000, 400},
	} {
		t.Run(tt.name, func(t *testing.T) {
			b := newUnixBench(t)
			l := listenUnix(t)
			body := fmt.Sprintf("Content-Length: %d\r\n\r\n%s", tt.size, strings.Repeat("x", tt.size))
			request := []byte("POST / HTTP/1.1\r\nHost: test\r\n" + body)
			serveSpinning(t, l, len(request), []byte("HTTP/1.1 200 OK\r\n"+body))
			b.set(b.fromHere(unixTables(t, l)))
			c := dialUnix(t, l)
			for i := range tt.turns {
				if _, err := c.Conn.Write(request); err != nil {
					t.Fatal(err)
				}
				c.answer()
				if i%50 == 0 { // on a single processor both take so long that the kernel's windows come around
					b.read()
				}
			}
			b.settle()
			for _, station := range []window.Station{0, b.edgeToFile(l)} {
				got, want := b.counts(station), uint64(tt.turns)
				if got.Arrivals != want || got.Completions < want || got.Completions > want+1 || got.Aborts != 0 {
					t.Errorf("station %d: %+v of %d requests", station, got, want)
				}
			}
		})
	}
}

// serveSpinning answers each request of one connection, all of the same length. It looks for them without a pause.
func serveSpinning(t *testing.T, l net.Listener, length int, answer []byte) {
	t.Helper()
	go func() {
		c, err := l.Accept()
		if err != nil {
			return
		}
		defer c.Close()
		file, err := c.(*net.UnixConn).File()
		if err != nil {
			return
		}
		defer file.Close()
		fd, in := int(file.Fd()), make([]byte, 1<<16)
		for {
			for left := length; left > 0; {
				n, _, err := unix.Recvfrom(fd, in[:min(left, len(in))], unix.MSG_DONTWAIT)
				switch {
				case err == unix.EAGAIN:
				case err != nil || n == 0:
					return
				default:
					left -= n
				}
			}
			if _, err := c.Write(answer); err != nil {
				return
			}
		}
	}()
}

// Data that are written at once are read from the writer's memory, also if they go into several buffers. If they are
// in several pieces there as well, only the beginning of each buffer can be read: commands behind it are not counted,
// and this is reported; later commands are counted.
func TestUnixLargePipelines(t *testing.T) {
	b := newUnixBench(t)
	l := listenUnix(t)
	command, reply := "*3\r\n$3\r\nSET\r\n$3\r\nkey\r\n$100\r\n"+strings.Repeat("v", 100)+"\r\n", "+OK\r\n"
	go func() { // answers each command
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				in := make([]byte, len(command))
				for {
					if _, err := io.ReadFull(c, in); err != nil {
						return
					}
					if _, err := io.WriteString(c, reply); err != nil {
						return
					}
				}
			}()
		}
	}()
	b.set(b.fromHere(unixTables(t, l)))
	c := dialUnix(t, l)
	answered := func(n int) {
		t.Helper()
		if _, err := io.CopyN(io.Discard, c.Reader, int64(n*len(reply))); err != nil {
			t.Fatal(err)
		}
	}
	send := func(n int) {
		t.Helper()
		if _, err := io.WriteString(c.Conn, strings.Repeat(command, n)); err != nil {
			t.Fatal(err)
		}
		answered(n)
	}
	send(1)
	send(20)
	send(30) // 4 kB: all of it lies in pages
	send(250)
	send(700) // 93 kB, in several buffers
	send(700)
	b.expect(0, counts{Arrivals: 1701, Completions: 1701})
	const writes = 5
	for range writes {
		pieces := net.Buffers{[]byte(strings.Repeat(command, 350)), []byte(strings.Repeat(command, 350))}
		if _, err := pieces.WriteTo(c.Conn); err != nil {
			t.Fatal(err)
		}
		answered(700)
	}
	send(5)
	b.settle()
	got := b.counts(0)
	if got.Arrivals != got.Completions || got.Arrivals < 1701+writes*25+5 || got.Arrivals >= 1701+writes*700 ||
		got.Carried != 0 {
		t.Errorf("%+v", got)
	}
	drops, err := b.Drops()
	if err != nil {
		t.Fatal(err)
	}
	if n := drops[len(drops)-1]; n < writes*2 { // at the tier, and at the edge
		t.Errorf("%d parts of writes could not be read", n)
	}
}
