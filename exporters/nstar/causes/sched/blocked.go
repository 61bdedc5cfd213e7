// SPDX-License-Identifier: Apache-2.0

package sched

import (
	"errors"
	"iter"
	"time"

	"github.com/cilium/ebpf"

	schedbpf "github.com/nstar-project/nstar/exporters/nstar/bpf/sched"
)

// LongestSleep is LONGEST_NS in bpf/sched/lock.h: a longer sleep until another thread wakes the thread is in no window.
const LongestSleep = 2 * time.Second

// blockedAtOnce is how many threads are read with one system call, because the kernel needs room for a whole bucket.
const blockedAtOnce = 1024

// Blocked returns the threads of tiers that sleep now until another thread wakes them, or that wait for a disk, each
// with the time when that began, by CLOCK_MONOTONIC. Changes during the call may be missed.
func (p *Probe) Blocked() iter.Seq2[uint32, time.Duration] {
	return func(yield func(uint32, time.Duration) bool) {
		var cursor ebpf.MapBatchCursor
		threads, waits := make([]uint32, blockedAtOnce), make([]schedbpf.SchedWait, blockedAtOnce)
		for {
			n, err := p.objects.Blocked.BatchLookup(&cursor, threads, waits, nil)
			if err != nil && !errors.Is(err, ebpf.ErrKeyNotExist) {
				return
			}
			for i := range n {
				if !yield(threads[i], time.Duration(waits[i].Since)) {
					return
				}
			}
			if err != nil { // this was the last batch
				return
			}
		}
	}
}
