// SPDX-License-Identifier: Apache-2.0

package discovery

import (
	"encoding/binary"
	"fmt"
	"net"
	"net/netip"
	"os"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// unreadMessage is a struct inet_diag_msg of a socket at which bytes wait.
func unreadMessage(family, state byte, inode, bytes uint32) []byte {
	b := diagMessage(family, state, inode)
	binary.NativeEndian.PutUint32(b[56:], bytes)
	return b
}

func TestParseUnread(t *testing.T) {
	place := Listener{NetNS: 9, Addr: netip.MustParseAddr("127.0.0.1"), Port: 8009}
	for name, c := range map[string]struct {
		in []byte
		ok bool
	}{
		"IPv4":               {unreadMessage(unix.AF_INET, stateEstablished, 5, 9), true},
		"mapped to IPv6":     {unreadMessage(unix.AF_INET6, stateEstablished, 5, 70000), true},
		"all is read":        {unreadMessage(unix.AF_INET, stateEstablished, 5, 0), false},
		"FastCGI's end":      {unreadMessage(unix.AF_INET, stateEstablished, 5, 8), false},
		"not accepted yet":   {unreadMessage(unix.AF_INET, stateEstablished, 0, 100), false},
		"an accept queue":    {unreadMessage(unix.AF_INET, stateListen, 5, 3), false},
		"the client is gone": {unreadMessage(unix.AF_INET, 8, 5, 100), false}, // CLOSE_WAIT
		"cut":                {unreadMessage(unix.AF_INET, stateEstablished, 5, 9)[:70], false},
		"nothing":            {nil, false},
	} {
		got, ok := parseUnread(c.in, 9)
		if ok != c.ok || ok && got != place {
			t.Errorf("%s: %v, %v", name, got, ok)
		}
	}
}

func TestParseUnreadRow(t *testing.T) {
	const tail = "        0 7 1 0000000000000000 100 0 0 10 0"
	place := Listener{NetNS: 9, Addr: netip.MustParseAddr("127.0.0.1"), Port: 8009}
	for row, want := range map[string]bool{
		"  sl  local_address rem_address   st tx_queue rx_queue tr tm->when":                       false,
		"   0: 0100007F:1F49 0100007F:9C40 01 00000000:00000025 00:00000000 00000000     0" + tail: true,
		"   1: 0000000000000000FFFF00000100007F:1F49 0000000000000000FFFF00000100007F:9C40 01 00000000:00000009 " +
			"00:00000000 00000000     0" + tail: true,
		"   1: 0100007F:1F49 0100007F:9C40 01 00000000:00000008 00:00000000 00000000     0" + tail: false,
		"   2: 0100007F:1F49 0100007F:9C40 01 00000025:00000000 00:00000000 00000000     0" + tail: false, // sent
		"   3: 0100007F:1F49 00000000:0000 0A 00000000:00000003 00:00000000 00000000     0" + tail: false,
		"   4: 0100007F:1F49 0100007F:9C40 08 00000000:00000025 00:00000000 00000000     0" + tail: false,
		"   5: 0100007F:1F49 0100007F:9C40 01 00000000:00000025 00:00000000 00000000     0" +
			"        0 0 1 0 100 0 0 10 0": false,
		"   6: 0100007F:1F49 0100007F:9C40 01 00000000": false,
		"": false,
	} {
		got, ok := parseUnreadRow([]byte(row), 9)
		if ok != want || ok && got != place {
			t.Errorf("%q: %v, %v", row, got, ok)
		}
	}
}

// The listener on exactly the address takes a connection, otherwise one on any address; one on :: takes IPv4, too.
func TestCameIn(t *testing.T) {
	at := func(addr string, port uint16) Listener {
		return Listener{NetNS: 9, Addr: netip.MustParseAddr(addr), Port: port}
	}
	listeners := map[Listener]string{
		at("127.0.0.1", 80): "exact", at("0.0.0.0", 80): "any IPv4", at("::", 80): "any", at("::", 81): "IPv6",
		at("0.0.0.0", 82): "IPv4", {NetNS: 8, Addr: netip.MustParseAddr("::"), Port: 83}: "elsewhere",
	}
	for local, want := range map[Listener]string{
		at("127.0.0.1", 80): "exact", at("10.0.0.1", 80): "any IPv4", at("2001:db8::1", 80): "any",
		at("10.0.0.1", 81): "IPv6",
		at("10.0.0.1", 82): "IPv4", at("2001:db8::1", 82): "", at("10.0.0.1", 83): "", at("10.0.0.1", 84): "",
	} {
		if got, ok := CameIn(listeners, local); got != want || ok != (want != "") {
			t.Errorf("%v: %q, %v, want %q", local, got, ok, want)
		}
	}
}

// accepting are connections to a server that accepts them and reads nothing.
func accepting(t *testing.T, connections int) (clients []net.Conn, place Listener) {
	t.Helper()
	server, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { server.Close() })
	for range connections {
		out, err := net.Dial("tcp", server.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		in, err := server.Accept()
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { out.Close(); in.Close() })
		clients = append(clients, out)
	}
	at := server.Addr().(*net.TCPAddr).AddrPort()
	return clients, Listener{NetNS: (&procfs{}).netnsOfCaller(), Addr: at.Addr(), Port: at.Port()}
}

// Both ways find the connections with bytes, and find no connections without bytes, and none that was not accepted.
func TestUnread(t *testing.T) {
	clients, place := accepting(t, 5)
	for _, c := range clients[:3] {
		if _, err := c.Write([]byte("GET / HTTP/1.1\r\n")); err != nil {
			t.Fatal(err)
		}
	}
	unaccepted := crowd(t, 4, 2)
	late, err := net.Dial("tcp", netip.AddrPortFrom(unaccepted.Addr, unaccepted.Port).String())
	if err != nil {
		t.Fatal(err)
	}
	defer late.Close()
	if _, err := late.Write([]byte("GET")); err != nil {
		t.Fatal(err)
	}
	q, err := OpenQueues("/proc")
	if err != nil {
		t.Fatal(err)
	}
	defer q.Close()
	for way, netns := range map[string]uint32{"socket diagnosis": place.NetNS, "procfs": 1} {
		place, unaccepted := place, unaccepted
		place.NetNS, unaccepted.NetNS = netns, netns
		found := make(map[Listener]int)
		// Bytes take a moment.
		for end := time.Now().Add(10 * time.Second); found[place] < 3 && time.Now().Before(end); {
			clear(found)
			if err := q.Unread(netns, int32(os.Getpid()), func(l Listener) { found[l]++ }); err != nil {
				t.Fatal(err)
			}
		}
		if found[place] != 3 || found[unaccepted] != 0 {
			t.Errorf("by %s: %d connections hold bytes, want 3; %d of those that nobody accepted", way, found[place],
				found[unaccepted])
		}
	}
	if err := q.Unread(1, 1<<30, func(Listener) { t.Error("a process that is not there") }); err != nil {
		t.Error(err)
	}
}

func FuzzParseUnread(f *testing.F) {
	f.Add(unreadMessage(unix.AF_INET, stateEstablished, 5, 37),
		[]byte("0: 0100007F:1F49 0100007F:9C40 01 00000000:00000025 00:0 0 0 0 7"))
	f.Fuzz(func(t *testing.T, body, row []byte) {
		if l, ok := parseUnread(body, 9); ok && (l.NetNS != 9 || !l.Addr.IsValid()) {
			t.Errorf("accepted %+v", l)
		}
		if l, ok := parseUnreadRow(row, 9); ok && (l.NetNS != 9 || !l.Addr.IsValid()) {
			t.Errorf("accepted %+v", l)
		}
	})
}

// BenchmarkUnread is the cost of a reading on a host with this number of additional connections, whose two ends
// are both on it. They are not accepted, so that they need only half of the open files; they cost the kernel the
// same.
func BenchmarkUnread(b *testing.B) {
	for _, connections := range []int{0, 100, 1000, 10000} {
		b.Run(fmt.Sprint(connections), func(b *testing.B) {
			var limit unix.Rlimit
			if err := unix.Getrlimit(unix.RLIMIT_NOFILE, &limit); err != nil || limit.Cur < uint64(connections+100) {
				b.Skipf("the limit of open files is %d, need %d: raise it with ulimit -n", limit.Cur, connections+100)
			}
			const most = 1000 // in one accept queue
			for left := connections; left > 0; left -= most {
				crowd(b, most, min(left, most))
			}
			q, err := OpenQueues("/proc")
			if err != nil {
				b.Fatal(err)
			}
			defer q.Close()
			for way, netns := range map[string]uint32{"diagnosis": (&procfs{}).netnsOfCaller(), "procfs": 1} {
				b.Run(way, func(b *testing.B) {
					before := cpuTime(b)
					for b.Loop() {
						if err := q.Unread(netns, int32(os.Getpid()), func(Listener) {}); err != nil {
							b.Fatal(err)
						}
					}
					// The elapsed time includes everything else that this host does.
					b.ReportMetric(float64(cpuTime(b)-before)/float64(b.N), "cpu-ns/op")
				})
			}
		})
	}
}
