// SPDX-License-Identifier: Apache-2.0

package monitor

import (
	"context"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nstar-project/nstar/exporters/nstar/config"
	"github.com/nstar-project/nstar/exporters/nstar/discovery"
	"github.com/nstar-project/nstar/exporters/nstar/window"
)

// A check that finds a count wrong for the fourth time logs to which station the count belongs.
func TestDriftIsSaid(t *testing.T) {
	var log strings.Builder
	b := newBench(t, chain, nil, &log, nil)
	if err := b.scan(); err != nil {
		t.Fatal(err)
	}
	b.probe.edges = chainEdges
	b.stations.Refresh(b.now())
	b.probe.book(0, b.probe.current(), window.Sums{Net: 5})
	b.probe.book(3, b.probe.current(), window.Sums{Edge: true, Opened: 5})
	b.probe.inFlight = func() []uint64 { return make([]uint64, 6) }
	for range 4 {
		b.checkDrift()
	}
	for _, want := range []string{`what="queue of shop/web" by=-5`, `what="connections from shop/web to db" by=-5`} {
		if !strings.Contains(log.String(), want) {
			t.Errorf("%s is not in the log:\n%s", want, log.String())
		}
	}
	if got := b.state(t).Dropped["drift"]; got != 10 {
		t.Errorf("%d corrected, want 10", got)
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

// The state contains which server a tier is, and which Unix sockets it calls, as the scan found it.
func TestPrograms(t *testing.T) {
	b := newBench(t, chain, nil, t.Output(), nil)
	found := chain
	found.Tiers = slices.Clone(chain.Tiers)
	found.Tiers[0].Program, found.Tiers[0].OverUnix = "httpd", []string{"/run/app.sock"}
	found.Tiers[0].Clients = []string{"python3"}
	found.Tiers[0].Code = "bin/server"
	b.scanner.found = found
	if err := b.scan(); err != nil {
		t.Fatal(err)
	}
	if s := b.state(t); s.Tiers[0].Program != "httpd" || s.Tiers[1].Program != "" {
		t.Errorf("the tiers are %q and %q", s.Tiers[0].Program, s.Tiers[1].Program)
	} else if s.Tiers[0].Code != "bin/server" || s.Tiers[1].Code != "" {
		t.Errorf("they run %q and %q", s.Tiers[0].Code, s.Tiers[1].Code)
	} else if !slices.Equal(s.Tiers[0].Clients, []string{"python3"}) || len(s.Tiers[1].Clients) > 0 {
		t.Errorf("%q and %q call them", s.Tiers[0].Clients, s.Tiers[1].Clients)
	} else if !slices.Equal(s.Tiers[0].OverUnix, []string{"/run/app.sock"}) || len(s.Tiers[1].OverUnix) > 0 {
		t.Errorf("they call %q and %q", s.Tiers[0].OverUnix, s.Tiers[1].OverUnix)
	}
}
