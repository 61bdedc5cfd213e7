// SPDX-License-Identifier: Apache-2.0

// Package discovery finds the listening TCP and Unix sockets on this host, the processes behind each, their
// names, and their outgoing connections: the tiers of an application and its edges, without configuration.
//
// All of it comes from procfs. A Scanner reads it again every few seconds. It keeps what it learnt about a
// process as long as the same process runs the same program.
package discovery

import (
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"time"

	"github.com/nstar-project/nstar/exporters/nstar/config"
)

// Listener is the place where a listening socket waits: an address and a port of TCP, or the path of a Unix socket.
type Listener struct {
	// NetNS is the inode number of the network namespace, as in
	// /proc/PID/ns/net.
	NetNS uint32
	// Addr is 0.0.0.0 or :: for a wildcard. A socket on :: also takes IPv4 unless it was bound IPv6-only,
	// which procfs does not show; if another listener on 0.0.0.0 or on the exact address has the same
	// port, that listener gets the IPv4 connections. IPv4-mapped addresses are plain IPv4 here.
	Addr netip.Addr
	Port uint16
	// Path is where a Unix socket listens; an abstract name begins with @. Empty for TCP.
	Path string
	// File identifies the path for the kernel; zero for TCP and for an abstract name.
	File File
}

// File is the file of a Unix socket: the number of its device, as the kernel counts them, and of its inode.
type File struct{ Device, Inode uint32 }

// Tier is one or several processes that serve the same listening sockets, or none (workers).
type Tier struct {
	// App and Name come from the rule that claimed the listeners or the workers, otherwise App
	// is config.DefaultApp and Name the systemd unit, container or command.
	// The pair is unique within a Snapshot.
	App, Name string
	// Ruled says that a rule named it.
	Ruled bool
	// Owner is the owner of the tier, a user or a container, if the owner is not the host's administrator and may
	// start any number of tiers. It is empty for root's tiers.
	Owner    string
	Protocol config.Protocol
	// Listeners are sorted by namespace, port and address. Workers have none.
	Listeners []Listener
	// PIDs are the thread-group ids of all processes that hold one of the
	// listening sockets or were forked from those, ascending.
	PIDs []int32
	// Started are the processes of programs that PIDs run, and of programs that these run in turn: no servers, in
	// no particular order.
	Started []int32
	// Cluster are processes that one of PIDs has started and that run the same program, such as the workers of
	// Node.js, which answer requests that the first process accepts. They are not among Started.
	Cluster []int32
	// Allies are processes of servers that no rule claims, whether the file ignores them or not, and that call the
	// tier's application on this host or are called by it: they work for the same requests. Ascending; none if no
	// rule named the tier, because its application is then also that of all others.
	Allies []int32
	// Clients are the names of programs on this host that are no tiers and hold connections to the tier, such as
	// workers that take jobs; sorted, at most eight.
	Clients []string
	// Abroad says that a client that is not on this host holds a connection to the tier.
	Abroad bool
	// OverUnix are the Unix sockets of other programs that the tier was seen to call and that are not measured,
	// sorted: calls to these are no edges. Only those of the exporter's own network namespace are known.
	OverUnix []string
	// Program is which well-known server it is, or else what it runs on, as package programs calls it; empty if
	// neither is known.
	Program string
	// Code is what its interpreter or Java virtual machine runs: a script, jar, class, or module, as package programs
	// calls it; empty for other programs.
	Code string
	// Start is when the last of its servers was started (of each the oldest process), as the Unix time; zero if
	// unknown.
	Start time.Duration
	// JVM says that at least one of the processes is a Java virtual machine.
	JVM bool
}

// Serving are the processes that serve the tier's requests.
func (t Tier) Serving() []int32 { return slices.Concat(t.PIDs, t.Cluster) }

// All are these processes and the processes that they have started.
func (t Tier) All() []int32 { return slices.Concat(t.PIDs, t.Cluster, t.Started) }

// TierName identifies a tier on this host.
type TierName struct{ App, Tier string }

// Works reports whether the tier is a worker: it has no listener.
func (t Tier) Works() bool { return len(t.PIDs) > 0 && len(t.Listeners) == 0 }

// FullName is the name under which everything about the tier is kept.
func (t Tier) FullName() TierName { return TierName{t.App, t.Name} }

// Connection is an established TCP connection that a process of a tier opened: no process listens on its
// local port.
type Connection struct {
	NetNS         uint32
	Local, Remote netip.AddrPort
	// PID is the thread-group id of the process that holds the socket; the lowest if several do.
	PID int32
}

// Snapshot is the result of one Scan.
type Snapshot struct {
	// Tiers are sorted by App and Name.
	Tiers []Tier
	// Outgoing are sorted by local address.
	Outgoing []Connection
	// Addresses are those of the namespaces in which there are processes; NetNS is the exporter's own namespace.
	Addresses Addresses
	NetNS     uint32
	// Translations are the servers behind destinations that are translated on the way.
	Translations Translations
	// Exporters are where other exporters like this one listen there, if they belong to root or to the same user.
	Exporters []Listener
	// Denied counts the processes whose open files may not be read, so that their sockets could not be
	// found. Forbidden is the oldest of them if the exporter has all capabilities that this needs, and
	// still may not read them, as in a sandbox; otherwise 0.
	Denied    int
	Forbidden int32
	// Unowned counts the listening sockets that no visible process holds: those
	// of the kernel itself (NFS), of denied processes, and of processes that
	// ended during the scan.
	Unowned int
}

// ErrPermission is what Snapshot.Problem wraps if capabilities are missing.
var ErrPermission = errors.New("grant CAP_SYS_PTRACE and CAP_DAC_READ_SEARCH, or run as root with both")

// Problem is a one-line error if tiers may be missing since open files of other
// users' processes could not be read, otherwise nil. The snapshot is right as
// far as it goes, so a caller may warn once and carry on.
func (s Snapshot) Problem() error {
	if s.Denied == 0 || s.Unowned == 0 {
		return nil
	}
	what := fmt.Sprintf("listening sockets without a visible owner: %d, processes whose open files may not be read: %d",
		s.Unowned, s.Denied)
	if s.Forbidden > 0 {
		return fmt.Errorf("%s; the exporter has the capabilities for it, but a sandbox or a security module forbids "+
			"it for process %d: the sockets of this process are no tiers", what, s.Forbidden)
	}
	return fmt.Errorf("%s; %w", what, ErrPermission)
}
