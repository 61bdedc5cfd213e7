// SPDX-License-Identifier: Apache-2.0

package discovery

import (
	"encoding/binary"
	"net"
	"net/netip"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sys/unix"
)

// acceptMessage is a struct inet_diag_msg of a listening socket with its attributes.
func acceptMessage(waiting, limit uint32, attributes ...byte) []byte {
	b := diagMessage(unix.AF_INET, stateListen, 5)
	binary.NativeEndian.PutUint32(b[56:], waiting)
	binary.NativeEndian.PutUint32(b[60:], limit)
	return append(b, attributes...)
}

func attribute(kind uint16, words ...uint32) []byte {
	b := binary.NativeEndian.AppendUint16(nil, uint16(unix.SizeofNlAttr+4*len(words)))
	b = binary.NativeEndian.AppendUint16(b, kind)
	for _, w := range words {
		b = binary.NativeEndian.AppendUint32(b, w)
	}
	return b
}

func TestParseAccept(t *testing.T) {
	place := Listener{NetNS: 9, Addr: netip.MustParseAddr("127.0.0.1"), Port: 8009}
	memory := attribute(diagMemory, 0, 1, 2, 3, 4, 5, 6, 7, 42)
	for name, c := range map[string]struct {
		in   []byte
		want AcceptQueue
		ok   bool
	}{
		"without attributes": {acceptMessage(37, 128), AcceptQueue{place, 5, 37, 128, 0, false}, true},
		"with its drops": {acceptMessage(37, 128, append(attribute(1, 9), memory...)...),
			AcceptQueue{place, 5, 37, 128, 42, true}, true},
		"an old kernel's": {acceptMessage(0, 5, attribute(diagMemory, 1, 2)...), AcceptQueue{place, 5, 0, 5, 0, false},
			true},
		"cut in an attribute":  {acceptMessage(1, 5, memory[:20]...), AcceptQueue{place, 5, 1, 5, 0, false}, true},
		"an attribute of size": {acceptMessage(1, 5, 0, 0, 0, 0), AcceptQueue{place, 5, 1, 5, 0, false}, true},
		"no listener":          {in: diagMessage(unix.AF_INET, stateEstablished, 5)},
		"cut":                  {in: acceptMessage(1, 5)[:70]},
	} {
		got, ok := parseAccept(c.in, 9)
		if diff := cmp.Diff(c.want, got, compare); ok != c.ok || diff != "" {
			t.Errorf("%s: %v (-want +got)\n%s", name, ok, diff)
		}
	}
}

func TestParseAcceptRow(t *testing.T) {
	const tail = "        0 7 1 0000000000000000 100 0 0 10 0"
	for row, want := range map[string]struct {
		waiting       uint32
		listening, ok bool
	}{
		"  sl  local_address rem_address   st tx_queue rx_queue tr tm->when":                       {0, true, false},
		"   0: 0100007F:1F49 00000000:0000 0A 00000000:00000025 00:00000000 00000000     0" + tail: {37, true, true},
		"   1: 0100007F:1F49 0100007F:9C40 01 00000000:00000025 00:00000000 00000000     0" + tail: {},
		"   2: 0100007F:1F49 00000000:0000 0A 00000000 00:00000000 00000000     0" + tail:          {0, true, false},
		"": {},
	} {
		q, listening, ok := parseAcceptRow([]byte(row), 9)
		if q.Waiting != want.waiting || listening != want.listening || ok != want.ok {
			t.Errorf("%q: %+v, %v, %v", row, q, listening, ok)
		}
	}
}

func TestParseListenDrops(t *testing.T) {
	for text, want := range map[string]struct {
		n  uint64
		ok bool
	}{
		"TcpExt: SyncookiesSent ListenOverflows ListenDrops\nTcpExt: 1 22 23\nIpExt: A\nIpExt: 5\n": {23, true},
		"TcpExt: SyncookiesSent ListenOverflows ListenDrops\nTcpExt: 1 22\n":                        {},
		"TcpExt: ListenDrops\nTcpExt: x\n":                                                          {},
		"IpExt: ListenDrops\nIpExt: 5\n":                                                            {},
		"":                                                                                          {},
	} {
		if n, ok := parseListenDrops([]byte(text)); n != want.n || ok != want.ok {
			t.Errorf("%q: %v, %v", text, n, ok)
		}
	}
}

// crowd opens a listening socket whose server accepts no connection, with a backlog, and connections to it.
func crowd(t testing.TB, backlog, connections int) Listener {
	t.Helper()
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { unix.Close(fd) })
	if err := unix.Bind(fd, &unix.SockaddrInet4{Addr: [4]byte{127, 0, 0, 1}}); err != nil {
		t.Fatal(err)
	}
	if err := unix.Listen(fd, backlog); err != nil {
		t.Fatal(err)
	}
	name, err := unix.Getsockname(fd)
	if err != nil {
		t.Fatal(err)
	}
	place := Listener{NetNS: (&procfs{}).netnsOfCaller(), Addr: netip.MustParseAddr("127.0.0.1"),
		Port: uint16(name.(*unix.SockaddrInet4).Port)}
	for range connections {
		c, err := net.Dial("tcp", netip.AddrPortFrom(place.Addr, place.Port).String())
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { c.Close() })
	}
	return place
}

// Both ways show how many connections wait. The kernel's own way also shows how many may wait, and that more are
// refused.
func TestAcceptQueues(t *testing.T) {
	place := crowd(t, 4, 3)
	a, err := OpenQueues("/proc")
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	find := func(netns uint32) (found AcceptQueue) {
		t.Helper()
		place := place
		place.NetNS = netns
		err := a.Accept(netns, int32(os.Getpid()), func(q AcceptQueue) {
			if q.Listener == place {
				found = q
			}
		})
		if err != nil {
			t.Fatal(err)
		}
		return found
	}
	if got := find(place.NetNS); got.Waiting != 3 || got.Limit != 4 || got.Refused != 0 || !got.Counted ||
		got.Socket == 0 {
		t.Errorf("by socket diagnosis %+v", got)
	}
	if got := find(1); got.Waiting != 3 || got.Limit != 0 || got.Counted || got.Socket == 0 { // as if it were foreign
		t.Errorf("by procfs %+v", got)
	}
	if got := a.In(int32(os.Getpid())); got != place.NetNS || !a.Own(got) {
		t.Errorf("this process is in %d", got)
	}
	before, err := a.Drops(int32(os.Getpid()))
	if err != nil {
		t.Fatal(err)
	}
	for range 4 { // the kernel lets one more in than it says
		fd, err := unix.Socket(unix.AF_INET, unix.SOCK_STREAM|unix.SOCK_CLOEXEC|unix.SOCK_NONBLOCK, 0)
		if err != nil {
			t.Fatal(err)
		}
		defer unix.Close(fd)
		_ = unix.Connect(fd, &unix.SockaddrInet4{Addr: [4]byte{127, 0, 0, 1},
			Port: int(place.Port)}) // in progress, or refused
	}
	after, err := a.Drops(int32(os.Getpid()))
	if got := find(place.NetNS); got.Refused == 0 || err != nil || after <= before {
		t.Errorf("%+v with more connections than may wait; the namespace dropped %d (%v)", got, after-before, err)
	}
	if err := a.Accept(1, 1<<30, func(AcceptQueue) { t.Error("a process that is not there") }); err != nil {
		t.Error(err)
	}
}

func FuzzParseAccept(f *testing.F) {
	f.Add(acceptMessage(37, 128, attribute(diagMemory, 0, 1, 2, 3, 4, 5, 6, 7, 42)...))
	f.Add(acceptMessage(37, 128, 3, 0, 7, 0))
	f.Fuzz(func(t *testing.T, body []byte) {
		if q, ok := parseAccept(body, 9); ok && (q.Socket == 0 || q.NetNS != 9 || !q.Addr.IsValid()) {
			t.Errorf("accepted %+v", q)
		}
	})
}

func BenchmarkAcceptQueues(b *testing.B) {
	a, err := OpenQueues("/proc")
	if err != nil {
		b.Fatal(err)
	}
	defer a.Close()
	for b.Loop() {
		if err := a.Accept(a.In(int32(os.Getpid())), 0, func(AcceptQueue) {}); err != nil {
			b.Fatal(err)
		}
	}
}
