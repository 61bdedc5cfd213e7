// SPDX-License-Identifier: Apache-2.0

package discovery

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"path/filepath"

	"github.com/mdlayher/netlink"
	"golang.org/x/sys/unix"
)

// AcceptQueue is the connections of one listening socket that are established and wait for the server to accept them.
type AcceptQueue struct {
	Listener
	// Socket is its inode: several sockets may share a Listener.
	Socket  uint64
	Waiting uint32
	// Limit is the most that may wait, the backlog of listen(2) as the kernel cut it; 0 where that is not told.
	Limit uint32
	// Refused counts the packets that the socket dropped so far: of connections that found no room, of which a client
	// sends several; and where TCP_DEFER_ACCEPT is set, one of every connection, which is no harm (see OwnDrops). It goes
	// on from 0 after 2^32-1. Counted says whether it is told.
	Refused uint32
	Counted bool
}

// AcceptQueues reads those of all listening sockets of a network namespace. It is not safe for concurrent use.
type AcceptQueues struct {
	fs   procfs
	conn *netlink.Conn
	buf  []byte
}

// OpenAcceptQueues asks the kernel by socket diagnosis in the caller's own namespace; elsewhere it reads the proc file
// system that is mounted at procRoot.
func OpenAcceptQueues(procRoot string) (*AcceptQueues, error) {
	conn, err := openDiag()
	if err != nil {
		return nil, err
	}
	return &AcceptQueues{fs: procfs{root: procRoot}, conn: conn, buf: make([]byte, tableBytes)}, nil
}

// Close ends it.
func (a *AcceptQueues) Close() error { return a.conn.Close() }

// Read visits the accept queues in a network namespace, of which pid is a process. In a foreign one the limit is not
// told, and connections that were refused are told of the namespace only: see Drops.
func (a *AcceptQueues) Read(netns uint32, pid int32, visit func(AcceptQueue)) error {
	if netns != a.fs.netnsOfCaller() {
		return errors.Join(a.table(netns, pid, "net/tcp", visit), a.table(netns, pid, "net/tcp6", visit))
	}
	return askDiag(a.conn, 1<<(diagMemory-1), 1<<stateListen, func(body []byte) {
		if q, ok := parseAccept(body, netns); ok {
			visit(q)
		}
	})
}

// Own reports whether a namespace is that of this program's sockets.
func (a *AcceptQueues) Own(netns uint32) bool { return netns == a.fs.netnsOfCaller() }

// In is the network namespace of a process; 0 where that is not told.
func (a *AcceptQueues) In(pid int32) uint32 {
	netns, _ := a.fs.netns(pid)
	return netns
}

// Numbers of linux/inet_diag.h and linux/sock_diag.h.
const (
	diagMemory      = 7 // INET_DIAG_SKMEMINFO
	diagMemoryDrops = 8 // SK_MEMINFO_DROPS
)

// parseAccept reads a struct inet_diag_msg of a listening socket, and behind it the attribute that tells its drops.
func parseAccept(b []byte, netns uint32) (q AcceptQueue, ok bool) {
	s, ok := parseDiag(b)
	if !ok || !s.listening {
		return q, false
	}
	q.Listener, q.Socket = Listener{netns, s.local.Addr(), s.local.Port()}, s.inode
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

// tableBytes is how much of such a table is read at once.
const tableBytes = 64 << 10

var errLongRow = errors.New("a row of /proc/net/tcp is longer than the buffer")

// table reads the listening sockets at the beginning of /proc/PID/net/tcp or tcp6: the kernel lists them first.
func (a *AcceptQueues) table(netns uint32, pid int32, name string, visit func(AcceptQueue)) error {
	fd, err := retry(func() (int, error) { return unix.Open(a.fs.path(pid, name), unix.O_RDONLY|unix.O_CLOEXEC, 0) })
	if errors.Is(err, unix.ENOENT) { // the process ended, or there is no IPv6
		return nil
	}
	if err != nil {
		return fmt.Errorf("%s: %w", a.fs.path(pid, name), err)
	}
	defer unix.Close(fd)
	for kept := 0; ; {
		n, err := retry(func() (int, error) { return unix.Read(fd, a.buf[kept:]) })
		if err != nil || n == 0 {
			return err
		}
		rows := a.buf[:kept+n]
		for {
			row, rest, whole := bytes.Cut(rows, []byte{'\n'})
			if !whole {
				break
			}
			rows = rest
			q, listening, ok := parseAcceptRow(row, netns)
			if ok {
				visit(q)
			} else if !listening {
				return nil
			}
		}
		if kept = copy(a.buf, rows); kept == len(a.buf) {
			return errLongRow
		}
	}
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
	rest := row
	for range 4 {
		_, rest = field(rest)
	}
	queues, _ := field(rest) // tx:rx
	_, waiting, _ := bytes.Cut(queues, []byte{':'})
	n, ok := hex(waiting)
	if !ok || n > math.MaxUint32 {
		return q, true, false
	}
	q.Listener, q.Socket, q.Waiting = Listener{netns, s.local.Addr(), s.local.Port()}, s.inode, uint32(n)
	return q, true, true
}

// Drops is how many packets of connections all listening sockets of a process's network namespace dropped so far:
// ListenDrops of netstat.
func (a *AcceptQueues) Drops(pid int32) (uint64, error) {
	return a.drops(a.fs.path(pid, "net/netstat"))
}

// OwnDrops is the same of this program's namespace. The kernel does not count there what it drops because a server
// defers accepting until the request is there.
func (a *AcceptQueues) OwnDrops() (uint64, error) {
	return a.drops(filepath.Join(a.fs.root, "self/net/netstat"))
}

func (a *AcceptQueues) drops(path string) (uint64, error) {
	text, err := a.fs.read(path)
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
