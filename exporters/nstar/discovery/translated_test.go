// SPDX-License-Identifier: Apache-2.0

package discovery

import (
	"maps"
	"net/netip"
	"slices"
	"testing"
)

// The host is namespace 1, with 192.0.2.1; two containers are 2 and 3, with 10.1.0.2 and 10.1.0.3. The third serves at
// port 8080, and 10.96.0.1:80 is a service in front of it.
func TestTranslations(t *testing.T) {
	at := netip.MustParseAddrPort
	local := Addresses{
		netip.MustParseAddr("192.0.2.1"): {1},
		netip.MustParseAddr("10.1.0.2"):  {2},
		netip.MustParseAddr("10.1.0.3"):  {3},
		netip.MustParseAddr("10.9.9.9"):  {2, 3},
	}
	places := map[Listener]bool{
		{NetNS: 3, Addr: netip.IPv4Unspecified(), Port: 8080}:           true,
		{NetNS: 2, Addr: netip.MustParseAddr("127.0.0.1"), Port: 15001}: true,
		{NetNS: 2, Addr: netip.IPv4Unspecified(), Port: 8080}:           true,
		{NetNS: 1, Addr: netip.IPv4Unspecified(), Port: 5432}:           true,
	}
	in := func(ns uint32, local, remote string) socket {
		return socket{netns: ns, local: at(local), remote: at(remote)}
	}
	type scan struct{ clients, servers []socket }
	for _, tt := range []struct {
		name  string
		scans []scan
		want  map[string]string // destination of the client: the server
	}{
		{"no translation", []scan{{[]socket{in(2, "10.1.0.2:40000", "10.1.0.3:8080")},
			[]socket{in(3, "10.1.0.3:8080", "10.1.0.2:40000")}}}, nil},
		{"a service", []scan{{[]socket{in(2, "10.1.0.2:40000", "10.96.0.1:80")},
			[]socket{in(3, "10.1.0.3:8080", "10.1.0.2:40000")}}}, map[string]string{"10.96.0.1:80": "3 10.1.0.3:8080"}},
		{"it is remembered between connections", []scan{{[]socket{in(2, "10.1.0.2:40000", "10.96.0.1:80")},
			[]socket{in(3, "10.1.0.3:8080", "10.1.0.2:40000")}}, {}},
			map[string]string{"10.96.0.1:80": "3 10.1.0.3:8080"}},
		{"one of its servers is on another host", []scan{{
			[]socket{in(2, "10.1.0.2:40000", "10.96.0.1:80"), in(2, "10.1.0.2:40001", "10.96.0.1:80")},
			[]socket{in(3, "10.1.0.3:8080", "10.1.0.2:40000")}}}, map[string]string{"10.96.0.1:80": "3 10.1.0.3:8080"}},
		{"a sidecar takes over", []scan{{[]socket{in(2, "10.1.0.2:40000", "10.96.0.7:80")},
			[]socket{in(2, "127.0.0.1:15001", "10.1.0.2:40000")}}},
			map[string]string{"10.96.0.7:80": "2 127.0.0.1:15001"}},
		{"the same end is used for two servers, one of them direct", []scan{{
			[]socket{in(2, "10.1.0.2:40000", "10.96.0.1:80"), in(2, "10.1.0.2:40000", "192.0.2.1:5432")},
			[]socket{in(3, "10.1.0.3:8080", "10.1.0.2:40000"), in(1, "192.0.2.1:5432", "10.1.0.2:40000")}}},
			map[string]string{"10.96.0.1:80": "3 10.1.0.3:8080"}},
		{"the same end is used for two services", []scan{{
			[]socket{in(2, "10.1.0.2:40000", "10.96.0.1:80"), in(2, "10.1.0.2:40000", "10.96.0.2:80")},
			[]socket{in(3, "10.1.0.3:8080", "10.1.0.2:40000"), in(1, "192.0.2.1:5432", "10.1.0.2:40000")}}}, nil},
		{"the same end is used for a service and another host", []scan{{
			[]socket{in(2, "10.1.0.2:40000", "10.96.0.1:80"), in(2, "10.1.0.2:40000", "198.51.100.9:443")},
			[]socket{in(3, "10.1.0.3:8080", "10.1.0.2:40000")}}}, nil},
		{"the server ends", []scan{{[]socket{in(2, "10.1.0.2:40000", "10.96.0.1:80")},
			[]socket{in(3, "10.1.0.3:9090", "10.1.0.2:40000")}}, {}}, nil},
		{"the destination gets a server of its own", []scan{
			{[]socket{in(2, "10.1.0.2:40000", "192.0.2.1:5432")},
				[]socket{in(3, "10.1.0.3:8080", "10.1.0.2:40000")}},
			{[]socket{in(2, "10.1.0.2:40001", "192.0.2.1:5432")},
				[]socket{in(1, "192.0.2.1:5432", "10.1.0.2:40001")}}}, nil},
		{"an address of two namespaces", []scan{{[]socket{in(2, "10.9.9.9:40000", "10.96.0.1:80")},
			[]socket{in(1, "192.0.2.1:5432", "10.9.9.9:40000"), in(2, "10.9.9.9:8080", "10.9.9.9:40000")}}},
			map[string]string{"10.96.0.1:80": "2 10.9.9.9:8080"}},
		// A container calls 10.1.0.3:8080 by the host's address and a port that the host itself has to 198.51.100.9.
		{"the host, once", []scan{{[]socket{in(1, "192.0.2.1:40000", "198.51.100.9:443")},
			[]socket{in(3, "10.1.0.3:8080", "192.0.2.1:40000")}}}, nil},
		{"the host, the same connection again", []scan{
			{[]socket{in(1, "192.0.2.1:40000", "198.51.100.9:443")},
				[]socket{in(3, "10.1.0.3:8080", "192.0.2.1:40000")}},
			{[]socket{in(1, "192.0.2.1:40000", "198.51.100.9:443")},
				[]socket{in(3, "10.1.0.3:8080", "192.0.2.1:40000")}}}, nil},
		{"the host, two connections", []scan{{
			[]socket{in(1, "192.0.2.1:40000", "10.96.0.1:80"), in(1, "192.0.2.1:40001", "10.96.0.1:80")},
			[]socket{in(3, "10.1.0.3:8080", "192.0.2.1:40000"), in(3, "10.1.0.3:8080", "192.0.2.1:40001")}}},
			map[string]string{"10.96.0.1:80": "3 10.1.0.3:8080"}},
		{"the host, and one that ends elsewhere", []scan{{
			[]socket{in(1, "192.0.2.1:40000", "198.51.100.9:443"), in(1, "192.0.2.1:40001", "198.51.100.9:443"),
				in(1, "192.0.2.1:40002", "198.51.100.9:443")},
			[]socket{in(3, "10.1.0.3:8080", "192.0.2.1:40000"), in(3, "10.1.0.3:8080", "192.0.2.1:40001")}}}, nil},
		{"loopback", []scan{{[]socket{in(2, "127.0.0.1:40000", "127.0.0.1:80"), in(2, "10.1.0.2:1", "10.1.0.3:1")},
			[]socket{in(3, "127.0.0.1:8080", "127.0.0.1:40000")}}}, nil},
	} {
		var of translatedOf
		for _, s := range tt.scans {
			of.note(s.clients, s.servers, places, local, []uint32{1})
		}
		got := make(map[string]string)
		for from, to := range of.all() {
			if len(to) != 1 {
				t.Errorf("%s: %v: %v", tt.name, from, to)
			}
			got[from.At.String()] = place(to[0])
		}
		if !maps.Equal(got, tt.want) {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
	}
}

func place(l Listener) string {
	return string(rune('0'+l.NetNS)) + " " + netip.AddrPortFrom(l.Addr, l.Port).String()
}

func TestTranslationsAreBounded(t *testing.T) {
	var of translatedOf
	local := Addresses{netip.MustParseAddr("10.1.0.2"): {2}, netip.MustParseAddr("10.1.0.3"): {3}}
	var clients, servers []socket
	for i := range mostTranslations + 10 {
		end := netip.AddrPortFrom(netip.MustParseAddr("10.1.0.2"), uint16(10000+i))
		service := netip.AddrPortFrom(netip.AddrFrom4([4]byte{10, 96, byte(i >> 8), byte(i)}), 80)
		clients = append(clients, socket{netns: 2, local: end, remote: service})
		servers = append(servers, socket{netns: 3, local: netip.MustParseAddrPort("10.1.0.3:8080"), remote: end})
	}
	places := map[Listener]bool{{NetNS: 3, Addr: netip.IPv6Unspecified(), Port: 8080}: true}
	of.note(slices.Clone(clients), servers, places, local, []uint32{1})
	of.note(clients, servers, places, local, []uint32{1})
	if n := len(of.all()); n != mostTranslations {
		t.Errorf("%d are remembered, want %d", n, mostTranslations)
	}
}
