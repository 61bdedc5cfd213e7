// SPDX-License-Identifier: Apache-2.0

package judgement

// sleep tells requests that sleep in a tier: no thread runs for them, wants a processor or waits for a disk. In a tier
// that calls nobody, and whose requests do not sleep as a rule, that is a lock, which stops these requests though others
// go on beside them, so that it is no stop of the tier. If they do, it is how the tier works, and no demand.
type sleep struct{ busy, asleep float64 } // windows with requests, and those of them in which most slept; decayed

// add takes a window. It reports how many requests sleep in it, and whether that is unusual.
func (s *sleep) add(own float64, w Work) (n float64, unusual bool) {
	if own <= 0 {
		return 0, false
	}
	const keep = 1 - 1./sleepWindows
	n = min(w.Asleep, own)
	mostly := n >= own/2
	s.busy, s.asleep = s.busy*keep+1, s.asleep*keep
	if mostly {
		s.asleep++
	}
	// Where a thread is at work, the others may wait for that one.
	if !mostly || w.Ran+w.Waited >= runs || own < fewRequests || s.busy < leastBusy {
		return 0, false
	}
	return n, !s.usual()
}

// usual reports whether requests sleep as a rule.
func (s *sleep) usual() bool { return s.busy >= leastBusy && s.asleep > usualSleep*s.busy }

const (
	fewRequests  = 0.25  // on average over a window: below, what a thread does beside requests is as much
	sleepWindows = 1200. // a minute of 50 ms
	leastBusy    = 40    // windows, before anything is unusual
	usualSleep   = 0.25  // of the windows with requests: more is how the tier works
)
