// SPDX-License-Identifier: Apache-2.0

package probe

import (
	"encoding/binary"
	"errors"
	"fmt"
	"maps"

	"github.com/cilium/ebpf"

	"github.com/nstar-project/nstar/exporters/nstar/bpf"
	"github.com/nstar-project/nstar/exporters/nstar/bpf/unixsockets"
)

// File is the file of a Unix socket; zero for a socket of TCP.
type File struct{ Device, Inode uint32 }

// unixNetNS is used in the tables in place of the network namespace of a TCP socket (UNIX_NETNS in unix.bpf.c).
const unixNetNS = ^uint32(0)

// address takes the place of an address in the tables (listens_at in unix.bpf.c).
func (f File) address() (a [16]byte) {
	a[0] = 0xfd
	binary.NativeEndian.PutUint32(a[8:], f.Device)
	binary.NativeEndian.PutUint32(a[12:], f.Inode)
	return a
}

// fileOf is the file behind an entry of the tables; zero if there is none.
func fileOf(netns uint32, a [16]byte) File {
	if netns != unixNetNS {
		return File{}
	}
	return File{Device: binary.NativeEndian.Uint32(a[8:]), Inode: binary.NativeEndian.Uint32(a[12:])}
}

// unixSockets are the programs that measure at Unix sockets. They are attached once a tier listens at one: until then
// they cost nothing.
type unixSockets struct {
	objects  *unixsockets.UnixObjects // nil if they can't be loaded
	err      error                    // why they can't
	attached bpf.Links
	walk     uint32
}

// loadUnix loads them on the tables of the programs that run; constants are their own.
func (p *Probe) loadUnix(shift int, tables map[string]*ebpf.Map) {
	spec, err := unixsockets.LoadUnix()
	if err == nil {
		err = bpf.SetConstants(spec, p.constants(shift))
	}
	if err == nil && p.options.Kinds {
		err = p.setKindConstants(spec)
	}
	if err != nil {
		p.unix.err = err
		return
	}
	tables = maps.Clone(tables)
	maps.DeleteFunc(tables, func(name string, _ *ebpf.Map) bool { return name == ".rodata" || spec.Maps[name] == nil })
	for name, table := range tables {
		spec.Maps[name].MaxEntries = table.MaxEntries()
	}
	spec.Maps["unix_greeting"].MaxEntries = uint32(p.options.MaxTiers + p.options.MaxEdges)
	var objects unixsockets.UnixObjects
	if err := spec.LoadAndAssign(&objects, &ebpf.CollectionOptions{MapReplacements: tables}); err != nil {
		p.unix.err = explain(err, errUnixKernelOld)
		return
	}
	p.unix.objects = &objects
	p.unix.walk = 1 // as unix_walk is
}

// UnixErr says why Unix sockets can't be measured; nil if they can.
func (p *Probe) UnixErr() error { return p.unix.err }

// attachUnix begins to measure at Unix sockets.
func (p *Probe) attachUnix() error {
	u := &p.unix
	if u.objects == nil || u.attached != nil {
		return u.err
	}
	var err error
	u.attached, err = bpf.Trace(u.objects.NstarUnixTier, u.objects.NstarUnixEdge, u.objects.NstarUnixEnd)
	return err
}

// countUnix counts over the connections over Unix sockets, beside those of TCP.
func (p *Probe) countUnix() error {
	if p.unix.attached == nil {
		return nil
	}
	if _, err := p.unix.objects.NstarUnixCount.Run(&ebpf.RunOptions{}); err != nil {
		return fmt.Errorf("counting connections over Unix sockets: %w", err)
	}
	return nil
}

// SweepUnix ends the connections over Unix sockets that are gone: the kernel reports only those whose end some
// process reads. To be called about every second.
func (p *Probe) SweepUnix() error {
	u := &p.unix
	if u.attached == nil {
		return nil
	}
	u.walk++
	if err := errors.Join(u.objects.UnixWalk.Set(u.walk), u.objects.UnixFound.Set(uint32(0))); err != nil {
		return err
	}
	if err := walkSockets(u.objects.NstarUnixWalk, u.objects.UnixMarks); err != nil {
		return err
	}
	var found, ends uint32
	if err := errors.Join(u.objects.UnixFound.Get(&found), u.objects.UnixEnds.Get(&ends)); err != nil {
		return err
	}
	if found == ends { // the table is usually much larger than its content
		return nil
	}
	if _, err := u.objects.NstarUnixSweep.Run(&ebpf.RunOptions{}); err != nil {
		return fmt.Errorf("ending connections over Unix sockets: %w", err)
	}
	return nil
}

func (u *unixSockets) close() error {
	if u.objects == nil {
		return nil
	}
	err := u.attached.Close()
	u.attached = nil
	if err == nil {
		err = u.objects.Close()
	}
	return err
}

// costs are the costs of its programs.
func (u *unixSockets) costs() []Cost {
	if u.attached == nil {
		return nil
	}
	return []Cost{
		CostOf("nstar_unix_tier", u.objects.NstarUnixTier), CostOf("nstar_unix_edge", u.objects.NstarUnixEdge),
		CostOf("nstar_unix_end", u.objects.NstarUnixEnd),
	}
}
