// SPDX-License-Identifier: Apache-2.0

package probe

import (
	"net"
	"net/netip"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/nstar-project/nstar/exporters/nstar/bpf/bpftest"
	"github.com/nstar-project/nstar/exporters/nstar/clock"
	"github.com/nstar-project/nstar/exporters/nstar/window"
)

const width = 20 * time.Millisecond

// bench is a running probe and what it measured at this test's own sockets.
type bench struct {
	*Probe
	t       *testing.T
	offset  time.Duration
	settler *window.Settler
	known   []window.Station
	windows map[window.Station][]window.Window
}

// newBench opens a probe for a test that may run beside others: most of its time is waiting.
func newBench(t *testing.T, o Options) *bench {
	t.Helper()
	t.Parallel()
	return newLonelyBench(t, o)
}

// newLonelyBench opens a probe for a test in which this process is a tier itself, so that the connections of other
// tests would be edges. It skips the test if BPF does not work; under CI, where BPF must work, it fails.
func newLonelyBench(t *testing.T, o Options) *bench {
	t.Helper()
	o.Window = width
	if o.Settle == 0 {
		o.Settle = 200 * time.Millisecond
	}
	if o.MaxTiers == 0 {
		o.MaxTiers = 8
	}
	if o.MaxEdges == 0 {
		o.MaxEdges = 8
	}
	o.Clock = clock.NewOffset(clock.Now()).Value()
	p, err := Open(o)
	if err != nil {
		bpftest.Skip(t, err)
	}
	b := &bench{Probe: p, t: t, offset: o.Clock, windows: make(map[window.Station][]window.Window)}
	b.settler = window.NewSettler(width, o.Settle, p.Ring(), b.now())
	for i := range o.MaxTiers + o.MaxEdges {
		b.known = append(b.known, window.Station(i))
	}
	t.Cleanup(func() {
		if err := p.Close(); err != nil {
			t.Errorf("close: %v", err)
		}
	})
	return b
}

func (b *bench) now() time.Duration { return clock.Monotonic() + b.offset }

func (b *bench) read() {
	b.settler.Settle(b.now(), b.known, b.Sums, func(w window.Window) {
		b.windows[w.Station] = append(b.windows[w.Station], w)
	})
}

// settle waits until everything up to now is in windows.
func (b *bench) settle() {
	time.Sleep(b.options.Settle + window.Margin + 2*width)
	b.read()
}

// counts are the numbers that a test knows beforehand.
type counts struct {
	Arrivals, Completions, Aborts uint64
	Carried                       int64
}

func (b *bench) counts(s window.Station) counts {
	c := counts{Carried: b.settler.Carried(s, b.Sums)}
	for _, w := range b.windows[s] {
		c.Arrivals += w.Arrivals
		c.Completions += w.Completions
		c.Aborts += w.Aborts
	}
	return c
}

func (b *bench) expect(s window.Station, want counts) {
	b.t.Helper()
	b.settle()
	if diff := cmp.Diff(want, b.counts(s)); diff != "" {
		b.t.Errorf("station %d (-want +got):\n%s", s, diff)
	}
}

// expectOneSince wants a queue of 1 at station 0 in all windows that begin after a moment, of which five are full at
// least, and never more.
func (b *bench) expectOneSince(start time.Duration) {
	b.t.Helper()
	full := 0
	for _, w := range b.windows[0] {
		switch q := w.Queue(width); {
		case w.End(width)-width > start && q != 1, q < 0, q > 1:
			b.t.Errorf("window %d: queue %g", w.Index, q)
		case q == 1:
			full++
		}
	}
	if full < 5 {
		b.t.Errorf("%d windows with a queue of 1", full)
	}
}

// residence is the time in the queue of all requests completed; queued is the integral of the queue length.
func (b *bench) residence(s window.Station) (residence, queued time.Duration) {
	for _, w := range b.windows[s] {
		residence += time.Duration(w.Residence)
		queued += time.Duration(w.QueueTime)
	}
	return residence, queued
}

// near checks a time that cannot be longer than a client saw, give or take the wake-ups of a busy machine.
func (b *bench) near(what string, got, low, high time.Duration) {
	b.t.Helper()
	if got < low-time.Millisecond || got > high+time.Millisecond {
		b.t.Errorf("%s is %s, want %s to %s", what, got, low, high)
	}
}

// tables makes the listeners known as tiers, numbered from 0.
func (b *bench) tables(listeners ...net.Listener) Tables {
	b.t.Helper()
	var t Tables
	for i, l := range listeners {
		at := addrPort(l.Addr())
		t.Listeners = append(t.Listeners, Listener{NetNS: netNS(b.t), Addr: at.Addr(), Port: at.Port(),
			Station: window.Station(i)})
	}
	return t
}

func (b *bench) set(t Tables) {
	b.t.Helper()
	if err := b.SetTables(t); err != nil {
		b.t.Fatal(err)
	}
}

func addrPort(a net.Addr) netip.AddrPort {
	at := a.(*net.TCPAddr).AddrPort()
	return netip.AddrPortFrom(at.Addr().Unmap(), at.Port())
}

// netNS is the number of the calling thread's network namespace.
func netNS(t *testing.T) uint32 {
	t.Helper()
	var st syscall.Stat_t
	if err := syscall.Stat("/proc/thread-self/ns/net", &st); err != nil {
		t.Fatal(err)
	}
	return uint32(st.Ino)
}
