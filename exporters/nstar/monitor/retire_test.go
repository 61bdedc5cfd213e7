// SPDX-License-Identifier: Apache-2.0

package monitor

import (
	"fmt"
	"io"
	"maps"
	"net/netip"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/nstar-project/nstar/exporters/nstar/clock"
	"github.com/nstar-project/nstar/exporters/nstar/discovery"
	"github.com/nstar-project/nstar/exporters/nstar/probe"
	"github.com/nstar-project/nstar/exporters/nstar/window"
)

// later is a bench whose monitor's clock for absences the test moves on.
func later(t *testing.T, found discovery.Snapshot) (b *bench, wait func(time.Duration)) {
	b = newBench(t, found, nil, io.Discard, nil)
	var moved time.Duration
	b.now = func() time.Duration { return clock.Monotonic() + moved }
	b.probe.inFlight = func() []uint64 { return make([]uint64, maxTiers+maxEdges) }
	b.probe.connections = make([]uint64, maxTiers+maxEdges)
	return b, func(d time.Duration) { moved += d }
}

func (b *bench) find(t *testing.T, names ...string) {
	t.Helper()
	b.scanner.mu.Lock()
	b.scanner.found = discovery.Snapshot{}
	for i, name := range names {
		b.scanner.found.Tiers = append(b.scanner.found.Tiers, discovery.Tier{
			App: "a", Name: name, Listeners: []discovery.Listener{listener(1, fmt.Sprintf("0.0.0.0:%d", 80+i))},
			PIDs: []int32{int32(10 + i)},
		})
	}
	b.scanner.mu.Unlock()
	if err := b.scan(); err != nil {
		t.Fatal(err)
	}
}

// settled waits until the present window is handed out.
func (b *bench) settled() {
	time.Sleep(settle + window.Margin + 3*width)
	b.read()
}

// The number of a tier that is gone is held back as long as a client's connection bears it: it would be counted for the
// next.
func TestTierNumberOfOpenConnections(t *testing.T) {
	b, wait := later(t, discovery.Snapshot{})
	b.find(t, "first")
	number := b.stations.numbers[discovery.TierName{App: "a", Tier: "first"}]
	b.probe.connections[number] = 1
	b.find(t)
	wait(retireAfter)
	b.find(t)
	b.find(t)
	if !slices.Contains(b.stations.waiting(), number) {
		t.Error("the number of a tier is given back while a connection bears it")
	}
	b.probe.connections[number] = 0
	b.find(t)
	if slices.Contains(b.stations.waiting(), number) {
		t.Error("the number of a tier is held back though no connection bears it")
	}
}

// Restarts of containers, each under another name, for ever: each is measured, with counters and judgements of its own.
func TestTierNumbersAreReused(t *testing.T) {
	b, wait := later(t, discovery.Snapshot{})
	for i := range 10 {
		name := fmt.Sprintf("container-%d", i)
		b.find(t, name)
		for range 3 { // the number of an earlier one is taken back when this one waits for it
			if len(b.stations.refused) == 0 {
				break
			}
			wait(vacateAfter)
			b.find(t, name)
		}
		b.probe.book(b.stations.numbers[discovery.TierName{App: "a", Tier: name}], b.probe.current(), window.Sums{
			Arrivals: uint64(i + 1), Net: int64(i + 1), Area: one,
		})
		b.probe.residences[b.stations.numbers[discovery.TierName{App: "a", Tier: name}]] += uint64(i + 1)
		b.settled()
		found := false
		for _, tier := range b.state(t).Tiers {
			if tier.Tier != name {
				continue
			}
			found = true
			if tier.Totals.Arrivals != uint64(i+1) || tier.Residences.Counts[100] != uint64(i+1) || !tier.HasJudged {
				t.Errorf("%s has %+v, %d residences", name, tier.Totals, tier.Residences.Counts[100])
			}
			number := b.stations.numbers[discovery.TierName{App: "a", Tier: name}]
			if n := b.reader.Carried(number); n != int64(i+1) {
				t.Errorf("%s: queue of %d, want %d", name, n, i+1)
			}
		}
		if !found {
			t.Fatalf("%s is not measured: %v", name, b.stations.holders())
		}
	}
	if judges := len(maps.Collect(b.judges.All())); judges > maxTiers {
		t.Errorf("%d judges are kept", judges)
	}
	if n := b.state(t).Dropped["tier_limit"]; n != 7 {
		t.Errorf("%d waited for a number, want 7", n)
	}
	if _, ok := b.judges.Memory()[discovery.TierName{App: "a", Tier: "container-0"}]; !ok {
		t.Error("what was learned of the first is forgotten")
	}
}

// A number that a connection still bears is not given to another tier.
func TestNumbersInUseAreHeldBack(t *testing.T) {
	b, wait := later(t, discovery.Snapshot{})
	b.find(t, "web")
	b.find(t)
	wait(retireAfter)
	inFlight := make([]uint64, maxTiers+maxEdges)
	inFlight[0] = 1
	b.probe.inFlight = func() []uint64 { return inFlight }
	for range 3 {
		b.find(t, "next")
		if b.stations.numbers[discovery.TierName{App: "a", Tier: "next"}] == 0 {
			t.Fatal("a request in flight bears the number")
		}
		if tiers := b.state(t).Tiers; len(tiers) != 1 || tiers[0].Tier != "next" {
			t.Fatalf("tiers %+v", tiers)
		}
	}
	inFlight[0] = 0
	b.find(t, "next")
	if diff := cmp.Diff([]string{"", "next"}, b.stations.holders()); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// edgesTo are edges of station 0 to addresses that nobody knows.
func edgesTo(n int) (out []probe.Edge) {
	for i := range n {
		out = append(out, probe.Edge{
			Station: window.Station(maxTiers + i), From: 0, NetNS: 1,
			To: netip.AddrPortFrom(netip.AddrFrom4([4]byte{203, 0, 113, byte(i)}), 443),
		})
	}
	return out
}

func TestEdgeNumbersAreGivenBack(t *testing.T) {
	for _, tt := range []struct {
		name  string
		edges int
		wait  time.Duration
		gone  bool // the tier that calls
		freed int
	}{
		{"used lately", 2, forgetEdgeAfter - time.Minute, false, 0},
		{"unused", 2, forgetEdgeAfter, false, 1},
		{"unused, table nearly full", maxEdges, crowdedAfter, false, maxEdges - 1},
		{"caller gone", 2, retireAfter, true, 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			b, wait := later(t, discovery.Snapshot{})
			b.find(t, "web")
			b.probe.edges = edgesTo(tt.edges)
			for _, e := range b.probe.edges {
				b.probe.book(e.Station, b.probe.current(), window.Sums{Edge: true, Arrivals: 1, Completions: 1})
			}
			b.probe.book(0, b.probe.current(), window.Sums{Arrivals: 1, Completions: 1})
			b.settled()
			// the first edge has a connection that idles
			b.probe.connections[maxTiers] = 1
			b.probe.book(maxTiers, b.probe.current(), window.Sums{Edge: true, Opened: 1})
			before := len(b.judges.Of(discovery.TierName{App: "a", Tier: "web"}, 0).Sums().Left)
			wait(tt.wait)
			b.settled()
			b.edgeUsed[maxTiers] = b.now()
			if tt.gone {
				b.find(t)
			} else {
				b.find(t, "web")
			}
			if len(b.probe.freed) != tt.freed {
				t.Errorf("freed %v, want %d", b.probe.freed, tt.freed)
			}
			if tt.gone {
				if len(b.held) != 1 || len(b.state(t).Edges) != 0 {
					t.Errorf("held back %v, want that with a connection", b.held)
				}
				return
			}
			if n := len(b.state(t).Edges); n != tt.edges-tt.freed {
				t.Errorf("%d edges, want %d", n, tt.edges-tt.freed)
			}
			each := before / tt.edges
			if n := len(b.judges.Of(discovery.TierName{App: "a", Tier: "web"}, 0).Sums().Left); n != each*(tt.edges-tt.freed) {
				t.Errorf("%d series of what stops left behind, want %d of %d", n, each*(tt.edges-tt.freed), before)
			}
		})
	}
}

// A connection that took the number at the last moment keeps it.
func TestEdgeUsedAtTheLastMoment(t *testing.T) {
	b, wait := later(t, discovery.Snapshot{})
	b.find(t, "web")
	b.probe.edges = edgesTo(1)
	b.refreshEdges()
	b.probe.connections[maxTiers] = 1
	wait(forgetEdgeAfter)
	b.find(t, "web")
	if len(b.probe.freed) != 0 || len(b.held) != 0 || len(b.edges) != 1 || len(b.edgeNames) != 1 {
		t.Errorf("freed %v, held back %v, edges %v", b.probe.freed, b.held, b.edges)
	}
}
