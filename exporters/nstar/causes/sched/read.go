// SPDX-License-Identifier: Apache-2.0

package sched

import (
	"encoding/binary"
	"io"
	"time"

	"github.com/nstar-project/nstar/exporters/nstar/causes/owner"
	"github.com/nstar-project/nstar/exporters/nstar/window"
)

// top is TOP in maps.h: the number of names kept per tier, window and processor.
const top = 3

const (
	slotSize  = 80  // of struct slot
	stateSize = 576 // of struct cpu
)

// Times are what the threads of a tier did in a window, added up over all threads and processors.
type Times struct {
	Ran    time.Duration
	Waited time.Duration // for a processor, ready to run
	Others time.Duration // of Waited, while a thread outside of the tier had the processor
	Disk   time.Duration // waited for a disk
	Locked time.Duration // slept until another thread woke it, for less than 2 s at a time
	Takers []Taker       // the named part of Others; the rest is not known by name
}

// Taker is another tier, or a process of no tier, that had a processor for which a tier's thread waited.
type Taker struct {
	Owner owner.Owner
	Time  time.Duration
}

// Window reads what a tier did in a window, by the window's index. It is final once nothing that went on in the window
// lasts any more, because the wait of a thread is booked only when the thread gets its processor.
func (p *Probe) Window(tier window.Station, index int64) Times {
	return p.WindowByCore(tier, index, func(int, Times) {})
}

// readTries is how often the record of a processor is read again if the processor switches threads meanwhile. After
// that the last reading counts.
const readTries = 3

func (p *Probe) add(t *Times, cpu int, tier window.Station, index int64) {
	for range readTries {
		began, before := p.running(cpu)
		s := p.slot(cpu, tier, index)
		if again, after := p.running(cpu); again != began || after != before {
			continue
		}
		if began != 0 && before == uint32(tier) { // not booked yet on this processor
			s.Ran += overlap(time.Duration(began)+p.options.Clock, index, p.options.Window)
		}
		t.join(s)
		return
	}
	t.join(p.slot(cpu, tier, index))
}

// join adds what happened on another processor or in another window.
func (t *Times) join(s Times) {
	t.Ran += s.Ran
	t.Waited += s.Waited
	t.Others += s.Others
	t.Disk += s.Disk
	t.Locked += s.Locked
	t.Takers = merge(t.Takers, s.Takers)
}

// overlap is the part of a window that lies after a time.
func overlap(from time.Duration, index int64, width time.Duration) time.Duration {
	end := time.Duration(index+1) * width
	return min(max(end-from, 0), width)
}

func merge(all, more []Taker) []Taker {
next:
	for _, m := range more {
		for i := range all {
			if all[i].Owner == m.Owner {
				all[i].Time += m.Time
				continue next
			}
		}
		all = append(all, m)
	}
	return all
}

// running returns since when a tier's thread has been running on a processor (CLOCK_MONOTONIC), and the tier; 0 if none
// does.
func (p *Probe) running(cpu int) (since uint64, tier uint32) {
	var buf [16]byte
	if _, err := p.states.ReadAt(buf[:], int64(cpu*stateSize)); err != nil && err != io.EOF {
		return 0, 0
	}
	return binary.NativeEndian.Uint64(buf[:]), binary.NativeEndian.Uint32(buf[8:])
}

// slot reads one processor's part; zero if nothing happened in the window.
func (p *Probe) slot(cpu int, tier window.Station, index int64) (t Times) {
	var b [slotSize]byte
	position := int(index & int64(p.ring-1))
	at := ((cpu*p.options.MaxTiers+int(tier))*p.ring + position) * slotSize
	if _, err := p.slots.ReadAt(b[:], int64(at)); err != nil && err != io.EOF {
		return t // outside the map: the tier does not exist
	}
	if binary.NativeEndian.Uint32(b[:]) != uint32(index) {
		return t
	}
	ns := func(i int) time.Duration { return time.Duration(binary.NativeEndian.Uint64(b[16+8*i:])) }
	t.Ran, t.Waited, t.Others, t.Disk, t.Locked = ns(0), ns(1), ns(2), ns(3), ns(4)
	for i := range top {
		if taken := ns(5 + i); taken > 0 {
			t.Takers = append(t.Takers, Taker{owner.Owner(binary.NativeEndian.Uint32(b[4+4*i:])), taken})
		}
	}
	return t
}
