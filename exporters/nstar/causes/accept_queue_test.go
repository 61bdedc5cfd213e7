// SPDX-License-Identifier: Apache-2.0

package causes

import (
	"errors"
	"fmt"
	"math"
	"net"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/nstar-project/nstar/exporters/nstar/clock"
	"github.com/nstar-project/nstar/exporters/nstar/discovery"
	"github.com/nstar-project/nstar/exporters/nstar/window"
)

func openAccept(t *testing.T, procRoot string) *acceptQueue {
	t.Helper()
	c, err := openAcceptQueue(&shared{options: Options{ProcRoot: procRoot}, asked: asked(0, 1)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := c.(*acceptQueue).Close(); err != nil {
			t.Error(err)
		}
	})
	return c.(*acceptQueue)
}

// Connections to a server that accepts none wait in its queue.
func TestAcceptQueue(t *testing.T) {
	server, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	st, err := os.Stat("/proc/self/ns/net")
	if err != nil {
		t.Fatal(err)
	}
	at := server.Addr().(*net.TCPAddr).AddrPort()
	place := discovery.Listener{NetNS: uint32(st.Sys().(*syscall.Stat_t).Ino), Addr: at.Addr(), Port: at.Port()}
	c := openAccept(t, "/proc")
	tiers := []Tier{{Station: 0, App: "shop", Name: "web", Listeners: []discovery.Listener{place}}}
	c.Follow(tiers)
	if _, ok := c.Accept(0); ok || !math.IsNaN(c.Share(0, Window{To: ms})) {
		t.Error("a queue is known that was not read")
	}
	for range 3 {
		connection, err := net.Dial("tcp", at.String())
		if err != nil {
			t.Fatal(err)
		}
		defer connection.Close()
	}
	begin := clock.Monotonic()
	c.asked[0] = begin
	c.Poll(begin)
	c.Follow(tiers) // continues with what is known
	c.Poll(begin + time.Minute)
	w := Window{From: begin + 50*time.Second, To: begin + 50*time.Second + 50*ms}
	if got := c.Share(0, w); math.Abs(got-3) > 1e-9 {
		t.Errorf("%v connections wait, want 3", got)
	}
	if a, ok := c.Accept(0); !ok || a.Waiting != 3 || a.Limit == 0 || a.Refused != 0 {
		t.Errorf("%+v, %v", a, ok)
	}
	c.options.Window, c.options.MaxTiers = 50*ms, 1
	if _, err := c.scheduler(); err != nil {
		t.Logf("needs root and a kernel with BPF: %v", err)
	} else {
		defer c.shared.close()
		set := &Set{shared: c.shared, used: []used{{collector: c}}, takers: newTakers("/proc")}
		if work := set.Account(Tier{}, w).Work; work == nil || math.Abs(work.Unaccepted-3) > 1e-9 {
			t.Errorf("work %+v, want 3 connections that nobody accepted", work)
		}
	}
	before := c.next
	if c.Poll(c.next - ms); c.next != before {
		t.Error("it was read before its time")
	}
	c.Follow(nil)
	if _, ok := c.Accept(0); ok {
		t.Error("a tier that is gone has a queue")
	}
}

// A server that defers accepting until the request is there (Apache httpd's default) drops a packet of every
// connection, but refuses no connection: the namespace counts no drop.
func TestAcceptQueueDeferred(t *testing.T) {
	server, err := (&net.ListenConfig{Control: func(_, _ string, c syscall.RawConn) (err error) {
		return errors.Join(c.Control(func(fd uintptr) {
			err = syscall.SetsockoptInt(int(fd), syscall.IPPROTO_TCP, syscall.TCP_DEFER_ACCEPT, 30)
		}), err)
	}}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	st, err := os.Stat("/proc/self/ns/net")
	if err != nil {
		t.Fatal(err)
	}
	root := t.TempDir()
	dropped := func(n int) {
		put(t, filepath.Join(root, "self/net/netstat"), fmt.Sprintf("TcpExt: ListenDrops\nTcpExt: %d\n", n))
	}
	dropped(100)
	at := server.Addr().(*net.TCPAddr).AddrPort()
	c := openAccept(t, root)
	c.Follow([]Tier{{Listeners: []discovery.Listener{{NetNS: uint32(st.Sys().(*syscall.Stat_t).Ino), Addr: at.Addr(),
		Port: at.Port()}}}})
	c.Poll(time.Second)
	for _, test := range []struct {
		drops   int // of the namespace
		refused uint64
	}{{100, 0}, {102, 2}, {120, 5}} {
		for range 3 {
			connection, err := net.Dial("tcp", at.String())
			if err != nil {
				t.Fatal(err)
			}
			defer connection.Close()
			if _, err := connection.Write([]byte("GET")); err != nil {
				t.Fatal(err)
			}
			accepted, err := server.Accept()
			if err != nil {
				t.Fatal(err)
			}
			accepted.Close()
		}
		dropped(test.drops)
		c.Poll(c.next)
		if a, ok := c.Accept(0); !ok || a.Refused != test.refused {
			t.Errorf("%+v, %v after %d drops, want %d refused", a, ok, test.drops, test.refused)
		}
	}
}

// In another network namespace, the files of a process there are read. What was refused is counted for a tier if it is
// alone there.
func TestAcceptQueueElsewhere(t *testing.T) {
	root := t.TempDir()
	space := func(pid, netns int) {
		t.Helper()
		put(t, filepath.Join(root, fmt.Sprint(pid), "stat"), "")
		if err := os.Mkdir(filepath.Join(root, fmt.Sprint(pid), "ns"), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(fmt.Sprintf("net:[%d]", netns),
			filepath.Join(root, fmt.Sprint(pid), "ns/net")); err != nil {
			t.Fatal(err)
		}
	}
	kernel := func(pid, waiting, drops int) {
		t.Helper()
		row := "%4d: 00000000:%04X 00000000:0000 0A 00000000:%08X 00:00000000 00000000     0        0 %d 1\n"
		put(t, filepath.Join(root, fmt.Sprint(pid), "net/tcp"), "  sl  local_address rem_address\n"+
			fmt.Sprintf(row, 0, 80, waiting, 11)+fmt.Sprintf(row, 1, 81, 1, 12)+
			"   2: 0100007F:0050 0100007F:9C40 01 00000000:00000000 00:00000000 00000000     0        0 13 1\n"+
			strings.Repeat("more\n", 10))
		put(t, filepath.Join(root, fmt.Sprint(pid), "net/netstat"),
			fmt.Sprintf("TcpExt: ListenDrops\nTcpExt: %d\n", drops))
	}
	space(5, 77)
	space(6, 78)
	kernel(5, 7, 100)
	kernel(6, 9, 200)
	any := netip.MustParseAddr("0.0.0.0")
	in := func(netns uint32, port uint16) []discovery.Listener {
		return []discovery.Listener{{NetNS: netns, Addr: any, Port: port}}
	}
	c := openAccept(t, root)
	c.Follow([]Tier{
		{Station: 0, Name: "web", PIDs: []int32{5}, Listeners: in(77, 80)},
		{Station: 1, Name: "db", PIDs: []int32{6}, Listeners: in(78, 80)},
		{Station: 2, Name: "cache", PIDs: []int32{6}, Listeners: in(78, 81)},
	})
	c.Poll(time.Second)
	kernel(5, 9, 103)
	kernel(6, 9, 203)
	c.Poll(3 * time.Second)
	for tier, want := range []Accept{{9, 0, 3}, {9, 0, 0}, {1, 0, 0}} {
		if got, ok := c.Accept(window.Station(tier)); !ok || got != want {
			t.Errorf("tier %d: %+v, %v, want %+v", tier, got, ok, want)
		}
	}
	if got := c.Share(0, Window{From: time.Second, To: 2 * time.Second}); math.Abs(got-8) > 1e-9 {
		t.Errorf("%v connections wait, want 8", got)
	}
}
