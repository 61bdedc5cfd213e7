// SPDX-License-Identifier: Apache-2.0

package probe

import (
	"strings"
	"testing"
)

func FuzzFindCgroup2(f *testing.F) {
	f.Add("31 23 0:28 / /sys/fs/cgroup rw,nosuid shared:9 - cgroup2 cgroup2 rw\n")
	f.Add(`41 31 0:38 /../.. /mnt/a\040b rw - cgroup2 none rw`)
	f.Add("a b c / - cgroup2 \n")
	f.Fuzz(func(t *testing.T, mountinfo string) {
		for _, dir := range findCgroup2(strings.NewReader(mountinfo)) {
			if dir == "" {
				t.Errorf("%q: an empty mount point", mountinfo)
			}
		}
	})
}
