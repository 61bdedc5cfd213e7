// SPDX-License-Identifier: Apache-2.0

package discovery

import "slices"

// exporterCommand is the name of this program's processes.
const exporterCommand = "nstar_exporter"

// exporters are where other exporters of this kind listen in the scanner's own network namespace. Any local user may
// call a process so: only those of root and of the own user count, in the same container or outside of all.
func (s *Scanner) exporters(procs []*process, listening map[uint64]Listener) (out []Listener) {
	self := s.procs[s.self]
	if self == nil {
		return nil
	}
	for _, p := range procs {
		if p.command() != exporterCommand || p.netns != self.netns || !p.described ||
			p.user != 0 && p.user != self.user || p.home.container != self.home.container {
			continue
		}
		for _, inode := range p.listens {
			if l, ok := listening[inode]; ok && l.Path == "" && !slices.Contains(out, l) {
				out = append(out, l)
			}
		}
	}
	slices.SortFunc(out, byPlace)
	return out
}
