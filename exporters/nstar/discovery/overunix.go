// SPDX-License-Identifier: Apache-2.0

package discovery

import (
	"maps"
	"slices"
)

// unixCall is a server that was seen with a connection over a Unix socket, by the oldest of its processes.
type unixCall struct {
	from identity
	path string
}

// readUnix reads the connections over Unix sockets. Those of other network namespaces are not told.
func (s *Scanner) readUnix(procs []*process) {
	s.unix = s.unix[:0]
	own := s.fs.netnsOfCaller()
	if !slices.ContainsFunc(procs, func(p *process) bool { return !p.hidden && p.netns == own }) {
		return
	}
	all, err := diagUnix(s.unix)
	if err == nil { // a kernel without it tells nothing
		s.unix = all
	}
}

// overUnix gives the tiers the Unix sockets of others that they call. What was seen once holds for as long as the server
// runs: a connection may last for a request only, and a scan sees few of those.
func (s *Scanner) overUnix(tiers []Tier, groups []group, servers map[int32]int) {
	running := make(map[identity]bool)
	for _, g := range groups {
		running[g.leader.identity] = true
	}
	if s.unixCalls == nil {
		s.unixCalls = make(map[unixCall]bool)
	}
	maps.DeleteFunc(s.unixCalls, func(c unixCall, _ bool) bool { return !running[c.from] })
	listens := make(map[string]int32) // the process, where it is known
	for _, k := range s.unix {
		p := s.owner[k.inode]
		if p == nil {
			continue
		}
		if k.listening {
			listens[k.path] = p.pid
		} else if i, ok := servers[p.pid]; ok {
			s.unixCalls[unixCall{groups[i].leader.identity, k.path}] = true
		}
	}
	for i := range tiers {
		t := &tiers[i]
		paths := make(map[string]bool)
		for c := range s.unixCalls {
			// Many servers are several programs that talk to each other in this way.
			if pid, ok := listens[c.path]; ok && slices.Contains(t.PIDs, c.from.pid) && !slices.Contains(t.PIDs, pid) &&
				!slices.Contains(t.Started, pid) {
				paths[c.path] = true
			}
		}
		t.OverUnix = slices.Sorted(maps.Keys(paths))
	}
}
