// SPDX-License-Identifier: Apache-2.0

package stations

import (
	"net/netip"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/nstar-project/nstar/exporters/nstar/config"
	"github.com/nstar-project/nstar/exporters/nstar/discovery"
	"github.com/nstar-project/nstar/exporters/nstar/probe"
	"github.com/nstar-project/nstar/exporters/nstar/window"
)

var comparable = cmpopts.EquateComparable(netip.AddrPort{}, netip.Addr{})

var room = probe.Room{Listeners: 100, Processes: 100, Outgoing: 100}

func TestTables(t *testing.T) {
	s := newTiers(2)
	local, remote := netip.MustParseAddrPort("127.0.0.1:5000"), netip.MustParseAddrPort("127.0.0.1:3306")
	found := discovery.Snapshot{
		Tiers: []discovery.Tier{
			{App: "a", Name: "web", Protocol: config.HTTP, PIDs: []int32{10, 11}, Started: []int32{12},
				Listeners: []discovery.Listener{listener(1, "0.0.0.0:80"), listener(1, "[::]:80")}},
			{App: "b", Name: "web", PIDs: []int32{20}, Protocol: config.Auto,
				Listeners: []discovery.Listener{listener(2, "0.0.0.0:80")}},
			{App: "b", Name: "third", PIDs: []int32{30}, Listeners: []discovery.Listener{listener(2, "0.0.0.0:81")}},
		},
		Outgoing: []discovery.Connection{
			{NetNS: 1, Local: local, Remote: remote, PID: 11},
			{NetNS: 2, Local: local, Remote: remote, PID: 12},
			{NetNS: 1, Local: remote, Remote: local, PID: 30}, // of a tier that found no place
			{NetNS: 1, Local: remote, Remote: local, PID: 40}, // of no tier
		},
	}
	s.admit(found.Tiers, 0, 0)
	got, left := s.tables(found, nil, room)
	want := probe.Tables{
		Listeners: []probe.Listener{
			{NetNS: 1, Addr: netip.IPv4Unspecified(), Port: 80, Station: 0, Protocol: config.HTTP.Number()},
			{NetNS: 1, Addr: netip.IPv6Unspecified(), Port: 80, Station: 0, Protocol: config.HTTP.Number()},
			{NetNS: 2, Addr: netip.IPv4Unspecified(), Port: 80, Station: 1},
		},
		Processes: map[uint32]window.Station{10: 0, 11: 0, 20: 1},
		Outgoing: []probe.Outgoing{
			{NetNS: 1, Local: local, Remote: remote, From: 0}, {NetNS: 2, Local: local, Remote: remote, From: 0}},
	}
	if diff := cmp.Diff(want, got, comparable); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if !s.refused[discovery.TierName{App: "b", Tier: "third"}] || s.refusals != 1 || left != 0 {
		t.Errorf("refused %v, %d left out", s.refused, left)
	}
}

// A process with more sockets than the tables hold leaves room for the other tiers.
func TestTablesAreShared(t *testing.T) {
	var found discovery.Snapshot
	for k, name := range []string{"greedy", "modest"} {
		tier := discovery.Tier{App: "a", Name: name}
		for i := range map[string]int{"greedy": 5000, "modest": 3}[name] {
			tier.Listeners = append(tier.Listeners, discovery.Listener{NetNS: 1, Addr: netip.IPv4Unspecified(),
				Port: uint16(i)})
			tier.PIDs = append(tier.PIDs, int32(k*10000+i+1))
		}
		for i := range tier.PIDs {
			found.Outgoing = append(found.Outgoing, discovery.Connection{PID: tier.PIDs[i],
				Local: netip.AddrPortFrom(netip.IPv4Unspecified(), uint16(i))})
		}
		found.Tiers = append(found.Tiers, tier)
	}
	s := newTiers(2)
	s.admit(found.Tiers, 0, 0)
	got, left := s.tables(found, make([]probe.Remote, 10), probe.Room{Listeners: 100, Processes: 50, Outgoing: 20})
	listeners, connections := make(map[window.Station]int), make(map[window.Station]int)
	for _, l := range got.Listeners {
		listeners[l.Station]++
	}
	for _, o := range got.Outgoing {
		connections[o.From]++
	}
	want := map[window.Station]int{0: 87, 1: 3} // 10 are for the remotes
	if diff := cmp.Diff(want, listeners); diff != "" {
		t.Errorf("listeners (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(map[window.Station]int{0: 17, 1: 3}, connections); diff != "" {
		t.Errorf("connections (-want +got):\n%s", diff)
	}
	if len(got.Processes) != 50 || left != 5000-87+5000-47+5000-17 {
		t.Errorf("%d processes, %d left out", len(got.Processes), left)
	}
}

func TestShare(t *testing.T) {
	for _, tt := range []struct {
		wanted []int
		room   int
		want   int
	}{{nil, 5, 5}, {[]int{1, 2}, 10, 10}, {[]int{10, 10}, 10, 5}, {[]int{1, 100}, 10, 9}, {[]int{5, 5, 5}, 2,
		0}, {[]int{1}, -3, 0}} {
		if got := share(tt.wanted, tt.room); got != tt.want {
			t.Errorf("of %v in %d each may have %d, want %d", tt.wanted, tt.room, got, tt.want)
		}
	}
}
