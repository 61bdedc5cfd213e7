// SPDX-License-Identifier: Apache-2.0

package turntest

import "encoding/binary"

// network says which headers stand in front of a segment's payload.
type network int

const (
	ipv4               network = iota
	ipv4WithOptions            // 12 bytes of IP options, 12 bytes of TCP options
	ipv6                       //
	ipv6WithExtensions         // hop-by-hop options, then destination options of 16 bytes
	ipv6WithRouting            // a routing header alone
	ipv4UDP                    // not TCP: must be passed over
	ipv6Fragment               // a next header that is not walked: must be passed over
)

const (
	protocolTCP = 6
	protocolUDP = 17
	clientPort  = 40000
	serverPort  = 80
)

// ethernet is the header that BPF_PROG_TEST_RUN takes off before the program sees the packet.
func ethernet(n network) []byte {
	h := make([]byte, 14)
	binary.BigEndian.PutUint16(h[12:], 0x0800)
	if n == ipv6 || n == ipv6WithExtensions || n == ipv6WithRouting || n == ipv6Fragment {
		binary.BigEndian.PutUint16(h[12:], 0x86dd)
	}
	return h
}

// packet builds one TCP segment with its headers. Checksums stay zero: the programs never look at them.
func packet(n network, seq uint32, payload []byte) []byte {
	tcp := tcpHeader(seq, 0)
	if n == ipv4WithOptions {
		tcp = tcpHeader(seq, 12)
	}
	body := append(tcp, payload...)
	switch n {
	case ipv6:
		return concat(ethernet(n), ipv6Header(protocolTCP, len(body)), body)
	case ipv6WithExtensions:
		hopByHop := []byte{60, 0, 1, 4, 0, 0, 0, 0}
		destination := append([]byte{protocolTCP, 1, 1, 12}, make([]byte, 12)...)
		body = concat(hopByHop, destination, body)
		return concat(ethernet(n), ipv6Header(0, len(body)), body)
	case ipv6WithRouting:
		body = concat([]byte{protocolTCP, 0, 4, 0, 0, 0, 0, 0}, body)
		return concat(ethernet(n), ipv6Header(43, len(body)), body)
	case ipv6Fragment:
		body = concat([]byte{protocolTCP, 0, 0, 0, 0, 0, 0, 1}, body)
		return concat(ethernet(n), ipv6Header(44, len(body)), body)
	case ipv4WithOptions:
		return concat(ethernet(n), ipv4Header(protocolTCP, 12, len(body)), body)
	case ipv4UDP:
		return concat(ethernet(n), ipv4Header(protocolUDP, 0, len(body)), body)
	default:
		return concat(ethernet(n), ipv4Header(protocolTCP, 0, len(body)), body)
	}
}

func tcpHeader(seq uint32, options int) []byte {
	h := make([]byte, 20+options)
	binary.BigEndian.PutUint16(h[0:], clientPort)
	binary.BigEndian.PutUint16(h[2:], serverPort)
	binary.BigEndian.PutUint32(h[4:], seq)
	h[12] = byte(len(h) / 4 << 4)
	h[13] = 0x18 // PSH, ACK
	for i := 20; i < len(h); i++ {
		h[i] = 1 // no-operation
	}
	return h
}

func ipv4Header(protocol byte, options, body int) []byte {
	h := make([]byte, 20+options)
	h[0] = byte(0x40 | len(h)/4)
	binary.BigEndian.PutUint16(h[2:], uint16(len(h)+body))
	h[8], h[9] = 64, protocol
	copy(h[12:], []byte{127, 0, 0, 1, 127, 0, 0, 1})
	for i := 20; i < len(h); i++ {
		h[i] = 1
	}
	return h
}

func ipv6Header(next byte, body int) []byte {
	h := make([]byte, 40)
	h[0] = 0x60
	binary.BigEndian.PutUint16(h[4:], uint16(body))
	h[6], h[7] = next, 64
	h[23], h[39] = 1, 1 // ::1 to ::1
	return h
}

func concat(parts ...[]byte) []byte {
	var all []byte
	for _, p := range parts {
		all = append(all, p...)
	}
	return all
}
