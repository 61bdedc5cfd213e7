// SPDX-License-Identifier: Apache-2.0

package monitor

import (
	"fmt"
	"io"
	"maps"
	"net/netip"
	"testing"
	"time"

	"github.com/nstar-project/nstar/exporters/nstar/clock"
	"github.com/nstar-project/nstar/exporters/nstar/discovery"
	"github.com/nstar-project/nstar/exporters/nstar/probe"
	"github.com/nstar-project/nstar/exporters/nstar/window"
)

// longAway is how long tiers and edges must be without a process or connection before they are given up.
const longAway = 10 * time.Minute

// later is a bench in which the test moves on the clock by which the monitor measures absences.
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

// Containers restart for ever, each time under another name. Each of them is measured, with its own counters and
// judgements.
func TestTierNumbersAreReused(t *testing.T) {
	b, wait := later(t, discovery.Snapshot{})
	for i := range 10 {
		name := fmt.Sprintf("container-%d", i)
		b.find(t, name)
		for range 3 { // an earlier number is taken back when this container waits for one
			if _, ok := b.stations.Number(discovery.TierName{App: "a", Tier: name}); ok {
				break
			}
			wait(time.Minute)
			b.find(t, name)
		}
		number, _ := b.stations.Number(discovery.TierName{App: "a", Tier: name})
		b.probe.book(number, b.probe.current(), window.Sums{
			Arrivals: uint32(i + 1), Net: int32(i + 1), Area: one,
		})
		b.probe.residences[number] += uint64(i + 1)
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
			if n := b.reader.Carried(number); n != int64(i+1) {
				t.Errorf("%s: queue of %d, want %d", name, n, i+1)
			}
		}
		if !found {
			t.Fatalf("%s is not measured", name)
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

// The judge of a tier forgets the destinations of edges that are given up, and is dropped with its tier.
func TestDestinationsOfEdgesThatAreGone(t *testing.T) {
	b, wait := later(t, discovery.Snapshot{})
	b.find(t, "web")
	for i := range 2 {
		b.probe.edges = append(b.probe.edges, probe.Edge{
			Station: window.Station(maxTiers + i), From: 0, NetNS: 1,
			To: netip.AddrPortFrom(netip.AddrFrom4([4]byte{203, 0, 113, byte(i)}), 443),
		})
		b.probe.book(b.probe.edges[i].Station, b.probe.current(), window.Sums{Edge: true, Arrivals: 1, Completions: 1})
	}
	b.probe.book(0, b.probe.current(), window.Sums{Arrivals: 1, Completions: 1})
	b.settled()
	left := func() int { return len(b.state(t).Tiers[0].Left) }
	before := left()
	wait(longAway)
	b.stations.Use([]window.Window{{Station: maxTiers, Connections: 1}}, b.now())
	b.find(t, "web")
	if n := left(); before == 0 || n != before/2 || len(b.state(t).Edges) != 1 || len(b.probe.freed) != 1 {
		t.Errorf("%d series of what stops left behind, want half of %d; %d edges", n, before, len(b.state(t).Edges))
	}
	wait(longAway)
	b.find(t)
	if s := b.state(t); len(s.Tiers)+len(s.Edges) != 0 ||
		b.judges.Find(discovery.TierName{App: "a", Tier: "web"}) != nil {
		t.Errorf("%d tiers and %d edges are left", len(s.Tiers), len(s.Edges))
	}
}
