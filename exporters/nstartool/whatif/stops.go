// SPDX-License-Identifier: Apache-2.0

package whatif

import "math"

// Causes of a stop, as the exporter labels them.
const (
	causeCollection = "garbage_collection"
	causeStopped    = "stopped"
)

// stop is a time in which a tier did nothing.
type stop struct {
	begin  float64 // seconds since the start of the trace
	length float64 // seconds
	cause  string
	// work is the number of requests that the tier answered since the previous
	// stop of this cause began: a heap fills by requests, not by time, so after
	// a change collections come with the requests.
	work float64
}

// stopsOf finds when a tier stopped and for how long: collections from the
// share of each window that they took, which is exact; other stops from the
// windows that were frozen, whose edges have to be estimated.
func stopsOf(t Tier, width float64, departures []float64) []stop {
	stops := collections(t, width)
	for _, s := range freezes(t, width, departures) {
		if !overlaps(stops, s) {
			stops = append(stops, s)
		}
	}
	for i := range stops {
		from := 0.0
		if i > 0 && stops[i-1].cause == stops[i].cause {
			from = stops[i-1].begin
		}
		for k := int(from / width); k < int(stops[i].begin/width) && k < len(t.Completions); k++ {
			stops[i].work += t.Completions[k]
		}
	}
	return stops
}

// collections puts the collection of a window at its end if the next window has one, too, and at its start if
// the window before has one: pieces that touch are one collection.
func collections(t Tier, width float64) []stop {
	var stops []stop
	for k, share := range t.Collection {
		share = min(share, 1)
		if share*width < shortest {
			continue
		}
		length := share * width
		begin := float64(k)*width + (width-length)/2
		before := k > 0 && t.Collection[k-1]*width >= shortest
		after := k+1 < len(t.Collection) && t.Collection[k+1]*width >= shortest
		switch {
		case before:
			begin = float64(k) * width
		case after:
			begin = float64(k+1)*width - length
		}
		if last := len(stops) - 1; last >= 0 && begin-(stops[last].begin+stops[last].length) < shortest {
			stops[last].length = begin + length - stops[last].begin
			continue
		}
		stops = append(stops, stop{begin: begin, length: length, cause: causeCollection})
	}
	return stops
}

// shortest is the shortest stop that is replayed: a shorter one can't be told from work, and is already in R0
// and TPmax.
const shortest = 2e-3

// freezes turns runs of frozen windows into stops. A stop of length L that begins anywhere in a window covers
// L/width-1 windows fully on average. The two windows at its edges look frozen, too, if no request would have
// left in the rest of them anyway. For a rest f, with f times p departures expected, the chance of that is
// exp(-f p). And a stop shows only when a request waits: if there was no request before, the stop began
// earlier, on average by the time between two arrivals.
func freezes(t Tier, width float64, departures []float64) []stop {
	promise, n := 0.0, 0
	for k, f := range t.Frozen {
		if !f && t.Own[k] > 0 {
			promise += departures[k]
			n++
		}
	}
	promise /= float64(max(1, n))
	interval := float64(len(t.Completions)) * width / max(1, sum(t.Completions))
	edge := 1.0
	if promise > 0 {
		edge = (1 - math.Exp(-promise)) / promise
	}
	var stops []stop
	for k := 0; k < len(t.Frozen); k++ {
		from := k
		for k < len(t.Frozen) && t.Frozen[k] {
			k++
		}
		if k == from {
			continue
		}
		length := max(0.5, float64(k-from)+1-2*edge) * width
		begin := float64(from+k)/2*width - length/2
		nobody := 0.0
		for i := from - 1; i >= 0 && t.Own[i] == 0 && nobody < interval; i-- {
			nobody += width
		}
		length += min(nobody, interval)
		begin = max(0, begin-min(nobody, interval))
		stops = append(stops, stop{begin: begin, length: length, cause: causeStopped})
	}
	return stops
}

// overlaps reports whether collections explain at least half of a stop.
func overlaps(collections []stop, s stop) bool {
	covered := 0.0
	for _, c := range collections {
		if c.cause == causeCollection {
			covered += max(0, min(c.begin+c.length, s.begin+s.length)-max(c.begin, s.begin))
		}
	}
	return covered >= s.length/2
}
