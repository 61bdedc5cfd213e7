// SPDX-License-Identifier: Apache-2.0

package judgement

// full follows, by the scheduler's accounting, whether a tier has all the processor time that it can have while
// requests wait in it. That is seen within seconds, and needs neither a curve nor a quiet time to learn from: a tier
// whose threads always want to run, and run whenever nobody else does, would gain from nothing but more processors or
// less work.
type full struct {
	windows, wanting, ran float64 // sums, decayed
	// share of the processors that its application uses, all tiers of it together; NaN while unknown
	ours float64
}

// add takes a window: how many requests were in the tier, what its threads did, and on how many processors they may
// run, 0 if that is not known. Threads that collect garbage do no request's work.
func (f *full) add(own, collecting, processors float64, w Work) {
	const keep = 1 - 1./fullWindows
	f.windows = f.windows*keep + 1
	f.wanting *= keep
	if processors > 0 && own > processors && collecting < pauseShare && w.Ran+w.Waited >= alwaysWanted*processors {
		f.wanting++
	}
	f.ran = f.ran*keep + w.Ran/max(1, processors)
}

// wants reports whether the tier's threads want all of the processors in most windows, whoever has them. What sleeps in
// it meanwhile waits for those threads.
func (f *full) wants() bool {
	return f.windows >= fullWindows/2 && f.wanting >= mostWindows*f.windows
}

// now reports whether that is so: its threads want all of the processors, so that what they do not have others have,
// and that is less than half as much. Where others have more, it is they who limit the tier. Other tiers of its
// application are no such others, where it has more than they have together: of two that have as much nobody knows
// which it is.
func (f *full) now() bool {
	return f.wants() && (f.ran >= ownShare*f.windows || f.ours >= ownShare && f.ran >= f.ours/2*f.windows)
}

const (
	// fullWindows is the memory, in windows: 3 s of 50 ms, of which two must have been seen.
	fullWindows = 60.
	ownShare    = 2. / 3
)
