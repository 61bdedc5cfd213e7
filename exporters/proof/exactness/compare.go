// SPDX-License-Identifier: Apache-2.0

package main

import (
	"math"

	"github.com/nstar-project/nstar/exporters/proof/figures"
)

// counts is how a count per window differs between two sources.
type counts struct {
	total, reference int64
	windows          int   // that differ
	moved            int64 // requests that lie in another window: half the sum of the differences
	largest          int64
}

func (c *counts) add(got, want int64) {
	d := got - want
	c.total += got
	c.reference += want
	if d == 0 {
		return
	}
	c.windows++
	c.moved += max(d, -d)
	c.largest = max(c.largest, d, -d)
}

// queues is how the average queue per window differs between two sources.
type queues struct {
	windows, beyond    int // beyond: off by more than both limits
	sum, reference     float64
	largest, sumOfDiff float64
}

// A window's average queue holds if it is within a share of the reference or within a number of requests.
const (
	queueShare    = 0.02
	queueRequests = 0.05
)

func (q *queues) add(got, want float64) {
	d := math.Abs(got - want)
	q.windows++
	q.sum += got
	q.reference += want
	q.sumOfDiff += d
	q.largest = max(q.largest, d)
	if d > queueRequests && d > queueShare*want {
		q.beyond++
	}
}

// edgeJitter is the share of requests that may be booked in a neighbouring window: the capture and the exporter stamp
// the same packet some microseconds apart, so a request within that distance of a window's edge falls on different
// sides.
const edgeJitter = 0.005

func (c counts) report(r *figures.Report, what string, windows int) {
	r.Check(c.total == c.reference, "%s: %d, capture: %d (difference %+d)", what, c.total, c.reference,
		c.total-c.reference)
	share := float64(c.moved) / 2 / math.Max(float64(c.reference), 1)
	r.Check(share <= edgeJitter, "%s per window: %d of %d windows differ, by %d at most; %.1f requests (%.4f %%) on "+
		"the other side of an edge (at most %.1f %%)",
		what, c.windows, windows, c.largest, float64(c.moved)/2, 100*share, 100*edgeJitter)
}

// stray is the share of windows whose queue may be wrong, because the kernel delays a packet between the two
// points.
const stray = 0.01

func (q queues) report(r *figures.Report, tier string) {
	if q.windows == 0 {
		r.Check(false, "%s: no windows to compare", tier)
		return
	}
	n := float64(q.windows)
	r.Within(tier+" mean queue of the run", q.sum/n, q.reference/n, math.Max(queueShare, queueRequests/(q.reference/n)),
		"capture")
	r.Check(float64(q.beyond)/n <= stray,
		"%s average queue per window: %d of %d within 2 %% or 0.05 of the capture (at least %.0f %%); mean "+
			"difference %.4f, largest %.3f",
		tier, q.windows-q.beyond, q.windows, 100*(1-stray), q.sumOfDiff/n, q.largest)
}
