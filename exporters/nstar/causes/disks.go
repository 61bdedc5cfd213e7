// SPDX-License-Identifier: Apache-2.0

package causes

import (
	"maps"
	"slices"
	"time"

	"github.com/cilium/ebpf"

	"github.com/nstar-project/nstar/exporters/nstar/causes/diskuse"
	"github.com/nstar-project/nstar/exporters/nstar/causes/owner"
	"github.com/nstar-project/nstar/exporters/nstar/discovery"
	"github.com/nstar-project/nstar/exporters/nstar/probe"
	"github.com/nstar-project/nstar/exporters/nstar/window"
)

// diskNeighbours is the name of the measurement of which programs use the disks. It can be switched off as causes can.
const diskNeighbours = "disk_neighbours"

const (
	// diskRemembered is for how long after its last use a disk counts as a tier's disk.
	diskRemembered = time.Minute
	// diskReach is how far back to look for requests behind which a tier may wait, if there are no later ones.
	diskReach = time.Second
)

// disks finds which programs used the disks for which tiers waited.
type disks struct {
	probe *diskuse.Probe
	width time.Duration
	used  map[window.Station]map[uint32]int64 // by disk: index of the window in which a tier last used it
}

// openDisks starts following which programs use the disks.
func openDisks(o Options, processes *ebpf.Map) (*disks, error) {
	p, err := diskuse.Open(diskuse.Options{Window: o.Window, Kept: o.Settle + Lag + lateness +
		diskReach, Clock: o.Clock,
		Processes: processes})
	if err != nil {
		return nil, probe.Explain(err)
	}
	return &disks{probe: p, width: o.Window, used: make(map[window.Station]map[uint32]int64)}, nil
}

// users returns the programs that used the tier's disks when its threads waited for one in a window. It looks in this
// window and the one before it. If there are no requests in these, it looks in the last window that has some. Users of
// other disks are left out as soon as it is known which disks the tier itself uses.
func (d *disks) users(of window.Station, mine func(owner.Owner) bool, index int64,
	read func(int64) []diskuse.Use) []diskuse.Use {
	if d.used[of] == nil {
		d.used[of] = make(map[uint32]int64)
	}
	used := d.used[of]
	for back := int64(0); back <= int64(diskReach/d.width); back++ {
		found := read(index - back)
		if back == 0 {
			found = diskuse.Join(found, read(index-1))
		}
		for _, u := range found {
			if u.Disk != 0 && mine(u.Owner) {
				used[u.Disk] = max(used[u.Disk], index)
			}
		}
		if found = d.on(used, index, found); len(found) > 0 {
			return found
		}
	}
	return nil
}

// of returns the disks that a tier used recently, as far as this was looked at, which is while its threads wait for
// one.
func (d *disks) of(tier window.Station) []uint32 { return slices.Collect(maps.Keys(d.used[tier])) }

// on leaves out users of disks that the tier does not use.
func (d *disks) on(used map[uint32]int64, index int64, found []diskuse.Use) (out []diskuse.Use) {
	for name, last := range used {
		if index-last > int64(diskRemembered/d.width) {
			delete(used, name)
		}
	}
	for _, u := range found {
		if _, same := used[u.Disk]; same || len(used) == 0 || u.Disk == 0 {
			out = append(out, u)
		}
	}
	return out
}

// DiskNeighbours are the programs that read and wrote while a tier's threads waited for a disk, including the tier
// itself. The time that the threads waited is divided in proportion to the bytes that each program moved.
type DiskNeighbours struct{ Readers, Writers []Neighbour }

// divide gives each user its share of a tier's waiting.
func divide(waited time.Duration, users []diskuse.Use, name func(owner.Owner) Who) (out DiskNeighbours) {
	all := 0.0
	for _, u := range users {
		all += float64(u.Read) + float64(u.Written)
	}
	add := func(to []Neighbour, u diskuse.Use, moved uint64) []Neighbour {
		if moved == 0 {
			return to
		}
		who := Who{Name: Other}
		if u.Disk != 0 {
			who = name(u.Owner)
		}
		return join(to, Neighbour{who, time.Duration(float64(waited) * float64(moved) / all)})
	}
	for _, u := range users {
		out.Readers, out.Writers = add(out.Readers, u, u.Read), add(out.Writers, u, u.Written)
	}
	return out
}

// diskNeighbours are the disk neighbours of a tier whose threads waited for a disk in a window; nil if not measured.
func (s *Set) diskNeighbours(tier Tier, index int64, waited time.Duration) *DiskNeighbours {
	if s.disks == nil {
		return nil
	}
	n := new(DiskNeighbours)
	if waited > 0 {
		users := s.disks.users(tier.Station, s.takers.isOf(tier), index, s.disks.probe.Window)
		*n = divide(waited, users, func(who owner.Owner) Who { return s.diskUser(tier, who) })
	}
	return n
}

// diskUser returns the name of a process. If the process is gone, it is the name that it had when it used the disk.
func (s *Set) diskUser(tier Tier, by owner.Owner) Who {
	if by == 0 {
		return Who{Name: discovery.Kernel}
	}
	who := s.takers.name(tier, by)
	if who.Name != Other {
		return who
	}
	if command := s.disks.probe.Command(by); command != "" {
		return Who{Name: discovery.Visible(command), Own: who.Own}
	}
	return who
}
