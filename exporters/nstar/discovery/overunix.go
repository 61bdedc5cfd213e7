// SPDX-License-Identifier: Apache-2.0

package discovery

import (
	"maps"
	"slices"

	"github.com/nstar-project/nstar/exporters/nstar/config"
)

// unixCall is a server that was seen with a connection over a Unix socket, by the oldest of its processes.
type unixCall struct {
	from identity
	path string
}

// readUnix reads the Unix sockets and adds those that listen. Those of other network namespaces are not visible.
func (s *Scanner) readUnix(procs []*process, listening map[uint64]Listener) {
	own := s.fs.netnsOfCaller()
	if !slices.ContainsFunc(procs, func(p *process) bool { return !p.hidden && p.netns == own }) {
		s.unix = s.unix[:0]
		return
	}
	if all, err := diagUnix(nil); err == nil { // a kernel without it shows nothing
		s.unix = all
	}
	for _, k := range s.unix {
		if k.listening {
			listening[k.inode] = Listener{Path: k.path, File: k.file}
		}
	}
}

// noteUnixCalls remembers which servers call which Unix sockets. A call that was seen once is valid as long as the
// server runs: a connection may last for only one request, and a scan sees few of those.
func (s *Scanner) noteUnixCalls(groups []group) {
	if s.unixCalls == nil {
		s.unixCalls = make(map[unixCall]bool)
	}
	running := make(map[identity]bool)
	for _, g := range groups {
		running[g.leader.identity] = true
	}
	maps.DeleteFunc(s.unixCalls, func(c unixCall, _ bool) bool { return !running[c.from] })
	servers := serversOf(groups)
	for _, k := range s.unix {
		p := s.owner[k.inode]
		if p == nil || k.listening {
			continue
		}
		if i, ok := servers[p.pid]; ok {
			s.unixCalls[unixCall{groups[i].leader.identity, k.path}] = true
		}
	}
}

// pathsOf are the Unix sockets at which groups listen, each with the oldest process of its group.
func pathsOf(groups []group) map[string]*process {
	out := make(map[string]*process)
	for _, g := range groups {
		for _, v := range g.serves {
			if v.listener.Path != "" {
				out[v.listener.Path] = g.leader
			}
		}
	}
	return out
}

// asked are the groups that serve an application, with their sockets that can be measured: groups that listen on TCP,
// that are a well-known server or named by a rule, or that one of these calls over a Unix socket. Other listeners at
// Unix sockets are no servers: behind most of them is an agent, a terminal or a desktop.
func (s *Scanner) asked(groups []group, cfg *config.Config) (out []group) {
	serves := make([]bool, len(groups))
	var next []int
	admit := func(i int) {
		if !serves[i] {
			serves[i] = true
			next = append(next, i)
		}
	}
	at := make(map[string]int)
	for i, g := range groups {
		for _, v := range g.serves {
			if v.listener.Path != "" {
				at[v.listener.Path] = i
			}
			if v.listener.Path == "" || s.measuresUnix && (v.holders[0].program != "" ||
				cfg.Names(func(m config.Match) bool { return matches(m, v) })) {
				admit(i)
			}
		}
	}
	for ; len(next) > 0; next = next[1:] {
		for c := range s.unixCalls {
			if to, ok := at[c.path]; ok && s.measuresUnix && c.from == groups[next[0]].leader.identity {
				admit(to)
			}
		}
	}
	for i, g := range groups {
		g.serves = slices.DeleteFunc(slices.Clone(g.serves), func(v serving) bool {
			return v.listener.Path != "" && (!s.measuresUnix || v.listener.File == File{})
		})
		if serves[i] && len(g.serves) > 0 {
			out = append(out, g)
		}
	}
	return out
}

// overUnix gives the tiers the Unix sockets of other programs that they call and at which no tier is measured. paths
// are all Unix sockets with a listener.
func (s *Scanner) overUnix(tiers []Tier, paths map[string]*process) {
	measured := make(map[string]bool)
	for _, t := range tiers {
		for _, l := range t.Listeners {
			measured[l.Path] = true
		}
	}
	for i := range tiers {
		t := &tiers[i]
		found, all := make(map[string]bool), t.All()
		for c := range s.unixCalls {
			// Many servers are several programs that talk to each other in this way.
			if p := paths[c.path]; p != nil && !measured[c.path] && slices.Contains(all, c.from.pid) &&
				!slices.Contains(all, p.pid) {
				found[c.path] = true
			}
		}
		t.OverUnix = slices.Sorted(maps.Keys(found))
	}
}
