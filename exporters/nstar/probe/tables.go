// SPDX-License-Identifier: Apache-2.0

package probe

import (
	"errors"
	"fmt"
	"net/netip"
	"time"

	"github.com/cilium/ebpf"

	"github.com/nstar-project/nstar/exporters/nstar/bpf"
	"github.com/nstar-project/nstar/exporters/nstar/window"
)

// Listener is a listening socket and the tier behind it: of TCP, or a Unix socket, which has a File and nothing else.
type Listener struct {
	NetNS    uint32
	Addr     netip.Addr // unspecified: all addresses of its family
	Port     uint16
	File     File
	Station  window.Station
	Protocol uint32 // enum protocol in conn.h
}

// key is the listener's place in the tables.
func (l Listener) key() bpf.NstarListenerKey {
	if l.File != (File{}) {
		return bpf.NstarListenerKey{Netns: unixNetNS, Addr: l.File.address()}
	}
	return bpf.NstarListenerKey{Netns: l.NetNS, Port: l.Port, Addr: addr16(l.Addr)}
}

// Outgoing is an established connection of a tier's process.
type Outgoing struct {
	NetNS         uint32
	Local, Remote netip.AddrPort
	From          window.Station
}

// noStation is NO_STATION in conn.h.
const noStation = ^uint32(0)

// Tables are the tables in which the kernel side looks up sockets.
type Tables struct {
	Listeners []Listener
	Processes map[uint32]window.Station
	Outgoing  []Outgoing
	Remotes   []Remote
}

// Remote is a destination on another host that has a name.
type Remote struct {
	Address  netip.AddrPort
	Protocol uint32 // enum protocol in conn.h
}

// Room is how many entries the tables hold; remotes are in that of the listeners.
type Room struct{ Listeners, Processes, Outgoing int }

// Room is how many entries the tables hold.
func (p *Probe) Room() Room {
	return Room{
		Listeners: int(p.objects.Listeners.MaxEntries()),
		Processes: int(p.objects.TierProcesses.MaxEntries()),
		Outgoing:  int(p.objects.Outgoing.MaxEntries()),
	}
}

// ErrTableFull says that some entries found no place; the rest were written.
var ErrTableFull = errors.New("table full")

// SetTables replaces the tables and has every connection look its role up again if anything about sockets changed.
func (p *Probe) SetTables(t Tables) error {
	var errPorts error // marks come first: a socket that is looked up too early is looked up again
	var errUnix error
	listeners := make(map[bpf.NstarListenerKey]bpf.NstarListener, len(t.Listeners))
	for _, l := range t.Listeners {
		listeners[l.key()] = bpf.NstarListener{Station: uint32(l.Station), Protocol: l.Protocol}
		if l.File != (File{}) {
			errUnix = p.attachUnix()
			continue
		}
		errPorts = errors.Join(errPorts, p.ports.serving(l.Port))
	}
	for _, r := range t.Remotes { // in no namespace: no tier listens there, but edges to them come first
		key := bpf.NstarListenerKey{Port: r.Address.Port(), Addr: addr16(r.Address.Addr())}
		listeners[key] = bpf.NstarListener{Station: noStation, Protocol: r.Protocol}
	}
	processes := make(map[uint32]uint32, len(t.Processes))
	if p.numbers { // otherwise these are the numbers of other processes there
		for pid, station := range t.Processes {
			processes[pid] = uint32(station)
		}
	}
	outgoing := make(map[bpf.NstarOutgoingKey]uint32, len(t.Outgoing))
	for _, o := range t.Outgoing {
		key := bpf.NstarOutgoingKey{
			Netns: o.NetNS, LocalPort: o.Local.Port(), RemotePort: o.Remote.Port(),
			Local: addr16(o.Local.Addr()), Remote: addr16(o.Remote.Addr()),
		}
		outgoing[key] = uint32(o.From)
		errPorts = errors.Join(errPorts, p.ports.joined(o.Remote.Port()))
	}
	_, errProcesses := replace(p.objects.TierProcesses, processes)
	changed, errListeners := replace(p.objects.Listeners, listeners)
	changedOutgoing, errOutgoing := replace(p.objects.Outgoing, outgoing)
	if changed || changedOutgoing {
		var generation uint32
		if err := p.objects.Generation.Get(&generation); err != nil {
			return err
		}
		if err := p.objects.Generation.Set(generation + 1); err != nil {
			return err
		}
	}
	return errors.Join(errPorts, errUnix, errListeners, errProcesses, errOutgoing)
}

// replace makes the map hold exactly the wanted entries and says whether it differed.
func replace[K comparable, V comparable](m *ebpf.Map, want map[K]V) (changed bool, err error) {
	var key K
	var value V
	var stale []K
	have := make(map[K]V)
	entries := m.Iterate()
	for entries.Next(&key, &value) {
		have[key] = value
		if _, ok := want[key]; !ok {
			stale = append(stale, key)
		}
	}
	if err := entries.Err(); err != nil {
		return false, fmt.Errorf("reading %s: %w", m, err)
	}
	for _, key := range stale {
		changed = true
		if err := m.Delete(key); err != nil && !errors.Is(err, ebpf.ErrKeyNotExist) {
			return changed, fmt.Errorf("shrinking %s: %w", m, err)
		}
	}
	full := 0
	for key, value := range want {
		if old, ok := have[key]; ok && old == value {
			continue
		}
		changed = true
		if m.Put(key, value) != nil {
			full++
		}
	}
	if full > 0 {
		return changed, fmt.Errorf("%w: %d of %d entries of %s left out", ErrTableFull, full, len(want), m)
	}
	return changed, nil
}

// SetClock sets the offset of the window clock to CLOCK_MONOTONIC.
func (p *Probe) SetClock(offset time.Duration) error {
	return p.objects.ClockOffset.Set(int64(offset))
}

// addr16 writes an address as the kernel side has it: IPv4 mapped into IPv6.
func addr16(a netip.Addr) [16]byte {
	if !a.IsValid() {
		a = netip.IPv6Unspecified()
	}
	return a.As16()
}
