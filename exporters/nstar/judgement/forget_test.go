// SPDX-License-Identifier: Apache-2.0

package judgement

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// A tier that forgets a destination goes on as if it had never called it.
func TestForget(t *testing.T) {
	const width = 50 * time.Millisecond
	with, without := NewTier(width), NewTier(width)
	db := Calls{To: "db", Outstanding: 2, Begun: 5, Answered: 5, Peak: 3, Connections: 8, Used: 4}
	brief := Calls{To: "203.0.113.9:443"} // was called once, long ago
	for i := range int64(200) {
		w := Window{Index: i, Queue: 4, Completions: 5, Calls: []Calls{db}}
		ownWithout, _, judgedWithout, _ := without.Add(w)
		if i > 10 && i < 100 {
			w.Calls = []Calls{brief, db}
		}
		if i == 110 {
			with.Forget(brief.To)
			with.Forget("never called")
		}
		own, _, judged, _ := with.Add(w)
		if diff := cmp.Diff(judgedWithout, judged, cmpopts.EquateNaNs()); own != ownWithout || diff != "" {
			t.Fatalf("window %d: own queue %g, want %g (-want +got):\n%s", i, own, ownWithout, diff)
		}
	}
	if k := with.Knowledge(); len(k.Calls) != 1 || len(with.calls) != 1 {
		t.Errorf("knows %d destinations, want one", len(k.Calls))
	}
}

// A destination may be forgotten while its windows are held back, and while nothing is known of what calls promise: an
// edge gets another name as soon as somebody knows it.
func TestForgetEarly(t *testing.T) {
	const width = 50 * time.Millisecond
	calls := func(to string) Calls {
		return Calls{To: to, Outstanding: 2, Begun: 1, Peak: 3, Connections: 8, Used: 4}
	}
	for forgotten := range int64(60) {
		tier := NewTier(width)
		for i := range int64(100) {
			w := Window{Index: i, Queue: 5, Calls: []Calls{calls("10.0.0.5:3306"), calls("cache")}}
			if i >= forgotten {
				w.Calls[0].To = "db"
			}
			if i == forgotten {
				tier.Forget("10.0.0.5:3306")
			}
			tier.Add(w)
		}
		if k := tier.Knowledge(); len(k.Calls) != 2 {
			t.Fatalf("forgotten at %d: knows %d destinations", forgotten, len(k.Calls))
		}
	}
}
