// SPDX-License-Identifier: Apache-2.0

package stations

import (
	"net/netip"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/nstar-project/nstar/exporters/nstar/config"
	"github.com/nstar-project/nstar/exporters/nstar/discovery"
	"github.com/nstar-project/nstar/exporters/nstar/peers"
	"github.com/nstar-project/nstar/exporters/nstar/probe"
)

func called(app, tier string, protocol config.Protocol) peers.Name {
	return peers.Name{TierName: discovery.TierName{App: app, Tier: tier}, Protocol: protocol}
}

// Tiers that other exporters measure have the names that these give them, but own tiers and remotes come first.
func TestNamesOfOthers(t *testing.T) {
	at := netip.MustParseAddrPort
	others := peers.Names{
		Here: map[discovery.Listener][]peers.Name{
			listener(hostNS, "127.0.0.1:3306"): {called("default", "mariadbd", config.MySQL),
				called("a", "db", config.MySQL)},
			listener(hostNS, "0.0.0.0:80"):  {called("a", "not me", config.Auto)},
			listener(otherNS, "0.0.0.0:90"): {called("b", "boxed", config.Auto)},
			listener(hostNS, "0.0.0.0:91"):  {called("b", "x", config.Auto), called("c", "y", config.Auto)},
		},
		There: map[netip.AddrPort][]peers.Name{
			at("10.0.0.5:6379"): {called("a", "cache", config.Redis)},
			at("10.0.0.5:3307"): {called("a", "wrong", config.Auto)},
		},
	}
	found := discovery.Snapshot{
		Tiers: []discovery.Tier{{App: "a", Name: "web",
			Listeners: []discovery.Listener{listener(hostNS, "0.0.0.0:80")}}},
		Addresses: discovery.Addresses{netip.MustParseAddr("192.0.2.1"): {hostNS},
			netip.MustParseAddr("172.17.0.2"): {otherNS}},
	}
	d := newDirectory(found, nil, []config.Remote{{Name: "right", Address: at("10.0.0.5:3307")}}, others)
	for to, want := range map[string]string{
		"127.0.0.1:3306": "db", "192.0.2.1:3306": "", "127.0.0.1:80": "web", "172.17.0.2:90": "b/boxed",
		"10.0.0.5:6379": "cache", "10.0.0.5:3307": "right", "10.0.0.6:6379": "", "127.0.0.1:91": "",
	} {
		name, known := d.name("a", probe.Edge{NetNS: hostNS, To: at(to)})
		if known != (want != "") || known && name != want || !known && name != to {
			t.Errorf("%s: %s %v, want %q", to, name, known, want)
		}
	}
}

// The kernel side is told of what others measure, and others are asked for what has no name and told what is measured.
func TestOthers(t *testing.T) {
	b := newBench(t)
	at := netip.MustParseAddrPort
	found := discovery.Snapshot{
		NetNS: hostNS, Exporters: []discovery.Listener{listener(hostNS, "0.0.0.0:9966"), listener(hostNS, "[::]:9967")},
		Tiers: []discovery.Tier{{App: "a", Name: "web", Protocol: config.HTTP,
			Listeners: []discovery.Listener{listener(hostNS, "0.0.0.0:80"), {NetNS: hostNS, Path: "/run/x"}}},
			{App: "a", Name: "unmeasured"}},
		Addresses: discovery.Addresses{netip.MustParseAddr("192.0.2.1"): {hostNS}},
	}
	one := discovery.Snapshot{Tiers: found.Tiers[:1]}
	b.Admit(one, 0, 0)
	web, _ := b.Number(discovery.TierName{App: "a", Tier: "web"})
	b.kernel.edges = []probe.Edge{
		{From: web, NetNS: hostNS, To: at("127.0.0.1:3306"), Station: maxTiers},
		{From: web, NetNS: hostNS, To: at("10.0.0.5:6379"), Station: maxTiers + 1},
		{From: web, NetNS: hostNS, To: at("10.0.0.5:6380"), Station: maxTiers + 2},
		{From: web, To: at("[::]:0"), Station: maxTiers + 3},
	}
	b.Refresh(0)
	want := peers.Wanted{Here: true, Exporters: []netip.AddrPort{at("127.0.0.1:9966"), at("[::1]:9967")},
		There: []netip.Addr{netip.MustParseAddr("10.0.0.5")}}
	equal := cmpopts.EquateComparable(netip.Addr{}, netip.AddrPort{})
	if diff := cmp.Diff(want, b.Wanted(found), equal); diff != "" {
		t.Errorf("wanted (-want +got):\n%s", diff)
	}
	lost := b.Tell(found, nil, peers.Names{
		Here: map[discovery.Listener][]peers.Name{
			listener(hostNS, "127.0.0.1:3306"): {called("another", "db", config.MySQL)}},
		There: map[netip.AddrPort][]peers.Name{at("10.0.0.5:6379"): {called("another", "cache", config.Redis)},
			at("10.0.0.5:6380"): {called("a", "cache", config.Redis)}},
	})
	if len(lost) != 3 {
		t.Errorf("%v have no edge any more, want the addresses of three", lost)
	}
	if w := b.Wanted(found); !w.Here || len(w.There) > 0 {
		t.Errorf("wanted of a server that another application's exporter measures, too: %+v", w)
	}
	b.Tell(found, nil, peers.Names{
		Here: map[discovery.Listener][]peers.Name{
			listener(hostNS, "127.0.0.1:3306"): {called("a", "db", config.MySQL)}},
		There: map[netip.AddrPort][]peers.Name{at("10.0.0.5:6379"): {called("a", "cache", config.Redis)},
			at("10.0.0.5:6380"): {called("a", "cache", config.Redis)}},
	})
	told := []probe.Remote{{Address: at("10.0.0.5:6379"), Protocol: config.Redis.Number()},
		{Address: at("10.0.0.5:6380"), Protocol: config.Redis.Number()},
		{Address: at("127.0.0.1:3306"), Protocol: config.MySQL.Number()}}
	if diff := cmp.Diff(told, b.kernel.tables.Remotes, equal); diff != "" {
		t.Errorf("told the kernel side (-want +got):\n%s", diff)
	}
	if w := b.Wanted(found); w.Here || len(w.There) > 0 {
		t.Errorf("still wanted: %+v", w)
	}
	answer := []peers.Tier{{App: "a", Name: "web", Protocol: config.HTTP,
		Listeners: []peers.Listener{{NetNS: hostNS, Address: at("0.0.0.0:80")}},
		Reached:   []netip.AddrPort{at("192.0.2.1:80")}}}
	if diff := cmp.Diff(answer, b.Answer(found), equal); diff != "" {
		t.Errorf("answer (-want +got):\n%s", diff)
	}
}

// Other hosts are told which tier is behind a service, but not what a sidecar takes over.
func TestServicesAreTold(t *testing.T) {
	b := newBench(t)
	at := netip.MustParseAddrPort
	found := discovery.Snapshot{
		NetNS: hostNS,
		Tiers: []discovery.Tier{
			{App: "a", Name: "cart", Listeners: []discovery.Listener{listener(otherNS, "0.0.0.0:8080")}},
			{App: "a", Name: "sidecar", Listeners: []discovery.Listener{listener(farNS, "127.0.0.1:15001")}},
		},
		Addresses: discovery.Addresses{at("10.1.0.2:0").Addr(): {otherNS}, at("10.1.0.3:0").Addr(): {farNS}},
		Translations: discovery.Translations{
			{NetNS: farNS, At: at("10.96.0.1:80")}:  {listener(otherNS, "10.1.0.2:8080")},
			{NetNS: hostNS, At: at("10.96.0.1:80")}: {listener(otherNS, "10.1.0.2:8080")},
			{NetNS: farNS, At: at("10.96.0.7:80")}:  {listener(farNS, "127.0.0.1:15001")},
		},
	}
	b.Admit(found, 0, 0)
	b.Tell(found, nil, peers.Names{})
	told := map[string][]netip.AddrPort{}
	for _, tier := range b.Answer(found) {
		told[tier.Name] = tier.Reached
	}
	want := map[string][]netip.AddrPort{"cart": {at("10.1.0.2:8080"), at("10.96.0.1:80")}, "sidecar": nil}
	if diff := cmp.Diff(want, told, cmpopts.EquateComparable(netip.AddrPort{})); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}
