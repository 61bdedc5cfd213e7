// SPDX-License-Identifier: Apache-2.0

package discovery

import "bytes"

// Namer names processes that need not be tiers the way that tiers are named.
type Namer struct {
	fs         procfs
	containers containers
}

// NewNamer reads the proc file system that is mounted at procRoot.
func NewNamer(procRoot string) *Namer {
	n := &Namer{fs: procfs{root: procRoot}}
	n.containers = newContainers(&n.fs)
	return n
}

// Kernel is the name of all threads of the kernel together: their own are many and change.
const Kernel = "kernel"

// Name is the systemd unit, container or command of a process; "" if it has ended or may not be seen.
func (n *Namer) Name(pid int32) string {
	b, err := n.fs.read(n.fs.path(pid, "stat"))
	if err != nil {
		return ""
	}
	id, _, ok := parseStat(pid, b)
	if !ok {
		if bytes.Contains(b, []byte(") Z ")) || bytes.Contains(b, []byte(") X ")) {
			return ""
		}
		return Kernel
	}
	p := &process{identity: id}
	clear(n.containers.asked)
	n.fs.describe(p, n.containers)
	return p.name()
}
