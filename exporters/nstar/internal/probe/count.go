// SPDX-License-Identifier: Apache-2.0

package probe

import (
	"encoding/binary"
	"fmt"
	"io"

	"github.com/cilium/ebpf/link"
)

// Counts are taken over the connections themselves, by station.
type Counts struct {
	InFlight    []uint64 // requests in flight, calls outstanding
	Connections []uint64 // open
}

const countSize = 16

// Count walks all sockets. What the windows say must agree with it, but for what happens meanwhile.
func (p *Probe) Count() (Counts, error) {
	raw := make([]byte, p.counts.Size())
	if _, err := p.counts.WriteAt(raw, 0); err != nil && err != io.EOF {
		return Counts{}, err
	}
	iter, err := link.AttachIter(link.IterOptions{Program: p.objects.NstarCount, Map: p.objects.Conns})
	if err != nil {
		return Counts{}, fmt.Errorf("walking the sockets: %w", err)
	}
	defer iter.Close()
	walk, err := iter.Open()
	if err != nil {
		return Counts{}, fmt.Errorf("walking the sockets: %w", err)
	}
	defer walk.Close()
	if _, err := io.Copy(io.Discard, walk); err != nil {
		return Counts{}, fmt.Errorf("walking the sockets: %w", err)
	}
	if _, err := p.counts.ReadAt(raw, 0); err != nil && err != io.EOF {
		return Counts{}, err
	}
	stations := p.options.MaxTiers + p.options.MaxEdges
	c := Counts{InFlight: make([]uint64, stations), Connections: make([]uint64, stations)}
	for i := range stations {
		c.InFlight[i] = binary.NativeEndian.Uint64(raw[countSize*i:])
		c.Connections[i] = binary.NativeEndian.Uint64(raw[countSize*i+8:])
	}
	return c, nil
}
