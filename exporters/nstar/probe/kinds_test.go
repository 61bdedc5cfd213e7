// SPDX-License-Identifier: Apache-2.0

package probe

import (
	"errors"
	"io"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nstar-project/nstar/exporters/nstar/clock"
	"github.com/nstar-project/nstar/exporters/nstar/kinds"
)

// kindsOf makes kinds of the first tier, numbered from 1.
func kindsOf(t *testing.T, requests ...string) (out []kinds.Kind) {
	t.Helper()
	for i, r := range requests {
		p, err := kinds.Parse(r)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, kinds.Kind{Tier: 0, Number: i + 1, Pattern: p})
	}
	return out
}

func ask(t *testing.T, c *client, path string) {
	t.Helper()
	if _, err := io.WriteString(c.Conn, "GET "+path+" HTTP/1.1\r\nHost: test\r\n\r\n"); err != nil {
		t.Fatal(err)
	}
}

// expectKinds compares the completions of kinds by number, of which nothing may be under way.
func (b *bench) expectKinds(want ...uint64) {
	b.t.Helper()
	for n, k := range b.KindSums(0)[:len(want)] {
		if k.Completions != want[n] || k.Arrivals != want[n] || k.Aborts != 0 {
			b.t.Errorf("kind %d: %+v, want %d completions", n, k, want[n])
		}
		if queue := k.QueueTime(clock.Monotonic()); queue != k.Residence {
			b.t.Errorf("kind %d: %v in the queue, %v of residence", n, queue, k.Residence)
		}
	}
}

// The first kinds come while requests are under way on all CPUs: no request is lost, and requests that began before
// have no kind.
func TestKindsLater(t *testing.T) {
	b := newLonelyBench(t, Options{Later: true, Stats: true})
	l := listen(t, "tcp", "127.0.0.1:0")
	serve(t, l, hello)
	b.set(b.tables(l))
	if b.KindSums(0) != nil {
		t.Error("kinds that nobody asked for")
	}
	patient := dial(t, l.Addr().String())
	patient.turns(1)
	io.WriteString(patient.Conn, "GET /a") // under way while the programs change
	asked := b.meanwhile(8, func() {
		c := dial(t, l.Addr().String())
		for range 10 {
			ask(t, c, "/a")
			c.answer()
		}
	}, func() {
		if err := b.SetKinds(kindsOf(t, "/a", "GET /b")); err != nil {
			t.Error(err)
		}
	})
	asked *= 10
	io.WriteString(patient.Conn, " HTTP/1.1\r\nHost: test\r\n\r\n")
	patient.answer()
	b.expect(0, counts{Arrivals: asked + 2, Completions: asked + 2})
	told := b.KindSums(0)[1].Completions
	if told == 0 || told > asked {
		t.Errorf("%d of %d are of the kind", told, asked)
	}
	b.expectKinds(0, told, 0)
	for range 7 {
		ask(t, patient, "/b")
		patient.answer()
	}
	ask(t, patient, "/c")
	patient.answer()
	b.expectKinds(1, told, 7)
	if err := b.SetKinds(nil); err != nil {
		t.Fatal(err)
	}
	ask(t, patient, "/b")
	patient.answer()
	b.expectKinds(2, told, 7)
	costs, err := b.Costs()
	if err != nil || len(costs) != 4 {
		t.Fatal(costs, err)
	}
	for _, c := range costs {
		if (c.Program == "nstar_ingress" || c.Program == "nstar_egress") && c.Runs < 2*asked {
			t.Errorf("%s has run %d times for %d requests", c.Program, c.Runs, asked)
		}
	}
}

// meanwhile has clients ask, each of them again and again, before, while and after something is done; it returns how
// often one of them has asked. Windows are read all the time, however long that takes.
func (b *bench) meanwhile(clients int, ask, do func()) (n uint64) {
	var asked atomic.Uint64
	var over atomic.Bool
	var group sync.WaitGroup
	for range clients {
		group.Go(func() {
			for !over.Load() {
				ask()
				asked.Add(1)
			}
		})
	}
	for i := range 10 {
		if i == 5 {
			do()
		}
		for until := asked.Load() + uint64(clients); asked.Load() < until; time.Sleep(width) {
			b.read()
		}
	}
	over.Store(true)
	group.Wait()
	return asked.Load()
}

// Connections that open and close meanwhile are counted once, though their events go to two programs for a moment.
func TestKindsLaterUnderChurn(t *testing.T) {
	b := newLonelyBench(t, Options{Later: true})
	l := listen(t, "tcp", "127.0.0.1:0")
	serve(t, l, hello)
	b.set(b.fromHere(b.tables(l)))
	asked := b.meanwhile(8, func() {
		c := dial(t, l.Addr().String())
		ask(t, c, "/a")
		c.answer()
		c.Conn.Close()
	}, func() {
		if err := b.SetKinds(kindsOf(t, "/a")); err != nil {
			t.Error(err)
		}
	})
	b.expect(0, counts{Arrivals: asked, Completions: asked})
	b.expectNow(b.edgeTo(l), 0, 0)
	sums := b.KindSums(0)[1]
	b.expectKinds(0, sums.Completions)
}

// If there are no programs that know kinds, the error says what to do.
func TestKindsWithoutPrograms(t *testing.T) {
	b := newBench(t, Options{})
	if err := b.SetKinds(kindsOf(t, "/a")); !errors.Is(err, ErrNoKinds) {
		t.Errorf("%v, want %v", err, ErrNoKinds)
	}
	if err := b.SetKinds(nil); err != nil {
		t.Error(err)
	}
}
