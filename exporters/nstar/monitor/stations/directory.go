// SPDX-License-Identifier: Apache-2.0

package stations

import (
	"maps"
	"net/netip"
	"slices"

	"github.com/nstar-project/nstar/exporters/nstar/config"
	"github.com/nstar-project/nstar/exporters/nstar/discovery"
	"github.com/nstar-project/nstar/exporters/nstar/peers"
	"github.com/nstar-project/nstar/exporters/nstar/probe"
)

// otherDestinations is the destination of the edge that nameless destinations share if there are many of them.
const otherDestinations = "other"

// directory knows which tier answers at an address.
type directory struct {
	listeners map[discovery.Listener][]peers.Name   // of TCP
	files     map[discovery.File]discovery.TierName // of Unix sockets
	remotes   map[netip.AddrPort]string
	peers     peers.Names
	addresses discovery.Addresses
	// translations are destinations that are translated on the way.
	translations discovery.Translations
}

// newDirectory knows where the tiers are that a scan found, and where those were that are away: a server that was
// killed is called by its name as long as it has one.
func newDirectory(found discovery.Snapshot, away []discovery.Tier, remotes []config.Remote,
	others peers.Names) *directory {
	d := &directory{
		listeners:    make(map[discovery.Listener][]peers.Name),
		files:        make(map[discovery.File]discovery.TierName),
		remotes:      make(map[netip.AddrPort]string),
		peers:        others,
		addresses:    found.Addresses,
		translations: found.Translations,
	}
	maps.Copy(d.listeners, others.Here)
	for _, tier := range slices.Concat(away, found.Tiers) {
		for _, l := range tier.Listeners {
			if l.Path != "" {
				d.files[l.File] = tier.FullName()
				continue
			}
			d.listeners[l] = []peers.Name{{TierName: tier.FullName(), Protocol: tier.Protocol}}
		}
	}
	for _, r := range remotes {
		d.remotes[r.Address] = r.Name
	}
	return d
}

// name says which tier answers at the destination of an edge of an application. It is a tier on this host, a remote
// that the file names, a tier that another exporter measures, or else the address itself; known is false in the last
// case. If the tier belongs to another application, the name includes that application, because the caller's
// application may have a tier of the same name.
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
		var found peers.Name
		found, ok = d.tier(app, e)
		tier = found.TierName
	}
	switch {
	case !ok && e.File != probe.File{}:
		return otherDestinations, false // a tier that is gone: only such edges are called that
	case !ok:
		return e.To.String(), false
	case tier.App != app:
		return tier.App + "/" + tier.Tier, true
	}
	return tier.Tier, true
}

// tier finds the tier that answers at the destination of an edge. It looks in the caller's own network namespace if the
// address is local there, and otherwise in the namespace where it is local. If it is local in several namespaces, which
// can't reach each other, exactly one of them must have a listener there. What is not on this host may be known to an
// exporter there. All of this is in vain if the destination is translated on the way and the servers are known that
// answer.
func (d *directory) tier(app string, e probe.Edge) (peers.Name, bool) {
	if tier, ok := d.translated(app, e); ok {
		return tier, true
	}
	if d.ownAddress(e) {
		return d.listener(app, e.NetNS, e.To, true)
	}
	if tier, ok := d.listener(app, e.NetNS, e.To, false); ok { // at least the address is known to be bound there
		return tier, true
	}
	var found peers.Name
	n := 0
	for _, ns := range d.addresses[e.To.Addr()] {
		if tier, ok := d.listener(app, ns, e.To, true); ok {
			found = tier
			n++
		}
	}
	if n == 0 {
		return peers.Of(app, d.peers.There[e.To])
	}
	return found, n == 1
}

// translated is the tier of the servers behind a destination that is translated on the way; false if they are of
// several tiers.
func (d *directory) translated(app string, e probe.Edge) (found peers.Name, ok bool) {
	for i, l := range d.translations[discovery.Destination{NetNS: e.NetNS, At: e.To}] {
		tier, known := d.listener(app, l.NetNS, netip.AddrPortFrom(l.Addr, l.Port), true)
		if !known || i > 0 && tier.TierName != found.TierName {
			return peers.Name{}, false
		}
		found, ok = tier, true
	}
	return found, ok
}

// ownAddress reports whether the destination of an edge is in the caller's own network namespace.
func (d *directory) ownAddress(e probe.Edge) bool {
	return e.To.Addr().IsLoopback() || slices.Contains(d.addresses[e.To.Addr()], e.NetNS)
}

// listener finds the tier that listens at an address of a namespace. It is bound to this address, or else to all
// addresses if this one is local.
func (d *directory) listener(app string, ns uint32, at netip.AddrPort, local bool) (peers.Name, bool) {
	candidates := []netip.Addr{at.Addr()}
	if local && at.Addr().Is4() {
		candidates = append(candidates, netip.IPv4Unspecified())
	}
	if local {
		candidates = append(candidates, netip.IPv6Unspecified())
	}
	for _, a := range candidates {
		if name, ok := peers.Of(app, d.listeners[discovery.Listener{NetNS: ns, Addr: a, Port: at.Port()}]); ok {
			return name, true
		}
	}
	return peers.Name{}, false
}

// mostOutside limits how many destinations in other namespaces, or on other hosts, are told.
const mostOutside = 1024

// access is an address at which a tier's listener is found from other network namespaces and other hosts.
type access struct {
	of discovery.Tier
	at netip.AddrPort
}

// spacesOf are the addresses that are local in one network namespace only, by namespace.
func spacesOf(found discovery.Snapshot) map[uint32][]netip.Addr {
	spaces := make(map[uint32][]netip.Addr)
	for addr, in := range found.Addresses {
		if len(in) == 1 {
			spaces[in[0]] = append(spaces[in[0]], addr)
		}
	}
	for _, addrs := range spaces {
		slices.SortFunc(addrs, netip.Addr.Compare) // so that the same are left out each time
	}
	return spaces
}

// reached is where all tiers are found so. An address that is local in several namespaces is left out.
func reached(found discovery.Snapshot, spaces map[uint32][]netip.Addr) (out []access) {
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
				out = append(out, access{tier, netip.AddrPortFrom(addr, l.Port)})
			}
		}
	}
	return out
}

// outside returns the tiers' listeners as they are reached from other network namespaces of this host. It is for the
// kernel side, which looks up destinations only in the caller's namespace.
func outside(found discovery.Snapshot) (out []probe.Remote) {
	spaces := spacesOf(found)
	if len(spaces) < 2 {
		return nil
	}
	for _, r := range reached(found, spaces) {
		out = append(out, probe.Remote{Address: r.at, Protocol: r.of.Protocol.Number()})
	}
	return out
}
