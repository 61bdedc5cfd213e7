// SPDX-License-Identifier: Apache-2.0

package discovery

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"path/filepath"

	"github.com/mdlayher/netlink"
)

// AcceptQueue is the connections of one listening socket that are established and wait for the server to accept them.
type AcceptQueue struct {
	Listener
	// Socket is its inode: several sockets may share a Listener.
	Socket  uint64
	Waiting uint32
	// Limit is the most that may wait, the backlog of listen(2) as the kernel cut it; 0 if unknown.
	Limit uint32
	// Refused counts the packets that the socket dropped so far: those of connections that found no room (a client
	// sends several of these), and, if TCP_DEFER_ACCEPT is set, one of every connection, which is harmless (see
	// OwnDrops). After 2^32-1 it goes on from 0. Counted says whether the value is known.
	Refused uint32
	Counted bool
}

// Accept visits the accept queues in a network namespace, of which pid is a process. In a foreign one the limit is not
// told, and connections that were refused are told of the namespace only: see Drops.
func (q *Queues) Accept(netns uint32, pid int32, visit func(AcceptQueue)) error {
	if !q.Own(netns) {
		return q.tables(pid, func(row []byte) (more bool) {
			a, listening, ok := parseAcceptRow(row, netns)
			if ok {
				visit(a)
			}
			return listening // the kernel lists these sockets first
		})
	}
	return askDiag(q.conn, 1<<(diagMemory-1), 1<<stateListen, func(body []byte) {
		if a, ok := parseAccept(body, netns); ok {
			visit(a)
		}
	})
}

// Numbers of linux/inet_diag.h and linux/sock_diag.h.
const (
	diagMemory      = 7 // INET_DIAG_SKMEMINFO
	diagMemoryDrops = 8 // SK_MEMINFO_DROPS
)

// parseAccept reads a struct inet_diag_msg of a listening socket, and behind it the attribute with its drops.
func parseAccept(b []byte, netns uint32) (q AcceptQueue, ok bool) {
	s, ok := parseDiag(b)
	if !ok || !s.listening {
		return q, false
	}
	q.Listener, q.Socket = s.place(netns), s.inode
	q.Waiting, q.Limit = binary.NativeEndian.Uint32(b[56:]), binary.NativeEndian.Uint32(b[60:])
	attributes, err := netlink.NewAttributeDecoder(b[diagMessageBytes:])
	if err != nil {
		return q, true
	}
	for attributes.Next() {
		if value := attributes.Bytes(); attributes.Type() == diagMemory && len(value) >= 4*(diagMemoryDrops+1) {
			q.Refused, q.Counted = binary.NativeEndian.Uint32(value[4*diagMemoryDrops:]), true
		}
	}
	return q, true
}

// parseAcceptRow reads one row; listening is false for the first one of another state, behind which no listening one
// comes.
func parseAcceptRow(row []byte, netns uint32) (q AcceptQueue, listening, ok bool) {
	s, ok := parseSocket(row)
	if !ok || !s.listening {
		_, rest := field(row)
		first, _ := field(rest)
		return q, bytes.Equal(first, []byte("local_address")), false
	}
	n, ok := received(row)
	if !ok {
		return q, true, false
	}
	q.Listener, q.Socket, q.Waiting = s.place(netns), s.inode, n
	return q, true, true
}

// Drops is how many packets of connections all listening sockets of a process's network namespace dropped so far:
// ListenDrops of netstat.
func (q *Queues) Drops(pid int32) (uint64, error) {
	return q.drops(q.fs.path(pid, "net/netstat"))
}

// OwnDrops is the same for this program's namespace. Packets that the kernel drops because a server defers
// accepting until the request is there are not counted in it.
func (q *Queues) OwnDrops() (uint64, error) {
	return q.drops(filepath.Join(q.fs.root, "self/net/netstat"))
}

func (q *Queues) drops(path string) (uint64, error) {
	text, err := q.fs.read(path)
	if err != nil {
		return 0, err
	}
	n, ok := parseListenDrops(text)
	if !ok {
		return 0, fmt.Errorf("%s: no ListenDrops", path)
	}
	return n, nil
}

// parseListenDrops reads the counter from the two lines that begin with TcpExt: names, and numbers in the same order.
func parseListenDrops(text []byte) (uint64, bool) {
	var names [][]byte
	for line := range bytes.Lines(text) {
		fields := bytes.Fields(line)
		if len(fields) == 0 || !bytes.Equal(fields[0], []byte("TcpExt:")) {
			continue
		}
		if names == nil {
			names = fields
			continue
		}
		for i, name := range names {
			if i < len(fields) && bytes.Equal(name, []byte("ListenDrops")) {
				return decimal(fields[i])
			}
		}
	}
	return 0, false
}
