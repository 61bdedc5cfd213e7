// SPDX-License-Identifier: Apache-2.0

package stations

import (
	"net/netip"
	"slices"

	"github.com/nstar-project/nstar/exporters/nstar/config"
	"github.com/nstar-project/nstar/exporters/nstar/discovery"
	"github.com/nstar-project/nstar/exporters/nstar/probe"
)

// otherDestinations is the end of the edge that nameless destinations share when there are many.
const otherDestinations = "other"

// directory knows who answers at an address.
type directory struct {
	listeners map[discovery.Listener]discovery.TierName // of TCP
	files     map[discovery.File]discovery.TierName     // of Unix sockets
	remotes   map[netip.AddrPort]string
	addresses discovery.Addresses
}

func newDirectory(found discovery.Snapshot, remotes []config.Remote) *directory {
	d := &directory{
		listeners: make(map[discovery.Listener]discovery.TierName),
		files:     make(map[discovery.File]discovery.TierName),
		remotes:   make(map[netip.AddrPort]string),
		addresses: found.Addresses,
	}
	for _, tier := range found.Tiers {
		for _, l := range tier.Listeners {
			if l.Path != "" {
				d.files[l.File] = tier.FullName()
				continue
			}
			d.listeners[l] = tier.FullName()
		}
	}
	for _, r := range remotes {
		d.remotes[r.Address] = r.Name
	}
	return d
}

// name says who answers at the destination of an edge of an application: a tier on this host, a remote that the file
// names, else the address itself. known is false in the last case. A tier of another application is called with its
// application's name: the caller's may have one of the same name.
func (d *directory) name(app string, e probe.Edge) (to string, known bool) {
	tier, ok := d.files[discovery.File(e.File)]
	switch {
	case e.File != probe.File{}:
	case e.To.Port() == 0:
		return otherDestinations, false
	default:
		if name, ok := d.remotes[e.To]; ok {
			return name, true
		}
		tier, ok = d.tier(e)
	}
	switch {
	case !ok && e.File != probe.File{}:
		return otherDestinations, false // a tier that is gone: only those are called
	case !ok:
		return e.To.String(), false
	case tier.App != app:
		return tier.App + "/" + tier.Tier, true
	}
	return tier.Tier, true
}

// tier finds the tier that answers at the destination of an edge: in the caller's own network namespace if the address
// is local there, else in the one where it is. Where that is so in several, which can't reach each other, one of them
// alone must listen there.
func (d *directory) tier(e probe.Edge) (discovery.TierName, bool) {
	spaces := d.addresses[e.To.Addr()]
	if e.To.Addr().IsLoopback() || slices.Contains(spaces, e.NetNS) {
		return d.listener(e.NetNS, e.To, true)
	}
	if tier, ok := d.listener(e.NetNS, e.To, false); ok { // the address is known to be bound there at least
		return tier, true
	}
	var found discovery.TierName
	n := 0
	for _, ns := range spaces {
		if tier, ok := d.listener(ns, e.To, true); ok {
			found = tier
			n++
		}
	}
	return found, n == 1
}

// listener finds who listens at an address of a namespace: bound to it, else to all, if it is local.
func (d *directory) listener(ns uint32, at netip.AddrPort, local bool) (discovery.TierName, bool) {
	candidates := []netip.Addr{at.Addr()}
	if local && at.Addr().Is4() {
		candidates = append(candidates, netip.IPv4Unspecified())
	}
	if local {
		candidates = append(candidates, netip.IPv6Unspecified())
	}
	for _, a := range candidates {
		if name, ok := d.listeners[discovery.Listener{NetNS: ns, Addr: a, Port: at.Port()}]; ok {
			return name, true
		}
	}
	return discovery.TierName{}, false
}

// mostOutside bounds how many destinations in other namespaces the kernel side is told of.
const mostOutside = 1024

// outside are the tiers' listeners as other network namespaces reach them, for the kernel side, which looks
// destinations up in the caller's namespace only. An address that is local in several says nothing.
func outside(found discovery.Snapshot) (out []probe.Remote) {
	spaces := make(map[uint32][]netip.Addr)
	for addr, in := range found.Addresses {
		if len(in) == 1 {
			spaces[in[0]] = append(spaces[in[0]], addr)
		}
	}
	if len(spaces) < 2 {
		return nil
	}
	for _, tier := range found.Tiers {
		for _, l := range tier.Listeners {
			for _, addr := range spaces[l.NetNS] {
				any4, any6 := l.Addr == netip.IPv4Unspecified() && addr.Is4(), l.Addr == netip.IPv6Unspecified()
				if l.Addr != addr && !any4 && !any6 {
					continue
				}
				if len(out) >= mostOutside {
					return out
				}
				out = append(out, probe.Remote{Address: netip.AddrPortFrom(addr, l.Port),
					Protocol: tier.Protocol.Number()})
			}
		}
	}
	return out
}
