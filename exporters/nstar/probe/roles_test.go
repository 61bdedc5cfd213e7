// SPDX-License-Identifier: Apache-2.0

package probe

import (
	"errors"
	"net"
	"net/http"
	"net/netip"
	"os"
	"testing"
	"time"
	"unsafe"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/nstar-project/nstar/exporters/nstar/bpf"
	"github.com/nstar-project/nstar/exporters/nstar/window"
)

// gate is a server whose answers wait until it is opened.
func gate(t *testing.T, l net.Listener) (open func()) {
	t.Helper()
	tokens := make(chan struct{}, 100)
	serve(t, l, func(w http.ResponseWriter, r *http.Request) {
		<-tokens
		hello(w, r)
	})
	t.Cleanup(func() { close(tokens) })
	return func() { tokens <- struct{}{} }
}

// Connections that were there before the probe join at their next turn, in whatever turn they were.
func TestOpenBeforeTheProbe(t *testing.T) {
	l := listen(t, "tcp", "127.0.0.1:0")
	open := gate(t, l)
	idle, waiting := dial(t, l.Addr().String()), dial(t, l.Addr().String())
	open()
	idle.turns(1)
	waiting.ask()
	b := newBench(t, Options{})
	b.set(b.tables(l))
	open()
	waiting.answer()
	b.expect(0, counts{})
	for range 3 {
		open()
		open()
		idle.turns(1)
		waiting.turns(1)
	}
	b.expect(0, counts{Arrivals: 6, Completions: 6})
}

func TestOpenBeforeItsTierIsKnown(t *testing.T) {
	b := newBench(t, Options{})
	l := listen(t, "tcp", "127.0.0.1:0")
	serve(t, l, hello)
	c := dial(t, l.Addr().String())
	c.turns(5)
	b.expect(0, counts{})
	b.set(b.tables(l))
	c.turns(7)
	b.expect(0, counts{Arrivals: 7, Completions: 7})
}

// A tier that is regrouped: the request in flight leaves the old queue, the next one is in the new queue.
func TestRegrouped(t *testing.T) {
	b := newBench(t, Options{})
	l := listen(t, "tcp", "127.0.0.1:0")
	open := gate(t, l)
	tables := b.tables(l)
	b.set(tables)
	c := dial(t, l.Addr().String())
	open()
	c.turns(1)
	c.ask()
	b.expect(0, counts{Arrivals: 2, Completions: 1, Carried: 1})
	tables.Listeners[0].Station = 3
	b.set(tables)
	open()
	c.answer()
	open()
	c.turns(1)
	b.expect(0, counts{Arrivals: 2, Completions: 1, Aborts: 1})
	b.expect(3, counts{Arrivals: 1, Completions: 1})
}

func TestForgotten(t *testing.T) {
	b := newBench(t, Options{})
	l := listen(t, "tcp", "127.0.0.1:0")
	serve(t, l, hello)
	b.set(b.tables(l))
	c := dial(t, l.Addr().String())
	c.turns(2)
	b.settle()
	b.set(Tables{})
	c.turns(2)
	b.expect(0, counts{Arrivals: 2, Completions: 2})
}

func TestInFlight(t *testing.T) {
	b := newBench(t, Options{})
	busy, quiet := listen(t, "tcp", "127.0.0.1:0"), listen(t, "tcp", "127.0.0.1:0")
	open := gate(t, busy)
	serve(t, quiet, hello)
	b.set(b.tables(busy, quiet))
	clients := make([]*client, 6)
	for i := range clients {
		clients[i] = dial(t, busy.Addr().String())
		clients[i].ask()
	}
	dial(t, quiet.Addr().String()).turns(1)
	for waiting := len(clients); waiting >= 0; waiting-- {
		counts, err := b.Count()
		if err != nil {
			t.Fatal(err)
		}
		got := counts.InFlight
		carried := b.settler.Carried(0, b.Sums)
		if got[0] != uint64(waiting) || got[1] != 0 || carried != int64(waiting) {
			t.Errorf("%d and %d in flight, %d carried; want %d, 0, %d", got[0], got[1], carried, waiting, waiting)
		}
		if waiting > 0 {
			open()
			for answered := false; !answered; {
				for i, c := range clients {
					if c == nil {
						continue
					}
					c.SetReadDeadline(time.Now().Add(5 * time.Millisecond))
					if _, err := c.Peek(1); err == nil {
						c.SetReadDeadline(time.Time{})
						c.answer()
						clients[i], answered = nil, true
					}
				}
			}
		}
	}
}

// This process is made a tier: its connections are edges.
func TestEdges(t *testing.T) {
	b := newLonelyBench(t, Options{})
	first, second := listen(t, "tcp", "127.0.0.1:0"), listen(t, "tcp", "[::1]:0")
	open := gate(t, first)
	serve(t, second, hello)
	early := dial(t, second.Addr().String()) // open before its tier was known, found by discovery
	b.set(Tables{
		Processes: map[uint32]window.Station{uint32(os.Getpid()): 2},
		Outgoing: []Outgoing{{
			NetNS: netNS(t), Local: addrPort(early.LocalAddr()), Remote: addrPort(early.RemoteAddr()), From: 2,
		}},
	})
	early.turns(4)
	c := dial(t, first.Addr().String())
	open()
	c.turns(1)
	c.ask()
	got, err := b.Edges()
	if err != nil {
		t.Fatal(err)
	}
	stations := make(map[netip.AddrPort]window.Station)
	for i, e := range got {
		stations[e.To] = e.Station
		if got[i].Station -= window.Station(b.options.MaxTiers); got[i].Station < 0 || got[i].Station > 1 {
			t.Errorf("station %d is no edge", e.Station)
		}
	}
	want := []Edge{
		{From: 2, NetNS: netNS(t), To: addrPort(first.Addr())},
		{From: 2, NetNS: netNS(t), To: addrPort(second.Addr())},
	}
	byAddress := cmpopts.SortSlices(func(a, b Edge) bool { return a.To.Addr().Less(b.To.Addr()) })
	opts := cmp.Options{cmpopts.IgnoreFields(Edge{}, "Station"), cmpopts.EquateComparable(netip.AddrPort{}), byAddress}
	if diff := cmp.Diff(want, got, opts); diff != "" || b.EdgesChanged() != 2 {
		t.Errorf("%d edges numbered (-want +got):\n%s", b.EdgesChanged(), diff)
	}
	b.expect(stations[addrPort(second.Addr())], counts{Arrivals: 4, Completions: 4})
	b.expect(stations[addrPort(first.Addr())], counts{Arrivals: 2, Completions: 1, Carried: 1})
	open()
	c.answer()
	b.expect(stations[addrPort(first.Addr())], counts{Arrivals: 2, Completions: 2})
}

// A full table is counted and does not affect anything else.
func TestEdgeLimit(t *testing.T) {
	b := newLonelyBench(t, Options{MaxTiers: 1, MaxEdges: 1})
	var listeners []net.Listener
	for range 3 {
		l := listen(t, "tcp", "127.0.0.1:0")
		serve(t, l, hello)
		listeners = append(listeners, l)
	}
	tables := b.tables(listeners[0])
	tables.Processes = map[uint32]window.Station{uint32(os.Getpid()): 0}
	b.set(tables)
	for i, l := range listeners {
		dial(t, l.Addr().String()).turns(5 + i)
	}
	drops, err := b.Drops()
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]uint64{0, 2, 0, 0, 0}, drops); diff != "" {
		t.Errorf("drops (-want +got):\n%s", diff)
	}
	b.expect(0, counts{Arrivals: 5, Completions: 5})
	b.expect(1, counts{Arrivals: 5, Completions: 5}) // the one edge
}

func TestListenerTableFull(t *testing.T) {
	b := newBench(t, Options{})
	l := listen(t, "tcp", "127.0.0.1:0")
	serve(t, l, hello)
	tables := b.tables(l)
	b.set(tables)
	many := tables
	for i := range 5000 {
		many.Listeners = append(many.Listeners, Listener{NetNS: 1, Port: uint16(i), Station: 1})
	}
	if err := b.SetTables(many); !errors.Is(err, ErrTableFull) {
		t.Errorf("error %v, want %v", err, ErrTableFull)
	}
	dial(t, l.Addr().String()).turns(3)
	b.expect(0, counts{Arrivals: 3, Completions: 3})
	b.set(tables)
}

func TestListens(t *testing.T) {
	b := newBench(t, Options{})
	before := b.Listens()
	listen(t, "tcp", "127.0.0.1:0")
	if after := b.Listens(); after <= before {
		t.Errorf("%d sockets listened before, %d after", before, after)
	}
}

func TestRing(t *testing.T) {
	for _, tt := range []struct {
		settle time.Duration
		ring   int
	}{
		{200 * time.Millisecond, 256}, // 4.2 s of 20 ms
		{2 * time.Second, 512},
	} {
		t.Run(tt.settle.String(), func(t *testing.T) {
			b := newBench(t, Options{Settle: tt.settle, MaxTiers: 3, MaxEdges: 5})
			if b.Ring() != tt.ring {
				t.Errorf("ring of %d, want %d", b.Ring(), tt.ring)
			}
			if got, want := int(b.slots.Size()), b.rows.All*8*tt.ring*int(unsafe.Sizeof(bpf.NstarSlot{})); got < want {
				t.Errorf("slots of %d bytes, want %d", got, want)
			}
			if got := b.Sums(1000, 0); got != (window.Sums{}) {
				t.Errorf("a station that does not exist has %v", got)
			}
		})
	}
}

// Nameless destinations share an edge once they fill half of the table; tiers and named remotes keep their own.
func TestEdgesBeyondHalf(t *testing.T) {
	b := newLonelyBench(t, Options{MaxTiers: 1, MaxEdges: 5})
	tier, remote := listen(t, "tcp", "127.0.0.1:0"), listen(t, "tcp", "127.0.0.1:0")
	tables := b.tables(tier)
	tables.Processes = map[uint32]window.Station{uint32(os.Getpid()): 0}
	tables.Remotes = []Remote{{Address: addrPort(remote.Addr())}}
	b.set(tables)
	var nameless []net.Listener
	for range 5 {
		nameless = append(nameless, listen(t, "tcp", "127.0.0.1:0"))
	}
	for _, l := range append(nameless, tier, remote) {
		serve(t, l, hello)
		dial(t, l.Addr().String()).turns(1)
	}
	edges, err := b.Edges()
	if err != nil {
		t.Fatal(err)
	}
	got := make(map[netip.AddrPort]bool)
	for _, e := range edges {
		got[e.To] = true
		if e.To.Port() == 0 {
			b.expect(e.Station, counts{Arrivals: 3, Completions: 3})
		}
	}
	want := map[netip.AddrPort]bool{
		addrPort(nameless[0].Addr()): true, addrPort(nameless[1].Addr()): true,
		netip.MustParseAddrPort("[::]:0"): true, addrPort(tier.Addr()): true, addrPort(remote.Addr()): true,
	}
	if diff := cmp.Diff(want, got, cmpopts.EquateComparable(netip.AddrPort{})); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}
