// SPDX-License-Identifier: Apache-2.0

package monitor

import (
	"net/netip"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/nstar-project/nstar/exporters/nstar/internal/config"
	"github.com/nstar-project/nstar/exporters/nstar/internal/discovery"
	"github.com/nstar-project/nstar/exporters/nstar/internal/probe"
	"github.com/nstar-project/nstar/exporters/nstar/internal/window"
)

var comparable = cmpopts.EquateComparable(netip.AddrPort{}, netip.Addr{})

func TestTables(t *testing.T) {
	s := newStations(2)
	local, remote := netip.MustParseAddrPort("127.0.0.1:5000"), netip.MustParseAddrPort("127.0.0.1:3306")
	got := s.tables(discovery.Snapshot{
		Tiers: []discovery.Tier{
			{App: "a", Name: "web", Protocol: config.HTTP, PIDs: []int32{10, 11}, Listeners: []discovery.Listener{listener(1, "0.0.0.0:80"), listener(1, "[::]:80")}},
			{App: "b", Name: "web", PIDs: []int32{20}, Protocol: config.Auto, Listeners: []discovery.Listener{listener(2, "0.0.0.0:80")}},
			{App: "b", Name: "third", PIDs: []int32{30}, Listeners: []discovery.Listener{listener(2, "0.0.0.0:81")}},
		},
		Outgoing: []discovery.Connection{
			{NetNS: 1, Local: local, Remote: remote, PID: 11},
			{NetNS: 1, Local: remote, Remote: local, PID: 30}, // of a tier that found no place
			{NetNS: 1, Local: remote, Remote: local, PID: 40}, // of no tier
		},
	})
	want := probe.Tables{
		Listeners: []probe.Listener{
			{NetNS: 1, Addr: netip.IPv4Unspecified(), Port: 80, Station: 0, Protocol: probe.HTTP},
			{NetNS: 1, Addr: netip.IPv6Unspecified(), Port: 80, Station: 0, Protocol: probe.HTTP},
			{NetNS: 2, Addr: netip.IPv4Unspecified(), Port: 80, Station: 1},
		},
		Processes: map[uint32]window.Station{10: 0, 11: 0, 20: 1},
		Outgoing:  []probe.Outgoing{{NetNS: 1, Local: local, Remote: remote, From: 0}},
	}
	if diff := cmp.Diff(want, got, comparable); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if !s.refused[TierName{"b", "third"}] || len(s.refused) != 1 {
		t.Errorf("refused %v", s.refused)
	}
}

// A tier that comes back has its old number; one that came between has not got it.
func TestNumbersStay(t *testing.T) {
	s := newStations(10)
	first, second := TierName{"a", "web"}, TierName{"a", "db"}
	for _, tt := range []struct {
		name TierName
		want window.Station
	}{{first, 0}, {second, 1}, {first, 0}, {TierName{"b", "web"}, 2}, {second, 1}} {
		if got, ok := s.number(tt.name); got != tt.want || !ok {
			t.Errorf("%v is %d %v, want %d", tt.name, got, ok, tt.want)
		}
	}
}

func TestEveryProtocolIsKnown(t *testing.T) {
	for _, p := range []config.Protocol{config.Auto, config.HTTP, config.AJP, config.MySQL, config.TLS, config.Turns} {
		if got, ok := protocols[p]; !ok || (got == probe.Auto) != (p == config.Auto) {
			t.Errorf("%s is %d %v", p, got, ok)
		}
	}
}
