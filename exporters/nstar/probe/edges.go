// SPDX-License-Identifier: Apache-2.0

package probe

import (
	"errors"
	"fmt"
	"net/netip"

	"github.com/cilium/ebpf"

	"github.com/nstar-project/nstar/exporters/nstar/bpf"
	"github.com/nstar-project/nstar/exporters/nstar/window"
)

// Edge is a destination that a tier has connected to, as the kernel side numbered it. To is [::]:0 for the edge that a
// tier's nameless destinations share once half of the table is full. A Unix socket has a File instead.
type Edge struct {
	Station window.Station
	From    window.Station
	NetNS   uint32
	To      netip.AddrPort
	File    File
}

// Edges lists the edges found so far.
func (p *Probe) Edges() ([]Edge, error) {
	var out []Edge
	var key bpf.NstarEdgeKey
	var station uint32
	entries := p.objects.Edges.Iterate()
	for entries.Next(&key, &station) {
		out = append(out, edgeAt(key, station))
	}
	return out, entries.Err()
}

// EdgesChanged is increased whenever an edge gets a number: that is cheaper than listing them to find new ones.
func (p *Probe) EdgesChanged() (n uint32) {
	_ = p.objects.EdgesChanged.Get(&n)
	return n
}

// ForgetEdge takes the number from an edge: the next connection to the same destination gets another. Connections that
// have it keep it, so it must be held back until Count finds none; FreeEdge then gives it to the next edge, and
// KeepEdge takes everything back.
func (p *Probe) ForgetEdge(e Edge) error {
	if err := p.objects.Edges.Delete(e.key()); err != nil && !errors.Is(err, ebpf.ErrKeyNotExist) {
		return fmt.Errorf("forgetting an edge: %w", err)
	}
	return nil
}

// KeepEdge gives a forgotten edge its number back and reports whether it could: the destination may have a new one.
func (p *Probe) KeepEdge(e Edge) bool {
	return p.objects.Edges.Update(e.key(), uint32(e.Station), ebpf.UpdateNoExist) == nil
}

// FreeEdge makes a forgotten edge's number available.
func (p *Probe) FreeEdge(e Edge) error {
	edge := uint32(int(e.Station) - p.options.MaxTiers)
	var none bpf.NstarEdgeState
	if err := p.objects.EdgeStates.Put(edge, none); err != nil {
		return fmt.Errorf("freeing an edge: %w", err)
	}
	var freed uint32
	if err := p.objects.EdgesFreed.Get(&freed); err != nil {
		return err
	}
	if err := p.objects.FreeEdges.Put(nil, uint32(e.Station)); err != nil {
		return fmt.Errorf("freeing an edge: %w", err)
	}
	return p.objects.EdgesFreed.Set(freed + 1) // user space alone writes it
}

// key is the edge's place in the tables.
func (e Edge) key() bpf.NstarEdgeKey {
	if e.File != (File{}) {
		return bpf.NstarEdgeKey{From: uint32(e.From), Netns: unixNetNS, Addr: e.File.address()}
	}
	return bpf.NstarEdgeKey{From: uint32(e.From), Netns: e.NetNS, Port: e.To.Port(), Addr: addr16(e.To.Addr())}
}

// edgeAt is the edge of an entry in the tables.
func edgeAt(key bpf.NstarEdgeKey, station uint32) Edge {
	e := Edge{Station: window.Station(station), From: window.Station(key.From), File: fileOf(key.Netns, key.Addr)}
	if e.File == (File{}) {
		e.NetNS, e.To = key.Netns, netip.AddrPortFrom(netip.AddrFrom16(key.Addr).Unmap(), key.Port)
	}
	return e
}
