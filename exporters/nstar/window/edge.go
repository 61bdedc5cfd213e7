// SPDX-License-Identifier: Apache-2.0

package window

import "time"

// edge is what a settler carries from window to window only for edges.
type edge struct {
	adjusted int64 // calls that the kernel side's own count of calls outstanding lacks
}

// settle adds the fields of edges to a window; before and after are the calls outstanding at its start and its end.
func (e *edge) settle(w *Window, d Sums, before, after int64, width time.Duration) {
	w.ConnectionsUsed = uint64(max(before, 0)) + d.Used // a connection carries one call at a time
	w.Gaps, w.GapTime = d.Gaps, d.GapTime
	w.Patient, w.Patience, w.Commits = d.Patient, d.Patience, d.Commits
	w.Failed, w.Told = d.Failed, d.Told
	w.PeakCalls = e.peak(w, d.Peak, before, after, width)
}

// overlap is how much of the mean number outstanding may be due to clock readings of two CPUs that crossed.
const overlap = 1e-3

// peak is the largest number of calls outstanding at once. The kernel side sees an answer end with its first segment,
// before it knows that more will follow, so that its maximum may miss calls whose answers are under way. The value of
// the settled queue is never above the truth either, and the larger of the two is nearer to it.
func (e *edge) peak(w *Window, p Peak, before, after int64, width time.Duration) uint64 {
	mean := (w.QueueTime + int64((1-overlap)*float64(width))) / int64(width) // rounded up
	peak := max(before, after, mean, 0)
	if p.Window == uint32(w.Index) {
		peak = max(peak, int64(p.Calls)+e.adjusted)
	}
	return uint64(peak)
}
