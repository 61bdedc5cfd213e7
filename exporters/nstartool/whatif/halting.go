// SPDX-License-Identifier: Apache-2.0

package whatif

import (
	"math"
	"math/rand/v2"
	"slices"
)

// halting lets a station stop as it was recorded to: collections after as much
// work as before, other stops at their times.
type halting struct {
	timed       []stop // still to come
	collections []stop
	turnOf      int     // the collection that comes next
	work        float64 // answers until it begins
	stopped     bool
	next        float64 // the next fixed moment: end of the present stop, or begin of the next timed one
}

func newHalting(stops []stop, now float64) halting {
	var h halting
	h.work = math.Inf(1)
	first := none
	for _, s := range stops {
		if s.cause != causeCollection {
			if s.begin >= now {
				h.timed = append(h.timed, s)
			}
			continue
		}
		if first == none && s.begin >= now {
			first = len(h.collections)
		}
		h.collections = append(h.collections, s)
	}
	if len(h.collections) > 0 {
		// The work before the first collection was not seen from its beginning: that of another
		// collection is used instead.
		if len(h.collections) > 1 {
			h.collections[0].work = max(h.collections[0].work, h.collections[1].work)
		}
		h.turnOf = max(first, 0)
		h.work = h.collections[h.turnOf].work
		if first > 0 {
			since := now - h.collections[first-1].begin
			h.work *= 1 - since/max(since, h.collections[first].begin-h.collections[first-1].begin)
		}
	}
	h.plan()
	return h
}

// plan sets the next fixed moment of a station that runs.
func (h *halting) plan() {
	h.next = math.Inf(1)
	if len(h.timed) > 0 {
		h.next = h.timed[0].begin
	}
}

// worked counts an answer and reports whether a collection begins.
func (h *halting) worked(now float64) bool {
	if h.work--; h.work > 0 || h.stopped {
		return false
	}
	c := h.collections[h.turnOf]
	h.turnOf = (h.turnOf + 1) % len(h.collections)
	h.work = max(1, h.collections[h.turnOf].work)
	h.stopped, h.next = true, now+c.length
	return true
}

// turn ends the present stop, or begins the next one. A stop that began while
// another lasted is over when both are.
func (h *halting) turn(now float64) {
	if h.stopped {
		h.stopped = false
	} else {
		h.stopped = true
		h.next = now + h.timed[0].length
		h.timed = h.timed[1:]
	}
	end := h.next
	for h.stopped && len(h.timed) > 0 && h.timed[0].begin < end {
		end = max(end, h.timed[0].begin+h.timed[0].length)
		h.timed = h.timed[1:]
	}
	h.next = end
	if !h.stopped {
		for len(h.timed) > 0 && h.timed[0].begin < now {
			h.timed[0].length -= now - h.timed[0].begin
			h.timed[0].begin = now
			if h.timed[0].length > 0 {
				break
			}
			h.timed = h.timed[1:]
		}
		h.plan()
	}
}

// openArrivals are the recorded requests, window by window, each at a random
// time within its window.
type openArrivals struct {
	arriving
	window int
	times  []float64 // of the present window, still to come
	next   float64
}

func newOpenArrivals(a arriving, now float64) openArrivals {
	o := openArrivals{arriving: a, next: math.Inf(1)}
	if a.users == nil {
		o.window = max(0, int(now/a.width)) - 1
		o.next = now
		o.times = []float64{now}
	}
	return o
}

// advance finds the next arrival. A number of requests that isn't whole is
// rounded at random, so that their mean is right.
func (o *openArrivals) advance(random *rand.Rand) {
	o.times = o.times[1:]
	for len(o.times) == 0 {
		o.window++
		if o.window >= len(o.counts) {
			o.next = math.Inf(1)
			return
		}
		whole, part := math.Modf(max(0, o.counts[o.window]) * o.load)
		if random.Float64() < part {
			whole++
		}
		for range int(whole) {
			o.times = append(o.times, (float64(o.window)+random.Float64())*o.width)
		}
		slices.Sort(o.times)
	}
	o.next = o.times[0]
}
