// SPDX-License-Identifier: Apache-2.0

package monitor

import (
	"net/netip"

	"github.com/nstar-project/nstar/exporters/nstar/internal/config"
	"github.com/nstar-project/nstar/exporters/nstar/internal/discovery"
	"github.com/nstar-project/nstar/exporters/nstar/internal/probe"
	"github.com/nstar-project/nstar/exporters/nstar/internal/window"
)

// EdgeName identifies an edge; App is the application of the tier that calls.
type EdgeName struct{ App, From, To string }

// namedEdge is an edge's name; known says that its end is a tier or a named remote, from is the tier that calls.
type namedEdge struct {
	EdgeName
	known bool
	from  window.Station
}

// otherDestinations is the end of the edge that nameless destinations share when there are many.
const otherDestinations = "other"

// directory knows who answers at an address.
type directory struct {
	listeners map[discovery.Listener]string
	remotes   map[netip.AddrPort]string
	local     map[netip.Addr]bool
}

func newDirectory(found discovery.Snapshot, remotes []config.Remote, local []netip.Addr) *directory {
	d := &directory{
		listeners: make(map[discovery.Listener]string),
		remotes:   make(map[netip.AddrPort]string),
		local:     make(map[netip.Addr]bool),
	}
	for _, tier := range found.Tiers {
		for _, l := range tier.Listeners {
			d.listeners[l] = tier.Name
		}
	}
	for _, r := range remotes {
		d.remotes[r.Address] = r.Name
	}
	for _, a := range local {
		d.local[a.Unmap()] = true
	}
	return d
}

// name says who answers at the destination of an edge: a tier on this host, a remote that the file names, else the address
// itself. known is false in the last case.
func (d *directory) name(e probe.Edge) (to string, known bool) {
	if e.To.Port() == 0 {
		return otherDestinations, false
	}
	if name, ok := d.remotes[e.To]; ok {
		return name, true
	}
	addr := e.To.Addr()
	candidates := []netip.Addr{addr}
	if addr.IsLoopback() || d.local[addr] {
		if addr.Is4() {
			candidates = append(candidates, netip.IPv4Unspecified())
		}
		candidates = append(candidates, netip.IPv6Unspecified())
	}
	for _, a := range candidates {
		if name, ok := d.listeners[discovery.Listener{NetNS: e.NetNS, Addr: a, Port: e.To.Port()}]; ok {
			return name, true
		}
	}
	return e.To.String(), false
}
