// SPDX-License-Identifier: Apache-2.0

package discovery

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// containers finds the names of containers in the files that their engines leave on the host's disk. It does not
// ask a daemon: access to that would be as powerful as root.
type containers struct {
	fs *procfs
	// root is the host's file system.
	root string
	// asked holds the names found since the scan began, by id: a container may have hundreds of processes.
	asked map[string]string
}

func newContainers(fs *procfs) containers {
	return containers{fs: fs, root: hostRoot(fs.root), asked: make(map[string]string)}
}

// Bounds of how much is read for one container.
const (
	maxContainerBytes = 4 << 20
	maxContainerLogs  = 10_000
)

// hostRoot is the host's file system as its first process sees it, also from within a container; otherwise the caller's
// own.
func hostRoot(procRoot string) string {
	first := filepath.Join(procRoot, "1", "root")
	if _, err := os.Stat(filepath.Join(first, ".")); err == nil {
		return first
	}
	return "/"
}

// name is the name that the engine, or Kubernetes, has for the container with this id; "" if unknown.
func (c containers) name(id string) string {
	name, ok := c.asked[id]
	if !ok {
		name = c.find(id)
		c.asked[id] = name
	}
	return name
}

func (c containers) find(id string) string {
	for _, find := range []func(string) string{c.kubelet, c.docker, c.podman, c.containerd} {
		if name := find(id); name != "" {
			return name
		}
	}
	return ""
}

// called fills in the container's name.
func (h home) called(c containers) home {
	if h.container == "" {
		return h
	}
	h.containerName = c.name(h.container)
	if h.containerName != "" && h.name == h.container[:shortID] {
		h.name = h.containerName
	}
	return h
}

// kubelet links the log of every container as POD_NAMESPACE_CONTAINER-ID.log, whatever the engine.
func (c containers) kubelet(id string) string {
	dir, err := os.Open(filepath.Join(c.root, "var/log/containers"))
	if err != nil {
		return ""
	}
	defer dir.Close()
	logs, _ := dir.Readdirnames(maxContainerLogs)
	for _, log := range logs {
		name, ok := strings.CutSuffix(log, "-"+id+".log")
		if parts := strings.Split(name, "_"); ok && len(parts) == 3 {
			return kubernetesName(parts[1], parts[0], parts[2])
		}
	}
	return ""
}

func kubernetesName(namespace, pod, container string) string {
	if namespace == "" || pod == "" || container == "" {
		return ""
	}
	return namespace + "/" + pod + "/" + container
}

// docker keeps a folder for every container.
func (c containers) docker(id string) string {
	var config struct{ Name string }
	c.read(&config, "var/lib/docker/containers", id, "config.v2.json")
	return strings.TrimPrefix(config.Name, "/")
}

// podman keeps a list of all, which CRI-O has in the same place.
func (c containers) podman(id string) string {
	var list []struct {
		ID    string   `json:"id"`
		Names []string `json:"names"`
	}
	c.read(&list, "var/lib/containers/storage/overlay-containers/containers.json")
	for _, entry := range list {
		if entry.ID == id && len(entry.Names) > 0 {
			return entry.Names[0]
		}
	}
	return ""
}

// containerd keeps the bundle of every container that runs, in a folder for each of its own namespaces. The program
// that started it (Kubernetes' CRI, nerdctl) notes the names there.
func (c containers) containerd(id string) string {
	for _, state := range []string{"run/containerd/io.containerd.runtime.v2.task",
		"run/k3s/containerd/io.containerd.runtime.v2.task"} {
		spaces, _ := os.ReadDir(filepath.Join(c.root, state))
		for _, space := range spaces[:min(len(spaces), 64)] {
			var config struct{ Annotations map[string]string }
			c.read(&config, state, space.Name(), id, "config.json")
			a := config.Annotations
			const cri = "io.kubernetes.cri."
			names := []string{
				kubernetesName(a[cri+"sandbox-namespace"], a[cri+"sandbox-name"], a[cri+"container-name"]),
				a["nerdctl/name"],
			}
			if at := slices.IndexFunc(names, func(name string) bool { return name != "" }); at >= 0 {
				return names[at]
			}
		}
	}
	return ""
}

// read decodes a file; if it can't be read, the value stays as it is.
func (c containers) read(to any, path ...string) {
	data, err := c.fs.readUpTo(filepath.Join(append([]string{c.root}, path...)...), maxContainerBytes)
	if err == nil {
		_ = json.Unmarshal(data, to) // a file that is being written is read again later
	}
}
