// SPDX-License-Identifier: Apache-2.0

package discovery

import "hash/fnv"

// pool is what the workers of a pool have in common: a manager has started the same program several times, and each
// listens on a port of this host that the kernel chose, such as the processes of Passenger. They are one tier, because
// the manager may take any of them, ends some, and starts others at other ports.
type pool struct {
	comm, exe, directory string
	arguments            uint64
	user, netns          uint32
	home                 string
}

// pool is which pool a process belongs to, if it is a worker that listens there. It may listen at Unix sockets, too.
func (p *process) pool(places map[Listener]bool) (k pool, ok bool) {
	ports := 0
	for l := range places {
		switch {
		case l.Path != "":
		case !l.Addr.IsLoopback(), l.Port < firstChosen, l.Port > lastChosen:
			return pool{}, false
		default:
			ports++
		}
	}
	k = pool{p.comm, p.exe, p.directory, p.arguments, p.user, p.netns, p.home.name}
	return k, ports > 0 && p.described && p.directory != "" && p.arguments != 0
}

// The ports that the kernel chooses if nothing else is set (net.ipv4.ip_local_port_range).
const firstChosen, lastChosen = 32768, 60999

// sum tells command lines apart; 0 if there is none.
func sum(arguments []string) uint64 {
	if len(arguments) == 0 {
		return 0
	}
	h := fnv.New64a()
	for _, a := range arguments {
		h.Write([]byte(a))
		h.Write([]byte{0})
	}
	return h.Sum64()
}
