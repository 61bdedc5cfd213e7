// SPDX-License-Identifier: Apache-2.0

package hsperf

// Collectors that work beside the application stop it in ways that the counters of collectors do not show.

// stops are the times at safepoints of a machine whose collector counts its concurrent work with its pauses
// (Shenandoah). The length of a stop is known when it is over, from the growth of the time at safepoints. That a stop
// is under way is known from the number of safepoints, which grows first.
type stops struct {
	count, time int64 // of the last reading
	waiting     bool  // a safepoint is not over yet
	since       int64 // when that began, or the poll before it was seen
}

// observe takes a reading of a poll at now; the poll before was at since. Only stops during the collector's work count:
// other safepoints are no stops of the collector. exact is the last phase of the collector; if it is as long as the
// stop, it was the stop.
func (s *stops) observe(count, time, since, now int64, collecting bool, exact span, past *history) {
	grown := time - s.time
	switch {
	case grown > 0:
		if collecting || s.waiting {
			past.add(placed(grown, since, now, exact))
		}
		s.waiting = false
	case count > s.count && collecting:
		s.waiting, s.since = true, (since+now)/2
	}
	s.count, s.time = count, time
}

// placed is a stop of this many nanoseconds that ended between two polls.
func placed(length, since, now int64, exact span) span {
	const alike = 10 // per cent
	if d := exact.end - exact.begin; exact.end > since && exact.end <= now &&
		100*max(d-length, length-d) <= alike*length {
		return exact
	}
	end := (since+now)/2 + length/2 // if there were several, or a short one, their place is not known
	return span{min(end, now) - length, min(end, now)}
}

// running is the stop that is under way; false if there is none.
func (s *stops) running(until int64) (span, bool) {
	return span{s.since, max(until, s.since)}, s.waiting
}

// allocationStall is the value of sun.gc.cause while ZGC collects because threads wait for memory.
const allocationStall = "Allocation Stall"

// stalls are the times in which threads that wanted memory waited for a collection (ZGC). The machine says so for as
// long as it works at the collection that they asked for.
type stalls struct {
	stalled bool
	since   int64
}

// observe takes the result of a poll at now.
func (s *stalls) observe(stalled bool, since, now int64, past *history) {
	middle := (since + now) / 2
	switch {
	case stalled && !s.stalled:
		s.since = middle
	case !stalled && s.stalled:
		past.add(span{s.since, middle})
	}
	s.stalled = stalled
}
