// SPDX-License-Identifier: Apache-2.0

// Package samples keeps the settled windows for a while and serves them on /windows, each stamped with its own end.
package samples

import (
	"math"
	"sync"
	"time"
)

// Tier is one tier's part of a window. Residence and GC are NaN if there is no value: no completion in the window,
// no JVM behind the tier.
type Tier struct {
	App, Tier  string
	Queue      float64 // time average of the number of requests in the tier
	Throughput float64 // completions per second
	Residence  float64 // mean seconds of the requests completed
	GC         float64 // share of the window in which garbage collection stopped the JVM, 0 to 1
	Own        float64 // time average of the requests that wait for no tier behind

	Connections float64 // time average of the clients' open connections
}

// State is the judgement of a window of a tier. The judgement takes a while, so it belongs to an earlier window than
// the other values of its batch.
type State struct {
	App, Tier string
	End       time.Duration // of the window, since the epoch
	State     int           // number of judgement.State
}

// Causes are the shares of a window in which causes kept a tier from work. Like the state, they belong to an earlier
// window. They are a large part of a buffer, so each takes four bytes.
type Causes struct {
	App, Tier string
	End       time.Duration // of the window, since the epoch
	Kinds     []Cause       // the same slice in all windows of a tier, mostly
	Ratios    []float32     // of each of Kinds, in seconds per second
}

// Cause is one of them, as in nstar_window_CAUSE_ratio.
type Cause struct{ Name, Help string }

// Edge is one edge's part of a window.
type Edge struct {
	App, From, To string
	Outstanding   float64 // time average of the calls that wait for an answer
	Calls         float64 // calls begun per second
	Peak          float64 // most calls outstanding at once
	Connections   float64 // connections open
	Used          float64 // connections that carried a call
	Gap           float64 // mean seconds between an answer and the next call of its connection; NaN without any
}

// Plus is both addresses of one destination together. Their peaks may have been at different times, so that the sum is
// an upper bound; the gap is the mean, weighted by calls.
func (e Edge) Plus(o Edge) Edge {
	switch {
	case math.IsNaN(e.Gap):
		e.Gap = o.Gap
	case !math.IsNaN(o.Gap):
		e.Gap = (e.Gap*e.Calls + o.Gap*o.Calls) / (e.Calls + o.Calls)
	}
	e.Outstanding += o.Outstanding
	e.Calls += o.Calls
	e.Peak += o.Peak
	e.Connections += o.Connections
	e.Used += o.Used
	return e
}

// Batch is one settled window of everything.
type Batch struct {
	End    time.Duration // since the epoch
	Tiers  []Tier
	Edges  []Edge
	States []State
	Causes []Causes
}

// Buffer holds the batches of the last while, in order of time.
type Buffer struct {
	mu      sync.Mutex
	retain  time.Duration
	batches []packed
	last    time.Duration
	refused uint64
}

// NewBuffer makes a buffer that keeps batches for the given time.
func NewBuffer(retain time.Duration) *Buffer {
	return &Buffer{retain: retain}
}

// Future is how far ahead of its own clock Prometheus takes a sample.
const Future = 10 * time.Minute

// Add appends a batch. One that ends no later than the last is refused and counted: Prometheus would refuse it, too.
// That happens after the wall clock was set back. If it was set back by more than Prometheus can accept, the buffer
// begins again, empty.
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
	var before *names
	if n := len(b.batches); n > 0 {
		before = b.batches[n-1].names
	}
	b.batches = append(b.batches, pack(batch, before))
	drop := 0
	for drop < len(b.batches) && b.batches[drop].end < batch.End-b.retain {
		drop++
	}
	// values that were handed out are never changed, so a reader may keep a part of the old array
	b.batches = b.batches[drop:]
}

// Since returns the batches that end after the given moment.
func (b *Buffer) Since(after time.Duration) []Batch { return unpackAll(b.after(after)) }

// oldest are the first of these that together have no more than this many samples, but at least one.
func (b *Buffer) oldest(after time.Duration, most int) []Batch {
	all := b.after(after)
	for i, p := range all {
		if most -= p.samples(); most < 0 {
			return unpackAll(all[:max(i, 1)])
		}
	}
	return unpackAll(all)
}

// newest are the last such batches.
func (b *Buffer) newest(after time.Duration, most int) []Batch {
	all := b.after(after)
	for i := len(all) - 1; i >= 0; i-- {
		if most -= all[i].samples(); most < 0 {
			return unpackAll(all[min(i+1, len(all)-1):])
		}
	}
	return unpackAll(all)
}

func (b *Buffer) after(moment time.Duration) []packed {
	b.mu.Lock()
	defer b.mu.Unlock()
	i := len(b.batches)
	for i > 0 && b.batches[i-1].end > moment {
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
