// SPDX-License-Identifier: Apache-2.0

package monitor

import (
	"net/netip"
	"testing"

	"github.com/nstar-project/nstar/exporters/nstar/internal/config"
	"github.com/nstar-project/nstar/exporters/nstar/internal/discovery"
	"github.com/nstar-project/nstar/exporters/nstar/internal/probe"
)

const hostNS, otherNS = 1, 2

func listener(ns uint32, at string) discovery.Listener {
	a := netip.MustParseAddrPort(at)
	return discovery.Listener{NetNS: ns, Addr: a.Addr(), Port: a.Port()}
}

func TestDirectory(t *testing.T) {
	found := discovery.Snapshot{Tiers: []discovery.Tier{
		{Name: "web", Listeners: []discovery.Listener{listener(hostNS, "0.0.0.0:80"), listener(hostNS, "127.0.0.1:81")}},
		{Name: "dual", Listeners: []discovery.Listener{listener(hostNS, "[::]:90")}},
		{Name: "exact", Listeners: []discovery.Listener{listener(hostNS, "192.0.2.1:90")}},
		{Name: "boxed", Listeners: []discovery.Listener{listener(otherNS, "0.0.0.0:80")}},
	}}
	remotes := []config.Remote{{Name: "db", Address: netip.MustParseAddrPort("10.0.0.5:3306")}}
	local := []netip.Addr{netip.MustParseAddr("::ffff:192.0.2.1"), netip.MustParseAddr("2001:db8::1")}
	d := newDirectory(found, remotes, local)
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
		{otherNS, "127.0.0.1:80", "boxed", true},
		{otherNS, "127.0.0.1:90", "127.0.0.1:90", false},
		{hostNS, "10.0.0.5:3306", "db", true},
		{otherNS, "10.0.0.5:3306", "db", true},
		{hostNS, "10.0.0.5:3307", "10.0.0.5:3307", false},
		{0, "[::]:0", "other", false}, // the edge that nameless destinations share
	} {
		name, known := d.name(probe.Edge{NetNS: tt.ns, To: netip.MustParseAddrPort(tt.to)})
		if name != tt.name || known != tt.known {
			t.Errorf("%s in namespace %d: %s %v, want %s %v", tt.to, tt.ns, name, known, tt.name, tt.known)
		}
	}
}

func TestLocalAddresses(t *testing.T) {
	for _, a := range localAddresses() {
		if a.IsLoopback() {
			return
		}
	}
	t.Errorf("loopback is not among %v", localAddresses())
}
