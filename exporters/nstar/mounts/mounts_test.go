// SPDX-License-Identifier: Apache-2.0

package mounts

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestParse(t *testing.T) {
	got := Parse("31 23 0:28 / /sys/fs/cgroup rw,nosuid shared:9 master:2 - cgroup2 cgroup2 rw,nsdelegate\n" +
		"32 31 0:29 /a\\011b /c\\040d\\134e rw - cgroup none rw,cpu,cpuacct\n" +
		"33 31 0:30 / /cut off\n34 31 0:31 / /also - tmpfs\n\n" +
		"35 31 0:32 / /last rw - tmpfs  rw")
	want := []Mount{
		{"/", "/sys/fs/cgroup", "cgroup2", []string{"rw", "nsdelegate"}},
		{"/a\tb", `/c d\e`, "cgroup", []string{"rw", "cpu", "cpuacct"}},
		{"/", "/last", "tmpfs", []string{"rw"}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestOf(t *testing.T) {
	all, err := Of("/proc/self")
	if err != nil || len(all) == 0 {
		t.Errorf("%v, %v", all, err)
	}
	if _, err := Of(t.TempDir()); err == nil {
		t.Error("a process that is not there has mounts")
	}
}

// Whatever stands in the file, a mount has a place and a type.
func FuzzParse(f *testing.F) {
	f.Add("31 23 0:28 / /sys/fs/cgroup rw,nosuid shared:9 - cgroup2 cgroup2 rw\n")
	f.Add(`41 31 0:38 /../.. /mnt/a\040b rw - cgroup2 none rw`)
	f.Add("a b c / - cgroup2 \n")
	f.Fuzz(func(t *testing.T, mountinfo string) {
		for _, m := range Parse(mountinfo) {
			if m.Point == "" || m.Type == "" {
				t.Errorf("%q: %+v", mountinfo, m)
			}
		}
	})
}
