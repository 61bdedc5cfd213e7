// SPDX-License-Identifier: Apache-2.0

package main

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/nstar-project/nstar/exporters/nstar/window"
)

// width of the windows, in the model as in the exporter.
const width = 50 * time.Millisecond

// visit is one request in a station.
type visit struct{ arrival, departure time.Duration }

// fifo passes arrivals, in order, through a station: each takes the worker that is free first.
func fifo(s station, arrivals []time.Duration, r *rand.Rand) []visit {
	free := make([]time.Duration, s.workers)
	out := make([]visit, len(arrivals))
	for i, at := range arrivals {
		w := 0
		for j := range free {
			if free[j] < free[w] {
				w = j
			}
		}
		free[w] = max(free[w], at) + s.draw(r)
		out[i] = visit{at, free[w]}
	}
	return out
}

// cycle simulates a closed loop: each of some customers comes back at the moment of its answer.
func cycle(s station, population int, from, length time.Duration, r *rand.Rand) []visit {
	next := make([]time.Duration, population) // when each customer comes (back)
	for i := range next {
		next[i] = from
	}
	free := make([]time.Duration, s.workers)
	var out []visit
	for {
		i := slices.Index(next, slices.Min(next))
		if next[i] >= from+length {
			return out
		}
		w := slices.Index(free, slices.Min(free))
		free[w] = max(free[w], next[i]) + s.draw(r)
		out = append(out, visit{next[i], free[w]})
		next[i] = free[w]
	}
}

// simulate runs the steps through the ideal station, without a computer's own delays.
func simulate(s station, steps []step, seed uint64) []visit {
	r := rand.New(rand.NewPCG(seed, 5))
	var out []visit
	now := time.Duration(0)
	for _, step := range steps {
		var visits []visit
		if step.population > 0 {
			visits = cycle(s, step.population, now, step.length, r)
		} else {
			var arrivals []time.Duration
			for at := now; ; {
				at += time.Duration(r.ExpFloat64() / (step.share * s.capacity()) * float64(time.Second))
				if at > now+step.length {
					break
				}
				arrivals = append(arrivals, at)
			}
			visits = fifo(s, arrivals, r)
		}
		now += step.length
		for _, v := range visits {
			now = max(now, v.departure) // the next step waits for the last answer
		}
		// steps begin at any phase of a window
		now += time.Duration(r.Int64N(int64(width)))
		out = append(out, visits...)
	}
	return out
}

// curve counts visits as the exporter does: its load bins are the main sequence.
type curve struct{ window.Totals }

// add sorts the windows of some visits into the load bins.
func (c *curve) add(visits []visit) {
	cells := make(map[int64]window.Window)
	for _, v := range visits {
		for i := int64(v.arrival / width); i <= int64(v.departure/width); i++ {
			w := cells[i]
			share := min(v.departure, time.Duration(i+1)*width) - max(v.arrival, time.Duration(i)*width)
			w.QueueTime += int64(share)
			if i == int64(v.arrival/width) {
				w.Arrivals++
			}
			if i == int64(v.departure/width) {
				w.Completions++
			}
			cells[i] = w
		}
	}
	for _, w := range cells {
		c.Add(w, width)
	}
}

// point is one bin of the curve.
type point struct {
	queue, throughput float64
	windows           uint64
}

// points lists the bins with enough windows to mean something, from the shortest queue to the longest.
func (c *curve) points(enough uint64) (out []point) {
	for _, l := range c.Load {
		if l.Windows >= enough {
			time := float64(l.Windows) * float64(width)
			p := point{queue: float64(l.QueueTime) / time, throughput: float64(l.Completions) / time * 1e9,
				windows: l.Windows}
			out = append(out, p)
		}
	}
	slices.SortFunc(out, func(a, b point) int { return cmp.Compare(a.queue, b.queue) })
	return out
}

// reference is the saturation point of the ideal station, where the asymptotes meet: capacity x service time = its
// number of workers. The curve of the same load, repeated so often that chance has no effect, is printed beside the
// measured one.
func reference(s station, steps []step, repetitions int) (nStar float64, points []point) {
	var c curve
	for i := range repetitions {
		c.add(simulate(s, steps, uint64(i)))
	}
	return float64(s.workers), c.points(uint64(10 * repetitions))
}
