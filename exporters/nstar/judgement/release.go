// SPDX-License-Identifier: Apache-2.0

package judgement

// release finds whether the requests that sleep in a tier mostly waited for one thing that lets all of them go at once:
// a lock. A request that sleeps on purpose came by itself and leaves by itself. So if a pile of requests came one after
// the other, stayed, and was gone within two windows, something that they shared held them. If that happens again and
// again, a lock is why the tier's requests sleep, even if they sleep as a rule.
//
// Requests that came together may leave together, whatever they do: such piles prove nothing.
type release struct {
	joint, all, releases float64 // decayed: requests asleep, by windows: in such piles, in all windows; such piles
	since                float64 // windows since the last of these piles went

	windows, arrivals int     // of the present pile: its age in windows, and windows in which it grew
	peak, sum         float64 // of the present pile: most requests, and their sum over the windows
	falling           int     // windows since the pile began to shrink
}

// add takes how many requests sleep in a window, and whether something other than a lock may hold them (excused). apart
// says that each request has a thread or process of its own.
func (r *release) add(asleep float64, excused, apart bool) {
	long := staysLong
	if apart {
		long = staysApart
	}
	const keep = 1 - 1./sleepWindows
	r.joint, r.all, r.releases = r.joint*keep, r.all*keep+asleep, r.releases*keep
	// If they came every second for a while, and none for ten, the lock is over.
	if r.since++; r.releases >= severalReleases && r.since*r.releases > missing*sleepWindows {
		r.joint, r.releases = 0, 0
	}
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
			r.since = 0
		}
		r.end()
	case r.falling < releaseWindows: // the requests that were released first are already at work
		r.falling++
	default:
		r.end()
	}
}

// end ends the pile.
func (r *release) end() { r.windows, r.arrivals, r.peak, r.sum, r.falling = 0, 0, 0, 0, 0 }

// jointly reports whether most requests that sleep do so until all of them may go.
func (r *release) jointly() bool { return r.releases >= severalReleases && r.joint >= r.all/2 }

// heldOtherwise reports whether something other than a lock may hold the requests that sleep in a window: a stop, a
// collection, the disk, a thread that computes, or a program out of sight.
func (t *Tier) heldOtherwise(p *pending, w Work) bool {
	return p.stopped >= pauseShare || zeroIfNaN(p.GC) >= pauseShare || w.Disk >= runs ||
		w.Ran+w.Waited >= runs && !t.apart || t.mayWaitUnseen(p) > 0
}

const (
	stays           = 0.75 // of the pile's peak: the pile is still there
	gone            = 0.25 // of the peak: the pile is gone
	grows           = 0.5  // requests, as a mean over a window: about one has come
	severalHeld     = 3    // requests that are released together
	staysLong       = 8    // windows: shorter piles may be batches, which servers make on purpose
	staysApart      = 5    // the same if each request has its own thread or process, because commits are shorter
	releaseWindows  = 2    // in which all of them go
	severalReleases = 2    // decayed, so it takes three within about half a minute
	missing         = 5    // times as long as between them on average, and by chance hardly ever
)
