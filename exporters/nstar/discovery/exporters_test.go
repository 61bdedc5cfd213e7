// SPDX-License-Identifier: Apache-2.0

package discovery

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// Other exporters are found, and no process that only has their name.
func TestExporters(t *testing.T) {
	f, sockets := chain(t)
	named := fakeProcess{comm: "nstar_exporter", exe: "nstar_exporter"}
	with := func(inode uint64, change func(*fakeProcess)) fakeProcess {
		p := named
		p.sockets = []uint64{inode}
		change(&p)
		return p
	}
	f.add(100, with(9966, func(*fakeProcess) {}))
	f.add(101, with(9967, func(p *fakeProcess) { p.comm = "sleep" }))
	f.add(102, with(9968, func(p *fakeProcess) { p.netns = 2 }))
	f.add(103, with(9969, func(p *fakeProcess) {
		p.cgroup = "0::/system.slice/docker-0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef.scope\n"
	}))
	f.table(append(sockets, listen(9966, "127.0.0.1:9966"), listen(9967, "[::]:9967"), listen(9969, "[::]:9969")),
		1, 40, 41, 50, 60, 70, 99, 100, 101, 103)
	f.table([]socket{listen(9968, "[::]:9968")}, 102)
	s := NewScanner(f.root, 0)
	got := scan(t, s)
	if diff := cmp.Diff([]Listener{at("127.0.0.1:9966")}, got.Exporters, compare, cmpopts.EquateEmpty()); diff != "" {
		t.Error(diff)
	}
	if got.NetNS != 1 {
		t.Errorf("own namespace %d", got.NetNS)
	}
	s.procs[100].user, s.procs[99].user = 1000, 998
	if got := scan(t, s); len(got.Exporters) > 0 {
		t.Errorf("another user's: %v", got.Exporters)
	}
	s.procs[99].user = 1000
	if got := scan(t, s); len(got.Exporters) != 1 {
		t.Errorf("the own user's: %v", got.Exporters)
	}
}
