// SPDX-License-Identifier: Apache-2.0

package discovery

import (
	"regexp"
	"strconv"
	"strings"
)

// shortID is how many digits of a container's id make its name, as in docker ps.
const shortID = 12

// home is what the control group of a process says about its origin.
type home struct {
	// unit is the innermost systemd service, with its suffix, "" if none.
	unit string
	// container is the full id of the innermost container, "" if none.
	container string
	// containerName is its name for the engine or Kubernetes, "" if unknown.
	containerName string
	// name is the unit without its suffix or the container's name or short id,
	// whichever is further in, "" if there is neither.
	name string
}

var (
	// containerID is the id that docker, containerd, CRI-O and podman use, at
	// the end of a path element: ID, docker-ID.scope, cri-containerd-ID.scope,
	// crio-ID.scope, libpod-ID.scope, kubepods-...slice:cri-containerd:ID.
	containerID = regexp.MustCompile(`(?:^|[-:])([0-9a-f]{64})(?:\.scope)?$`)
	// conmon watches a container from outside and is not in it.
	conmon = regexp.MustCompile(`^(?:crio|libpod)-conmon-`)
	// userManager is the systemd instance of a user, under which all that the
	// user starts is found: too wide to be a name.
	userManager = regexp.MustCompile(`^user@[0-9]+\.service$`)
	escaped     = regexp.MustCompile(`\\x[0-9a-f]{2}`)
)

// parseCgroup reads the content of /proc/PID/cgroup, version 1, 2 or both. If the hierarchies disagree, the
// one that systemd manages counts: the unified one, then name=systemd, then any other that says something.
func parseCgroup(content string) home {
	var best home
	rank := 0
	for line := range strings.Lines(content) {
		parts := strings.SplitN(strings.TrimSuffix(line, "\n"), ":", 3)
		if len(parts) != 3 {
			continue
		}
		r := 1
		switch {
		case parts[0] == "0" && parts[1] == "":
			r = 3
		case parts[1] == "name=systemd":
			r = 2
		}
		if h := parseCgroupPath(parts[2]); h.name != "" && r > rank {
			best, rank = h, r
		}
	}
	return best
}

func parseCgroupPath(path string) home {
	var h home
	elements := strings.Split(path, "/")
	for i := len(elements) - 1; i >= 0; i-- {
		e := elements[i]
		if m := containerID.FindStringSubmatch(e); m != nil && !conmon.MatchString(e) {
			if h.container == "" {
				h.container = m[1]
			}
			if h.name == "" {
				h.name = m[1][:shortID]
			}
		}
		if unit, ok := strings.CutSuffix(e, ".service"); ok && unit != "" && !userManager.MatchString(e) {
			if h.unit == "" {
				h.unit = unescape(e)
			}
			if h.name == "" {
				h.name = unescape(unit)
			}
		}
	}
	return h
}

// unescape undoes systemd's \xNN in unit names.
func unescape(s string) string {
	return escaped.ReplaceAllStringFunc(s, func(e string) string {
		b, err := strconv.ParseUint(e[2:], 16, 8)
		if err != nil || b < ' ' || b > '~' {
			return e
		}
		return string(rune(b))
	})
}
