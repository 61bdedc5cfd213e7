// SPDX-License-Identifier: Apache-2.0

package study

import (
	"math"
)

// trend is how a stretch of an evolution goes on.
type trend int

const (
	level  trend = iota // stays
	rising              // grows with the clients
	falling
	spikes // up and down, by much more than the measurements' noise
)

var trendNames = [...]string{"constant", "linear", "linear", "periodic variation"}

func (t trend) String() string { return trendNames[t] }

// segment is a stretch of points, both ends included, that follows one line.
type segment struct {
	from, to int
	trend    trend
	a, b     float64 // value = a + b * clients
	cost     float64
}

func (s *segment) at(x float64) float64 { return s.a + s.b*x }

// These decide which differences count, as shares of the evolution's span.
const (
	// curvature below this is no news: real evolutions are never quite straight.
	curvature = 0.02
	// clear is the least jump, or rise over a stretch, that an eye would see in
	// the figures.
	clear = 0.15
	// gap between the values of both sides that a threshold needs to hold; or
	// clear of the values themselves, because overload may widen the span at will.
	gap = 0.05
	// negligible is the span, as a share of the largest value, below which a
	// metric has not changed: the thesis's margin of 5 % on either side.
	negligible = 0.1
	// mostSegments of an evolution: the richest pattern has three, and each
	// change may have a ramp of its own.
	mostSegments = 5
	// spiky is by how many standard errors spikes exceed the noise.
	spiky = 3
)

// segments describes an evolution by the fewest straight stretches that
// explain it: the maximum of the likelihood less a penalty per parameter and
// change (Bayesian information criterion), by dynamic programming over all
// cuts. noise is the standard deviation of each point about its stretch.
func segments(v *evolution, noise []float64) []segment {
	n := len(v.y)
	penalty := 1.5 * math.Log(float64(n))
	best := make([][]float64, mostSegments+1) // best[k][j]: cost of the first j points in k segments
	last := make([][]segment, mostSegments+1)
	for k := range best {
		best[k] = make([]float64, n+1)
		last[k] = make([]segment, n+1)
		for j := range best[k] {
			best[k][j] = math.Inf(1)
		}
	}
	best[0][0] = 0
	for j := 2; j <= n; j++ {
		for i := 0; i <= j-2; i++ {
			s := fit(v, noise, i, j-1, penalty)
			for k := 1; k <= mostSegments; k++ {
				cost := best[k-1][i] + s.cost
				if k > 1 {
					cost += penalty // the place of the change
				}
				if cost < best[k][j] {
					best[k][j], last[k][j] = cost, s
				}
			}
		}
	}
	k := 1
	for c := 2; c <= mostSegments; c++ {
		if best[c][n] < best[k][n] {
			k = c
		}
	}
	all := make([]segment, k)
	for j := n; k > 0; k-- {
		all[k-1] = last[k][j]
		j = all[k-1].from
	}
	return all
}

// fit finds the cheapest stretch through the points from..to: constant, straight, or spikes about a straight
// line if there are enough points.
func fit(v *evolution, noise []float64, from, to int, penalty float64) segment {
	var w, sx, sy, sxx, sxy float64
	logs := 0.0
	for i := from; i <= to; i++ {
		g := 1 / (noise[i] * noise[i])
		w, sx, sy = w+g, sx+g*v.x[i], sy+g*v.y[i]
		sxx, sxy = sxx+g*v.x[i]*v.x[i], sxy+g*v.x[i]*v.y[i]
		logs += 2 * math.Log(noise[i])
	}
	flat := segment{from: from, to: to, a: sy / w}
	flat.cost = misfit(v, noise, &flat) + logs + penalty
	best := flat
	determinant := w*sxx - sx*sx
	if to-from < 2 || determinant <= 0 { // a line through two points says nothing
		return best
	}
	line := segment{from: from, to: to, b: (w*sxy - sx*sy) / determinant}
	line.a = (sy - line.b*sx) / w
	line.trend = rising
	if line.b < 0 {
		line.trend = falling
	}
	line.cost = misfit(v, noise, &line) + logs + 2*penalty
	if line.cost < best.cost {
		best = line
	}
	if n := to - from + 1; n >= 4 {
		// Spikes have a spread of their own, well beyond the noise.
		for _, centre := range []segment{flat, line} {
			excess := misfit(v, noise, &centre) / float64(n)
			if excess < spiky*spiky || turns(v, from, to) < (n-2)/2 {
				continue
			}
			s := centre
			s.trend = spikes
			s.cost = float64(n) + logs + float64(n)*math.Log(excess) + 2*penalty
			if centre.b != 0 {
				s.cost += penalty
			}
			if s.cost < best.cost {
				best = s
			}
		}
	}
	return best
}

// misfit is the sum of squared residuals in units of the noise.
func misfit(v *evolution, noise []float64, s *segment) float64 {
	sum := 0.0
	for i := s.from; i <= s.to; i++ {
		d := (v.y[i] - s.at(v.x[i])) / noise[i]
		sum += d * d
	}
	return sum
}

// turns counts the points from which an evolution goes back.
func turns(v *evolution, from, to int) int {
	count := 0
	for i := from + 1; i < to; i++ {
		if (v.y[i]-v.y[i-1])*(v.y[i+1]-v.y[i]) < 0 {
			count++
		}
	}
	return count
}

// settle moves a change to the point where the bottleneck shifts if the data do not show that it is
// elsewhere: that is, if the move costs less than doubt. lo and hi are the first and last index at which a
// stretch may end to change at the shift.
func settle(v *evolution, noise []float64, all []segment, lo, hi int) {
	const (
		doubt = 6 // twice the logarithm of a likelihood ratio of 20
		reach = 2 // points
	)
	penalty := 1.5 * math.Log(float64(len(v.y)))
	for k := 0; k+1 < len(all); k++ {
		if end := all[k].to; lo <= end && end <= hi {
			return // one is there already
		}
	}
	for k := 0; k+1 < len(all); k++ {
		end := all[k].to
		target := min(max(end, lo), hi)
		if abs(target-end) > reach || target-all[k].from < 1 || all[k+1].to-target < 2 {
			continue
		}
		left := fit(v, noise, all[k].from, target, penalty)
		right := fit(v, noise, target+1, all[k+1].to, penalty)
		if left.cost+right.cost-all[k].cost-all[k+1].cost < doubt {
			all[k], all[k+1] = left, right
			return
		}
	}
}

func abs(i int) int { return max(i, -i) }
