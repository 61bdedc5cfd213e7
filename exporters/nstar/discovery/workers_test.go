// SPDX-License-Identifier: Apache-2.0

package discovery

import (
	"net/netip"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/nstar-project/nstar/exporters/nstar/config"
)

// rules are a configuration with the tier writer, found by these matches.
func rules(t *testing.T, matches ...string) *config.Config {
	t.Helper()
	cfg, err := config.Parse("nstar.yml", []byte("tiers:\n- name: writer\n  app: meters\n  match: ["+
		strings.Join(matches, ", ")+"]\n"))
	if err != nil {
		t.Fatal(err)
	}
	return cfg
}

func ruled(snap Snapshot) []Tier {
	return slices.DeleteFunc(slices.Clone(snap.Tiers), func(t Tier) bool { return !t.Ruled })
}

// TestWorkerIsATier: a process that takes records from a log has no listener, and its calls are edges of a tier that a
// rule names.
func TestWorkerIsATier(t *testing.T) {
	for _, match := range []string{"{command: consumer-of-records}", "{unit: writer}",
		"{port: 1}, {command: consumer-of-records}"} {
		f, sockets := chain(t)
		worker := fakeProcess{comm: "consumer-of-rec", exe: "consumer-of-records",
			cgroup: "0::/system.slice/writer.service\n", sockets: []uint64{700}}
		f.add(80, worker)
		sockets = append(sockets, established(700, "127.0.0.1:33010", "127.0.0.1:3306"))
		f.table(sockets, 1, 40, 41, 50, 60, 70, 80, 99)
		s := NewScanner(f.root, 0)
		cfg := rules(t, match)
		outgoing := func() (found []Connection) {
			t.Helper()
			snap, err := s.Scan(cfg)
			if err != nil {
				t.Fatal(err)
			}
			want := []Tier{{App: "meters", Name: "writer", Ruled: true, Protocol: config.Auto, PIDs: []int32{80}}}
			if diff := cmp.Diff(want, ruled(snap), cmpopts.EquateEmpty(),
				cmpopts.EquateComparable(netip.Addr{})); diff != "" {
				t.Fatalf("%s: tiers by rule (-want +got)\n%s", match, diff)
			}
			for _, c := range snap.Outgoing {
				if c.PID == 80 {
					found = append(found, c)
				}
			}
			return found
		}
		first := Connection{NetNS: 1, Local: netip.MustParseAddrPort("127.0.0.1:33010"),
			Remote: netip.MustParseAddrPort("127.0.0.1:3306"), PID: 80}
		if diff := cmp.Diff([]Connection{first}, outgoing(), cmpopts.EquateComparable(netip.AddrPort{})); diff != "" {
			t.Fatalf("%s: connections (-want +got)\n%s", match, diff)
		}
		worker.sockets = append(worker.sockets, 701)
		f.add(80, worker)
		f.table(append(sockets, established(701, "127.0.0.1:33011", "127.0.0.1:3306")), 1, 40, 41, 50, 60, 70, 80, 99)
		if got := outgoing(); len(got) != 2 {
			t.Errorf("%s: a new connection of a worker is not found: %v", match, got)
		}
	}
}

// TestServersAreNoWorkers: a process that can get requests is no worker. Over TCP, a rule that matches a server means
// only that server. Over a Unix socket, nothing shows if anybody waits for it.
func TestServersAreNoWorkers(t *testing.T) {
	f, sockets := chain(t)
	f.add(80, fakeProcess{comm: "mariadbd", exe: "mariadbd", sockets: []uint64{700}}) // another one's client, say
	f.add(81, fakeProcess{comm: "php-fpm", exe: "php-fpm", sockets: []uint64{710}})
	f.add(82, fakeProcess{comm: "php-fpm", exe: "php-fpm", sockets: []uint64{710}})
	f.table(sockets, 1, 40, 41, 50, 60, 70, 80, 81, 82, 99)
	s := NewScanner(f.root, 0)
	for match, want := range map[string][]int32{"{command: mariadbd}": {60}, "{command: php-fpm}": {81, 82},
		"{port: 81}": nil, "{command: init}": nil} {
		snap, err := s.Scan(rules(t, match))
		if err != nil {
			t.Fatal(err)
		}
		var got []int32
		for _, tier := range ruled(snap) {
			got = append(got, tier.PIDs...)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: processes (-want +got)\n%s", match, diff)
		}
	}
	s.procs[81].listens, s.procs[82].listens = []uint64{710}, []uint64{710} // at a Unix socket
	procs := []*process{s.procs[80], s.procs[81], s.procs[82]}
	if found := s.workers(rules(t, "{command: php-fpm}"), nil, procs); len(found) > 0 {
		t.Errorf("who listens at a Unix socket is taken for a worker: %v", found)
	}
}
