// SPDX-License-Identifier: Apache-2.0

package discovery

import (
	"net/netip"
	"slices"
)

// Destination is where a connection goes, by the socket of the process that opened it.
type Destination struct {
	NetNS uint32
	At    netip.AddrPort
}

// Translations are the places of the servers of this host that answer at destinations that are translated on the way
// (NAT): a service of Kubernetes, a port that a container publishes, the ports that a sidecar takes over.
//
// The two sockets of a connection tell it: the server's has the client's address at its far end, and another one than
// the client asked for at its own. No table of translations is read, which would take rights, and may not be there.
// Where the client's address is translated as well, nothing is known.
type Translations map[Destination][]Listener

// mostTranslations bounds how many pairs of destination and server are remembered. More are left out, and these
// destinations have no name.
const mostTranslations = 4096

// translation is a pair of destination and server.
type translation struct {
	from Destination
	to   Listener
}

// evidence is what speaks for a pair.
type evidence struct {
	// client is the far end of the connection that showed it first.
	client netip.AddrPort
	sure   bool
}

// translatedOf are the connections of a host whose two ends do not fit each other, and what they say.
type translatedOf struct {
	found map[translation]evidence
}

// note looks at the connections of a scan. Those of one address of a client may be meant for several servers; only if
// one is left that can't be paired otherwise, and one socket that nobody else can have opened, do the two belong
// together. Listeners that are gone are forgotten.
//
// An address of a host may be that of others who call through it (masquerading), at a port that a connection of the
// host itself has as well. So in the namespaces of hosts a pair is believed when two connections have shown it, and
// while none of the connections to that destination ends elsewhere.
func (t *translatedOf) note(clients, servers []socket, places map[Listener]bool, local Addresses,
	hosts []uint32) {
	for pair := range t.found {
		if _, listens := CameIn(places, pair.to); !listens {
			delete(t.found, pair)
		}
	}
	if !slices.ContainsFunc(clients, func(k socket) bool { return !k.remote.Addr().IsLoopback() }) {
		return
	}
	opened := make(map[Destination][]socket) // by the client's end
	for _, k := range clients {
		at := Destination{k.netns, k.local}
		opened[at] = append(opened[at], k)
	}
	taken := make(map[netip.AddrPort][]socket) // by the same
	for _, k := range servers {
		if len(local[k.remote.Addr()]) > 0 {
			taken[k.remote] = append(taken[k.remote], k)
		}
	}
	shown := make(map[Destination]translation) // by the client's end
	direct, doubtful := make(map[Destination]bool), make(map[Destination]bool)
	for at, ends := range opened {
		spaces := local[at.At.Addr()]
		if len(spaces) == 0 {
			continue // loopback is not translated
		}
		near, far := unpaired(ends, slices.DeleteFunc(slices.Clone(taken[at.At]), func(k socket) bool {
			return len(spaces) > 1 && k.netns != at.NetNS
		}), func(c socket) { direct[c.destination()] = true })
		switch {
		case len(near) == 1 && len(far) == 1:
			shown[at] = translation{near[0].destination(), far[0].place(far[0].netns)}
		case slices.Contains(hosts, at.NetNS):
			for _, c := range near {
				doubtful[c.destination()] = true
			}
		}
	}
	for client, pair := range shown {
		if !doubtful[pair.from] {
			t.add(pair, client.At, !slices.Contains(hosts, client.NetNS))
		}
	}
	for pair := range t.found {
		if direct[pair.from] {
			delete(t.found, pair)
		}
	}
}

func (k socket) destination() Destination { return Destination{k.netns, k.remote} }

// unpaired leaves out the connections that end where they were meant to, and tells of these.
func unpaired(near, far []socket, fits func(client socket)) (_, _ []socket) {
	near = slices.DeleteFunc(near, func(c socket) bool {
		i := slices.IndexFunc(far, func(k socket) bool { return k.local == c.remote })
		if i >= 0 {
			far = slices.Delete(far, i, i+1)
			fits(c)
		}
		return i >= 0
	})
	return near, far
}

// add notes that the connection of a client has shown a pair, and whether that is enough.
func (t *translatedOf) add(pair translation, client netip.AddrPort, sure bool) {
	if t.found == nil {
		t.found = make(map[translation]evidence)
	}
	known, ok := t.found[pair]
	switch {
	case !ok && len(t.found) < mostTranslations:
		t.found[pair] = evidence{client, sure}
	case ok && known.client != client:
		t.found[pair] = evidence{known.client, true}
	}
}

// all are the pairs that are believed.
func (t *translatedOf) all() Translations {
	out := make(Translations)
	for pair, e := range t.found {
		if e.sure {
			out[pair.from] = append(out[pair.from], pair.to)
		}
	}
	for _, to := range out {
		slices.SortFunc(to, byPlace)
	}
	return out
}
