// SPDX-License-Identifier: Apache-2.0

package saturation

// unit is a sum of windows that is so long that most of what entered in it also left in it: several base residences.
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
	residences  = 16    // base residences in a unit
	leastUnit   = 0.5   // seconds: most pauses shorter than a window begin and end within it
	longestUnit = 2.0   // seconds
	shortest    = 1.0   // seconds of a block
	longest     = 20.0  // seconds of a block, unless completions are rare
	hopeless    = 120.0 // seconds of a block, however few completions it has
	fewest      = 20.0  // completions of a block: 22 % noise if they are random; more if they are noisier
	sparse      = 20.0  // completions that the longest block needs
)

// collector adds up windows to units, and units to blocks.
type collector struct {
	width float64

	gaps    gaps
	promise promise // from what is known so far

	residence float64 // smallest mean residence of recent blocks
	last      float64 // mean queue length of the last unit
	seen      bool
	now       unit
	class     int             // class of the present unit
	shares    [classes]*share // each one is made when it is first needed
	block     unit            // clean time of the present block
	elapsed   float64         // seconds since the last block, clean or not
}

// add takes a window. It reports whether a block is now complete.
func (c *collector) add(w Window, noise float64) bool {
	c.elapsed += c.width
	if !w.Clean {
		c.gaps.drop()
		return false
	}
	for _, w := range c.gaps.pass(w, c.promised(w.Queue)) {
		c.into(unit{area: w.Queue * c.width, seconds: c.width, completions: w.Completions})
	}
	return c.full(noise)
}

func (c *collector) into(u unit) {
	if u.area <= 0 {
		// No request was there, or for so short a time that a round trip hides it.
		c.last, c.seen, c.now = 0, true, unit{}
		return
	}
	if c.now.seconds == 0 {
		// The queue of the unit before decides the class. With its own queue, a unit that by luck completed
		// more than expected would count among those with short queues.
		if !c.seen {
			c.last, c.seen = u.queue(), true
		}
		c.class = classOf(c.last)
	}
	s := c.shares[c.class]
	if s == nil {
		s = new(share)
		c.shares[c.class] = s
	}
	s.seconds += u.seconds
	s.completions += u.completions
	busy(&s.busy, u.queue(), u.seconds)
	c.block.add(u)
	if c.now.add(u); c.now.seconds >= min(max(residences*c.residence, leastUnit), longestUnit) {
		c.last, c.now = c.now.queue(), unit{}
	}
}

func (c *collector) full(noise float64) bool {
	b := c.block
	return b.seconds >= shortest && b.completions >= fewest*max(1, noise) ||
		b.seconds >= longest && b.completions >= sparse || b.seconds >= hopeless
}

// take hands out the block. Afterwards done must empty its shares.
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
	for _, s := range c.shares {
		if s != nil && s.seconds > 0 {
			*s = share{}
		}
	}
}
