// SPDX-License-Identifier: Apache-2.0

package discovery

import (
	"bytes"
	"encoding/binary"
	"net/netip"
	"slices"
)

// Addresses says in which network namespaces an address is local: where a connection to it ends, if it ends on this
// host. Loopback is local everywhere and not among them.
type Addresses map[netip.Addr][]uint32

// maxRoutesBytes bounds how much of a namespace's routes is read: a router has too many to look for its addresses
// in them.
const maxRoutesBytes = 4 << 20

// addressesOf are the addresses of one namespace, kept for a while.
type addressesOf struct {
	addrs []netip.Addr
	read  uint64 // number of the scan
}

// readAddresses reads the addresses of a namespace as a process in it sees them, unless they were read lately.
func (s *Scanner) readAddresses(p *process, old map[uint32]addressesOf) {
	a, ok := old[p.netns]
	if !ok || s.scan-a.read >= refreshScans {
		a = addressesOf{read: s.scan}
		if b, err := s.fs.readUpTo(s.fs.path(p.pid, "net/fib_trie"), maxRoutesBytes); err == nil {
			a.addrs = appendLocal(a.addrs, b)
		}
		if b, err := s.fs.readUpTo(s.fs.path(p.pid, "net/if_inet6"), maxRoutesBytes); err == nil {
			a.addrs = appendInterfaces6(a.addrs, b)
		}
	}
	s.addresses[p.netns] = a
}

// local turns them round.
func (s *Scanner) local() Addresses {
	out := make(Addresses)
	for ns, a := range s.addresses {
		for _, addr := range a.addrs {
			out[addr] = append(out[addr], ns)
		}
	}
	for _, spaces := range out {
		slices.Sort(spaces)
	}
	return out
}

// appendLocal reads the routes to the namespace's own IPv4 addresses in /proc/PID/net/fib_trie: a line "|-- ADDRESS",
// followed by lines that say what it is, of which "/32 host LOCAL" is an address of its own.
func appendLocal(to []netip.Addr, trie []byte) []netip.Addr {
	var last []byte
	for line := range bytes.Lines(trie) {
		line = bytes.TrimSpace(line)
		if addr, ok := bytes.CutPrefix(line, []byte("|-- ")); ok {
			last = addr
		} else if bytes.Equal(line, []byte("/32 host LOCAL")) {
			to = appendAddress(to, last)
		}
	}
	return to
}

func appendAddress(to []netip.Addr, text []byte) []netip.Addr {
	addr, err := netip.ParseAddr(string(text))
	if err != nil || addr.IsLoopback() || slices.Contains(to, addr) {
		return to
	}
	return append(to, addr)
}

// appendInterfaces6 reads /proc/PID/net/if_inet6: each line begins with an address in 32 hexadecimal digits.
func appendInterfaces6(to []netip.Addr, table []byte) []netip.Addr {
	for line := range bytes.Lines(table) {
		var raw [16]byte
		if len(line) < 32 {
			continue
		}
		high, okHigh := hex(line[:16])
		low, okLow := hex(line[16:32])
		if !okHigh || !okLow {
			continue
		}
		binary.BigEndian.PutUint64(raw[:8], high)
		binary.BigEndian.PutUint64(raw[8:], low)
		if addr := netip.AddrFrom16(raw); !addr.IsLoopback() && !addr.IsLinkLocalUnicast() &&
			!slices.Contains(to, addr) {
			to = append(to, addr)
		}
	}
	return to
}
