// SPDX-License-Identifier: Apache-2.0

package stations

import (
	"net/netip"
	"slices"

	"github.com/nstar-project/nstar/exporters/nstar/config"
	"github.com/nstar-project/nstar/exporters/nstar/discovery"
	"github.com/nstar-project/nstar/exporters/nstar/peers"
	"github.com/nstar-project/nstar/exporters/nstar/probe"
)

// elsewhere are the tiers that other exporters measure and tiers here may call, with their protocols, for the kernel
// side: those of other hosts, and those of this one that are called; and tiers of this exporter that are called at
// addresses that are translated.
func (s *Stations) elsewhere(others peers.Names) (out []probe.Remote) {
	for at, names := range others.There {
		out = append(out, probe.Remote{Address: at, Protocol: names[0].Protocol.Number()})
	}
	if len(others.Here)+len(s.directory.translations) > 0 {
		out = append(out, s.called()...)
	}
	slices.SortFunc(out, func(a, b probe.Remote) int { return a.Address.Compare(b.Address) })
	return out[:min(len(out), mostOutside)]
}

// called are the destinations of edges that a tier answers whose protocol is known.
func (s *Stations) called() (out []probe.Remote) {
	for _, e := range s.edges.list {
		if !addressed(e) {
			continue
		}
		if _, to, ok := s.call(e); ok && to.Protocol.Number() != config.Auto.Number() {
			out = append(out, probe.Remote{Address: e.To, Protocol: to.Protocol.Number()})
		}
	}
	return out
}

// call is which tier calls at an edge, and which answers there; false if one of them is not known.
func (s *Stations) call(e probe.Edge) (from discovery.TierName, to peers.Name, ok bool) {
	if from, ok = s.tiers.name(e.From); ok {
		to, ok = s.directory.tier(from.App, e)
	}
	return from, to, ok
}

// addressed reports whether the destination of an edge is an address: no Unix socket, and not that of all others.
func addressed(e probe.Edge) bool { return e.File == (probe.File{}) && e.To.Port() != 0 }

// Wanted are the destinations of edges that have no name, or on this host one that an exporter of another application
// gave: several exporters may measure one server, and the one of the caller's application perhaps did not answer yet.
func (s *Stations) Wanted(found discovery.Snapshot) (w peers.Wanted) {
	for _, e := range s.edges.list {
		name, ok := s.edges.names[e.Station]
		if !ok || !addressed(e) {
			continue
		}
		here := s.directory.ownAddress(e)
		if name.Known && !(here && s.foreign(e)) {
			continue
		}
		if here {
			w.Here = true
		} else if !slices.Contains(w.There, e.To.Addr()) {
			w.There = append(w.There, e.To.Addr())
		}
	}
	for _, l := range found.Exporters {
		w.Exporters = append(w.Exporters, netip.AddrPortFrom(reachable(l.Addr), l.Port))
	}
	return w
}

// foreign reports whether another exporter gave the destination of an edge its name, and that in another application
// than the caller's.
func (s *Stations) foreign(e probe.Edge) bool {
	from, to, ok := s.call(e)
	_, own := s.Number(to.TierName)
	return ok && to.App != from.App && !own
}

// reachable is where a listener of the own namespace is reached.
func reachable(a netip.Addr) netip.Addr {
	switch a {
	case netip.IPv4Unspecified():
		return netip.AddrFrom4([4]byte{127, 0, 0, 1})
	case netip.IPv6Unspecified(): // it takes IPv4, too, unless it was told not to
		return netip.IPv6Loopback()
	}
	return a
}

// services are the destinations that are translated on the way to one tier in another namespace: other hosts may have
// clients of the same services.
func (s *Stations) services() map[discovery.TierName][]netip.AddrPort {
	of := make(map[discovery.TierName][]netip.AddrPort)
	for to, servers := range s.directory.translations {
		tier, ok := s.directory.translated("", probe.Edge{NetNS: to.NetNS, To: to.At})
		inside := func(l discovery.Listener) bool { return l.NetNS == to.NetNS } // a sidecar, for everything
		if ok && !slices.ContainsFunc(servers, inside) && !slices.Contains(of[tier.TierName], to.At) {
			of[tier.TierName] = append(of[tier.TierName], to.At)
		}
	}
	for _, services := range of {
		slices.SortFunc(services, netip.AddrPort.Compare)
	}
	return of
}

// Answer is what other exporters are told about the tiers that have a number.
func (s *Stations) Answer(found discovery.Snapshot) (tiers []peers.Tier) {
	at := make(map[discovery.TierName][]netip.AddrPort)
	for _, r := range reached(found, spacesOf(found)) {
		at[r.of.FullName()] = append(at[r.of.FullName()], r.at)
	}
	for tier, services := range s.services() {
		at[tier] = append(at[tier], services...)
	}
	for _, t := range found.Tiers {
		if _, ok := s.tiers.numbers[t.FullName()]; !ok {
			continue
		}
		told := peers.Tier{App: t.App, Name: t.Name, Protocol: t.Protocol, Reached: at[t.FullName()]}
		for _, l := range t.Listeners {
			if l.Path == "" {
				told.Listeners = append(told.Listeners,
					peers.Listener{NetNS: l.NetNS, Address: netip.AddrPortFrom(l.Addr, l.Port)})
			}
		}
		tiers = append(tiers, told)
	}
	return tiers
}
