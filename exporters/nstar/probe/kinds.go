// SPDX-License-Identifier: Apache-2.0

package probe

import (
	"crypto/rand"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/cilium/ebpf"

	"github.com/nstar-project/nstar/exporters/nstar/bpf"
	"github.com/nstar-project/nstar/exporters/nstar/kinds"
	"github.com/nstar-project/nstar/exporters/nstar/window"
)

// KindSums are the sums over the requests of one kind since the probe was opened.
type KindSums struct {
	Arrivals, Completions, Aborts uint64
	Residence                     time.Duration // of the requests completed

	stamps uint64 // ns: times of arrival less times of leaving, modulo 2^64
}

// Sub is the difference to an earlier reading of the same kind.
func (k KindSums) Sub(o KindSums) KindSums {
	return KindSums{k.Arrivals - o.Arrivals, k.Completions - o.Completions, k.Aborts - o.Aborts,
		k.Residence - o.Residence, k.stamps - o.stamps}
}

// QueueTime is the integral of the kind's queue length up to a moment of the monotonic clock: requests that have left
// add the time that they were there, the others their time so far.
func (k KindSums) QueueTime(now time.Duration) time.Duration {
	there := k.Arrivals - k.Completions - k.Aborts
	return time.Duration(there*uint64(now) - k.stamps)
}

const (
	kindSize = 64
	// kindTries is how often a kind is read again that the kernel side writes at this moment, which takes nanoseconds.
	kindTries = 100
)

// sizeKinds makes room for kinds, and has the programs look for them.
func (p *Probe) sizeKinds(spec *ebpf.CollectionSpec) error {
	var seed [8]byte
	if _, err := rand.Read(seed[:]); err != nil {
		return err
	}
	p.seed = binary.NativeEndian.Uint64(seed[:])
	spec.Maps["kind_steps"].MaxEntries = kinds.MaxSteps
	spec.Maps["kind_ends"].MaxEntries = kinds.MaxSteps
	spec.Maps["kind_table"].MaxEntries = uint32(p.rows.All * p.options.MaxTiers * kinds.Max)
	return p.setKindConstants(spec)
}

func (p *Probe) setKindConstants(spec *ebpf.CollectionSpec) error {
	return bpf.SetConstants(spec, map[string]any{"kinds_on": uint8(1), "kind_seed": p.seed})
}

// ErrNoKinds says that the probe was opened without kinds, and has none ready.
var ErrNoKinds = errors.New("the kernel programs run without kinds of requests: start the exporter again to tell " +
	"them apart")

// SetKinds replaces the kinds that are distinguished; a kind's tier is the number of its station. With the first kinds,
// programs that know kinds take over, for as long as the probe is open: new requests count from then on, requests under
// way do not.
func (p *Probe) SetKinds(all []kinds.Kind) error {
	tables := &p.objects
	switch {
	case p.later != nil:
		tables = p.later
	case p.kinds == nil && p.laterErr != nil && len(all) > 0:
		return fmt.Errorf("%w (%w)", ErrNoKinds, p.laterErr)
	case p.kinds == nil && len(all) > 0:
		return ErrNoKinds
	}
	if p.kinds == nil && len(all) == 0 {
		return nil
	}
	a, err := kinds.Build(all, p.seed)
	if err != nil {
		return err
	}
	steps := make(map[bpf.NstarKindStep]uint32, len(a.Steps))
	for s, next := range a.Steps {
		steps[bpf.NstarKindStep{Word: s.Word, Node: s.Node}] = next
	}
	ends := make(map[bpf.NstarKindEnd]uint32, len(a.Ends))
	for e, kind := range a.Ends {
		ends[bpf.NstarKindEnd{Station: e.Tier, Node: e.Node}] = kind
	}
	_, errSteps := replace(tables.KindSteps, steps)
	_, errEnds := replace(tables.KindEnds, ends)
	if err := errors.Join(errSteps, errEnds); err != nil {
		return fmt.Errorf("kinds of requests: %w", err)
	}
	if p.kinds != nil {
		return nil
	}
	table, err := tables.KindTable.Memory()
	if err != nil {
		return fmt.Errorf("mapping the kinds of requests: %w", err)
	}
	if err := p.takeOver(); err != nil {
		return fmt.Errorf("%w (%w)", ErrNoKinds, err)
	}
	p.kinds = table
	return nil
}

// KindSums reads the kinds of a tier by number; nil if the probe was opened without kinds.
func (p *Probe) KindSums(tier window.Station) []KindSums {
	if p.kinds == nil {
		return nil
	}
	out := make([]KindSums, kinds.Max)
	for row := range p.rows.All {
		for i := range out {
			k := p.kindOn((row*p.options.MaxTiers+int(tier))*kinds.Max + i)
			out[i].Arrivals += k.Arrivals
			out[i].Completions += k.Completions
			out[i].Aborts += k.Aborts
			out[i].Residence += k.Residence
			out[i].stamps += k.stamps
		}
	}
	return out
}

// kindOn reads an entry of one CPU. The number of ended writes is read before the sums, and the number of begun
// writes after them: if both are the same, the sums are consistent.
func (p *Probe) kindOn(entry int) (k KindSums) {
	const begun, ended, sums = 0, 8, 16
	at := int64(entry) * kindSize
	for range kindTries {
		before := p.kindWord(at + ended)
		var buf [kindSize - sums]byte
		if _, err := p.kinds.ReadAt(buf[:], at+sums); err != nil && err != io.EOF {
			return KindSums{} // outside the map: the station does not exist
		}
		u := func(i int) uint64 { return binary.NativeEndian.Uint64(buf[8*i:]) }
		k = KindSums{Arrivals: u(0), Completions: u(1), Aborts: u(2), stamps: u(3), Residence: time.Duration(u(4))}
		if p.kindWord(at+begun) == before {
			break
		}
	}
	return k
}

func (p *Probe) kindWord(at int64) uint64 {
	var buf [8]byte
	if _, err := p.kinds.ReadAt(buf[:], at); err != nil && err != io.EOF {
		return 0
	}
	return binary.NativeEndian.Uint64(buf[:])
}
