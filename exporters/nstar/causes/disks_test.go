// SPDX-License-Identifier: Apache-2.0

package causes

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/nstar-project/nstar/exporters/nstar/causes/diskuse"
	"github.com/nstar-project/nstar/exporters/nstar/causes/owner"
	"github.com/nstar-project/nstar/exporters/nstar/window"
)

// Two disks, and the processes of a database.
const (
	vda, sdb       = 8 << 20, 8<<20 | 16
	database, tool = 10, 11
)

// played are the windows of the given requests.
func played(uses map[int64][]diskuse.Use) func(int64) []diskuse.Use {
	return func(index int64) []diskuse.Use { return uses[index] }
}

func newDisks() *disks {
	return &disks{width: 50 * ms, used: make(map[window.Station]map[uint32]int64)}
}

func isDatabase(who owner.Owner) bool { return who == database }

// Programs count that used the disk at the same time or just before. Users of other disks only count as long as it is
// not known which disk the tier uses.
func TestUsersOfTheDisk(t *testing.T) {
	backup, copying := diskuse.Use{Owner: tool, Disk: vda, Written: 300}, diskuse.Use{Owner: 12, Disk: sdb, Read: 500}
	own := diskuse.Use{Owner: database, Disk: vda, Written: 100}
	crowd := diskuse.Use{Written: 7}
	d := newDisks()
	read := played(map[int64][]diskuse.Use{
		100: {backup, copying}, 110: {copying}, 111: {own, backup}, 112: {copying, crowd}, 130: {backup},
		2000: {copying},
	})
	for _, c := range []struct {
		index int64
		want  []diskuse.Use
	}{
		{100, []diskuse.Use{backup, copying}}, // the tier's disk is not known yet
		{111, []diskuse.Use{own, backup}},
		{112, []diskuse.Use{crowd, own, backup}},
		{115, []diskuse.Use{crowd}},                      // no requests since
		{130, []diskuse.Use{backup}},                     // it waits for requests of others
		{150, []diskuse.Use{backup}},                     // and for long
		{151, nil},                                       // for too long
		{111 + int64(diskRemembered/(50*ms)) + 678, nil}, // no requests at all
		{2000, []diskuse.Use{copying}},                   // whatever disk it uses now
		{2001, []diskuse.Use{copying}},
	} {
		if diff := cmp.Diff(c.want, d.users(1, isDatabase, c.index, read)); diff != "" {
			t.Errorf("in window %d: -want +got:\n%s", c.index, diff)
		}
	}
}

// A tier's waiting is divided in proportion to bytes, with each name once.
func TestDivideTheDisk(t *testing.T) {
	names := map[owner.Owner]Who{database: {"db", true}, tool: {Name: "backup"}, 12: {Name: "backup"}}
	got := divide(100*ms, []diskuse.Use{
		{Owner: database, Disk: vda, Read: 10, Written: 20}, {Owner: tool, Disk: vda, Written: 40},
		{Owner: 12, Disk: vda, Written: 20}, {Read: 5, Written: 5},
	}, func(who owner.Owner) Who { return names[who] })
	want := DiskNeighbours{
		Readers: []Neighbour{{Who{"db", true}, 10 * ms}, {Who{Name: Other}, 5 * ms}},
		Writers: []Neighbour{{Who{"db", true}, 20 * ms}, {Who{Name: "backup"}, 60 * ms}, {Who{Name: Other}, 5 * ms}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if got := divide(time.Second, nil, nil); got.Readers != nil || got.Writers != nil {
		t.Errorf("nobody used it, but %+v", got)
	}
}
