// SPDX-License-Identifier: Apache-2.0

package discovery

import (
	"net/netip"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Workers of a pool that listen at ports of this host that the kernel chose are one tier, also when one of them is
// replaced. Servers that differ in anything, or listen where someone wanted them to, are not.
func TestPool(t *testing.T) {
	at := map[uint64]Listener{
		1: {NetNS: 1, Addr: netip.MustParseAddr("127.0.0.1"), Port: 37479},
		2: {NetNS: 1, Addr: netip.MustParseAddr("127.0.0.1"), Port: 41511},
		3: {NetNS: 1, Addr: netip.MustParseAddr("127.0.0.1"), Port: 43137},
		4: {NetNS: 1, Addr: netip.MustParseAddr("0.0.0.0"), Port: 50051},
		5: {NetNS: 1, Addr: netip.MustParseAddr("127.0.0.1"), Port: 3000},
		6: {NetNS: 1, Path: "/run/app/ruby.V4FDbD"},
		7: {NetNS: 1, Path: "/run/app/ruby.dgtn52"},
	}
	worker := func(pid int32, inode uint64, change func(p *process)) *process {
		p := &process{identity: identity{pid: pid, start: uint64(pid), comm: "ruby"}, netns: 1,
			listens: []uint64{inode}, described: true, exe: "ruby", directory: "/srv/app", arguments: 7}
		if change != nil {
			change(p)
		}
		return p
	}
	first, second, third := worker(5, 1, nil), worker(6, 2, nil), worker(7, 3, nil)
	for _, tt := range []struct {
		name  string
		procs []*process
		want  map[string][]int32
	}{
		{"three", []*process{first, second, third}, map[string][]int32{"ruby": {5, 6, 7}}},
		{"with Unix sockets", []*process{worker(5, 1, func(p *process) { p.listens = append(p.listens, 6) }),
			worker(6, 2, func(p *process) { p.listens = append(p.listens, 7) })}, map[string][]int32{"ruby": {5, 6}}},
		{"with Unix sockets alone", []*process{worker(5, 6, nil), worker(6, 7, nil)},
			map[string][]int32{"ruby": {5}, "ruby:ruby.dgtn52": {6}}},
		{"of another directory", []*process{first, worker(6, 2, func(p *process) { p.directory = "/srv/other" })},
			map[string][]int32{"ruby": {5}, "ruby:41511": {6}}},
		{"other arguments", []*process{first, worker(6, 2, func(p *process) { p.arguments = 8 })},
			map[string][]int32{"ruby": {5}, "ruby:41511": {6}}},
		{"arguments that may not be read", []*process{worker(5, 1, func(p *process) { p.arguments = 0 }),
			worker(6, 2, func(p *process) { p.arguments = 0 })}, map[string][]int32{"ruby": {5}, "ruby:41511": {6}}},
		{"for other hosts", []*process{first, worker(6, 4, nil)}, map[string][]int32{"ruby": {5}, "ruby:50051": {6}}},
		{"at a port that was set", []*process{first, worker(6, 5, nil)},
			map[string][]int32{"ruby": {5}, "ruby:3000": {6}}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, pidsOf(tiers(groups(tt.procs, at), nil, newNames()))); diff != "" {
				t.Error(diff)
			}
		})
	}
	n := newNames()
	tiers(groups([]*process{first, second}, at), nil, n)
	if diff := cmp.Diff(map[string][]int32{"ruby": {6, 7}}, pidsOf(tiers(groups([]*process{second, third}, at), nil,
		n))); diff != "" {
		t.Errorf("after the oldest was replaced: %s", diff)
	}
}

func pidsOf(found []Tier) map[string][]int32 {
	got := make(map[string][]int32)
	for _, tier := range found {
		got[tier.Name] = tier.PIDs
	}
	return got
}

// Command lines are told apart by their arguments, not only by their text.
func TestSum(t *testing.T) {
	if sum([]string{"a", "b"}) == sum([]string{"ab"}) || sum(nil) != 0 || sum([]string{"a"}) != sum([]string{"a"}) {
		t.Error("sums do not tell command lines apart")
	}
}
