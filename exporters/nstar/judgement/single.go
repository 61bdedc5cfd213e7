// SPDX-License-Identifier: Apache-2.0

package judgement

import "math"

// single finds whether one thread does all that a tier computes, has no time left, and answers the requests: an event
// loop, or a server with one thread. Such a tier can use one processor, however many there are.
//
// It is not enough that one thread is always busy, because it may do a job beside the requests. If the thread writes
// about as often as the tier answers, it is no such job. The kernel counts what goes through write() and similar calls,
// as libuv, Java's channels, nginx and Redis use them. Servers that use send() are not seen.
//
// The other case is that the tier's threads take turns: the interpreter has a lock of its own (Ruby, Python), or the
// runtime may use only one processor (GOMAXPROCS). Then all threads together run, or are ready to, for the time of just
// one processor, second after second, however many requests there are. A server of many threads may also happen to use
// so much while requests wait for something else, but not for the twenty seconds or so that are asked for.
type single struct {
	seconds, proven float64 // decayed
	longer, turns   float64 // decayed half as fast: seconds, and those of them in which threads took turns
}

// add takes the load of a second, how many requests the tier answers in a second, how many are in it, and how many of
// its threads run or are ready to. If no more than one thread computes, some seconds tell nothing. In these the threads
// were not looked at, or the writes of the thread that is always busy are not known, or others have processors, so that
// more threads want to run than the tier can use.
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
		s.turns++ // it may still be one thread, which is another one from now on
		return
	}
	s.seconds, s.proven = s.seconds*(1-loadWeight)+1, s.proven*(1-loadWeight)
	if always && answers > 0 && l.Cores <= oneThread && l.Writes >= writesPerAnswer*answers {
		s.proven++
		s.turns++
	}
}

// now reports whether the tier can use only one processor.
func (s *single) now() bool {
	return s.seconds >= singleSeconds && s.proven >= mostWindows*s.seconds ||
		s.longer >= turnsSeconds && s.turns >= turnsShare*s.longer
}

const (
	oneThread       = 1.25 // processors: one, and a quarter for all other threads together
	fewThreads      = 3    // that run or are ready to, on average: of more than that, no thread does all the work
	writesPerAnswer = 0.5  // because some answers leave together
	singleSeconds   = 2.4  // decayed, so that it takes three
	turnsSeconds    = 8.2  // decayed, so that it takes 17
	turnsShare      = 0.98 // of these seconds: none of the last ones is missing
	leastTurns      = 0.95 // processors that threads which take turns on one use, or wait for, at least
	disturbed       = 0.25 // of the processors: so much is used by others
	mostTurns       = 1.08 // the same at most, with system calls that wait for nothing and the runtime's threads
)

// usable is how many processors the tier can use; 0 while it is not known.
func (t *Tier) usable() float64 {
	if t.single.now() {
		return min(1, t.processors)
	}
	return t.processors
}
