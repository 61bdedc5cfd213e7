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

// overUnix gives the tiers the Unix sockets that they call. What was seen once holds for as long as the server runs: a
// connection may last for a request only, and a scan sees few of those.
func (s *Scanner) overUnix(tiers []Tier, groups []group) {
	leaders := make(map[int32]identity) // of each process of a server
	running := make(map[identity]bool)
	for _, g := range groups {
		running[g.leader.identity] = true
		for _, pid := range g.pids() {
			leaders[pid] = g.leader.identity
		}
	}
	if s.unixCalls == nil {
		s.unixCalls = make(map[unixCall]bool)
	}
	maps.DeleteFunc(s.unixCalls, func(c unixCall, _ bool) bool { return !running[c.from] })
	for _, c := range s.unix {
		if p := s.owner[c.client]; p != nil {
			if leader, ok := leaders[p.pid]; ok {
				s.unixCalls[unixCall{leader, c.path}] = true
			}
		}
	}
	for i := range tiers {
		paths := make(map[string]bool)
		for c := range s.unixCalls {
			if slices.Contains(tiers[i].PIDs, c.from.pid) {
				paths[c.path] = true
			}
		}
		tiers[i].OverUnix = slices.Sorted(maps.Keys(paths))
	}
}
