// SPDX-License-Identifier: Apache-2.0

package peers

import (
	"net/netip"
	"slices"

	"github.com/nstar-project/nstar/exporters/nstar/config"
	"github.com/nstar-project/nstar/exporters/nstar/discovery"
)

// Name is what other exporters call a tier.
type Name struct {
	discovery.TierName
	Protocol config.Protocol
}

// Names are the tiers of other exporters. Several exporters may measure one server, each under a name of its own.
type Names struct {
	Here  map[discovery.Listener][]Name // on this kernel
	There map[netip.AddrPort][]Name     // at other hosts' addresses
}

// Of chooses among the names of a server the one in the caller's application, or else the only one; false if there is
// none, or none of several is better.
func Of(app string, names []Name) (Name, bool) {
	if i := slices.IndexFunc(names, func(n Name) bool { return n.App == app }); i >= 0 {
		return names[i], true
	}
	if len(names) == 1 {
		return names[0], true
	}
	return Name{}, false
}

// here adds the tiers of an exporter that runs on this kernel.
func (n *Names) here(a Answer) {
	for _, t := range a.Tiers {
		for _, l := range t.Listeners {
			at := discovery.Listener{NetNS: l.NetNS, Addr: l.Address.Addr(), Port: l.Address.Port()}
			add(n.Here, at, t)
		}
	}
}

// there adds the tiers of an exporter of another host, as far as it may name what is reached at an address. One that is
// asked because a tier calls its address may name nothing else, so that it can't claim the addresses of others.
func (n *Names) there(a Answer, may func(netip.Addr) bool) {
	for _, t := range a.Tiers {
		for _, at := range t.Reached {
			if may(at.Addr()) {
				add(n.There, at, t)
			}
		}
	}
}

func add[At comparable](to map[At][]Name, at At, t Tier) {
	name := Name{discovery.TierName{App: discovery.Visible(t.App), Tier: discovery.Visible(t.Name)}, t.Protocol}
	if name.App != "" && name.Tier != "" && !slices.Contains(to[at], name) {
		to[at] = append(to[at], name)
	}
}
