// SPDX-License-Identifier: Apache-2.0

package judgement

import "math"

// slowed tells that the requests of a tier take several times as long as they did, while no thread works on them: what
// they wait for is out of sight, and it has become slow. The curve can't tell it, since a tier that has room for all
// who sleep soon looks as if each of its requests simply took so long.
//
// It is not a change of what is asked for. Nearly all answers take longer, and there are not more of them than there
// were: those that were quick are so no longer. And the tier holds more requests than it did.
type slowed struct {
	before profile
	now    held    // since the last block of answers
	lasts  float64 // seconds
}

// held is what a tier held in some windows, as sums.
type held struct {
	windows       float64
	queue, asleep float64 // requests that waited for no tier behind, and those of them that slept
}

// profile is what was usual for a tier.
type profile struct {
	seconds float64 // of the blocks it is made of
	median  float64 // logarithm of the time that half of the answers took
	rate    float64 // answers a second
	own     float64 // requests that waited for no tier behind
}

// Times are how long requests took that were answered in a block of a second or more, of which there were so many that
// it is known; the zero value where there is none.
type Times struct {
	Seconds  float64 `json:"seconds"`  // how long the block was
	Number   float64 `json:"number"`   // of answers
	Quartile float64 `json:"quartile"` // how long a quarter of them took at most, in seconds
	Median   float64 `json:"median"`   // and half of them
}

// add takes a window of which the work of the threads is known.
func (s *slowed) add(own float64, w Work) {
	s.now.windows++
	s.now.queue += own
	s.now.asleep += min(w.Asleep, own)
}

// answered takes a block of answers.
func (s *slowed) answered(a Times) {
	if a.Number == 0 || s.now.windows == 0 {
		return
	}
	now, own, before := s.now, s.now.queue/s.now.windows, &s.before
	s.now = held{}
	if before.seconds >= knownSeconds && math.Log(a.Quartile/slow) >= before.median &&
		a.Number <= noMore*before.rate*a.Seconds &&
		own >= fewestInLine && own >= quick*before.own && now.asleep >= nearlyAllAsleep*now.queue {
		s.lasts += a.Seconds
		before.learn(a, own, stubbornSeconds)
		return
	}

	s.lasts = 0
	before.seconds += a.Seconds
	before.learn(a, own, min(before.seconds, usualSeconds))
}

// learn takes in a block; what was known counts as so many seconds.
func (p *profile) learn(a Times, own, seconds float64) {
	weight := a.Seconds / seconds
	p.median += weight * (math.Log(a.Median) - p.median)
	p.rate += weight * (a.Number/a.Seconds - p.rate)
	p.own += weight * (own - p.own)
}

// holds reports whether it is so for some seconds.
func (s *slowed) holds() bool { return s.lasts >= slowedSeconds }

// took is how long a request was in the tier before, in seconds.
func (s *slowed) took() float64 { return s.before.own / s.before.rate }

const (
	knownSeconds    = 15   // of answers tell what is usual
	usualSeconds    = 60   // of them make it
	stubbornSeconds = 7200 // the same while it is slow: what lasts for hours is usual, too
	slowedSeconds   = 2
	noMore          = 1.25 // of the answers a second
	nearlyAllAsleep = 0.8
)

// slow reports whether what waits in a window does so because the tier has become slow for a reason out of sight. One
// that calls others may lack a place to call or hold a lock instead, which looks the same until it is refuted.
func (t *Tier) slow(p *pending) bool {
	return t.slowed.holds() && !p.locked && (len(t.destinations) == 0 || t.jam.refuted()) &&
		!t.patience.unaccounted() && t.mayWaitUnseen(p) < p.own/2
}
