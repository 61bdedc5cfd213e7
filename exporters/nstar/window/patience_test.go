// SPDX-License-Identifier: Apache-2.0

package window

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// Requests that wait on purpose reach the totals, window by window and also if windows were merged.
func TestSettlePatience(t *testing.T) {
	const width, ring = 50 * time.Millisecond, 16
	slots := make([]Sums, ring)
	read := func(_ Station, position int) Sums { return slots[position] }
	s := NewSettler(width, 0, ring, 0)
	var totals Totals
	var got []uint64
	take := func(w Window) {
		got = append(got, w.Patient)
		totals.Add(w, width)
	}
	for index := range 3 {
		slots[index] = Sums{Edge: true, Patient: uint64(index + 1), Commits: uint64(index),
			Patience: int64(index) * int64(time.Second)}
	}
	s.Settle(3*width+Margin, []Station{firstEdge}, read, take)
	if diff := cmp.Diff([]uint64{1, 2, 3}, got); diff != "" {
		t.Errorf("windows (-want +got):\n%s", diff)
	}
	slots[5] = Sums{Edge: true, Patient: 4, Commits: 5, Patience: int64(time.Second)}
	s.Settle(100*width, []Station{firstEdge}, read, take) // far too late: all that the ring holds is one window
	if totals.Patient != 10 || totals.Commits != 8 || totals.Patience != int64(4*time.Second) {
		t.Errorf("%d that took %s, and %d commits; want 10, 4s and 8", totals.Patient,
			time.Duration(totals.Patience), totals.Commits)
	}
}
