// SPDX-License-Identifier: Apache-2.0

package probe

import (
	"fmt"
	"io"

	"github.com/cilium/ebpf"
	"github.com/cilium/ebpf/link"

	"github.com/nstar-project/nstar/exporters/nstar/bpf"
)

// Counts are taken over the connections themselves, by station.
type Counts struct {
	InFlight    []uint64 // requests in flight, calls outstanding
	Connections []uint64 // open
}

// Count walks all sockets. The windows must agree with it, apart from what happens meanwhile.
func (p *Probe) Count() (Counts, error) {
	if _, err := p.counts.WriteAt(make([]byte, p.counts.Size()), 0); err != nil && err != io.EOF {
		return Counts{}, err
	}
	if err := walkSockets(p.objects.NstarCount, p.objects.Conns); err != nil {
		return Counts{}, err
	}
	if err := p.countUnix(); err != nil {
		return Counts{}, err
	}
	stations := p.options.MaxTiers + p.options.MaxEdges
	c := Counts{InFlight: make([]uint64, stations), Connections: make([]uint64, stations)}
	for i := range stations {
		n, _ := entry[bpf.NstarCount](p.counts, i) // there is one of each station
		c.InFlight[i], c.Connections[i] = n.InFlight, n.Open
	}
	return c, nil
}

// walkSockets runs a program once for each socket that has an entry in the map.
func walkSockets(program *ebpf.Program, storage *ebpf.Map) error {
	iter, err := link.AttachIter(link.IterOptions{Program: program, Map: storage})
	if err != nil {
		return fmt.Errorf("walking the sockets: %w", err)
	}
	defer iter.Close()
	walk, err := iter.Open()
	if err != nil {
		return fmt.Errorf("walking the sockets: %w", err)
	}
	defer walk.Close()
	if _, err := io.Copy(io.Discard, walk); err != nil {
		return fmt.Errorf("walking the sockets: %w", err)
	}
	return nil
}
