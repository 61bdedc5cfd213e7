// SPDX-License-Identifier: Apache-2.0

package probe

import (
	"fmt"
	"io"
	"math"
	"time"
	"unsafe"

	"github.com/cilium/ebpf"

	"github.com/nstar-project/nstar/exporters/nstar/bpf"
	"github.com/nstar-project/nstar/exporters/nstar/window"
)

// entry reads an entry of a map through its memory, without a system call, as the type that was generated from the C
// source; false if the map has no such entry.
func entry[T any](m *ebpf.Memory, index int) (v T, ok bool) {
	bytes := unsafe.Slice((*byte)(unsafe.Pointer(&v)), unsafe.Sizeof(v))
	_, err := m.ReadAt(bytes, int64(index)*int64(len(bytes)))
	return v, err == nil || err == io.EOF
}

// Sums reads a station's slot at a position of the ring, added up over CPUs.
func (p *Probe) Sums(station window.Station, position int) window.Sums {
	var total window.Sums
	stations := p.options.MaxTiers + p.options.MaxEdges
	for row := range p.rows.All {
		s, ok := entry[bpf.NstarSlot](p.slots, (row*stations+int(station))*p.ring+position)
		if !ok {
			continue // the station does not exist
		}
		total = total.Add(window.Sums{
			Arrivals: s.Arrivals, Completions: s.Completions, Aborts: s.Aborts, Net: s.Net, Area: s.Area,
			Residence: s.Residence,
		})
	}
	if edge := int(station) - p.options.MaxTiers; edge >= 0 {
		p.addEdge(&total, edge, position)
	} else {
		p.addClients(&total, int(station), position)
	}
	return total
}

// addClients adds the fields that only tiers have, which all CPUs write to one slot.
func (p *Probe) addClients(total *window.Sums, tier, position int) {
	if s, ok := entry[bpf.NstarTierSlot](p.tierSlots, tier*p.ring+position); ok {
		total.Opened, total.OpenArea, total.Lost, total.Errors = s.Opened, s.Area, s.Lost, s.Errors
		total.Reopened, total.Opaque = s.Rare.Reopened, s.Rare.Opaque
	}
}

// addEdge adds the fields that only edges have, which all CPUs write to one slot.
func (p *Probe) addEdge(total *window.Sums, edge, position int) {
	s, ok := entry[bpf.NstarEdgeSlot](p.edgeSlots, edge*p.ring+position)
	if !ok {
		return
	}
	total.Edge = true
	total.Peak = window.Peak{Window: uint32(s.Peak >> 32), Calls: int32(s.Peak)}
	total.Used, total.Gaps, total.GapTime, total.Opened = s.Used, s.Gaps, s.GapTime, s.Opened
	total.Patient, total.Patience, total.Commits, total.Lost = s.Patient, s.Patience, s.Commits, s.Lost
	total.Told = s.Told
	total.Failed, total.Reopened, total.Opaque = s.Failed, s.Rare.Reopened, s.Rare.Opaque
}

// Buckets is the number of residence buckets; bucket b ends at 2^(b/4) x 2^-30 s.
const Buckets = len(bpf.NstarResidence{}.Buckets)

// Residence is how long the requests in a residence bucket took, in seconds: the middle of the bucket.
func Residence(bucket int) float64 { return math.Exp2((float64(bucket)-0.5)/4 - 30) }

// Residences are the residence times of a tier's answers that are known to have ended.
type Residences struct {
	Sum    time.Duration
	Counts [Buckets]uint64
	Waits  uint64 // requests that wait on purpose: not among the answers, and in no queue
}

// Sub is the difference to an earlier reading.
func (r Residences) Sub(earlier Residences) Residences {
	r.Sum -= earlier.Sum
	r.Waits -= earlier.Waits
	for i := range r.Counts {
		r.Counts[i] -= earlier.Counts[i]
	}
	return r
}

// Add is both together.
func (r Residences) Add(more Residences) Residences {
	r.Sum += more.Sum
	r.Waits += more.Waits
	for i := range r.Counts {
		r.Counts[i] += more.Counts[i]
	}
	return r
}

// Number is how many answers they are.
func (r Residences) Number() uint64 { return number(r.Counts[:]) }

func number[N uint64 | float64](counts []N) (n N) {
	for _, c := range counts {
		n += c
	}
	return n
}

// Quantile is the time in seconds that this share of the answers in residence buckets took at most, as the
// middle of its bucket; 0 if there are none.
func Quantile[N uint64 | float64](counts []N, share float64) float64 {
	rest := share * float64(number(counts))
	for b, n := range counts {
		if rest -= float64(n); n > 0 && rest <= 0 {
			return Residence(b)
		}
	}
	return 0
}

// Residences reads a tier's residence times.
func (p *Probe) Residences(tier window.Station) (r Residences) {
	for row := range p.rows.All {
		one, ok := entry[bpf.NstarResidence](p.residence, row*p.options.MaxTiers+int(tier))
		if !ok {
			continue
		}
		r.Sum += time.Duration(one.Sum)
		for i, n := range one.Buckets {
			r.Counts[i] += n
		}
		r.Waits += one.Waits
	}
	return r
}

// Cost is what a program cost so far. Runs and Time are 0 if statistics are off.
type Cost struct {
	Program string
	Runs    uint64
	Time    time.Duration
	Missed  uint64 // runs that the kernel skipped because the program was interrupted by itself
}

// CostOf is the cost of a program; zero if unknown.
func CostOf(name string, p *ebpf.Program) Cost {
	s, err := p.Stats()
	if err != nil {
		return Cost{Program: name}
	}
	return Cost{Program: name, Runs: s.RunCount, Time: s.Runtime, Missed: s.RecursionMisses}
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
			{"nstar_lost", all.NstarLost},
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
	return append(out, p.unix.costs()...), nil
}

// DropReasons are the limits that the kernel side counts, in the order of enum drop in maps.h.
var DropReasons = []string{"socket_storage", "edge_limit", "multiplexed_protocol", "stream_table", "unix_large_write"}

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
