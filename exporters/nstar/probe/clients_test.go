// SPDX-License-Identifier: Apache-2.0

package probe

import (
	"testing"
	"time"

	"github.com/nstar-project/nstar/exporters/nstar/window"
)

// clients waits until this many connections of a tier's clients are carried, and counted over the sockets.
func (b *bench) clients(tier window.Station, want int64) {
	b.t.Helper()
	var carried int64
	var counted Counts
	for deadline := time.Now().Add(5 * time.Second); time.Now().Before(deadline); time.Sleep(time.Millisecond) {
		var err error
		if counted, err = b.Count(); err != nil {
			b.t.Fatal(err)
		}
		if carried = b.settler.CarriedConnections(tier, b.Sums); carried == want &&
			counted.Connections[tier] == uint64(want) {
			return
		}
	}
	b.t.Errorf("%d connections carried, %d counted, want %d", carried, counted.Connections[tier], want)
}

// Connections count before their first request, between requests, and until both ends are closed.
func TestClients(t *testing.T) {
	b := newBench(t, Options{})
	l := listen(t, "tcp", "127.0.0.1:0")
	serve(t, l, hello)
	b.set(b.tables(l))
	var all []*client
	for range 20 {
		all = append(all, dial(t, l.Addr().String()))
	}
	b.clients(0, 20)
	from := b.now()
	for _, c := range all[:7] {
		c.turns(3)
	}
	b.clients(0, 20)
	time.Sleep(5 * width)
	to := b.now()
	for _, c := range all[:15] {
		c.Close()
	}
	b.clients(0, 5)
	b.settle()
	for _, w := range b.windows[0] {
		if start := time.Duration(w.Index) * width; start >= from && w.End(width) <= to &&
			w.ConnectionTime != 20*int64(width) {
			t.Errorf("%g connections in a window in which 20 were open", w.ClientConnections(width))
		}
	}
	b.expect(0, counts{Arrivals: 21, Completions: 21})
}

// A connection that was open before the tier was known joins at its next request, and leaves again.
func TestClientsOfBefore(t *testing.T) {
	b := newBench(t, Options{})
	l := listen(t, "tcp", "127.0.0.1:0")
	serve(t, l, hello)
	first, second := dial(t, l.Addr().String()), dial(t, l.Addr().String())
	first.turns(1)
	b.set(b.tables(l))
	b.clients(0, 0)
	first.turns(1)
	b.clients(0, 1)
	first.Close()
	second.Close()
	b.clients(0, 0)
}
