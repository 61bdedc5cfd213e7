// SPDX-License-Identifier: Apache-2.0

package discovery

import (
	"slices"
	"testing"
)

// PostgreSQL's processes close the listening socket that they inherit.
func TestForkedProcessesBelongToTheTier(t *testing.T) {
	f := newFakeProc(t)
	f.add(1, fakeProcess{comm: "systemd", exe: "systemd"})
	f.add(20, fakeProcess{comm: "postgres", exe: "postgres", stack: 7000, sockets: []uint64{5432}})
	f.add(21, fakeProcess{comm: "postgres", exe: "postgres", parent: 20, stack: 7000, sockets: []uint64{501}})
	f.add(22, fakeProcess{comm: "postgres", exe: "postgres", parent: 21, stack: 7000})
	f.add(23, fakeProcess{comm: "archive", exe: "archive", parent: 20, stack: 7100})   // a program that it runs
	f.add(24, fakeProcess{comm: "postgres", exe: "postgres", parent: 20, stack: 7200}) // the same program, run again
	f.add(25, fakeProcess{comm: "postgres", exe: "postgres", parent: 20, stack: 7000, sockets: []uint64{5433}})
	f.add(30, fakeProcess{comm: "postgres", exe: "postgres", stack: 7000}) // started by another
	f.table([]socket{
		listen(5432, "0.0.0.0:5432"), listen(5433, "0.0.0.0:5433"),
		established(501, "127.0.0.1:5432", "127.0.0.1:33001"),
	}, 1, 20, 21, 22, 23, 24, 25, 30)

	s := NewScanner(f.root, 0)
	check := func(when string, want ...int32) {
		t.Helper()
		tiers := scan(t, s).Tiers
		i := slices.IndexFunc(tiers, func(t Tier) bool { return t.Listeners[0].Port == 5432 })
		if i < 0 || !slices.Equal(tiers[i].PIDs, want) {
			t.Errorf("%s: tiers %+v, want one on port 5432 of the processes %d", when, tiers, want)
		}
	}
	check("at first", 20, 21, 22)
	f.remove(21) // 22 goes to init
	f.add(22, fakeProcess{comm: "postgres", exe: "postgres", parent: 1, stack: 7000})
	f.add(26, fakeProcess{comm: "postgres", exe: "postgres", parent: 20, stack: 7000})
	check("later", 20, 26)
}
