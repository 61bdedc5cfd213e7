// SPDX-License-Identifier: Apache-2.0

package probe

import (
	"os"
	"slices"
	"testing"

	"github.com/nstar-project/nstar/exporters/nstar/mounts"
)

func TestCgroup2Of(t *testing.T) {
	for _, tt := range []struct {
		name      string
		mountinfo string
		dirs      []string
	}{
		{"unified", "31 23 0:28 / /sys/fs/cgroup rw,nosuid shared:9 - cgroup2 cgroup2 rw,nsdelegate\n",
			[]string{"/sys/fs/cgroup"}},
		{"hybrid", "31 23 0:28 / /sys/fs/cgroup rw - tmpfs tmpfs rw\n" +
			"32 31 0:29 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu\n" +
			"41 31 0:38 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n", []string{"/sys/fs/cgroup/unified"}},
		{"without optional fields", "41 31 0:38 / /c rw - cgroup2 none rw", []string{"/c"}},
		{"several optional fields", "41 31 0:38 / /c rw shared:1 master:2 - cgroup2 none rw", []string{"/c"}},
		{"part of the hierarchy", "41 31 0:38 /docker/abc /sys/fs/cgroup ro - cgroup2 cgroup2 rw", nil},
		{"whole hierarchy behind a part", "41 31 0:38 /docker/abc /sys/fs/cgroup ro - cgroup2 cgroup2 rw\n" +
			"42 31 0:38 / /host/cgroup ro - cgroup2 cgroup2 rw", []string{"/host/cgroup"}},
		{"from within a cgroup namespace", "41 31 0:38 /../.. /sys/fs/cgroup rw - cgroup2 none rw",
			[]string{"/sys/fs/cgroup"}},
		{"of a group beside that namespace", "41 31 0:38 /../other /sys/fs/cgroup rw - cgroup2 none rw", nil},
		{"named like it", "41 31 0:38 / /cgroup2 rw - tmpfs cgroup2 rw", nil},
		{"escaped", `41 31 0:38 / /mnt/a\040b\134c rw - cgroup2 none rw`, []string{`/mnt/a b\c`}},
		{"version 1 only", "32 31 0:29 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu", nil},
		{"cut off", "41 31 0:38", nil},
		{"empty", "", nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if dirs := cgroup2Of(mounts.Parse(tt.mountinfo)); !slices.Equal(dirs, tt.dirs) {
				t.Errorf("%q, want %q", dirs, tt.dirs)
			}
		})
	}
}

// The private mount shows the hierarchy without a place in any directory, and goes away with its descriptor.
func TestPrivateMount(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("needs root")
	}
	root, err := mountCgroup2()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(root.path() + "/cgroup.procs"); err != nil {
		t.Error(err)
	}
	path := root.path()
	if err := root.Close(); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(path + "/cgroup.procs"); err == nil {
		t.Error("the mount outlived its descriptor")
	}
}
