// SPDX-License-Identifier: Apache-2.0

package probe

import (
	"encoding/binary"
	"fmt"
	"io"
	"time"

	"github.com/cilium/ebpf"

	"github.com/nstar-project/nstar/exporters/nstar/bpf"
	"github.com/nstar-project/nstar/exporters/nstar/internal/window"
)

const (
	slotSize     = 64
	edgeSlotSize = 64
	tierSlotSize = 16
	// Buckets is the number of residence buckets; bucket b ends at 2^(b/4) x 2^-30 s.
	Buckets       = 159
	residenceSize = (2 + Buckets) * 8
)

// Sums reads a station's slot at a position of the ring, added up over CPUs. It is a read of shared memory, no system
// call.
func (p *Probe) Sums(station window.Station, position int) window.Sums {
	var buf [slotSize]byte
	var total window.Sums
	stations := p.options.MaxTiers + p.options.MaxEdges
	for cpu := range p.cpus {
		at := ((cpu*stations+int(station))*p.ring + position) * slotSize
		if _, err := p.slots.ReadAt(buf[:], int64(at)); err != nil && err != io.EOF {
			continue // outside the map: the station does not exist
		}
		total = total.Add(decode(buf))
	}
	if edge := int(station) - p.options.MaxTiers; edge >= 0 {
		p.addEdge(&total, edge, position)
	} else {
		p.addClients(&total, int(station), position)
	}
	return total
}

// addClients adds what only tiers have, which all CPUs write to one slot.
func (p *Probe) addClients(total *window.Sums, tier, position int) {
	var buf [tierSlotSize]byte
	if _, err := p.tierSlots.ReadAt(buf[:], int64(tier*p.ring+position)*tierSlotSize); err != nil && err != io.EOF {
		return // outside the map: the station does not exist
	}
	total.Opened = int64(binary.NativeEndian.Uint64(buf[:]))
	total.OpenArea = int64(binary.NativeEndian.Uint64(buf[8:]))
}

// addEdge adds what only edges have, which all CPUs write to one slot.
func (p *Probe) addEdge(total *window.Sums, edge, position int) {
	var buf [edgeSlotSize]byte
	if _, err := p.edgeSlots.ReadAt(buf[:], int64(edge*p.ring+position)*edgeSlotSize); err != nil && err != io.EOF {
		return // outside the map: the station does not exist
	}
	u := func(i int) uint64 { return binary.NativeEndian.Uint64(buf[8*i:]) }
	total.Edge = true
	total.Peak = window.Peak{Window: uint32(u(0) >> 32), Calls: int32(u(0))}
	total.Used, total.Gaps, total.GapTime, total.Opened = u(1), u(2), int64(u(3)), int64(u(4))
}

func decode(b [slotSize]byte) window.Sums {
	u := func(i int) uint64 { return binary.NativeEndian.Uint64(b[8*i:]) }
	return window.Sums{
		Arrivals: u(0), Completions: u(1), Aborts: u(2),
		Net: int64(u(3)), Area: int64(u(4)), Residence: int64(u(5)),
		Reopened: u(6), Opaque: u(7),
	}
}

// Residences are the residence times of a tier's answers that are known to have ended.
type Residences struct {
	Sum    time.Duration
	Counts [Buckets]uint64
	Waits  uint64 // requests that wait on purpose: not among the answers, and in no queue
}

// Sub is what came since an earlier reading.
func (r Residences) Sub(earlier Residences) Residences {
	r.Sum -= earlier.Sum
	r.Waits -= earlier.Waits
	for i := range r.Counts {
		r.Counts[i] -= earlier.Counts[i]
	}
	return r
}

// Residences reads a tier's residence times.
func (p *Probe) Residences(tier window.Station) (r Residences) {
	var buf [residenceSize]byte
	for cpu := range p.cpus {
		at := (cpu*p.options.MaxTiers + int(tier)) * residenceSize
		if _, err := p.residence.ReadAt(buf[:], int64(at)); err != nil && err != io.EOF {
			continue
		}
		r.Sum += time.Duration(binary.NativeEndian.Uint64(buf[:]))
		for i := range r.Counts {
			r.Counts[i] += binary.NativeEndian.Uint64(buf[8*(1+i):])
		}
		r.Waits += binary.NativeEndian.Uint64(buf[8*(1+Buckets):])
	}
	return r
}

// Cost is what a program cost so far. Runs and Time are 0 where statistics are off.
type Cost struct {
	Program string
	Runs    uint64
	Time    time.Duration
	Missed  uint64 // runs that the kernel skipped because the program was interrupted by itself
}

// Costs reads the kernel's own statistics of the programs.
func (p *Probe) Costs() ([]Cost, error) {
	var out []Cost
	for _, all := range []*bpf.NstarObjects{&p.objects, p.later} {
		if all == nil {
			continue
		}
		for i, program := range []struct {
			name string
			*ebpf.Program
		}{
			{"nstar_egress", all.NstarEgress},
			{"nstar_ingress", all.NstarIngress},
			{"nstar_state", all.NstarState},
		} {
			s, err := program.Stats()
			if err != nil {
				return nil, fmt.Errorf("statistics of %s: %w", program.name, err)
			}
			if i == len(out) {
				out = append(out, Cost{Program: program.name})
			}
			out[i].Runs += s.RunCount
			out[i].Time += s.Runtime
			out[i].Missed += s.RecursionMisses
		}
	}
	return out, nil
}

// DropReasons are the limits that the kernel side counts, in the order of enum drop in maps.h.
var DropReasons = []string{"socket_storage", "edge_limit", "multiplexed_protocol", "stream_table"}

// Drops counts how often each limit was hit, in the order of DropReasons.
func (p *Probe) Drops() ([]uint64, error) {
	counts := make([]uint64, len(DropReasons))
	if err := p.objects.Drops.Get(counts); err != nil {
		return nil, err
	}
	return counts, nil
}

// Listens counts the sockets that started to listen since the probe was opened.
func (p *Probe) Listens() (n uint32) {
	// a variable in mapped memory: reading can only fail if its type is not uint32
	_ = p.objects.Listens.Get(&n)
	return n
}
