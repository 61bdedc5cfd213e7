// SPDX-License-Identifier: Apache-2.0

package discovery

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// One read of /proc that fails, as when the host is short of files or memory, takes no tier away and renames none.
func TestOneFailedRead(t *testing.T) {
	for _, path := range []string{
		"60/stat", "60/cgroup", "60/net/tcp6", "60/net/tcp", "60/fd", "60/ns/net",
	} {
		t.Run(path, func(t *testing.T) {
			f := newFakeProc(t)
			f.add(60, fakeProcess{comm: "mariadbd", exe: "mariadbd", cgroup: "0::/system.slice/db.service\n",
				sockets: []uint64{3306}})
			f.table([]socket{listen(3306, "0.0.0.0:3306")}, 60)
			f.add(99, fakeProcess{comm: "nstar_exporter", exe: "nstar_exporter", netns: 2})
			f.table(nil, 99)
			s := NewScanner(f.root, 99)
			want := scan(t, s)
			if len(want.Tiers) != 1 || want.Tiers[0].Name != "db" {
				t.Fatalf("tiers %+v", want.Tiers)
			}
			broken := filepath.Join(f.root, path)
			if err := os.Rename(broken, broken+".away"); err != nil {
				t.Fatal(err)
			}
			if err := os.Symlink(filepath.Base(broken), broken); err != nil { // reading a loop of links fails
				t.Fatal(err)
			}
			s.procs[60].described = false
			s.procs[60].read = 0 // all of it is read again
			got := scan(t, s)
			if diff := cmp.Diff(want.Tiers, got.Tiers, compare, cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("while it fails (-want +got):\n%s", diff)
			}
			if err := os.Remove(broken); err != nil {
				t.Fatal(err)
			}
			if err := os.Rename(broken+".away", broken); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want.Tiers, scan(t, s).Tiers, compare, cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("afterwards (-want +got):\n%s", diff)
			}
			f.remove(60)
			if got := scan(t, s); len(got.Tiers) != 0 {
				t.Errorf("it ended, and is still there: %+v", got.Tiers)
			}
		})
	}
}
