// SPDX-License-Identifier: Apache-2.0

package discovery

import (
	"bytes"
	"encoding/binary"
	"net/netip"
)

// The states of interest in the column st of /proc/net/tcp (include/net/tcp_states.h).
const (
	stateEstablished = 0x01
	stateListen      = 0x0a
)

// socket is a row of /proc/PID/net/tcp or tcp6.
type socket struct {
	inode         uint64
	netns         uint32
	listening     bool
	local, remote netip.AddrPort
}

// place is the local end of the socket, in a namespace.
func (s socket) place(netns uint32) Listener {
	return Listener{NetNS: netns, Addr: s.local.Addr(), Port: s.local.Port()}
}

// appendSockets appends the listening and established sockets among the rows of table, the content of
// /proc/PID/net/tcp or tcp6. Rows that it cannot read (such as the heading) are left out, and sockets without
// an inode, which no process holds any more. It allocates only the growth of to.
func appendSockets(to []socket, table []byte, netns uint32) []socket {
	for len(table) > 0 {
		row := table
		if end := bytes.IndexByte(table, '\n'); end >= 0 {
			row, table = table[:end], table[end+1:]
		} else {
			table = nil
		}
		if s, ok := parseSocket(row); ok {
			s.netns = netns
			to = append(to, s)
		}
	}
	return to
}

// parseSocket reads one row:
//
//	sl: local remote st tx:rx tr:when retrnsmt uid timeout inode ...
func parseSocket(row []byte) (s socket, ok bool) {
	_, row = field(row)
	local, row := field(row)
	remote, row := field(row)
	st, row := field(row)
	state, ok := hex(st)
	if !ok || state != stateEstablished && state != stateListen {
		return s, false
	}
	for range 5 {
		_, row = field(row)
	}
	inode, _ := field(row)
	if s.inode, ok = decimal(inode); !ok || s.inode == 0 {
		return s, false
	}
	if s.local, ok = endpoint(local); !ok {
		return s, false
	}
	if s.remote, ok = endpoint(remote); !ok {
		return s, false
	}
	s.listening = state == stateListen
	return s, true
}

// endpoint reads ADDRESS:PORT in hexadecimal digits. The address is printed as
// 32-bit words in the byte order of the host, the port in the usual order.
func endpoint(b []byte) (netip.AddrPort, bool) {
	addr, port, found := bytes.Cut(b, []byte{':'})
	if !found {
		return netip.AddrPort{}, false
	}
	var raw [16]byte
	if len(addr) != 8 && len(addr) != 32 {
		return netip.AddrPort{}, false
	}
	for i := 0; i < len(addr); i += 8 {
		word, ok := hex(addr[i : i+8])
		if !ok {
			return netip.AddrPort{}, false
		}
		binary.NativeEndian.PutUint32(raw[i/2:], uint32(word))
	}
	p, ok := hex(port)
	if !ok || p > 0xffff {
		return netip.AddrPort{}, false
	}
	ip := netip.AddrFrom16(raw).Unmap()
	if len(addr) == 8 {
		ip = netip.AddrFrom4([4]byte(raw[:4]))
	}
	return netip.AddrPortFrom(ip, uint16(p)), true
}

// field splits off the first word of b.
func field(b []byte) (word, rest []byte) {
	for len(b) > 0 && b[0] == ' ' {
		b = b[1:]
	}
	if end := bytes.IndexByte(b, ' '); end >= 0 {
		return b[:end], b[end:]
	}
	return b, nil
}

func hex(b []byte) (uint64, bool) {
	var v uint64
	for _, c := range b {
		switch {
		case '0' <= c && c <= '9':
			c -= '0'
		case 'A' <= c && c <= 'F':
			c -= 'A' - 10
		case 'a' <= c && c <= 'f':
			c -= 'a' - 10
		default:
			return 0, false
		}
		v = v<<4 | uint64(c)
	}
	return v, len(b) > 0 && len(b) <= 16
}

func decimal(b []byte) (uint64, bool) {
	var v uint64
	for _, c := range b {
		if c < '0' || c > '9' {
			return 0, false
		}
		v = v*10 + uint64(c-'0')
	}
	return v, len(b) > 0 && len(b) <= 19
}
