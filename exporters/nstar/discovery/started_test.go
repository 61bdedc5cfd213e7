// SPDX-License-Identifier: Apache-2.0

package discovery

import (
	"slices"
	"testing"
)

// What a server runs is its tier's, and so is what that runs, but no other server, and nobody in another control group.
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
