// SPDX-License-Identifier: Apache-2.0

package judgement

// release tells whether those who sleep in a tier mostly waited for one thing, which lets all of them go at once: a
// lock. Who sleeps on purpose came by itself and leaves by itself. So a pile that came one after the other, stayed, and
// is gone within two windows was held by something that it shared, and if that happens again and again it is how the
// tier's requests come to sleep, though they do so as a rule.
//
// Those who came together may leave together, whatever they do: their piles prove nothing.
type release struct {
	joint, all, releases float64 // requests asleep, by windows: in such piles, and in all windows; such piles; decayed

	windows, arrivals int     // of the pile under way: how long it has been there, and windows in which it grew
	peak, sum         float64 // the same: most requests, and their sum over the windows
	falling           int     // windows since it began to fall
}

// add takes how many requests sleep in a window, and whether something else than a lock may keep them; apart says that
// each has a thread or process of its own.
func (r *release) add(asleep float64, excused, apart bool) {
	long := staysLong
	if apart {
		long = staysApart
	}
	const keep = 1 - 1./sleepWindows
	r.joint, r.all, r.releases = r.joint*keep, r.all*keep+asleep, r.releases*keep
	switch {
	case asleep >= stays*r.peak && asleep >= 1 && !excused && r.falling == 0:
		if asleep >= r.peak+grows {
			r.arrivals++
			r.peak = asleep
		}
		r.windows++
		r.sum += asleep
	case r.windows == 0:
	case asleep <= gone*r.peak:
		if r.peak >= severalHeld && r.arrivals >= severalHeld+1 && r.windows >= long {
			r.releases++
			r.joint += r.sum
		}
		r.end()
	case r.falling < releaseWindows: // those that were released first are at work already
		r.falling++
	default:
		r.end()
	}
}

// end closes the pile.
func (r *release) end() { r.windows, r.arrivals, r.peak, r.sum, r.falling = 0, 0, 0, 0, 0 }

// jointly reports whether most of those who sleep do it until all may go.
func (r *release) jointly() bool { return r.releases >= severalReleases && r.joint >= r.all/2 }

// heldOtherwise reports whether something else than a lock may keep those who sleep in a window: a stop, a collection,
// the disk, a thread that computes, or somebody out of sight.
func (t *Tier) heldOtherwise(p *pending, w Work) bool {
	return p.stopped >= pauseShare || zeroIfNaN(p.GC) >= pauseShare || w.Disk >= runs ||
		w.Ran+w.Waited >= runs && !t.apart || t.mayWaitUnseen(p) > 0
}

const (
	stays           = 0.75 // of the most that were there: the pile stays
	gone            = 0.25 // of them: it is gone
	grows           = 0.5  // requests, over a window: about one came
	severalHeld     = 3    // requests that are released at once
	staysLong       = 8    // windows: shorter ones may be batches, which servers make on purpose
	staysApart      = 5    // the same, where each request has its own thread or process: commits are shorter
	releaseWindows  = 2    // in which they go
	severalReleases = 2    // decayed, so that it takes three within about half a minute
)
