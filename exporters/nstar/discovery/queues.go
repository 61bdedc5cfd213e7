// SPDX-License-Identifier: Apache-2.0

package discovery

import (
	"bytes"
	"errors"
	"fmt"
	"math"

	"github.com/mdlayher/netlink"
	"golang.org/x/sys/unix"
)

// Queues reads what is waiting at the sockets of a network namespace. It is not safe for concurrent use.
type Queues struct {
	fs   procfs
	conn *netlink.Conn
	buf  []byte
}

// OpenQueues asks the kernel by socket diagnosis in the caller's own namespace; elsewhere it reads the proc file system
// that is mounted at procRoot.
func OpenQueues(procRoot string) (*Queues, error) {
	conn, err := openDiag()
	if err != nil {
		return nil, err
	}
	return &Queues{fs: procfs{root: procRoot}, conn: conn, buf: make([]byte, tableBytes)}, nil
}

// Close ends it.
func (q *Queues) Close() error { return q.conn.Close() }

// Own reports whether a namespace is that of this program's sockets.
func (q *Queues) Own(netns uint32) bool { return netns == q.fs.netnsOfCaller() }

// In is the network namespace of a process; 0 if unknown.
func (q *Queues) In(pid int32) uint32 {
	netns, _ := q.fs.netns(pid)
	return netns
}

// tables visits the rows of /proc/PID/net/tcp and then of tcp6, of each until visit says that no more are wanted.
func (q *Queues) tables(pid int32, visit func(row []byte) (more bool)) error {
	return errors.Join(q.table(pid, "net/tcp", visit), q.table(pid, "net/tcp6", visit))
}

// tableBytes is how much of such a table is read at once.
const tableBytes = 64 << 10

var errLongRow = errors.New("a row of /proc/net/tcp is longer than the buffer")

func (q *Queues) table(pid int32, name string, visit func(row []byte) (more bool)) error {
	fd, err := retry(func() (int, error) { return unix.Open(q.fs.path(pid, name), unix.O_RDONLY|unix.O_CLOEXEC, 0) })
	if errors.Is(err, unix.ENOENT) { // the process ended, or there is no IPv6
		return nil
	}
	if err != nil {
		return fmt.Errorf("%s: %w", q.fs.path(pid, name), err)
	}
	defer unix.Close(fd)
	for kept := 0; ; {
		n, err := retry(func() (int, error) { return unix.Read(fd, q.buf[kept:]) })
		if err != nil || n == 0 {
			return err
		}
		rows := q.buf[:kept+n]
		for {
			row, rest, whole := bytes.Cut(rows, []byte{'\n'})
			if !whole {
				break
			}
			rows = rest
			if !visit(row) {
				return nil
			}
		}
		if kept = copy(q.buf, rows); kept == len(q.buf) {
			return errLongRow
		}
	}
}

// received is the column rx_queue of a row: connections that wait to be accepted of a listening socket, bytes that the
// server has not read of others.
func received(row []byte) (uint32, bool) {
	for range 4 {
		_, row = field(row)
	}
	queues, _ := field(row) // tx:rx
	_, waiting, _ := bytes.Cut(queues, []byte{':'})
	n, ok := hex(waiting)
	return uint32(n), ok && n <= math.MaxUint32
}
