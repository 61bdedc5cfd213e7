// SPDX-License-Identifier: Apache-2.0

package judgement

import "time"

// independence finds that the requests of a tier sleep independently of each other, and so do not wait for each other.
// An example is a tier of which a third of the requests sleep for a timer or for a program out of sight, and the others
// are quick. With few requests at a time, base residence is learned from the moments without a sleeper, and all
// sleepers then look like waiting.
//
// If requests come at random and each stays for its own time, however long, their number has a Poisson distribution:
// its variance is its mean. (This is the queue with infinitely many servers, M/G/inf, which does not depend on the
// distribution of the times; Kleinrock, Queueing Systems, volume 1.) With clients that wait for their answer before
// they ask again, it is a little less. If the requests stood in a line, it would be twice as much or more.
type independence struct {
	keep, known    float64 // weight one window later; windows before anything is said
	own            numbers // over the last minute
	asleep, locked float64 // sums over the last minute, decayed
	recent, usual  decayed // requests in the tier, over its answers: how many windows each stays
}

func newIndependence(width time.Duration) independence {
	return independence{
		keep: remaining(width, chanceMemory), known: chanceKnown / width.Seconds(),
		recent: newDecayed(width, recentStay), usual: newDecayed(width, usualStay),
	}
}

// add takes a window outside of stops, of which the work is known.
func (c *independence) add(own, done float64, w Work) {
	c.own.fade(c.keep)
	c.own.add(own)
	decay(&c.asleep, c.keep, min(w.Asleep, own))
	decay(&c.locked, c.keep, min(w.Locked, own))
	c.recent.add(own, done)
	c.usual.add(own, done)
}

// explains reports whether so many requests in the tier are no more than chance. Most of them must sleep as a rule, not
// for each other's locks, and for no longer than in the minutes before.
func (c *independence) explains(own float64) bool {
	if c.own.windows < c.known {
		return false
	}
	dispersion := c.own.dispersion()
	return dispersion >= leastDispersion && dispersion <= mostDispersion && own <= mostAtOnce(c.own.mean()) &&
		c.asleep >= mostlyAsleep*c.own.sum && c.locked <= hardlyLocked*c.asleep &&
		c.recent.ratio() <= longerStay*c.usual.ratio()
}

const (
	chanceMemory = 40 * time.Second // half-life: the last minute
	chanceKnown  = 14.0             // seconds before anything is said, decayed: the first 16
	recentStay   = 10 * time.Second // half-life
	usualStay    = 10 * time.Minute // the same

	leastDispersion = 0.5 // variance over mean: below it a fixed number of clients wait, and hardly do anything else
	mostDispersion  = 1.4
	hardlyLocked    = 0.1 // of the requests that sleep
	longerStay      = 1.3 // times as long as usual
)

// comesByChance reports whether all that a window shows are requests that sleep by themselves: no thread is at work for
// which they could wait. The tier must not call another one that is measured, so that they can't wait for a place to
// call either.
func (t *Tier) comesByChance(p *pending) bool {
	w, ok := t.contention.of(p.Index)
	return ok && w.Ran+w.Waited < runs && len(t.destinations) == 0 && !p.locked &&
		t.independence.explains(p.own)
}
