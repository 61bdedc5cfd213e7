// SPDX-License-Identifier: Apache-2.0

package window

import (
	"math"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// Short sums begin again at 0 after years of requests in one place of the ring. If windows are read as one, the
// completion that moved out of one of them is in another one.
func TestSettleShortSums(t *testing.T) {
	const width, ring, position = 50 * time.Millisecond, 16, 8
	slots := make([]Sums, ring)
	read := func(_ Station, position int) Sums { return slots[position] }
	s := NewSettler(width, 0, ring, 0)
	var got []uint64
	take := func(w Window) {
		if w.Index%ring == position || w.Merged > 0 {
			got = append(got, w.Arrivals, w.Completions)
		}
	}
	slots[position] = Sums{Arrivals: math.MaxInt32, Completions: math.MaxInt32 - 1, Net: 1}
	for i := range 3 * time.Duration(ring) {
		switch i {
		case ring:
			slots[position] = slots[position].Add(slots[position])
		case 2 * ring:
			slots[position] = slots[position].Add(Sums{Arrivals: 5, Completions: 7, Net: -2})
		}
		s.Settle(i*width+Margin, []Station{0}, read, take)
	}
	if diff := cmp.Diff([]uint64{math.MaxInt32, math.MaxInt32 - 1, math.MaxInt32, math.MaxInt32 - 1, 5, 7},
		got); diff != "" {
		t.Errorf("arrivals and completions of three windows (-want +got):\n%s", diff)
	}
	if n := s.Carried(0, read); n != 0 {
		t.Errorf("%d requests are in the queue", n)
	}
	got = nil
	slots[position].Completions--
	slots[position+1].Completions++
	s.Settle(100*width, []Station{0}, read, take) // far too late: all that the ring holds is one window
	if diff := cmp.Diff([]uint64{0, 0}, got); diff != "" {
		t.Errorf("the merged window (-want +got):\n%s", diff)
	}
}
