// SPDX-License-Identifier: Apache-2.0

package study

import (
	"math"
	"slices"
)

// shape is an evolution with its stretches.
type shape struct {
	v        *evolution
	class    []Class
	segments []segment
	// A stretch that ends at an index from lo, the last point of the clients, to
	// hi, the one before the server's first, changes at the shift.
	lo, hi int
}

// simplify makes a stretch that hardly rises constant, and joins spikes that a cut has split.
func (e *shape) simplify() {
	v := e.v
	width := v.x[len(v.x)-1] - v.x[0]
	for k := range e.segments {
		s := &e.segments[k]
		if s.trend != spikes && math.Abs(s.b)*width < clear*v.span() {
			s.trend = level
		}
	}
	for k := 0; k+1 < len(e.segments); {
		if l, r := e.segments[k], e.segments[k+1]; e.joins(l, r) {
			e.segments[k] = segment{from: l.from, to: r.to, trend: spikes, a: mean(v.y[l.from : r.to+1])}
			e.segments = slices.Delete(e.segments, k+1, k+2)
			k = max(0, k-1)
			continue
		}
		k++
	}
}

// joins reports whether two stretches are the same spikes: one of them is spikes, and the other lies within
// their range and is too short to be anything else.
func (e *shape) joins(l, r segment) bool {
	if l.trend != spikes {
		l, r = r, l
	}
	if l.trend != spikes {
		return false
	}
	if r.trend != spikes && r.to-r.from >= 3 {
		return false
	}
	low, high := extremes(e.v.y[l.from : l.to+1])
	other, top := extremes(e.v.y[r.from : r.to+1])
	slack := clear * (high - low)
	return other >= low-slack && top <= high+slack
}

func extremes(values []float64) (low, high float64) { return slices.Min(values), slices.Max(values) }

// changes are the clear breaks, and the trends between them.
func (e *shape) changes() ([]Change, []trend) {
	var all []Change
	trends := []trend{e.segments[0].trend}
	for k := 0; k+1 < len(e.segments); k++ {
		l, r := e.segments[k], e.segments[k+1]
		if !e.clear(l, r) {
			continue
		}
		trends = append(trends, r.trend)
		all = append(all, Change{Low: e.v.x[l.to], High: e.v.x[r.from], AtShift: e.lo <= l.to && l.to <= e.hi})
	}
	return all, trends
}

// clear reports whether the evolution continues differently after l.
func (e *shape) clear(l, r segment) bool {
	x := e.v.x[r.from]
	jump := math.Abs(r.at(x)-l.at(x)) >= clear*e.v.span()
	switch {
	case l.trend != r.trend:
		return true
	case l.trend == spikes:
		low, high := extremes(e.v.y[l.from : l.to+1])
		other, top := extremes(e.v.y[r.from : r.to+1])
		return other > high || top < low
	case l.trend == level:
		return jump
	}
	return jump || l.b/r.b > 2 || r.b/l.b > 2
}
