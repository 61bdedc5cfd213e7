// SPDX-License-Identifier: Apache-2.0

package stations

import (
	"net/netip"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nstar-project/nstar/exporters/nstar/config"
	"github.com/nstar-project/nstar/exporters/nstar/discovery"
	"github.com/nstar-project/nstar/exporters/nstar/peers"
	"github.com/nstar-project/nstar/exporters/nstar/probe"
)

const hostNS, otherNS, farNS = 1, 2, 3

func listener(ns uint32, at string) discovery.Listener {
	a := netip.MustParseAddrPort(at)
	return discovery.Listener{NetNS: ns, Addr: a.Addr(), Port: a.Port()}
}

func TestDirectory(t *testing.T) {
	addr := netip.MustParseAddr
	found := discovery.Snapshot{
		Tiers: []discovery.Tier{
			{App: "a", Name: "web", Listeners: []discovery.Listener{listener(hostNS, "0.0.0.0:80"),
				listener(hostNS, "127.0.0.1:81")}},
			{App: "a", Name: "dual", Listeners: []discovery.Listener{listener(hostNS, "[::]:90")}},
			{App: "a", Name: "exact", Listeners: []discovery.Listener{listener(hostNS, "192.0.2.1:90"),
				listener(hostNS, "198.51.100.7:99")}},
			{App: "a", Name: "boxed", Listeners: []discovery.Listener{listener(otherNS, "0.0.0.0:80"),
				listener(otherNS, "127.0.0.1:82")}},
			{App: "b", Name: "web", Listeners: []discovery.Listener{listener(otherNS, "[::]:8080"),
				listener(hostNS, "0.0.0.0:8081")}},
			{App: "a", Name: "far", Listeners: []discovery.Listener{listener(farNS, "0.0.0.0:91")}},
		},
		Addresses: discovery.Addresses{
			addr("192.0.2.1"): {hostNS}, addr("2001:db8::1"): {hostNS}, addr("172.17.0.2"): {otherNS},
			addr("2001:db8::2"): {otherNS},
			addr("10.9.9.9"):    {otherNS, farNS},
		},
	}
	remotes := []config.Remote{{Name: "db", Address: netip.MustParseAddrPort("10.0.0.5:3306")}}
	d := newDirectory(found, nil, remotes, peers.Names{})
	for _, tt := range []struct {
		ns    uint32
		to    string
		name  string
		known bool
	}{
		{hostNS, "127.0.0.1:81", "web", true},
		{hostNS, "127.0.0.1:80", "web", true},
		{hostNS, "127.8.8.8:80", "web", true},
		{hostNS, "192.0.2.1:80", "web", true},
		{hostNS, "192.0.2.2:80", "192.0.2.2:80", false}, // not this host
		{hostNS, "127.0.0.2:81", "127.0.0.2:81", false}, // not that address
		{hostNS, "[::1]:80", "[::1]:80", false},         // IPv4 only
		{hostNS, "[::1]:90", "dual", true},
		{hostNS, "[2001:db8::1]:90", "dual", true},
		{hostNS, "127.0.0.1:90", "dual", true},
		{hostNS, "192.0.2.1:90", "exact", true},
		{hostNS, "198.51.100.7:99", "exact", true}, // bound there, though nobody saw the address
		{otherNS, "127.0.0.1:80", "boxed", true},
		{otherNS, "127.0.0.1:90", "127.0.0.1:90", false},
		{hostNS, "172.17.0.2:80", "boxed", true}, // a container, from the host
		{farNS, "172.17.0.2:80", "boxed", true},  // and from another container
		{farNS, "192.0.2.1:80", "web", true},     // the host, from a container
		{farNS, "172.17.0.2:82", "172.17.0.2:82", false},
		{hostNS, "172.17.0.2:8080", "b/web", true}, // another application's, of the same name
		{hostNS, "[2001:db8::2]:8080", "b/web", true},
		{hostNS, "127.0.0.1:8081", "b/web", true},
		{hostNS, "10.9.9.9:80", "boxed", true}, // one of two that have the address listens there
		{hostNS, "10.9.9.9:91", "far", true},
		{otherNS, "10.9.9.9:91", "10.9.9.9:91", false}, // the caller's own address
		{hostNS, "10.0.0.5:3306", "db", true},
		{otherNS, "10.0.0.5:3306", "db", true},
		{hostNS, "10.0.0.5:3307", "10.0.0.5:3307", false},
		{0, "[::]:0", "other", false}, // the edge that nameless destinations share
	} {
		name, known := d.name("a", probe.Edge{NetNS: tt.ns, To: netip.MustParseAddrPort(tt.to)})
		if name != tt.name || known != tt.known {
			t.Errorf("%s in namespace %d: %s %v, want %s %v", tt.to, tt.ns, name, known, tt.name, tt.known)
		}
	}
	var got []string
	for _, r := range outside(found) {
		got = append(got, r.Address.String())
	}
	slices.Sort(got)
	want := []string{
		"172.17.0.2:80", "172.17.0.2:8080", "192.0.2.1:80", "192.0.2.1:8081", "192.0.2.1:90", "192.0.2.1:90",
		"[2001:db8::1]:90", "[2001:db8::2]:8080",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("as other namespaces reach them (-want +got):\n%s", diff)
	}
}

// A destination that is translated on the way has the name of the tier that answers, if there is one only, whatever
// listens at that address.
func TestTranslatedDestinations(t *testing.T) {
	at := netip.MustParseAddrPort
	service := func(ns uint32, to string) discovery.Destination {
		return discovery.Destination{NetNS: ns, At: at(to)}
	}
	found := discovery.Snapshot{
		Tiers: []discovery.Tier{
			{App: "a", Name: "cart", Listeners: []discovery.Listener{listener(otherNS, "0.0.0.0:8080"),
				listener(farNS, "0.0.0.0:8080")}},
			{App: "a", Name: "proxy", Listeners: []discovery.Listener{listener(hostNS, "0.0.0.0:80")}},
			{App: "b", Name: "cart", Listeners: []discovery.Listener{listener(hostNS, "127.0.0.1:9000")}},
		},
		Addresses: discovery.Addresses{at("192.0.2.1:0").Addr(): {hostNS}},
		Translations: discovery.Translations{
			service(hostNS, "10.96.0.1:80"): {listener(otherNS, "172.17.0.2:8080"),
				listener(farNS, "172.17.0.3:8080")},
			service(hostNS, "10.96.0.2:80"): {listener(otherNS, "172.17.0.2:8080"), listener(hostNS, "127.0.0.1:9000")},
			service(hostNS, "10.96.0.3:80"): {listener(otherNS, "172.17.0.2:8080"), listener(farNS, "172.17.0.3:99")},
			service(hostNS, "10.96.0.4:80"): {listener(hostNS, "127.0.0.1:9000")},
			service(hostNS, "192.0.2.1:80"): {listener(farNS, "172.17.0.3:8080")},
			service(hostNS, "10.96.0.5:80"): {listener(farNS, "172.17.0.3:8080")},
		},
	}
	d := newDirectory(found, nil, []config.Remote{{Name: "given", Address: at("10.96.0.5:80")}}, peers.Names{})
	for _, tt := range []struct {
		ns   uint32
		to   string
		want string
	}{
		{hostNS, "10.96.0.1:80", "cart"},
		{farNS, "10.96.0.1:80", ""}, // there it may be translated otherwise
		{hostNS, "10.96.0.2:80", ""},
		{hostNS, "10.96.0.3:80", ""},
		{hostNS, "10.96.0.4:80", "b/cart"},
		{hostNS, "192.0.2.1:80", "cart"}, // and not the proxy, which also listens there
		{hostNS, "10.96.0.5:80", "given"},
	} {
		name, known := d.name("a", probe.Edge{NetNS: tt.ns, To: at(tt.to)})
		if known != (tt.want != "") || known && name != tt.want {
			t.Errorf("%s in namespace %d: %s %v, want %q", tt.to, tt.ns, name, known, tt.want)
		}
	}
}
