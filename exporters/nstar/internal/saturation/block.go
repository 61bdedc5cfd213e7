// SPDX-License-Identifier: Apache-2.0

package saturation

// unit is a sum of windows, long enough that what entered it also left it: several base residences.
type unit struct {
	area        float64 // request-seconds
	seconds     float64
	completions float64
}

func (u unit) queue() float64 { return u.area / u.seconds }

func (u *unit) add(v unit) {
	u.area += v.area
	u.seconds += v.seconds
	u.completions += v.completions
}

const (
	residences   = 16    // base residences in a unit
	longestUnit  = 2.0   // seconds
	shortest     = 1.0   // seconds of a block
	longest      = 20.0  // seconds of a block, unless completions are rare
	hopeless     = 120.0 // seconds of a block in any case
	fewest       = 20.0  // completions of a block: 13 % noise if they are random; more if they are noisier
	sparse       = 20.0  // completions of the longest block
	stoppedShare = 0.02  // of the completions promised: a server that stands still may send what was ready
	improbable   = 9.2   // -ln(1e-4)
	promiseSpan  = 200.0 // windows that the promise rests on
)

// collector sums windows to units and units to blocks.
type collector struct {
	width float64

	held     Window // the last window: kept until it is known whether the next one belongs to a stop
	holds    bool
	run      unit    // windows in which nothing happened, though requests waited
	runs     int     // how many
	promise  float64 // completions in a window with requests
	promised float64 // windows that the promise rests on

	residence float64 // the least of recent blocks
	last      float64 // mean queue length of the last unit
	seen      bool
	now       unit
	class     int // of now
	shares    *[classes]share
	block     unit    // its clean time
	elapsed   float64 // seconds since the last block, clean or not
}

// add takes a window; it reports whether a block is complete.
func (c *collector) add(w Window, noise float64) bool {
	c.elapsed += c.width
	if !w.Clean {
		c.flush(noise)
		c.last, c.seen = w.Queue, true
		c.now = unit{}
		return false
	}
	if w.Queue >= 1 && c.promised >= 20 && w.Completions <= stoppedShare*c.promise {
		c.runs++
		c.run.area += w.Queue * c.width
		c.run.seconds += c.width
		c.run.completions += w.Completions
		return false
	}
	if c.runs > 0 && float64(c.runs)*c.promise >= improbable*max(noise, 1) {
		// A stop that nobody told of: the windows beside it are stopped for a part.
		c.holds, c.runs, c.run = false, 0, unit{}
		c.last, c.now = w.Queue, unit{}
		return false
	}
	c.flush(noise)
	if w.Queue >= 1 {
		c.promised = min(c.promised+1, promiseSpan)
		c.promise += (w.Completions - c.promise) / c.promised
	}
	c.held, c.holds = w, true
	return c.full(noise)
}

// flush hands on what was held back.
func (c *collector) flush(noise float64) {
	if c.holds {
		c.into(unit{area: c.held.Queue * c.width, seconds: c.width, completions: c.held.Completions})
		c.holds = false
	}
	if c.runs > 0 && float64(c.runs)*c.promise < improbable*max(noise, 1) {
		c.into(c.run)
	}
	c.runs, c.run = 0, unit{}
}

func (c *collector) into(u unit) {
	if u.area <= 0 {
		// Nobody was there, or for so short a time that a round trip hides it.
		c.last, c.seen, c.now = 0, true, unit{}
		return
	}
	if c.now.seconds == 0 {
		// Classes go by the queue of the unit before. This unit's own queue would put the lucky ones, which completed
		// more than expected, among those with short queues.
		if !c.seen {
			c.last, c.seen = u.queue(), true
		}
		c.class = classOf(c.last)
	}
	s := &c.shares[c.class]
	s.seconds += u.seconds
	s.completions += u.completions
	busy(&s.busy, u.queue(), u.seconds)
	c.block.add(u)
	if c.now.add(u); c.now.seconds >= min(residences*c.residence, longestUnit) {
		c.last, c.now = c.now.queue(), unit{}
	}
}

func (c *collector) full(noise float64) bool {
	b := c.block
	return b.seconds >= shortest && b.completions >= fewest*max(1, noise) ||
		b.seconds >= longest && b.completions >= sparse || b.seconds >= hopeless
}

// take hands out the block; its shares are to be emptied by done.
func (c *collector) take() (block unit, elapsed float64) {
	block, elapsed = c.block, c.elapsed
	if block.completions > 0 {
		r := block.area / block.completions
		if c.residence == 0 || r < c.residence {
			c.residence = r
		} else {
			c.residence += (r - c.residence) * block.seconds / halfLife
		}
	}
	c.block, c.elapsed = unit{}, 0
	return block, elapsed
}

func (c *collector) done() {
	for j := range c.shares {
		if c.shares[j].seconds > 0 {
			c.shares[j] = share{}
		}
	}
}
