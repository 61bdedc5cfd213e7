// SPDX-License-Identifier: Apache-2.0

// Package topology reads which processors share a last-level cache, from the tree that the kernel shows in
// /sys/devices/system/cpu. It only reads, from a file system that its caller gives it, so that it can be any machine's.
package topology

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"
)

// Domain is a group of processors that share a last-level cache. A thread that moves from one domain to another leaves
// behind what it had in the cache (MCP, section III).
type Domain struct {
	CPUs []int // online, in order
	// Level is the level of the cache; 0 if the processors share a package or the machine but no known cache.
	Level int
	// Package is the socket; -1 if not known.
	Package int
}

// Topology is the domains of a machine, in the order of their first processors. The zero value is a machine of which
// nothing is known.
type Topology struct {
	Domains []Domain
	of      map[int]int
}

// Of is the number of a processor's domain; false if the processor is offline or unknown.
func (t Topology) Of(cpu int) (domain int, ok bool) {
	domain, ok = t.of[cpu]
	return domain, ok
}

// CPUs returns all processors that are online.
func (t Topology) CPUs() []int { return slices.Sorted(maps.Keys(t.of)) }

// Size is the number of processors that are online.
func (t Topology) Size() int { return len(t.of) }

// Online is the list of the processors that are online, as the kernel writes it. It changes when a processor goes or
// comes.
func Online(sys fs.FS) (string, error) { return read(sys, "online") }

// key is what two processors of one domain have in common.
type key struct {
	level, pkg int
	members    string
}

// Read finds the domains in a tree like /sys/devices/system/cpu. A cache that belongs to a single core is no place to
// keep a server in (and hypervisors often report a shared cache in this way). Then the package is the domain. If the
// package is also a single core, the whole machine is the domain.
func Read(sys fs.FS) (Topology, error) {
	text, err := Online(sys)
	if err != nil {
		return Topology{}, err
	}
	online, err := List(text)
	if err != nil {
		return Topology{}, fmt.Errorf("online: %w", err)
	}
	if len(online) == 0 {
		return Topology{}, errors.New("no processor is online")
	}
	packages := make(map[int][]int)
	for _, cpu := range online {
		p := number(sys, cpu, "topology/physical_package_id")
		packages[p] = append(packages[p], cpu)
	}
	groups := make(map[key][]int)
	for pkg, members := range packages {
		for _, cpu := range members {
			k := domainOf(sys, cpu, pkg, members)
			groups[k] = append(groups[k], cpu)
		}
	}
	return numbered(groups), nil
}

// numbered gives the domains their numbers, by their first processors.
func numbered(groups map[key][]int) Topology {
	t := Topology{of: make(map[int]int)}
	for k, cpus := range groups {
		slices.Sort(cpus)
		t.Domains = append(t.Domains, Domain{CPUs: cpus, Level: k.level, Package: k.pkg})
	}
	slices.SortFunc(t.Domains, func(a, b Domain) int { return cmp.Compare(a.CPUs[0], b.CPUs[0]) })
	for i, d := range t.Domains {
		for _, cpu := range d.CPUs {
			t.of[cpu] = i
		}
	}
	return t
}

// domainOf is the domain of one processor.
func domainOf(sys fs.FS, cpu, pkg int, inPackage []int) key {
	core := siblings(sys, cpu)
	if level, members := lastCache(sys, cpu); !within(members, core) {
		return key{level, pkg, Format(members)}
	}
	if pkg >= 0 && !within(inPackage, core) {
		return key{0, pkg, ""}
	}
	return key{0, -1, ""}
}

// siblings are the processors (hardware threads) of the same core; the file has another name before Linux 5.3.
func siblings(sys fs.FS, cpu int) []int {
	for _, name := range []string{"topology/core_cpus_list", "topology/thread_siblings_list"} {
		if text, err := read(sys, cpuFile(cpu, name)); err == nil {
			if list, err := List(text); err == nil {
				return list
			}
		}
	}
	return []int{cpu}
}

// lastCache is the highest level of a cache for data, and the processors that share this cache.
func lastCache(sys fs.FS, cpu int) (level int, members []int) {
	dirs, err := fs.Glob(sys, cpuFile(cpu, "cache/index*"))
	if err != nil {
		return 0, nil
	}
	for _, dir := range dirs {
		text, err := read(sys, path.Join(dir, "level"))
		if err != nil {
			continue
		}
		n, err := strconv.Atoi(text)
		if kind, _ := read(sys, path.Join(dir, "type")); err != nil || kind == "Instruction" || n <= level {
			continue
		}
		text, err = read(sys, path.Join(dir, "shared_cpu_list"))
		if err != nil {
			continue
		}
		if list, err := List(text); err == nil {
			level, members = n, list
		}
	}
	return level, members
}

// within reports whether all of a are in b.
func within(a, b []int) bool {
	return !slices.ContainsFunc(a, func(cpu int) bool { return !slices.Contains(b, cpu) })
}

func cpuFile(cpu int, name string) string { return "cpu" + strconv.Itoa(cpu) + "/" + name }

// number reads a number; -1 if there is none or it means nothing.
func number(sys fs.FS, cpu int, name string) int {
	text, err := read(sys, cpuFile(cpu, name))
	if err != nil {
		return -1
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 {
		return -1
	}
	return n
}

func read(sys fs.FS, name string) (string, error) {
	text, err := fs.ReadFile(sys, name)
	return strings.TrimSpace(string(text)), err
}
