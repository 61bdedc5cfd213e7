// SPDX-License-Identifier: Apache-2.0

package probe

import (
	"io"
	"net"
	"net/http"
	"os"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/nstar-project/nstar/exporters/nstar/window"
)

// fromHere makes this process tier 7, which calls the listeners.
func (b *bench) fromHere(t Tables) Tables {
	t.Processes = map[uint32]window.Station{uint32(os.Getpid()): 7}
	return t
}

// edgeTo finds the edge to a listener.
func (b *bench) edgeTo(l net.Listener) window.Station {
	b.t.Helper()
	edges, err := b.Edges()
	if err != nil {
		b.t.Fatal(err)
	}
	for _, e := range edges {
		if e.To == addrPort(l.Addr()) {
			return e.Station
		}
	}
	b.t.Fatalf("no edge to %s among %v", l.Addr(), edges)
	return 0
}

// edgeNow is the present state according to the connections and to the books.
type edgeNow struct{ InFlight, Connections, Carried, CarriedConnections int64 }

func (b *bench) expectNow(edge window.Station, calls, connections int64) {
	b.t.Helper()
	counts, err := b.Count()
	if err != nil {
		b.t.Fatal(err)
	}
	got := edgeNow{
		int64(counts.InFlight[edge]), int64(counts.Connections[edge]),
		b.settler.Carried(edge, b.Sums), b.settler.CarriedConnections(edge, b.Sums),
	}
	if diff := cmp.Diff(edgeNow{calls, connections, calls, connections}, got); diff != "" {
		b.t.Errorf("edge %d now (-want +got):\n%s", edge, diff)
	}
}

// edgeSums are an edge's windows put together.
type edgeSums struct{ Peak, Used, Connections, Gaps uint64 }

// between puts the windows together that lie between two moments.
func (b *bench) between(edge window.Station, from, to time.Duration) (s edgeSums) {
	for _, w := range b.windows[edge] {
		if w.End(width) <= from || w.End(width)-width > to {
			continue
		}
		s.Peak = max(s.Peak, w.PeakCalls)
		s.Used = max(s.Used, w.ConnectionsUsed)
		s.Connections = max(s.Connections, w.Connections)
		s.Gaps += w.Gaps
	}
	return s
}

func TestCallsAtOnce(t *testing.T) {
	const connections, calls, pause = 9, 5, 3 * width
	b := newLonelyBench(t, Options{})
	l := listen(t, "tcp", "127.0.0.1:0")
	open := gate(t, l)
	b.set(b.fromHere(b.tables(l)))
	var clients []*client
	for range connections {
		clients = append(clients, dial(t, l.Addr().String()))
	}
	edge := b.edgeTo(l)
	b.expectNow(edge, 0, connections)
	round := func(n int) {
		for i := range n {
			clients[i].ask()
		}
		b.expectNow(edge, int64(n), connections)
		for range n {
			open()
		}
		for i := range n {
			clients[i].answer()
		}
	}
	started := b.now()
	round(calls)
	answered := b.now()
	time.Sleep(pause)
	round(1)
	clients[0].ask() // stays outstanding over quiet windows
	ended := b.now()
	time.Sleep(pause)
	b.settle()
	if diff := cmp.Diff(edgeSums{calls, calls, connections, 0}, b.between(edge, started, answered)); diff != "" {
		t.Errorf("calls at once (-want +got):\n%s", diff)
	}
	var gaps uint64
	var gap time.Duration
	for _, w := range b.windows[edge] {
		gaps += w.Gaps
		gap += time.Duration(w.GapTime)
	}
	if gaps != 2 {
		t.Errorf("%d gaps, want 2", gaps)
	}
	b.near("the gaps", gap, pause, ended-started)
	last := b.windows[edge][len(b.windows[edge])-1]
	if last.PeakCalls != 1 || last.ConnectionsUsed != 1 || last.Connections != connections || last.Arrivals != 0 {
		t.Errorf("a window without events: %+v", last)
	}
	clients[0].Conn.Close() // a call is outstanding on it
	clients[1].Conn.Close()
	b.settle()
	b.expectNow(edge, 0, connections-2)
	b.expect(edge, counts{Arrivals: calls + 2, Completions: calls + 1, Aborts: 1})
}

// Connections that were open before the probe are found by their addresses and count from their next segment on.
func TestEdgeJoinedInMidLife(t *testing.T) {
	l := listen(t, "tcp", "127.0.0.1:0")
	serve(t, l, hello)
	var clients []*client
	for range 4 {
		clients = append(clients, dial(t, l.Addr().String()))
	}
	b := newLonelyBench(t, Options{})
	tables := b.tables()
	for _, c := range clients {
		tables.Outgoing = append(tables.Outgoing, Outgoing{
			NetNS: netNS(t), Local: addrPort(c.LocalAddr()), Remote: addrPort(c.RemoteAddr()), From: 2,
		})
	}
	b.set(tables)
	for _, c := range clients[:3] {
		c.turns(2)
	}
	edge := b.edgeTo(l)
	b.expectNow(edge, 0, 3)
	for i := range tables.Outgoing { // regrouped
		tables.Outgoing[i].From = 3
	}
	b.set(tables)
	clients[0].turns(1)
	b.expectNow(edge, 0, 2)
	clients[1].Conn.Close()
	b.settle() // both sides have closed
	b.expectNow(edge, 0, 1)
	b.set(b.tables()) // forgotten: the edges of connections that were begun are kept
	clients[2].turns(1)
	b.expectNow(edge, 0, 1)
}

// A connection that fails to open is open no more.
func TestEdgeRefused(t *testing.T) {
	b := newLonelyBench(t, Options{})
	l := listen(t, "tcp", "127.0.0.1:0")
	b.set(b.fromHere(b.tables(l)))
	l.Close()
	if c, err := net.Dial("tcp", l.Addr().String()); err == nil {
		c.Close()
		t.Fatal("somebody else listens there")
	}
	b.expectNow(b.edgeTo(l), 0, 0)
}

// Many connections on all CPUs at once, which end in all ways: the books balance.
func TestEdgeUnderLoad(t *testing.T) {
	b := newLonelyBench(t, Options{})
	l := listen(t, "tcp", "127.0.0.1:0")
	serve(t, l, hello)
	b.set(b.fromHere(b.tables(l)))
	const workers, rounds = 16, 60
	var group sync.WaitGroup
	for range workers {
		group.Go(func() {
			for i := range rounds {
				c := dial(t, l.Addr().String())
				for range 10 {
					io.WriteString(c.Conn, "GET / HTTP/1.1\r\nHost: test\r\n\r\n")
					c.answer()
				}
				if i%2 == 0 {
					c.Conn.(*net.TCPConn).SetLinger(0)
					c.ask()
				}
				c.Conn.Close()
			}
		})
	}
	ended := make(chan struct{})
	go func() { group.Wait(); close(ended) }()
	for reading := true; reading; { // all the time, however long it takes: windows are gone after some seconds
		select {
		case <-ended:
			reading = false
		case <-time.After(width):
			b.read()
		}
	}
	b.settle()
	edge := b.edgeTo(l)
	b.expectNow(edge, 0, 0)
	all := b.between(edge, 0, b.now())
	if all.Peak < 1 || all.Peak > workers || all.Connections > 4*workers { // both sides have to close
		t.Errorf("%+v of %d workers", all, workers)
	}
	if n := uint64(workers * rounds * 9); all.Gaps < n {
		t.Errorf("%d gaps, want %d at least", all.Gaps, n)
	}
	for _, w := range b.windows[edge] {
		if float64(w.PeakCalls) < w.Queue(width)-0.01 || w.PeakCalls > workers || w.ConnectionsUsed > w.Arrivals+
			workers {
			t.Errorf("%+v", w)
		}
	}
}

// A client that gives up closes its socket, and waits for no answer any more, though the socket lives on until the
// server is done. A client that closes only its half waits.
func TestClientsThatGiveUp(t *testing.T) {
	b := newLonelyBench(t, Options{})
	l := listen(t, "tcp", "127.0.0.1:0")
	begun, open := make(chan struct{}), make(chan struct{})
	serve(t, l, func(w http.ResponseWriter, r *http.Request) {
		begun <- struct{}{}
		<-open
		hello(w, r)
	})
	tables := b.fromHere(b.tables(l))
	b.set(tables)
	var clients []*client
	for range 3 {
		c := dial(t, l.Addr().String())
		c.ask()
		<-begun // who leaves before the server has accepted the connection is gone for it, too: TestNeverAccepted
		clients = append(clients, c)
	}
	edge := b.edgeTo(l)
	b.expectNow(edge, 3, 3)
	clients[0].Close()
	clients[1].Close()
	if err := clients[2].Conn.(*net.TCPConn).CloseWrite(); err != nil {
		t.Fatal(err)
	}
	b.expectNow(edge, 1, 1)
	b.set(tables) // every connection is looked at anew with its next segment
	close(open)
	clients[2].answer()
	b.expect(edge, counts{Arrivals: 3, Completions: 1, Aborts: 2})
	b.expect(0, counts{Arrivals: 3, Completions: 3})
}
