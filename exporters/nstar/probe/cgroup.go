// SPDX-License-Identifier: Apache-2.0

package probe

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"

	"github.com/nstar-project/nstar/exporters/nstar/cgroups"
)

// cgroup is the open root of the cgroup v2 hierarchy; every socket of the machine is below it.
type cgroup struct {
	*os.File
	name string
}

func (c *cgroup) String() string { return c.name }

// path names the open directory, whether it is mounted or not.
func (c *cgroup) path() string { return fmt.Sprintf("/proc/self/fd/%d", c.Fd()) }

// cgroupRoot finds the mounted hierarchy. It is the exporter's own view of it. If that begins further down, it is the
// view of the host's first process (or of the first process of its kernel, if that one may not be looked at).
// Otherwise it mounts one that no other process sees.
func cgroupRoot(procRoot string) (*cgroup, error) {
	for _, view := range []string{"self", "1", "2"} {
		if root := openCgroup2(filepath.Join(procRoot, view)); root != nil {
			return root, nil
		}
	}
	root, err := mountCgroup2()
	if err == nil && !root.whole() {
		root.Close()
		return nil, ErrCgroupNamespace
	}
	return root, err
}

// openCgroup2 opens the root of the hierarchy as a process sees it; nil if it does not see it.
func openCgroup2(process string) *cgroup {
	hierarchies, err := cgroups.Of(process)
	if err != nil {
		return nil
	}
	for _, m := range hierarchies.V2 {
		if !m.Whole() {
			continue
		}
		root, err := os.Open(filepath.Join(process, "root", m.Dir))
		if err != nil {
			continue
		}
		if c := (&cgroup{File: root, name: m.Dir}); c.whole() {
			return c
		}
		root.Close()
	}
	return nil
}

// whole reports whether the directory is the root of the hierarchy. In a cgroup namespace the mounted root is the
// namespace's, and looks the same apart from the files that only groups below the root have (cgroup-v2.rst).
func (c *cgroup) whole() bool {
	var fs unix.Statfs_t
	if unix.Fstatfs(int(c.Fd()), &fs) != nil || fs.Type != unix.CGROUP2_SUPER_MAGIC {
		return false
	}
	err := unix.Faccessat(int(c.Fd()), "cgroup.type", unix.F_OK, 0)
	return errors.Is(err, unix.ENOENT)
}

var errNoCgroup2 = errors.New("no cgroup v2 hierarchy is mounted, and none can be mounted; mount one with: mount -t " +
	"cgroup2 none /sys/fs/cgroup/unified")

// mountCgroup2 makes a detached mount: it has no place in any directory and goes away with its descriptor.
func mountCgroup2() (*cgroup, error) {
	fs, err := unix.Fsopen("cgroup2", unix.FSOPEN_CLOEXEC)
	if err != nil {
		return nil, fmt.Errorf("%w (%v)", errNoCgroup2, err)
	}
	defer unix.Close(fs)
	if err := unix.FsconfigCreate(fs); err != nil {
		return nil, fmt.Errorf("%w (%v)", errNoCgroup2, err)
	}
	mount, err := unix.Fsmount(fs, unix.FSMOUNT_CLOEXEC, 0)
	if err != nil {
		return nil, fmt.Errorf("%w (%v)", errNoCgroup2, err)
	}
	defer unix.Close(mount)
	root, err := unix.Openat(mount, ".", unix.O_RDONLY|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, fmt.Errorf("%w (%v)", errNoCgroup2, err)
	}
	return &cgroup{File: os.NewFile(uintptr(root), "cgroup2"), name: "cgroup2 (private mount)"}, nil
}
