// SPDX-License-Identifier: Apache-2.0

package sched

import (
	"errors"
	"iter"
	"time"

	"github.com/cilium/ebpf"
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
		threads, since := make([]uint32, blockedAtOnce), make([]uint64, blockedAtOnce)
		for {
			n, err := p.objects.Blocked.BatchLookup(&cursor, threads, since, nil)
			if err != nil && !errors.Is(err, ebpf.ErrKeyNotExist) {
				return
			}
			for i := range n {
				if !yield(threads[i], time.Duration(since[i])) {
					return
				}
			}
			if err != nil { // that was the last batch
				return
			}
		}
	}
}
