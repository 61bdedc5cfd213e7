// SPDX-License-Identifier: Apache-2.0

// Package samples keeps the settled windows for a while and serves them on /windows, each stamped with its own end.
package samples

import (
	"sync"
	"time"
)

// Tier is one tier's part of a window. Residence and GC are NaN where there is nothing to say: no completion in the
// window, no JVM behind the tier.
type Tier struct {
	App, Tier  string
	Queue      float64 // time average of the number of requests in the tier
	Throughput float64 // completions per second
	Residence  float64 // mean seconds of the requests completed
	GC         float64 // share of the window in which garbage collection stopped the JVM, 0 to 1
}

// Edge is one edge's part of a window.
type Edge struct {
	App, From, To string
	Outstanding   float64 // time average of the calls that wait for an answer
}

// Batch is one settled window of everything.
type Batch struct {
	End   time.Duration // since the epoch
	Tiers []Tier
	Edges []Edge
}

// Buffer holds the batches of the last while, in order of time.
type Buffer struct {
	mu      sync.Mutex
	retain  time.Duration
	batches []Batch
	last    time.Duration
	refused uint64
}

// NewBuffer makes a buffer that keeps batches for the given time.
func NewBuffer(retain time.Duration) *Buffer {
	return &Buffer{retain: retain}
}

// Future is how far ahead of its own clock Prometheus takes a sample.
const Future = 10 * time.Minute

// Add appends a batch. One that ends no later than the last is refused and counted: Prometheus would refuse it, too. That
// happens after the wall clock was set back. After it was set back by more than Prometheus could have taken, the buffer
// begins anew.
func (b *Buffer) Add(batch Batch) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if batch.End < b.last-Future {
		b.batches, b.last = nil, 0
	}
	if batch.End <= b.last {
		b.refused++
		return
	}
	b.last = batch.End
	b.batches = append(b.batches, batch)
	drop := 0
	for drop < len(b.batches) && b.batches[drop].End < batch.End-b.retain {
		drop++
	}
	// what was handed out is never changed, so a reader may hold on to a part of the old array
	b.batches = b.batches[drop:]
}

// Since returns the batches that end after the given moment.
func (b *Buffer) Since(after time.Duration) []Batch {
	b.mu.Lock()
	defer b.mu.Unlock()
	i := len(b.batches)
	for i > 0 && b.batches[i-1].End > after {
		i--
	}
	return b.batches[i:len(b.batches):len(b.batches)]
}

// Last is the end of the newest batch, 0 if there is none.
func (b *Buffer) Last() time.Duration {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.last
}

// Refused counts the batches that were not taken.
func (b *Buffer) Refused() uint64 {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.refused
}
