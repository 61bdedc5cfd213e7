// SPDX-License-Identifier: Apache-2.0

package causes

import (
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/nstar-project/nstar/exporters/nstar/causes/owner"
	"github.com/nstar-project/nstar/exporters/nstar/causes/sched"
)

// process writes what /proc shows of a process.
func process(t *testing.T, root string, pid int, stat, cgroup string) {
	t.Helper()
	dir := filepath.Join(root, strconv.Itoa(pid))
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"stat": stat, "cgroup": cgroup} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

const rest = " 1 1 1 0 -1 0 0 0 0 0 0 0 0 0 20 0 1 0 100 0 0 0 0 0 4096"

func TestNamesOfNeighbours(t *testing.T) {
	root := t.TempDir()
	process(t, root, 10, "10 (backup) S"+rest, "0::/system.slice/nightly.service\n")
	process(t, root, 11, "11 (dd) S"+rest, "0::/user.slice/user-0.slice/session-1.scope\n")
	process(t, root, 12, "12 (kworker/0:1) S 2 0 0 0 -1 2129984 0 0 0 0 0 0 0 0 20 0 1 0 100 0 0 0 0 0 0", "0::/\n")
	n := newTakers(root)
	web := Tier{Station: 0, App: "shop", Name: "web", PIDs: []int32{20}}
	n.follow([]Tier{web, {Station: 1, App: "shop", Name: "db", PIDs: []int32{21}},
		{Station: 2, App: "blog", Name: "db", PIDs: []int32{22}}})
	times := sched.Times{Others: 105 * ms}
	for i, pid := range []owner.Owner{10, 11, 12, 13, 21, 22} {
		times.Takers = append(times.Takers, sched.Taker{Owner: pid, Time: time.Duration(i+1) * ms})
	}
	want := []Neighbour{
		{Who{Name: "nightly"}, 1 * ms}, {Who{Name: "dd"}, 2 * ms}, {Who{Name: "kernel"}, 3 * ms},
		{Who{Name: Other}, (64 + 4) * ms},
		{Who{"db", true}, 5 * ms}, {Who{Name: "blog/db"}, 6 * ms}, {Who{Other, true}, 20 * ms},
	}
	if diff := cmp.Diff(want, n.neighbours(web, times)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	// the process ends; its last windows come after the next scan
	if err := os.RemoveAll(filepath.Join(root, "11")); err != nil {
		t.Fatal(err)
	}
	n.follow([]Tier{web})
	if got := n.name(web, 11).Name; got != "dd" {
		t.Errorf("the process that ended is called %q", got)
	}
	n.follow([]Tier{web})
	n.follow([]Tier{web})
	if got := n.name(web, 11).Name; got != Other {
		t.Errorf("the process that ended long ago is called %q", got)
	}
}

// Servers that match no rule but work for the same requests are no noise.
func TestAlliesAreNoNeighbours(t *testing.T) {
	root := t.TempDir()
	process(t, root, 10, "10 (php-fpm) S"+rest, "0::/system.slice/php-fpm.service\n")
	n := newTakers(root)
	db := Tier{Station: 0, App: "shop", Name: "db", PIDs: []int32{20}, Allies: []int32{10, 30}}
	cache := Tier{Station: 1, App: "default", Name: "redis", PIDs: []int32{30}}
	n.follow([]Tier{db, cache})
	for pid, want := range map[owner.Owner]Who{10: {"php-fpm", true}, 30: {"default/redis", true}, 40: {Name: Other}} {
		if got := n.name(db, pid); got != want {
			t.Errorf("%d is %+v, want %+v", pid, got, want)
		}
	}
	if got := n.name(cache, 10); got.Own {
		t.Errorf("%+v is the ally of another tier", got)
	}
}

// In the longest waits, the programs that had the processors have no name. Allies have their part of this time, too.
func TestAlliesHaveTheirPartOfTheRest(t *testing.T) {
	root := t.TempDir()
	process(t, root, 10, "10 (php-fpm) S"+rest, "0::/system.slice/php-fpm.service\n")
	process(t, root, 11, "11 (dd) S"+rest, "0::/user.slice/user-0.slice/session-1.scope\n")
	n := newTakers(root)
	db := Tier{Station: 0, App: "shop", Name: "db", PIDs: []int32{20}, Allies: []int32{10}}
	n.follow([]Tier{db, {Station: 1, App: "shop", Name: "web", PIDs: []int32{21}}})
	times := sched.Times{Others: 100 * ms, Takers: []sched.Taker{{Owner: 10, Time: 30 * ms}, {Owner: 11, Time: 10 * ms},
		{Owner: owner.OfTier(1), Time: 20 * ms}}}
	want := []Neighbour{{Who{"php-fpm", true}, 30 * ms}, {Who{Name: "dd"}, 10 * ms}, {Who{"web", true}, 20 * ms},
		{Who{Other, true}, 30 * ms}, {Who{Name: Other}, 10 * ms}}
	if diff := cmp.Diff(want, n.neighbours(db, times)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// What the kernel reported as a tier's belongs to the tier, even if the process is gone and no scan ever saw it.
func TestTiersAreNamedByTheKernel(t *testing.T) {
	n := newTakers(t.TempDir())
	web := Tier{Station: 0, App: "shop", Name: "web", PIDs: []int32{20}, Allies: []int32{31, 32}}
	tiers := []Tier{web, {Station: 1, App: "shop", Name: "db", PIDs: []int32{21}},
		{Station: 2, App: "blog", Name: "db", PIDs: []int32{22}},
		{Station: 3, App: "default", Name: "php", PIDs: []int32{30, 31}, Started: []int32{33}}}
	n.follow(tiers)
	check := func(want map[owner.Owner]Who) {
		t.Helper()
		for who, want := range want {
			if got := n.name(web, who); got != want {
				t.Errorf("%#x is %+v, want %+v", who, got, want)
			}
		}
	}
	check(map[owner.Owner]Who{
		owner.OfTier(1): {"db", true}, owner.OfTier(2): {Name: "blog/db"}, owner.OfTier(3): {"default/php", true},
		33: {"default/php", true}, owner.OfTier(9): {Name: Other},
	})
	if is := n.isOf(web); !is(owner.OfTier(0)) || !is(20) || is(owner.OfTier(1)) || is(21) || is(99) {
		t.Error("whose work it is")
	}
	n.follow(tiers[:1]) // db ends: its last windows come after the scan
	check(map[owner.Owner]Who{owner.OfTier(1): {"db", true}, 21: {Name: Other}})
	n.follow([]Tier{web, {Station: 1, App: "shop", Name: "cache"}})
	check(map[owner.Owner]Who{owner.OfTier(1): {"cache", true}})
}

// Names are read for a limited number of processes.
func TestNamesAreBounded(t *testing.T) {
	n := newTakers(t.TempDir())
	for pid := range owner.Owner(2 * namesKept) {
		n.name(Tier{}, pid)
	}
	if len(n.names) > namesKept {
		t.Errorf("%d names kept", len(n.names))
	}
}
