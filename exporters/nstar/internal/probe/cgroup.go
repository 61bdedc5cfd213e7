// SPDX-License-Identifier: Apache-2.0

package probe

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"golang.org/x/sys/unix"
)

// cgroup is the open root of the cgroup v2 hierarchy; every socket of the machine is below it.
type cgroup struct {
	*os.File
	name string
}

func (c *cgroup) String() string { return c.name }

// path names the open directory, whether it is mounted or not.
func (c *cgroup) path() string { return fmt.Sprintf("/proc/self/fd/%d", c.Fd()) }

// cgroupRoot finds the mounted hierarchy, or mounts one that no other process sees.
func cgroupRoot() (*cgroup, error) {
	f, err := os.Open("/proc/self/mountinfo")
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if dir, ok := findCgroup2(f); ok {
		root, err := os.Open(dir)
		if err != nil {
			return nil, fmt.Errorf("opening the cgroup v2 root: %w", err)
		}
		return &cgroup{File: root, name: dir}, nil
	}
	return mountCgroup2()
}

// findCgroup2 reads mountinfo (proc(5)): the mount point is the fifth field, the type follows the lone dash. A mount whose
// root is not "/" shows part of the hierarchy only, as in a container.
func findCgroup2(mountinfo io.Reader) (dir string, ok bool) {
	lines := bufio.NewScanner(mountinfo)
	for lines.Scan() {
		before, after, found := strings.Cut(lines.Text(), " - ")
		fields := strings.Fields(before)
		if !found || len(fields) < 5 || fields[3] != "/" || !strings.HasPrefix(after, "cgroup2 ") {
			continue
		}
		return unescape.Replace(fields[4]), true
	}
	return "", false
}

var unescape = strings.NewReplacer(`\040`, " ", `\011`, "\t", `\012`, "\n", `\134`, `\`)

var errNoCgroup2 = errors.New("no cgroup v2 hierarchy is mounted, and none can be mounted; mount one with: mount -t cgroup2 none /sys/fs/cgroup/unified")

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
