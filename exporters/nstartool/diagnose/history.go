// SPDX-License-Identifier: Apache-2.0

package diagnose

import (
	"slices"
	"time"
)

// Finding is what the rules conclude at one time; tier and cause are empty
// where nothing is wrong or not enough is known.
type Finding struct {
	Verdict     Verdict
	Tier, Cause string
}

// Evaluation is the recorded finding at one time.
type Evaluation struct {
	At time.Time
	Finding
	// Share of the mean response time, 0 to 1.
	Share float64
}

// last is the newest evaluation; false if there is none.
func (a Application) last() (e Evaluation, found bool) {
	if n := len(a.Evaluations); n > 0 {
		return a.Evaluations[n-1], true
	}
	return e, false
}

// bridge is the longest break in which a verdict counts as held: the two sides of
// a shorter one rest on windows that they share.
const bridge = lookBack

// longestBreak is the same where the range is looked at in such steps.
func longestBreak(step time.Duration) time.Duration { return max(bridge, 2*step) }

// glimpse is the time below which a finding is not believed if it was taken back and nothing is known since.
const glimpse = 15 * time.Second

// named is for how long something wrong has to be named before it comes first: in two evaluations after its first one.
const named = 10 * time.Second

// prevailing returns the finding that held longest; of several the one seen last. Learning counts only if there is
// nothing else, or only a glimpse before it. A problem that exists now, and has been named for long enough, comes
// before healthy, however long that held. The same is true if the application was not healthy for the last quarter of
// the time, whatever was known about it. And a problem that exists now comes before one that is over, if it has
// been there for two glimpses, or for two fifths of a short range and 20 s at least, or if all was well between them.
func prevailing(history []Evaluation) (Finding, bool) {
	count := map[Finding]int{}
	best, found := Finding{}, false
	for _, e := range history {
		count[e.Finding]++
	}
	for _, e := range slices.Backward(history) { // the newest first, so that it wins a tie
		switch {
		case !found,
			best.Verdict == Learning && e.Verdict != Learning,
			e.Verdict != Learning && count[e.Finding] > count[best]:
			best, found = e.Finding, true
		}
	}
	if !found {
		return best, false
	}
	last := history[len(history)-1].Finding
	switch {
	case best.Verdict == Healthy && last.Verdict != Healthy && ill(history) >= max(glimpse, whole(history)/4):
		return prevailing(history[healthy(history):])
	case best.Verdict != Learning && last.Verdict == Learning:
		if from, to := held(history, best, bridge); to.Sub(from) < glimpse {
			return last, true
		}
	case best.Verdict == Healthy && last.Verdict != Healthy:
		if from, to := held(history, last, bridge); to.Sub(from) >= named {
			return last, true
		}
	case best.Verdict != Healthy && last.Verdict != Healthy && last.Verdict != Learning && last != best:
		enough := min(2*glimpse, max(2*named, whole(history)*2/5))
		if wellSince(history, best) >= named {
			enough = named
		}
		if lastly(history) >= enough {
			return last, true
		}
	}
	return best, true
}

// lastly is for how long the last finding has held without a break.
func lastly(history []Evaluation) time.Duration {
	last := history[len(history)-1]
	from := last.At
	for _, e := range slices.Backward(history) {
		if e.Finding != last.Finding {
			break
		}
		from = e.At
	}
	return last.At.Sub(from)
}

// wellSince is for how long it has been healthy since a finding was there for the last time.
func wellSince(history []Evaluation, f Finding) time.Duration {
	var well time.Duration
	for i, e := range slices.Backward(history) {
		if e.Finding == f {
			break
		}
		if e.Verdict == Healthy && i+1 < len(history) {
			well += history[i+1].At.Sub(e.At)
		}
	}
	return well
}

// healthy is how many evaluations there are up to the last one that says so.
func healthy(history []Evaluation) int {
	n := len(history)
	for n > 0 && history[n-1].Verdict != Healthy {
		n--
	}
	return n
}

// ill is for how long, at the end, nothing has been healthy.
func ill(history []Evaluation) time.Duration {
	last := history[len(history)-1].At
	if n := healthy(history); n < len(history) {
		return last.Sub(history[n].At)
	}
	return 0
}

// whole is the time from the first evaluation to the last.
func whole(history []Evaluation) time.Duration { return history[len(history)-1].At.Sub(history[0].At) }

// held returns when the last span of a finding began and ended; breaks up to a
// length do not end it. But a break that is no glimpse ends learning if it is
// healthy, because what was learned is known, and ends what is healthy if
// something was named.
func held(history []Evaluation, f Finding, longest time.Duration) (from, to time.Time) {
	for _, e := range slices.Backward(history) {
		if e.Finding != f {
			other := f.Verdict == Learning && e.Verdict == Healthy || f.Verdict == Healthy && e.Tier != ""
			if other && from.Sub(e.At) >= glimpse {
				break
			}
			continue
		}
		if to.IsZero() {
			from, to = e.At, e.At
		}
		if from.Sub(e.At) > longest {
			break
		}
		from = e.At
	}
	return from, to
}

// part selects the evaluations before or after a time.
func part(history []Evaluation, keep func(at time.Time) bool) []Evaluation {
	var kept []Evaluation
	for _, e := range history {
		if keep(e.At) {
			kept = append(kept, e)
		}
	}
	return kept
}

// share is the mean share of the response time over the evaluations with a finding.
func share(history []Evaluation, f Finding) float64 {
	sum, n := 0.0, 0
	for _, e := range history {
		if e.Finding == f {
			sum, n = sum+e.Share, n+1
		}
	}
	if n == 0 {
		return 0
	}
	return sum / float64(n)
}
