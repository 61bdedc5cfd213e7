// SPDX-License-Identifier: Apache-2.0

package judgement

import "iter"

// stops finds runs of windows in which a station did nothing although requests were there, beyond chance. It needs no
// saturation point. A run is known by its length, so its first windows are marked afterwards.
type stops struct {
	promise promise
	begin   int64   // index of the run's first window
	length  int     // windows of the run; 0 = none
	missed  float64 // what the run should have got done, in units of the dispersion
	longest float64 // queue of the run
	paused  float64 // sum of the run's shares of garbage collection
	sure    bool    // beyond chance
	lately  float64 // stops of the last minute or so, decayed by windows
}

// look takes a window: its queue, what it got done, whether something else explains that nothing was done (excused),
// and the share of garbage collection. It reports how many windows, this one included, are now known to be a stop: 0,
// or 1 while a known stop goes on, or the whole run when it has just become certain. No run is one that is shorter than
// the given number of windows, but for collections: requests that began together take their time and end together.
func (s *stops) look(index int64, queue, done float64, excused bool, gc float64, shortest int) int {
	s.lately *= s.promise.keep
	promised, dispersion := s.promise.of(queue)
	// What was done is held against what was done at best: a tier that passes requests on within a microsecond promises
	// thousands to one that stays, and never does as much.
	quiet := queue > 0 && !excused && done <= idleShare*min(promised, s.promise.best())
	if gc >= fullPause && queue > 0 && done <= idleShare*max(promised, 1) {
		quiet = true // known from the collector itself
	}
	if !quiet || s.length > 0 && index != s.begin+int64(s.length) {
		s.end()
	}
	if !quiet {
		return 0
	}
	if s.length == 0 {
		s.begin = index
	}
	s.length++
	s.missed += promised / dispersion
	s.longest = max(s.longest, queue)
	s.paused += gc
	if s.sure {
		return 1
	}
	enough := float64(chance)
	if s.lately >= recurring {
		enough = chanceAgain
	}
	if s.length >= shortest && min(s.missed, eachRequest*s.longest) >= enough || gc >= fullPause {
		s.sure = true
		s.lately++
		return s.length
	}
	return 0
}

// attempt is what a window of a run shows.
type attempt struct {
	queue, done float64
	excused     bool
}

// again looks at windows that were looked at before anything was promised. It reports how many of the first ones are
// known now to be a stop: a run that would have been certain with what is known now.
func (s *stops) again(windows iter.Seq[attempt], shortest int) (length int) {
	missed, longest := 0.0, 0.0
	for w := range windows {
		promised, dispersion := s.promise.of(w.queue)
		if w.queue <= 0 || w.excused || w.done > idleShare*min(promised, s.promise.best()) {
			break
		}
		length++
		missed += promised / dispersion
		longest = max(longest, w.queue)
	}
	if length >= shortest && min(missed, eachRequest*longest) >= chance {
		return length
	}
	return 0
}

// idleShare is how much of its promise a stopped station may still get done in a window: what was on its way.
const idleShare = 0.02

// eachRequest bounds what one waiting request can prove: it may be a slow one. One in e^4 = 55 may be; three at once,
// with nothing else done, are no accident.
const eachRequest = 4

// A station that stopped several times within a minute is likely to stop again: then one in 50 is chance enough, and
// one request that waits for long. At 20 requests/s hardly more than that is there when it stops for 200 ms.
const (
	recurring   = 3
	chanceAgain = 3.9
)

// fullPause is the share of garbage collection by which a window without any completion needs no further proof.
const fullPause = 0.9

// mostPause is the share by which a window without anything done was stopped from outside: processes are looked at
// every 25 ms, so that a window's first and last quarter may be missed.
const mostPause = 0.7

// end closes the run.
func (s *stops) end() {
	s.length, s.missed, s.longest, s.paused, s.sure = 0, 0, 0, 0, false
}

// cause is why the run under way stands still.
func (s *stops) cause() Cause {
	if s.length > 0 && s.paused >= 0.5*float64(s.length) {
		return GarbageCollection
	}
	return Stopped
}

// partly is the cause of a stop that took a part of the window, and which part; no cause where none did.
func (p *pending) partly() (Cause, float64) {
	if gc := zeroIfNaN(p.GC); gc >= pauseShare {
		return GarbageCollection, gc
	}
	if p.stopped >= pauseShare {
		return Stopped, p.stopped
	}
	if p.starves { // a request now and then gets through
		return Stopped, 1
	}
	if p.eve == Stopped {
		return p.still(), 1
	}
	return p.eve, 1
}

// still is why requests wait and nothing goes on.
func (p *pending) still() Cause {
	if p.disk {
		return Disk
	}
	return Stopped
}

// pauseShare of a window in garbage collection makes it the collection's, whatever was still done in the rest.
const pauseShare = 0.2
