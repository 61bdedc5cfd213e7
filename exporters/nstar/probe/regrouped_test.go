// SPDX-License-Identifier: Apache-2.0

package probe

import (
	"io"
	"net"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/nstar-project/nstar/exporters/nstar/window"
)

const regroupings = 60 // each there and back

// busy are connections that all have work, on all processors.
type busy struct {
	clients []*client
	done    []atomic.Uint64 // turns of each
	stop    atomic.Bool
	group   sync.WaitGroup
}

// keepBusy connects to a listener; each connection takes one turn after another.
func keepBusy(t *testing.T, l net.Listener, turn func(*client) error) *busy {
	n := 4 * runtime.GOMAXPROCS(0)
	b := &busy{done: make([]atomic.Uint64, n)}
	for i := range n {
		c := dial(t, l.Addr().String())
		b.clients = append(b.clients, c)
		b.group.Go(func() {
			for !b.stop.Load() {
				if err := turn(c); err != nil {
					t.Error(err)
					return
				}
				b.done[i].Add(1)
			}
		})
	}
	t.Cleanup(func() { b.stop.Store(true) })
	return b
}

// goOn waits until each connection has begun and ended a turn.
func (b *busy) goOn(t *testing.T) {
	t.Helper()
	deadline := time.Now().Add(10 * time.Second)
	for i := range b.done {
		for from := b.done[i].Load(); b.done[i].Load() < from+2; time.Sleep(50 * time.Microsecond) {
			if time.Now().After(deadline) {
				t.Fatalf("connection %d stands still", i)
			}
		}
	}
}

// end ends all connections and returns the turns that they took.
func (b *busy) end() (turns uint64) {
	b.stop.Store(true)
	b.group.Wait()
	for i, c := range b.clients {
		turns += b.done[i].Load()
		c.Close()
	}
	return turns
}

// regroup gives a listener's connections to tier 1 and back to tier 0 again and again while they are busy. Each time
// all must have come back.
func (b *bench) regroup(l net.Listener, load *busy) {
	b.t.Helper()
	home, away := b.fromHere(b.tables(l)), b.fromHere(b.tables(l))
	away.Listeners[0].Station = 1
	for i := range regroupings {
		b.set(away)
		b.set(home)
		load.goOn(b.t)
		now, err := b.Count()
		if err != nil {
			b.t.Fatal(err)
		}
		if got := now.Connections[:2]; !cmp.Equal(got, []uint64{uint64(len(load.clients)), 0}) {
			b.t.Fatalf("connections of both tiers after %d times: %d", i+1, got)
		}
		b.read()
	}
}

// balance checks that whatever arrived has left, at each station by itself.
func (b *bench) balance(stations ...window.Station) (arrivals uint64) {
	b.t.Helper()
	for _, s := range stations {
		c := b.counts(s)
		if c.Carried != 0 || c.Arrivals != c.Completions+c.Aborts {
			b.t.Errorf("station %d does not balance: %+v", s, c)
		}
		if n := b.settler.CarriedConnections(s, b.Sums); n != 0 {
			b.t.Errorf("station %d has %d connections", s, n)
		}
		arrivals += c.Arrivals
	}
	return arrivals
}

// regrouped groups the tiers again and again under a load until the load has ended. It returns the turns of the load,
// the arrivals at the tiers and the edge together, and the edge. The books of all three must balance.
func (b *bench) regrouped(l net.Listener, load *busy) (turns, arrivals uint64, edge window.Station) {
	b.t.Helper()
	b.regroup(l, load)
	turns, edge = load.end(), b.edgeTo(l)
	for _, s := range []window.Station{0, 1, edge} {
		b.unused(s)
	}
	b.settle()
	return turns, b.balance(0, 1, edge), edge
}

// Tiers that are regrouped under load: no request is lost or counted twice, and no connection stays behind.
func TestRegroupedUnderLoad(t *testing.T) {
	b := newLonelyBench(t, Options{})
	l := listen(t, "tcp", "127.0.0.1:0")
	serve(t, l, hello)
	b.set(b.fromHere(b.tables(l)))
	ask := []byte("GET / HTTP/1.1\r\nHost: test\r\n\r\n")
	load := keepBusy(t, l, func(c *client) error {
		if _, err := c.Conn.Write(ask); err != nil {
			return err
		}
		_, err := c.Conn.Read(make([]byte, 4096))
		return err
	})
	turns, arrivals, edge := b.regrouped(l, load)
	if arrivals != 2*turns {
		t.Errorf("%d requests and calls, want %d", arrivals, 2*turns)
	}
	if c := b.counts(edge); c.Completions != turns || c.Aborts != 0 {
		t.Errorf("the edge's calls are %+v, want %d answered", c, turns)
	}
}

// The same if both sides send at the same time, so that two processors work for one connection.
func TestRegroupedInBothDirections(t *testing.T) {
	b := newLonelyBench(t, Options{})
	l := listen(t, "tcp", "127.0.0.1:0")
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer c.Close()
				_, _ = io.Copy(c, c)
			}()
		}
	}()
	b.set(b.fromHere(b.tables(l)))
	const ahead = 5
	part := make([]byte, 100)
	load := keepBusy(t, l, func(c *client) error {
		for range ahead {
			if _, err := c.Conn.Write(part); err != nil {
				return err
			}
		}
		_, err := io.ReadFull(c.Conn, make([]byte, ahead*len(part)))
		return err
	})
	turns, _, edge := b.regrouped(l, load)
	if c := b.counts(edge); c.Arrivals < turns {
		t.Errorf("the edge's calls are %+v, want %d at least", c, turns)
	}
}
