// SPDX-License-Identifier: Apache-2.0

package study

import (
	"fmt"
	"math/rand/v2"
	"slices"
)

// Estimate is a number with its 90 % interval.
type Estimate struct{ Value, Low, High float64 }

// Curve is the global throughput over the number of clients, and what follows from it: the place of the
// bottleneck at each point.
type Curve struct {
	Clients, Throughput, Error []float64
	Class                      []Class
	// Peak is the best throughput, Th95 is 0.95 times it, Limit is Th95 (1 - M).
	Peak, Th95, Limit Estimate
	Margin            Margin
	// FirstGray and FirstServer are the numbers of clients from which the gray zone and the server's side
	// begin; 0 if the experiment does not reach them.
	FirstGray, FirstServer float64
	// Reason says why metrics cannot be judged by this experiment; empty if they can.
	Reason string
}

// peakShare of the peak counts as the peak (thesis, section 3.3.2.5).
const peakShare = 0.95

// resamplesOfCurve for the intervals, which need the tails.
const resamplesOfCurve = 200

// NewCurve reads a setup, whose points are sorted. margin is M as a share of
// Th95; below 0 it is chosen automatically.
func NewCurve(s *Setup, margin float64) Curve {
	var runs [][]float64
	c := Curve{}
	for _, p := range s.Points {
		c.Clients = append(c.Clients, p.Clients)
		runs = append(runs, p.Throughput)
	}
	v := newEvolution(c.Clients, runs)
	c.Throughput, c.Error = v.y, v.e
	choose := func(throughput []float64, added [][]float64) Margin {
		if margin >= 0 {
			return Margin{Estimate: Estimate{margin, margin, margin}, Source: GivenMargin}
		}
		return chooseMargin(c.Clients, throughput, s, added)
	}
	c.Margin = choose(c.Throughput, nil)
	c.Peak.Value = slices.Max(c.Throughput)
	c.Th95.Value, c.Limit.Value = limits(c.Peak.Value, c.Margin.Value)

	// Experiments that are drawn again from the repetitions give the intervals.
	r := rand.New(rand.NewPCG(2, uint64(len(runs))))
	var peaks, highs, lows, margins []float64
	for range resamplesOfCurve {
		y := make([]float64, len(runs))
		for i := range runs {
			y[i] = redraw(r, runs[i], v.e[i])
		}
		m := choose(y, redrawAdded(r, s))
		peak := slices.Max(y)
		th95, limit := limits(peak, m.Value)
		peaks, margins = append(peaks, peak), append(margins, m.Value)
		highs, lows = append(highs, th95), append(lows, limit)
	}
	c.Peak.Low, c.Peak.High = interval(peaks)
	c.Th95.Low, c.Th95.High = interval(highs)
	c.Limit.Low, c.Limit.High = interval(lows)
	if c.Margin.Source != AddedServer && margin < 0 {
		c.Margin.Low, c.Margin.High = interval(margins)
	}
	c.classify()
	return c
}

func limits(peak, margin float64) (th95, limit float64) {
	return peakShare * peak, peakShare * peak * (1 - margin)
}

// interval holds 90 % of the values, and sorts them.
func interval(values []float64) (low, high float64) {
	slices.Sort(values)
	return values[len(values)/20], values[len(values)-1-len(values)/20]
}

// classify finds the sides by the first number of clients that reaches each limit, and not by each
// throughput: beyond its capacity a server may do less again, and is still the bottleneck.
func (c *Curve) classify() {
	class := Client
	for i, x := range c.Clients {
		if class == Client && c.Throughput[i] >= c.Limit.Value {
			class = Gray
			c.FirstGray = x
		}
		if class == Gray && c.Throughput[i] >= c.Th95.Value {
			class = Server
			c.FirstServer = x
		}
		c.Class = append(c.Class, class)
	}
	c.Reason = c.insufficient()
}

// insufficient says what the experiment lacks; empty if nothing.
func (c *Curve) insufficient() string {
	n := len(c.Clients)
	best := slices.Index(c.Throughput, slices.Max(c.Throughput))
	clients, server := count(c.Class, Client), count(c.Class, Server)
	switch {
	case best == n-1 && n > 1 && c.Throughput[n-1] > c.Throughput[n-2]*(2-peakShare):
		return fmt.Sprintf("the throughput still grew at %g clients: the peak was not reached; go on with more clients",
			c.Clients[n-1])
	case server < fewest:
		return fmt.Sprintf("only %d points are on the server's side (from %g clients): at least %d are needed; "+
			"go on with more clients",
			server, c.FirstServer, fewest)
	case clients < fewest:
		return fmt.Sprintf("only %d points are on the clients' side (below %g clients): at least %d are needed; "+
			"begin with fewer clients",
			clients, c.FirstGray, fewest)
	}
	return ""
}
