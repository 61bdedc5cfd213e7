// SPDX-License-Identifier: Apache-2.0

package hsperf

// Collectors that work beside the application stop it in other ways than the counters of collectors tell.

// stops are the times at safepoints of a machine whose collector counts its concurrent work with its pauses
// (Shenandoah). A stop is known when it is over, by how much the time at safepoints grew; that one is under way, by the
// number of safepoints, which grows first.
type stops struct {
	count, time int64 // of the last reading
	waiting     bool  // a safepoint is not over yet
	since       int64 // when that began, or the poll before it was seen
}

// observe takes a reading of a poll at now, the one before having been at since. Only what falls into the collector's
// work counts: other safepoints are none of its stops. exact is the last phase of the collector; where it is as long as
// the stop, it was that.
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

// placed is a stop of so many nanoseconds that ended between two polls.
func placed(length, since, now int64, exact span) span {
	const alike = 10 // per cent
	if d := exact.end - exact.begin; exact.end > since && exact.end <= now &&
		100*max(d-length, length-d) <= alike*length {
		return exact
	}
	end := (since+now)/2 + length/2 // of several, or of a short one, nobody knows where they were
	return span{min(end, now) - length, min(end, now)}
}

// running is the stop that goes on; false where there is none.
func (s *stops) running(until int64) (span, bool) {
	return span{s.since, max(until, s.since)}, s.waiting
}

// allocationStall is what sun.gc.cause says while ZGC collects because threads wait for memory.
const allocationStall = "Allocation Stall"

// stalls are the times in which threads that wanted memory waited for a collection (ZGC). The machine says so for as
// long as it works at the collection that they asked for.
type stalls struct {
	stalled bool
	since   int64
}

// observe takes what a poll at now found.
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
