// SPDX-License-Identifier: Apache-2.0

package judgement

import "math"

// unqueued is the time that a request takes in the tier without the time for which the tier's threads wait for
// processors. On a machine that is always shared, with other tiers or other programs, no window shows how long a
// request takes that waits for nothing, so base residence would stay unknown. But the scheduler knows how long threads
// were ready to run and did not run.
type unqueued struct{ own, waited, ran, completions, windows float64 } // sums, decayed

// add takes a window outside of stops, and what the tier's threads did in it.
func (b *unqueued) add(own, completions float64, w Work) {
	const keep = 1 - 1./unqueuedWindows
	b.own = b.own*keep + own
	b.waited = b.waited*keep + min(w.Waited, own)
	b.ran = b.ran*keep + w.Ran
	b.completions = b.completions*keep + completions
	b.windows = b.windows*keep + 1
}

// base is that time in units of a window's length. It is NaN if too little was seen. It is also NaN if requests sleep
// in the tier for much of their time, because it can't be told whether their work is to sleep or whether they wait for
// a place.
func (b *unqueued) base() float64 {
	working := b.own - b.waited
	if b.windows < unqueuedWindows/2 || b.completions < unqueuedCompletions || !(working > 0) ||
		b.own-b.waited-b.ran > unqueuedAsleep*b.own {
		return math.NaN()
	}
	return working / b.completions
}

const (
	unqueuedWindows     = 400. // about 20 s of 50 ms
	unqueuedCompletions = 100  // an error of a tenth by chance
	unqueuedAsleep      = 0.2  // of the requests' time
)
