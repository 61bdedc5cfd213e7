// SPDX-License-Identifier: Apache-2.0

package judgement

import "math"

// slowed finds that the requests of a tier take several times as long as before, while no thread works for them: they
// wait for something out of sight that has become slow. The curve can't show this. A tier that has room for all
// sleeping requests soon looks as if each request simply took so long.
//
// It must not be a change of what clients ask for. Therefore nearly all answers must take longer, and there must not be
// more answers than before: requests that were quick no longer are. The tier must also hold more requests than before.
// Once this is known, it is enough that most answers take longer: the share of those that are quick varies by chance. A
// block or two in which it does not hold, such as one with many answers, are chance, too.
type slowed struct {
	before profile
	now    held    // what the tier held since the last block of answers
	lasts  float64 // seconds for which it has been slow, up to a limit
	alike  float64 // of these, with answers that took about as long, though now more and now fewer were there
}

// held is what a tier held in some windows, as sums.
type held struct {
	windows       float64
	queue, asleep float64 // requests that waited for no tier behind, and those of them that slept
	unbegun       float64 // of these, requests that no worker had taken yet
	squares       float64 // of queue
	work          Work    // Ran and Waited only
}

// sleepers are the requests that slept. If some thread ran or wanted to all the time, those that no worker had taken
// may wait for that thread.
func (h *held) sleepers() float64 {
	if h.work.Ran+h.work.Waited >= alwaysWanted*h.windows {
		return h.asleep - h.unbegun
	}
	return h.asleep
}

// varies reports whether now more and now fewer requests were there: their standard deviation is this part of their
// mean.
func (h *held) varies(part float64) bool {
	mean := h.queue / h.windows
	return h.squares/h.windows-mean*mean >= part*part*mean*mean
}

// alike reports whether all answers took about as long, though now more and now fewer requests were there. In a line,
// times differ as much as the number of those that wait. Ten requests at a time of clients that come by chance differ
// by a third only, and then the times have to be nearly the same.
func (h *held) alike(a Times) bool {
	return h.varies(varied) && a.Quartile >= aboutAsLong*a.Median ||
		h.varies(variedLittle) && a.Quartile >= asLong*a.Median
}

// profile is what has been usual for a tier.
type profile struct {
	seconds float64 // length of the blocks from which it was learned
	median  float64 // logarithm of the median time that answers took
	rate    float64 // answers a second
	own     float64 // requests that waited for no tier behind
}

// Times are how long requests took that were answered in a block of a second or more. A block has so many answers that
// quartiles mean something. Times is the zero value if there is no such block.
type Times struct {
	Seconds  float64 `json:"seconds"`  // length of the block
	Number   float64 `json:"number"`   // number of answers
	Quartile float64 `json:"quartile"` // a quarter of the answers took at most so many seconds
	Median   float64 `json:"median"`   // half of the answers did
}

// add takes a window in which the work of the threads is known.
func (s *slowed) add(own float64, w Work) {
	s.now.windows++
	s.now.queue += own
	s.now.squares += own * own
	s.now.asleep += min(w.Asleep, own)
	s.now.unbegun += min(w.unbegun(), w.Asleep, own)
	s.now.work.Ran += w.Ran
	s.now.work.Waited += w.Waited
}

// answered takes a block of answers.
func (s *slowed) answered(a Times) {
	if a.Number == 0 || s.now.windows == 0 {
		return
	}
	now, own, before := s.now, s.now.queue/s.now.windows, &s.before
	s.now = held{}
	alike := now.alike(a)
	long := a.Quartile
	if s.holds() {
		long = a.Median
	}
	if before.seconds >= knownSeconds && before.longer(long, own, alike) && before.noMore(a) &&
		own >= fewSlow && own >= quick*before.own && now.sleepers() >= nearlyAllAsleep*now.queue &&
		!now.work.lacksProcessors(now.windows) {
		s.lasts = min(s.lasts+a.Seconds, slowedLimit)
		if alike {
			s.alike = min(s.alike+a.Seconds, slowedLimit)
		} else {
			s.alike = max(0, s.alike-a.Seconds)
		}
		before.learn(a, own, stubbornSeconds)
		return
	}

	s.lasts, s.alike = max(0, s.lasts-2*a.Seconds), max(0, s.alike-2*a.Seconds)
	if s.holds() {
		return
	}
	before.seconds += a.Seconds
	before.learn(a, own, min(before.seconds, usualSeconds))
}

// longer reports whether answers take several times as long as usual, of which most took less. If a part of the time is
// spent in tiers behind, which are as quick as before, the answers take only twice as long, but several times as many
// requests are in the tier itself. That counts if all take about as long: they may stand in a line otherwise.
func (p *profile) longer(took, own float64, alike bool) bool {
	times := math.Log(took) - p.median
	return times >= math.Log(slow) || alike && times >= math.Log(twice) && own >= slow*p.own
}

// noMore reports whether there are no more answers than usual, beyond chance.
func (p *profile) noMore(a Times) bool {
	usual := p.rate * a.Seconds
	return a.Number <= max(noMore*usual, usual+2*math.Sqrt(usual))
}

// learn takes in a block. What was known before counts as so many seconds.
func (p *profile) learn(a Times, own, seconds float64) {
	weight := a.Seconds / seconds
	p.median += weight * (math.Log(a.Median) - p.median)
	p.rate += weight * (a.Number/a.Seconds - p.rate)
	p.own += weight * (own - p.own)
}

// holds reports whether the tier has been slow for some seconds.
func (s *slowed) holds() bool { return s.lasts >= slowedSeconds }

// eachByItself reports whether the requests of a slow tier stand in no line: in a line, those that come when few are
// there take much less time than the others.
func (s *slowed) eachByItself() bool { return s.holds() && s.alike >= alikeSeconds }

// took is how long a request was in the tier before it became slow, in seconds.
func (s *slowed) took() float64 { return s.before.own / s.before.rate }

const (
	knownSeconds    = 15   // of answers, before anything counts as usual
	usualSeconds    = 60   // of answers, over which the usual is averaged
	stubbornSeconds = 7200 // the same while the tier is slow: what lasts for hours becomes usual, too
	slowedSeconds   = 2
	slowedLimit     = 6.5
	twice           = 2
	aboutAsLong     = 0.8  // the quartile over the median; a step of the histogram that they are read from is 1.19
	varied          = 0.4  // standard deviation over mean
	asLong          = 0.95 // in the same step
	variedLittle    = 0.2
	alikeSeconds    = 4
	noMore          = 1.25 // of the usual answers a second
	nearlyAllAsleep = 0.8
	fewSlow         = 0.5 // requests that the tier must hold on average
)

// slow reports whether the requests of a window wait because the tier has become slow for a reason out of sight. In a
// tier that calls others, requests may lack a place to call or wait for a lock instead. That looks the same until a
// line is refuted. In a tier that calls no other, it is no lock as long as requests do not go together, and no line is
// known.
func (t *Tier) slow(p *pending) bool {
	if !t.slowed.holds() || t.mayWaitOutside(p, p.own) {
		return false
	}
	if len(t.destinations) == 0 {
		return (!p.locked || !t.sleep.released.jointly()) && !t.lineIsKnown()
	}
	return !p.locked && (t.waitingLine.refuted() || t.slowed.eachByItself())
}
