// SPDX-License-Identifier: Apache-2.0

package judgement

import "math"

// single tells whether all that a tier computes is done by one thread, which has no time left, and which answers the
// requests: an event loop, or a server with one thread. It can use one processor, however many there are.
//
// That one thread is always busy does not show it alone: it may be a job beside the requests. One that writes about as
// often as the tier answers is no such job. The kernel counts what goes through write() and its kin, as libuv, Java's
// channels, nginx and Redis do it; who uses send() is not seen.
//
// Or its threads take turns: an interpreter has a lock of its own (Ruby, Python), or the runtime may use one processor
// (GOMAXPROCS). Then all of them together run, or are ready to, for the time of just one processor, second by second,
// however many requests are there. That a server of many threads happens to use so much, while requests wait for
// something else, does not last to the twentieth.
type single struct {
	seconds, proven float64 // decayed
	longer, turns   float64 // decayed half as fast: seconds, and those in which threads took turns
}

// add takes a second, how many requests the tier answers in one, how many are in it, and how many of its threads run
// or are ready to. A second in which nobody asked what its threads do, or how often the one that is always busy writes
// is not known, tells nothing, unless more than one thread computes; nor does one in which others have the processors,
// so that more of its threads want to run than it can use.
func (s *single) add(l Load, answers, requests, wanted float64) {
	always := l.Thread >= alwaysWanted
	switch {
	case l.Cores <= oneThread && (math.IsNaN(l.Thread) || always && math.IsNaN(l.Writes)):
		return
	case l.Cores <= oneThread && !always && wanted > mostTurns && l.Others >= disturbed:
		return
	}
	s.longer, s.turns = s.longer*(1-loadWeight/2)+1, s.turns*(1-loadWeight/2)
	if !always && answers > 0 && wanted >= leastTurns && wanted <= mostTurns && requests >= asleepExcess {
		s.turns++ // it may still be one thread, and another from now on
		return
	}
	s.seconds, s.proven = s.seconds*(1-loadWeight)+1, s.proven*(1-loadWeight)
	if always && answers > 0 && l.Cores <= oneThread && l.Writes >= writesPerAnswer*answers {
		s.proven++
		s.turns++
	}
}

// now reports whether that is so.
func (s *single) now() bool {
	return s.seconds >= singleSeconds && s.proven >= mostWindows*s.seconds ||
		s.longer >= turnsSeconds && s.turns >= turnsShare*s.longer
}

const (
	oneThread       = 1.25 // processors: a quarter for all other threads together
	fewThreads      = 3    // that run or are ready to, on average: of more, no single one is all that there is
	writesPerAnswer = 0.5  // some answers leave together
	singleSeconds   = 2.4  // decayed, so that it takes three
	turnsSeconds    = 8.2  // decayed, so that it takes 17
	turnsShare      = 0.98 // of these seconds: none of the last ones is missing
	leastTurns      = 0.95 // processors that threads use, or wait for, who take turns on one
	disturbed       = 0.25 // of the processors that others have
	mostTurns       = 1.08 // what they do beside: system calls that wait for nothing, the runtime's own threads
)

// usable is how many processors the tier can use; 0 while it is not known.
func (t *Tier) usable() float64 {
	if t.single.now() {
		return min(1, t.processors)
	}
	return t.processors
}
