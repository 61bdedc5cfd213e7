// SPDX-License-Identifier: Apache-2.0

package sched

import (
	"errors"
	"iter"
	"time"

	"github.com/cilium/ebpf"

	schedbpf "github.com/nstar-project/nstar/exporters/nstar/bpf/sched"
)

// LongestSleep is LONGEST_NS in bpf/sched/lock.h: a longer sleep for another thread is in no window.
const LongestSleep = 2 * time.Second

// blockedAtOnce is how many threads are read with one system call; the kernel wants room for a whole bucket.
const blockedAtOnce = 1024

// Blocked are the threads of tiers that sleep now for another one or wait for a disk, each with the time since when, by
// CLOCK_MONOTONIC. What changes meanwhile may be missed.
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
			if err != nil { // that was the last batch
				return
			}
		}
	}
}
