// SPDX-License-Identifier: Apache-2.0

package discovery

// withForked adds to the groups the processes that were forked from theirs and listen nowhere: those of PostgreSQL,
// which serve a connection each, close the listening socket that they inherit. A child that has run another program
// after the fork (a shell's command, an archiver) is no part of the server: its stack begins elsewhere, or it has
// another name.
func withForked(groups []group, procs []*process) []group {
	children := make(map[int32][]*process)
	for _, p := range procs {
		if len(p.listens) == 0 {
			children[p.parent] = append(children[p.parent], p)
		}
	}
	for _, g := range groups {
		for i := range g.serves {
			// Each process is the child of one, and so is met once.
			for n := 0; n < len(g.serves[i].holders); n++ {
				holder := g.serves[i].holders[n]
				for _, p := range children[holder.pid] {
					if p.stack == holder.stack && p.comm == holder.comm && p.netns == holder.netns {
						g.serves[i].holders = append(g.serves[i].holders, p)
					}
				}
			}
		}
	}
	return groups
}
