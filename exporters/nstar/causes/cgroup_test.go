// SPDX-License-Identifier: Apache-2.0

package causes

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

const mountinfo = `24 1 0:22 / /proc rw,nosuid - proc proc rw
31 30 0:27 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw
32 30 0:28 / /sys/fs/cgroup/cpu,cpuacct rw shared:5 - cgroup cgroup rw,cpu,cpuacct
33 30 0:29 / /sys/fs/cgroup/freezer rw - cgroup cgroup rw,freezer
`

func TestMounts(t *testing.T) {
	procRoot, root := host(t, mountinfo, nil)
	h, at := findHierarchies(procRoot), root+"/sys/fs/cgroup/"
	for controller, want := range map[string]string{"cpu": at + "cpu,cpuacct", "cpuacct": at + "cpu,cpuacct",
		"freezer": at + "freezer", "memory": ""} {
		if h.v1[controller] != want {
			t.Errorf("%s is mounted at %q, want %q", controller, h.v1[controller], want)
		}
	}
	if h.v2 != at+"unified" {
		t.Errorf("version 2 at %q", h.v2)
	}
}

// host makes a proc file system whose first process sees the mounts below a root of its own, and a process in control
// groups.
func host(t *testing.T, mountinfo string, groups map[int]string) (procRoot, root string) {
	t.Helper()
	procRoot = t.TempDir()
	root = filepath.Join(procRoot, "1", "root")
	put(t, filepath.Join(root, "there"), "")
	put(t, filepath.Join(procRoot, "1", "mountinfo"), mountinfo)
	for pid, text := range groups {
		process(t, procRoot, pid, "", text)
	}
	return procRoot, root
}

func put(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestGroups(t *testing.T) {
	procRoot, root := host(t, mountinfo, map[int]string{
		5: "3:cpu,cpuacct:/shop/db\n2:freezer:/\n0::/system.slice/db.service\n", 6: "0::/../../etc\n",
	})
	h := findHierarchies(procRoot)
	top := root + "/sys/fs/cgroup/"
	for _, c := range []struct {
		pid        int32
		controller string
		want       []string
	}{
		{5, "cpu", []string{top + "cpu,cpuacct/shop/db", top + "cpu,cpuacct/shop"}},
		{5, "freezer", nil}, // the root
		{5, "memory", []string{top + "unified/system.slice/db.service", top + "unified/system.slice"}},
		{6, "memory", []string{top + "unified/etc"}}, // a process can't lead out of the hierarchy
	} {
		g, ok := h.of(c.pid, c.controller)
		if !ok {
			t.Errorf("%d has no group for %s", c.pid, c.controller)
		}
		var got []string
		for _, up := range g.up() {
			got = append(got, up.dir)
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%d, %s (-want +got)\n%s", c.pid, c.controller, diff)
		}
	}
	if _, ok := h.of(7, "cpu"); ok {
		t.Error("a process that is not there has a group")
	}
	if _, ok := h.of(6, "cpu"); ok {
		t.Error("a process without a line for the controller has a group")
	}
}

func TestSpans(t *testing.T) {
	var s spans
	s.add(0, 100*ms, 0.2) // two at once
	s.add(100*ms, 150*ms, 0)
	s.add(150*ms, 200*ms, 0.025)
	for _, c := range []struct {
		from, to time.Duration
		want     float64
	}{{0, 50 * ms, 2}, {50 * ms, 150 * ms, 1}, {150 * ms, 200 * ms, 0.5}, {200 * ms, 250 * ms, 0}} {
		if got := s.share(c.from, c.to); got < c.want-1e-9 || got > c.want+1e-9 {
			t.Errorf("[%v, %v): %v, want %v", c.from, c.to, got, c.want)
		}
	}
	s.add(time.Minute, time.Minute+ms, 1)
	if len(s.list) != 1 {
		t.Errorf("%d spans kept", len(s.list))
	}
}
