// SPDX-License-Identifier: Apache-2.0

package discovery

import "os"

// addStarted gives the tiers the processes that their processes have started (directly or in turn) and that are no
// part of the servers: programs that a server runs. The kernel reports processes that are started from now on; these
// were there before. A process that listens is a server of its own, whether it is a tier or not. A process with
// another control group than its parent belongs to something else: a container, a service, a session.
func (s *Scanner) addStarted(tiers []Tier, procs []*process) {
	taken := make(map[int32]bool)
	for _, t := range tiers {
		for _, pid := range t.PIDs {
			taken[pid] = true
		}
	}
	children := make(map[int32][]*process)
	for _, p := range procs {
		if !taken[p.pid] && len(p.listens) == 0 && p.parent != initProcess {
			children[p.parent] = append(children[p.parent], p)
		}
	}
	for i := range tiers {
		t := &tiers[i]
		servers := len(t.PIDs)
		family := t.PIDs[:servers:servers]
		for n := 0; n < len(family); n++ {
			for _, p := range children[family[n]] {
				if taken[p.pid] || !s.fs.together(family[n], p.pid) {
					continue
				}
				taken[p.pid] = true
				family = append(family, p.pid)
				if n < servers && s.fs.same(family[n], p.pid) {
					t.Cluster = append(t.Cluster, p.pid)
				} else {
					t.Started = append(t.Started, p.pid)
				}
			}
		}
	}
}

// same reports whether two processes run the same program. Their names may differ: a worker gives itself another one.
func (fs *procfs) same(a, b int32) bool {
	first, err := os.Readlink(fs.path(a, "exe"))
	if err != nil {
		return false
	}
	second, err := os.Readlink(fs.path(b, "exe"))
	return err == nil && first == second
}

// initProcess is the host's first process.
const initProcess = 1

// together reports whether two processes are in the same control groups.
func (fs *procfs) together(a, b int32) bool {
	first, err := fs.read(fs.path(a, "cgroup"))
	if err != nil {
		return false
	}
	groups := string(first) // the next file is read into the same place
	second, err := fs.read(fs.path(b, "cgroup"))
	return err == nil && groups == string(second)
}
