// SPDX-License-Identifier: Apache-2.0

package causes

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/nstar-project/nstar/exporters/nstar/cgroups"
)

// hierarchies are the control groups of the host: where each controller of version 1 is mounted, and version 2.
type hierarchies struct {
	procRoot string
	v1       map[string]string // directories by controller
	v2       string            // directory; empty if there is none
}

// findHierarchies reads what the host's first process has mounted, or, if that may not be read, what this process has.
func findHierarchies(procRoot string) hierarchies {
	for _, pid := range []string{"1", "self"} {
		root := filepath.Join(procRoot, pid, "root")
		mounted, err := cgroups.Of(filepath.Join(procRoot, pid))
		if _, denied := os.Stat(filepath.Join(root, ".")); err != nil || denied != nil {
			continue
		}
		if len(mounted.V1)+len(mounted.V2) > 0 {
			return below(root, mounted, procRoot)
		}
	}
	return hierarchies{procRoot: procRoot}
}

// below returns the hierarchies that a process with the given root has mounted.
func below(root string, mounted cgroups.Hierarchies, procRoot string) hierarchies {
	h := hierarchies{procRoot: procRoot, v1: make(map[string]string)}
	if top := mounted.Top(); top != "" {
		h.v2 = filepath.Join(root, top)
	}
	for controller, dir := range mounted.V1 {
		h.v1[controller] = filepath.Join(root, dir)
	}
	return h
}

// group is a directory of a hierarchy.
type group struct {
	dir   string
	top   string // of the hierarchy
	first bool   // version 1
}

// of is the control group of a process for a controller: the group of version 1 if the controller is mounted there. It
// returns false if there is none.
func (h hierarchies) of(pid int32, controller string) (group, bool) {
	text, err := os.ReadFile(filepath.Join(h.procRoot, strconv.Itoa(int(pid)), "cgroup"))
	if err != nil {
		return group{}, false
	}
	for line := range strings.Lines(string(text)) {
		parts := strings.SplitN(strings.TrimSuffix(line, "\n"), ":", 3)
		if len(parts) != 3 {
			continue
		}
		path := filepath.Clean("/" + parts[2]) // no way out of the hierarchy
		switch top := h.v1[controller]; {
		case top != "" && slices.Contains(strings.Split(parts[1], ","), controller):
			return group{filepath.Join(top, path), top, true}, true
		case top == "" && parts[0] == "0" && h.v2 != "":
			return group{filepath.Join(h.v2, path), h.v2, false}, true
		}
	}
	return group{}, false
}

// up lists the group and its parents, without the root, which has no limits.
func (g group) up() (out []group) {
	for dir := g.dir; strings.HasPrefix(dir, g.top+"/"); dir = filepath.Dir(dir) {
		out = append(out, group{dir, g.top, g.first})
	}
	return out
}

// value reads the number after a key in a flat keyed file such as cpu.stat.
func value(text, key string) (uint64, bool) {
	for line := range strings.Lines(text) {
		if k, v, ok := strings.Cut(strings.TrimSpace(line), " "); ok && k == key {
			n, err := strconv.ParseUint(strings.TrimSpace(v), 10, 64)
			return n, err == nil
		}
	}
	return 0, false
}
