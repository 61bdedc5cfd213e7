// SPDX-License-Identifier: Apache-2.0

package monitor

import (
	"io"
	"net/netip"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nstar-project/nstar/exporters/nstar/config"
	"github.com/nstar-project/nstar/exporters/nstar/discovery"
	"github.com/nstar-project/nstar/exporters/nstar/probe"
	"github.com/nstar-project/nstar/exporters/nstar/window"
)

// A web server asks a database, and an agent is asked by other programs of the host.
func TestDivide(t *testing.T) {
	place := func(port uint16) netip.AddrPort {
		return netip.AddrPortFrom(netip.AddrFrom4([4]byte{127, 0, 0, 1}), port)
	}
	elsewhere := netip.AddrPortFrom(netip.AddrFrom4([4]byte{192, 0, 2, 9}), 443)
	const own, main = "agent", config.DefaultApp
	for _, tt := range []struct {
		name string
		also netip.AddrPort // what the agent calls
		more func(agent *discovery.Tier)
		want string
	}{
		{"nothing connects them", netip.AddrPort{}, nil, own},
		{"the agent calls the database", place(2), nil, main},
		{"it calls nobody that is there", place(9), nil, own},
		{"it calls another host", elsewhere, nil, main},
		{"a client is elsewhere", netip.AddrPort{}, func(a *discovery.Tier) { a.Abroad = true }, main},
		{"it calls unseen", netip.AddrPort{}, func(a *discovery.Tier) { a.OverUnix = []string{"/run/db"} }, main},
		{"it monitors", netip.AddrPort{}, func(a *discovery.Tier) { a.App = config.MonitoringApp },
			config.MonitoringApp},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var found discovery.Snapshot
			for i, name := range []string{"web", "db", "agent"} {
				found.Tiers = append(found.Tiers, discovery.Tier{App: config.DefaultApp, Name: name,
					Listeners: []discovery.Listener{{NetNS: 1, Addr: place(0).Addr(), Port: uint16(i + 1)}}})
			}
			if tt.more != nil {
				tt.more(&found.Tiers[2])
			}
			b := newBench(t, found, nil, io.Discard, nil)
			b.probe.edges = []probe.Edge{{Station: maxTiers, From: 0, NetNS: 1, To: place(2)}}
			if tt.also.IsValid() {
				b.probe.edges = append(b.probe.edges, probe.Edge{Station: maxTiers + 1, From: 2, NetNS: 1, To: tt.also})
			}
			if err := b.scan(); err != nil {
				t.Fatal(err)
			}
			for i, n := range []uint32{200, 200, 20} {
				b.probe.book(window.Station(i), b.probe.current(), window.Sums{Arrivals: n, Completions: n})
			}
			b.settled()
			b.divide(&found)
			got := map[string]string{}
			for _, tier := range found.Tiers {
				got[tier.Name] = tier.App
			}
			want := map[string]string{"web": config.DefaultApp, "db": config.DefaultApp, "agent": tt.want}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("applications (-want +got):\n%s", diff)
			}
		})
	}
}
