// SPDX-License-Identifier: Apache-2.0

package judging

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/nstar-project/nstar/exporters/nstar/judgement"
)

// Stops are counted by what stopped the tier. A few answers do not make two of one.
func TestStops(t *testing.T) {
	const width = 50 * time.Millisecond
	s := newStops()
	frozen := func(cause judgement.Cause) judgement.Judged {
		return judgement.Judged{State: judgement.Frozen, Charges: []judgement.Charge{{Cause: cause, Queue: 3}}}
	}
	windows := func(n int, w judgement.Judged) {
		for range n {
			s.add(w, width)
		}
	}
	for range 3 {
		windows(4, frozen(judgement.Stopped))
		windows(4, judgement.Judged{})
		windows(2, frozen(judgement.Stopped))
		windows(30, judgement.Judged{})
	}
	windows(5, frozen(judgement.GarbageCollection))
	windows(5, judgement.Judged{})
	windows(5, frozen(judgement.Starved)) // not the tier's own
	want := map[judgement.Cause]uint64{judgement.Stopped: 3, judgement.GarbageCollection: 1}
	if diff := cmp.Diff(want, s.number); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}
