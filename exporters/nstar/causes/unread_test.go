// SPDX-License-Identifier: Apache-2.0

package causes

import (
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

func openUnreadOf(t *testing.T, procRoot string) *unread {
	t.Helper()
	c, err := openUnread(&shared{options: Options{ProcRoot: procRoot}, asked: asked(0, 1, 2)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := c.(*unread).Close(); err != nil {
			t.Error(err)
		}
	})
	return c.(*unread)
}

// A server accepts but does not read: three connections have bytes and two have none. Bytes that wait at the clients'
// ends are no requests of the tier.
func TestUnread(t *testing.T) {
	server, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	for i := range 5 {
		client, err := net.Dial("tcp", server.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		defer client.Close()
		accepted, err := server.Accept()
		if err != nil {
			t.Fatal(err)
		}
		defer accepted.Close()
		from := client
		if i >= 3 {
			from = accepted
		}
		if _, err := from.Write([]byte("GET / HTTP/1.1\r\n")); err != nil {
			t.Fatal(err)
		}
	}
	st, err := os.Stat("/proc/self/ns/net")
	if err != nil {
		t.Fatal(err)
	}
	at := server.Addr().(*net.TCPAddr).AddrPort()
	netns := uint32(st.Sys().(*syscall.Stat_t).Ino)
	place := discovery.Listener{NetNS: netns, Addr: at.Addr(), Port: at.Port()}
	tiers := []Tier{{App: "shop", Name: "web", Listeners: []discovery.Listener{place}}}
	c := openUnreadOf(t, "/proc")
	c.Follow(tiers)
	if got := c.Share(0, Window{To: ms}); !math.IsNaN(got) {
		t.Errorf("%v before anything was read", got)
	}
	begin := clock.Monotonic()
	c.asked[0] = begin
	for end := begin + 10*time.Second; ; begin += time.Second { // bytes take a moment
		c.Poll(begin)
		if got := c.Share(0, Window{From: begin, To: begin + ms}); math.Abs(got-3) < 1e-9 {
			break
		} else if begin > end {
			t.Fatalf("%v connections hold bytes, want 3", got)
		}
	}
	c.Follow(tiers) // continues with what is known
	c.next = 0
	c.Poll(begin + unreadInterval - ms)
	if at := c.readings[netns].tiers[0].at; at != begin {
		t.Errorf("it was read %v after the last time", at-begin)
	}
	if c.Poll(begin + unreadInterval); c.next < begin+unreadInterval {
		t.Error("the reading took no time")
	}
	if got := c.Share(0, Window{From: begin, To: begin + 50*ms}); math.Abs(got-3) > 1e-9 {
		t.Errorf("%v connections hold bytes, want 3", got)
	}
	c.asked[0], c.next = begin-time.Hour, 0 // no requests
	c.Poll(begin + time.Second)
	if rest := c.readings[netns].next - begin; rest != time.Second+socketRest {
		t.Errorf("it is read again after %v", rest)
	}
	c.Follow(nil)
	if got := c.Share(0, Window{To: ms}); !math.IsNaN(got) {
		t.Errorf("%v of a tier that is gone", got)
	}
}

// Each tier has the connections of its own listeners, on one address or on any, over all network namespaces.
func TestUnreadElsewhere(t *testing.T) {
	root := t.TempDir()
	space := func(pid, netns int, ends ...string) {
		t.Helper()
		dir := filepath.Join(root, fmt.Sprint(pid))
		const row = "%4d: %s 0200000A:9C40 01 00000000:00000010 00:00000000 00000000     0        0 %d 1\n"
		table := "  sl  local_address rem_address\n"
		for i, end := range ends {
			table += fmt.Sprintf(row, i, end, i+10)
		}
		put(t, filepath.Join(dir, "net/tcp"), table)
		if err := os.Mkdir(filepath.Join(dir, "ns"), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(fmt.Sprintf("net:[%d]", netns), filepath.Join(dir, "ns/net")); err != nil {
			t.Fatal(err)
		}
	}
	const loopback, other = "0100007F", "0100000A"
	space(5, 77, loopback+":0050", other+":0050", other+":0051", loopback+":0051", other+":C350")
	space(6, 78, other+":0050", other+":0050", other+":0050")
	at := func(netns uint32, addr string, port uint16) discovery.Listener {
		return discovery.Listener{NetNS: netns, Addr: netip.MustParseAddr(addr), Port: port}
	}
	c := openUnreadOf(t, root)
	tiers := []Tier{
		{Station: 0, Name: "web", PIDs: []int32{5}, Listeners: []discovery.Listener{at(77, "0.0.0.0", 80)}},
		{Station: 1, Name: "db", PIDs: []int32{5, 6}, Listeners: []discovery.Listener{at(77, "127.0.0.1", 81),
			at(78, "::", 80)}},
		{Station: 2, Name: "idle", PIDs: []int32{6}, Listeners: []discovery.Listener{at(78, "::", 90)}},
		{Station: 3, Name: "gone", PIDs: []int32{7}, Listeners: []discovery.Listener{at(79, "::", 80)}},
	}
	c.Follow(tiers)
	for now := range 3 { // one namespace at a time
		c.next = 0
		c.Poll(time.Second + time.Duration(now)*ms)
	}
	for tier, want := range []float64{2, 4, 0, math.NaN()} {
		got := c.Share(window.Station(tier), Window{From: 2 * time.Second, To: 2*time.Second + 50*ms})
		if math.Abs(got-want) > 1e-9 || math.IsNaN(got) != math.IsNaN(want) {
			t.Errorf("%s: %v, want %v", tiers[tier].Name, got, want)
		}
	}
}

// What can't be read is reported when it is opened.
func TestUnreadFails(t *testing.T) {
	root := t.TempDir()
	pid := fmt.Sprint(os.Getpid())
	put(t, filepath.Join(root, pid, "net/tcp"), strings.Repeat("x", 1<<17)) // a table of another kind
	if _, err := openUnread(&shared{options: Options{ProcRoot: root}}); err == nil ||
		!strings.HasPrefix(err.Error(), "no connections can be read: ") {
		t.Errorf("error %v", err)
	}
}

// Between two readings the value is their mean. The last reading counts until the next, but not for ever.
func TestLevel(t *testing.T) {
	var l level
	if got := l.share(0, ms); !math.IsNaN(got) {
		t.Errorf("%v without a reading", got)
	}
	l.note(time.Second, 4)
	l.note(3*time.Second, 2)
	for _, c := range []struct {
		from, to time.Duration
		want     float64
	}{
		{2 * time.Second, 2*time.Second + 50*ms, 3}, {4 * time.Second, 4*time.Second + 50*ms, 2},
		{2500 * ms, 3500 * ms, 2.5}, {0, 2 * time.Second, 1.5}, {20 * time.Second, 21 * time.Second, math.NaN()},
	} {
		if got := l.share(c.from, c.to); math.Abs(got-c.want) > 1e-9 || math.IsNaN(got) != math.IsNaN(c.want) {
			t.Errorf("from %v to %v: %v, want %v", c.from, c.to, got, c.want)
		}
	}
}

// Requests on connections that are not accepted or read hold no thread. If neither is measured, their number is not
// known.
func TestUnbegun(t *testing.T) {
	read := &level{}
	read.note(time.Second, 3)
	c := &unread{readings: map[uint32]*unreadSpace{1: {tiers: map[window.Station]*level{0: read}}}}
	s := &Set{used: []used{{collector: c}}}
	for tier, want := range []float64{3, 0} {
		w := Window{From: 2 * time.Second, To: 3 * time.Second}
		if s.shares(window.Station(tier), &w); w.unbegun != want {
			t.Errorf("tier %d: %v requests are not begun, want %v", tier, w.unbegun, want)
		}
	}
}
