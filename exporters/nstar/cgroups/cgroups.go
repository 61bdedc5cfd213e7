// SPDX-License-Identifier: Apache-2.0

// Package cgroups finds where a process sees the hierarchies of control groups mounted (cgroups(7)).
package cgroups

import (
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/moby/sys/mountinfo"
)

// Hierarchies are directories as the process sees them, from its own root.
type Hierarchies struct {
	// V1 is where each controller of version 1 is mounted. The other options of such mounts are in it, too.
	V1 map[string]string
	// V2 is where version 2 is mounted, in the order of mounting.
	V2 []Mount
}

// Mount is a place where version 2 is mounted. Root is the group that is seen there; it begins with /.. if that group
// is outside of the reader's cgroup namespace.
type Mount struct{ Root, Dir string }

// Whole reports whether the whole hierarchy is mounted there. A mount whose root is further down shows part of it only,
// as in a container; from within a cgroup namespace, the root of the hierarchy is some levels above it.
func (m Mount) Whole() bool { return strings.Trim(m.Root, "/.") == "" }

// Top is where version 2 was mounted last; empty if it is not mounted.
func (h Hierarchies) Top() string {
	if len(h.V2) == 0 {
		return ""
	}
	return h.V2[len(h.V2)-1].Dir
}

// Of reads the mounts of the process that a directory of procfs describes.
func Of(process string) (Hierarchies, error) {
	f, err := os.Open(filepath.Join(process, "mountinfo"))
	if err != nil {
		return Hierarchies{}, err
	}
	defer f.Close()
	return Read(f)
}

// Read reads them from the text of a mountinfo file (proc_pid_mountinfo(5)). prometheus/procfs can't serve here: it
// leaves spaces in paths as \040, and refuses the whole file for one mount with a space in its options.
func Read(text io.Reader) (Hierarchies, error) {
	h := Hierarchies{V1: make(map[string]string)}
	all, err := mountinfo.GetMountsFromReader(text, mountinfo.FSTypeFilter("cgroup", "cgroup2"))
	for _, m := range all {
		if m.FSType == "cgroup2" {
			h.V2 = append(h.V2, Mount{m.Root, m.Mountpoint})
			continue
		}
		for controller := range strings.SplitSeq(m.VFSOptions, ",") {
			h.V1[controller] = m.Mountpoint
		}
	}
	return h, err
}
