// SPDX-License-Identifier: Apache-2.0

package judgement

// full follows, from the scheduler's accounting, whether a tier has all the processor time that it can get while
// requests wait in it. This shows within seconds, and needs neither a curve nor a quiet time to learn from. If a tier's
// threads always want to run, and run whenever no other program does, only more processors or less work would help the
// tier.
type full struct {
	windows, wanting, ran float64 // sums, decayed; wanting: windows in which the tier wanted all its processors
	// share of the processors that its application uses, all tiers of it together; NaN while unknown
	ours float64
}

// add takes a window: how many requests were in the tier, what its threads did, and on how many processors they may
// run; 0 if that is not known. Threads that collect garbage do not work for a request, so windows with collections do
// not count.
func (f *full) add(own, collecting, processors float64, w Work) {
	const keep = 1 - 1./fullWindows
	f.windows = f.windows*keep + 1
	f.wanting *= keep
	if processors > 0 && own > processors && collecting < pauseShare && w.Ran+w.Waited >= alwaysWanted*processors {
		f.wanting++
	}
	f.ran = f.ran*keep + w.Ran/max(1, processors)
}

// wants reports whether the tier's threads want all of the processors in most windows, whether they get them or not.
// Requests that sleep in the tier meanwhile wait for those threads.
func (f *full) wants() bool {
	return f.windows >= fullWindows/2 && f.wanting >= mostWindows*f.windows
}

// now reports whether the tier has all the processor time that it can get. Its threads want all of the processors, so
// others have the processor time that they lack, and that must be less than half as much as they have. If others have
// more, the others limit the tier. Other tiers of its application do not count as others if this tier has more than
// they have together. If two tiers have the same share, it is not known which of them it is.
func (f *full) now() bool {
	return f.wants() && (f.ran >= ownShare*f.windows || f.ours >= ownShare && f.ran >= f.ours/2*f.windows)
}

const (
	// fullWindows is the memory, in windows: 3 s of 50 ms, of which two must have been seen.
	fullWindows = 60.
	ownShare    = 2. / 3
)
