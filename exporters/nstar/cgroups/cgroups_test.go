// SPDX-License-Identifier: Apache-2.0

package cgroups

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestRead(t *testing.T) {
	const group = "/sys/fs/cgroup"
	for _, tt := range []struct {
		name      string
		mountinfo string
		v1        map[string]string
		v2        []Mount
		whole     []bool
	}{
		{"unified", "31 23 0:28 / /sys/fs/cgroup rw,nosuid shared:9 - cgroup2 cgroup2 rw,nsdelegate\n",
			nil, []Mount{{"/", group}}, []bool{true}},
		{"hybrid", "31 23 0:28 / /sys/fs/cgroup rw - tmpfs tmpfs rw\n" +
			"32 31 0:29 / /sys/fs/cgroup/cpu,cpuacct rw shared:5 - cgroup cgroup rw,cpu,cpuacct\n" +
			"41 31 0:38 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n",
			map[string]string{"cpu": group + "/cpu,cpuacct", "cpuacct": group + "/cpu,cpuacct", "rw": group +
				"/cpu,cpuacct"},
			[]Mount{{"/", group + "/unified"}}, []bool{true}},
		{"without optional fields", "41 31 0:38 / /c rw - cgroup2 none rw", nil, []Mount{{"/", "/c"}}, []bool{true}},
		{"several optional fields", "41 31 0:38 / /c rw shared:1 master:2 - cgroup2 none rw",
			nil, []Mount{{"/", "/c"}}, []bool{true}},
		{"without a source", "41 31 0:38 / /c rw - cgroup2  rw", nil, []Mount{{"/", "/c"}}, []bool{true}},
		{"part of the hierarchy, and the whole behind it",
			"41 31 0:38 /docker/abc /sys/fs/cgroup ro - cgroup2 cgroup2 rw\n" +
				"42 31 0:38 / /host/cgroup ro - cgroup2 cgroup2 rw",
			nil, []Mount{{"/docker/abc", group}, {"/", "/host/cgroup"}}, []bool{false, true}},
		{"from within a cgroup namespace", "41 31 0:38 /../.. /sys/fs/cgroup rw - cgroup2 none rw",
			nil, []Mount{{"/../..", group}}, []bool{true}},
		{"of a group beside that namespace", "41 31 0:38 /../other /sys/fs/cgroup rw - cgroup2 none rw",
			nil, []Mount{{"/../other", group}}, []bool{false}},
		{"named like it", "41 31 0:38 / /cgroup2 rw - tmpfs cgroup2 rw", nil, nil, nil},
		{"escaped", `41 31 0:38 / /mnt/a\040b\134c rw - cgroup2 none rw`, nil,
			[]Mount{{"/", `/mnt/a b\c`}}, []bool{true}},
		{"beside a mount with a space in its options",
			`40 31 0:39 / /share rw - cifs //server/My\040Docs rw,unc=//server/My Docs` +
				"\n41 31 0:38 / /c rw - cgroup2 none rw",
			nil, []Mount{{"/", "/c"}}, []bool{true}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := Read(strings.NewReader(tt.mountinfo))
			if err != nil {
				t.Fatal(err)
			}
			want := Hierarchies{V1: tt.v1, V2: tt.v2}
			if want.V1 == nil {
				want.V1 = map[string]string{}
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
			for i, m := range got.V2 {
				if m.Whole() != tt.whole[i] {
					t.Errorf("%+v is whole: %v", m, m.Whole())
				}
			}
		})
	}
}

func TestTop(t *testing.T) {
	if top := (Hierarchies{}).Top(); top != "" {
		t.Errorf("%s without version 2", top)
	}
	if top := (Hierarchies{V2: []Mount{{"/", "/first"}, {"/", "/last"}}}).Top(); top != "/last" {
		t.Errorf("%s, want the one that was mounted last", top)
	}
}

func TestOf(t *testing.T) {
	if h, err := Of("/proc/self"); err != nil {
		t.Errorf("%+v, %v", h, err)
	}
	if _, err := Of(t.TempDir()); err == nil {
		t.Error("a process that is not there has mounts")
	}
}

// Whatever stands in the file, it is read or refused.
func FuzzRead(f *testing.F) {
	f.Add("31 23 0:28 / /sys/fs/cgroup rw,nosuid shared:9 - cgroup2 cgroup2 rw\n")
	f.Add(`41 31 0:38 /../.. /mnt/a\040b rw - cgroup2 none rw`)
	f.Add("a b c / - cgroup2 \n")
	f.Fuzz(func(t *testing.T, mountinfo string) {
		h, err := Read(strings.NewReader(mountinfo))
		if err != nil && len(h.V1)+len(h.V2) > 0 {
			t.Errorf("%q: %v, but %+v", mountinfo, err, h)
		}
	})
}
