// SPDX-License-Identifier: Apache-2.0

package judgement

import "iter"

// stops finds runs of windows in which a station (a tier, or the calls to a destination) did nothing although requests
// were there, for longer than chance explains. It needs no saturation point. A run is known by its length, so its first
// windows are marked afterwards.
type stops struct {
	promise promise
	begin   int64   // index of the run's first window
	length  int     // windows of the run; 0 = none
	missed  float64 // what should have been done in the run, in units of the dispersion
	longest float64 // longest queue of the run
	paused  float64 // sum over the run of the shares of garbage collection
	sure    bool    // beyond chance
	lately  float64 // stops of the last minute or so, decayed by windows
}

// look takes a window: its queue, what was done in it, whether something else explains that nothing was done (excused),
// and the share of garbage collection. It returns how many windows are now known to be a stop, including this one. That
// is 0, or 1 while a known stop goes on, or the whole run if it has just become certain. A run shorter than the given
// number of windows is no stop, except for collections: requests that began together take their time and end together.
func (s *stops) look(index int64, queue, done float64, excused bool, gc float64, shortest int) int {
	s.lately *= s.promise.keep
	promised, dispersion := s.promise.of(queue)
	// What was done is also compared with the best mean over all queue lengths. A tier that passes requests on
	// within a microsecond has a promise of thousands for a request that stays, and never does as many.
	quiet := queue > 0 && !excused && done <= idleShare*min(promised, s.promise.best())
	if gc >= fullPause && queue > 0 && done <= idleShare*max(promised, 1) {
		quiet = true // the collector itself reports it
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

// attempt is what one window of a run shows.
type attempt struct {
	queue, done float64
	excused     bool
}

// again looks once more at windows that came before anything was promised. It returns how many of the first ones are
// now known to be a stop: a run that would have been certain with what is known now.
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

// idleShare is the share of its promise that a stopped station may still get done in a window: what was already on its
// way.
const idleShare = 0.02

// eachRequest limits what one waiting request can prove, because it may just be a slow one. One request in e^4 = 55 may
// be slow; three at once, with nothing else done, are no accident.
const eachRequest = 4

// A station that stopped several times within a minute is likely to stop again. Then a chance of one in 50 is small
// enough, and so is one request that waits for long. At 20 requests/s there is hardly more than one request when the
// station stops for 200 ms.
const (
	recurring   = 3
	chanceAgain = 3.9
)

// fullPause is the share of garbage collection from which a window without any completion needs no further proof.
const fullPause = 0.9

// mostPause is the share of a window for which the tier must have been stopped from outside if nothing was done in the
// window. Processes are looked at every 25 ms, so the first and the last quarter of the window may be missed.
const mostPause = 0.7

// end ends the run.
func (s *stops) end() {
	s.length, s.missed, s.longest, s.paused, s.sure = 0, 0, 0, 0, false
}

// cause is the reason for which the station stands still in the run under way.
func (s *stops) cause() Cause {
	if s.length > 0 && s.paused >= 0.5*float64(s.length) {
		return GarbageCollection
	}
	return Stopped
}

// partly is the cause of a stop that took a part of the window, and the size of that part. The cause is empty if there
// was no such stop.
func (p *pending) partly() (Cause, float64) {
	if gc := zeroIfNaN(p.GC); gc >= pauseShare {
		return GarbageCollection, gc
	}
	if p.stopped >= pauseShare {
		return Stopped, p.stopped
	}
	if p.starves { // a single request may still get through now and then
		return Stopped, 1
	}
	if p.stopsNext == Stopped {
		return p.still(), 1
	}
	return p.stopsNext, 1
}

// still is the reason why requests wait and nothing goes on.
func (p *pending) still() Cause {
	if p.disk {
		return Disk
	}
	return Stopped
}

// pauseShare is the share of a window from which a collection is the cause for the window, whatever was done in the
// rest.
const pauseShare = 0.2
