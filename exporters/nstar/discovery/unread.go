// SPDX-License-Identifier: Apache-2.0

package discovery

import "encoding/binary"

// Unread visits the local ends of the accepted connections in a network namespace that hold more than noRequest bytes
// which no process has read yet, one for each connection; pid is a process of that namespace. A connection that still
// waits to be accepted has no inode, and is not among them.
func (q *Queues) Unread(netns uint32, pid int32, visit func(local Listener)) error {
	if !q.Own(netns) {
		return q.tables(pid, func(row []byte) (more bool) {
			if l, ok := parseUnreadRow(row, netns); ok {
				visit(l)
			}
			return true
		})
	}
	return askDiag(q.conn, 0, 1<<stateEstablished, func(body []byte) {
		if l, ok := parseUnread(body, netns); ok {
			visit(l)
		}
	})
}

// noRequest is how many bytes are no request. PHP-FPM leaves the empty record that ends a request of FastCGI unread
// until it has answered, so that each request under way would look as if it waited for a worker.
const noRequest = 8

// parseUnread reads a struct inet_diag_msg; ok is false if no request waits to be read.
func parseUnread(b []byte, netns uint32) (local Listener, ok bool) {
	if len(b) < diagMessageBytes || binary.NativeEndian.Uint32(b[56:]) <= noRequest { // idiag_rqueue: most hold nothing
		return local, false
	}
	s, ok := parseDiag(b)
	if !ok || s.listening {
		return local, false
	}
	return s.place(netns), true
}

// parseUnreadRow reads a row of /proc/PID/net/tcp or tcp6 in the same way.
func parseUnreadRow(row []byte, netns uint32) (local Listener, ok bool) {
	if n, ok := received(row); !ok || n <= noRequest {
		return local, false
	}
	s, ok := parseSocket(row)
	if !ok || s.listening {
		return local, false
	}
	return s.place(netns), true
}
