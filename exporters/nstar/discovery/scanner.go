// SPDX-License-Identifier: Apache-2.0

package discovery

import (
	"cmp"
	"errors"
	"net/netip"
	"slices"

	"golang.org/x/sys/unix"

	"github.com/nstar-project/nstar/exporters/nstar/config"
	"github.com/nstar-project/nstar/exporters/nstar/rights"
)

// refreshScans is the number of scans after which a process is read again even if nothing suggests it: it may
// have closed a listening socket that others still hold, or been moved to another control group.
const refreshScans = 12

// filesPerScan bounds how many sockets of a process are read per scan, on
// average, only to find the owners of new outgoing connections.
const filesPerScan = 1000

// Scanner scans the host again and again, and reads only the parts that may have changed. It is not safe for
// concurrent use.
type Scanner struct {
	fs    procfs
	self  int32
	scan  uint64
	procs map[int32]*process
	// known are the listening inodes of the last scan.
	known map[uint64]Listener
	// owner has the outgoing connections by inode, those over Unix sockets too; the value is nil if no
	// readable process was found to hold it.
	owner map[uint64]*process
	// calls were seen between servers on this host; unixCalls over Unix sockets.
	calls     map[calling]bool
	unixCalls map[unixCall]bool
	// waiting says that a process was not read though it may be the owner of a
	// new connection.
	waiting bool
	names   *names
	// containers finds their names.
	containers containers
	// addresses are the addresses of each namespace.
	addresses  map[uint32]addressesOf
	translated translatedOf
	sockets    []socket
	accepted   []socket          // by listeners
	places     map[Listener]bool // where TCP sockets listen
	unix       []unixSocket
	// measuresUnix says that servers at Unix sockets are tiers.
	measuresUnix bool
}

// NewScanner reads the proc file system that is mounted at procRoot, normally
// /proc. The process selfPID is left out of the discovery; 0 means the caller's
// own, as that proc file system counts it.
func NewScanner(procRoot string, selfPID int) *Scanner {
	s := &Scanner{fs: procfs{root: procRoot}, self: int32(selfPID), names: newNames()}
	s.containers = newContainers(&s.fs)
	return s
}

// MeasureUnix makes servers tiers that are asked over a Unix socket by others, or named by a rule.
func (s *Scanner) MeasureUnix() { s.measuresUnix = true }

// Scan reads the present state. A nil cfg means no rules. Processes that end while they are being read are
// left out; processes that may not be read are counted, see Snapshot.Problem. An error means that procRoot is
// unusable.
//
// The first scan reads the open files of every process, and so does each scan that finds a new listening
// socket. In between, only those of new processes are read and, while there are new outgoing connections,
// those of the tiers.
func (s *Scanner) Scan(cfg *config.Config) (Snapshot, error) {
	pids, err := s.fs.pids()
	if err != nil {
		return Snapshot{}, err
	}
	if s.self == 0 {
		s.self = s.fs.self()
	}
	s.scan++
	clear(s.containers.asked)
	procs := s.readProcesses(pids)
	listening, candidates := s.readSockets(procs)
	s.readUnix(procs, listening)
	s.readFiles(procs, listening, candidates)

	var snap Snapshot
	held := make(map[uint64]bool, len(listening))
	for _, p := range procs {
		if p.hidden || p.denied {
			if snap.Denied++; snap.Denied == 1 && rights.Looks() {
				snap.Forbidden = p.pid
			}
		}
		for _, inode := range p.listens {
			held[inode] = true
		}
		if len(p.listens) > 0 && !p.described {
			s.fs.describe(p, s.containers)
		}
	}
	for inode, l := range listening {
		if !held[inode] && l.Path == "" {
			snap.Unowned++
		}
	}
	serving := slices.DeleteFunc(procs, func(p *process) bool { return p.pid == s.self })
	groups := withForked(groups(serving, listening), serving)
	s.noteUnixCalls(groups)
	paths := pathsOf(groups)
	groups = s.asked(groups, cfg)
	snap.Tiers = tiers(groups, cfg, s.names)
	snap.Tiers = append(snap.Tiers, s.workers(cfg, snap.Tiers, serving)...)
	slices.SortFunc(snap.Tiers, byName)
	s.addStarted(snap.Tiers, serving)
	s.fs.dated(snap.Tiers)
	snap.Addresses = s.local()
	if self := s.procs[s.self]; self != nil {
		snap.NetNS = self.netns
	}
	snap.Exporters = s.exporters(serving, listening)
	servers, listens, ofTier := serversOf(groups), listenersOf(groups), tiersOf(snap.Tiers)
	s.allied(snap.Tiers, groups, servers, candidates, listens, snap.Addresses)
	s.addClients(snap.Tiers, ofTier, servers, candidates, listens, snap.Addresses)
	s.addAbroad(snap.Tiers, ofTier, listens, snap.Addresses)
	s.overUnix(snap.Tiers, paths)
	snap.Outgoing = s.outgoing(ofTier, candidates)
	s.translated.note(candidates, s.accepted, s.places, snap.Addresses, s.hosts())
	snap.Translations = s.translated.all()
	return snap, nil
}

// hosts are the network namespaces that others may call through: that of the first process, and the exporter's own.
func (s *Scanner) hosts() (all []uint32) {
	for _, pid := range []int32{1, s.self} {
		if p := s.procs[pid]; p != nil {
			all = append(all, p.netns)
		}
	}
	return all
}

// readProcesses brings s.procs up to date and returns them by age.
func (s *Scanner) readProcesses(pids []int32) []*process {
	old := s.procs
	s.procs = make(map[int32]*process, len(pids))
	procs := make([]*process, 0, len(pids))
	for _, pid := range pids {
		p := s.readProcess(pid, old[pid])
		if p == nil {
			continue
		}
		s.procs[pid] = p
		procs = append(procs, p)
	}
	slices.SortFunc(procs, byAge)
	return procs
}

// readProcess reads what a process is; old is what was known for its id. It is nil for processes that can hold no
// sockets. If something can't be read once, although the process is there, the old value is kept.
func (s *Scanner) readProcess(pid int32, old *process) *process {
	stat, err := s.fs.read(s.fs.path(pid, "stat"))
	if gone(err) {
		return nil
	}
	if err != nil {
		return old
	}
	id, parent, ok := parseStat(pid, stat)
	if !ok {
		return nil
	}
	p := old
	if p == nil || p.identity != id {
		p = &process{identity: id}
	}
	p.parent = parent
	netns, err := s.fs.netns(pid)
	switch {
	case gone(err):
		return nil
	case err == nil:
		p.netns, p.hidden = netns, false
	case p.netns == 0 || forbidden(err):
		p.hidden = true
	}
	return p
}

// readSockets reads the tables of every network namespace in which there is a process. It returns the listening sockets
// by inode, and the established ones whose local end is no listener. Those that listeners accepted are kept apart.
func (s *Scanner) readSockets(procs []*process) (listening map[uint64]Listener, candidates []socket) {
	s.sockets, s.accepted = s.sockets[:0], s.accepted[:0]
	done, failed := make(map[uint32]bool), make(map[uint32]bool)
	addresses := s.addresses
	s.addresses = make(map[uint32]addressesOf)
	for _, p := range procs {
		if p.hidden || done[p.netns] {
			continue
		}
		err := s.readTables(p)
		if err == nil {
			done[p.netns] = true
			s.readAddresses(p, addresses)
		} else if !gone(err) {
			failed[p.netns] = true
		} // ended; the next in this namespace will do
	}
	listening = make(map[uint64]Listener)
	places := make(map[Listener]bool)
	s.places = places
	for _, k := range s.sockets {
		if k.listening {
			l := k.place(k.netns)
			listening[k.inode] = l
			places[l] = true
		}
	}
	for inode, l := range s.known { // a table that can't be read for once takes no tier away
		if failed[l.NetNS] && !done[l.NetNS] {
			listening[inode] = l
			places[l] = true
		}
	}
	candidates = slices.DeleteFunc(s.sockets, func(k socket) bool {
		taken := !k.listening && isAccepted(k, places)
		if taken {
			s.accepted = append(s.accepted, k)
		}
		return k.listening || taken
	})
	return listening, candidates
}

// readTables appends the sockets of a process's namespace.
func (s *Scanner) readTables(p *process) error {
	if p.netns == s.fs.netnsOfCaller() && s.readDiag(p.netns) {
		return nil
	}
	n := len(s.sockets)
	for _, table := range []string{"net/tcp", "net/tcp6"} {
		rows, err := s.fs.read(s.fs.path(p.pid, table))
		if table == "net/tcp6" && errors.Is(err, unix.ENOENT) {
			continue // the kernel has no IPv6
		}
		if err != nil {
			s.sockets = s.sockets[:n]
			return err
		}
		s.sockets = appendSockets(s.sockets, rows, p.netns)
	}
	return nil
}

// readDiag is the quick way for the caller's own namespace. If it is not allowed (a filter of system calls),
// the tables of procfs are used.
func (s *Scanner) readDiag(netns uint32) bool {
	n := len(s.sockets)
	sockets, err := diagSockets(s.sockets, netns)
	if err != nil {
		sockets = sockets[:n]
	}
	s.sockets = sockets
	return err == nil
}

// isAccepted reports whether an established socket was accepted by a listener.
func isAccepted(k socket, places map[Listener]bool) bool {
	_, ok := CameIn(places, k.place(k.netns))
	return ok
}

// CameIn finds what is known about the listener that accepted a connection with this local end: a listener on exactly
// that address if there is one, otherwise one on any address.
func CameIn[T any](listeners map[Listener]T, local Listener) (T, bool) {
	found, ok := listeners[local]
	if !ok && local.Addr.Is4() {
		found, ok = listeners[Listener{NetNS: local.NetNS, Addr: netip.IPv4Unspecified(), Port: local.Port}]
	}
	if !ok {
		found, ok = listeners[Listener{NetNS: local.NetNS, Addr: netip.IPv6Unspecified(), Port: local.Port}]
	}
	return found, ok
}

// readFiles finds out which processes hold the sockets. It reads only the open files of processes for which
// the answer may have changed.
func (s *Scanner) readFiles(procs []*process, listening map[uint64]Listener, candidates []socket) {
	newListener := false
	for inode := range listening {
		if _, ok := s.known[inode]; !ok {
			newListener = true
		}
	}
	s.known = listening

	owner := make(map[uint64]*process, len(candidates)+len(s.unix))
	newOutgoing := s.waiting
	wanted := func(inode uint64) {
		p, seen := s.owner[inode]
		if p != nil && s.procs[p.pid] != p { // ended; another process may hold it, too
			p, seen = nil, false
		}
		if !seen {
			newOutgoing = true
		}
		owner[inode] = p
	}
	for _, k := range candidates {
		wanted(k.inode)
	}
	for _, k := range s.unix {
		wanted(k.inode)
	}
	s.owner, s.waiting = owner, false

	for _, p := range procs {
		refresh := (s.scan+uint64(p.pid))%refreshScans == 0
		// A process with thousands of files takes milliseconds to read, so it
		// waits the longer for its new connections to be found.
		ripe := s.scan-p.read > uint64(p.files/filesPerScan)
		asked := newOutgoing && (len(p.listens) > 0 || p.works) && !p.isSystemd() && p.pid != s.self
		due := p.read == 0 || newListener || asked && ripe || refresh
		if p.hidden || !due {
			s.waiting = s.waiting || asked && !p.hidden
			p.listens = stillOpen(p.listens, listening)
			continue
		}
		if p.read != 0 && refresh {
			p.described = false
		}
		p.read = s.scan
		before := p.listens
		p.listens = nil
		p.files = 0
		err := s.fs.sockets(p.pid, func(inode uint64) {
			p.files++
			if _, ok := listening[inode]; ok {
				p.listens = append(p.listens, inode)
			} else if q, ok := owner[inode]; ok && (q == nil || p.pid < q.pid) {
				owner[inode] = p
			}
		})
		p.denied = forbidden(err)
		if err != nil && !p.denied && !gone(err) { // for once; it is read again by the next scan
			p.listens, p.read = stillOpen(before, listening), 0
		}
	}
}

// stillOpen keeps the sockets that still listen.
func stillOpen(inodes []uint64, listening map[uint64]Listener) []uint64 {
	return slices.DeleteFunc(inodes, func(inode uint64) bool { _, ok := listening[inode]; return !ok })
}

// tiersOf is the tier of each process of tiers, and of each process that these have started.
func tiersOf(tiers []Tier) map[int32]int {
	ofTier := make(map[int32]int)
	for i, t := range tiers {
		for _, pid := range t.All() {
			ofTier[pid] = i
		}
	}
	return ofTier
}

// outgoing selects the connections held by processes of tiers.
func (s *Scanner) outgoing(ofTier map[int32]int, candidates []socket) []Connection {
	var out []Connection
	for _, k := range candidates {
		p := s.owner[k.inode]
		if p == nil {
			continue
		}
		if _, ok := ofTier[p.pid]; ok {
			out = append(out, Connection{NetNS: k.netns, Local: k.local, Remote: k.remote, PID: p.pid})
		}
	}
	slices.SortFunc(out, func(a, b Connection) int {
		return cmp.Or(cmp.Compare(a.NetNS, b.NetNS), a.Local.Compare(b.Local), a.Remote.Compare(b.Remote))
	})
	return out
}
