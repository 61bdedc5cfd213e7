// SPDX-License-Identifier: Apache-2.0

package monitor

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/nstar-project/nstar/exporters/nstar/config"
	"github.com/nstar-project/nstar/exporters/nstar/discovery"
	"github.com/nstar-project/nstar/exporters/nstar/window"
)

func TestDrift(t *testing.T) {
	for _, tt := range []struct {
		name    string
		carried int64
		counted []uint64 // one after the other; the last again and again
		want    int64
	}{
		{"agree", 3, []uint64{3}, 0},
		{"carried too many", 5, []uint64{3}, 2},
		{"carried too few", 1, []uint64{3}, -2},
		{"the queue moved meanwhile", 3, []uint64{20, 0, 3}, 0},
		{"moved, and drifted", 3, []uint64{20, 2, 7}, 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			b := newBench(t, chain, nil, io.Discard, nil)
			if err := b.scan(); err != nil {
				t.Fatal(err)
			}
			b.probe.book(0, b.probe.current(), window.Sums{Net: tt.carried})
			b.probe.inFlight = func() []uint64 {
				n := tt.counted[0]
				if len(tt.counted) > 1 {
					tt.counted = tt.counted[1:]
				}
				return []uint64{n, 0, 0, 0}
			}
			b.checkDrift()
			s := b.state(t)
			if s.Tiers[0].Drift != tt.want || s.Tiers[1].Drift != 0 {
				t.Errorf("drift %d and %d, want %d and 0", s.Tiers[0].Drift, s.Tiers[1].Drift, tt.want)
			}
		})
	}
}

// A difference that stays is set right after a minute, one that changes is left alone.
func TestDriftCorrected(t *testing.T) {
	b := newBench(t, chain, nil, io.Discard, nil)
	if err := b.scan(); err != nil {
		t.Fatal(err)
	}
	b.probe.book(0, b.probe.current(), window.Sums{Net: 5})
	check := func(counted uint64, drift int64, corrected uint64) {
		t.Helper()
		b.probe.inFlight = func() []uint64 { return []uint64{counted, 0, 0, 0} }
		b.checkDrift()
		s := b.state(t)
		if s.Tiers[0].Drift != drift || s.Dropped["drift"] != corrected {
			t.Errorf("drift %d, %d corrected; want %d, %d", s.Tiers[0].Drift, s.Dropped["drift"], drift, corrected)
		}
	}
	check(3, 2, 0)
	check(3, 2, 0)
	check(3, 2, 0)
	check(4, 1, 0)
	check(3, 2, 0)
	check(3, 2, 0)
	check(3, 2, 0)
	check(3, 0, 2)
	check(3, 0, 2)
	check(4, -1, 2)
}

// Edges are checked, too, and the connections of both: a call whose end was missed would look like a pool with a
// connection in use for ever, and a connection like a client that never asks.
func TestDriftOfConnectionsCorrected(t *testing.T) {
	b := newBench(t, chain, nil, io.Discard, nil)
	if err := b.scan(); err != nil {
		t.Fatal(err)
	}
	b.probe.edges = chainEdges
	b.refreshEdges()
	b.probe.book(3, b.probe.current(), window.Sums{Edge: true, Net: 2, Opened: 5})
	b.probe.book(0, b.probe.current(), window.Sums{Opened: 4})
	b.probe.inFlight = func() []uint64 { return make([]uint64, 6) }
	b.probe.connections = []uint64{2, 0, 0, 1, 0, 0}
	for range driftChecks {
		b.checkDrift()
	}
	for range 2 {
		edge := window.Station(3)
		calls, connections := b.settler.Carried(edge, b.probe.Sums), b.settler.CarriedConnections(edge, b.probe.Sums)
		if calls != 0 || connections != 1 {
			t.Errorf("%d calls and %d connections carried, want 0 and 1", calls, connections)
		}
		if clients := b.settler.CarriedConnections(0, b.probe.Sums); clients != 2 {
			t.Errorf("%d connections of clients carried, want 2", clients)
		}
		b.checkDrift()
	}
	if got := b.state(t).Dropped["drift"]; got != 8 {
		t.Errorf("%d corrected, want 8", got)
	}
}

func TestDriftCheckFails(t *testing.T) {
	var log strings.Builder
	b := newBench(t, chain, nil, &log, nil)
	b.probe.err = errors.New("no memory")
	b.checkDrift()
	if !strings.Contains(log.String(), "No drift check") {
		t.Errorf("log: %s", log.String())
	}
}

// run starts the loop and ends it with the test.
func run(t *testing.T, b *bench) (ended chan error) {
	ctx, cancel := context.WithCancel(context.Background())
	ended = make(chan error, 1)
	go func() { ended <- b.Run(ctx) }()
	t.Cleanup(func() {
		cancel()
		select {
		case err := <-ended:
			if err != nil {
				t.Errorf("the loop ended with %v", err)
			}
		case <-time.After(5 * time.Second):
			t.Error("the loop does not end")
		}
	})
	return ended
}

func eventually(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for deadline := time.Now().Add(4 * time.Second); !ok(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("%s: did not happen", what)
		}
	}
}

func TestRun(t *testing.T) {
	first, second := &config.Config{}, &config.Config{}
	b := newBench(t, discovery.Snapshot{}, first, io.Discard, nil)
	run(t, b)
	eventually(t, "first scan", func() bool { return b.scanner.scans() == 1 })

	b.scanner.mu.Lock()
	b.scanner.found = chain
	b.scanner.mu.Unlock()
	b.probe.mu.Lock()
	b.probe.listens++ // a socket starts to listen
	b.probe.mu.Unlock()
	eventually(t, "scan for the new socket", func() bool { return len(b.state(t).Tiers) == 3 })
	b.probe.book(0, b.probe.current(), window.Sums{Arrivals: 1, Completions: 1})
	eventually(t, "windows", func() bool { return b.state(t).Tiers[0].Totals.Arrivals == 1 })
	if b.buffer.Last() == 0 {
		t.Error("no samples")
	}

	b.Reload(context.Background(), second)
	eventually(t, "reload", func() bool {
		b.scanner.mu.Lock()
		defer b.scanner.mu.Unlock()
		return b.scanner.seen[len(b.scanner.seen)-1] == second
	})
}

func TestRunEndsWithoutDiscovery(t *testing.T) {
	b := newBench(t, chain, nil, io.Discard, nil)
	b.scanner.err = errors.New("no procfs")
	if err := b.Run(context.Background()); !errors.Is(err, b.scanner.err) {
		t.Errorf("error %v", err)
	}
}

func TestReloadDoesNotOutliveItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	newBench(t, chain, nil, io.Discard, nil).Reload(ctx, &config.Config{}) // nobody listens
}

func TestScanProblems(t *testing.T) {
	var log strings.Builder
	found := chain
	found.Denied, found.Unowned = 3, 2
	found.Tiers = append(found.Tiers[:3:3], discovery.Tier{App: "one", Name: "too many"})
	b := newBench(t, found, nil, &log, nil)
	b.probe.err = errors.New("table full")
	for range 2 {
		if err := b.scan(); err != nil {
			t.Fatal(err)
		}
	}
	if n := strings.Count(log.String(), "Some tiers may be missing"); n != 1 {
		t.Errorf("warned %d times of what may not be read:\n%s", n, log.String())
	}
	b.probe.err = nil
	if s := b.state(t); s.Dropped["socket_tables"] != 2 || s.Dropped["tier_limit"] != 1 {
		t.Errorf("dropped %v", s.Dropped)
	}
}
