// SPDX-License-Identifier: Apache-2.0

package stations

import (
	"errors"
	"fmt"
	"log/slog"
	"net/netip"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/nstar-project/nstar/exporters/nstar/config"
	"github.com/nstar-project/nstar/exporters/nstar/discovery"
	"github.com/nstar-project/nstar/exporters/nstar/peers"
	"github.com/nstar-project/nstar/exporters/nstar/probe"
	"github.com/nstar-project/nstar/exporters/nstar/window"
)

const maxTiers, maxEdges = 3, 8

// fakeProbe numbers the edges that the test wants, and returns the counts over sockets that the test wants.
type fakeProbe struct {
	tables     probe.Tables
	edges      []probe.Edge
	renumbered uint32
	freed      []window.Station
	counts     probe.Counts
	err        error
}

func (f *fakeProbe) SetTables(t probe.Tables) error { f.tables = t; return f.err }
func (f *fakeProbe) Count() (probe.Counts, error)   { return f.counts, f.err }
func (f *fakeProbe) Edges() ([]probe.Edge, error)   { return f.edges, f.err }
func (f *fakeProbe) EdgesChanged() uint32           { return uint32(len(f.edges)) + f.renumbered }
func (f *fakeProbe) Room() probe.Room               { return room }

func (f *fakeProbe) ForgetEdge(e probe.Edge) error {
	if f.err == nil {
		f.edges = slices.DeleteFunc(slices.Clone(f.edges), func(o probe.Edge) bool { return o == e })
		f.renumbered++
	}
	return f.err
}

func (f *fakeProbe) KeepEdge(e probe.Edge) bool {
	f.edges = append(slices.Clone(f.edges), e)
	return true
}

func (f *fakeProbe) FreeEdge(e probe.Edge) error {
	f.freed = append(f.freed, e.Station)
	return f.err
}

// bench is stations over a fake, at a time that the test advances.
type bench struct {
	*Stations
	kernel *fakeProbe
	now    time.Duration
	begun  []window.Station
}

func newBench(t *testing.T) *bench {
	b := &bench{kernel: &fakeProbe{}, now: time.Hour}
	none := func() []uint64 { return make([]uint64, maxTiers+maxEdges) }
	b.kernel.counts = probe.Counts{InFlight: none(), Connections: none()}
	begin := func(n window.Station) {
		if slices.Contains(b.kernel.freed, n) {
			t.Errorf("edge %d begins after its number was freed", n)
		}
		b.begun = append(b.begun, n)
	}
	b.Stations = New(maxTiers, maxEdges, b.kernel, begin, slog.New(slog.NewTextHandler(t.Output(), nil)))
	return b
}

// find is a scan that finds tiers of the application "a".
func (b *bench) find(names ...string) Gone {
	var found discovery.Snapshot
	for i, name := range names {
		found.Tiers = append(found.Tiers, discovery.Tier{
			App: "a", Name: name, Listeners: []discovery.Listener{listener(1, fmt.Sprintf("0.0.0.0:%d", 80+i))},
			PIDs: []int32{int32(10 + i)},
		})
	}
	gone := b.Retire(found, b.now)
	b.Admit(found, 0, b.now)
	b.Tell(found, nil, peers.Names{})
	return gone
}

func (b *bench) number(name string) (window.Station, bool) {
	return b.Number(discovery.TierName{App: "a", Tier: name})
}

// The number of a tier that is gone is held back while a client's connection carries it. Otherwise the connection would
// count for the next tier.
func TestTierNumberOfOpenConnections(t *testing.T) {
	b := newBench(t)
	b.find("first")
	number, _ := b.number("first")
	b.kernel.counts.Connections[number] = 1
	b.find()
	b.now += retireAfter
	if gone := b.find(); len(gone.Tiers) != 1 || !slices.Equal(gone.Numbers, []window.Station{number}) {
		t.Errorf("gone: %+v", gone)
	}
	b.find()
	if !slices.Contains(b.tiers.waiting(), number) {
		t.Error("the number of a tier is given back while a connection bears it")
	}
	b.kernel.counts.Connections[number] = 0
	b.find()
	if slices.Contains(b.tiers.waiting(), number) {
		t.Error("the number of a tier is held back though no connection bears it")
	}
}

// A number that a connection still carries is not given to another tier.
func TestNumbersInUseAreHeldBack(t *testing.T) {
	b := newBench(t)
	b.find("web")
	b.find()
	b.now += retireAfter
	b.kernel.counts.InFlight[0] = 1
	for range 3 {
		b.find("next")
		if n, _ := b.number("next"); n == 0 {
			t.Fatal("a request in flight bears the number")
		}
		if tiers := b.Tiers(); len(tiers) != 1 {
			t.Fatalf("tiers %v", tiers)
		}
	}
	b.kernel.counts.InFlight[0] = 0
	b.find("next")
	if diff := cmp.Diff([]string{"", "next"}, b.tiers.holders()); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// edgesTo are edges of station 0 to unknown addresses.
func edgesTo(n int) (out []probe.Edge) {
	for i := range n {
		out = append(out, probe.Edge{
			Station: window.Station(maxTiers + i), From: 0, NetNS: 1,
			To: netip.AddrPortFrom(netip.AddrFrom4([4]byte{203, 0, 113, byte(i)}), 443),
		})
	}
	return out
}

// Of several edges, all are given up except the first one, whose connection is idle.
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
			b := newBench(t)
			b.find("web")
			b.kernel.edges = edgesTo(tt.edges)
			b.Refresh(b.now)
			b.kernel.counts.Connections[maxTiers] = 1
			b.now += tt.wait
			b.Use([]window.Window{{Station: 0, Connections: 1}, {Station: maxTiers, Connections: 1},
				{Station: maxTiers + 1}}, b.now)
			found := []string{"web"}
			if tt.gone {
				found = nil
			}
			gone := b.find(found...)
			if len(b.kernel.freed) != tt.freed || !slices.Equal(b.begun, b.kernel.freed) {
				t.Errorf("freed %v, begun %v, want %d", b.kernel.freed, b.begun, tt.freed)
			}
			if tt.gone {
				if len(b.Edges()) != 0 || !slices.Equal(b.Measured(), []window.Station{maxTiers}) {
					t.Errorf("edges %v, measured %v, want that with a connection held back", b.Edges(), b.Measured())
				}
				return
			}
			if n := len(b.Edges()); n != tt.edges-tt.freed {
				t.Errorf("%d edges, want %d", n, tt.edges-tt.freed)
			}
			if len(gone.Edges) != tt.freed || len(gone.Numbers) != tt.freed || len(gone.Tiers) != 0 {
				t.Errorf("gone: %+v", gone)
			}
		})
	}
}

// A connection that took the number at the last moment keeps it.
func TestEdgeUsedAtTheLastMoment(t *testing.T) {
	b := newBench(t)
	b.find("web")
	b.kernel.edges = edgesTo(1)
	b.Refresh(b.now)
	b.kernel.counts.Connections[maxTiers] = 1
	b.now += forgetEdgeAfter
	b.find("web")
	if _, named := b.Edge(maxTiers); len(b.kernel.freed) != 0 || len(b.Edges()) != 1 || len(b.Measured()) != 2 ||
		!named {
		t.Errorf("freed %v, edges %v, measured %v", b.kernel.freed, b.Edges(), b.Measured())
	}
}

// An edge that the kernel side does not give up stays as it is. So does everything that is held back while sockets
// can't be counted.
func TestEdgeThatIsNotGivenUp(t *testing.T) {
	b := newBench(t)
	b.find("web")
	b.kernel.edges = edgesTo(1)
	b.Refresh(b.now)
	b.kernel.err = errors.New("busy")
	b.now += forgetEdgeAfter
	if gone := b.find("web"); len(gone.Edges)+len(gone.Numbers) != 0 || len(b.Edges()) != 1 {
		t.Errorf("gone %+v, edges %v", gone, b.Edges())
	}
	b.kernel.err = nil
	if gone := b.find("web"); len(gone.Edges) != 1 || len(b.Edges()) != 0 {
		t.Errorf("gone %+v, edges %v", gone, b.Edges())
	}
}

// Tables that are refused, and sockets for which there is no room, are counted once for as long as this lasts.
func TestTablesFull(t *testing.T) {
	b := newBench(t)
	b.kernel.err = errors.New("table full")
	b.find("web")
	b.find("web")
	if n := b.TablesFull(); n != 2 {
		t.Errorf("%d after two refusals, want 2", n)
	}
	b.kernel.err = nil
	many := discovery.Snapshot{Tiers: []discovery.Tier{{App: "a", Name: "web"}}}
	for i := range room.Listeners + 5 {
		many.Tiers[0].Listeners = append(many.Tiers[0].Listeners, listener(1, fmt.Sprintf("0.0.0.0:%d", 1+i)))
	}
	b.Tell(many, nil, peers.Names{})
	b.Tell(many, nil, peers.Names{})
	if n := b.TablesFull(); n != 2+5 {
		t.Errorf("%d, want 5 sockets more", n)
	}
}

// A server that was killed is called by its name as long as it has one, unless another one listens there.
func TestDestinationThatIsAway(t *testing.T) {
	b := newBench(t)
	b.find("web", "db")
	at := netip.MustParseAddrPort("127.0.0.1:81")
	b.kernel.edges = []probe.Edge{{From: 0, NetNS: 1, To: at, Station: maxTiers}}
	b.Refresh(b.now)
	want := func(when, name string) {
		t.Helper()
		if e, _ := b.Edge(maxTiers); e.To != name {
			t.Errorf("%s: the destination is %s", when, e.To)
		}
	}
	want("at first", "db")
	b.find("web")
	want("away", "db")
	b.find("web", "other")
	want("replaced", "other")
	b.find("web")
	want("the other one is away, too", "other")
	b.now += retireAfter
	b.edges.used[maxTiers] = b.now
	b.find("web")
	want("away for long", at.String())
}

// A remote of the configuration goes to the kernel side with its protocol, and names its edges.
func TestRemotes(t *testing.T) {
	b := newBench(t)
	b.find("web")
	b.kernel.edges = edgesTo(1)
	b.Refresh(b.now)
	if e, ok := b.Edge(maxTiers); !ok || e.Known || e.To != "203.0.113.0:443" || e.Caller != 0 {
		t.Errorf("%+v", e)
	}
	b.Tell(discovery.Snapshot{}, []config.Remote{{Name: "db", Address: b.kernel.edges[0].To, Protocol: config.HTTP}},
		peers.Names{})
	if e, ok := b.Edge(maxTiers); !ok || !e.Known || e.EdgeName != (EdgeName{"a", "web", "db"}) {
		t.Errorf("%+v", e)
	}
	want := []probe.Remote{{Address: b.kernel.edges[0].To, Protocol: config.HTTP.Number()}}
	if diff := cmp.Diff(want, b.kernel.tables.Remotes, comparable); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}
