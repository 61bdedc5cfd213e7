// SPDX-License-Identifier: Apache-2.0

package judgement

import (
	"math"
	"time"
)

// flow finds whether a tier completes more, in proportion, when more requests are in it. If it does, requests do not
// wait for each other: neither for a processor nor for a place to call, however many there are and however long they
// take. Examples are pages of an event-driven server that wait for something outside, and a server that is far from its
// limit.
//
// By Little's law the response time is the queue divided by the throughput. It stays the same if both change in the
// same proportion. So the changes from one block of windows to the next are compared, as logarithms. The slope is 1 if
// nothing waits. It is near 0 at a limit, where the queue grows and the throughput stays. Blocks must be long compared
// with the response time, because completions follow arrivals by that much. Therefore two lengths are tried.
type flow struct{ short, long blocks }

func newFlow(width time.Duration) flow {
	return flow{short: newBlocks(time.Second, width), long: newBlocks(4*time.Second, width)}
}

// add takes a window outside of stops.
func (f *flow) add(own, completions float64) {
	f.short.add(own, completions)
	f.long.add(own, completions)
}

// proportional reports whether completions rise with the queue, beyond chance. If the queue does not vary, this can't
// be known, and it is false.
func (f *flow) proportional() bool { return f.short.proportional() || f.long.proportional() }

// blocks are sums over so many windows each, and the regression of the changes between them.
type blocks struct {
	windows int

	n                int // windows of the block under way
	own, completions float64

	known           bool
	lastOwn         float64 // means of the block before, as logarithms
	lastCompletions float64

	count, ownSquares, completionSquares, products float64 // of changes, decayed
}

func newBlocks(length, width time.Duration) blocks { return blocks{windows: max(int(length/width), 1)} }

func (b *blocks) add(own, completions float64) {
	b.own += own
	b.completions += completions
	if b.n++; b.n < b.windows {
		return
	}
	// Half a request and one completion are added, so that the logarithms of numbers near zero do not say much.
	o := math.Log(b.own/float64(b.n) + 0.5)
	c := math.Log(b.completions + 1)
	if b.known {
		b.change(o-b.lastOwn, c-b.lastCompletions)
	}
	b.lastOwn, b.lastCompletions, b.known = o, c, true
	b.n, b.own, b.completions = 0, 0, 0
}

// change takes the change from a block to the next. A change that is larger than usual, such as a crowd of users that
// comes, must count only as one change among many: it is scaled down, and its slope stays the same.
func (b *blocks) change(own, completions float64) {
	if most := max(math.Abs(own), math.Abs(completions)); most > largeChange {
		own, completions = own*largeChange/most, completions*largeChange/most
	}
	decay(&b.count, flowKeep, 1)
	decay(&b.ownSquares, flowKeep, own*own)
	decay(&b.completionSquares, flowKeep, completions*completions)
	decay(&b.products, flowKeep, own*completions)
}

// largeChange is a change by a third.
const largeChange = 0.3

// flowKeep makes a change count half after 15 more blocks.
var flowKeep = math.Exp2(-1. / 15)

// proportional reports whether the slope is that of a tier in which requests do not wait for each other, and is not due
// to chance. Simulated tiers of 1 to 16 places have slopes of 0.4 and less from 80 % of their limit on. With a delay
// that is the same for all requests the slope is 1, or 0.7 if the delay varies much.
func (b *blocks) proportional() bool {
	if b.count < minChanges || b.products <= 0 {
		return false
	}
	r := b.products / math.Sqrt(b.ownSquares*b.completionSquares)
	return r*math.Sqrt(b.count) >= beyondChance && b.products >= proportionalSlope*b.ownSquares
}

const (
	minChanges        = 6
	beyondChance      = 2.5 // standard errors of a correlation
	proportionalSlope = 0.5
)
