// SPDX-License-Identifier: Apache-2.0

package discovery

import (
	"slices"
	"testing"
)

// The workers of a server that starts its own program again (a cluster of Node.js) answer requests that the first
// process accepts, and ask other servers: their open connections belong to their tier.
func TestCluster(t *testing.T) {
	f := newFakeProc(t)
	f.add(1, fakeProcess{comm: "init", exe: "init"})
	f.add(20, fakeProcess{comm: "MainThread", exe: "node", stack: 7000, sockets: []uint64{3000}})
	f.add(21, fakeProcess{comm: "MainThread", exe: "node", parent: 20, stack: 7100, sockets: []uint64{501}})
	f.add(22, fakeProcess{comm: "node /srv/app.j", exe: "node", parent: 20, stack: 7200}) // it gave itself that name
	f.add(23, fakeProcess{comm: "convert", exe: "convert", parent: 21, stack: 7300, sockets: []uint64{502}})
	f.add(24, fakeProcess{comm: "MainThread", exe: "node", parent: 23, stack: 7400}) // of another program
	f.add(30, fakeProcess{comm: "mariadbd", exe: "mariadbd", sockets: []uint64{3306, 601, 602}})
	f.table([]socket{
		listen(3000, "0.0.0.0:3000"), listen(3306, "0.0.0.0:3306"),
		established(501, "127.0.0.1:33001", "127.0.0.1:3306"), established(601, "127.0.0.1:3306", "127.0.0.1:33001"),
		established(502, "127.0.0.1:33002", "127.0.0.1:3306"), established(602, "127.0.0.1:3306", "127.0.0.1:33002"),
	}, 1, 20, 21, 22, 23, 24, 30)
	snap := scan(t, NewScanner(f.root, 0))
	i := slices.IndexFunc(snap.Tiers, func(t Tier) bool { return t.Name == "node" })
	if i < 0 || !slices.Equal(snap.Tiers[i].Cluster, []int32{21, 22}) {
		t.Fatalf("tiers %+v, want node with a cluster of 21 and 22", snap.Tiers)
	}
	if got := snap.Tiers[i].Started; !slices.Equal(got, []int32{23, 24}) { // no process twice
		t.Errorf("started %v, want 23 and 24", got)
	}
	var found []int32
	for _, c := range snap.Outgoing {
		found = append(found, c.PID)
	}
	if slices.Sort(found); !slices.Equal(found, []int32{21, 23}) {
		t.Errorf("connections of %d, want those of 21 and 23", found)
	}
}

// Programs that a server runs belong to its tier, and so do programs that these run. Other servers, and processes in
// another control group, do not.
func TestStarted(t *testing.T) {
	const service, other = "0::/system.slice/forge.service\n", "0::/system.slice/docker-x.scope\n"
	f := newFakeProc(t)
	f.add(1, fakeProcess{comm: "init", exe: "init", sockets: []uint64{1}})
	f.add(20, fakeProcess{comm: "forge", exe: "forge", stack: 7000, cgroup: service, sockets: []uint64{3000}})
	f.add(21, fakeProcess{comm: "git", exe: "git", parent: 20, cgroup: service})
	f.add(22, fakeProcess{comm: "git", exe: "git", parent: 21, cgroup: service})
	f.add(23, fakeProcess{comm: "forge", exe: "forge", parent: 20, stack: 7000, cgroup: service}) // a worker
	f.add(24, fakeProcess{comm: "hook", exe: "hook", parent: 23, cgroup: service})
	f.add(30, fakeProcess{comm: "shim", exe: "shim", parent: 20, cgroup: other})
	f.add(31, fakeProcess{comm: "job", exe: "job", parent: 30, cgroup: other})
	f.add(40, fakeProcess{comm: "cache", exe: "cache", parent: 20, cgroup: service, sockets: []uint64{6000}})
	f.add(41, fakeProcess{comm: "dump", exe: "dump", parent: 40, cgroup: service})
	f.add(50, fakeProcess{comm: "cron", exe: "cron", cgroup: service})
	f.add(51, fakeProcess{comm: "job", exe: "job", parent: 50, cgroup: service})
	f.table([]socket{listen(1, "0.0.0.0:1"), listen(3000, "0.0.0.0:3000"), listen(6000, "0.0.0.0:6000")},
		1, 20, 21, 22, 23, 24, 30, 31, 40, 41, 50, 51)
	s := NewScanner(f.root, 0)
	check := func(want map[string][]int32) {
		t.Helper()
		for _, tier := range scan(t, s).Tiers {
			if got := slices.Sorted(slices.Values(tier.Started)); !slices.Equal(got, want[tier.Name]) {
				t.Errorf("%s of the processes %v has started %v, want %v", tier.Name, tier.PIDs, got, want[tier.Name])
			}
		}
	}
	check(map[string][]int32{"forge": {21, 22, 24}, "forge:6000": {41}})
	f.remove(21) // its child goes to init
	f.add(22, fakeProcess{comm: "git", exe: "git", parent: 1, cgroup: service})
	check(map[string][]int32{"forge": {24}, "forge:6000": {41}})
}
