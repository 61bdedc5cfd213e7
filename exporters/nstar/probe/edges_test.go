// SPDX-License-Identifier: Apache-2.0

package probe

import (
	"net"
	"os"
	"testing"
	"time"

	"github.com/nstar-project/nstar/exporters/nstar/window"
)

// callers makes this process a tier with room for this many edges, and makes as many servers, of which some are
// named.
func callers(t *testing.T, edges, servers, named int) (*bench, []net.Listener) {
	t.Helper()
	b := newLonelyBench(t, Options{MaxTiers: 1, MaxEdges: edges})
	var listeners []net.Listener
	for range servers {
		l := listen(t, "tcp", "127.0.0.1:0")
		serve(t, l, hello)
		listeners = append(listeners, l)
	}
	tables := b.tables(listeners[:named]...)
	for i := range tables.Listeners {
		tables.Listeners[i].Station = 0
	}
	tables.Processes = map[uint32]window.Station{uint32(os.Getpid()): 0}
	b.set(tables)
	return b, listeners
}

// call makes a connection, some calls, and ends it.
func call(t *testing.T, l net.Listener, n int) {
	t.Helper()
	c := dial(t, l.Addr().String())
	c.turns(n)
	c.Close()
}

// unused waits until no connection has the number.
func (b *bench) unused(edge window.Station) {
	b.t.Helper()
	for deadline := time.Now().Add(5 * time.Second); ; time.Sleep(time.Millisecond) {
		counts, err := b.Count()
		if err != nil {
			b.t.Fatal(err)
		}
		if counts.InFlight[edge] == 0 && counts.Connections[edge] == 0 {
			return
		}
		if time.Now().After(deadline) {
			b.t.Fatalf("edge %d is in use: %v", edge, counts)
		}
	}
}

func (b *bench) onlyEdge() Edge {
	b.t.Helper()
	edges, err := b.Edges()
	if err != nil || len(edges) != 1 {
		b.t.Fatalf("edges %v %v, want one", edges, err)
	}
	return edges[0]
}

// The number of an edge that is no longer in use is given to the next one, again and again.
func TestEdgeNumbersAreReused(t *testing.T) {
	b, listeners := callers(t, 1, 4, 4)
	for i, l := range listeners {
		call(t, l, 3)
		e := b.onlyEdge()
		if e.Station != 1 || e.To != addrPort(l.Addr()) {
			t.Fatalf("edge %d is %+v", i, e)
		}
		if err := b.ForgetEdge(e); err != nil {
			t.Fatal(err)
		}
		b.unused(e.Station)
		if err := b.FreeEdge(e); err != nil {
			t.Fatal(err)
		}
	}
	b.expect(1, counts{Arrivals: 12, Completions: 12})
	if drops, err := b.Drops(); err != nil || drops[1] != 0 {
		t.Errorf("drops %v %v, want none", drops, err)
	}
	if n := b.EdgesChanged(); n != 4 {
		t.Errorf("%d edges numbered, want 4", n)
	}
}

// Half of the table is for nameless destinations: freed ones make room there, too.
func TestFreedEdgesMakeRoom(t *testing.T) {
	b, listeners := callers(t, 4, 5, 1)
	for _, l := range listeners[1:3] { // nameless: only the first listener is a tier
		call(t, l, 1)
	}
	edges, err := b.Edges()
	if err != nil || len(edges) != 2 {
		t.Fatalf("edges %v %v, want two", edges, err)
	}
	for _, e := range edges {
		if err := b.ForgetEdge(e); err != nil {
			t.Fatal(err)
		}
		if err := b.FreeEdge(e); err != nil {
			t.Fatal(err)
		}
	}
	call(t, listeners[3], 1)
	if e := b.onlyEdge(); e.To != addrPort(listeners[3].Addr()) {
		t.Errorf("edge %+v, want one to %s", e, listeners[3].Addr())
	}
}

// An edge that is used again while its number is held back keeps it.
func TestForgottenEdgeIsKept(t *testing.T) {
	b, listeners := callers(t, 2, 2, 1)
	c := dial(t, listeners[0].Addr().String())
	c.turns(1)
	e := b.onlyEdge()
	if err := b.ForgetEdge(e); err != nil {
		t.Fatal(err)
	}
	c.turns(1)
	b.expectNow(e.Station, 0, 1)
	if !b.KeepEdge(e) || b.KeepEdge(e) {
		t.Error("the number is not given back exactly once")
	}
	if b.onlyEdge() != e {
		t.Errorf("the edge is %+v, want %+v", b.onlyEdge(), e)
	}
}
