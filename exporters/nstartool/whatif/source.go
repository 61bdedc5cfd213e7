// SPDX-License-Identifier: Apache-2.0

package whatif

import (
	"fmt"
	"math"
)

// source is where requests come from.
type source struct {
	kind sourceKind
	// reaction is by how much arrivals per second fall for each request more in
	// the system: 1/Z for users who think for Z seconds on average.
	reaction, deviation float64
	reason              string
}

type sourceKind int

const (
	// undecided: the queue varied too little to see whether arrivals react.
	undecided sourceKind = iota
	// closed: users wait for the answer before they ask again.
	closed
	// open: arrivals are independent of the waiting.
	open
)

func (k sourceKind) String() string { return [...]string{"undecided", "closed", "open"}[k] }

const (
	// sure is how many standard deviations the reaction must be away from none.
	// Four, because the answer changes every prediction.
	sure = 4.0
	// block is the time over which means are subtracted, in seconds: slower
	// changes are changes of the load, not reactions to the queue.
	block = 20.0
)

// lags are the numbers of windows between the queue lengths that serve as
// instruments and the arrivals. No request of one is in the other's figures
// from two on; a second back there is little left of a queue's memory.
var lags = []int{2, 3, 4, 5, 6, 8, 10, 15, 20}

// arrivals are those per window of a tier: completions plus the growth of the queue. The queue length at a
// window's edge is taken as the mean of the windows on both sides.
func arrivals(t Tier) []float64 {
	n := len(t.Queue)
	a := make([]float64, n)
	at := func(k int) float64 { return t.Queue[min(max(k, 0), n-1)] }
	for k := range a {
		a[k] = t.Completions[k] + (at(k+1)-at(k-1))/2
	}
	return a
}

// sourceOf decides whether arrivals fall when the queue grows. With U users who think for Z seconds the
// expected arrivals are (U-Q)/Z, so the slope of arrivals over queue length is -1/Z. Least squares would be
// wrong: arrivals of a window lengthen its own queue. The queue some windows earlier is an instrument: it
// moves with the present queue, and not with the random part of the present arrivals (two-stage least
// squares; any econometrics text).
func sourceOf(front Tier, width float64) source {
	a, q := arrivals(front), front.Queue
	da, dq := demeaned(a, int(block/width)), demeaned(q, int(block/width))
	first, last := lags[len(lags)-1], len(q)-1
	expected := foretold(dq, first, last)
	s := source{kind: undecided, reason: "the queue varied too little to see whether arrivals react to it"}
	var zq, za, qq float64
	for k := first; k < last; k++ {
		z := expected[k-first]
		zq, za, qq = zq+z*dq[k], za+z*da[k], qq+dq[k]*dq[k]
	}
	// Less than a twentieth is predicted: the rest is chance.
	if qq == 0 || zq/qq < 0.05 {
		return s
	}
	slope := za / zq
	// Residuals of neighbouring windows depend on each other: their sums over a
	// second don't much.
	var variance, group float64
	per := max(1, int(1/width))
	for k := first; k < last; k++ {
		group += expected[k-first] * (da[k] - slope*dq[k])
		if k%per == 0 {
			variance += group * group
			group = 0
		}
	}
	s.reaction, s.deviation = -slope/width, math.Sqrt(variance)/zq/width
	rate := sum(a) / (float64(len(a)) * width)
	// Users that are implied by the strongest reaction that is still likely.
	strongest := s.reaction + 2*s.deviation
	queue := mean(q)
	switch {
	case s.reaction >= sure*s.deviation:
		s.kind = closed
		s.reason = fmt.Sprintf("arrivals fall by %s/s for each further request in the queue (± %s)",
			digits(s.reaction), digits(s.deviation))
	// Twenty times as many users as requests: while the queue doesn't grow many
	// times over, their number of arrivals stays the same within 5 %.
	case strongest <= 0 || rate/strongest > 20*queue+20:
		s.kind = open
		s.reason = fmt.Sprintf("arrivals do not fall when the queue grows (by at most %s/s for each further request)",
			digits(max(0, strongest)))
	}
	return s
}

// foretold is each queue length from first to last, as predicted from those before it.
func foretold(queue []float64, first, last int) []float64 {
	columns := make([][]float64, len(lags))
	for i, lag := range lags {
		columns[i] = queue[first-lag : last-lag]
	}
	weights := leastSquares(columns, queue[first:last])
	out := make([]float64, last-first)
	for k := range out {
		for i, w := range weights {
			out[k] += w * columns[i][k]
		}
	}
	return out
}

// demeaned subtracts from each value the mean of its block. A rest shorter
// than half a block belongs to the last one.
func demeaned(values []float64, size int) []float64 {
	out := make([]float64, len(values))
	for from := 0; from < len(values); {
		to := from + size
		if len(values)-to < size/2 {
			to = len(values)
		}
		m := mean(values[from:to])
		for k := from; k < to; k++ {
			out[k] = values[k] - m
		}
		from = to
	}
	return out
}

// users are the users of a closed source over time, one value per step windows: arrivals of the step divided
// by the reaction, plus the queue. The effect of chance on the arrivals is taken out: the variation is shrunk
// to the part beyond chance.
func (s source) users(front Tier, width, reaction float64, step int) []float64 {
	a, n := arrivals(front), len(front.Queue)
	var users []float64
	chance := 0.0
	for from := 0; from < n; from += step {
		to := min(from+step, n)
		rate := sum(a[from:to]) / (float64(to-from) * width)
		users = append(users, rate/reaction+mean(front.Queue[from:to]))
		chance += max(rate, 0) / (float64(to-from) * width) / (reaction * reaction)
	}
	chance /= float64(len(users))
	m, variance := mean(users), 0.0
	for _, u := range users {
		variance += (u - m) * (u - m) / float64(len(users))
	}
	keep := 0.0
	if variance > chance {
		keep = math.Sqrt(1 - chance/variance)
	}
	for i, u := range users {
		users[i] = max(1, m+(u-m)*keep)
	}
	return users
}

// close makes an undecided source a closed one.
func (s *source) close(front Tier, width float64) {
	s.kind, s.reaction, s.deviation = closed, s.strongest(front, width), 0
	s.reason = "independent arrivals would have overloaded it"
}

// strongest reaction that is still likely, but not more users than would all
// be waiting: with fewer than the longest queue it could not have come about.
func (s source) strongest(front Tier, width float64) float64 {
	rate := sum(front.Completions) / (float64(len(front.Queue)) * width)
	most := 0.0
	for _, q := range front.Queue {
		most = max(most, q)
	}
	limit := rate / max(1, most-mean(front.Queue))
	if s.deviation == 0 {
		return limit
	}
	return min(max(s.reaction, 0)+2*s.deviation, limit)
}
