// SPDX-License-Identifier: Apache-2.0

package probe

import (
	"io"
	"net"
	"os"
	"testing"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/nstar-project/nstar/exporters/nstar/bpf"
)

// again is a socket that is connected to a listener more than once.
type again struct {
	*os.File
	t  *testing.T
	to *unix.SockaddrInet4
}

func newAgain(t *testing.T, l net.Listener) *again {
	t.Helper()
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_STREAM, 0)
	if err != nil {
		t.Fatal(err)
	}
	at := addrPort(l.Addr())
	a := &again{os.NewFile(uintptr(fd), "socket"), t, &unix.SockaddrInet4{Port: int(at.Port()), Addr: at.Addr().As4()}}
	t.Cleanup(func() { a.Close() })
	return a
}

func (a *again) connect() {
	a.t.Helper()
	if err := unix.Connect(int(a.Fd()), a.to); err != nil {
		a.t.Fatal(err)
	}
}

// disconnect ends the connection and keeps the socket.
func (a *again) disconnect() {
	a.t.Helper()
	none := unix.RawSockaddr{Family: unix.AF_UNSPEC}
	_, _, errno := unix.Syscall(unix.SYS_CONNECT, a.Fd(), uintptr(unsafe.Pointer(&none)), unsafe.Sizeof(none))
	if errno != 0 {
		a.t.Fatal(errno)
	}
}

func (a *again) send(b []byte) {
	a.t.Helper()
	if _, err := a.Write(b); err != nil {
		a.t.Fatal(err)
	}
}

// Each connection of one socket is a new one, whatever was seen on earlier ones: they count from other numbers.
func TestConnectedAgain(t *testing.T) {
	b := newLonelyBench(t, Options{})
	connectedAgain(t, b)
}

// The same while events of sockets go to two programs, as for a moment when the first kinds are asked for.
func TestConnectedAgainWhileTakenOver(t *testing.T) {
	b := newLonelyBench(t, Options{Later: true})
	second, err := bpf.Trace(b.later.NstarState)
	if err != nil {
		t.Fatal(err)
	}
	defer second.Close()
	connectedAgain(t, b)
}

func connectedAgain(t *testing.T, b *bench) {
	t.Helper()
	l := listen(t, "tcp4", "127.0.0.1:0")
	serve(t, l, hello)
	b.set(b.fromHere(b.tables(l)))
	const rounds = 20
	a := newAgain(t, l)
	for range rounds {
		a.connect()
		for range 3 {
			a.send([]byte("GET / HTTP/1.1\r\nHost: test\r\n\r\n"))
			if n, err := a.Read(make([]byte, 4096)); err != nil || n == 0 {
				t.Fatal(n, err)
			}
		}
		a.disconnect()
	}
	edge := b.edgeTo(l)
	b.expect(edge, counts{Arrivals: 3 * rounds, Completions: 3 * rounds})
	b.expectNow(edge, 0, 0)
}

// A request whose connection ended without an answer is not answered by the next connection of its socket, which counts
// its messages from the same number.
func TestConnectedAgainWithNumbers(t *testing.T) {
	b := newLonelyBench(t, Options{})
	l := listen(t, "tcp4", "127.0.0.1:0")
	b.set(b.fromHere(b.tables(l)))
	a := newAgain(t, l)
	a.connect()
	silent, err := l.Accept()
	if err != nil {
		t.Fatal(err)
	}
	defer silent.Close()
	a.send(produce(1, 100))
	time.Sleep(10 * width)
	a.disconnect()

	go serveKafka(l)
	a.connect()
	began := b.now()
	a.send(produce(1, 100))
	if _, err := io.ReadFull(a, make([]byte, 18)); err != nil {
		t.Fatal(err)
	}
	ended := b.now()
	edge := b.edgeTo(l)
	b.expect(edge, counts{Arrivals: 2, Completions: 1, Aborts: 1})
	residence, _ := b.residence(edge)
	b.near("the answer", residence, 0, ended-began)
}
