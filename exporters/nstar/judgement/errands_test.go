// SPDX-License-Identifier: Apache-2.0

package judgement

import (
	"math"
	"testing"
)

// For three seconds a count is wrong: no request seems to be in the tier while it answers ten a window. Its calls are
// none on its own account, and its own queue is right as soon as the count is.
func TestErrandsOfAWrongCount(t *testing.T) {
	tier := NewTier(testWidth)
	own := 0.0
	for i := range int64(200) {
		w := Window{Index: i, Queue: 0.6, Completions: 10, GC: math.NaN(),
			Calls: []Calls{{To: "behind", Outstanding: 0.5, Begun: 10, Answered: 10, Peak: 2, Connections: 8, Used: 4}}}
		if i >= 100 && i < 160 {
			w.Queue = 0
		}
		own, _, _, _ = tier.Add(w)
	}
	if math.Abs(own-0.1) > 0.01 {
		t.Errorf("own queue %.2f, want 0.1", own)
	}
}
