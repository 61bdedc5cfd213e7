// SPDX-License-Identifier: Apache-2.0

package hsperf

import (
	"math"
	"time"
)

// keep is how long pauses are remembered.
const keep = int64(10 * time.Second)

// never is a time that no machine reaches.
const never = math.MaxInt64 / 2

// span is a time in which the application stood still, in nanoseconds since the
// machine began.
type span struct{ begin, end int64 }

// collector turns the counters of one collector, as polled, into spans.
type collector struct {
	last counters
	// inside says that a pause went on at the last poll.
	inside bool
	// baseTime is the value of the counter time up to which every pause is accounted for; accounted is
	// the time given to spans since then. The counter is written after the end of the pause, so a poll
	// may see one without the other.
	baseTime, accounted int64
	completed           int64
}

// begin takes the first reading. Earlier pauses are not known, except for the last one.
func (c *collector) begin(v counters, past *history) {
	c.last, c.inside = v, v.entry > v.exit
	c.baseTime, c.completed = v.time, v.done()
	if !c.inside && v.exit > v.entry {
		past.add(span{v.entry, v.exit})
	}
}

// done is the number of pauses that ended: HotSpot counts one as it begins.
func (v counters) done() int64 {
	if v.entry > v.exit {
		return v.invocations - 1
	}
	return v.invocations
}

// observe takes the reading of a poll at now, the one before having been at
// since.
func (c *collector) observe(v counters, since, now int64, past *history) {
	inside, done := v.entry > v.exit, v.done()
	ended := done - c.completed
	if ended <= 0 { // the usual case, or a reading halfway through an update
		if !inside && !c.inside {
			c.baseTime, c.accounted = v.time, 0
		}
		if inside || v.exit == c.last.exit {
			c.last, c.inside = v, inside
		}
		return
	}

	// The last pause to end has its end here, and its beginning unless the next
	// pause has begun since.
	tail := span{v.entry, v.exit}
	total := max(v.time-c.baseTime-c.accounted, 0)
	switch {
	case !inside:
	case ended == 1 && c.inside:
		tail.begin = c.last.entry
	case ended == 1:
		tail.begin = v.exit - total
	default:
		// As much as the others together is not known; half is no worse than
		// any other guess within one poll's distance.
		tail.begin = v.exit - total/2
	}
	tail = tail.clip(since, now, c)
	past.add(tail)
	c.accounted += tail.end - tail.begin

	// Pauses before it are only known as a sum. A pause that was under way at the last poll comes first,
	// and gets all of the sum if it is the only one; the others are placed directly before the last.
	if rest := total - (tail.end - tail.begin); ended > 1 && rest > 0 {
		if c.inside {
			begin := c.last.entry
			end := min(max(begin, since), tail.begin)
			if ended == 2 {
				end = tail.begin
			}
			if end > begin {
				end = min(end, begin+rest)
				past.add(span{begin, end})
				c.accounted += end - begin
				rest -= end - begin
			}
		}
		if begin := max(tail.begin-rest, min(since, tail.begin)); begin < tail.begin {
			past.add(span{begin, tail.begin})
			c.accounted += tail.begin - begin
		}
	}
	c.completed = done
	c.last, c.inside = v, inside
}

// clip keeps a pause within what is possible: it ended since the last poll and,
// unless it went on at that poll, began since then, up to the error of the clock.
func (s span) clip(since, now int64, c *collector) span {
	const slack = int64(50 * time.Millisecond)
	earliest := since - slack
	if c.inside {
		earliest = min(earliest, c.last.entry)
	}
	s.end = min(max(s.end, earliest), now+slack)
	s.begin = min(max(s.begin, earliest), s.end)
	return s
}
